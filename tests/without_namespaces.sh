#!/bin/sh
# Runs a command as an unprivileged user in a chroot, where the kernel lets nobody make a user namespace: what a container
# without namespaces is like. Needs root; without it the test is skipped (77).
#   without_namespaces.sh COMMAND [ARGUMENT...]
set -eu
if [ "$(id -u)" != 0 ]; then
  echo "skipped: only root can make a chroot to run this in"
  exit 77
fi
exec unshare --mount sh -euc '
  root=/mnt
  mount --rbind / "$root"
  mount --make-rslave "$root"
  export HOME=/nonexistent
  exec chroot "$root" setpriv --reuid=nobody --regid=nogroup --clear-groups -- "$@"' sh "$@"
