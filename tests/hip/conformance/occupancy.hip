// Occupancy: how many blocks of a kernel a multiprocessor holds, and the block that fills it best.
#include "conformance.h"

namespace {

__global__ void plain(int* data) {
  data[threadIdx.x] = 1;
}
__global__ __launch_bounds__(128) void bounded(int* data) {
  data[threadIdx.x] = 1;
}
__global__ void with_shared(int* data) {
  __shared__ int all[4096];  // 16 KiB
  all[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = all[blockDim.x - 1 - threadIdx.x];
}

int active(void (*kernel)(int*), int block, size_t shared = 0) {
  int blocks = -1;
  OK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, pointer_of(kernel), block, shared));
  return blocks;
}
hipDeviceProp_t properties() {
  hipDeviceProp_t p;
  OK(hipGetDeviceProperties(&p, 0));
  return p;
}

bool add_all() {
  for (const int block : {1, 63, 64, 65, 128, 256, 512, 1000, 1024})
    add("block_of_" + std::to_string(block), [block] {
      const int blocks = active(plain, block), waves = (block + 63) / 64;
      EXPECT(blocks >= 1);
      EXPECT(blocks * waves * 64 <= properties().maxThreadsPerMultiProcessor);
      // Small kernels are held back by the number of wavefronts alone.
      SAME(blocks, properties().maxThreadsPerMultiProcessor / (64 * waves));
    });
  for (const size_t kib : {1, 4, 16, 20, 32, 33, 64})
    add("shared_memory_of_" + std::to_string(kib) + "_KiB", [kib] {
      const int by_waves = properties().maxThreadsPerMultiProcessor / 64;
      const int by_memory = static_cast<int>(properties().maxSharedMemoryPerMultiProcessor / (kib * 1024));
      SAME(active(plain, 64, kib * 1024), std::min(by_waves, by_memory));
    });
  return true;
}
const bool added = add_all();

CASE(shared_memory_of_the_kernel) {
  SAME(active(with_shared, 64), static_cast<int>(properties().maxSharedMemoryPerMultiProcessor / 16384));
}
CASE(shared_memory_of_both) {
  SAME(active(with_shared, 64, 16384), static_cast<int>(properties().maxSharedMemoryPerMultiProcessor / 32768));
}
CASE(more_shared_memory_than_there_is) {
  SAME(active(plain, 64, properties().sharedMemPerBlock + 1), 0);
}
CASE(larger_block_than_the_kernel_has) {
  SAME(active(bounded, 256), 0);
}
CASE(larger_block_than_there_is) {
  SAME(active(plain, 2048), 0);
}
CASE(no_threads) {
  int blocks = 0;
  GIVES(hipErrorInvalidValue, hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, pointer_of(&plain), 0, 0));
  GIVES(hipErrorInvalidValue, hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, pointer_of(&plain), -5, 0));
}
CASE(nowhere) {
  GIVES(hipErrorInvalidValue, hipOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, pointer_of(&plain), 64, 0));
}
CASE(no_kernel) {
  int blocks = 0, local = 0;
  GIVES(hipErrorInvalidDeviceFunction,
        hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, pointer_of(&local), 64, 0));
}
CASE(with_flags) {
  int blocks = 0;
  OK(hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, pointer_of(&plain), 256, 0, hipOccupancyDefault));
  SAME(blocks, active(plain, 256));
}
void best(void (*kernel)(int*), size_t shared, int limit) {
  int grid = 0, block = 0;
  OK(hipOccupancyMaxPotentialBlockSize(&grid, &block, pointer_of(kernel), shared, limit));
  EXPECT(grid > 0 && block > 0);
  EXPECT(limit == 0 || block <= limit);
  const int resident = active(kernel, block, shared);
  EXPECT(resident > 0);
  EXPECT(grid == resident * properties().multiProcessorCount);
  const int waves = resident * ((block + 63) / 64);
  for (const int other : {64, 128, 192, 256, 512, 1024})
    if (limit == 0 || other <= limit) EXPECT(active(kernel, other, shared) * (other / 64) <= waves);
}
CASE(best_block) {
  best(plain, 0, 0);
}
CASE(best_block_with_limit) {
  best(plain, 0, 200);
}
CASE(best_block_with_small_limit) {
  best(plain, 0, 40);
}
CASE(best_block_of_bounded_kernel) {
  best(bounded, 0, 0);
}
CASE(best_block_with_shared_memory) {
  best(plain, 20000, 0);
}
CASE(best_block_of_shared_kernel) {
  best(with_shared, 0, 0);
}
CASE(best_block_nowhere) {
  int value = 0;
  GIVES(hipErrorInvalidValue, hipOccupancyMaxPotentialBlockSize(nullptr, &value, pointer_of(&plain), 0, 0));
  GIVES(hipErrorInvalidValue, hipOccupancyMaxPotentialBlockSize(&value, nullptr, pointer_of(&plain), 0, 0));
}
CASE(best_block_of_no_kernel) {
  int grid = 0, block = 0, local = 0;
  GIVES(hipErrorInvalidDeviceFunction, hipOccupancyMaxPotentialBlockSize(&grid, &block, pointer_of(&local), 0, 0));
}

}  // namespace
// SPDX-License-Identifier: Apache-2.0
