#!/usr/bin/env bash
# tests/run.sh [--long] [ARGUMENT...]: installs what is missing, builds everything and runs all tests but those with the label long, which
# take many minutes (--long: these too). Works from any folder, on a fresh Debian 12. Arguments go to ctest: tests/run.sh -R isa
source "$(dirname "${BASH_SOURCE[0]}")/../platform/setup.sh"

without=(-LE '^long$')
if [ "${1:-}" = --long ]; then
  without=()
  shift
fi
install_missing "${packages[@]}" "${test_packages[@]}"
build release all
say "testing"
ctest --test-dir build --output-on-failure -j "$(nproc)" "${without[@]}" "$@"
