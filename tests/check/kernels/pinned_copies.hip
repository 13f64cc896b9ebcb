// Copies to memory of the host that kernels can reach: how the host reads it afterwards is not seen, so that a copy to
// it counts as the reading. pinned_copies_test.py runs one case at a time: what the check init has to find is said
// here, as the number of bytes that nothing has written in each place.
//
// filled: finds nothing
// not_filled: finds 4096
// half_filled: finds 2048
// all_stored: finds nothing
// last_not_stored: finds 4
// filled_before_in_stream: finds nothing
// filled_after_in_stream: finds 4096
// by_device_pointer: finds 4096
// default_kind: finds 4096
// rows_filled: finds nothing
// rows_not_filled: finds 64
// within_device: finds nothing
// twice: finds 4096
// to_registered: finds 4096
// to_registered_filled: finds nothing
// to_managed: finds nothing
// from_pinned: finds nothing
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#define DO(call)                                                          \
  do {                                                                    \
    const hipError_t result = (call);                                     \
    if (result != hipSuccess) {                                           \
      std::fprintf(stderr, "%s: %s\n", #call, hipGetErrorString(result)); \
      std::exit(2);                                                       \
    }                                                                     \
  } while (false)

namespace {

constexpr unsigned words = 1024;
constexpr size_t bytes = words * sizeof(unsigned);

__global__ void number(unsigned* to, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = i;
}

unsigned* on_device() {
  unsigned* p;
  DO(hipMalloc(&p, bytes));
  return p;
}

unsigned* pinned() {
  unsigned* p;
  DO(hipHostMalloc(&p, bytes, hipHostMallocMapped));
  return p;
}

void copy(unsigned* to, const unsigned* from, hipMemcpyKind kind = hipMemcpyDeviceToHost) {
  DO(hipMemcpyAsync(to, from, bytes, kind, nullptr));
}

// Rows of 64 bytes, at every 256th.
void rows(unsigned filled) {
  unsigned* from = on_device();
  for (unsigned row = 0; row < filled; ++row) DO(hipMemset(from + 64 * row, 1, 64));
  DO(hipMemcpy2D(pinned(), 64, from, 256, 64, bytes / 256, hipMemcpyDeviceToHost));
}

}  // namespace

int main(int, char** argv) {
  const std::string name = argv[1];
  unsigned* from = on_device();
  if (name == "filled") {
    DO(hipMemset(from, 0, bytes));
    copy(pinned(), from);
  } else if (name == "not_filled") {
    copy(pinned(), from);
  } else if (name == "half_filled") {
    DO(hipMemset(from, 0, bytes / 2));
    copy(pinned(), from);
  } else if (name == "all_stored") {
    number<<<words / 64, 64>>>(from, words);
    copy(pinned(), from);
  } else if (name == "last_not_stored") {
    number<<<words / 64, 64>>>(from, words - 1);
    copy(pinned(), from);
  } else if (name == "filled_before_in_stream") {
    DO(hipMemsetAsync(from, 0, bytes, nullptr));
    copy(pinned(), from);
  } else if (name == "filled_after_in_stream") {
    copy(pinned(), from);
    DO(hipMemsetAsync(from, 0, bytes, nullptr));
  } else if (name == "by_device_pointer") {
    unsigned* to;
    DO(hipHostGetDevicePointer(reinterpret_cast<void**>(&to), pinned(), 0));
    copy(to, from, hipMemcpyDeviceToDevice);
  } else if (name == "default_kind") {
    copy(pinned(), from, hipMemcpyDefault);
  } else if (name == "rows_filled") {
    rows(bytes / 256);
  } else if (name == "rows_not_filled") {
    rows(bytes / 256 - 1);
  } else if (name == "within_device") {  // is no use yet
    copy(on_device(), from, hipMemcpyDeviceToDevice);
  } else if (name == "twice") {
    unsigned* between = on_device();
    copy(between, from, hipMemcpyDeviceToDevice);
    copy(pinned(), between);
  } else if (name == "to_registered" || name == "to_registered_filled") {
    std::vector<unsigned> to(words);
    DO(hipHostRegister(to.data(), bytes, hipHostRegisterDefault));
    if (name == "to_registered_filled") DO(hipMemset(from, 0, bytes));
    copy(to.data(), from);
    DO(hipDeviceSynchronize());
    DO(hipHostUnregister(to.data()));
  } else if (name == "to_managed") {  // may be for kernels
    unsigned* to;
    DO(hipMallocManaged(&to, bytes));
    copy(to, from, hipMemcpyDefault);
  } else if (name == "from_pinned") {  // what the host writes there is not seen
    copy(from, pinned(), hipMemcpyHostToDevice);
    copy(pinned(), from);
  } else {
    std::fprintf(stderr, "no case %s\n", name.c_str());
    return 2;
  }
  DO(hipDeviceSynchronize());
  return 0;
}
// SPDX-License-Identifier: Apache-2.0
