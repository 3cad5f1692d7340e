#!/usr/bin/env bash
# The machine's floating arithmetic against MPFR: bench/float_soak.sh [ROUNDS], random operations per type and operator (a million).
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
ASSAY_MPFR_ROUNDS=${1:-1000000} "$root/build/release/machine_test" --gtest_filter='*Mpfr*'
