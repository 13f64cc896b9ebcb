// SPDX-License-Identifier: Apache-2.0
// What waveform and debug window show of a wavefront whose paths each have a context: PC and work-items of every path,
// the wavefront's own context first.
#pragma once

#include <vector>

#include "models/context/wf_context.h"
#include "models/divergence/shown_register.h"

namespace pws::models {

// Where they stand in the record of the wavefront's context in the debug window.
namespace paths_record {
constexpr uint64_t count = 0x38;    // 32 bits
constexpr uint64_t entries = 0x40;  // in the order in which the paths were cut
constexpr uint64_t entry_bytes = 16;
constexpr uint64_t pc = 0, mask = 8;    // in an entry, 64 bits each
constexpr uint32_t entries_shown = 60;  // what a record has room for
}  // namespace paths_record

std::vector<shown_register> shown_paths();
// Their values, in that order, of the wavefront in `root`.
void show_paths(const wf_context& root, uint64_t* values);

}  // namespace pws::models
