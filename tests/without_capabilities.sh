#!/bin/sh
# Runs a command as a root that has no capabilities, as in a container that has dropped all of them: it may make namespaces
# of a user's, but is nobody there. Needs root; without it the test is skipped (77).
#   without_capabilities.sh COMMAND [ARGUMENT...]
set -eu
if [ "$(id -u)" != 0 ]; then
  echo "skipped: not root, so there are no capabilities to drop"
  exit 77
fi
exec setpriv --bounding-set=-all --inh-caps=-all -- "$@"
