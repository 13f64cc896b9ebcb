// SPDX-License-Identifier: Apache-2.0
// Numbers that name parts of a compute unit: each kind is a type of its own, so that none is taken for another.
#pragma once

#include <cstdint>
#include <string>

#include "models/machine/machine_config.h"

namespace pws::models {

// Bits of a number that tells so many things apart.
constexpr uint64_t bits_to_tell(uint64_t things) {
  uint64_t bits = 0;
  while (uint64_t{1} << bits < things) ++bits;
  return bits;
}

// A number that does not mix with numbers of other things.
template <class Kind>
struct numbered {
  uint32_t value = 0;

  constexpr numbered() = default;
  constexpr explicit numbered(uint32_t v) : value(v) {}
  friend constexpr bool operator==(numbered a, numbered b) { return a.value == b.value; }
  friend constexpr bool operator!=(numbered a, numbered b) { return a.value != b.value; }
  friend constexpr bool operator<(numbered a, numbered b) { return a.value < b.value; }
};
using simd_id = numbered<struct simd_of_compute_unit>;  // a SIMD unit, with the SpSIMD units that are its own
using unit_id = numbered<struct unit_of_compute_unit>;  // a SIMD or SpSIMD unit, as unit_layout counts them
using slot_id = numbered<struct context_of_unit>;       // a context's place in its unit: its ID in the papers less one
using context_rank = numbered<struct context_by_age>;   // among a unit's contexts in use, the oldest's is 0

// How registers name an SWF, relative to its wavefront's SIMD unit. With SpSIMD units it is the unit (SpSIMDID of the
// PWS paper: 1 the SIMD unit itself, 2..S+1 its SpSIMD units), without them the context's ID, from 1 on.
class swf_number {
 public:
  // None: an empty entry, or "not set".
  constexpr swf_number() = default;
  // As a register holds it.
  constexpr explicit swf_number(uint16_t register_value) : value_(register_value) {}
  static constexpr swf_number simd_unit() { return swf_number(simd_unit_value); }  // the SIMD unit's own
  // The SpSIMD unit with that index, from 0, at a SIMD unit.
  static constexpr swf_number spsimd_unit(uint32_t index) {
    return swf_number(static_cast<uint16_t>(simd_unit_value + 1 + index));
  }
  // Divergence dws: a wavefront context of the SIMD unit.
  static constexpr swf_number context(slot_id slot) { return swf_number(static_cast<uint16_t>(slot.value + 1)); }

  constexpr uint16_t value() const { return value_; }
  constexpr bool is_none() const { return value_ == 0; }
  constexpr bool is_simd_unit() const { return value_ == simd_unit_value; }
  constexpr uint32_t spsimd_index() const { return value_ - simd_unit_value - 1u; }
  constexpr slot_id context_slot() const { return slot_id(value_ - 1u); }
  // 0: the wavefront's own context; n: its SWF on SpSIMD unit n - 1.
  constexpr uint32_t part() const { return value_ - static_cast<uint32_t>(simd_unit_value); }

  friend constexpr bool operator==(swf_number a, swf_number b) { return a.value_ == b.value_; }
  friend constexpr bool operator!=(swf_number a, swf_number b) { return a.value_ != b.value_; }

 private:
  static constexpr uint16_t simd_unit_value = 1;
  uint16_t value_ = 0;
};

// Where the units of a compute unit stand in its list: the SIMD units, then the SpSIMD units of the first, of the
// second, ...
struct unit_layout {
  uint32_t simds = 0;
  uint32_t spsimds = 0;  // of each SIMD unit

  constexpr uint32_t count() const { return simds * (1 + spsimds); }
  // The unit that runs this SWF of a SIMD unit's wavefronts.
  constexpr unit_id unit(simd_id simd, swf_number number) const {
    return unit_id(number.is_simd_unit() ? simd.value : simds + simd.value * spsimds + number.spsimd_index());
  }
  constexpr bool is_spsimd(unit_id u) const { return u.value >= simds; }  // SpSIMD units come after all SIMD units
  // The SIMD unit that it is, or belongs to.
  constexpr simd_id simd_of(unit_id u) const {
    return simd_id(is_spsimd(u) ? (u.value - simds) / (spsimds == 0 ? 1 : spsimds) : u.value);
  }
  // SpSIMDID.
  constexpr swf_number number_of(unit_id u) const {
    return is_spsimd(u) ? swf_number::spsimd_unit((u.value - simds) % (spsimds == 0 ? 1 : spsimds))
                        : swf_number::simd_unit();
  }
};
// The units of a compute unit of this machine.
inline unit_layout layout_of(const machine_config& c) {
  return {c.n_simd, spsimds_per_simd(c)};
}

// "simd1.wf3"; "simd1.spsimd2.swf3" on an SpSIMD unit; "simd1.wf3.right", the second one of a wavefront;
// "simd1.split12", a further one.
std::string context_name(const machine_config& c, unit_id unit, slot_id slot);

}  // namespace pws::models
