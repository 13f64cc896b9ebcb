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

// The first register that both have. None: count is 0.
inline isa::inst::run common_of(const isa::inst::run& a, const isa::inst::run& b) {
  isa::inst::run r;
  r.is_vgpr = a.is_vgpr;
  if (a.is_vgpr != b.is_vgpr) return r;
  const int first = std::max(a.first, b.first), end = std::min(a.first + a.count, b.first + b.count);
  if (first >= end) return r;
  r.first = static_cast<uint16_t>(first);
  r.count = static_cast<uint8_t>(end - first);
  return r;
}

}  // namespace pws::check
