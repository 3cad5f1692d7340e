#!/bin/sh
# Programs of another generator (csmith, or your own) in the same loop. They come without an answer: the compilers vote.
set -eu
# shellcheck source=examples/find-assay.sh
. "$(dirname "$0")/../find-assay.sh"
needs gcc clang tcc

"$assay" fuzz --dir "$work/campaign" --seed 1 --tests 4 --targets 'gcc-12,clang-14,tcc' --source-cmd "sh $PWD/make.sh {seed}" ||
  fail "the compilers disagree"
