#!/usr/bin/env bash
# Builds the mutants: the files of GCC that mutations.toml changes, with the mutations in them, as one plugin for the installed gcc-12 (plugin.cc
# says how it works). Sources from Debian's gcc-12-source with Debian's updates, headers from gcc-12-plugin-dev. Two minutes of CPU time, and after a
# change of the list only what it touches. The folder is not in the repository.
#   bench/mutants/build.sh [FOLDER]     default: $MUTANTS_DIR, else ./mutants; JOBS=N, default 2
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-${MUTANTS_DIR:-$PWD/mutants}}
for package in gcc-12-source gcc-12-plugin-dev g++-12 patch python3; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok installed' || missing="${missing:-} $package"
done
[ -z "${missing:-}" ] || { echo "mutants: not installed:$missing (apt-get install$missing)" >&2; exit 3; }

mkdir -p "$folder/objects"
folder=$(cd "$folder" && pwd)
cd "$folder"
if [ ! -f sources/.complete ]; then
  rm -rf sources
  mkdir sources
  tar xf /usr/src/gcc-12/gcc-12.*.tar.xz -C sources --strip-components=1 --wildcards 'gcc-*/gcc/*.cc' 'gcc-*/gcc/*.h' \
    'gcc-*/gcc/*.def' 'gcc-*/include/*.h' --exclude='gcc-*/gcc/testsuite/*'
  # Only what is here; the rest of the updates is about other files.
  patch -d sources -p2 -f -s -N --no-backup-if-mismatch -r - </usr/src/gcc-12/patches/git-updates.diff >patch.log 2>&1 || true
  touch sources/.complete
fi
files=$(python3 "$here/apply.py" sources)
mkdir -p stubs
for file in $files; do # tables of the garbage collector: not needed
  sed -n 's/^#include "\(gt-[a-z0-9-]*\.h\)".*/\1/p' "sources/gcc/$file"
done | while read -r header; do : >"stubs/$header"; done

python3 "$here/headers.py" sources/gcc stubs

headers=$(gcc-12 -print-file-name=plugin)/include
export headers folder
compile() { # compile SOURCE OBJECT
  g++-12 -O1 -g0 -w -fPIC -fno-exceptions -fno-rtti -DIN_GCC -DHAVE_CONFIG_H -I"$headers" -Istubs -Isources/gcc -Isources/include \
    -Isources/libcpp/include -I"$folder" -c "$1" -o "$2"
}
export -f compile
for file in $files; do
  object=objects/${file%.cc}.o
  [ "$object" -nt "sources/gcc/$file" ] && [ "$object" -nt sources/gcc/assay-mutant.h ] || echo "sources/gcc/$file $object"
done | xargs -r -P "${JOBS:-2}" -L 1 bash -c 'compile "$0" "$1"'

# The functions that the plugin and cc1 both have: in cc1 at least 14 bytes long.
nm -D -S --defined-only "$(gcc-12 -print-prog-name=cc1)" | awk '$3 == "T" && length($2) && strtonum("0x" $2) >= 14 {print $4}' | sort >exported.txt
for file in $files; do nm --defined-only "objects/${file%.cc}.o"; done | awk '$2 == "T" {print $3}' | sort -u >own.txt
comm -12 exported.txt own.txt | sed 's/.*/"&",/' >functions.inc
[ -s functions.inc ] || { echo "mutants: gcc-12's cc1 exports none of the functions" >&2; exit 3; }
compile "$here/plugin.cc" objects/plugin.o
for file in $files; do echo "objects/${file%.cc}.o"; done | xargs g++-12 -shared -Wl,-Bsymbolic-functions -o assay-mutants.so objects/plugin.o
ls -l assay-mutants.so
