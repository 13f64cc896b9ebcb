// SPDX-License-Identifier: Apache-2.0
// Random HIP kernels whose loops count in every way that one may think of, and in many that do not come to an end: up,
// down, by arguments, by lanes, by data, of every integer type, around the end of its numbers, in nests, with other
// ways out. A loop that goes on for long is left by a limit that is loaded, of which the analysis knows nothing.
#pragma once

#include <cstdint>
#include <string>

namespace pws::test {

// The kernel `name`, which takes (data, table, n, m); table[0] is how many passes a loop makes at most.
std::string random_counter_kernel(const std::string& name, uint64_t seed);

}  // namespace pws::test
