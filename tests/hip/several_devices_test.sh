#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# several_devices_test.sh PWSVP ROOT: a program with several devices (exec.devices): what reports say of each, which of them the
# environment leaves, what is refused, and that a device's times are its own.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwsvp=$1 root=$2
cd "$folder"
machine=$root/configs/gpu/default.yaml
clang=("${hip_clang[@]}" -O3)

# Launches on each device, as often as its number says and once more; then what each took.
cat >turns.hip <<'HIP'
#include <hip/hip_runtime.h>
#include <cstdio>
#include <vector>
__global__ void spin(unsigned* p, int rounds) {
  unsigned x = threadIdx.x;
  for (int k = 0; k < rounds; ++k) x = x * 1664525u + 1;
  p[threadIdx.x] = x;
}
int main(int argc, char**) {
  int n = 0;
  if (hipGetDeviceCount(&n) != hipSuccess) return 3;
  std::vector<hipEvent_t> begin(n), end(n);
  std::vector<unsigned*> p(n);
  for (int d = 0; d < n; ++d) {
    hipDeviceProp_t prop;
    if (hipGetDeviceProperties(&prop, d) != hipSuccess || hipSetDevice(d) != hipSuccess) return 3;
    printf("device %d is on bus %d\n", d, prop.pciBusID);
    if (hipEventCreate(&begin[d]) != hipSuccess || hipEventCreate(&end[d]) != hipSuccess) return 3;
    if (hipMalloc(&p[d], 4096 * (d + 1)) != hipSuccess || hipEventRecord(begin[d]) != hipSuccess) return 3;
  }
  for (int k = 0; k < n; ++k)
    for (int d = k; d < n; ++d) {
      if (hipSetDevice(d) != hipSuccess) return 3;
      spin<<<4, 64>>>(p[d], 500);
    }
  for (int d = 0; d < n; ++d) {
    float ms = 0;
    if (hipSetDevice(d) != hipSuccess || hipEventRecord(end[d]) != hipSuccess || hipEventSynchronize(end[d]) != hipSuccess ||
        hipEventElapsedTime(&ms, begin[d], end[d]) != hipSuccess) return 3;
    printf("device %d took %.0f ns\n", d, ms * 1e6);
    if (argc > 1 && hipFree(p[d]) != hipSuccess) return 3;
  }
  return 0;
}
HIP
"${clang[@]}" turns.hip -o turns -lamdhip64

# Reports of a single device have no numbers of devices.
code 0 "$pwsvp" exec "$machine" --fidelity timing --report report.json -- ./turns
json "'devices' not in j and 'device' not in j['per_launch'][0]"
one=$(grep -o 'took .*' out.txt)

for queues in 1 4; do
  for k in 1 2; do
    code 0 "$pwsvp" exec "$machine" --set exec.devices=3 --set machine.hardware_queues=$queues --fidelity timing --report report.json -- ./turns
    says err 'devices      3, 3 of them used'
    cp out.txt "out.$queues.$k"
    "$(dirname "${BASH_SOURCE[0]}")/without_host_time.sh" report.json >"report.$queues.$k"
  done
  cmp "out.$queues.1" "out.$queues.2" && cmp "report.$queues.1" "report.$queues.2" || fail "two runs differ ($queues hardware queues)"
  # Launch k of a device takes what launch k of any does: each machine begins as the first one did.
  says out "device 0 $one"
  json "[d['device'] for d in j['devices']] == [0, 1, 2] and [d['launches'] for d in j['devices']] == [1, 2, 3]"
  json "[l['device'] for l in j['per_launch']] == [0, 1, 2, 1, 2, 2]"
  json "[l['number'] for l in j['per_launch']] == [1, 2, 3, 4, 5, 6]"
  json "len({l['cycles']['value'] for l in j['per_launch'][:3]}) == 1"
  json "all(d['cycles']['value'] == sum(l['cycles']['value'] for l in j['per_launch'] if l['device'] == d['device']) for d in j['devices'])"
  json "[d['memory']['not_freed']['value'] for d in j['devices']] == [4096, 8192, 12288] and j['memory']['not_freed']['value'] == 24576"
done

# A device that nobody uses has no machine.
code 0 env HIP_VISIBLE_DEVICES=2 "$pwsvp" exec "$machine" --set exec.devices=3 --fidelity timing --report report.json -- ./turns
json "[d['device'] for d in j['devices']] == [2] and {l['device'] for l in j['per_launch']} == {2}"

# Which there are, and in which order.
order() {  # SETTING... BUSES
  local buses=${*: -1}
  code 0 env "${@:1:$#-1}" "$pwsvp" exec "$machine" --set exec.devices=3 --quiet -- ./turns
  [ "$(sed -n 's/.*on bus //p' out.txt | tr '\n' ' ')" = "$buses " ] || { cat out.txt; fail "$*: other devices"; }
}
order HIP_VISIBLE_DEVICES= '0 1 2'
order HIP_VISIBLE_DEVICES=1,0 '1 0'
order CUDA_VISIBLE_DEVICES=2 '2'
order ROCR_VISIBLE_DEVICES=2,0 '2 0'
order ROCR_VISIBLE_DEVICES=2,0 HIP_VISIBLE_DEVICES=1 '0'
order ROCR_VISIBLE_DEVICES=GPU-gfx803-mod01,GPU-gfx803-model '1 0'
order HIP_VISIBLE_DEVICES=1 CUDA_VISIBLE_DEVICES=2 '1'
order HIP_VISIBLE_DEVICES=0,3,1 '0'
order HIP_VISIBLE_DEVICES=2,2,1 '2'
code 3 env HIP_VISIBLE_DEVICES=3 "$pwsvp" exec "$machine" --set exec.devices=3 --quiet -- ./turns

# Numbers that cannot be, and what is of one machine.
for n in 0 17; do
  code 2 "$pwsvp" exec "$machine" --set "exec.devices=$n" -- ./turns
  says err 'exec.devices'
done
refused() { code 2 "$pwsvp" exec "$machine" --set exec.devices=2 --fidelity timing "${@:2}" -- ./turns && says err "$1"; }
refused 'exec.vcd: exec.devices is 2: a waveform is of one machine; 1 is needed' --vcd w.vcd
refused 'exec.timeline: exec.devices is 2: a timeline is of one machine; 1 is needed' --timeline t.json
refused 'exec.profile: exec.devices is 2: a profile is of one machine; 1 is needed' --profile p.html
refused 'exec.wcet: exec.devices is 2: a bound is of one machine; 1 is needed' --wcet
refused 'machine.check: exec.devices is 2: what checks know of memory is of one machine; 1 is needed' --check races
refused 'machine.check.loop_bounds: exec.devices is 2: a count of loops is of one machine; 1 is needed' --set machine.check.loop_bounds=true
refused 'machine.trace.branch_uniformity: exec.devices is 2: a count of branches is of one machine; 1 is needed' --set machine.trace.branch_uniformity=true
refused 'machine.cosim.mode: exec.devices is 2: RTL that runs beside the model is of one machine; 1 is needed' --set machine.cosim.mode=lockstep --set machine.divergence=pws --set machine.spsimd_per_simd=1

# The key from a file.
printf 'machine: %s\nexec: {devices: 2}\n' "$machine" >two.yaml
code 0 "$pwsvp" exec two.yaml --quiet -- ./turns
says out 'device 1 is on bus 1'
echo PASS
