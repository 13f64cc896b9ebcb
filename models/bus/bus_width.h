// SPDX-License-Identifier: Apache-2.0
// The width of the machine's sockets.
#pragma once

namespace pws::models {

// Bits of the data bus of every socket, of the GPU's as of its parts': TLM binds sockets of one width alone.
constexpr unsigned bus_width = 64;

}  // namespace pws::models
