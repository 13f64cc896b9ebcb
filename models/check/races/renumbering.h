// SPDX-License-Identifier: Apache-2.0
// The numbers, from 0 on, of what is in a row, when those that nobody uses are taken out of it.
#pragma once

#include <cstdint>
#include <vector>

namespace pws::check {

class renumbering {
 public:
  // Number `k` is in use. False: that was known.
  bool keep(uint32_t k) {
    if (k >= now_.size()) now_.resize(k + 1);
    if (now_[k] != 0) return false;
    now_[k] = 1;
    return true;
  }
  // Takes out the others of `count`: calls move(from, to) for each that stays, the lowest first; moved() of lower ones
  // is known then. Returns how many stay.
  template <class F>
  uint32_t close(uint32_t count, F move) {
    now_.resize(count);
    uint32_t n = 0;
    for (uint32_t k = 0; k < count; ++k) {
      const bool stays = now_[k] != 0;
      now_[k] = n;
      if (stays) move(k, n++);
    }
    now_.push_back(n);
    return n;
  }
  // The number behind close(); of one that is not in use, and of `count`, that of the next one that is.
  uint32_t moved(uint32_t k) const { return now_[k]; }

 private:
  std::vector<uint32_t> now_;  // 1: in use; then how many before it are
};

}  // namespace pws::check
