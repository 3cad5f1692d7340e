#!/usr/bin/env bash
# campaign.sh [SECONDS]: how campaigns scale and what they cost. The same campaign over gcc and clang with one worker and with
# two, SECONDS each (default 60), three times in turn; prints tests, the ratio of the medians and the share of CPU time spent in
# compilers and programs. The programs are small, so that the tests that the end of the time cuts off weigh little. Nothing else
# should run on the machine (as root on a busy one: sysctl kernel.sched_autogroup_enabled=0, then nice -n -20 bench/campaign.sh).
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
seconds=${1:-60}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
one() { # one JOBS: "tests_per_second share"
  rm -rf "$work/campaign"
  "$root/build/release/assay" fuzz --dir "$work/campaign" --seed 1 --targets 'gcc-12,clang-14' --jobs "$1" --time "${seconds}s" \
    --knobs tokens=400 --no-reduce --json 2>/dev/null | tail -n 1 >"$work/end" || true
  sed -E 's/.*"tests_per_second":([0-9.]+).*"target_cpu_share":([0-9.]+).*/\1 \2/' "$work/end"
}
: >"$work/1"; : >"$work/2"
for round in 1 2 3; do
  for jobs in 1 2; do
    result=$(one $jobs)
    echo "$result" >>"$work/$jobs"
    echo "round $round, $jobs worker(s): tests/s and CPU share in targets: $result"
  done
done
median() { sort -n "$work/$1" | sed -n 2p | cut -d' ' -f1; }
awk -v one="$(median 1)" -v two="$(median 2)" 'BEGIN { printf "two workers / one worker: %.2f (medians %.3f and %.3f tests/s)\n", two / one, two, one }'
