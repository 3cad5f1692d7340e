#!/bin/sh
# Runs a command as an unprivileged user. Needs root to become one; without it the test is skipped (77), since the plain one
# then is the same. The command gets a small disk of its own (ASSAY_TEST_SMALL_DISK), which only root can make.
#   unprivileged.sh COMMAND [ARGUMENT...]
set -eu
if [ "$(id -u)" != 0 ]; then
  echo "skipped: not root, so the tests run unprivileged anyway"
  exit 77
fi
export HOME=/nonexistent
become_nobody='exec setpriv --reuid=nobody --regid=nogroup --clear-groups -- "$@"'
if ! unshare --mount true 2>/dev/null; then
  echo "no mount namespaces here: without a small disk"
  exec sh -euc "$become_nobody" sh "$@"
fi
exec unshare --mount sh -euc '
  mount -t tmpfs -o size=20m,mode=1777 assay-small-disk /mnt
  export ASSAY_TEST_SMALL_DISK=/mnt
  '"$become_nobody" sh "$@"
