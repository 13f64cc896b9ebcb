// SPDX-License-Identifier: Apache-2.0
#include "hip_runtime/host_window.h"

#include <sys/mman.h>

#include "base/round_up.h"

namespace pws::hip {

namespace {
constexpr uint64_t page = 4096;
constexpr int reserved_flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

void* pointer(uint64_t address) {
  return reinterpret_cast<void*>(address);
}
uint64_t whole_pages(uint64_t bytes) {
  return round_up(bytes, page);
}
}  // namespace

bool host_window::could_be_at(uint64_t begin, uint64_t size) {
  return host_window(nullptr, begin, size).available();
}

host_window::host_window(uint8_t* storage, uint64_t begin, uint64_t size)
    : storage_(storage), begin_(begin), size_(size) {
  void* at = mmap(pointer(begin), size, PROT_NONE, reserved_flags | MAP_FIXED_NOREPLACE, -1, 0);
  if (at == MAP_FAILED) return;
  available_ = at == pointer(begin);  // kernels before 4.17 take the address for a hint
  if (!available_) munmap(at, size);
}

host_window::~host_window() {
  if (available_) munmap(pointer(begin_), size_);
}

bool host_window::show(uint64_t address, uint64_t bytes) {
  if (!available_) return false;
  // An old size of 0 leaves a shared mapping where it is and makes a second one of the same pages (mremap(2)).
  void* at =
      mremap(storage_ + (address - begin_), 0, whole_pages(bytes), MREMAP_MAYMOVE | MREMAP_FIXED, pointer(address));
  return at != MAP_FAILED;
}

void host_window::hide(uint64_t address, uint64_t bytes) {
  // If the host refuses, an access after the block has been freed is no segmentation fault; all else stays right.
  static_cast<void>(mmap(pointer(address), whole_pages(bytes), PROT_NONE, reserved_flags | MAP_FIXED, -1, 0));
}

}  // namespace pws::hip
