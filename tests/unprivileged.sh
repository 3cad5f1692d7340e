#!/bin/sh
# Runs a command as an unprivileged user. Needs root to become one; without it the test is skipped (77), since the plain one
# then is the same.
#   unprivileged.sh COMMAND [ARGUMENT...]
set -eu
if [ "$(id -u)" != 0 ]; then
  echo "skipped: not root, so the tests run unprivileged anyway"
  exit 77
fi
export HOME=/nonexistent
exec setpriv --reuid=nobody --regid=nogroup --clear-groups -- "$@"
