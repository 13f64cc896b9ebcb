// Which part of a register an operand of SDWA is, and its result.
#pragma once

#include "models/isa/inst.h"

namespace pws::check::sdwa {

// Bytes are 0 to 3.
constexpr unsigned lower_half = 4, upper_half = 5, whole = 6;
constexpr unsigned preserve = 2;  // of dst_unused: the rest of the register stays

inline bool is(const isa::inst& i) {
  return i.variant == isa::encoding_variant::sdwa;
}
inline unsigned of_source(const isa::inst& i, unsigned k) {
  return !is(i) || k >= 2 ? whole : k == 0 ? i.sdwa.src0_sel : i.sdwa.src1_sel;
}
inline unsigned of_result(const isa::inst& i) {
  return is(i) ? i.sdwa.dst_sel : whole;
}
inline uint64_t selected(uint64_t v, unsigned part) {
  if (part < lower_half) return v >> (8 * part) & 0xff;
  return part == lower_half ? v & 0xffff : part == upper_half ? v >> 16 & 0xffff : v;
}

}  // namespace pws::check::sdwa
