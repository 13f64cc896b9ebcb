// SPDX-License-Identifier: Apache-2.0
// Host-visible device memory: parts of the machine's memory mapped a second time, at the host address that equals the
// device address, so that one pointer is good on both sides (pinned and managed memory). The rest of that address range
// is reserved and inaccessible: a host access through a pointer from hipMalloc is a segmentation fault, as with a GPU
// without a large BAR.
#pragma once

#include <cstdint>

namespace pws::hip {

class host_window {
 public:
  // Device addresses [begin, begin + size) are the bytes at `storage`, a shared mapping. Both page-aligned.
  host_window(uint8_t* storage, uint64_t begin, uint64_t size);
  ~host_window();
  host_window(const host_window&) = delete;
  host_window& operator=(const host_window&) = delete;

  // Whether the process has nothing at these addresses (as it has under AddressSanitizer, whose shadow memory is
  // there).
  static bool could_be_at(uint64_t begin, uint64_t size);
  // False where the host's address range is taken.
  bool available() const { return available_; }
  // Maps whole pages, from a page-aligned address on. False if the host refuses.
  bool show(uint64_t address, uint64_t bytes);
  void hide(uint64_t address, uint64_t bytes);

 private:
  uint8_t* storage_;
  uint64_t begin_, size_;
  bool available_ = false;
};

}  // namespace pws::hip
