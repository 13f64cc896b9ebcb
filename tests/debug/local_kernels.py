# SPDX-License-Identifier: Apache-2.0
"""Kernels whose variables the tests of the debugger look at, by the names of their files."""
from prompts import ROOT

SOURCES = {
    # A branch with two sides, a loop, arrays in LDS and in private memory, functions that are called and inlined.
    "locals": """#include <hip/hip_runtime.h>
struct pair { int first; float second; };
__device__ __attribute__((noinline)) int twice(int x) {
  int y = x * 3;
  return y - x;
}
__device__ inline int plus(int* at, int x) {
  int inner = x * 7 + 1;
  at[x + 128] = inner;
  return inner;
}
extern "C" __global__ void locals(int* out, const int* in, int n) {
  __shared__ int tile[64];
  __shared__ float reals[64];
  int i = threadIdx.x;
  int raw = in[i];
  int own = raw * 3 + i;
  tile[i] = own;
  reals[i] = i * 0.5f;
  __syncthreads();
  pair both{own, own * 0.25f};
  int parts[4];
  for (int k = 0; k < 4; ++k) parts[k] = own + k;
  out[i + 320] = twice(own);
  if (i % 4 == 1) {
    int odd = own * 5 + both.first;
    out[i] = odd;
    out[i + 64] = plus(out, i);
  } else {
    int even = tile[(i + 1) % 64] - parts[i & 3];
    out[i] = even;
    out[i + 64] = (int)(both.second * reals[(i + 2) % 64]);
  }
  int sum = 0;
  for (int k = 0; k < n; ++k) {
    int sum2 = in[k] * i + sum;
    sum = sum2;
    out[i + 192] = sum;
  }
  out[i + 256] = sum;
}
""",
    # Variables of all types.
    "types": """#include <hip/hip_runtime.h>
enum colour : unsigned char { red, green = 7 };
struct base { int inherited; };
struct inner_pair { short a[3]; bool ready; };
struct everything : base { unsigned low : 3; int high : 5; union { float real; int whole; }; inner_pair inner; everything* next; };
typedef unsigned long long u64;
typedef float four __attribute__((ext_vector_type(4)));
__device__ int counter = 17;
__device__ void change(int& by_reference, int* by_pointer) {
  by_reference += 2;
  by_pointer[1] = by_reference;
  counter = by_reference;
}
extern "C" __global__ void types(int* out, const int* in, int n) {
  int i = threadIdx.x;
  everything all{{-i}, 5, -3, {2.5f}, {{1, (short)i, -3}, true}, nullptr};
  all.next = &all;
  colour c = green; signed char small = -i; unsigned char byte = 200; char letter = 'a' + i % 26; bool even = i % 2 == 0;
  short s2 = -300; unsigned u = 4000000000u; long wide = -5000000000l; u64 huge = 18446744073709551615ull;
  float f = 0.1f; double d = 1e300; _Float16 half = 1.5; four v = {1, 2, 3, (float)i}; float4 packed = make_float4(4, 3, 2, i);
  int grid[2][3] = {{1, 2, 3}, {4, 5, i}}; int* p = &grid[1][0]; int& ref = grid[1][2]; const int* from = in + i; int lane = i * 11;
  int many[300] = {}; void* nowhere = nullptr; int (*rows)[3] = grid;
  change(grid[0][1], p);
  n = n - 1;
  out += 2;
  out[i] = all.inherited + all.low + all.high + all.whole + all.inner.a[1] + (all.next == &all) + c + small + byte + letter + even + s2 + (int)u;
  out[i + 64] = (int)wide + (int)huge + (int)f + (int)d + (int)half + (int)v[1] + (int)packed.x + *p + ref + *from + lane + many[i] + (nowhere == p) + rows[1][1] + n;
}
""",
    # One variable hides another one.
    "calls": """#include <hip/hip_runtime.h>
__device__ __attribute__((noinline)) int callee(int x, int* at) {
  int y = x * 3;
  at[x] = y;
  return y - x;
}
__device__ inline int within(int* at, int z) {
  int inner = at[z] + 1;
  at[z + 64] = inner;
  return inner;
}
extern "C" __global__ void calls(int* out, int n) {
  int i = threadIdx.x;
  int sum = 0;
  for (int k = 0; k < n; ++k) {
    int i = threadIdx.x * 2 + k;
    sum += i;
    out[threadIdx.x + 128] = sum;
  }
  sum += callee(i, out);
  sum += within(out, i);
  out[i] = sum;
}
"""}

# Arguments of the first two, and of the third.
N = 4
ARGUMENTS = ("  - {name: out, type: i32, count: 1024, init: {constant: 0}}\n  - {name: in, type: i32, count: 64, init: {ramp: {start: 5, step: 3}}}\n"
             f"  - {{name: n, type: i32, value: {N}}}\n")
CALLS = "  - {name: out, type: i32, count: 256, init: {constant: 0}}\n  - {name: n, type: i32, value: 3}\n"


def line_in(source, text):
    """The number of the first line with the text."""
    return next(n for n, l in enumerate(SOURCES[source].splitlines(), 1) if text in l)


def run_file(name, source, kernel, level, arguments, split="all"):
    """Writes a run file of one of the kernels, and returns its name."""
    with open(f"{source}.hip", "w") as f:
        f.write(SOURCES[source])
    with open(name, "w") as f:
        f.write(f"machine: {ROOT}/configs/gpu/default.yaml\nprogram: {{source: {source}.hip, kernel: {kernel}, split: {split}, flags: [{level}, -g, -w]}}\n"
                f"launch: {{grid: 64, workgroup: 64}}\narguments:\n{arguments}")
    return name
