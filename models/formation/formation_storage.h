// SPDX-License-Identifier: Apache-2.0
// Sizes of a warp scheduler: bits of its structures (warp formation paper, Table 1), and quarters of a warp.
#pragma once

#include <cstdint>

#include "models/machine/machine_config.h"

namespace pws::models {

struct formation_storage {
  uint64_t update_registers = 0;  // TID per lane, PC, REQ
  uint64_t lut = 0;               // PC, OCC, IDX
  uint64_t pool = 0;              // TID per lane, PC, scheduling data
  uint64_t allocator = 0;         // IDX
  uint64_t issue_logic = 0;       // PC, counter: majority and minority
  uint64_t total() const { return update_registers + lut + pool + allocator + issue_logic; }
};

// What the formulas depend on.
struct formation_sizes {
  uint32_t work_items = 256;  // of a core, a SIMD unit here: TIDs and counters have as many bits as that takes
  uint32_t warp_size = 16;
  uint32_t update_registers = 2;
  uint32_t lut_entries = 32;
  uint32_t pool = 256;  // warps: an IDX has as many bits as that takes
  uint32_t counters = 32;
  uint32_t pc_bits = 32;
  uint32_t request_bits = 8;  // the paper's, half as many as lanes
  uint32_t scheduling_bits = 8;
};
constexpr formation_sizes paper_sizes{};

// Numbers of work-items, such as 5 to 8; none if first > last.
struct work_item_range {
  uint32_t first, last;
};
// Those that fill a warp of this size up to the quarter 0 to 3, and further than the quarter before. Warps of one or
// two leave quarters without a number.
constexpr work_item_range quarter_of_warp(uint32_t warp_size, uint32_t quarter) {
  return {quarter * warp_size / 4 + 1, (quarter + 1) * warp_size / 4};
}

// Whether warps are made of work-items of several paths, and whether a table counts how many are at each PC.
bool joins_paths(const machine_config& c);
bool counts_pcs(const machine_config& c);

formation_storage storage_of(const formation_sizes& s);
// The sizes in a SIMD unit of a machine with divergence dwf, with GCN3's PCs of 48 bits and a REQ of one bit per lane.
formation_sizes formation_sizes_of(const machine_config& c);

}  // namespace pws::models
