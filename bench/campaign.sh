#!/usr/bin/env bash
# campaign.sh [SECONDS]: how campaigns scale and what they cost. The same campaign over gcc and clang with one worker on one core and
# with two on two, SECONDS each (default 60), five times in turn; prints tests, the median of the five ratios (machines are fast and
# slow for minutes at a time, so that only neighbours compare) and the share of CPU time spent in
# compilers and programs; then what two loops of the same compilers without assay do against one, which is the most that the machine
# gives; then the same two campaigns over a compiler that only waits, where the machine does not matter. The programs are small, so
# that the tests that the end of the time cuts off weigh little. Nothing else should run on the machine.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
seconds=${1:-60}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
campaign() { # campaign JOBS SECONDS ARGUMENT...: the last line of its --json, on as many cores as it has jobs
  rm -rf "$work/campaign"
  taskset -c "$([ "$1" = 1 ] && echo 0 || echo 0,1)" "$root/build/release/assay" fuzz --dir "$work/campaign" --seed 1 \
    --jobs "$1" --time "$2s" --no-reduce --json "${@:3}" 2>/dev/null | tail -n 1
}
one() { # one JOBS: "tests_per_second share"
  campaign "$1" "$seconds" --targets 'gcc-12,clang-14' --knobs tokens=400 |
    sed -E 's/.*"tests_per_second":([0-9.]+).*"target_cpu_share":([0-9.]+).*/\1 \2/'
}
for round in 1 2 3 4 5; do
  for jobs in 1 2; do
    one $jobs >"$work/$jobs"
    echo "round $round, $jobs worker(s): tests/s and CPU share in targets: $(cat "$work/$jobs")"
  done
  paste -d' ' "$work/1" "$work/2" | awk '{ printf "%.2f\n", $3 / $1 }' >>"$work/ratios"
done
echo "two workers / one worker: $(sort -n "$work/ratios" | sed -n 3p), the median of $(sort -n "$work/ratios" | tr '\n' ' ')"
# The same without assay.
"$root/build/release/assay" gen --seed 5 --tokens 400 >"$work/raw.c"
raw() { # raw SECONDS FOLDER: rounds of compiling and running
  local end=$((SECONDS + $1)) rounds=0 compiler level
  mkdir -p "$2"
  while [ $SECONDS -lt $end ]; do
    for compiler in gcc-12 clang-14; do
      for level in -O0 -O2 -O3; do
        "$compiler" -w $level "$work/raw.c" -o "$2/a" -lm && "$2/a" >/dev/null
        rounds=$((rounds + 1))
      done
    done
  done
  echo $rounds
}
export -f raw
export work
one=$(taskset -c 0 bash -c 'raw "$@"' _ $((seconds / 2)) "$work/a")
raw $((seconds / 2)) "$work/a" >"$work/rounds" & two=$(raw $((seconds / 2)) "$work/b"); wait
awk -v one="$one" -v a="$(cat "$work/rounds")" -v b="$two" 'BEGIN { printf "the machine itself, two loops / one loop: %.2f\n", (a + b) / one }'
# Nor does the machine matter for a compiler that waits a tenth of a second: what is lost now is lost by assay.
cat >"$work/waits" <<'SH'
#!/bin/sh
sleep 0.1; cp "$2" "$3"; chmod +x "$3"
SH
cat >"$work/make" <<'SH'
#!/bin/sh
printf "#!/bin/sh\necho %s\n" "$1"
SH
chmod +x "$work/waits" "$work/make"
cat >"$work/targets.toml" <<TOML
[[target]]
name = "waits"
family = "waits"
language = "sh"
compile = "$work/waits {flags} {source} {output}"
flags = ["-O0", "-O1", "-O2", "-O3"]
smoke_program = "#!/bin/sh\\necho 42\\n"
smoke_output = "42\\n"
TOML
waiting() { # waiting JOBS: tests per second
  campaign "$1" $((seconds / 2)) --lang sh --targets waits --targets-file "$work/targets.toml" --source-cmd "$work/make {seed}" |
    sed -E 's/.*"tests_per_second":([0-9.]+).*/\1/'
}
awk -v one="$(waiting 1)" -v two="$(waiting 2)" 'BEGIN { printf "a compiler that waits, two workers / one worker: %.2f (%.3f and %.3f tests/s)\n", two / one, two, one }'
