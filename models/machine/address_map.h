// SPDX-License-Identifier: Apache-2.0
// Which device addresses lead where.
#pragma once

#include <cstdint>

namespace pws::models {

// First address of device memory. Not 0, so that a null pointer is outside memory.
constexpr uint64_t device_memory_base = 0x1'0000'0000;
// The same in processes that have those addresses for something else, where the host is to see device memory at its own
// addresses: behind AddressSanitizer's shadow memory, which ends at 16 TiB.
constexpr uint64_t high_device_memory_base = 0x2000'0000'0000;
constexpr uint64_t most_device_memory = uint64_t{65536} << 20;  // machine.memory.dram.size_mib
constexpr uint32_t most_machines = 16;  // of a process, whose memories lie one behind the other (exec.devices)

// Upper halves of the addresses at which FLAT instructions reach LDS and scratch; each aperture is 4 GiB. The runtime
// writes them to where programs read them (the queue, hidden arguments).
//
// The machine would work with others, but the analysis takes these for granted: an address whose upper half cannot be
// one of them is global memory to it and is charged as that, so it must know what programs will read. And that a
// global address is never in an aperture is why device memory and the apertures are apart.
struct flat_apertures {
  uint32_t lds = 0x10000;
  uint32_t scratch = 0x20000;
};
static_assert((high_device_memory_base + most_machines * most_device_memory) >> 32 < flat_apertures{}.lds &&
                  flat_apertures{}.lds != flat_apertures{}.scratch,
              "device memory and apertures are apart");

}  // namespace pws::models
