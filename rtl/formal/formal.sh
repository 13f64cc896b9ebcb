#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Proofs by Yosys' own solver: the assertions of split_control.sv for all inputs, those of split_registers.sv by induction from
# reset. Each proof has to fail where the RTL has a fault.
# Usage: rtl/formal/formal.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
log=$(mktemp) faulty=$(mktemp --suffix=.sv)
trap 'rm -f "$log" "$faulty"' EXIT

# proof TOP PARAMETERS SAT-OPTIONS FILE...
proof() {
  local top=$1 parameters=$2 options=$3
  shift 3
  yosys -p "read_verilog -sv -formal *_pkg.sv $*; hierarchy -top $top $parameters; prep -flatten -top $top; async2sync
            sat -verify -prove-asserts -set-assumes $options" >"$log" 2>&1
}
proved() {
  proof "$@" || { tail -40 "$log"; echo "not proved: $1 $2"; exit 1; }
  grep -q 'SUCCESS!' "$log"
  echo "proved: $1 $2"
}
# What becomes what in the file, then the proof as above with @ for the file.
fails() {
  local file=$1 text=$2 becomes=$3
  shift 3
  TEXT=$text BECOMES=$becomes perl -0pe 's/\Q$ENV{TEXT}\E/$ENV{BECOMES}/ or die "the text is not there: $ENV{TEXT}\n"' "$file" >"$faulty"
  if proof "${@//@/$faulty}"; then
    echo "proved with a fault: $text -> $becomes"
    exit 1
  fi
  grep -q 'proof did fail' "$log" || { tail -20 "$log"; exit 1; }
  echo "fails, as it has to: $text -> $becomes"
}

for s in 1 3 63; do proved split_control "-chparam SpSimds $s" "" split_control.sv; done
fails split_control.sv "spm_i & ~mask_i" "~mask_i" split_control "" "" @
fails split_control.sv "spm_i & mask_i : spm_i" "spm_i : spm_i" split_control "" "" @
fails split_control.sv "IdWidth'(k + 1)" "IdWidth'(k + 2)" split_control "" "" @

induction="-tempinduct -seq 1 -set-init-zero -maxsteps 4"
for sizes in "1 1" "4 3" "8 7"; do
  read -r depth s <<<"$sizes"
  proved split_registers_proof "-chparam StackDepth $depth -chparam SpSimds $s" "$induction" \
    split_registers.sv formal/split_registers_proof.sv
done
registers=(split_registers_proof "" "$induction" @ formal/split_registers_proof.sv)
fails split_registers.sv "(status_q == spsimd_pkg::SwfWaitChild || step_i.wait_child)" "(status_q == spsimd_pkg::SwfWaitChild)" "${registers[@]}"
fails split_registers.sv "depth_q <= depth_q + 1'b1" "depth_q <= depth_q + 2'd2" "${registers[@]}"
fails split_registers.sv "if (join_i || dropped_top) status_q" "if (join_i) status_q" "${registers[@]}"
