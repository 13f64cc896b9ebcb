#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# calls_test.sh PWSVP PWSCC ROOT: functions that are not inlined. Their kernels run, functionally and with timing, no run takes longer
# than its bound, and what has no bound is refused by name and place.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwsvp=$1 pwscc=$2 root=$3
cd "$folder"
predictable=$root/configs/gpu/predictable.yaml

cat >calls.hip <<'HIP'
#include <hip/hip_runtime.h>
#include <cmath>
#include "pws.h"
#define NOINLINE __host__ __device__ __attribute__((noinline))
NOINLINE float leaf(float x) { return x * x + 3.0f / x; }
NOINLINE float looped(float x, int n) {
  float s = x;
  for (int k = 0; k < n; ++k) {
    PWS_LOOP_BOUND(6);
    if (s > 100)
      s *= 0.25f;
    else
      s = s * 3 + k;
  }
  return s;
}
NOINLINE float middle(float x, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k) {
    PWS_LOOP_BOUND(4);
    s += leaf(x + k);
  }
  return s + leaf(s);
}
NOINLINE float outer(float x, int n) { return middle(x, n) + looped(middle(x + 1, n), n); }
NOINLINE float loads(const float* p, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k) {
    PWS_LOOP_BOUND(4);
    s += p[k * 64];
  }
  return s;
}
#define ITEM threadIdx.x + blockIdx.x * blockDim.x
__global__ void two_sites(float* p, int) {
  const unsigned i = ITEM;
  float x = leaf(p[i]);
  if (i & 1) x += leaf(x + 1);
  p[i] = x;
}
__global__ void nested(float* p, int n) { p[ITEM] = middle(p[ITEM], n); }
__global__ void three_deep(float* p, int n) { p[ITEM] = outer(p[ITEM], n); }
__global__ void in_a_loop(float* p, int n) {
  float x = p[ITEM];
  for (int k = 0; k < n; ++k) {
    PWS_LOOP_BOUND(4);
    x = leaf(x);
  }
  p[ITEM] = x;
}
__global__ void with_a_loop(float* p, int n) { p[ITEM] = looped(p[ITEM], n + (threadIdx.x & 1)) + looped(p[ITEM], 2); }
__global__ void on_both_sides(float* p, int n) {
  float x = p[ITEM];
  PWS_SPLIT();
  if (threadIdx.x & 1)
    x = leaf(x) + looped(x, n);
  else
    x = middle(x, n);
  p[ITEM] = x;
}
__global__ void memory(float* p, const float* q, int n) { p[ITEM] = loads(q + threadIdx.x, n) + loads(q, n); }

constexpr int size = 4096;
float in[size], got[size], at_first[size];
bool same(const char*, float (*expected)(float, int), unsigned n, float* p) {
  if (hipMemcpy(got, p, sizeof got, hipMemcpyDeviceToHost) != hipSuccess) return false;
  for (unsigned k = 0; k < n; ++k) {
    const float want = expected(at_first[k], k);
    if (!(std::fabs(got[k] - want) <= 1e-3f * std::fabs(want))) return false;
  }
  if (hipMemcpy(p, at_first, sizeof got, hipMemcpyHostToDevice) != hipSuccess) return false;
  return true;
}
int main() {
  float *p, *q;
  for (int k = 0; k < size; ++k) at_first[k] = 1 + k % 37;
  if (hipMalloc(&p, sizeof in) != hipSuccess || hipMalloc(&q, sizeof in) != hipSuccess) return 3;
  if (hipMemcpy(p, at_first, sizeof in, hipMemcpyHostToDevice) != hipSuccess) return 3;
  if (hipMemcpy(q, at_first, sizeof in, hipMemcpyHostToDevice) != hipSuccess) return 3;
  for (const unsigned groups : {1u, 16u}) {
    const unsigned n = groups * 256;
    two_sites<<<groups, 256>>>(p, 0);
    if (!same("two_sites", [](float x, int i) { x = leaf(x); return i & 1 ? x + leaf(x + 1) : x; }, n, p)) return 11;
    nested<<<groups, 256>>>(p, 4);
    if (!same("nested", [](float x, int) { return middle(x, 4); }, n, p)) return 12;
    three_deep<<<groups, 256>>>(p, 4);
    if (!same("three_deep", [](float x, int) { return outer(x, 4); }, n, p)) return 13;
    in_a_loop<<<groups, 256>>>(p, 3);
    if (!same("in_a_loop", [](float x, int) { return leaf(leaf(leaf(x))); }, n, p)) return 14;
    with_a_loop<<<groups, 256>>>(p, 5);
    if (!same("with_a_loop", [](float x, int i) { return looped(x, 5 + (i & 1)) + looped(x, 2); }, n, p)) return 15;
    on_both_sides<<<groups, 256>>>(p, 4);
    if (!same("on_both_sides", [](float x, int i) { return i & 1 ? leaf(x) + looped(x, 4) : middle(x, 4); }, n, p)) return 16;
    memory<<<groups, 256>>>(p, q, 4);
    if (!same("memory", [](float, int i) { return loads(at_first + i % 256, 4) + loads(at_first, 4); }, n, p)) return 17;
  }
  return 0;
}
HIP
for level in -O1 -O2 -O3; do
  for s in 0 1; do
    split=none machine=(--set machine.divergence=none)
    [ $s = 0 ] || { split=marked machine=(--set machine.divergence=pws --set "machine.spsimd_per_simd=$s"); }
    "$pwscc" --split=$split -S $s $level -std=c++17 calls.hip -o calls 2>messages.txt || { cat messages.txt; fail "calls.hip $level"; }
    code 0 "$pwsvp" exec "$predictable" "${machine[@]}" --wcet --fidelity functional --report report.json -- ./calls
    json "w['launches'] == 14 and w['launches_without'] == 0"
    code 0 "$pwsvp" exec "$predictable" "${machine[@]}" --wcet --fidelity timing --report report.json -- ./calls
    json "w['launches'] == 14 and w['launches_without'] == 0"
    json "all(l['cycles']['value'] <= l['wcet']['$([ $s = 0 ] && echo none || echo pws)']['E_kernel']['value'] for l in j['per_launch'])"
    json "w['observed']['value'] <= w['bound']['value'] < 1.6 * w['observed']['value']"
    python3 - "$level S = $s" <<'PYTHON'
