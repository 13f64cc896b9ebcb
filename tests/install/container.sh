#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The image of the Containerfile: makes it with buildah of what is committed, and runs the jobs of docs/examples/ci in a container of it. No
# registry is asked: the image debian:12-slim that it begins with is made from Debian's archive. On demand: it needs root and the network.
# Usage: tests/install/container.sh [FOLDER]
#   FOLDER   has buildah's storage, and is kept; without it: out/container
# PWS_CCACHE=FOLDER: a ccache of the machine, which the build in the image uses, with the settings in ~/.config/ccache.
source "$(dirname "${BASH_SOURCE[0]}")/../../platform/setup.sh"
if [ "$(id -u)" -ne 0 ]; then echo "container.sh: only root can make the image" >&2; exit 2; fi
folder=$(realpath -m "${1:-out/container}")
install_missing mmdebstrap buildah git python3-yaml
mkdir -p "$folder/run"
buildah() { command buildah --root "$folder/storage" --runroot "$folder/run" --storage-driver vfs "$@"; }
base=localhost/debian:12-slim
if ! buildah images --quiet "$base" >/dev/null 2>&1; then
  say "making $base"
  mmdebstrap --quiet --variant=minbase bookworm "$folder/base.tar"
  container=$(buildah from scratch)
  buildah add --quiet "$container" "$folder/base.tar" / >/dev/null
  buildah commit --quiet --rm "$container" "$base" >/dev/null
  rm "$folder/base.tar"
fi

say "making the image of $(git describe --always)"
rm -rf "$folder/source"
git clone --quiet "$PWD" "$folder/source"
ccache=()
if [ -n "${PWS_CCACHE:-}" ]; then ccache=(--build-arg CCACHE_DIR=/ccache --volume "$PWS_CCACHE:/ccache" --volume "$HOME/.config/ccache:/root/.config/ccache:ro"); fi
buildah build --quiet --isolation chroot --from "$base" "${ccache[@]}" --tag pwsvp "$folder/source"
container=$(buildah from localhost/pwsvp)
trap 'buildah rm "$container" >/dev/null' EXIT
root=$(buildah mount "$container")
say "the image has $(du -sh "$root" | cut -f 1)"

say "the jobs of docs/examples/ci in it"
# Each in the container, with the folder of the job at its own path.
TMPDIR=$folder python3 tests/readme/check_ci.py --shell "buildah --root $folder/storage --runroot $folder/run --storage-driver vfs run --isolation chroot --volume {folder}:{folder} --workingdir {folder} $container --"
