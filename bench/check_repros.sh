#!/usr/bin/env bash
# check_repros.sh CAMPAIGN: runs every repro.sh (and repro-original.sh) of a campaign's bugs, each in a copy of its folder
# under another name, and says which do not show their bug, and which cannot run here. Exit code 0: all show theirs.
set -u
if [ $# -ne 1 ] || [ ! -d "$1" ]; then echo "usage: bench/check_repros.sh CAMPAIGN" >&2; exit 2; fi
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
good=0 bad=0 cannot=0
for script in "$1"/bugs/*/repro*.sh; do
  [ -e "$script" ] || continue
  folder=$(dirname "$script")
  rm -rf "$copy/bug"
  cp -r "$folder" "$copy/bug"
  (cd / && sh "$copy/bug/$(basename "$script")") >"$copy/log" 2>&1
  code=$?
  if [ $code -eq 0 ]; then good=$((good + 1)); continue; fi
  if [ $code -eq 3 ]; then cannot=$((cannot + 1)); else bad=$((bad + 1)); fi
  echo "exit $code: $script"
  tail -n 3 "$copy/log" | sed 's/^/    /'
done
bugs=$(find "$1/bugs" -mindepth 1 -maxdepth 1 2>/dev/null | wc -l)
reduced=$(find "$1/bugs" -mindepth 2 -maxdepth 2 -name 'reduced.*' 2>/dev/null | wc -l)
echo "bugs: $bugs, reduced: $reduced; scripts that show their bug: $good, that do not: $bad, that cannot run here: $cannot"
[ $bad -eq 0 ] && [ $cannot -eq 0 ]
