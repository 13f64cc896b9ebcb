// SPDX-License-Identifier: Apache-2.0
// What is known of a launch before it runs: what the analysis may take for granted besides the code.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/isa/abi/kernel_descriptor.h"
#include "models/machine/address_map.h"

namespace pws::wcet {

// An allocation of device memory.
struct device_buffer {
  uint64_t begin = 0, end = 0;  // device addresses; one past the last byte
  std::string name;             // for messages
};
// Some of launch_facts::buffers, by bit.
using buffer_set = uint64_t;
constexpr size_t max_buffers = 64;

struct launch_facts {
  isa::kernel_descriptor descriptor;           // which registers are set up before the first instruction
  std::array<uint32_t, 3> workgroup{1, 1, 1};  // work-items
  std::array<uint32_t, 3> grid{1, 1, 1};       // work-items
  // The kernel's arguments as they lie in memory, from kernarg_address on; what is beyond the end is unknown. The
  // segment is not written while the kernel runs (nor the packet): the machine stops a kernel that does.
  std::vector<uint8_t> kernarg;
  uint64_t kernarg_address = 0;          // device address; 0: unknown, then 64-byte aligned
  std::vector<uint8_t> dispatch_packet;  // the AQL packet, 64 bytes; empty: unknown
  models::flat_apertures apertures;      // as the kernel reads them in queue and arguments
  // Allocations that pointers in `kernarg` lead to, max_buffers at most. What a kernel accesses through such a pointer
  // is taken to lie in the same allocation, as C++ demands of a program; who says so here checks it while the kernel
  // runs (access_bound::within).
  std::vector<device_buffer> buffers;
  // Wavefronts split where the code says so, and nowhere else: what follows from their registers holds.
  bool splits_by_code = true;
  // What may be spent on following a launch's wavefronts one by one, in instructions looked at, weighted by what that
  // takes: a million are about a quarter of a second. 0: only what holds of all of them together counts.
  size_t work = 40'000'000;
};

}  // namespace pws::wcet
