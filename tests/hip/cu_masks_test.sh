#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cu_masks_test.sh PWSVP ROOT: where launches of a stream with a mask of compute units run, as the report and the timeline have it,
# and that they have no bound.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwsvp=$1 root=$2
cd "$folder"
machine=$root/configs/gpu/default.yaml
cat >masked.hip <<'HIP'
#include <hip/hip_runtime.h>
__global__ void spin(unsigned* p, int rounds) {
  unsigned x = threadIdx.x;
  for (int k = 0; k < rounds; ++k) x = x * 1664525u + 1;
  p[threadIdx.x] = x;
}
int main() {
  const uint32_t masks[] = {2, 9};
  hipStream_t a, b;
  unsigned* p;
  if (hipMalloc(&p, 4096) != hipSuccess || hipExtStreamCreateWithCUMask(&a, 1, &masks[0]) != hipSuccess ||
      hipExtStreamCreateWithCUMask(&b, 1, &masks[1]) != hipSuccess) return 3;
  spin<<<8, 64, 0, a>>>(p, 100);
  spin<<<8, 64, 0, b>>>(p, 100);
  spin<<<8, 64>>>(p, 100);
  return hipDeviceSynchronize() == hipSuccess ? 0 : 3;
}
HIP
"${hip_clang[@]}" -O3 masked.hip -o masked -lamdhip64

for queues in 1 2; do
  code 0 "$pwsvp" exec "$machine" --set machine.hardware_queues=$queues --set 'machine.trace.cus=[0,1,2,3]' --fidelity timing --report report.json --timeline t.json -- ./masked
  json "[l.get('compute_units') for l in j['per_launch']] == [[1], [0, 3], None]"
  python3 - <<'PY' || fail "the timeline has wavefronts elsewhere ($queues hardware queues)"
import json
units = {}
for e in json.load(open("t.json"))["traceEvents"]:
    if e["ph"] == "X":
        units.setdefault(e["args"]["launch"], set()).add(e["pid"])
assert units == {1: {1}, 2: {0, 3}, 3: {0, 1, 2, 3}}, units
PY
done
json "j['per_launch'][0]['beside'] == [2]"

# Bounds are of launches that may use the whole machine.
code 1 "$pwsvp" exec "$root/configs/gpu/predictable.yaml" --fidelity timing --wcet --set 'wcet.loops=[{kernel: spin, line: 4, bound: 100}]' --report report.json -- ./masked
json "['error' in l['wcet'] and 'some of the compute units' in l['wcet']['error'] for l in j['per_launch'][:2]] == [True, True]"
echo PASS
