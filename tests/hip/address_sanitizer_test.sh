#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# address_sanitizer_test.sh LIBRARY CC: a program that is compiled with AddressSanitizer has pinned, managed and registered memory.
# Its shadow memory takes the addresses that device memory has elsewhere, so this lies at others.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
export LD_LIBRARY_PATH=$1 ASAN_OPTIONS=detect_leaks=0 PWSVP_SET=machine.memory.dram.size_mib=256
# compile NAME OPTIMISATION
cc=$2
compile() {
  "$cc" -x hip --offload-arch=gfx803 --rocm-path=/usr "--hip-version=$PWS_HIP_VERSION" --hip-device-lib-path="$PWS_DEVICE_LIBRARIES" \
    "$2" -g -fsanitize=address -Wno-option-ignored "$folder/$1.hip" -o "$folder/$1" -lamdhip64
}
cat >"$folder/memories.hip" <<'HIP'
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
__managed__ int managed[64];
__global__ void add(int* to, const int* from) { to[threadIdx.x] += from[threadIdx.x] + managed[threadIdx.x]; }
#define OK(...) do { if ((__VA_ARGS__) != hipSuccess) { std::printf("line %d\n", __LINE__); return 3; } } while (0)
int main(int argc, char**) {
  constexpr size_t bytes = 64 * sizeof(int);
  int *pinned, *shared, *device, *seen, *own = static_cast<int*>(std::calloc(64, sizeof(int)));
  OK(hipHostMalloc(&pinned, bytes, 0));
  OK(hipMallocManaged(&shared, bytes, hipMemAttachGlobal));
  OK(hipMalloc(&device, bytes));
  OK(hipHostRegister(own, bytes, hipHostRegisterDefault));
  OK(hipHostGetDevicePointer(reinterpret_cast<void**>(&seen), own, 0));
  for (int k = 0; k < 64; ++k) {
    pinned[k] = k;
    shared[k] = 100 * k;
    managed[k] = 10000 * k;
    own[k] = 1;
  }
  OK(hipMemcpy(device, pinned, bytes, hipMemcpyDefault));
  add<<<1, 64>>>(device, shared);
  add<<<1, 64>>>(pinned, device);
  add<<<1, 64>>>(seen, pinned);
  OK(hipDeviceSynchronize());
  for (int k = 0; k < 64; ++k)
    if (pinned[k] != 20102 * k || own[k] != 30102 * k + 1) {
      std::printf("[%d]: %d, %d\n", k, pinned[k], own[k]);
      return 1;
    }
  const int last = own[63 + argc - 1];  // with an argument: one behind the last
  OK(hipHostUnregister(own));
  OK(hipHostFree(pinned));
  std::free(own);
  std::puts("PASS");
  return last == 0;
}
HIP
compile memories -O1
code 0 "$folder/memories"
says out PASS
# It is compiled with it.
code 1 "$folder/memories" one
says err heap-buffer-overflow
# A host access through a pointer of hipMalloc stays one that is found, and says at which address.
cat >"$folder/wild.hip" <<'HIP'
#include <hip/hip_runtime.h>
int main() {
  int* device;
  if (hipMalloc(&device, 64) != hipSuccess) return 3;
  return *device;
}
HIP
compile wild -O0
code 1 "$folder/wild"
says err SEGV
echo PASS
