// SPDX-License-Identifier: Apache-2.0
// Sets of registers, for quick answers: does this instruction touch one of those?
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "models/isa/inst.h"

namespace pws::check {

// VGPRs 0..255 and scalar registers 0..127 (numbers as in isa::wave_state::scalar), a bit each.
struct register_set {
  static constexpr unsigned vgprs = 256, scalars = 128;
  std::array<uint64_t, 6> words{};  // four of VGPRs, two of scalars

  // Registers beyond the last are left out: the machine refuses such an instruction.
  void add(const isa::inst::run& r) {
    const unsigned first = r.is_vgpr ? r.first : vgprs + r.first;
    const unsigned end = std::min<unsigned>(first + r.count, r.is_vgpr ? vgprs : vgprs + scalars);
    for (unsigned n = first; n < end; ++n) words[n / 64] |= uint64_t{1} << n % 64;
  }
  void add(const register_set& o) {
    for (unsigned k = 0; k < words.size(); ++k) words[k] |= o.words[k];
  }
  bool meets(const register_set& o) const {
    uint64_t common = 0;
    for (unsigned k = 0; k < words.size(); ++k) common |= words[k] & o.words[k];
    return common != 0;
  }
  bool empty() const {
    uint64_t any = 0;
    for (const uint64_t w : words) any |= w;
    return any == 0;
  }
};

}  // namespace pws::check
