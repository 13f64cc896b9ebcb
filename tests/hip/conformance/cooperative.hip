// timing: yes
// queues: yes
// flags: --hip-version
// Launches whose blocks are all on the device at the same time, and barriers of the grid.
#include <hip/hip_runtime.h>
// It needs the other before it.
#include <hip/hip_cooperative_groups.h>

#include <algorithm>

#include "conformance.h"

namespace {

namespace cg = cooperative_groups;

unsigned blocks_that_fit(const void* kernel, int threads, size_t lds = 0) {
  int per_unit = 0;
  hipDeviceProp_t p;
  OK(hipGetDeviceProperties(&p, 0));
  OK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&per_unit, kernel, threads, lds));
  EXPECT(per_unit > 0);
  return static_cast<unsigned>(per_unit * p.multiProcessorCount);
}

// Each phase takes the neighbours of the phase before, of other blocks too; between phases all of the grid must be
// done. The first block is slow.
__global__ void stencil(int* a, int* b, int n, int phases) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  for (int k = 0; k < phases; ++k) {
    if (blockIdx.x == 0) {
      unsigned x = threadIdx.x;
      for (int j = 0; j < 50; ++j) {
        x = x * 1664525u + 1013904223u;
        asm volatile("" : "+v"(x));
      }
    }
    const int left = (i + n - 1) % n, right = (i + 1) % n;
    b[i] = a[left] + 2 * a[i] + a[right] + 1;
    cg::this_grid().sync();
    int* const t = a;
    a = b;
    b = t;
  }
}
std::vector<int> stencil_on_host(std::vector<int> a, int phases) {
  const size_t n = a.size();
  std::vector<int> b(n);
  for (int k = 0; k < phases; ++k) {
    for (size_t i = 0; i < n; ++i)
      b[i] = static_cast<int>(static_cast<unsigned>(a[(i + n - 1) % n]) + 2u * static_cast<unsigned>(a[i]) +
                              static_cast<unsigned>(a[(i + 1) % n]) + 1u);
    std::swap(a, b);
  }
  return a;
}
void run_stencil(unsigned blocks, unsigned threads, int phases, hipStream_t stream = nullptr, size_t lds = 0) {
  std::vector<int> start(size_t{blocks} * threads);
  for (size_t i = 0; i < start.size(); ++i) start[i] = static_cast<int>(i * 37 % 101);
  const device_block<int> a(start), b(start.size());
  int *pa = a.get(), *pb = b.get(), n = static_cast<int>(start.size());
  void* arguments[] = {&pa, &pb, &n, &phases};
  OK(hipLaunchCooperativeKernel(pointer_of(&stencil), dim3(blocks), dim3(threads), arguments,
                                static_cast<unsigned>(lds), stream));
  OK(hipStreamSynchronize(stream));
  EXPECT((phases % 2 == 0 ? a : b).read() == stencil_on_host(start, phases));
}

CASE(device_can) {
  int can = 0;
  OK(hipDeviceGetAttribute(&can, hipDeviceAttributeCooperativeLaunch, 0));
  SAME(can, 1);
  OK(hipDeviceGetAttribute(&can, hipDeviceAttributeCooperativeMultiDeviceLaunch, 0));
  SAME(can, 1);
}
CASE(one_phase) {
  run_stencil(4, 64, 1);
}
CASE(several_phases) {
  run_stencil(8, 128, 7);
}
CASE(many_phases) {
  run_stencil(6, 64, 100);
}
CASE(one_block) {
  run_stencil(1, 256, 5);
}
CASE(one_work_item) {
  run_stencil(1, 1, 3);
}
CASE(blocks_of_one_work_item) {
  run_stencil(20, 1, 9);
}
CASE(blocks_that_are_no_whole_wavefronts) {
  run_stencil(7, 100, 6);
}
CASE(in_a_stream) {
  const own_stream s;
  run_stencil(8, 64, 4, s);
}
CASE(one_after_the_other) {
  for (int k = 1; k < 4; ++k) run_stencil(8, 64, k);
}

// ---- how many fit

