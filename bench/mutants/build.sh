#!/usr/bin/env bash
# Builds the mutants: one cc1 from Debian's gcc-12-source with Debian's updates and all mutations of mutations.toml in it; ASSAY_MUTANT=NAME chooses
# one (apply.py says how). About 40 minutes of CPU time, with ccache a few the next time; after a change of the list only what it touches. The folder
# is not in the repository.
#   bench/mutants/build.sh [FOLDER]     default: $MUTANTS_DIR, else ./mutants; JOBS=N, default 2; afterwards: FOLDER/build/gcc/cc1
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-${MUTANTS_DIR:-$PWD/mutants}}
jobs=${JOBS:-2}
for package in gcc-12-source gcc-12 g++-12 libgmp-dev libmpfr-dev libmpc-dev zlib1g-dev flex bison gawk make patch python3; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok installed' || missing="${missing:-} $package"
done
[ -z "${missing:-}" ] || { echo "mutants: not installed:$missing (apt-get install$missing)" >&2; exit 3; }

mkdir -p "$folder/build"
cd "$folder"
if [ ! -f src/.complete ]; then
  rm -rf src
  mkdir src
  tar xf /usr/src/gcc-12/gcc-12.*.tar.xz -C src --strip-components=1 --exclude='gcc-*/gcc/testsuite/*' --exclude='gcc-*/lib*/testsuite/*/*' \
    --exclude='*/libgo/*' --exclude='*/gcc/ada/*' --exclude='*/gcc/d/dmd/*'
  # What is not unpacked is left out; the rest has to fit.
  patch -d src -p2 -f -N --no-backup-if-mismatch -r - </usr/src/gcc-12/patches/git-updates.diff >patch.log 2>&1 || true
  if grep -q 'FAILED' patch.log; then echo "mutants: Debian's updates do not fit, see $PWD/patch.log" >&2; exit 3; fi
  touch src/.complete
fi
python3 "$here/apply.py" src

cd build
ccache=$(command -v ccache || true)
if [ ! -f Makefile ]; then
  ../src/configure --disable-bootstrap --enable-languages=c --enable-checking=release --disable-multilib --disable-nls --disable-lto \
    --disable-plugin --without-isl --without-zstd --disable-libsanitizer --disable-fixincludes --with-system-zlib \
    CC="${ccache:+ccache }gcc-12" CXX="${ccache:+ccache }g++-12" CFLAGS='-O1 -g0' CXXFLAGS='-O1 -g0' >configure.log 2>&1
fi
{
  make -j"$jobs" all-libiberty all-build-libiberty all-libcpp all-build-libcpp all-libdecnumber all-libbacktrace configure-gcc &&
    make -C gcc -j"$jobs" cc1 CFLAGS='-O1 -g0' CXXFLAGS='-O1 -g0' # configure takes -O away from gcc's own files
} >make.log 2>&1 || { tail -30 make.log >&2; echo "mutants: the build failed, see $PWD/make.log" >&2; exit 3; }
ls -l gcc/cc1
