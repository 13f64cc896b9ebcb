// SPDX-License-Identifier: Apache-2.0
// A memory instruction as checks of memory want to hear of it: piece by piece, each in one memory and of one kind,
// without private memory, which no other work-item can reach.
#pragma once

#include <cstdint>

#include "models/context/wf_context.h"
#include "models/isa/inst.h"

namespace pws::platform {

struct access_piece {
  enum class kind : uint8_t { load, store, atomic };
  kind does = kind::load;
  bool in_lds = false;
  bool scalar = false;      // through the scalar cache, `mask` 1
  bool past_cache = false;  // a load with glc
  bool returns_data = false;
  uint32_t bytes = 0;  // per lane
  uint64_t mask = 0;
  const uint64_t* address = nullptr;     // of 64
  const uint32_t (*data)[64] = nullptr;  // of a store, a row for each dword; nullptr: not known
};

class access_pieces {
 public:
  // Right after `i` has been executed by `c`, which has touched `a`. Valid until the next call.
  void set(const models::wf_context& c, const isa::inst& i, const isa::memory_access& a);
  const access_piece* begin() const { return pieces_; }
  const access_piece* end() const { return pieces_ + n_; }

 private:
  access_piece& add(const access_piece& like, uint64_t mask) {
    pieces_[n_] = like;
    pieces_[n_].mask = mask;
    return pieces_[n_++];
  }

  access_piece pieces_[2 + isa::memory_access::most_further];
  unsigned n_ = 0;
  uint64_t address_[64];          // of a second piece
  uint32_t scalar_data_[16][64];  // lane 0 of what a scalar store writes
};

}  // namespace pws::platform
