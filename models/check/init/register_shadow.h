// SPDX-License-Identifier: Apache-2.0
// Which bits of a wavefront's registers are defined. A set bit is an undefined one.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/check/finding.h"
#include "models/check/init/memory_shadow.h"
#include "models/isa/wave_state.h"

namespace pws::check::init {

// Vector registers: a wavefront's, shared by its SWFs.
class vector_shadow {
 public:
  // All undefined, but the first `defined` registers.
  void begin(uint32_t n, uint32_t defined) {
    if (n > bits_.size()) bits_.resize(n);
    lanes_.assign(n, ~uint64_t{0});
    whole_.assign(n, ~uint64_t{0});
    from_.assign(n, 0);
    for (uint32_t k = 0; k < defined && k < n; ++k) lanes_[k] = 0;
  }
  uint32_t size() const { return static_cast<uint32_t>(lanes_.size()); }
  // Lanes with undefined bits.
  uint64_t lanes(unsigned r) const { return lanes_[r]; }
  uint32_t bits(unsigned r, unsigned lane) const {
    if ((lanes_[r] >> lane & 1) == 0) return 0;
    return (whole_[r] >> lane & 1) != 0 ? ~uint32_t{0} : bits_[r].lane[lane];
  }
  origin from(unsigned r) const { return from_[r]; }
  void set_origin(unsigned r, origin from) { from_[r] = from; }

  void define(unsigned r, uint64_t lanes) { lanes_[r] &= ~lanes; }
  void set(unsigned r, unsigned lane, uint32_t bits, origin from) {
    const uint64_t bit = uint64_t{1} << lane;
    if (bits == 0) {
      lanes_[r] &= ~bit;
      return;
    }
    lanes_[r] |= bit;
    whole_[r] &= ~bit;
    bits_[r].lane[lane] = bits;
    from_[r] = from;
  }

 private:
  std::vector<uint64_t> lanes_;
  std::vector<uint64_t> whole_;      // of these: lanes that nothing has written yet
  std::vector<isa::vgpr_row> bits_;  // of the others in lanes_
  std::vector<origin> from_;         // of what was written last
};

// Scalar registers of a context, by their indices in wave_state::scalar, and SCC.
struct scalar_shadow {
  std::array<uint32_t, isa::scalar_count> bits{};
  std::array<origin, isa::scalar_count> from{};
  bool scc = false;
  origin scc_from = 0;

  uint64_t bits64(unsigned r) const { return bits[r] | uint64_t{bits[r + 1]} << 32; }
  void set(unsigned r, uint32_t undefined, origin o) {
    bits[r] = undefined;
    from[r] = o;
  }
};

// What the check knows of a wavefront, or of an SWF of it.
struct context {
  site where;             // of its instructions; without PC and lanes
  uint64_t launched = 0;  // work-items of the wavefront
  vector_shadow* vectors = nullptr;
  lds_shadow* lds = nullptr;
  scalar_shadow scalars;
};

}  // namespace pws::check::init
