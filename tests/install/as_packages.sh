#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# as_packages.sh ROOT BUILD FOLDER COMMAND...: installs FOLDER/packages/*.deb with dpkg and runs COMMAND, in a copy of the file
# system that vanishes afterwards and in which the folders ROOT and BUILD are empty and FOLDER is the same; then removes the packages, of
# which nothing must be left. Where the system allows no such thing, or does not have what the packages need, exit code 77.
set -euo pipefail
cd /
[ "$(id -u)" -eq 0 ] && unshare --mount true 2>/dev/null || exit 77
exec unshare --mount bash -c '
  set -euo pipefail
  root=$1 build=$2 folder=$3
  shift 3
  layers=$folder/layers
  mkdir "$layers"
  mount -t tmpfs none "$layers"
  mkdir "$layers/upper" "$layers/work" "$layers/all"
  mount -t overlay overlay -o "lowerdir=/,upperdir=$layers/upper,workdir=$layers/work" "$layers/all" 2>/dev/null || exit 77
  all=$layers/all
  for one in /proc /dev; do mount --rbind "$one" "$all$one"; done
  mkdir -p "$all$folder"
  mount --bind "$folder" "$all$folder"
  for one in "$root" "$build"; do [ ! -d "$all$one" ] || mount -t tmpfs none "$all$one"; done
  if ! chroot "$all" dpkg -i "$folder"/packages/*.deb >"$folder/dpkg.txt" 2>&1; then
    cat "$folder/dpkg.txt"
    ! grep -q "dependency problems" "$folder/dpkg.txt" || exit 77
    exit 1
  fi
  chroot "$all" "$@"
  chroot "$all" dpkg --purge python3-pwsvp libpwsvp-dev pwsvp >/dev/null
  ! find "$all/usr" "$all/etc" -name "*pwsvp*" -o -name "*pwscc*" | grep . || { echo "left behind"; exit 1; }' as_packages "$@"
