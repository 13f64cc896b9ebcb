#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# hidden.sh ROOT BUILD COMMAND...: runs COMMAND from / where the folders ROOT and BUILD are empty, in a mount namespace of its own. Where
# the system allows no such thing, exit code 77.
set -euo pipefail
cd /
unshare --map-root-user --mount true 2>/dev/null || exit 77
exec unshare --map-root-user --mount bash -c '
  set -e
  cd /
  for one in "$1" "$2"; do
    [ ! -d "$one" ] || mount -t tmpfs none "$one"
    [ -z "$(ls -A "$one" 2>/dev/null)" ]
  done
  shift 2
  exec "$@"' hidden "$@"