CASE(as_many_as_fit) {
  run_stencil(blocks_that_fit(pointer_of(&stencil), 1024), 1024, 3);
}
CASE(as_many_small_ones_as_fit) {
  run_stencil(blocks_that_fit(pointer_of(&stencil), 64), 64, 2);
}
CASE(as_many_as_fit_with_lds) {
  const size_t lds = 20000;
  const unsigned fit = blocks_that_fit(pointer_of(&stencil), 64, lds);
  EXPECT(fit < blocks_that_fit(pointer_of(&stencil), 64));
  run_stencil(fit, 64, 3, nullptr, lds);
}
__global__ void mark(int* done) {
  *done = 1;
  cg::this_grid().sync();
}
void one_too_many(unsigned threads, size_t lds) {
  const device_block<int> done(std::vector<int>(1, 0));
  int* p = done.get();
  void* arguments[] = {&p};
  const unsigned fit = blocks_that_fit(pointer_of(&mark), static_cast<int>(threads), lds);
  GIVES(hipErrorCooperativeLaunchTooLarge, hipLaunchCooperativeKernel(pointer_of(&mark), dim3(fit + 1), dim3(threads),
                                                                      arguments, static_cast<unsigned>(lds), nullptr));
  SAME(done.read()[0], 0);
  OK(hipLaunchCooperativeKernel(pointer_of(&mark), dim3(fit), dim3(threads), arguments, static_cast<unsigned>(lds),
                                nullptr));
  SAME(done.read()[0], 1);
}
CASE(one_too_many_large_ones) {
  one_too_many(1024, 0);
}
CASE(one_too_many_small_ones) {
  one_too_many(64, 0);
}
CASE(one_too_many_for_lds) {
  one_too_many(64, 30000);
}
CASE(one_too_many_in_three_dimensions) {
  const device_block<int> done(std::vector<int>(1, 0));
  int* p = done.get();
  void* arguments[] = {&p};
  GIVES(hipErrorCooperativeLaunchTooLarge,
        hipLaunchCooperativeKernel(pointer_of(&mark), dim3(100, 100, 2), dim3(8, 8), arguments, 0, nullptr));
  SAME(done.read()[0], 0);
}
__global__ __launch_bounds__(64) void many_registers(float* data) {
  float x[100];
  for (int k = 0; k < 100; ++k) x[k] = data[k * 64 + threadIdx.x];
  cg::this_grid().sync();
  for (int k = 0; k < 100; ++k) data[(99 - k) * 64 + threadIdx.x] = x[k] + 1;
}
CASE(registers_decide_how_many) {
  const unsigned fit = blocks_that_fit(pointer_of(&many_registers), 64);
  EXPECT(fit < blocks_that_fit(pointer_of(&mark), 64));
  const device_block<float> data(6400);
  float* p = data.get();
  void* arguments[] = {&p};
  GIVES(hipErrorCooperativeLaunchTooLarge,
        hipLaunchCooperativeKernel(pointer_of(&many_registers), dim3(fit + 1), dim3(64), arguments, 0, nullptr));
}

// ---- wrong calls

CASE(no_function) {
  GIVES(hipErrorInvalidDeviceFunction,
        hipLaunchCooperativeKernel(static_cast<const void*>(nullptr), dim3(1), dim3(64), nullptr, 0, nullptr));
}
CASE(no_threads) {
  int* p = nullptr;
  void* arguments[] = {&p};
  GIVES(hipErrorInvalidConfiguration,
        hipLaunchCooperativeKernel(pointer_of(&mark), dim3(0), dim3(64), arguments, 0, nullptr));
  GIVES(hipErrorInvalidConfiguration,
        hipLaunchCooperativeKernel(pointer_of(&mark), dim3(1), dim3(2048), arguments, 0, nullptr));
}
CASE(no_arguments) {
  GIVES(hipErrorInvalidValue, hipLaunchCooperativeKernel(pointer_of(&mark), dim3(1), dim3(64), nullptr, 0, nullptr));
}

// ---- what device code is told

__global__ void look(unsigned* out) {
  cg::grid_group grid = cg::this_grid();
  const unsigned rank = static_cast<unsigned>(grid.thread_rank());
  if (rank == grid.size() - 1) {
    out[0] = grid.is_valid();
    out[1] = static_cast<unsigned>(grid.size());
    out[2] = rank;
  }
}
CASE(group_in_a_cooperative_launch) {
  const device_block<unsigned> out(3);
  unsigned* p = out.get();
  void* arguments[] = {&p};
  OK(hipLaunchCooperativeKernel(pointer_of(&look), dim3(3, 2, 2), dim3(5, 7, 3), arguments, 0, nullptr));
  const std::vector<unsigned> got = out.read();
  SAME(got[0], 1u);
  SAME(got[1], 12u * 105u);
  SAME(got[2], 12u * 105u - 1);
}
CASE(group_in_another_launch) {
  const device_block<unsigned> out(3);
  look<<<4, 64>>>(out.get());
  SAME(out.read()[0], 0u);
}

