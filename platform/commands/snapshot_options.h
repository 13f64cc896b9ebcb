// SPDX-License-Identifier: Apache-2.0
// What `debug` and `dap` are told about snapshots.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <string>

#include "platform/debug/snapshots.h"

namespace pws::platform {

struct snapshot_choice {
  uint64_t memory_mib = 1024, every = 0;
  debug::snapshot_options options() const { return {memory_mib << 20, every}; }
};
// Why a HIP program, and firmware, has no use for them.
constexpr const char* no_snapshots_of_programs = "a HIP program does not go back, so there are no snapshots";
constexpr const char* no_snapshots_of_firmware = "firmware does not go back, so there are no snapshots";
void add_snapshot_options(CLI::App& command, snapshot_choice& to);
// For what cannot go back, and why: which of them are given and have no effect; "": none.
std::string unused_snapshot_options(const CLI::App& command, const std::string& why);
// The same throws input_error if there are some.
void refuse_snapshot_options(const CLI::App& command, const std::string& why);
// Runs it where snapshots can be made, if any are wanted. The exit code. Throws input_error.
int with_snapshots(const snapshot_choice& c, const std::function<int()>& work);

}  // namespace pws::platform
