#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# wcet_test.sh PWSVP PWSCC ROOT: pwsvp exec --wcet bounds every launch of a HIP program.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwsvp=$1 pwscc=$2 root=$3
cd "$folder"
predictable=$root/configs/gpu/predictable.yaml
default=$root/configs/gpu/default.yaml
pws=(--set machine.divergence=pws --set machine.spsimd_per_simd=1)

"$pwscc" --split=all -S 1 -O3 -std=c++17 "$root/sw/kernels/programs/needleman_wunsch.hip" -o nw
code 0 "$pwsvp" exec "$predictable" "${pws[@]}" --wcet --fidelity timing --report report.json -- ./nw --size small
says err "bounds       none "
json "w['launches'] == j['launches'] > 0 and w['launches_without'] == 0 and w['block_times'] == 'static'"
json "j['cycles']['value'] == w['observed']['value'] <= w['bound']['value'] == w['E_kernel']['pws']['value']"
json "all(l['cycles']['value'] <= l['wcet']['pws']['E_kernel']['value'] for l in j['per_launch'])"
# Bounds do not change the run, and functional launches have them too.
cp report.json bounded.json
code 0 "$pwsvp" exec "$predictable" "${pws[@]}" --fidelity timing --report report.json -- ./nw --size small
json "j['cycles'] == json.load(open('bounded.json'))['cycles'] and w is None"
code 0 "$pwsvp" exec "$predictable" "${pws[@]}" --fidelity functional --wcet --report report.json -- ./nw --size small
json "w['E_kernel'] == json.load(open('bounded.json'))['wcet']['E_kernel']"

# Measured block times, on a machine that has no static ones.
code 0 "$pwsvp" exec "$default" "${pws[@]}" --wcet --times measured --report report.json -- ./nw --size small
json "w['block_times'] == 'measured' and 0 < w['observed']['value'] <= w['L_kernel']['value'] <= w['L_kernel_serialised']['value']"
code 1 "$pwsvp" exec "$default" --wcet --report report.json -- ./nw --size small
says err "no bound"
json "w['launches'] == 0 and w['launches_without'] == j['launches'] and 'tdm' in w['first_error']"
# Image instructions: every filter, address mode and kind of texture.
"$pwscc" --split=none -O3 "$root/tests/hip/conformance/textures.hip" -o textures
code 0 "$pwsvp" exec "$predictable" --fidelity timing --wcet --report report.json -- ./textures
says out "63 cases, 0 failed"
json "w['launches'] == j['launches'] > 100 and w['launches_without'] == 0"
json "all(l['cycles']['value'] <= l['wcet']['none']['E_kernel']['value'] for l in j['per_launch'])"

# Wavefronts that are slow before a barrier and others behind it; workgroups of one wavefront to sixteen, one dispatch and
# several; nothing to do at all.
cat >barriers.hip <<'HIP'
#include <hip/hip_runtime.h>
__global__ void empty() {}
__global__ void turn(float* p) {
  __shared__ float s[1024];
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  float x = s[blockDim.x - 1 - threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 64) x = sqrtf(x) / 3;
  s[threadIdx.x] = x;
  __syncthreads();
  p[threadIdx.x + blockIdx.x * blockDim.x] = s[threadIdx.x ^ 1];
}
int main() {
  float* p;
  if (hipMalloc(&p, 1 << 20) != hipSuccess) return 3;
  empty<<<1, 64>>>();
  empty<<<500, 64>>>();
  for (unsigned block : {64, 256, 1024})
    for (unsigned groups : {1, 9, 70}) turn<<<groups, block>>>(p);
  return hipDeviceSynchronize();
}
HIP
"$pwscc" --split=none -O3 barriers.hip -o barriers
code 0 "$pwsvp" exec "$default" --fidelity timing --wcet --times measured --report report.json -- ./barriers
json "w['launches'] == 11 and w['launches_without'] == 0"
code 0 "$pwsvp" exec "$default" --set machine.divergence=pws-mode --set machine.force_mode_split=true --set machine.spsimd_per_simd=3 \
  --fidelity timing --wcet --times measured --report report.json -- ./barriers
json "w['launches'] == 11 and w['launches_without'] == 0 and j['totals']['splits']['value'] == 0 and w['bound'] == w['E_kernel']['none']"
code 0 "$pwsvp" exec "$default" --set machine.divergence=pws-mode --set machine.force_mode_split=true --set machine.spsimd_per_simd=3 \
  --fidelity timing --wcet --times measured --report report.json -- ./nw --size small
