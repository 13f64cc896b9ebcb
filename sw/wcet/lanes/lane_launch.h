// SPDX-License-Identifier: Apache-2.0
// The registers that a wavefront starts with, as far as a launch says: work-item ids above all.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "sw/wcet/lanes/lane_state.h"
#include "sw/wcet/launch_facts.h"

namespace pws::wcet {

// Wavefronts whose lanes have the same work-item ids but for what all lanes have in common.
struct wave_kind {
  uint64_t lanes = 0;            // launched in any of them
  uint64_t always = 0;           // launched in all of them
  std::array<word_set, 3> base;  // work-item id by dimension: base + offset[lane]
  std::array<std::array<uint32_t, lanes_per_wave>, 3> offset{};
  bool ids_known = true;  // false: the ids are below the workgroup's extent, no more
  std::optional<std::array<uint32_t, 3>> workgroup = std::nullopt;  // its ids; nothing: any of the grid's
};

// All kinds of a launch's wavefronts; at least one. Workgroups at the grid's edge may be smaller.
std::vector<wave_kind> wave_kinds(const launch_facts& facts);
// Each wavefront of the launch on its own; none if there are more than `most`.
std::vector<wave_kind> each_wave(const launch_facts& facts, uint64_t most);

// Before the first instruction of such a wavefront. `vgprs`: that the code names.
lane_state initial_lane_state(const launch_facts& facts, const wave_kind& kind, unsigned vgprs);

}  // namespace pws::wcet
