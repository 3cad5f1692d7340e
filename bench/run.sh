#!/usr/bin/env bash
# The benchmarks, or the one named: speed (gen against csmith), machine, exec, grammar, reduce,
# planted (all planted bugs), campaign.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build/release
run() {
  case $1 in
    speed) "$root/bench/speed.sh" ;;
    reduce) "$root/bench/reduce_bench.py" ;;
    planted) ASSAY_ALL_PLANTED=1 "$build/reduce_planted_test" ;;
    machine | exec | grammar) "$build/$1_bench" ;;
    campaign) "$root/bench/campaign.sh" ;;
    *) echo "bench: no benchmark '$1' (speed machine exec grammar reduce planted campaign)" >&2; exit 2 ;;
  esac
}
if [ $# -gt 0 ]; then run "$1"; else for name in speed machine exec grammar reduce campaign; do echo "== $name"; run "$name"; done; fi
