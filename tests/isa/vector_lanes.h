// SPDX-License-Identifier: Apache-2.0
// Values of a vector register, all lanes of it.
#pragma once

#include "tests/isa/vector_machine.h"
#include "tests/isa/vector_reference.h"

namespace pws::isa::test {

inline lanes all_of(uint64_t x) {
  lanes r;
  r.fill(x);
  return r;
}
inline lanes random_lanes(uint64_t salt) {
  lanes r;
  for (unsigned l = 0; l < wave_size; ++l) r[l] = random_value(salt * 64 + l) & 0xffffffff;
  return r;
}
// `new_value` in the active lanes, `old` in the others.
inline lanes merged(const lanes& old, const lanes& new_value, uint64_t active) {
  lanes r = old;
  for (unsigned l = 0; l < wave_size; ++l)
    if ((active >> l & 1) != 0) r[l] = new_value[l];
  return r;
}

}  // namespace pws::isa::test
