// SPDX-License-Identifier: Apache-2.0
// The instruction buffers of a SIMD unit whose paths issue as warps. Where wavefronts issue, each has a buffer of its
// own; here they are one store of aligned blocks, which paths at the same place share. The block that was asked for
// longest ago gives way.
#pragma once

#include <cstdint>
#include <vector>

#include "base/state_archive.h"
#include "models/formation/warp_pool.h"

namespace pws::models {

class instruction_blocks {
 public:
  // As much as the instruction buffers of all wavefront contexts hold, at least two blocks.
  explicit instruction_blocks(const machine_config& c);

  uint64_t block_of(uint64_t address) const { return address & ~uint64_t{bytes_ - 1}; }
  uint32_t bytes() const { return bytes_; }
  // From when on the block at this address is here. `never`: it is on its way, and `path` is among those told when it
  // has arrived, to ask again. The block behind it is asked for too, if it begins before `end`.
  cycle_t ask(uint64_t address, uint64_t end, path_id path);

  bool fetches() const { return first_ < queue_.size(); }
  // The index of the block whose fetch begins now.
  uint32_t begin_fetch();
  uint64_t address(uint32_t index) const { return blocks_[index].address; }
  // It has arrived; `paths` are those that wait for it.
  void arrived(uint32_t index, cycle_t at, std::vector<path_id>& paths);
  // While nobody waits for a block.
  void keep(state_archive& a);

 private:
  static constexpr uint32_t none = ~uint32_t{0};
  struct block {
    uint64_t address = ~uint64_t{0};
    cycle_t here = 0;  // `never`: on its way
    uint64_t requested_at = 0;
    bool next_requested = false;  // for the block behind it
    std::vector<path_id> waiting;
  };
  uint32_t find(uint64_t address);
  uint32_t request(uint64_t address, uint32_t kept);

  const uint32_t bytes_;
  std::vector<block> blocks_;
  std::vector<uint32_t> queue_;  // to fetch, from first_ on
  size_t first_ = 0;
  std::vector<path_id> starved_;  // found no block free
  uint32_t last_ = 0;
  uint64_t clock_ = 0;
};

}  // namespace pws::models
