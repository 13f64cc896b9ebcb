#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# loop_bounds_test.sh PWSVP PWSCC ROOT: a HIP program's launches keep the bounds of their loops, or the command fails.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwsvp=$1 pwscc=$2 root=$3
cd "$folder"
predictable=$root/configs/gpu/predictable.yaml
default=$root/configs/gpu/default.yaml

# rounds(n) takes its loop n times, and says 10; plain(n) takes its own n times, and says nothing. The analysis does not see how often that is:
# it takes s9 - s9 for any number.
kernel() {
  cat <<ASM
.globl $1
.p2align 8
.type $1,@function
$1:
  s_load_dword s4, s[0:1], 0x0
  s_waitcnt lgkmcnt(0)
$2
  s_nop 0
again_$1:
$3
  s_nop 1
  s_sub_u32 s9, s9, s9
  s_sub_u32 s4, s4, s9
  s_sub_u32 s4, s4, 1
  s_cmp_lg_u32 s4, 0
  s_cbranch_scc1 again_$1
  s_endpgm
.size $1, .-$1
ASM
}
descriptor() {
  printf '.p2align 6\n.amdhsa_kernel %s\n  .amdhsa_user_sgpr_kernarg_segment_ptr 1\n  .amdhsa_next_free_vgpr 4\n' "$1"
  printf '  .amdhsa_next_free_sgpr 16\n.end_amdhsa_kernel\n'
}
metadata() {
  printf '  - {.name: %s, .symbol: %s.kd, .kernarg_segment_size: 4, .kernarg_segment_align: 8, ' "$1" "$1"
  printf '.group_segment_fixed_size: 0, .private_segment_fixed_size: 0, .wavefront_size: 64, .sgpr_count: 16, '
  printf '.vgpr_count: 4, .max_flat_workgroup_size: 256, '
  printf '.args: [{.name: rounds, .offset: 0, .size: 4, .value_kind: by_value}]}\n'
}
{
  echo .text
  kernel rounds ';pws.loop enter 1 bound 10 mark 7 "rounds.hip"' ';pws.loop iterate 1'
  kernel plain '' ''
  echo .rodata
  descriptor rounds
  descriptor plain
  printf '.amdgpu_metadata\n---\namdhsa.version: [1, 1]\namdhsa.kernels:\n'
  metadata rounds
  metadata plain
  printf '...\n.end_amdgpu_metadata\n'
} >loops.s
"$pwscc" loops.s -o loops.hsaco

# app KERNEL N...: a launch for each N. Never complains itself, unless EXIT says so.
cat >app.hip <<'HIP'
#include <hip/hip_runtime.h>
#include <cstdlib>
int main(int argc, char** argv) {
  hipModule_t module;
  hipFunction_t f;
  if (hipModuleLoad(&module, "loops.hsaco") != hipSuccess || hipModuleGetFunction(&f, module, argv[1]) != hipSuccess) return 3;
  for (int k = 2; k < argc; ++k) {
    int n = std::atoi(argv[k]);
    void* arguments[] = {&n};
    (void)hipModuleLaunchKernel(f, 2, 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr);
  }
  const char* code = std::getenv("EXIT");
  return code == nullptr ? 0 : std::atoi(code);
}
HIP
"${hip_clang[@]}" app.hip \
  -o app -lamdhip64

# ---- check.loop_bounds: with any machine and in both fidelities; off by default.
for fidelity in functional timing; do
  on=(--set machine.check.loop_bounds=true --fidelity "$fidelity")
  code 0 "$pwsvp" exec "$default" "${on[@]}" -- ./app rounds 10 3 1 10
  code 0 "$pwsvp" exec "$default" --fidelity "$fidelity" -- ./app rounds 11
  code 0 "$pwsvp" exec "$default" "${on[@]}" -- ./app plain 11
  # The program chooses what it makes of a launch that fails.
  code 0 "$pwsvp" exec "$default" "${on[@]}" --report report.json -- ./app rounds 10 11
  says err "launch 2: kernel rounds, workgroup ("
  says err ": s_nop 1, lane 0: loop at rounds.hip:7 took 11 iterations, PWS_LOOP_BOUND says 10 (hipErrorLaunchFailure)"
  json "[l['completed'] for l in j['per_launch']] == [True, False] and j['failed_launches'] == 1"
done

