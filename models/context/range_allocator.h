// SPDX-License-Identifier: Apache-2.0
// First-fit allocation of runs of equal units: vector registers of a SIMD, LDS of a CU.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace pws::models {

class range_allocator {
 public:
  // `size` units, handed out in multiples of `granule`.
  range_allocator(uint32_t size, uint32_t granule) : granule_(granule), used_(size / granule, false) {}

  // First unit of a free run of `count` units, or nothing. A run of 0 units always fits and needs no release.
  std::optional<uint32_t> allocate(uint32_t count) {
    const uint32_t need = granules(count);
    uint32_t run = 0;
    if (need == 0) return 0;
    for (uint32_t i = 0; i < used_.size(); ++i) {
      run = used_[i] ? 0 : run + 1;
      if (run == need) {
        const uint32_t first = i + 1 - need;
        set(first, need, true);
        return first * granule_;
      }
    }
    return std::nullopt;
  }
  void release(uint32_t first, uint32_t count) { set(first / granule_, granules(count), false); }

 private:
  uint32_t granules(uint32_t count) const { return (count + granule_ - 1) / granule_; }
  void set(uint32_t first, uint32_t count, bool value) {
    for (uint32_t i = first; i < first + count; ++i) used_[i] = value;
  }
  uint32_t granule_;
  std::vector<bool> used_;
};

}  // namespace pws::models
