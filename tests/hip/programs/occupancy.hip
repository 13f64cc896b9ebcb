// Occupancy queries: more LDS per block gives no more blocks per CU, the suggested block size can be launched, queries
// with impossible blocks are refused or give 0.
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
  EXPECT_ERROR(hipErrorInvalidValue, hipOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, plain, 64, 0));
  return check::pass();
}
