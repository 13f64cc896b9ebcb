// Occupancy queries: they say how many blocks really are in a CU at a time, the suggested block size can be launched,
// queries with impossible blocks are refused or give 0.
// timing: yes
// queues: yes
#include "check.h"

extern __shared__ float lds[];

__global__ void uses_lds(float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  lds[threadIdx.x] = i * 0.5f;
  __syncthreads();
  if (i < n) out[i] = lds[blockDim.x - 1 - threadIdx.x];
}
__global__ void plain(float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i;
}

// Counts the blocks that are inside, each long enough for all to come that can: `naps` is time in timing fidelity,
// `rounds` are turns in functional fidelity, where a wavefront runs 100,000 instructions before others do.
__global__ void meet(int* inside, int* most, int naps, int rounds) {
  if (threadIdx.x == 0) atomicMax(most, atomicAdd(inside, 1) + 1);
  for (int k = 0; k < naps; ++k) __builtin_amdgcn_s_sleep(127);
  for (int k = 0; k < rounds; ++k) __builtin_amdgcn_s_sleep(0);
  __syncthreads();
  if (threadIdx.x == 0) atomicSub(inside, 1);
}

bool time_passes() {
  hipEvent_t begin, end;
  HIP_CHECK(hipEventCreate(&begin));
  HIP_CHECK(hipEventCreate(&end));
  check::device_array<float> out(64);
  HIP_CHECK(hipEventRecord(begin, nullptr));
  plain<<<1, 64>>>(out.get(), 64);
  HIP_CHECK(hipEventRecord(end, nullptr));
  float ms = 0;
  HIP_CHECK(hipEventElapsedTime(&ms, begin, end));
  return ms != 0;
}

// On the machine: as many as the query says, on all CUs, and not one more.
void as_many_as_said(int threads, size_t bytes) {
  hipDeviceProp_t p;
  HIP_CHECK(hipGetDeviceProperties(&p, 0));
  int blocks = -1;
  HIP_CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, meet, threads, bytes));
  const bool timing = time_passes();
  if (!timing && blocks > 8) return;  // many instructions
  check::device_array<int> counts(std::vector<int>{0, 0});
  meet<<<2 * blocks * p.multiProcessorCount, threads, bytes>>>(counts.get(), counts.get() + 1, timing ? 20 : 0,
                                                              timing ? 0 : 50000);
  CHECK_LAUNCH();
  const std::vector<int> got = counts.download();
  CHECK(got[0] == 0, "%d blocks are left", got[0]);
  CHECK(got[1] == blocks * p.multiProcessorCount,
        "blocks of %d with %zu bytes: %d at a time on %d CUs, expected %d per CU", threads, bytes, got[1],
        p.multiProcessorCount, blocks);
}

int main() {
  int before = 1 << 30;
  for (const size_t bytes : {0, 1024, 16 * 1024, 32 * 1024, 64 * 1024}) {
    int blocks = -1;
    HIP_CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, uses_lds, 64, bytes));
    CHECK(blocks >= 1, "%zu bytes of LDS: %d blocks per CU", bytes, blocks);
    CHECK(blocks <= before, "%zu bytes of LDS: %d blocks per CU, with less LDS %d", bytes, blocks, before);
    before = blocks;
  }
  CHECK(before == 1, "64 KiB of LDS: %d blocks per CU, expected 1", before);
  int small = 0, large = 0;
  HIP_CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&small, plain, 64, 0));
  HIP_CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&large, plain, 512, 0));
  CHECK(small >= large && large >= 1, "blocks of 64: %d, blocks of 512: %d per CU", small, large);
  int with_flags = -1;
  HIP_CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&with_flags, plain, 64, 0, hipOccupancyDefault));
  CHECK(with_flags == small, "with flags %d, without %d", with_flags, small);

  int grid = 0, block = 0;
  HIP_CHECK(hipOccupancyMaxPotentialBlockSize(&grid, &block, plain, 0, 0));
  CHECK(block >= 1 && block <= 1024 && grid >= 1, "suggested %d blocks of %d", grid, block);
  const int n = grid * block < 5000 ? grid * block : 5000;
  check::device_array<float> out(n);
  plain<<<check::blocks_for(n, block), block>>>(out.get(), n);
  CHECK_LAUNCH();
  std::vector<float> want(n);
  for (int i = 0; i < n; ++i) want[i] = i;
  CHECK_SAME("suggested block size", out.download(), want);
  int of_1700 = 0;
  HIP_CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&of_1700, meet, 64, 1700));
  CHECK(of_1700 == 32, "1700 bytes of LDS: %d blocks per CU, expected 32, since LDS comes in 512 bytes", of_1700);
  for (const size_t bytes : {0, 1, 512, 513, 1700, 2048, 2049, 13100, 64 * 1024}) as_many_as_said(64, bytes);
  for (const int threads : {1, 63, 65, 256, 1024}) as_many_as_said(threads, 1700);
  EXPECT_ERROR(hipErrorInvalidValue, hipOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, plain, 64, 0));
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
