#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# formation_test.sh PWSVP PWSCC ROOT: HIP programs of sw/kernels/programs, as clang compiles them, pass their self-check on machines that
# form warps of work-items. Those of the warp formation paper's benchmarks on some machines; with PWS_PROGRAMS_ALL=1 all of both.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwsvp=$1 pwscc=$2 root=$3
cd "$folder"
programs=(profile_hmm lattice_boltzmann black_scholes bitonic_sort fft lu_decomposition matrix_multiply bitonic_per_element fft_six_step
  lu_owned_blocks random_sides)
machines=(naive dwf 'dwf,heuristic=post_dominator,register_file=banked' mimd)
if [ -n "${PWS_PROGRAMS_ALL:-}" ]; then
  programs=()
  for source in "$root"/sw/kernels/programs/*.hip; do
    # Its barriers are left out by the compiler, because a workgroup is one wavefront: it relies on lock-step.
    [ "$(basename "$source")" = dxt_compress.hip ] || programs+=("$(basename "$source" .hip)")
  done
  machines=(pdom naive mimd)
  for heuristic in majority minority time_stamp post_dominator pc; do
    for file in lane_aware banked ideal; do machines+=("dwf,heuristic=$heuristic,register_file=$file"); done
  done
  for size in 4 32 64; do machines+=("dwf,warp_size=$size" "pdom,warp_size=$size" "naive,warp_size=$size"); done
  machines+=('dwf,lut_entries=2,majority_entries=1,pool=3,update_registers=1')
fi
# passes FIDELITY MACHINE: ./program
passes() {
  IFS=, read -ra keys <<<"$2"
  local set=(--set "machine.divergence=${keys[0]}")
  for key in "${keys[@]:1}"; do set+=(--set "machine.dwf.$key"); done
  code 0 "$pwsvp" exec "$root/configs/gpu/default.yaml" "${set[@]}" --fidelity "$1" --quiet --report report.json -- ./program --size small
  says out PASS
}
for program in "${programs[@]}"; do
  "$pwscc" --split=none -O3 -std=c++17 "$root/sw/kernels/programs/$program.hip" -o program 2>warnings.txt ||
    { cat warnings.txt; fail "$program"; }
  for machine in "${machines[@]}"; do passes timing "$machine"; done
  passes functional mimd
  echo "$program: ${#machines[@]} machines"
done
echo PASS
