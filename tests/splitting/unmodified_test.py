#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""unmodified_test.py PWSVP ROOT: programs that know nothing of splits, whose work-items work together, on a machine that splits them
all the same (pws-mode with force_mode_split): without a word about it they are told where one path reaches another's registers.
With the check off they can give a wrong result, which is what it is for."""
import os
import struct
import subprocess
import sys
import tempfile

PWSVP, ROOT = sys.argv[1:3]
os.chdir(tempfile.mkdtemp())
SOURCE = r"""#include <hip/hip_runtime.h>
__device__ __attribute__((noinline)) int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }  // spills to lanes
extern "C" __global__ void recursion(int* out, const int* in) { out[threadIdx.x] = fib(in[threadIdx.x] & 7); }
extern "C" __global__ void lane(int* out, const int* in) {
  int v = in[threadIdx.x];
  if (threadIdx.x >= 32) v = v * 3 + out[threadIdx.x];
  else v = __builtin_amdgcn_readlane(v, 40);
  out[threadIdx.x] = v;
}
extern "C" __global__ void shuffle(int* out, const int* in) {
  int v = in[threadIdx.x];
  if (v & 1) v = v * 3 + out[threadIdx.x];
  out[threadIdx.x] = v + __shfl_xor(v, 1);
}
// Neighbours in the wavefront meet in LDS without a barrier.
extern "C" __global__ void in_step(int* out, const int* in) {
  __shared__ volatile int s[64];
  const int t = threadIdx.x;
  int v = in[t];
  if (v & 1) {
    for (int k = 0; k < 40; ++k) v = v * 3 + out[64 + k];
    s[t] = v;
  } else {
    s[t] = v + 5;
  }
  out[t] = s[63 - t];
}
"""
with open("together.hip", "w") as f:
    f.write(SOURCE)
fib = [0, 1, 1, 2, 3, 5, 8, 13]
tripled = [3 * v if v & 1 else v for v in range(64)]
step = [(v * 3**40 + 2**31) % 2**32 - 2**31 if v & 1 else v + 5 for v in range(64)]
EXPECTED = {"recursion": [fib[v & 7] for v in range(64)], "lane": [3 * v if v >= 32 else 40 for v in range(64)],
            "shuffle": [tripled[v] + tripled[v ^ 1] for v in range(64)], "in_step": step[::-1]}
LINE = {"recursion": 2, "lane": 7, "shuffle": 13}


def line_of(kernel):
    return f"together.hip:{LINE[kernel]}"


def run(kernel, *options):
    with open(f"{kernel}.bin", "wb") as f:
        f.write(struct.pack("<64i", *EXPECTED[kernel]))
    with open("run.yaml", "w") as f:
        f.write(f"""machine: {{base: {ROOT}/configs/gpu/default.yaml, divergence: pws-mode, force_mode_split: true, spsimd_per_simd: 3}}
program: {{source: together.hip, kernel: {kernel}}}
launch: {{blocks: 1, workgroup: 64}}
arguments:
  - {{name: out, type: i32, count: 128, init: {{constant: 0}}}}
  - {{name: in, type: i32, count: 64, init: {{ramp: {{start: 0, step: 1}}}}}}
expect: {{out: {{first: 0, count: 64, file: {kernel}.bin}}}}
""")
    r = subprocess.run([PWSVP, "run", "run.yaml", "--quiet", *options], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return r.returncode, r.stdout + r.stderr


def expect(kernel, options, code, words):
    got, said = run(kernel, *options)
    if got != code or any(w not in said for w in words):
        sys.exit(f"FAILED: {kernel} {options}: exit code {got}, expected {code} and {words}:\n{said}")


for kernel in EXPECTED:
    for fidelity in ("functional", "timing"):
        more = ["--set", f"machine.fidelity={fidelity}"]
        expect(kernel, more + ["--set", "machine.divergence=none", "--set", "machine.force_mode_split=false"], 0, [])
        off = more + ["--set", "machine.check.split_isolation=false"]
        if kernel == "in_step":  # LDS is no register
            expect(kernel, more + ["--check=races"], 1, ["bytes of LDS", "by another path of the same wavefront", "together.hip:26"])
            continue
        expect(kernel, more, 1, [f"kernel {kernel},", line_of(kernel), "reaches the vector registers of work-item",
                                 "which belongs to another path of the wavefront", "(check.split_isolation)"])
        if kernel == "shuffle":  # the others may go any way
            expect(kernel, off, 1, ["out: FAIL:"])
print("PASS")
