#!/bin/sh
# A program made, checked, explained; then one that a compiler gets wrong, made small by hand.
set -eu
# shellcheck source=examples/find-assay.sh
. "$(dirname "$0")/../find-assay.sh"
needs gcc
sed "s|@FOLDER@|$PWD/../own-compiler|" ../own-compiler/targets.toml.in >"$work/targets.toml"

"$assay" gen --seed 7 --tokens 400 --out "$work/7.c"
"$assay" check "$work/7.c" | head -n 3
"$assay" check "$work/7.c" --trace >"$work/trace" # every statement executed, every value stored
head -n 5 "$work/trace"

# The first program that mycc gets wrong: what it must print is in the file beside it.
"$assay" gen --seed 1 --count 60 --tokens 1000 --out "$work/programs/"
for expected in "$work"/programs/*.expected; do
  program=${expected%.expected}
  ../own-compiler/mycc "$work/binary" "$program.c" -O0
  timeout 2 "$work/binary" >"$work/actual" 2>&1 || continue # it hangs or crashes: also wrong, but slower to reduce
  cmp -s "$work/actual" "$expected" || { wrong=$program.c; break; }
done
[ -n "${wrong:-}" ] || fail "mycc got everything right"

# Every candidate is valid and has an expectation of its own: no sanitizer is in the loop.
"$assay" reduce "$wrong" --target mycc --targets-file "$work/targets.toml" --out "$work/small" --seconds 60 --quiet || [ $? = 1 ]
cat "$work/small/reduced.c"
[ "$(wc -l <"$work/small/reduced.c")" -le 40 ] || fail "not small"
