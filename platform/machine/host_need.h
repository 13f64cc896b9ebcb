// SPDX-License-Identifier: Apache-2.0
// What a machine takes of the host's memory before it does anything, held against what the host has left.
#pragma once

#include <cstdint>

#include "models/machine/machine_config.h"

namespace pws::platform {

// Bytes, at least: contexts, vector registers and LDS of all compute units. Device memory is not among them: the host
// gives it page by page as it is touched. The configuration is as provisioned.
uint64_t host_bytes_of(const models::machine_config& c);

// Throws input_error with both numbers if the machine that is built for `c` needs more than is left
// (models/machine/host_memory.h).
void refuse_beyond_host(const models::machine_config& c);

}  // namespace pws::platform
