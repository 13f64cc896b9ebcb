// How registers name an SWF, relative to its wavefront's SIMD unit: 0 is none, an empty entry or "not set". With SpSIMD
// units it is the unit (SpSIMDID of the PWS paper: 1 the SIMD unit itself, 2..S+1 its SpSIMD units), without them the
// context's ID.
#pragma once

#include <cstdint>

namespace pws::models {

using swf_number = uint16_t;

constexpr swf_number no_swf = 0;
constexpr swf_number own_number = 1;  // of the SIMD unit
// SpSIMDID of a SIMD unit's SpSIMD unit, by its index from 0 on, and back.
constexpr swf_number spsimd_number(uint32_t index) {
  return static_cast<swf_number>(own_number + 1 + index);
}
constexpr uint32_t spsimd_index(swf_number number) {
  return number - own_number - 1u;
}

}  // namespace pws::models
