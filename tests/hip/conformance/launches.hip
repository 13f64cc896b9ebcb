// Launches: shapes, arguments, dynamic LDS, the ways to ask for one, and what cannot be launched.
#include "conformance.h"

namespace {

__global__ void shape(int* to) {
  const size_t block = blockIdx.x + static_cast<size_t>(gridDim.x) * (blockIdx.y + gridDim.y * blockIdx.z);
  const size_t thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const size_t threads = blockDim.x * blockDim.y * blockDim.z;
  to[block * threads + thread] = static_cast<int>(block * 10000 + thread);
}
__global__ void reverse(int* data) {
  extern __shared__ int all[];
  all[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = all[blockDim.x - 1 - threadIdx.x];
}
struct mixed {
  char a;
  double b;
  short c;
};
__global__ void arguments(double* to, char a, short b, int c, long long d, float e, double f, mixed g) {
  to[0] = a;
  to[1] = b;
  to[2] = c;
  to[3] = static_cast<double>(d);
  to[4] = e;
  to[5] = f;
  to[6] = g.a + g.b + g.c;
}
__global__ void nothing() {}

bool add_shapes() {
  const struct {
    dim3 grid, block;
  } all[] = {{dim3(1), dim3(1)},        {dim3(3), dim3(64)},         {dim3(2), dim3(65)},
             {dim3(1), dim3(1024)},     {dim3(2, 3), dim3(8, 8)},    {dim3(2, 3, 2), dim3(4, 4, 4)},
             {dim3(1, 5), dim3(33)},    {dim3(1, 1, 5), dim3(7, 3)}, {dim3(4), dim3(1, 64)},
             {dim3(4), dim3(1, 1, 64)}, {dim3(200), dim3(1)},        {dim3(2), dim3(16, 16, 4)}};
  for (const auto& s : all)
    add("shape_" + std::to_string(s.grid.x) + "x" + std::to_string(s.grid.y) + "x" + std::to_string(s.grid.z) + "_of_" +
            std::to_string(s.block.x) + "x" + std::to_string(s.block.y) + "x" + std::to_string(s.block.z),
        [s] {
          const size_t blocks = size_t{s.grid.x} * s.grid.y * s.grid.z;
          const size_t threads = size_t{s.block.x} * s.block.y * s.block.z;
          const device_block<int> d(blocks * threads);
          shape<<<s.grid, s.block>>>(d.get());
          OK(hipGetLastError());
          const std::vector<int> got = d.read();
          for (size_t b = 0; b < blocks; ++b)
            for (size_t t = 0; t < threads; ++t) SAME(got[b * threads + t], static_cast<int>(b * 10000 + t));
        });
  return true;
}
const bool added = add_shapes();

CASE(arguments_of_all_sizes) {
  const device_block<double> d(7);
  const mixed g = {1, 2.25, 3};
  arguments<<<1, 1>>>(d.get(), -3, 1000, -70000, 1ll << 40, 1.5f, 2.25, g);
  OK(hipGetLastError());
  EXPECT(d.read() == std::vector<double>({-3, 1000, -70000, 1099511627776.0, 1.5, 2.25, 6.25}));
}
CASE(no_arguments) {
  nothing<<<1, 64>>>();
  OK(hipGetLastError());
  OK(hipLaunchKernel(pointer_of(&nothing), dim3(1), dim3(64), nullptr, 0, nullptr));
}
std::vector<int> counted() {
  std::vector<int> values(64);
  for (int i = 0; i < 64; ++i) values[i] = i;
  return values;
}
void is_reversed(const device_block<int>& d) {
  const std::vector<int> got = d.read();
  for (int i = 0; i < 64; ++i) SAME(got[i], 63 - i);
}
CASE(dynamic_shared_memory) {
  const device_block<int> d(counted());
  reverse<<<1, 64, 256>>>(d.get());
  OK(hipGetLastError());
  is_reversed(d);
}
CASE(launch_kernel) {
  const device_block<int> d(counted());
  int* data = d.get();
  void* list[] = {&data};
  OK(hipLaunchKernel(pointer_of(&reverse), dim3(1), dim3(64), list, 256, nullptr));
  is_reversed(d);
}
CASE(launch_kernel_per_thread) {
  const device_block<int> d(counted());
  int* data = d.get();
  void* list[] = {&data};
  OK(hipLaunchKernel_spt(pointer_of(&reverse), dim3(1), dim3(64), list, 256, nullptr));
  OK(hipStreamSynchronize(hipStreamPerThread));
  is_reversed(d);
}
CASE(launch_kernel_ext) {
  const device_block<int> d(counted());
  int* data = d.get();
  void* list[] = {&data};
  OK(hipExtLaunchKernel(pointer_of(&reverse), dim3(1), dim3(64), list, 256, nullptr, nullptr, nullptr, 0));
  is_reversed(d);
}
CASE(launch_kernel_ggl) {
  const device_block<int> d(counted());
  hipLaunchKernelGGL(reverse, dim3(1), dim3(64), 256, nullptr, d.get());
  OK(hipGetLastError());
  is_reversed(d);
}
// As old compilers launch.
CASE(configure_and_set_up) {
  const device_block<int> d(counted());
  int* data = d.get();
  OK(hipConfigureCall(dim3(1), dim3(64), 256, nullptr));
  OK(hipSetupArgument(&data, sizeof data, 0));
  OK(hipLaunchByPtr(pointer_of(&reverse)));
  is_reversed(d);
}
CASE(set_up_without_configuration) {
  int value = 0;
  GIVES(hipErrorMissingConfiguration, hipSetupArgument(&value, sizeof value, 0));
  GIVES(hipErrorMissingConfiguration, hipLaunchByPtr(pointer_of(&reverse)));
}

void refused(hipError_t want, dim3 grid, dim3 block, size_t shared = 0) {
  const device_block<int> d(64);
  const std::vector<int> before = d.read();
  int* data = d.get();
  void* list[] = {&data};
  GIVES(want, hipLaunchKernel(pointer_of(&shape), grid, block, list, shared, nullptr));
  EXPECT(d.read() == before);
}
CASE(no_blocks) {
  refused(hipErrorInvalidConfiguration, dim3(0), dim3(64));
}
CASE(no_blocks_in_z) {
  refused(hipErrorInvalidConfiguration, dim3(1, 1, 0), dim3(64));
}
CASE(no_threads) {
  refused(hipErrorInvalidConfiguration, dim3(1), dim3(0));
}
CASE(no_threads_in_y) {
  refused(hipErrorInvalidConfiguration, dim3(1), dim3(64, 0));
}
CASE(too_many_threads) {
  refused(hipErrorInvalidConfiguration, dim3(1), dim3(1025));
}
CASE(too_many_threads_together) {
  refused(hipErrorInvalidConfiguration, dim3(1), dim3(32, 32, 2));
}
CASE(too_many_work_items) {
  refused(hipErrorInvalidConfiguration, dim3(0x7fffffff), dim3(1024));
}
CASE(too_much_shared_memory) {
  refused(hipErrorLaunchOutOfResources, dim3(1), dim3(64), size_t{1} << 20);
}
CASE(no_kernel) {
  int local = 0;
  GIVES(hipErrorInvalidDeviceFunction, hipLaunchKernel(&local, dim3(1), dim3(64), nullptr, 0, nullptr));
  GIVES(hipErrorInvalidDeviceFunction, hipLaunchKernel(nullptr, dim3(1), dim3(64), nullptr, 0, nullptr));
}
CASE(channel_descriptions) {
  const hipChannelFormatDesc d = hipCreateChannelDesc(8, 16, 32, 0, hipChannelFormatKindSigned);
  EXPECT(d.x == 8 && d.y == 16 && d.z == 32 && d.w == 0 && d.f == hipChannelFormatKindSigned);
  for (const hipChannelFormatDesc& half :
       {hipCreateChannelDescHalf(), hipCreateChannelDescHalf1(), hipCreateChannelDescHalf2()})
    EXPECT(half.x == 16 && half.f == hipChannelFormatKindFloat);
}

}  // namespace
// SPDX-License-Identifier: Apache-2.0
