// SPDX-License-Identifier: Apache-2.0
// Where undefined values came from first, for reports: numbers small enough to be kept beside each dword.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "models/check/finding.h"
#include "models/check/init/memory_shadow.h"

namespace pws::check::init {

class origin_table {
 public:
  enum class kind : uint8_t { vector_register, scalar_register, lds, memory };
  struct entry {
    site where;  // of the instruction that was the first to read it
    kind what = kind::memory;
    uint16_t reg = 0;  // the register
  };

  // One per instruction and kind; places beyond `most` get 0.
  origin of(const site& where, kind what, uint16_t reg) {
    const auto [at, is_new] = numbers_.try_emplace({where.pc, what, reg}, 0);
    if (is_new && entries_.size() < most) {
      entries_.push_back({where, what, reg});
      at->second = static_cast<origin>(entries_.size());
    }
    return at->second;
  }
  // nullptr for 0.
  const entry* find(origin o) const { return o == 0 ? nullptr : &entries_[o - 1]; }

 private:
  static constexpr size_t most = 100'000;
  std::vector<entry> entries_;
  std::map<std::tuple<uint64_t, kind, uint16_t>, origin> numbers_;
};

}  // namespace pws::check::init
