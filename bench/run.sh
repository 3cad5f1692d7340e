#!/usr/bin/env bash
# The benchmarks, or the one named: speed (gen against csmith), machine, exec, grammar, reduce.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build/release
run() {
  case $1 in
    speed) "$root/bench/speed.sh" ;;
    reduce) "$root/bench/reduce_bench.py" ;;
    machine | exec | grammar) "$build/$1_bench" ;;
    *) echo "bench: no benchmark '$1' (speed machine exec grammar reduce)" >&2; exit 2 ;;
  esac
}
if [ $# -gt 0 ]; then run "$1"; else for name in speed machine exec grammar reduce; do echo "== $name"; run "$name"; done; fi
