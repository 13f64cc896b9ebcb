// SPDX-License-Identifier: Apache-2.0
// First-fit allocation of runs of equal units: vector registers of a SIMD, LDS of a CU.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/state_archive.h"

namespace pws::models {

class range_allocator {
 public:
  // `size` units, handed out in multiples of `granule`.
  range_allocator(uint32_t size, uint32_t granule) : granule_(granule) {
    const uint32_t all = size / granule;
    free_.reserve((all + 1) / 2 + 1);  // as many as there can be: allocating and releasing take no memory
    if (all != 0) free_.push_back({0, all});
  }

  // First unit of a free run of `count` units, or nothing. A run of 0 units always fits and needs no release.
  std::optional<uint32_t> allocate(uint32_t count) {
    const uint32_t need = granules(count);
    if (need == 0) return 0;
    for (auto r = free_.begin(); r != free_.end(); ++r) {
      if (r->size < need) continue;
      const uint32_t first = r->first;
      r->first += need;
      r->size -= need;
      if (r->size == 0) free_.erase(r);
      return first * granule_;
    }
    return std::nullopt;
  }
  // How many runs of `count` units could be allocated now, one after the other; at most `limit`.
  uint32_t room(uint32_t count, uint32_t limit) const {
    const uint32_t need = granules(count);
    if (need == 0) return limit;
    uint32_t n = 0;
    for (auto r = free_.begin(); r != free_.end() && n < limit; ++r) n += r->size / need;
    return std::min(n, limit);
  }
  void release(uint32_t first, uint32_t count) {
    run back{first / granule_, granules(count)};
    if (back.size == 0) return;
    auto after = std::lower_bound(free_.begin(), free_.end(), back, [](run a, run b) { return a.first < b.first; });
    if (after != free_.end() && back.first + back.size == after->first) {
      back.size += after->size;
      after = free_.erase(after);
    }
    if (after != free_.begin() && (after - 1)->first + (after - 1)->size == back.first)
      (after - 1)->size += back.size;
    else
      free_.insert(after, back);
  }

  // Its state, saved or restored.
  void keep(state_archive& a) {
    a.list(free_, [](state_archive& b, run& r) { b(r.first, r.size); });
  }

 private:
  struct run {
    uint32_t first = 0, size = 0;  // in granules
  };
  uint32_t granules(uint32_t count) const { return (count + granule_ - 1) / granule_; }
  uint32_t granule_;
  std::vector<run> free_;  // by their first granule, none beside another
};

}  // namespace pws::models
