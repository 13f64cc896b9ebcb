#!/usr/bin/env bash
# Installs what is missing, builds the platform and runs a HIP kernel on it. Works from any folder, on a fresh Debian 12.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

install_missing "${packages[@]}"
build release pwsvp
mkdir -p out
say "running configs/runs/quickstart.yaml"
build/bin/pwsvp run configs/runs/quickstart.yaml --vcd out/quickstart.vcd --timeline out/quickstart.trace.json \
  --report out/quickstart.json
