#!/usr/bin/env bash
# The validity soak: programs from consecutive seeds must compile, end, and print exactly what the machine says.
#   bench/soak.sh [FROM] [COUNT] [MODE] [KNOB FLAG...]
# Modes: plain (gcc and clang, -O0 and -O2), san (UBSan+ASan by gcc and clang, MSan by clang), m32 (gcc -m32, data model ilp32).
# Prints one line for every program that fails, then "N passed, M failed". Scratch is on tmpfs and removed.
set -u
assay=${ASSAY:-$(cd "$(dirname "$0")/.." && pwd)/build/release/assay}
from=${1:-1}
count=${2:-300}
mode=${3:-plain}
shift $(($# > 3 ? 3 : $#))
scratch=$(mktemp -d "$( [ -w /dev/shm ] && echo /dev/shm || echo /tmp)/assay-soak-XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

model=lp64
case $mode in
  plain) compilers="gcc -O0|clang -O0|gcc -O2|clang -O2" ;;
  san) compilers="gcc -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all|clang -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all|clang -O1 -g -fsanitize=memory -fno-sanitize-recover=all" ;;
  m32) compilers="gcc -m32 -O0|gcc -m32 -O2" model=ilp32 ;;
  *) echo "soak: no mode '$mode' (plain, san, m32)" >&2; exit 2 ;;
esac

one() { # one SEED: prints a line for each failure
  local seed=$1 dir="$scratch/$1" compiler actual code
  mkdir -p "$dir"
  cd "$dir" || exit 3
  if ! "$assay" gen --seed "$seed" --data-model "$model" --out "$dir/" "${flags[@]}" 2>error; then
    echo "FAIL $seed gen: $(head -c 300 error)"
  else
    while IFS= read -r compiler; do
      if ! $compiler -w -o program "$seed.c" 2>error; then
        echo "FAIL $seed compile [$compiler]: $(grep -m1 error error)"
        continue
      fi
      actual=$(ulimit -t 10; ASAN_OPTIONS=detect_leaks=0 timeout 60 ./program 2>error)
      code=$?
      if [ "$code" != 0 ] || [ "$actual" != "$(cat "$seed.expected")" ]; then
        echo "FAIL $seed run [$compiler]: exit $code, '$actual' instead of '$(cat "$seed.expected")' $(grep -m1 -E 'runtime error|ERROR|WARNING' error)"
      fi
    done <<<"${compilers//|/$'\n'}"
  fi
  cd / && rm -rf "$dir"
  echo "DONE $seed"
}

flags=("$@")
export -f one
export scratch assay compilers model
# Arrays are not exported: the flags travel as one word each on the command line.
seq "$from" $((from + count - 1)) |
  xargs -P "${JOBS:-$(nproc)}" -I{} bash -c 'flags=("${@:2}"); one "$1"' _ {} "${flags[@]}" >"$scratch/log"
grep '^FAIL' "$scratch/log"
done=$(grep -c '^DONE' "$scratch/log")
failed=$(grep '^FAIL' "$scratch/log" | cut -d' ' -f2 | sort -u | wc -l)
echo "$((done - failed)) passed, $((failed + count - done)) failed"
[ "$failed" = 0 ] && [ "$done" = "$count" ]
