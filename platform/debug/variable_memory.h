// SPDX-License-Identifier: Apache-2.0
// Memory as variables are in it: the device's, LDS, and what is private to a work-item.
#pragma once

#include "platform/debug/variables.h"

namespace pws::platform::debug {

// Where an address of FLAT instructions leads.
struct space_address {
  loader::memory_space space = loader::memory_space::global;
  uint64_t address = 0;
};
space_address resolved(const path& p, loader::memory_space space, uint64_t address);
// The address by which FLAT instructions reach it.
uint64_t flat_address(const path& p, loader::memory_space space, uint64_t address);
// The bytes of the scene's path, and of its lane where they are private. Throws input_error.
void read_variable(const scene& s, loader::memory_space space, uint64_t address, void* to, uint64_t bytes);

}  // namespace pws::platform::debug
