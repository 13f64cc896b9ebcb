// SPDX-License-Identifier: Apache-2.0
// Bits of storage that a wavefront needs in hardware for its paths: stack, warp-split table and scoreboards, as the DPE
// paper counts them (6.4).
#pragma once

#include <cstdint>

#include "models/divergence/scheme_storage.h"
#include "models/machine/machine_config.h"

namespace pws::models {

// Widths of what is stored.
struct path_widths {
  uint32_t pc = 48, mask = 64;  // GCN3
  // An entry: PC and mask of each path that it has, and the reconvergence PC.
  uint32_t entry(uint32_t paths) const { return paths * (pc + mask) + pc; }
};
constexpr path_widths paper_widths{32, 32};  // entries of 96 and 160 bits

// The storage that one wavefront needs. A stack of single paths has an entry for the path that will go on behind the
// merge and one for each side of a split (DPE paper, Fig. 2); one of two paths has an entry for both sides (Fig. 4).
// Each has one for the wavefront in one piece.
struct path_storage {
  uint64_t entries = 0, entry_bits = 0, paper_entry_bits = 0;
  uint64_t table_splits = 0, table_bits = 0;  // PC and mask of each warp-split, and the reconvergence PC
  // Where paths take turns: PC, mask, place and innermost barrier of each, and a convergence barrier for each split,
  // with its participants and the barrier further out.
  uint64_t turn_bits = 0, barrier_bits = 0;
  // A path that stands in the stack keeps its scalar registers, which the paper's machine does not have: SGPRs, VCC,
  // M0, EXEC and SCC.
  uint64_t scalars_per_path = 0, paths_kept = 0;
  // Results and the two counters of s_waitcnt, all shadow bits included.
  uint64_t scoreboards = 0, scoreboard_bits = 0, shadow_bits = 0;

  uint64_t stack_bits() const { return entries * entry_bits; }
  uint64_t paper_stack_bits() const { return entries * paper_entry_bits; }
  uint64_t scalar_bits() const { return scalars_per_path * paths_kept; }
  double shadow_share() const {  // of the scoreboards
    return scoreboard_bits == 0 ? 0 : static_cast<double>(shadow_bits) / static_cast<double>(scoreboard_bits);
  }
};

// For a machine whose scheme keeps its own paths; `open_splits` and `warp_splits`, or paths in turn, are the most that
// a wavefront had.
path_storage storage_of(const machine_config& c, uint64_t open_splits, uint64_t warp_splits);
// What that is more than a wavefront in one piece has.
scheme_storage storage_beside(const path_storage& s);

}  // namespace pws::models
