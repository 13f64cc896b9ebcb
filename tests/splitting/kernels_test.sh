#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# kernels_test.sh PWSVP ROOT: the kernels of configs/runs give what they expect under every scheme that joins paths at merge, split
# wherever pwscc can. With PWS_KERNELS_ALL=1 all kernels, machines and fidelities, else some of them.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwsvp=$1 root=$2
cd "$folder"
kernels=(divergent_break fully_divergent spiking_neuron synthetic)
machines=(pws 'stack,optimistic' 'dpe,conservative,full' 'dpe,optimistic,constrained' 'dws-table,optimistic,10' 'subwarps,optimistic,stall' 'convergence,optimistic,8')
fidelities=(timing)
least=$((${#kernels[@]} * ${#machines[@]}))  # runs that split: all of them
if [ -n "${PWS_KERNELS_ALL:-}" ]; then
  fidelities=(functional timing)
  kernels=()
  for run in "$root"/configs/runs/*.yaml; do
    grep -q '^ *cosim:' "$run" || kernels+=("$(basename "$run" .yaml)")  # on pws alone
  done
  machines=(pws dws 'stack,drain' 'stack,conservative' 'stack,optimistic')
  for scheduler in full constrained; do
    for scoreboard in drain conservative optimistic; do machines+=("dpe,$scoreboard,$scheduler"); done
  done
  for threshold in 0 10 50 100 '~'; do machines+=("dws-table,optimistic,$threshold"); done
  for scoreboard in drain optimistic; do machines+=("subwarps,$scoreboard,stall" "subwarps,$scoreboard,issue" "convergence,$scoreboard,1" "convergence,$scoreboard,0"); done
  least=$((${#machines[@]} * 2))  # some kernels have no split
fi
split=0
for kernel in "${kernels[@]}"; do
  for machine in "${machines[@]}"; do
    IFS=, read -r scheme scoreboard further <<<"$machine"
    # Where the machine is the predictable one: these schemes take no turns.
    keys=(machine.divergence="$scheme" machine.spsimd_per_simd=3 machine.schedule=round_robin machine.memory.arbitration=work_conserving)
    [ -z "$scoreboard" ] || keys+=(machine.scoreboard="$scoreboard")
    case $scheme in
      dpe) keys+=(machine.dpe.scheduler="$further") ;;
      subwarps) keys+=(machine.subwarps.switch_at="$further") ;;
      convergence) keys+=(machine.convergence.yield_branches="$further") ;;
      dws-table) keys+=(machine.dws.threshold="$further") ;;
    esac
    if ! grep -q 'source: [^,]*\.s,' "$root/configs/runs/$kernel.yaml"; then
      keys+=(program.split=all)
    elif [ "$scheme" = dws ]; then
      continue  # written by hand without code for a split that finds no context
    fi
    for fidelity in "${fidelities[@]}"; do
      code 0 "$pwsvp" run "$root/configs/runs/$kernel.yaml" "${keys[@]/#/--set=}" "--set=machine.fidelity=$fidelity" --quiet --report report.json
    done
    splits=$(python3 -c 'import json; print(json.load(open("report.json"))["totals"]["splits"]["value"])')
    echo "$kernel on $machine: $splits splits"
    split=$((split + (splits > 0)))
  done
done
[ "$split" -ge "$least" ] || fail "only $split runs split"
echo PASS
