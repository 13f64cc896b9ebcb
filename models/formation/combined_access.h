// SPDX-License-Identifier: Apache-2.0
// What a warp's memory instruction touches: the accesses of its paths, each on its own work-items, as one.
#pragma once

#include "base/popcount.h"
#include "models/isa/wave_state.h"

namespace pws::models {

class combined_access {
 public:
  void clear() {
    memory_.mask = lds_.mask = memory_.second_offset = lds_.second_offset = 0;
    memory_.n_further = 0;
  }
  // What one path touched. `lds_first`: where its workgroup's LDS begins in the compute unit's.
  void add(const isa::memory_access& a, uint32_t lds_first) {
    if (a.where == isa::memory_access::space::lds)
      append(lds_, a, lds_first);
    else if (a.where != isa::memory_access::space::none)
      append(memory_, a, 0);
  }
  const isa::memory_access& memory() const { return memory_; }
  const isa::memory_access& lds() const { return lds_; }

 private:
  static void append(isa::memory_access& to, const isa::memory_access& a, uint64_t base) {
    to.where = a.where;
    to.is_store = a.is_store;
    to.is_atomic = a.is_atomic;
    to.returns_data = a.returns_data;
    to.bytes_per_lane = a.bytes_per_lane;
    to.second_offset = a.second_offset;
    append(to.mask, to.address, a.mask, a.address, base);
    for (; to.n_further < a.n_further; ++to.n_further) to.further[to.n_further].mask = 0;
    for (unsigned k = 0; k < a.n_further; ++k)
      append(to.further[k].mask, to.further[k].address, a.further[k].mask, a.further[k].address, base);
  }
  static void append(uint64_t& to_lanes, uint64_t* to, uint64_t lanes, const uint64_t* address, uint64_t base) {
    auto n = popcount(to_lanes);
    for (uint64_t m = lanes; m != 0; m &= m - 1, ++n) {
      to[n] = address[__builtin_ctzll(m)] + base;
      to_lanes |= uint64_t{1} << n;
    }
  }
  isa::memory_access memory_, lds_;
};

}  // namespace pws::models
