// timing: yes
// Exclusive prefix sum of any length: Blelloch scan of blocks in LDS, scan of the blocks' sums, addition; three
// kernels, recursion on the host.
#include "check.h"

constexpr int block = 128;
constexpr int per_block = 2 * block;

__global__ void scan_blocks(const uint32_t* in, uint32_t* out, uint32_t* sums, int n) {
  __shared__ uint32_t data[per_block];
  const int t = threadIdx.x;
  const int begin = blockIdx.x * per_block;
  data[2 * t] = begin + 2 * t < n ? in[begin + 2 * t] : 0;
  data[2 * t + 1] = begin + 2 * t + 1 < n ? in[begin + 2 * t + 1] : 0;
  int offset = 1;
  for (int d = per_block / 2; d > 0; d /= 2) {
    __syncthreads();
    if (t < d) data[offset * (2 * t + 2) - 1] += data[offset * (2 * t + 1) - 1];
    offset *= 2;
  }
  if (t == 0) {
    sums[blockIdx.x] = data[per_block - 1];
    data[per_block - 1] = 0;
  }
  for (int d = 1; d < per_block; d *= 2) {
    offset /= 2;
    __syncthreads();
    if (t < d) {
      const uint32_t left = data[offset * (2 * t + 1) - 1];
      data[offset * (2 * t + 1) - 1] = data[offset * (2 * t + 2) - 1];
      data[offset * (2 * t + 2) - 1] += left;
    }
  }
  __syncthreads();
  if (begin + 2 * t < n) out[begin + 2 * t] = data[2 * t];
  if (begin + 2 * t + 1 < n) out[begin + 2 * t + 1] = data[2 * t + 1];
}
__global__ void add_sums(uint32_t* data, const uint32_t* sums, int n) {
  const int i = blockIdx.x * per_block + threadIdx.x;
  if (i < n) data[i] += sums[blockIdx.x];
  if (i + block < n) data[i + block] += sums[blockIdx.x];
}

static void scan(const uint32_t* in, uint32_t* out, int n) {
  const unsigned blocks = check::blocks_for(n, per_block);
  check::device_array<uint32_t> sums(blocks), scanned(blocks);
  scan_blocks<<<blocks, block>>>(in, out, sums.get(), n);
  if (blocks > 1) {
    scan(sums.get(), scanned.get(), static_cast<int>(blocks));
    add_sums<<<blocks, block>>>(out, scanned.get(), n);
  }
  CHECK_LAUNCH();
  HIP_CHECK(hipDeviceSynchronize());  // the sums are freed at the end of this function
}

int main() {
  check::random_source random(37);
  for (const int n : {1, 2, 255, 256, 257, 9999}) {
    std::vector<uint32_t> in(n), want(n);
    uint32_t sum = 0;
    for (int i = 0; i < n; ++i) {
      in[i] = random.bits();  // wraps around
      want[i] = sum;
      sum += in[i];
    }
    check::device_array<uint32_t> device_in(in), device_out(n);
    scan(device_in.get(), device_out.get(), n);
    CHECK_SAME("prefix sums", device_out.download(), want);
  }
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
