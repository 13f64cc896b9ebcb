// SPDX-License-Identifier: Apache-2.0
// Memory that repeats a pattern and costs the host only what is changed of it.
#pragma once

#include <cstdint>

namespace pws::models {

// Bytes of `pattern`, little-endian, over and over from `at` on, which is a multiple of 4 and lies in a mapping of this
// process that may be read and written. Whole pages of a large piece are mapped anew, to a few pages of the host that
// all have the pattern; each becomes a page of its own when it is written to. A second mapping of the pages that were
// there before does not see the change.
void repeat_pattern(unsigned char* at, uint64_t bytes, uint32_t pattern);

}  // namespace pws::models
