// SPDX-License-Identifier: Apache-2.0
// Device memory for the runtime: where allocations go. First fit, in blocks of a page, with an unmapped guard behind
// each, so that running over the end of a buffer is an access outside every allocation.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>

#include "base/state_archive.h"

namespace pws::platform {

class device_heap {
 public:
  static constexpr uint64_t alignment = 4096;
  static constexpr uint64_t guard = 4096;

  device_heap(uint64_t begin, uint64_t size) : begin_(begin), end_(begin + size) {}

  // From now on what is retired is given to nobody until that many bytes, or `most_kept` blocks, have been retired
  // after it, or a block fits nowhere else. 0, as at first: it is free at once.
  void keep_retired(uint64_t bytes) { keeps_ = bytes; }
  static constexpr size_t most_kept = 4096;  // every allocation looks at all of them

  // Address of `bytes` free bytes, aligned to `align` (a power of two, at least `alignment`); nothing if there is no
  // such run.
  std::optional<uint64_t> allocate(uint64_t bytes, uint64_t align = alignment);
  // False if nothing begins at `address`.
  bool release(uint64_t address);
  // The same, for a block of which somebody may still have the address: its place is kept as keep_retired() says. The
  // last one is kept whatever its size. It counts as free.
  bool retire(uint64_t address);
  uint64_t used() const { return used_; }
  uint64_t free() const { return end_ - begin_ - used_; }
  // From the beginning to behind the last byte that has ever been in a block.
  uint64_t touched() const { return touched_; }
  // Which blocks are taken.
  void keep(state_archive& a);

 private:
  struct run {
    uint64_t end = 0;  // guard included
    bool kept = false;
  };
  using runs = std::map<uint64_t, run>;  // by beginning
  // The first place for `need` bytes, perhaps where blocks are kept; nothing if there is none.
  std::optional<uint64_t> place_of(uint64_t need, uint64_t align, bool over_kept) const;
  runs::iterator in_use(uint64_t address);
  void drop_oldest();

  uint64_t begin_, end_;
  runs taken_;
  uint64_t used_ = 0, touched_ = 0;
  uint64_t keeps_ = 0;         // bytes at most, but for the last block
  std::deque<uint64_t> kept_;  // addresses, the oldest first
  uint64_t kept_bytes_ = 0;
};

}  // namespace pws::platform
