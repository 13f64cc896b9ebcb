// SPDX-License-Identifier: Apache-2.0
// How many cache lines and LDS passes an access takes at most, given what is known of the lanes' addresses. The machine
// counts them in models/compute_unit (coalescer::lines, lds_unit::cycles): never less here.
#pragma once

#include <cstdint>

#include "sw/wcet/lanes/lane_value.h"

namespace pws::wcet {

struct access_size {
  uint32_t bytes = 4;    // per lane
  bool aligned = false;  // naturally, or the program stops
};

struct access_count {
  uint32_t most = 0;
  bool exact_pattern = true;  // false: some lanes may be anywhere, each for itself
};

// Lanes at 64-bit addresses. `line_bytes`: a power of two.
access_count count_lines(const lane_value& low, const lane_value& high, uint64_t lanes, const access_size& size,
                         uint32_t line_bytes);
// Lanes at 64-bit addresses that are so far from one another. The first lane's address has these low bits.
uint32_t count_lines(const std::array<int64_t, lanes_per_wave>& distances, const word_set& first, uint64_t lanes,
                     const access_size& size, uint32_t line_bytes);
// One access to consecutive bytes at an address with these low bits; a multiple of 4.
uint32_t count_scalar_lines(const word_set& low, uint32_t bytes, uint32_t line_bytes);
// Lanes that may be anywhere, at addresses of which at most the two low bits are known: those of `low`.
uint32_t most_lines(const lane_value& low, uint64_t lanes, const access_size& size, uint32_t line_bytes);
// Lanes at byte offsets in LDS, of which the workgroup has so many words: what goes beyond stops the program.
access_count count_passes(const lane_value& offset, uint64_t lanes, const access_size& size, uint32_t banks,
                          uint32_t lds_words = UINT32_MAX);

}  // namespace pws::wcet
