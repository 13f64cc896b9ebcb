#!/usr/bin/env bash
# Cells and estimated area of the SpSIMD unit's parts for S = 1, 3 and 7 SpSIMD units per SIMD unit, by Yosys: generic
# gates, and the transistors that they take in static CMOS (Yosys' own estimate; flip-flops are counted as cells).
# Usage: rtl/synth/synth.sh [S ...]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
contexts=10
modules=()
for f in *.sv; do
  case $f in *_pkg.sv) ;; *) modules+=("$f") ;; esac
done

# part NAME TOP PARAMETERS: "cells flip-flops transistors" of one instance
declare -A measured
part() {
  local key="$1 $2" report
  if [ -n "${measured[$key]:-}" ]; then return; fi
  report=$(mktemp)
  yosys -q -p "read_verilog -sv *_pkg.sv ${modules[*]}; hierarchy -top $1 $2; synth -top $1; abc -g simple; opt_clean
               tee -q -o $report stat -tech cmos" >/dev/null
  measured[$key]=$(awk '/^===/ {ff = 0} /Number of cells:/ {cells = $4} /\$_S?DFF/ {ff += $2}
                       /Estimated number of transistors/ {t = $5} END {print cells + 0, ff + 0, t + 0}' "$report")
  rm -f "$report"
}
get() { part "$1" "$2"; set -- ${measured["$1 $2"]}; cells=$1 ff=$2 transistors=$3; }

printf '%-44s %5s %10s %10s %12s\n' part S cells flip-flops transistors
row() { printf '%-44s %5s %10d %10d %12s\n' "$@"; }
for s in "${@:-1 3 7}"; do
  for n in $s; do
    depth=$((n < 4 ? 4 : n + 1))
    get swf_context "-chparam StackDepth $depth -chparam SpSimds $n"
    context=$cells context_ff=$ff context_t=$transistors
    get split_registers "-chparam StackDepth $depth -chparam SpSimds $n"
    split=$cells split_ff=$ff split_t=$transistors
    get split_control "-chparam SpSimds $n"
    control=$cells control_ff=$ff control_t=$transistors
    get spsimd_valu "-chparam Lanes 16"
    valu=$cells valu_ff=$ff valu_t=$transistors
    get salu ""
    salu=$cells salu_ff=$ff salu_t=$transistors
    row "vector ALU, 16 lanes" "$n" "$valu" "$valu_ff" "${valu_t}"
    row "scalar ALU" "$n" "$salu" "$salu_ff" "${salu_t}"
    row "$contexts contexts" "$n" $((contexts * context)) $((contexts * context_ff)) "$((contexts * ${context_t%+}))"
    row "  of these SpM, parent, child stack, status" "$n" $((contexts * split)) $((contexts * split_ff)) "$((contexts * ${split_t%+}))"
    row "split control" "$n" "$control" "$control_ff" "${control_t}"
  done
done
