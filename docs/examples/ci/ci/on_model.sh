#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# on_model.sh PROGRAM ARGUMENT...: runs a test on the model of a GPU. CMake puts it in front of every test:
# -DCMAKE_CROSSCOMPILING_EMULATOR=$PWD/ci/on_model.sh. What the checks find fails the test. In the folder $REPORTS there are then
# the coverage of its kernels, NAME.info, and its report, NAME.json.
set -eu
reports=${REPORTS:-$PWD/reports}
mkdir -p "$reports"
name=$(basename "$1")
program=$1
shift
for word; do name=$name-$(printf %s "$word" | tr -c 'A-Za-z0-9.' _); done
exec pwsvp exec "$(dirname "$0")/machine.yaml" --check waits,races,init,coherence,sync,memory,streams \
  --coverage "$reports/$name.info" --report "$reports/$name.json" -- "$program" "$@"
