#!/usr/bin/env bash
# Ten faults of one line each in the RTL: lockstep must find each of them and name the instruction. Every fault needs the
# RTL Verilated and compiled again, so this runs on demand, not with the tests.
# Usage: tests/cosim/rtl_faults.sh [BUILD-FOLDER]      (build-rtl-faults by default)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
folder=${1:-build-rtl-faults}
mkdir -p "$folder/rtl-with-a-fault"
copy=$(cd "$folder" && pwd)/rtl-with-a-fault

# file | text of the line | what it becomes | instruction of the report
faults=(
  "salu.sv|addend   = subtracts ? ~b32 : b32;|addend   = b32;|s_sub_u32"
  "salu.sv|SaluMul: r = {32'b0, a32 * b32};|SaluMul: r = {32'b0, a32 + b32};|s_mul_i32"
  "salu.sv|SaluBcnt1: begin r = {57'b0, count(a_i)};|SaluBcnt1: begin r = {57'b0, count(~a_i)};|s_bcnt1_i32_b64"
  "salu.sv|width       = b_i[22:16];|width       = b_i[21:15];|s_bfe_u32"
  "spsimd.sv|BranchScc0:    taken = !c_scc;|BranchScc0:    taken = c_scc;|s_cbranch_scc0"
  "split_control.sv|assign wait_parent_o = merge_i && stack_empty_i;|assign wait_parent_o = merge_i && !stack_empty_i;|merge"
  "valu_bits.sv|valu_pkg::OpXor:  result_o = a_i ^ b_i;|valu_pkg::OpXor:  result_o = a_i ^ ~b_i;|v_xor_b32"
  "spsimd.sv|result3_q         <= kept3_d;|result3_q         <= kept2_d;|s_"
  "spsimd.sv|assign valu_ctx  = valu_start ? valu_ctx_i : valu_ctx_q;|assign valu_ctx  = valu_start ? valu_ctx_i : ~valu_ctx_q;|v_"
  "fp_compare.sv|relation_i[0] & less|relation_i[2] & less|v_cmp_lt_f32"
)

unbreak() {
  local f
  for f in rtl/*.sv; do cmp -s "$f" "$copy/$(basename "$f")" || cp "$f" "$copy/"; done
}
unbreak
cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DPWS_RTL_DIR="$copy" -DPWS_VERILATED_OPT=-O0 >/dev/null
missed=0
for fault in "${faults[@]}"; do
  IFS='|' read -r file line becomes instruction <<<"${fault//||/$'\x01'}"
  line=${line//$'\x01'/||} becomes=${becomes//$'\x01'/||}
  unbreak
  LINE=$line BECOMES=$becomes perl -0pi -e 's/\Q$ENV{LINE}\E/$ENV{BECOMES}/ or die "the line is not there: $ENV{LINE}\n"' "$copy/$file"
  cmake --build "$folder" --target test_cosim >"$folder/build.log" 2>&1 || { tail "$folder/build.log"; exit 1; }
  report=$("$folder/bin/test_cosim" --gtest_filter=fault_kernel.agrees_without_a_fault 2>&1 || true)
  if grep -q "RTL and model disagree" <<<"$report" && grep -q "): $instruction\|after $instruction" <<<"$report"; then
    printf 'found   %-18s %-40s %s\n' "$file" "$instruction" "$(grep -o 'is .* in the model, .* in the RTL\|takes .* in the RTL\|the next pc.*RTL' <<<"$report" | head -1 | cut -c1-60)"
  else
    printf 'MISSED  %-18s %s\n%s\n' "$file" "$line" "$report"
    missed=1
  fi
done
exit $missed
