// SPDX-License-Identifier: Apache-2.0
// Times in the Trace Event Format: `ts` and `dur` are microseconds, with decimals.
#pragma once

#include <cstdint>
#include <string>

namespace pws {

// When a cycle begins, and how long it is from the beginning of one cycle to that of another, at a clock of so many
// MHz: decimals down to a picosecond, cut off where a cycle does not begin at a whole one. So a slice's `ts` and `dur`
// add up, digit for digit, to the `ts` of the slice that begins where it ends, and nothing drifts.
std::string trace_time(uint64_t cycle, uint32_t mhz);
// From the beginning of one cycle to that of another.
std::string trace_duration(uint64_t begin, uint64_t end, uint32_t mhz);

}  // namespace pws
