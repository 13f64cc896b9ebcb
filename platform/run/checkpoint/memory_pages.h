// SPDX-License-Identifier: Apache-2.0
// The bytes of device memory in the state of a machine: pages of one word over and over, as buffers are that nobody has
// written to, take a few bytes.
#pragma once

#include <cstdint>

#include "base/state_archive.h"
#include "models/memory/dram.h"

namespace pws::platform {

// The first `bytes` bytes. Restoring, what is there already as it should be is not written, so that it takes no more
// memory of the host.
void keep_memory(state_archive& a, models::dram& memory, uint64_t bytes);

}  // namespace pws::platform
