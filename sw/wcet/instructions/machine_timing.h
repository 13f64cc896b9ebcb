// SPDX-License-Identifier: Apache-2.0
// The predictable machine as the static analysis sees it: constants, each with the reason that it is one.
// platform/run/program/machine_timing.h derives them from the configuration that the machine is built from.
#pragma once

#include <cstdint>
#include <tuple>

namespace pws::wcet {

// All in cycles of the GPU clock.
struct machine_timing {
  // Issue: a context issues in slots of its own, one every `round`, whatever other contexts do. A full-rate vector
  // instruction occupies the VALU for `slot`; a longer one goes on in the context's next slots.
  uint64_t round = 40;
  uint64_t slot = 4;
  // Issue to the issue of an instruction that needs the result.
  uint64_t salu = 4, valu = 4, valu_trans = 16, valu_f64 = 8, branch = 8, lds = 32, internal = 1;
  uint64_t split = 1, merge = 1;  // e_s, e_m

  // Fetch: instructions are locked in their memory, and a fetch fits between two slots of its context. What is left: a
  // branch to an instruction that lies across two fetches takes one more round.
  uint64_t fetch_bytes = 32;

  // Memory: a wavefront has one slot in each frame, for one line of whichever of its parts asked first.
  uint64_t memory_frame = 7360;
  uint64_t address = 4;     // issue of a vector access to its first line's request, less one
  uint64_t way_there = 16;  // request to memory
  uint64_t way_back = 108;  // beginning of the slot to data in the registers
  uint64_t atomic_slots = 2;
  uint32_t line_bytes = 64;

  // LDS: a slot in each frame too, for one pass.
  uint64_t lds_frame = 160;
  uint32_t lds_banks = 32;
};

// All members, in their order; a further one does not compile until it is here.
inline auto members_of(const machine_timing& timing) {
  const auto& [round, slot, salu, valu, valu_trans, valu_f64, branch, lds, internal, split, merge, fetch_bytes,
               memory_frame, address, way_there, way_back, atomic_slots, line_bytes, lds_frame, lds_banks] = timing;
  return std::tie(round, slot, salu, valu, valu_trans, valu_f64, branch, lds, internal, split, merge, fetch_bytes,
                  memory_frame, address, way_there, way_back, atomic_slots, line_bytes, lds_frame, lds_banks);
}
inline bool operator==(const machine_timing& a, const machine_timing& b) {
  return members_of(a) == members_of(b);
}

}  // namespace pws::wcet
