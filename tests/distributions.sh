#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The README's two commands on a fresh Debian: makes a root folder of that release from Debian's archive, clones what is committed into it
# and runs platform/quickstart.sh and tests/run.sh there. Needs root and the package mmdebstrap, which it installs.
# Usage: tests/distributions.sh [--folder FOLDER] 12|13 [COMMAND...]
#   --folder FOLDER  the root is FOLDER/debian-RELEASE; without it: out/distributions. A root that is there is used again, with its packages
#                    and its ccache. Removing it (rm -rf) makes the next run a fresh one.
#   COMMAND...       each is a line for bash, in the clone, instead of the two commands. The first that fails ends the run with its code.
source "$(dirname "${BASH_SOURCE[0]}")/../platform/setup.sh"

usage() { echo "distributions.sh: $1. Usage: tests/distributions.sh [--folder FOLDER] 12|13 [COMMAND...]" >&2; exit 2; }
parent=out/distributions
if [ "${1:-}" = --folder ]; then
  parent=${2:-}
  if [ -z "$parent" ]; then usage '--folder needs a folder'; fi
  shift 2
fi
case ${1:-} in
  12) suite=bookworm ;;
  13) suite=trixie ;;
  '') usage 'which release?' ;;
  *) usage "$1: not a release that it knows" ;;
esac
release=$1
shift
commands=("$@")
if [ ${#commands[@]} -eq 0 ]; then commands=(platform/quickstart.sh tests/run.sh); fi
if [ "$(id -u)" -ne 0 ]; then echo "distributions.sh: only root may change into a root folder" >&2; exit 2; fi
install_missing mmdebstrap git
root=$(realpath -m "$parent/debian-$release")

# Made elsewhere and moved, so that a root that is there is whole.
if [ ! -d "$root" ]; then
  say "making $root ($suite)"
  mkdir -p "$(dirname "$root")"
  rm -rf "$root.making"
  mmdebstrap --quiet --variant=minbase --include=ca-certificates,git,procps "$suite" "$root.making"
  mv "$root.making" "$root"
fi

say "cloning $(git describe --always --dirty) into $root/root/pwsvp"
if [ -d "$root/root/pwsvp" ]; then
  git -C "$root/root/pwsvp" fetch --quiet "$PWD" HEAD
  git -C "$root/root/pwsvp" reset --quiet --hard FETCH_HEAD
else
  git clone --quiet "$PWD" "$root/root/pwsvp"
fi

# A mount and a process namespace of its own: nothing is left mounted or running, however this ends.
inside() {
  unshare --mount --pid --fork --kill-child --propagation private bash -c '
    mount -t proc proc "$1/proc" && mount --rbind /sys "$1/sys" && mount --rbind /dev "$1/dev" && mount -t tmpfs tmp "$1/tmp" || exit
    cp /etc/resolv.conf "$1/etc/resolv.conf" 2>/dev/null
    exec chroot "$1" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 TERM=dumb \
      ${PWS_LLVM_CHOSEN:+PWS_LLVM=$PWS_LLVM_CHOSEN} bash -c "cd /root/pwsvp && $2"' \
    inside "$root" "$1"
}
PWS_LLVM_CHOSEN=$chosen_llvm
export PWS_LLVM_CHOSEN
for command in "${commands[@]}"; do
  say "Debian $release: $command"
  began=$SECONDS
  code=0
  inside "$command" || code=$?
  say "Debian $release: $command: code $code, $((SECONDS - began)) s"
  if [ "$code" -ne 0 ]; then exit "$code"; fi
done
