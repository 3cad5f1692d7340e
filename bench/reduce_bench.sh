#!/usr/bin/env bash
# assay reduce against cvise and creduce on the same finds, same machine, same cores. The others get the interestingness
# test that a careful user would write (warnings, sanitizers, reference compiler); ours needs none.
#   bench/reduce_bench.sh [COUNT] [TARGETS] [TIMEOUT]
# Prints a table: seconds, tokens of the result and compilations per tool; then the medians and the ratios.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
count=${1:-10} targets=${2:-pcc,tcc} limit=${3:-1800}
bench=$root/build/release/reduce_bench
cores=$(nproc)
work=$(mktemp -d /dev/shm/assay-reduce-bench.XXXXXX)
trap 'rm -rf "$work"' EXIT
mkdir "$work/finds"

# Finds whose program ends normally with a wrong result: the kind that all three tools can judge.
seed=1
while [ "$(ls "$work/finds" | wc -l)" -lt "$count" ] && [ $seed -lt 2000 ]; do
  "$bench" find "$targets" 10 "$work/finds" $seed "tokens=2500" >"$work/log"
  grep -v wrong-output "$work/log" | sed -n 's/^seed \([0-9]*\) \([^:]*\):.*/\2-\1.txt/p' | while read -r file; do rm -f "$work/finds/$file"; done
  seed=$((seed + 10))
done

tokens() { # without comments
  gcc -fpreprocessed -dD -E -P "$1" 2>/dev/null | grep -oE "[A-Za-z_0-9]+|\"[^\"]*\"|<<=|>>=|\.\.\.|->|\+\+|--|<<|>>|[-+*/%&|^<>=!]=|&&|\|\||[^[:space:]]" | wc -l
}

printf '%-16s %7s | %8s %6s %8s | %8s %6s %8s | %8s %6s %8s\n' case before "assay s" tokens compiles "cvise s" tokens compiles "creduce s" tokens compiles
for model in $(ls "$work/finds" | head -n "$count"); do
  name=${model%.txt} target=${model%-*}
  mkdir -p "$work/$name/assay"
  "$bench" reduce "$target" "$work/finds/$model" "$work/$name/assay" >"$work/$name/line"
  ours_seconds=$(sed -n 's/.* seconds \([0-9.]*\) .*/\1/p' "$work/$name/line")
  ours_compiles=$(sed -n 's/.* compilations \([0-9]*\) .*/\1/p' "$work/$name/line")
  row="$name $(sed -n 's/.* tokens \([0-9]*\) .*/\1/p' "$work/$name/line") $ours_seconds $(tokens "$work/$name/assay/reduced.c") $ours_compiles"
  for tool in cvise creduce; do
    mkdir -p "$work/$name/$tool"
    "$bench" export "$target" "$work/finds/$model" "$work/$name/$tool"
    # Count the compilations of the compiler under test.
    sed -i "s|^timeout 20 |echo x >>$work/$name/$tool.count\ntimeout 20 |" "$work/$name/$tool/test.sh"
    chmod +x "$work/$name/$tool/test.sh"
    : >"$work/$name/$tool.count"
    start=$(date +%s.%N)
    (cd "$work/$name/$tool" && timeout "$limit" "$tool" --n "$cores" ./test.sh program.c >/dev/null 2>&1) || true
    seconds=$(awk -v a="$start" -v b="$(date +%s.%N)" 'BEGIN {print b - a}')
    row+=" $seconds $(tokens "$work/$name/$tool/program.c") $(wc -l <"$work/$name/$tool.count")"
  done
  echo "$row" >>"$work/rows"
  # shellcheck disable=SC2086
  printf '%-16s %7s | %8.1f %6s %8s | %8.1f %6s %8s | %8.1f %6s %8s\n' $row
done
median() { sort -n | awk '{v[NR]=$1} END {print NR % 2 ? v[(NR+1)/2] : (v[NR/2] + v[NR/2+1]) / 2}'; }
for tool in cvise:6 creduce:9; do
  column=${tool#*:}
  echo "${tool%:*}: median time ratio $(awk -v c="$column" '{print $c / $3}' "$work/rows" | median), median token ratio (theirs / ours) $(awk -v c=$((column + 1)) '{print $c / $4}' "$work/rows" | median)"
done