# ---- --wcet: every launch has a bound and keeps it, or the exit code says so.
bounds() { echo "wcet.loops=[{kernel: plain, offset: 0x10, bound: $1}]"; }  # of s_nop 1, behind the load, s_waitcnt and s_nop 0
for fidelity in functional timing; do
  code 0 "$pwsvp" exec "$predictable" --set "$(bounds 10)" --fidelity "$fidelity" --wcet --report report.json -- ./app rounds 10 9
  json "w['launches'] == 2 and w['launches_without'] == 0 and w['launches_broken'] == 0"
  # The time would still fit, and fits for ever where there is none.
  code 1 "$pwsvp" exec "$predictable" --set "$(bounds 20)" --fidelity "$fidelity" --wcet --report report.json -- ./app rounds 10 11 5
  says err "launch 2: kernel rounds"
  says err "loop at rounds.hip:7 took 11 iterations, PWS_LOOP_BOUND says 10"
  says err "exec --wcet: 1 launch broke its bound; launch 2 (rounds): loop at rounds.hip:7 took 11 iterations"
  says err "broken       1 launches; launch 2 (rounds): loop at rounds.hip:7 took 11 iterations"
  json "w['launches_broken'] == 1 and 'launch 2' in w['first_broken'] and 'broken' in j['per_launch'][1]['wcet']"
  # A bound of the configuration's, and the program's own exit code.
  code 1 "$pwsvp" exec "$predictable" --set "$(bounds 6)" --fidelity "$fidelity" --wcet --quiet -- ./app plain 6 7
  says err "took 7 iterations, wcet.loops says 6"
  code 5 env EXIT=5 "$pwsvp" exec "$predictable" --set "$(bounds 6)" --fidelity "$fidelity" --wcet -- ./app plain 7
  says err "exec --wcet: 1 launch broke its bound"
  # No bound: the launches run, their loops are counted as far as they have marks.
  code 1 "$pwsvp" exec "$predictable" --fidelity "$fidelity" --wcet --quiet -- ./app plain 7 8
  says err "exec --wcet: 2 launches have no bound; launch 1 (plain): "
  code 5 env EXIT=5 "$pwsvp" exec "$predictable" --fidelity "$fidelity" --wcet -- ./app plain 7
  says err "exec --wcet: 1 launch has no bound; launch 1 (plain): "
  code 1 "$pwsvp" exec "$default" --fidelity "$fidelity" --wcet --report report.json -- ./app rounds 10 11
  says err "exec --wcet: 2 launches have no bound; launch 1 (rounds): "
  says err "1 launch broke its bound; launch 2 (rounds): loop at rounds.hip:7 took 11 iterations"
  json "w['launches_without'] == 2 and w['launches_broken'] == 1"
done
# A bound of the configuration's belongs to a loop of the program, of whichever kernel and module.
two='wcet.loops=[{kernel: plain, offset: 0x10, bound: 7}, {label: again_rounds, bound: 10}]'
code 0 "$pwsvp" exec "$predictable" --set "$two" --wcet --quiet -- ./app rounds 10
code 1 "$pwsvp" exec "$predictable" --set "$two" --wcet --report report.json -- ./app plain 7 6
says err "exec --wcet: --set: wcet.loops: plain has no label again_rounds; nor has any other launch such a loop"
says err "  misplaced    "
json "w['launches_without'] == 0 and w['launches_broken'] == 0 and 'no label again_rounds' in w['misplaced']"
code 1 "$pwsvp" exec "$predictable" --set 'wcet.loops=[{kernel: plane, offset: 0x10, bound: 7}]' --wcet --quiet -- ./app rounds 10
says err "wcet.loops: no kernel is called plane; nor has any other launch such a loop"
code 1 "$pwsvp" exec "$predictable" --set 'wcet.loops=[{line: 8, bound: 7}]' --wcet --quiet -- ./app rounds 10
says err "wcet.loops: no loop with a bound begins in line 8; nor has any other launch such a loop"
code 0 "$pwsvp" exec "$predictable" --set 'wcet.loops=[{line: 7, file: rounds.hip, bound: 12}]' --wcet --quiet -- ./app rounds 10
code 2 "$pwsvp" exec "$predictable" --set 'wcet.loops=[{offset: 0x10, bound: 7}]' --wcet --quiet -- ./app plain 7
says err "wcet.loops: a bound by offset needs \`kernel\`: a program may have several"
# Splitting by MODE bit has a bound of measured block times only.
code 1 "$pwsvp" exec "$predictable" --set machine.divergence=pws-mode --set machine.spsimd_per_simd=1 --set "$(bounds 10)" --wcet -- ./app rounds 10
says err "1 launch has no bound; launch 1 (rounds): machine.divergence pws-mode has no bound with static block times"
# Measured block times: the run that they are measured in is counted too.
measured=(--set "$(bounds 20)" --wcet --times measured --fidelity timing)
code 0 "$pwsvp" exec "$default" "${measured[@]}" -- ./app rounds 10 10
code 1 "$pwsvp" exec "$default" "${measured[@]}" --report report.json -- ./app rounds 10 11
says err "1 launch broke its bound; launch 2 (rounds): loop at rounds.hip:7 took 11 iterations, PWS_LOOP_BOUND says 10"
json "w['launches'] == 1 and w['launches_without'] == 1 and w['launches_broken'] == 1"
