#!/bin/sh
# Known bugs are counted and not reported again. The first campaign finds some; their signatures in a file make the second one quiet.
set -eu
# shellcheck source=examples/find-assay.sh
. "$(dirname "$0")/../find-assay.sh"
needs gcc
sed "s|@FOLDER@|$PWD/../own-compiler|" ../own-compiler/targets.toml.in >"$work/targets.toml"
campaign() { # campaign FOLDER [OPTION...]
  folder=$1
  shift
  "$assay" fuzz --dir "$folder" --seed 1 --targets-file "$work/targets.toml" --targets mycc --no-reduce "$@"
}

campaign "$work/first" --tests 20 >/dev/null && fail "no bug found"
ls "$work/first/bugs"

# A line is a signature or a bug's name; # begins a comment.
{
  echo '# the bugs of mycc that have been reported'
  for bug in "$work"/first/bugs/*/; do sed -n 's/^ *"signature": "\(.*\)",*$/\1/p' "$bug/bug.json"; done
} >"$work/known.txt"
cat "$work/known.txt"

campaign "$work/second" --tests 20 --known "$work/known.txt" || fail "a known bug was reported again"
[ -z "$(ls "$work/second/bugs" 2>/dev/null)" ] || fail "a known bug was stored again"
