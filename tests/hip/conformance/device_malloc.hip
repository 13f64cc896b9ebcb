// flags: --hip-version
// malloc, free, new and delete in kernels.
#include <algorithm>

#include "conformance.h"

namespace {

__device__ unsigned word_of(unsigned item, unsigned k) {
  return item * 2654435761u + k * 40503u + 7;
}

// Every work-item has a block of its own size, and nobody writes into it.
__global__ void fill_own(unsigned rounds, unsigned step, unsigned* wrong) {
  const unsigned item = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned r = 0; r < rounds; ++r) {
    const unsigned words = 1 + (item * step + r * 17) % 700;
    auto* const block = static_cast<unsigned*>(malloc(words * sizeof(unsigned)));
    if (block == nullptr) {
      atomicAdd(wrong, 1u);
      continue;
    }
    for (unsigned k = 0; k < words; ++k) block[k] = word_of(item, k);
    __syncthreads();
    unsigned bad = 0;
    for (unsigned k = 0; k < words; ++k) bad += block[k] != word_of(item, k);
    if (bad != 0) atomicAdd(wrong, bad);
    free(block);
  }
}
void all_right(unsigned blocks, unsigned threads, unsigned rounds, unsigned step) {
  const device_block<unsigned> wrong(std::vector<unsigned>(1, 0));
  fill_own<<<blocks, threads>>>(rounds, step, wrong.get());
  SAME(wrong.read()[0], 0u);
}
CASE(one_block) {
  all_right(1, 1, 1, 3);
}
CASE(a_block_for_each) {
  all_right(2, 64, 1, 3);
}
CASE(again_and_again) {
  all_right(1, 64, 20, 5);
}
CASE(several_wavefronts) {
  all_right(4, 128, 3, 11);
}
CASE(all_of_one_size) {
  all_right(2, 128, 2, 0);
}

// ---- from kernel to kernel

struct node {
  unsigned value;
  node* next;
};
__global__ void make_list(node** head, unsigned n) {
  node* first = nullptr;
  for (unsigned k = 0; k < n; ++k) {
    auto* const one = static_cast<node*>(malloc(sizeof(node)));
    one->value = k * k;
    one->next = first;
    first = one;
  }
  *head = first;
}
__global__ void walk_list(node* const* head, unsigned* sum, unsigned* count) {
  for (const node* at = *head; at != nullptr; at = at->next) {
    *sum += at->value;
    ++*count;
  }
}
__global__ void free_list(node** head) {
  for (node* at = *head; at != nullptr;) {
    node* const next = at->next;
    free(at);
    at = next;
  }
  *head = nullptr;
}
CASE(a_list_over_three_kernels) {
  constexpr unsigned n = 300;
  const device_block<node*> head(1);
  const device_block<unsigned> sum(std::vector<unsigned>(1, 0)), count(std::vector<unsigned>(1, 0));
  make_list<<<1, 1>>>(head.get(), n);
  walk_list<<<1, 1>>>(head.get(), sum.get(), count.get());
  free_list<<<1, 1>>>(head.get());
  SAME(count.read()[0], n);
  SAME(sum.read()[0], (n - 1) * n * (2 * n - 1) / 6);
  OK(hipDeviceSynchronize());
}
__global__ void keep(unsigned** blocks, unsigned words) {
  const unsigned item = blockIdx.x * blockDim.x + threadIdx.x;
  blocks[item] = static_cast<unsigned*>(malloc(words * sizeof(unsigned)));
  for (unsigned k = 0; k < words && blocks[item] != nullptr; ++k) blocks[item][k] = word_of(item, k);
}
__global__ void check_kept(unsigned* const* blocks, unsigned words, unsigned* wrong) {
  const unsigned item = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned k = 0; k < words; ++k)
    if (blocks[item] == nullptr || blocks[item][k] != word_of(item, k)) atomicAdd(wrong, 1u);
}
__global__ void give_back(unsigned** blocks) {
  free(blocks[blockIdx.x * blockDim.x + threadIdx.x]);
}
void kept(unsigned words) {
  const device_block<unsigned*> blocks(256);
  const device_block<unsigned> wrong(std::vector<unsigned>(1, 0));
  keep<<<4, 64>>>(blocks.get(), words);
  check_kept<<<4, 64>>>(blocks.get(), words, wrong.get());
  SAME(wrong.read()[0], 0u);
  std::vector<unsigned*> all = blocks.read();
  std::sort(all.begin(), all.end());
  for (size_t k = 1; k < all.size(); ++k) EXPECT(all[k] >= all[k - 1] + words);
  give_back<<<4, 64>>>(blocks.get());
  OK(hipDeviceSynchronize());
}
CASE(kept_small) {
  kept(3);
}
CASE(kept_middling) {
  kept(300);
}
CASE(kept_large) {
  kept(2000);
}
CASE(kept_larger_than_a_page) {
  kept(5000);
}

