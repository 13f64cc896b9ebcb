// SPDX-License-Identifier: Apache-2.0
// A buffer as a file that others read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/config/files/run_config.h"

namespace pws::platform {

// The bytes of the file: `memory` is the buffer's, its elements of that type one after the other.
// - raw: `memory` as it is, as `init: {file: ...}` reads it
// - csv: a line with the buffer's name, then a line for each element, the shortest decimal that reads back as the same
//   value; inf, -inf and nan where it is none
// - npy: format version 1.0 of NumPy (numpy.lib.format), one dimension, little-endian
std::string file_contents(const save_config& save, element_type type, const std::vector<uint8_t>& memory);

}  // namespace pws::platform
