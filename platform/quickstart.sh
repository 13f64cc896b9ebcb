#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing, builds the programs and the HIP runtime, but neither the RTL nor tests, and runs a HIP kernel. Works from any
# folder, on a fresh Debian 12.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

install_missing "${packages[@]}"
# A folder in which tests have been built stays as it is.
preset=quickstart
if grep -qs '^PWS_BUILD_TESTS:BOOL=ON$' build/CMakeCache.txt; then preset=release; fi
build $preset programs
mkdir -p out
say "running configs/runs/quickstart.yaml"
build/bin/pwsvp run configs/runs/quickstart.yaml --vcd out/quickstart.vcd --timeline out/quickstart.trace.json \
  --report out/quickstart.json