// ---- new and delete

struct thing {
  double a;
  int b;
  __device__ explicit thing(int x) : a(x * 0.5), b(x) {}
};
__global__ void use_new(double* out) {
  auto* const t = new thing(static_cast<int>(threadIdx.x));
  auto* const many = new int[10 + threadIdx.x];
  for (unsigned k = 0; k < 10 + threadIdx.x; ++k) many[k] = t->b;
  out[threadIdx.x] = t->a + many[9 + threadIdx.x];
  delete[] many;
  delete t;
}
CASE(new_and_delete) {
  const device_block<double> out(64);
  use_new<<<1, 64>>>(out.get());
  const std::vector<double> got = out.read();
  for (unsigned i = 0; i < 64; ++i) SAME(got[i], i * 1.5);
}

// ---- what there is not

__global__ void ask(size_t bytes, void** out) {
  out[threadIdx.x] = malloc(bytes);
}
__global__ void free_all(void** blocks) {
  free(blocks[threadIdx.x]);
}
CASE(nothing) {
  const device_block<void*> out(1);
  ask<<<1, 1>>>(0, out.get());
  EXPECT(out.read()[0] == nullptr);
}
CASE(more_than_there_is) {
  const device_block<void*> out(1);
  ask<<<1, 1>>>(size_t{1} << 40, out.get());
  EXPECT(out.read()[0] == nullptr);
}
CASE(until_there_is_no_more) {
  size_t free_before = 0, total = 0, free_behind = 0;
  OK(hipMemGetInfo(&free_before, &total));
  const device_block<void*> out(64);
  ask<<<1, 64>>>(total / 40, out.get());
  const std::vector<void*> got = out.read();
  const auto none = std::count(got.begin(), got.end(), nullptr);
  EXPECT(none > 20 && none < 40);
  void* p = nullptr;
  GIVES(hipErrorOutOfMemory, hipMalloc(&p, total / 2));
  free_all<<<1, 64>>>(out.get());
  OK(hipDeviceSynchronize());
  ask<<<1, 1>>>(total / 2, out.get());
  EXPECT(out.read()[0] != nullptr);
  free_all<<<1, 1>>>(out.get());
  OK(hipDeviceSynchronize());
  OK(hipMemGetInfo(&free_behind, &total));
  EXPECT(free_behind + (1 << 20) >= free_before);
}
CASE(free_of_nothing) {
  const device_block<void*> none(std::vector<void*>(64, nullptr));
  free_all<<<1, 64>>>(none.get());
  OK(hipDeviceSynchronize());
}
__global__ void by_some(unsigned* wrong) {
  if (threadIdx.x % 3 != 1) return;
  auto* const a = static_cast<unsigned*>(malloc(40));
  a[9] = threadIdx.x;
  if (threadIdx.x % 2 == 0) {
    auto* const b = static_cast<unsigned*>(malloc(4000));
    b[999] = threadIdx.x;
    if (b[999] != a[9]) atomicAdd(wrong, 1u);
    free(b);
  }
  if (a[9] != threadIdx.x) atomicAdd(wrong, 1u);
  free(a);
}
CASE(by_some_work_items) {
  const device_block<unsigned> wrong(std::vector<unsigned>(1, 0));
  by_some<<<2, 128>>>(wrong.get());
  SAME(wrong.read()[0], 0u);
}

// ---- freed twice: a large block is a block of the runtime's

CASE(freed_twice) {
  const device_block<void*> out(1);
  ask<<<1, 1>>>(100000, out.get());
  free_all<<<1, 1>>>(out.get());
  OK(hipDeviceSynchronize());
  free_all<<<1, 1>>>(out.get());
  OK(hipDeviceSynchronize());  // told of on standard error, and no more
}

// ---- a reset takes it

CASE(after_a_reset) {
  size_t free_before = 0, total = 0, free_behind = 0;
  OK(hipDeviceReset());
  OK(hipMemGetInfo(&free_before, &total));
  {
    const device_block<void*> out(64);
    ask<<<1, 64>>>(1 << 20, out.get());
    EXPECT(out.read()[63] != nullptr);
    ask<<<1, 64>>>(100, out.get());
    EXPECT(out.read()[63] != nullptr);
  }
  OK(hipDeviceReset());
  OK(hipMemGetInfo(&free_behind, &total));
  EXPECT(free_behind + (1 << 20) >= free_before);
  all_right(2, 64, 2, 3);
}

}  // namespace
// SPDX-License-Identifier: Apache-2.0
