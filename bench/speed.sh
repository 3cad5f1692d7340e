#!/usr/bin/env bash
# Speed of `assay gen` against Debian's csmith with its defaults, on one core in one run: tokens per second, everything included
# (least of three runs each; process start, generation, machine, clean run, printing), time per program, and how time grows with size.
# With `instructions` the ratio is of instructions executed per token, by valgrind: slow, but not disturbed by other work.
#   bench/speed.sh [CSMITH PROGRAMS] [ASSAY PROGRAMS] [instructions]
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
assay=${ASSAY:-$root/build/release/assay}
peers=${1:-60}
ours=${2:-300}
command -v csmith >/dev/null || { echo "speed: csmith is not installed (apt-get install csmith)" >&2; exit 3; }
scratch=$(mktemp -d "$( [ -w /dev/shm ] && echo /dev/shm || echo /tmp)/assay-speed-XXXXXX")
trap 'rm -rf "$scratch"' EXIT
python3 "$root/bench/speed.py" "$assay" "$scratch" "$peers" "$ours" ${3:+"$3"}
