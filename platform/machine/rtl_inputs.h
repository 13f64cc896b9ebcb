// SPDX-License-Identifier: Apache-2.0
// The model's instructions and registers as the RTL's ports take them.
#pragma once

#include <array>
#include <cstdint>

#include "models/isa/inst.h"
#include "models/isa/wave_state.h"
#include "rtl/wrapper/spsimd_rtl.h"

namespace pws::platform::cosim {

// The instruction's dwords, the first one low.
inline uint64_t words_of(const isa::inst& i) {
  return i.raw[0] | (i.dwords > 1 ? uint64_t{i.raw[1]} << 32 : 0);
}

// SCC, MODE and TRAPSTS.
inline rtl::spsimd_rtl::status_registers status_of(const isa::wave_state& s) {
  return {s.scc, s.mode, s.trapsts};
}

// A set of scalar registers, by bit: all of them.
constexpr std::array<uint64_t, 2> every_register{~uint64_t{0}, ~uint64_t{0}};
// ... and one more.
inline void add_register(std::array<uint64_t, 2>& set, unsigned index) {
  set[index / 64] |= uint64_t{1} << (index % 64);
}

}  // namespace pws::platform::cosim