json "j['totals']['splits']['value'] > 0 and w['observed']['value'] <= w['bound']['value']"
code 0 "$pwsvp" exec "$predictable" --fidelity timing --wcet --report report.json -- ./barriers
json "w['launches'] == 11 and w['launches_without'] == 0"
code 2 "$pwsvp" exec "$default" --fidelity functional --wcet --times measured -- ./nw
says err "block times are measured in timing fidelity"
code 0 "$pwsvp" exec "$default" --fidelity timing --wcet --times measured --timeline t.json -- ./nw
grep -q '"ph":"X"' t.json || fail "no timeline while block times are measured"

# Its largest kernel has prices in the ILP that are fractions of large products: a bound all the same, and no path.
"$pwscc" --split=all -S 3 -O3 -std=c++17 "$root/sw/kernels/programs/heartwall.hip" -o heartwall 2>/dev/null
code 0 "$pwsvp" exec "$predictable" --set machine.memory.instruction_cache.size_kib=64 --set machine.divergence=pws \
  --set machine.spsimd_per_simd=3 --fidelity functional --wcet --report report.json -- ./heartwall --size small
json "w['launches'] == 2 and w['launches_without'] == 0 and w['E_kernel']['pws']['value'] <= w['E_kernel']['none']['value']"

# Launches of two streams are served one after the other: each keeps its own bound, all together their sum.
cat >streams.hip <<'HIP'
#include <hip/hip_runtime.h>
__global__ void scale(float* p, float by) { p[blockIdx.x * blockDim.x + threadIdx.x] *= by; }
__global__ void add(float* p, float x) { p[blockIdx.x * blockDim.x + threadIdx.x] += x; }
int main() {
  float *a, *b;
  hipStream_t first, second;
  if (hipMalloc(&a, 1 << 16) != hipSuccess || hipMalloc(&b, 1 << 16) != hipSuccess) return 3;
  if (hipStreamCreateWithFlags(&first, hipStreamNonBlocking) != hipSuccess) return 3;
  if (hipStreamCreateWithFlags(&second, hipStreamNonBlocking) != hipSuccess) return 3;
  for (unsigned k = 0; k < 4; ++k) {
    scale<<<1 + 40 * k, 64, 0, first>>>(a, 2);
    add<<<1, 256, 0, second>>>(b, 1);
  }
  return hipDeviceSynchronize();
}
HIP
"$pwscc" --split=none -O3 streams.hip -o streams
code 0 "$pwsvp" exec "$predictable" --fidelity timing --wcet --report report.json -- ./streams
json "w['launches'] == 8 and w['launches_without'] == 0 and w['observed']['value'] <= w['bound']['value']"
json "all(l['cycles']['value'] <= l['wcet']['none']['E_kernel']['value'] for l in j['per_launch'])"
json "w['bound']['value'] == sum(l['wcet']['none']['E_kernel']['value'] for l in j['per_launch'])"
json "len({l['wcet']['none']['E_kernel']['value'] for l in j['per_launch'] if l['kernel'].startswith('add')}) == 1"

# A bound holds for any contents of memory. What bfs's own graph leaves of the bound of `expand` is its data: in the same buffers other
# contents come near it.
"$pwscc" --split=none -O3 -std=c++17 "$root/sw/kernels/programs/bfs.hip" -o bfs
code 0 "$pwsvp" exec "$predictable" --fidelity functional --wcet --report bfs.json -- ./bfs --size small
"$pwscc" --split=none -O3 -std=c++17 -I"$root/sw/kernels/programs" "$root/tests/hip/contents/bfs_whole_frontier.hip" -o whole_frontier
for contents in "" "--seen" "--degree 1"; do
  # shellcheck disable=SC2086 # no, one or two words
  code 0 "$pwsvp" exec "$predictable" --fidelity timing --wcet --report report.json -- ./whole_frontier $contents
  json "w['launches'] == 1 and w['observed']['value'] <= w['bound']['value']"
  json "w['bound'] in [l['wcet']['none']['E_kernel'] for l in json.load(open('bfs.json'))['per_launch']]"
  [ -n "$contents" ] || json "w['bound']['value'] < 1.4 * w['observed']['value']"
done

