// SPDX-License-Identifier: Apache-2.0
#include "models/compute_unit/schedule_table.h"

#include <algorithm>

namespace pws::models {

schedule_table::schedule_table(uint32_t contexts) : blocks_((contexts + block_size - 1) / block_size) {
  for (block& b : blocks_) {
    b.ready_at.fill(never);
    b.fetch_at.fill(never);
  }
}

void schedule_table::remove(context_rank r) {
  const size_t first = r.value / block_size;
  uint32_t from = r.value % block_size;  // in the block
  for (size_t k = first; k < blocks_.size(); ++k, from = 0) {
    block& b = blocks_[k];
    const block* next = k + 1 < blocks_.size() ? &blocks_[k + 1] : nullptr;
    const auto move_up = [&](std::array<cycle_t, block_size>& at, cycle_t last) {
      std::copy(at.begin() + from + 1, at.end(), at.begin() + from);
      at.back() = last;
    };
    move_up(b.ready_at, next == nullptr ? never : next->ready_at.front());
    move_up(b.fetch_at, next == nullptr ? never : next->fetch_at.front());
    const uint64_t younger = ~uint64_t{0} << from;
    for (size_t p = 0; p < b.issuing_to.size(); ++p) {
      const uint64_t last = next == nullptr ? 0 : next->issuing_to[p] << (block_size - 1);
      b.issuing_to[p] = (b.issuing_to[p] & ~younger) | (((b.issuing_to[p] >> 1) | last) & younger);
    }
  }
  if (turn > r.value) --turn;
}

}  // namespace pws::models
