#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""wave_order_test.py PWSVP PWSCC ROOT: machine.wave_order: random runs wavefronts in another order for each seed and in the same one for the
same; what is ordered gives the same results in all, and what is not shows."""
import os
import subprocess
import sys
import tempfile

from command_line import fail

PWSVP, PWSCC, ROOT = (os.path.abspath(f) for f in sys.argv[1:4])
os.chdir(tempfile.mkdtemp())


with open("order.hip", "w") as f:
    f.write("""#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstring>
// out[n]: who was the n-th; a wavefront of many instructions between two of them.
__global__ void diary(unsigned* count, unsigned* out) {
  for (int k = 0; k < 8; ++k)
    if (threadIdx.x % 64 == 0) out[atomicAdd(count, 1)] = blockIdx.x * 4 + threadIdx.x / 64;
}
// Right only if nobody is between load and store.
__global__ void lost(unsigned* count, unsigned*) {
  volatile unsigned* c = count;
  for (int k = 0; k < 8; ++k)
    if (threadIdx.x % 64 == 0) *c = *c + 1;
}
// Each waits for the one before it, which may come to its turn later.
__global__ void chain(unsigned* count, unsigned* out) {
  const unsigned me = 31 - (blockIdx.x * 4 + threadIdx.x / 64);
  if (threadIdx.x % 64 != 0) return;
  while (atomicAdd(count, 0) != me) {}
  out[me] = me;
  __threadfence();
  atomicAdd(count, 1);
}
// Barriers hold whoever comes first.
__global__ void phases(unsigned*, unsigned* out) {
  __shared__ unsigned s[256];
  s[threadIdx.x] = threadIdx.x;
  for (int k = 0; k < 9; ++k) {
    __syncthreads();
    const unsigned next = s[(threadIdx.x + 67) % 256];
    __syncthreads();
    s[threadIdx.x] = next * 3 + k;
  }
  out[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x];
}
// Both sides of a split.
__global__ void sides(unsigned*, unsigned* out) {
  unsigned v = threadIdx.x;
#pragma unroll 1
  for (unsigned k = 0; k < 9; ++k) {
    if ((threadIdx.x ^ k) & 1) {
      v = v * 5 + k;
    } else {
      v = v * 7 ^ k;
    }
  }
  out[blockIdx.x * 256 + threadIdx.x] = v;
}
int main(int, char** arguments) {
  unsigned *count, *out, host[2049];
  bool right = hipMalloc(&count, sizeof host) == hipSuccess && hipMemset(count, 0, sizeof host) == hipSuccess;
  out = count + 1;
  const auto is = [&](const char* name) { return strcmp(arguments[1], name) == 0; };
  hipLaunchKernelGGL(is("diary") ? diary : is("lost") ? lost : is("chain") ? chain : is("phases") ? phases : sides, 8, 256, 0, 0, count, out);
  right = right && hipMemcpy(host, count, sizeof host, hipMemcpyDeviceToHost) == hipSuccess;
  for (const unsigned x : host) printf("%u ", x);
  return right ? 0 : 1;
}
""")
for split in ("none", "all"):
    subprocess.run([PWSCC, f"--split={split}", "-S", "1", "-O2", "-std=c++17", "order.hip", "-o", split], check=True)


def result(kernel, seed, cus=1, split=False):
    """The counter and the array that the kernel leaves."""
    settings = [f"--set=machine.n_cu={cus}"]
    if seed is not None:
        settings += ["--set=machine.wave_order=random", f"--set=machine.wave_order_seed={seed}"]
    if split:
        settings += ["--set=machine.divergence=pws", "--set=machine.spsimd_per_simd=1"]
    r = subprocess.run([PWSVP, "exec", f"{ROOT}/configs/gpu/default.yaml", "--quiet", "--fidelity", "functional", *settings, "--",
                        "./all" if split else "./none", kernel], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if r.returncode != 0:
        fail(f"{kernel}, seed {seed}: exit code {r.returncode}\n{r.stdout}{r.stderr}")
    numbers = [int(x) for x in r.stdout.split()]
    return numbers[0], tuple(numbers[1:])


SEEDS = range(1, 9)
in_turn = result("diary", None)[1]
logs = [result("diary", seed)[1] for seed in SEEDS]
if len({in_turn, *logs}) != 1 + len(SEEDS):
    fail("two seeds give the same order")
if any(sorted(x) != sorted(in_turn) for x in logs):
    fail("some wavefront did not run to its end")
if result("diary", 3)[1] != logs[2] or result("diary", 3, cus=4)[1] != result("diary", 3, cus=4)[1]:
    fail("the same seed gives two orders")
if result("lost", None)[0] != 256:
    fail("in turn, nobody comes between load and store")
if min(result("lost", seed)[0] for seed in SEEDS) >= 256:
    fail("no order shows that a count is lost")
if any(result("chain", seed)[0] != 32 for seed in SEEDS):
    fail("a wavefront that waits for another one")
for kernel in ("phases", "sides"):
    want = result(kernel, None)[1]
    for seed in SEEDS:
        if result(kernel, seed, 2, kernel == "sides")[1] != want:
            fail(f"{kernel}: another result with seed {seed}")
print(f"{len(SEEDS)} orders: repeatable, different, and the same results of what is ordered")