import json, sys
for l in json.load(open("report.json"))["per_launch"][7:]:
  b = l["wcet"]["none" if sys.argv[1].endswith("0") else "pws"]["E_kernel"]["value"]
  print(f"{sys.argv[1]} {l['kernel']}: bound / observed {b / l['cycles']['value']:.3f}")
PYTHON
  done
done
code 1 "$pwsvp" exec "$predictable" --wcet --times measured --fidelity timing -- ./calls
says err "measured block times do not follow its calls"

# A mark that is too low in a function that is called is named by the run that breaks it.
sed 's/PWS_LOOP_BOUND(6)/PWS_LOOP_BOUND(3)/' calls.hip >low.hip
"$pwscc" --split=none -O3 -std=c++17 low.hip -o low
"$pwsvp" exec "$predictable" --wcet --fidelity functional --report report.json -- ./low >out.txt 2>err.txt && fail "low.hip: no error"
says err "loop at low.hip:8 took 4 iterations, PWS_LOOP_BOUND says 3"
json "w['launches_broken'] > 0"
# One that is missing is missed only where the code does not count: what x says nothing is known of.
sed 's/PWS_LOOP_BOUND(6);//' calls.hip >counted.hip
"$pwscc" --split=none -O3 -std=c++17 counted.hip -o counted
code 0 "$pwsvp" exec "$predictable" --wcet --fidelity timing --quiet -- ./counted
sed 's/PWS_LOOP_BOUND(6);//; 8s/k < n/k < n + static_cast<int>(x * 0)/' calls.hip >missing.hip
"$pwscc" --split=none -O3 -std=c++17 missing.hip -o missing
code 1 "$pwsvp" exec "$predictable" --wcet --fidelity functional --report report.json -- ./missing
says err "missing.hip:8: the loop at "

cat >recursion.hip <<'HIP'
#include <hip/hip_runtime.h>
__device__ __attribute__((noinline)) unsigned fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__global__ void k(unsigned* p) { p[threadIdx.x] = fibonacci(threadIdx.x & 3); }
int main() {
  unsigned *p, got[64];
  if (hipMalloc(&p, 256) != hipSuccess) return 3;
  k<<<1, 64>>>(p);
  if (hipMemcpy(got, p, 256, hipMemcpyDeviceToHost) != hipSuccess) return 4;
  return got[3] == 2 && got[1] == 1 ? 0 : 1;
}
HIP
cat >pointer.hip <<'HIP'
#include <hip/hip_runtime.h>
__device__ __attribute__((noinline)) unsigned twice(unsigned n) { return n * 2; }
__device__ __attribute__((noinline)) unsigned thrice(unsigned n) { return n * 3; }
__global__ void k(unsigned* p, int which) {
  unsigned (*f)(unsigned) = which ? twice : thrice;
  p[threadIdx.x] = f(threadIdx.x);
}
int main() {
  unsigned *p, got[64];
  if (hipMalloc(&p, 256) != hipSuccess) return 3;
  k<<<1, 64>>>(p, 1);
  if (hipMemcpy(got, p, 256, hipMemcpyDeviceToHost) != hipSuccess) return 4;
  return got[5] == 10 ? 0 : 1;
}
HIP
for level in -O1 -O3; do
  for program in recursion pointer; do
    "$pwscc" --split=none $level -std=c++17 $program.hip -o $program
    code 0 "$pwsvp" exec "$predictable" --fidelity functional -- ./$program
    code 0 "$pwsvp" exec "$predictable" --fidelity timing -- ./$program
    code 1 "$pwsvp" exec "$predictable" --wcet --fidelity timing -- ./$program
    says err "$program.hip:"
    case $program in
      recursion) says err "a recursive call: how deep it goes has no bound" ;;
      pointer) says err "the target of this call is not known: it comes from no constant address" ;;
    esac
  done
done
