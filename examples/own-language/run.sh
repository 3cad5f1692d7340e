#!/bin/sh
# A language of your own: a small grammar, checked, sampled, and a campaign that compares two implementations of it.
set -eu
# shellcheck source=examples/find-assay.sh
. "$(dirname "$0")/../find-assay.sh"
needs g++ bash dash
XDG_CACHE_HOME=$work/cache # what the grammar is compiled to
export XDG_CACHE_HOME

"$assay" grammar check sums.sh.lala
"$assay" grammar sample sums.sh.lala --seed 3 >"$work/sample.sh"
head -n 3 "$work/sample.sh" | cut -c 1-100
sh "$work/sample.sh" >/dev/null || fail "the program is not valid"
"$assay" fuzz --lang "$PWD/sums.sh.lala" --targets-file targets.toml --targets bash,dash --dir "$work/campaign" --seed 1 --tests 20 ||
  fail "bash and dash disagree"
