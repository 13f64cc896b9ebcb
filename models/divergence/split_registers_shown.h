// SPDX-License-Identifier: Apache-2.0
// What is shown of the registers of predictable wavefront splitting: a context's parent and its child stack.
#pragma once

#include <vector>

#include "models/context/context_map.h"
#include "models/divergence/shown_register.h"

namespace pws::models {

// Where they stand in a context's record of the debug window.
namespace split_record {
constexpr uint64_t parent = 0x24;
constexpr uint64_t child_depth = 0x38;
constexpr uint64_t children = 0x40;
constexpr unsigned child_bytes = 2;
}  // namespace split_record

// With the first entries of a child stack in the waveform and all of them in the debug window.
std::vector<shown_register> shown_split_registers(uint32_t child_stack_entries);
void show_split_registers(const context_map& contexts, const wf_context& c, uint64_t* values);

}  // namespace pws::models
