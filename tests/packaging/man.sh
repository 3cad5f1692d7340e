#!/bin/sh
# The manual page has every subcommand and option that the program offers, and groff has nothing to complain about.
set -eu
page=$ASSAY_BUILD/assay.1
[ -s "$page" ] || { echo "FAILED: no $page" >&2; exit 1; }
plain=$(sed 's/\\-/-/g' "$page")
missing=0
look() { # look TEXT: a line that begins with it
  printf '%s\n' "$plain" | grep -q -e "$1" || { echo "FAILED: not in the page: $1" >&2; missing=$((missing + 1)); }
}
options=0
visit() { # visit COMMAND...
  [ $# = 0 ] || look "^\.SS assay $* \["
  for option in $("$ASSAY" complete "$@" --); do
    options=$((options + 1))
    look "$option"
  done
  for inner in $("$ASSAY" complete "$@" ''); do visit "$@" "$inner"; done
}
visit
[ "$options" -gt 150 ] || { echo "FAILED: only $options options looked for" >&2; exit 1; }
if command -v man >/dev/null && command -v groff >/dev/null; then
  complaints=$(MANWIDTH=100 man --warnings -l "$page" 2>&1 >/dev/null)
  [ -z "$complaints" ] || { echo "FAILED: $complaints" >&2; exit 1; }
  MANWIDTH=100 man -l "$page" | grep -q 'EXIT STATUS' || { echo "FAILED: the page cannot be read" >&2; exit 1; }
fi
exit "$missing"
