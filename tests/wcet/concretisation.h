// SPDX-License-Identifier: Apache-2.0
// The concretisation of what the analysis knows of lanes: whether an abstract value stands for something concrete.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sw/wcet/lanes/lane_value.h"

namespace pws::test {

using wcet::lane_cover;

// Whether those numbers on the circle of 0 ... `last` have a cover of that size.
bool is_covered(std::vector<uint64_t> numbers, uint64_t last, const wcet::cover_size& s);
bool holds(const lane_cover& c, const std::vector<uint64_t>& numbers, uint64_t last);

// A row of lanes, of which those count.
bool holds(const wcet::lane_value& v, const std::array<uint32_t, wcet::lanes_per_wave>& concrete, uint64_t lanes);

}  // namespace pws::test
