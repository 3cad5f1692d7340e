# shellcheck shell=sh
# Sourced by the examples: goes to the example's folder, sets `assay` and an empty folder `work` that is removed at the end.
cd "$(dirname "$0")" || exit
assay=${ASSAY:-$(command -v assay || echo "$PWD/../../build/release/assay")}
[ -x "$assay" ] || { echo "no assay here: ./dev build makes one, or set ASSAY" >&2; exit 3; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
needs() { for program in "$@"; do command -v "$program" >/dev/null || { echo "needs $program: skipped"; exit 77; }; done; }
fail() { echo "FAILED: $*" >&2; exit 1; }
