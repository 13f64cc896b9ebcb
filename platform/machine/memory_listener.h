// SPDX-License-Identifier: Apache-2.0
// Who hears what happens to device memory from outside: allocations, and the host's accesses. Checks need it.
#pragma once

#include <cstdint>
#include <string>

namespace pws::platform {

class memory_listener {
 public:
  virtual ~memory_listener() = default;
  // Kernels may access [address, address + bytes) from now on; nothing is known of what it holds.
  virtual void allocated(uint64_t address, uint64_t bytes, const std::string& name) = 0;
  // ... that begins there, no longer.
  virtual void released(uint64_t address) = 0;
  // The host has written those bytes, or declares that they hold what they should.
  virtual void host_wrote(uint64_t address, uint64_t bytes) = 0;
  // The host is about to read them.
  virtual void host_reads(uint64_t address, uint64_t bytes) = 0;
  // Bytes have been copied within device memory; the ranges may overlap, as memmove's.
  virtual void copied(uint64_t to, uint64_t from, uint64_t bytes) = 0;
};

}  // namespace pws::platform
