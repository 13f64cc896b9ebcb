// SPDX-License-Identifier: Apache-2.0
// What a compute unit counts, and what it asks of memory. Plain data; the report adds the CUs up.
#pragma once

#include <array>
#include <cstdint>

#include "base/popcount.h"
#include "models/context/wf_context.h"
#include "models/machine/counter_list.h"

namespace pws::models {

constexpr size_t n_units = 15;     // enumerators of isa::unit
const char* name_of(isa::unit u);  // as reports have it

// What one compute unit has counted since the machine was made.
struct cu_statistics {
  std::array<uint64_t, n_units> instructions{};  // by isa::unit; each counts once for what issues it
  uint64_t valu_lanes = 0;                       // active lanes summed over vector ALU instructions
  uint64_t valu_busy = 0;                        // cycles, summed over the CU's vector ALUs
  uint64_t salu_busy = 0;
  std::array<uint64_t, static_cast<size_t>(stall::count)> stalls{};  // context cycles by reason
  uint64_t workgroups = 0, wavefronts = 0, branches_taken = 0;
  // Paths of the issuing wavefront (a warp's first one) that could issue, summed over instructions (DPE paper, Eq. 1);
  // without splitting it is not counted.
  uint64_t schedulable_paths = 0;
  uint64_t issued_together = 0;    // paths that issued with an older one of their wavefront, in its instruction
  uint64_t false_dependences = 0;  // instructions that waited for what another path had under way

  // The counts and what is made of them, as reports have them.
  static const counter_list<cu_statistics>& rows();

  uint64_t total_instructions() const {
    uint64_t n = 0;
    for (const uint64_t i : instructions) n += i;
    return n;
  }
  uint64_t valu_instructions() const {
    return of(isa::unit::valu) + of(isa::unit::valu_trans) + of(isa::unit::valu_f64);
  }
  // Instructions of a unit.
  uint64_t of(isa::unit u) const { return instructions[static_cast<size_t>(u)]; }
  uint64_t branches() const { return of(isa::unit::branch); }
  // An instruction of a wavefront, a part of one that has been split, or a path, with the EXEC mask `active`.
  void count(const isa::inst& i, uint64_t active) {
    count(i);
    if (is_valu(i.unit)) valu_lanes += popcount(active);
  }
  // An instruction of a warp with `active` active work-items.
  void count_lanes(const isa::inst& i, uint32_t active) {
    count(i);
    if (is_valu(i.unit)) valu_lanes += active;
  }
  // What does not depend on lanes. Everything that issues comes through here.
  void count(const isa::inst& i) { ++instructions[static_cast<size_t>(i.unit)]; }
  // True for the units whose instructions run on the vector ALU.
  static bool is_valu(isa::unit u) {
    return u == isa::unit::valu || u == isa::unit::valu_trans || u == isa::unit::valu_f64;
  }
};

// What a compute unit asks of memory.
struct memory_statistics {
  uint64_t vector_instructions = 0;
  uint64_t vector_lines = 0;  // requests after coalescing
  uint64_t scalar_lines = 0;
  uint64_t fetches = 0;
  uint64_t bytes_loaded = 0, bytes_stored = 0;  // by work-items

  // The counts and what is made of them, as reports have them.
  static const counter_list<memory_statistics>& rows();
};

}  // namespace pws::models
