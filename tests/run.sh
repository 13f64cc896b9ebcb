#!/usr/bin/env bash
# Installs what is missing, builds everything and runs all tests. Works from any folder, on a fresh Debian 12. Arguments go to
# ctest: tests/run.sh -R isa
source "$(dirname "${BASH_SOURCE[0]}")/../platform/setup.sh"

install_missing "${packages[@]}" "${test_packages[@]}"
build release all
say "testing"
ctest --test-dir build --output-on-failure -j "$(nproc)" "$@"
