#!/bin/sh
# What `cmake --install` puts into a DESTDIR works there when the sources are gone.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*" >&2; exit 1; }

DESTDIR=$work/root cmake --install "$ASSAY_BUILD" --prefix /usr/local >"$work/log" || { cat "$work/log"; exit 1; }
prefix=$work/root/usr/local
for file in bin/assay share/man/man1/assay.1 share/bash-completion/completions/assay share/zsh/site-functions/_assay \
  share/doc/assay/README.md share/doc/assay/CHANGELOG.md share/doc/assay/LICENSE; do
  [ -s "$prefix/$file" ] || fail "$file was not installed"
done
cp -r "$ASSAY_SOURCE/docs/toy" "$work/toy"

cat >"$work/use.sh" <<'TXT'
set -eu
[ ! -e "$ASSAY_SOURCE/src" ] || { echo "FAILED: the sources are still there" >&2; exit 1; }
cd "$work"
assay=$work/root/usr/local/bin/assay
"$assay" --version | grep '^assay [0-9]'
"$assay" gen --seed 7 --tokens 500 --out 7.c
"$assay" check 7.c | grep '^valid: yes'
"$assay" gen --lang lua --seed 1 --out 1.lua
[ -s 1.lua ]
"$assay" targets | grep '^gcc'
# A specification of the user's is compiled against headers that the program carries.
XDG_CACHE_HOME=$work/cache "$assay" gen --lang toy/calc.txt.lala --seed 1 --out calc.txt
[ -s calc.txt ]
"$assay" fuzz --dir campaign --seed 1 --tests 1 --targets tcc --knobs tokens=300 --no-reduce --json | grep '"end"' || [ $? = 1 ]
TXT
export work ASSAY_SOURCE
# A private mount hides the sources and everything built; without the right to make one the rest is still tested.
if unshare -rm true 2>/dev/null; then
  # shellcheck disable=SC2016
  unshare -rm sh -c 'mount -t tmpfs none "$ASSAY_SOURCE" && exec sh "$work/use.sh"' || fail "without its sources"
else
  echo "no private mounts here: skipped"
  exit 77
fi
