// SPDX-License-Identifier: Apache-2.0
// Dynamic relocations of AMDGPU code objects. (LLVM "User Guide for AMDGPU Backend", "Relocation Records")
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sw/loader/elf_file.h"

namespace pws::loader {

// What a relocation needs to know about where things are.
struct relocation_context {
  const byte_view& file;                     // for messages
  const std::vector<elf_segment>& segments;  // loadable ones, ascending
  const std::vector<elf_symbol>& symbols;    // the table the relocations refer to
  std::vector<uint8_t>& image;               // byte i is at virtual address i
  uint64_t base;                             // device address of virtual address 0
};

// Patches `image`. Throws input_error for a place outside every segment, an unresolved symbol (by name), a value that
// does not fit, or a type that a loader cannot apply.
void relocate(const relocation_context& context, const elf_relocation& relocation);

}  // namespace pws::loader
