// SPDX-License-Identifier: Apache-2.0
// Paths by the cycle in which they become ready: those of the next cycles in a ring of lists, later ones in a heap.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/state_archive.h"
#include "models/formation/warp_pool.h"

namespace pws::models {

class ready_ring {
 public:
  // `at` is later than every cycle that has been taken.
  void add(path_id path, cycle_t at) {
    if (at - taken_ < cycles) {
      lists_[at % cycles].push_back(path);
      used_[at % cycles / 64] |= uint64_t{1} << at % 64;
    } else {
      later_.push_back({at, next_number_++, path});
      std::push_heap(later_.begin(), later_.end(), comes_after);
    }
  }
  // The first cycle that has a path; `never`: there is none.
  cycle_t next() const {
    const cycle_t far = later_.empty() ? never : later_.front().at;
    for (cycle_t d = 1; d < cycles;) {
      const cycle_t at = taken_ + d;
      const uint64_t word = used_[at % cycles / 64] >> at % 64;
      if (word == 0) {
        d += 64 - at % 64;
        continue;
      }
      const cycle_t found = at + static_cast<cycle_t>(__builtin_ctzll(word));
      return std::min(found, far);
    }
    return far;
  }
  // Moves those of cycle `now`, which is not later than next(), to `paths`, in the order in which they were added.
  void take(cycle_t now, std::vector<path_id>& paths) {
    paths.clear();
    paths.swap(lists_[now % cycles]);
    used_[now % cycles / 64] &= ~(uint64_t{1} << now % 64);
    while (!later_.empty() && later_.front().at == now) {
      paths.push_back(later_.front().path);
      std::pop_heap(later_.begin(), later_.end(), comes_after);
      later_.pop_back();
    }
    taken_ = now;
  }
  // While it has no path.
  void keep(state_archive& a) { a(taken_, next_number_); }

 private:
  static constexpr cycle_t cycles = 256;  // of the ring
  struct later_one {
    cycle_t at;
    uint64_t number;
    path_id path;
  };
  static bool comes_after(const later_one& a, const later_one& b) {
    return a.at != b.at ? a.at > b.at : a.number > b.number;
  }
  std::array<std::vector<path_id>, cycles> lists_;
  std::array<uint64_t, cycles / 64> used_{};
  std::vector<later_one> later_;
  cycle_t taken_ = 0;
  uint64_t next_number_ = 0;
};

}  // namespace pws::models
