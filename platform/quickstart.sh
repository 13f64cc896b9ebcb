#!/usr/bin/env bash
# Installs what is missing, builds the programs and the HIP runtime, but no tests, and runs a HIP kernel. Works from any folder, on a fresh Debian 12.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

install_missing "${packages[@]}"
build release pwsvp pwscc amdhip64
mkdir -p out
say "running configs/runs/quickstart.yaml"
build/bin/pwsvp run configs/runs/quickstart.yaml --vcd out/quickstart.vcd --timeline out/quickstart.trace.json \
  --report out/quickstart.json
