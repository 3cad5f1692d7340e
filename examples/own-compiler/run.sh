#!/bin/sh
# A compiler of your own in a TOML file. This one (mycc) takes <= for <; the campaign stops at the first bug, once it is small.
set -eu
# shellcheck source=examples/find-assay.sh
. "$(dirname "$0")/../find-assay.sh"
needs gcc
sed "s|@FOLDER@|$PWD|" targets.toml.in >"$work/targets.toml"

"$assay" fuzz --dir "$work/campaign" --seed 1 --until-bug --tests 500 --targets-file "$work/targets.toml" --targets mycc && fail "no bug found"

for bug in "$work"/campaign/bugs/*/; do
  cat "$bug/reduced.c"
  # A script that needs nothing but the compiler: exit code 0 says that the bug shows.
  "$bug/repro.sh" >/dev/null || fail "$bug does not show its bug"
done
grep -q '<=' "$work"/campaign/bugs/*/reduced.c || fail "the operator was reduced away"