// Blocks of three dimensions; the sum of what all have written, by the last work-item of all.
__global__ void sum_of_all(unsigned* values, unsigned* sum) {
  cg::grid_group grid = cg::this_grid();
  const unsigned rank = static_cast<unsigned>(grid.thread_rank());
  values[rank] = 3 * rank + 1;
  grid.sync();
  if (rank != grid.size() - 1) return;
  unsigned all = 0;
  for (unsigned k = 0; k < grid.size(); ++k) all += values[k];
  *sum = all;
}
CASE(the_last_work_item_sees_all) {
  const unsigned n = 2 * 3 * 2 * 5 * 7 * 3;
  const device_block<unsigned> values(n), sum(1);
  unsigned *v = values.get(), *s = sum.get();
  void* arguments[] = {&v, &s};
  OK(hipLaunchCooperativeKernel(pointer_of(&sum_of_all), dim3(2, 3, 2), dim3(5, 7, 3), arguments, 0, nullptr));
  SAME(sum.read()[0], 3 * (n * (n - 1) / 2) + n);
}

// A barrier of the program's own: all blocks must go on while they wait for each other.
__global__ void own_barrier(unsigned* count, unsigned* seen, int rounds) {
  for (int k = 1; k <= rounds; ++k) {
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(count, 1u);
      while (__hip_atomic_load(count, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) < k * gridDim.x)
        __builtin_amdgcn_s_sleep(2);
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) seen[blockIdx.x] = __hip_atomic_load(count, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
CASE(barrier_of_the_programs_own) {
  const unsigned blocks = blocks_that_fit(pointer_of(&own_barrier), 256);
  const device_block<unsigned> count(std::vector<unsigned>(1, 0)), seen(blocks);
  unsigned *c = count.get(), *s = seen.get();
  int rounds = 5;
  void* arguments[] = {&c, &s, &rounds};
  OK(hipLaunchCooperativeKernel(pointer_of(&own_barrier), dim3(blocks), dim3(256), arguments, 0, nullptr));
  for (const unsigned x : seen.read()) SAME(x, 5 * blocks);
}

// ---- over several devices, of which there is one

__global__ void look_at_grids(unsigned* out, unsigned* values) {
  cg::multi_grid_group grids = cg::this_multi_grid();
  const unsigned rank = static_cast<unsigned>(grids.thread_rank());
  values[rank] = rank + 1;
  grids.sync();
  const unsigned other = values[grids.size() - 1 - rank];
  grids.sync();
  values[rank] = other;
  cg::this_grid().sync();
  if (rank == 0) {
    out[0] = grids.is_valid();
    out[1] = grids.num_grids();
    out[2] = grids.grid_rank();
    out[3] = static_cast<unsigned>(grids.size());
  }
}
CASE(launch_on_one_device) {
  const own_stream s;
  const device_block<unsigned> out(4), values(512);
  unsigned *o = out.get(), *v = values.get();
  void* arguments[] = {&o, &v};
  hipLaunchParams launch{pointer_of(&look_at_grids), dim3(8), dim3(64), arguments, 0, s};
  for (int k = 0; k < 3; ++k) {
    OK(hipLaunchCooperativeKernelMultiDevice(&launch, 1, 0));
    OK(hipStreamSynchronize(s));
    const std::vector<unsigned> got = out.read();
    SAME(got[0], 1u);
    SAME(got[1], 1u);
    SAME(got[2], 0u);
    SAME(got[3], 512u);
    const std::vector<unsigned> w = values.read();
    for (unsigned i = 0; i < 512; ++i) SAME(w[i], 512 - i);
  }
}
CASE(launch_on_one_device_without_waits_around_it) {
  const own_stream s;
  const device_block<unsigned> out(4), values(64);
  unsigned *o = out.get(), *v = values.get();
  void* arguments[] = {&o, &v};
  hipLaunchParams launch{pointer_of(&look_at_grids), dim3(1), dim3(64), arguments, 0, s};
  OK(hipLaunchCooperativeKernelMultiDevice(
      &launch, 1, hipCooperativeLaunchMultiDeviceNoPreSync | hipCooperativeLaunchMultiDeviceNoPostSync));
  OK(hipStreamSynchronize(s));
  SAME(out.read()[3], 64u);
}
CASE(launch_on_several_devices) {
  const own_stream s;
  const device_block<unsigned> out(4), values(64);
  unsigned *o = out.get(), *v = values.get();
  void* arguments[] = {&o, &v};
  hipLaunchParams launch[2] = {{pointer_of(&look_at_grids), dim3(1), dim3(64), arguments, 0, s},
                               {pointer_of(&look_at_grids), dim3(1), dim3(64), arguments, 0, s}};
  GIVES(hipErrorInvalidValue, hipLaunchCooperativeKernelMultiDevice(launch, 2, 0));
  GIVES(hipErrorInvalidValue, hipLaunchCooperativeKernelMultiDevice(launch, 0, 0));
  GIVES(hipErrorInvalidValue, hipLaunchCooperativeKernelMultiDevice(nullptr, 1, 0));
  GIVES(hipErrorInvalidValue, hipLaunchCooperativeKernelMultiDevice(launch, 1, 4));
  launch[0].stream = nullptr;
  GIVES(hipErrorInvalidHandle, hipLaunchCooperativeKernelMultiDevice(launch, 1, 0));
}
CASE(too_large_on_one_device) {
  const own_stream s;
  const device_block<int> done(std::vector<int>(1, 0));
  int* p = done.get();
  void* arguments[] = {&p};
  hipLaunchParams launch{
      pointer_of(&mark), dim3(blocks_that_fit(pointer_of(&mark), 256) + 1), dim3(256), arguments, 0, s};
  GIVES(hipErrorCooperativeLaunchTooLarge, hipLaunchCooperativeKernelMultiDevice(&launch, 1, 0));
  SAME(done.read()[0], 0);
}
__global__ void plain(int* data) {
  data[blockIdx.x * blockDim.x + threadIdx.x] = static_cast<int>(blockIdx.x);
}
CASE(plain_launch_on_one_device) {
  const own_stream s;
  const device_block<int> data(64 * 1000);
  int* p = data.get();
  void* arguments[] = {&p};
  hipLaunchParams launch{pointer_of(&plain), dim3(1000), dim3(64), arguments, 0, s};
  OK(hipExtLaunchMultiKernelMultiDevice(&launch, 1, 0));
  OK(hipStreamSynchronize(s));
  const std::vector<int> got = data.read();
  for (size_t i = 0; i < got.size(); ++i) SAME(got[i], static_cast<int>(i / 64));
  GIVES(hipErrorInvalidValue, hipExtLaunchMultiKernelMultiDevice(&launch, 2, 0));
  GIVES(hipErrorInvalidValue, hipExtLaunchMultiKernelMultiDevice(nullptr, 1, 0));
}

// ---- beside other work

CASE(captured_into_a_graph) {
  const own_stream s;
  std::vector<int> start(8 * 64, 1);
  const device_block<int> a(start), b(start.size());
  int *pa = a.get(), *pb = b.get(), n = static_cast<int>(start.size()), phases = 4;
  void* arguments[] = {&pa, &pb, &n, &phases};
  OK(hipStreamBeginCapture(s, hipStreamCaptureModeGlobal));
  OK(hipLaunchCooperativeKernel(pointer_of(&stencil), dim3(8), dim3(64), arguments, 0, s));
  hipGraph_t graph = nullptr;
  OK(hipStreamEndCapture(s, &graph));
  hipGraphExec_t ready = nullptr;
  OK(hipGraphInstantiate(&ready, graph, nullptr, nullptr, 0));
  OK(hipGraphLaunch(ready, s));
  OK(hipStreamSynchronize(s));
  EXPECT(a.read() == stencil_on_host(start, 4));
  OK(hipGraphExecDestroy(ready));
  OK(hipGraphDestroy(graph));
}
CASE(beside_other_streams) {
  const own_stream s, t;
  const device_block<int> data(64 * 500);
  plain<<<500, 64, 0, t>>>(data.get());
  run_stencil(blocks_that_fit(pointer_of(&stencil), 256), 256, 3, s);
  OK(hipStreamSynchronize(t));
  const std::vector<int> got = data.read();
  for (size_t i = 0; i < got.size(); ++i) SAME(got[i], static_cast<int>(i / 64));
}
CASE(called_as_with_a_default_stream_per_thread) {
  const device_block<int> done(std::vector<int>(1, 0));
  int* p = done.get();
  void* arguments[] = {&p};
  OK(hipLaunchCooperativeKernel_spt(pointer_of(&mark), dim3(2), dim3(64), arguments, 0, nullptr));
  SAME(done.read()[0], 1);
}

}  // namespace
// SPDX-License-Identifier: Apache-2.0
