#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# reconvergence_test.sh PWSVP PWSCC ROOT: exec.reconvergence studies the launches of a HIP program as `pwsvp reconvergence` studies a run
# file's, and says by name where it cannot.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwsvp=$1 pwscc=$2 root=$3
cd "$folder"
cat >program.hip <<HIP
#include "$root/sw/kernels/odd_even_loop.hip"

#include <vector>

__global__ void set(uint32_t* data, uint32_t n) {
  const uint32_t t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n) data[t] = 1;
}

int main(int argc, char**) {
  uint32_t* data = nullptr;
  if (hipMalloc(reinterpret_cast<void**>(&data), 1024) != hipSuccess) return 2;
  for (int k = 0; k < argc; ++k) {
    set<<<4, 64>>>(data, 256);
    odd_even_loop<<<4, 64>>>(data, 128, 256);
  }
  return hipDeviceSynchronize() == hipSuccess ? 0 : 1;
}
HIP
"$pwscc" --split=none -O3 program.hip -o program
exec_with() {
  local wanted=$1 arguments=$2
  shift 2
  local set=()
  for key; do set+=(--set "$key"); done
  # shellcheck disable=SC2086
  code "$wanted" "$pwsvp" exec "$root/configs/gpu/default.yaml" "${set[@]}" --report report.json -- ./program $arguments
}
on=exec.reconvergence.work_items=128

# Twice the same launch is twice what the run file's launch is; the other kernel's work-items never part.
"$pwsvp" reconvergence "$root/configs/runs/odd_even_loop.yaml" --report study.json >/dev/null
exec_with 0 twice "$on"
says err "odd_even_loop: 2 launches, 16 warps"
python3 - <<'PYTHON' || fail "the launches' study is not the run file's"
import json
value = lambda v: v["value"] if isinstance(v, dict) else v
study, report = json.load(open("study.json")), json.load(open("report.json"))["reconvergence"]
kernels = {k["kernel"].split("(")[0]: k for k in report["kernels"]}
loop, other, totals = kernels["odd_even_loop"], kernels["set"], report["totals"]
assert value(loop["executed"]) == 2 * value(study["executed"]) > 0
for name in ("no_reconvergence", "post_dominators", "best_order", "longest_trace"):
  assert value(loop["times"][name]) == 2 * value(study["times"][name]), name
  assert value(other["times"][name]) == value(other["times"]["best_order"]), name
  assert value(totals["times"][name]) == value(loop["times"][name]) + value(other["times"][name]), name
assert value(totals["launches"]) == 4 and value(totals["optimal_warps"]) == value(totals["warps"]) == 32
PYTHON

# The first work-items alone, in warps of another size; the same in both fidelities.
exec_with 0 "" exec.reconvergence.work_items=40 exec.reconvergence.warp_size=32
json 'j["reconvergence"]["kernels"][1]["work_items"]["value"] == 40 and j["reconvergence"]["kernels"][1]["warps"]["value"] == 2'
cp report.json functional.json
exec_with 0 "" exec.reconvergence.work_items=40 exec.reconvergence.warp_size=32 exec.fidelity=timing
json 'j["reconvergence"] == json.load(open("functional.json"))["reconvergence"]'
# Not asked for, it is not there.
exec_with 0 ""
json '"reconvergence" not in j'

exec_with 1 "" "$on" exec.reconvergence.max_blocks=10
says err "passes through more than 10 blocks"
exec_with 2 "" "$on" machine.divergence=pws machine.spsimd_per_simd=1
says err "exec.reconvergence.work_items: machine.divergence is pws: a trace of work-items is of wavefronts that stay whole; none is needed"
exec_with 2 "" "$on" exec.devices=2
says err "exec.devices is 2: a trace of work-items is of one machine; 1 is needed"
exec_with 2 "" exec.reconvergence.work_items=65536 exec.reconvergence.max_blocks=1000000
says err "traces of 65536 work-items with exec.reconvergence.max_blocks 1000000: 268435456 blocks in all are the limit"
exec_with 2 "" "$on" exec.reconvergence.warp_size=12
says err "12 is not one of 1, 2, 4, 8, 16, 32, 64"
echo PASS
