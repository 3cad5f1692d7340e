#!/usr/bin/env bash
# check_repros.sh CAMPAIGN: runs every repro.sh (and repro-original.sh) of a campaign's bugs, each in a copy of its folder
# under another name, and says which do not show their bug. Exit code 0: all do.
set -u
[ $# -eq 1 ] && [ -d "$1" ] || { echo "usage: bench/check_repros.sh CAMPAIGN" >&2; exit 2; }
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
good=0 bad=0
for script in "$1"/bugs/*/repro*.sh; do
  [ -e "$script" ] || continue
  folder=$(dirname "$script")
  rm -rf "$copy/bug"
  cp -r "$folder" "$copy/bug"
  (cd / && sh "$copy/bug/$(basename "$script")") >"$copy/log" 2>&1
  code=$?
  if [ $code -eq 0 ]; then good=$((good + 1)); continue; fi
  bad=$((bad + 1))
  echo "exit $code: $script"
  tail -n 3 "$copy/log" | sed 's/^/    /'
done
reduced=$(ls "$1"/bugs/*/reduced.* 2>/dev/null | wc -l)
echo "bugs: $(ls "$1"/bugs 2>/dev/null | wc -l), reduced: $reduced; scripts that show their bug: $good, that do not: $bad"
[ $bad -eq 0 ]
