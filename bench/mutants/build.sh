#!/usr/bin/env bash
# Builds the cc1 that holds all mutants of mutations.toml (apply.py says how), from Debian's gcc-12-source: C only, -O1, checks as in a
# release. About 10 minutes of CPU time and 2 GB; again after a change of the list: only what it touches. The folder is not in the repository.
#   bench/mutants/build.sh [FOLDER]     default: $MUTANTS_DIR, else ./mutants; JOBS=N, default 2
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-${MUTANTS_DIR:-$PWD/mutants}}
jobs=${JOBS:-2}
for package in gcc-12-source g++-12 libgmp-dev libmpfr-dev libmpc-dev zlib1g-dev flex bison gawk make python3; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok installed' || missing="${missing:-} $package"
done
[ -z "${missing:-}" ] || { echo "mutants: not installed:$missing (apt-get install$missing)" >&2; exit 3; }

mkdir -p "$folder/build"
cd "$folder"
if [ ! -f src/.complete ]; then
  rm -rf src
  mkdir src
  tar xf /usr/src/gcc-12/gcc-12.*.tar.xz -C src --strip-components=1 --exclude='gcc-*/gcc/testsuite/*' \
    --exclude='gcc-*/lib*/testsuite/*/*' --exclude='*/libgo/*' --exclude='*/libjava/*' --exclude='*/gcc/ada/*' --exclude='*/gcc/d/dmd/*'
  touch src/.complete
fi
python3 "$here/apply.py" src
cd build
[ -f Makefile ] || ../src/configure --disable-bootstrap --enable-languages=c --enable-checking=release --disable-multilib --disable-analyzer \
  --disable-nls --disable-lto --disable-plugin --without-isl --without-zstd --disable-libsanitizer --disable-fixincludes \
  --with-system-zlib CC=gcc-12 CXX=g++-12 CFLAGS='-O1 -g0' CXXFLAGS='-O1 -g0' >configure.log 2>&1
make -j"$jobs" all-libiberty all-build-libiberty all-build-libcpp all-libcpp all-libdecnumber all-libbacktrace all-libcody configure-gcc >make.log 2>&1
make -C gcc -j"$jobs" cc1 >>make.log 2>&1
ls -l gcc/cc1
