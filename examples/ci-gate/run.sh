#!/bin/sh
# A gate for the CI of a compiler: gate.sh lets a good compiler pass and stops one with a bug.
set -eu
# shellcheck source=examples/find-assay.sh
. "$(dirname "$0")/../find-assay.sh"
needs gcc
ASSAY=$assay SEED=1 TESTS=12
export ASSAY SEED TESTS
sed "s|@FOLDER@|$PWD/../own-compiler|" ../own-compiler/targets.toml.in >"$work/targets.toml"
cat >>"$work/targets.toml" <<'TXT'

[[target]]
name = "goodcc"
compile = "gcc -w {flags} {source} -o {output}"
flags = ["-O0"]
version = "gcc --version"
TXT

sh gate.sh "$work/targets.toml" goodcc "$work/good" || fail "the good compiler was stopped"
TESTS=500
if sh gate.sh "$work/targets.toml" mycc "$work/bad"; then fail "the bad compiler passed"; fi
