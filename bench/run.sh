#!/usr/bin/env bash
# The benchmarks, or the one named: speed (gen against csmith), machine, exec, grammar, reduce,
# planted (all planted bugs), campaign, optimisers (what gcc and clang do with our programs, csmith's and YARPGen's), character
# (what the programs are made of and how they run), mutants (mutants of gcc's optimiser: who kills them?), bugs (bugs per CPU hour: few configurations, all, csmith). What follows a name goes to it.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build/release
run() {
  name=$1
  shift
  case $name in
    speed) "$root/bench/speed.sh" "$@" ;;
    reduce) "$root/bench/reduce_bench.py" "$@" ;;
    optimisers | character) "$root/bench/$name.py" "$@" ;;
    mutants) "$root/bench/mutants/run.py" "$@" ;;
    planted) ASSAY_ALL_PLANTED=1 "$build/reduce_planted_test" && ASSAY_ALL_PLANTED=1 "$build/planted_passes_test" ;;
    machine | exec | grammar) "$build/${name}_bench" "$@" ;;
    campaign) "$root/bench/campaign.sh" "$@" ;;
    bugs) "$root/bench/bugs_per_hour.py" "$@" ;;
    *) echo "bench: no benchmark '$name' (speed machine exec grammar reduce planted campaign optimisers character mutants bugs)" >&2; exit 2 ;;
  esac
}
if [ $# -gt 0 ]; then run "$@"; else for name in speed machine exec grammar reduce campaign; do echo "== $name"; run "$name"; done; fi
