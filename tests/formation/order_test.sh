#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# order_test.sh PWSVP ROOT: instructions of work-items per cycle on arithmetic kernels. With as many lanes as a warp has work-items, every
# machine has the same peak. mimd issues any work-items that a warp could hold, in the order in which they become ready, and ideal
# formation any that lane-aware formation could: so mimd >= dwf (ideal) >= dwf (lane_aware), as long as memory does not decide and no
# order of issue happens to be the luckier one. And cutting without joining loses where paths part in loops, as in the paper's Figure 1.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwsvp=$1 root=$2
cd "$folder"
# ipc KERNEL SETTING...: of a run of configs/runs or of this folder; sets $ipc, in thousandths.
ipc() {
  local kernel=$1
  local file=$root/configs/runs/$kernel.yaml
  shift
  [ -f "$file" ] || file=$root/tests/formation/runs/$kernel.yaml
  code 0 "$pwsvp" run "$file" "${@/#/--set=machine.}" --set=machine.schedule=round_robin \
    --set=machine.memory.arbitration=work_conserving --quiet --report report.json
  ipc=$(python3 -c 'import json; print(round(1000 * json.load(open("report.json"))["totals"]["formation"]["ipc"]["value"]))')
}
# (divergent_break is none of these: it issues 0.4 % of what the machine could, and waits for latencies otherwise.)
for kernel in fully_divergent random_sides_short random_sides_long spiking_neuron alu_chain; do
  ipc $kernel divergence=mimd
  mimd=$ipc
  ipc $kernel divergence=dwf dwf.register_file=ideal
  ideal=$ipc
  ipc $kernel divergence=dwf dwf.register_file=lane_aware
  lane_aware=$ipc
  echo "$kernel: mimd $mimd, dwf ideal $ideal, lane_aware $lane_aware work-item instructions in 1000 cycles"
  [ "$mimd" -ge "$ideal" ] && [ "$ideal" -ge "$lane_aware" ] || fail "$kernel"
done
for kernel in divergent_break spiking_neuron; do
  ipc $kernel divergence=pdom
  pdom=$ipc
  ipc $kernel divergence=naive
  echo "$kernel: pdom $pdom, naive $ipc"
  [ "$ipc" -lt "$pdom" ] || fail "$kernel: naive does not lose"
done
echo PASS
