// SPDX-License-Identifier: Apache-2.0
// What of a result is defined, from what of the sources is: bit by bit where an instruction's meaning allows it. The
// rules are those of scalar and vector instructions alike; a vector instruction asks for each lane.
//
// An undefined bit may be 0 or 1. A rule is exact where it names the bits whose value could differ; where that is not
// cheap to say, all bits of the result are undefined if one of a source is.
#pragma once

#include <cstdint>

#include "models/isa/inst.h"
#include "models/isa/opcode_row.h"

namespace pws::check::init {

// A value and which of its bits are undefined.
struct known {
  uint64_t value = 0;
  uint64_t bits = 0;
};

// For isa::logic and isa::arithmetic, which the machine's rows run too.
inline known operator~(const known& a) {
  return {~a.value, a.bits};
}
// A defined 0 decides.
inline known operator&(const known& a, const known& b) {
  return {a.value & b.value, (a.bits & (b.bits | b.value)) | (b.bits & (a.bits | a.value))};
}
// A defined 1 decides.
inline known operator|(const known& a, const known& b) {
  return {a.value | b.value, (a.bits & (b.bits | ~b.value)) | (b.bits & (a.bits | ~a.value))};
}
inline known operator^(const known& a, const known& b) {
  return {a.value ^ b.value, a.bits | b.bits};
}

struct rule_sources {
  known arg[3];  // in assembly order, what the destination held among them
  unsigned n = 0;
  known carry;          // the bit that comes in: SCC, or the lane's bit of the mask
  unsigned width = 32;  // of the result, in bits
};

// The result of an instruction that is no compare. `value` is right where SCC says whether the result is 0
// (isa::tests_result).
known result_of(const isa::opcode_row& row, const rule_sources& s);

// True: a compare's result is undefined.
bool undefined_compare(const isa::opcode_row& row, const known& a, const known& b);

// Undefined: whether it is 0.
inline bool undefined_zero_test(const known& k) {
  return k.bits != 0 && (k.value & ~k.bits) == 0;
}

// Bits of source `n` that the instruction looks at.
uint32_t looked_at(const isa::opcode_row& row, unsigned n);

// Bits [low, low + width), zero- or sign-extended; also of an undefined sign.
known part_of(const known& k, unsigned low, unsigned width, bool sign_extended);

}  // namespace pws::check::init
