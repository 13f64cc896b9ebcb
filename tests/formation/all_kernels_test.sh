#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# all_kernels_test.sh PWSVP ROOT: the kernels of configs/runs give what they expect where warps are formed of work-items. With
# PWS_KERNELS_ALL=1 on every machine in both fidelities, else on some.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwsvp=$1 root=$2
cd "$folder"
machines=(naive 'dwf,heuristic=post_dominator,warp_size=32')
fidelities=(timing)
if [ -n "${PWS_KERNELS_ALL:-}" ]; then
  fidelities=(functional timing)
  machines=(pdom naive mimd)
  for heuristic in majority minority time_stamp post_dominator pc; do
    for file in lane_aware banked ideal; do machines+=("dwf,heuristic=$heuristic,register_file=$file"); done
  done
  for size in 4 8 32 64; do machines+=("dwf,warp_size=$size" "pdom,warp_size=$size" "naive,warp_size=$size" "mimd,warp_size=$size"); done
  machines+=('dwf,lut_entries=2,majority_entries=1,pool=3,update_registers=1' 'dwf,swizzle=false')
fi
runs=0
for run in "$root"/configs/runs/*.yaml; do
  # On pws alone, or written by hand for machines that execute split and merge.
  if grep -Eq '^ *cosim:|source: .*(figure5|two_branches)\.s,' "$run"; then continue; fi
  for machine in "${machines[@]}"; do
    IFS=, read -ra keys <<<"$machine"
    set=(--set=machine.divergence="${keys[0]}" --set=machine.schedule=round_robin --set=machine.memory.arbitration=work_conserving)
    for key in "${keys[@]:1}"; do set+=(--set=machine.dwf."$key"); done
    for fidelity in "${fidelities[@]}"; do
      code 0 "$pwsvp" run "$run" "${set[@]}" --set=machine.fidelity="$fidelity" --quiet
      runs=$((runs + 1))
    done
  done
  echo "$(basename "$run" .yaml): ${#machines[@]} machines"
done
[ "$runs" -gt 25 ] || fail "only $runs runs"
echo "PASS: $runs runs"
