#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The RTL is clean under Verilator's -Wall but for the waivers, and Yosys reads it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../rtl"
modules=()
for f in *.sv; do
  case $f in *_pkg.sv) ;; *) modules+=("$f") ;; esac
done
verilator --lint-only -Wall --unroll-count 256 waivers.vlt ./*_pkg.sv "${modules[@]}" --top-module spsimd
yosys -q -p "read_verilog -sv *_pkg.sv ${modules[*]}; hierarchy -check -top spsimd"
echo "lint: ${#modules[@]} modules"
