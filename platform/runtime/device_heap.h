// Device memory for the runtime: where allocations go. First fit, in blocks of a page, with an unmapped guard behind
// each, so that running over the end of a buffer is an access outside every allocation.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace pws::platform {

class device_heap {
 public:
  static constexpr uint64_t alignment = 4096;
  static constexpr uint64_t guard = 4096;

  device_heap(uint64_t begin, uint64_t size) : begin_(begin), end_(begin + size) {}

  // Address of `bytes` free bytes, aligned to `align` (a power of two, at least `alignment`); nothing if there is no
  // such run.
  std::optional<uint64_t> allocate(uint64_t bytes, uint64_t align = alignment);
  // False if nothing begins at `address`.
  bool release(uint64_t address);
  uint64_t used() const { return used_; }
  uint64_t free() const { return end_ - begin_ - used_; }

 private:
  uint64_t begin_, end_;
  std::map<uint64_t, uint64_t> taken_;  // begin -> end, guard included
  uint64_t used_ = 0;
};

}  // namespace pws::platform
