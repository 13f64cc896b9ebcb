#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The tables of the transcendentals, in the model and in the RTL, are those that their generator writes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
out=$(mktemp -d)
trap 'rm -r "$out"' EXIT
python3 models/isa/vector/trans_tables.py "$out/lane_trans_table.h" "$out/valu_trans_table.sv"
cmp "$out/lane_trans_table.h" models/isa/vector/lane_trans_table.h
cmp "$out/valu_trans_table.sv" rtl/valu_trans_table.sv
