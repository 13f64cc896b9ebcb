// SPDX-License-Identifier: Apache-2.0
// Passes through blocks of code: what traces are made of. A pass begins where a block does, or behind a barrier or a
// call inside of one, and ends with the block, or with a barrier or a call; so where it begins says which instructions
// it has.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace pws::reconvergence {

using pass_id = uint32_t;  // passes that begin at the same place have the same

class pass_table {
 public:
  // `place`: the address of its first instruction.
  pass_id add(uint64_t place, uint32_t instructions) {
    const auto [found, fresh] = by_place_.try_emplace(place, static_cast<pass_id>(passes_.size()));
    if (fresh) passes_.push_back({place, instructions});
    return found->second;
  }
  uint64_t place(pass_id p) const { return passes_[p].place; }
  uint32_t instructions(pass_id p) const { return passes_[p].instructions; }

 private:
  struct pass {
    uint64_t place = 0;
    uint32_t instructions = 0;
  };
  std::vector<pass> passes_;
  std::unordered_map<uint64_t, pass_id> by_place_;
};

}  // namespace pws::reconvergence
