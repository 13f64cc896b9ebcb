// SPDX-License-Identifier: Apache-2.0
// Instruction buffer of a context: the bytes [begin, end) of the program are here or arrive at `arrival`; those before
// `warm_end` are here.
#pragma once

#include <cstdint>

#include "models/context/outstanding.h"

namespace pws::models {

struct instruction_buffer {
  uint64_t begin = 0, warm_end = 0, end = 0;
  cycle_t arrival = 0;  // of the bytes [warm_end, end); `never` while unknown

  // Drops the contents. A fetch on its way is still waited for; its bytes are not used.
  void restart(uint64_t address) { begin = warm_end = end = address; }
  // Keeps the `bytes` at `block`, which are here; nothing is on its way.
  void keep(uint64_t block, uint64_t bytes) {
    begin = block;
    warm_end = end = block + bytes;
  }
  bool holds(uint64_t address) const { return begin <= address && address < end; }
  // Cycle at which the bytes up to `to` are here; `never` if not requested or unknown.
  cycle_t available(uint64_t to) const { return to <= warm_end ? 0 : to <= end ? arrival : never; }
};

}  // namespace pws::models
