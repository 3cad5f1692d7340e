#!/bin/sh
# A campaign of a few tests over one compiler, with output for machines. No second compiler is needed: programs know their answer.
set -eu
# shellcheck source=examples/find-assay.sh
. "$(dirname "$0")/../find-assay.sh"
needs tcc

# Exit code 0: no bug; 1: bugs. Both are results here.
"$assay" fuzz --dir "$work/campaign" --seed 1 --tests 4 --targets tcc --knobs tokens=500 --no-reduce --json >"$work/events" ||
  [ $? = 1 ]

# One JSON object a line; the last one is the summary.
tail -n 1 "$work/events" | tr ',' '\n' | grep -E '"(event|outcome|reason|tests|compiles|bugs|target_cpu_share)"'
tail -n 1 "$work/events" | grep -q '"event":"end".*"reason":"tests-done".*"tests":4,' || fail "the campaign did not end as expected"
[ -s "$work/campaign/report.html" ] || fail "no report"