# A loop whose end is loaded has no bound: named by its line in pwscc's code, by its address in other code; stated in the file.
cat >loop.hip <<'HIP'
#include <hip/hip_runtime.h>
#include <cstdio>
__global__ void loop(unsigned* data, unsigned n) {
#pragma unroll 1
  for (unsigned k = 0, end = n + data[64 + threadIdx.x]; k < end; ++k) data[threadIdx.x] = data[threadIdx.x] * 3 + k;
}
int main() {
  unsigned* data;
  if (hipMalloc(&data, 512) != hipSuccess || hipMemset(data, 0, 512) != hipSuccess) return 3;
  loop<<<1, 64>>>(data, 400);
  unsigned got[64];
  if (hipMemcpy(got, data, 256, hipMemcpyDeviceToHost) != hipSuccess) return 4;
  unsigned want = 0;
  for (unsigned k = 0; k < 400; ++k) want = want * 3 + k;
  return got[63] == want ? 0 : 1;
}
HIP
"$pwscc" --split=none -O3 loop.hip -o loop
code 1 "$pwsvp" exec "$predictable" --wcet --report report.json -- ./loop
says err "loop.hip:5: the loop at loop(unsigned int*, unsigned int)"
"$pwscc" --split=none -O3 --loop-bound=loop.hip:5=400 loop.hip -o loop
code 0 "$pwsvp" exec "$predictable" --wcet --report report.json -- ./loop
json "w['launches'] == 1 and w['observed']['value'] <= w['bound']['value'] < 2 * w['observed']['value']"
# A bound that is not true: the launch that breaks it fails.
cat >stated.yaml <<YAML
machine: $predictable
wcet: {loops: [{line: 5, bound: 7}]}
YAML
code 4 "$pwsvp" exec stated.yaml --wcet --report report.json -- ./loop
says err "loop.hip:5 took 8 iterations, wcet.loops says 7"
json "j['failed_launches'] == 1"
# A program that does not look: 1 in place of its 0, and any other code of its own stays.
cat >careless.hip <<'HIP'
#include <hip/hip_runtime.h>
#include <cstdlib>
__global__ void loop(unsigned* data, unsigned n) {
#pragma unroll 1
  for (unsigned k = 0, end = n + data[64 + threadIdx.x]; k < end; ++k) data[threadIdx.x] = data[threadIdx.x] * 3 + k;
}
int main(int, char** argv) {
  unsigned* data;
  if (hipMalloc(&data, 512) != hipSuccess) return 3;
  loop<<<1, 64>>>(data, 400);
  return std::atoi(argv[1]);
}
HIP
"$pwscc" --split=none -O3 --loop-bound=careless.hip:5=7 careless.hip -o careless
for own in 0 7; do
  code $((own == 0 ? 1 : own)) "$pwsvp" exec "$predictable" --wcet --quiet -- ./careless $own
  says err 'exec --wcet: 1 launch broke its bound; launch 1 (loop(unsigned int*, unsigned int)): '
done
"$pwscc" --split=none -O3 careless.hip -o careless
for own in 0 7; do
  code $((own == 0 ? 1 : own)) "$pwsvp" exec "$predictable" --wcet --quiet -- ./careless $own
  says err 'exec --wcet: 1 launch has no bound; launch 1 (loop(unsigned int*, unsigned int)): '
done
code 7 "$pwsvp" exec "$predictable" -- ./careless 7
code 0 "$pwsvp" exec "$predictable" -- ./careless 0
"$pwsvp" exec --help | grep -q 'In place of its 0: 1 if with --wcet' || fail "--help says nothing of the exit code"
"$pwsvp" manual pwsvp-exec | grep -q 'In place of its 0: 1 if with' || fail "the manual page says nothing of the exit code"
code 2 "$pwscc" --split=none -O3 --loop-bound=6 loop.hip -o loop2
says err "not [FILE:]LINE=N"
code 1 "$pwscc" --split=none -O3 --loop-bound=77=6 loop.hip -o loop2
says err "no loop statement begins at line 77"
"${hip_clang[@]}" -O3 loop.hip \
  -o plain -lamdhip64
code 1 "$pwsvp" exec "$predictable" --wcet -- ./plain
says err "has no bound"
# One that counts itself needs no mark, whoever compiled it.
sed 's/ + data\[64 + threadIdx.x\]//' loop.hip >counted.hip
"${hip_clang[@]}" -O3 counted.hip -o counted -lamdhip64
code 0 "$pwsvp" exec "$predictable" --wcet --report report.json -- ./counted
json "w['launches'] == 1 and w['observed']['value'] <= w['bound']['value'] < 1.2 * w['observed']['value']"
