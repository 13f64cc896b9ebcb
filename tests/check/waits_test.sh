#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# waits_test.sh PWSVP ROOT: kernels with one wait too few are reported, with the right rule and remedy and exit code 1; their mended
# twins are not. In both fidelities. check.stop: first stops at the instruction.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwsvp=$1 root=$2
cd "$folder"
run_kernel() {  # CODE KERNEL KEY...
  local expected=$1 kernel=$2
  shift 2
  cat >run.yaml <<EOF
machine: $root/configs/gpu/default.yaml
program: {source: $root/tests/check/waits_kernels.s, kernel: $kernel}
launch: {grid: 128, workgroup: 128}
EOF
  code "$expected" "$pwsvp" run run.yaml --check=waits --report report.json "$@"
}
while read -r name rule mend; do
  for fidelity in functional timing; do
    run_kernel 1 "${name}_bad" "--set=machine.fidelity=$fidelity"
    found=$(python3 -c 'import json; print(*[f["rule"] + " " + f["mend"] for f in json.load(open("report.json"))["check"]["findings"]], sep=";")')
    [ "$found" = "$rule $mend" ] || fail "${name}_bad, $fidelity: found '$found'"
    run_kernel 0 "${name}_good" "--set=machine.fidelity=$fidelity"
  done
done <<'EOF'
packet_load vgpr_read_too_early s_waitcnt vmcnt(1) in front of it
image_texel vgpr_read_too_early s_waitcnt vmcnt(0) in front of it
scalar_load sgpr_read_too_early s_waitcnt lgkmcnt(0) in front of it
lds_read vgpr_read_too_early s_waitcnt lgkmcnt(1) in front of it
lds_barrier lds_write_not_waited_before_barrier s_waitcnt lgkmcnt(0) in front of it
overwritten vgpr_overwritten_too_early s_waitcnt lgkmcnt(0) in front of it
lane_select valu_sgpr_lane_select s_nop 0 between them
dpp valu_vgpr_dpp s_nop 0 between them
EOF
# Where both sides of a split and the path behind its merge may have something under way.
for divergence in pws dws; do
  for fidelity in functional timing; do
    settings=("--set=machine.fidelity=$fidelity" "--set=machine.divergence=$divergence" --set=machine.spsimd_per_simd=3
      --set=machine.scoreboard=optimistic)
    run_kernel 1 nested_bad "${settings[@]}"
    python3 -c 'import json; f = json.load(open("report.json"))["check"]["findings"]; assert [(x["rule"], x["mend"]) for x in f] == [("vgpr_read_too_early", "s_waitcnt vmcnt(0) in front of it")], f' ||
      fail "nested_bad, $divergence, $fidelity"
    run_kernel 0 nested_good "${settings[@]}"
  done
done
run_kernel 1 packet_load_bad --set=machine.check.stop=first
cat out.txt err.txt >both.txt
says both "check.waits: v4 is read while"
