// __device__ variables: initial values, state that lasts over launches, a pointer variable set by the host, one
// variable that holds the address of another.
#include "check.h"

__device__ int launches = 100;
__device__ uint64_t wide_state = 0x123456789abcdefull;
__device__ float zeroed[300];
__device__ int* shared_pointer;
__device__ int target = 77;
__device__ int* const target_address = &target;
static __device__ short private_values[3] = {-1, -2, -3};

__global__ void step(int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) zeroed[i] += i * 0.5f;
  if (i == 0) {
    ++launches;
    wide_state = wide_state * 6364136223846793005ull + 1442695040888963407ull;
    *target_address += 1;
    for (short& value : private_values) value = static_cast<short>(value * 2);
  }
}
__global__ void through_pointer(int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) shared_pointer[i] = n - i;
}

template <typename T>
static T read_symbol(const T& symbol) {
  T value;
  HIP_CHECK(hipMemcpyFromSymbol(&value, HIP_SYMBOL(symbol), sizeof value));
  return value;
}

int main() {
  uint64_t state = 0x123456789abcdefull;
  CHECK(read_symbol(launches) == 100, "initial value is %d", read_symbol(launches));
  CHECK(read_symbol(wide_state) == state, "initial 64-bit value is 0x%llx",
        static_cast<unsigned long long>(read_symbol(wide_state)));
  for (int k = 0; k < 3; ++k) {
    step<<<2, 150>>>(300);
    CHECK_LAUNCH();
    state = state * 6364136223846793005ull + 1442695040888963407ull;
  }
  HIP_CHECK(hipDeviceSynchronize());
  CHECK(read_symbol(launches) == 103, "launches is %d, expected 103", read_symbol(launches));
  CHECK(read_symbol(wide_state) == state, "wide_state is 0x%llx",
        static_cast<unsigned long long>(read_symbol(wide_state)));
  CHECK(read_symbol(target) == 80, "target is %d, expected 80", read_symbol(target));
  short values[3];
  HIP_CHECK(hipMemcpyFromSymbol(values, HIP_SYMBOL(private_values), sizeof values));
  CHECK(values[0] == -8 && values[1] == -16 && values[2] == -24, "private_values are %d %d %d", values[0], values[1],
        values[2]);
  std::vector<float> sums(300), want(300);
  HIP_CHECK(hipMemcpyFromSymbol(sums.data(), HIP_SYMBOL(zeroed), 300 * sizeof(float)));
  for (int i = 0; i < 300; ++i) want[i] = 1.5f * i;
  CHECK_SAME("zeroed", sums, want);

  const int n = 501;
  check::device_array<int> data(n);
  int* address = data.get();
  HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(shared_pointer), &address, sizeof address));
  through_pointer<<<check::blocks_for(n, 128), 128>>>(n);
  CHECK_LAUNCH();
  std::vector<int> countdown(n);
  for (int i = 0; i < n; ++i) countdown[i] = n - i;
  CHECK_SAME("through pointer", data.download(), countdown);
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
