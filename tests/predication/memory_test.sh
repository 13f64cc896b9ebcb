#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# memory_test.sh PWSVP PWSCC ROOT: predicated code leaves the memory that is expected: runs of configs/runs, and programs of
# sw/kernels/programs, which check themselves. Some; with PWS_PREDICATION_ALL=1 all, in both fidelities.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwsvp=$1 pwscc=$2 root=$3
cd "$folder"
runs=(divergent_break spiking_neuron needleman_wunsch reduction bfs_update)
programs=()
fidelities=(functional)
if [ -n "${PWS_PREDICATION_ALL:-}" ]; then
  fidelities=(functional timing)
  runs=() programs=()
  for run in "$root"/configs/runs/*.yaml; do
    grep -Eq '^ *cosim:|source: [^,]*\.s,' "$run" || runs+=("$(basename "$run" .yaml)")
  done
  for source in "$root"/sw/kernels/programs/*.hip; do programs+=("$(basename "$source" .hip)"); done
fi
done_runs=0
for mode in p ps psr; do
  if [ -z "${PWS_PREDICATION_ALL:-}" ]; then
    case $mode in p) programs=(bfs) ;; ps) programs=(quick_sort) ;; psr) programs=(photon_transport) ;; esac
  fi
  for run in "${runs[@]}"; do
    for fidelity in "${fidelities[@]}"; do
      code 0 "$pwsvp" run "$root/configs/runs/$run.yaml" --set=program.divergence=$mode --set=program.split=none --set=machine.fidelity="$fidelity" --quiet
      done_runs=$((done_runs + 1))
    done
  done
  for program in "${programs[@]}"; do
    code 0 "$pwscc" --divergence="$mode" --report="$program.$mode.json" -O3 -std=c++17 "$root/sw/kernels/programs/$program.hip" -o program
    for fidelity in "${fidelities[@]}"; do
      code 0 "$pwsvp" exec "$root/configs/gpu/default.yaml" --fidelity "$fidelity" --quiet -- ./program --size small
      says out PASS
      done_runs=$((done_runs + 1))
    done
  done
done
[ "$done_runs" -ge 18 ] || fail "only $done_runs runs"
echo "PASS: $done_runs runs"
