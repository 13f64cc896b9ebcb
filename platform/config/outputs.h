// SPDX-License-Identifier: Apache-2.0
// The files that a run can write: one table for command line, run files and exec files.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "platform/config/needs.h"

namespace pws::platform {

// An output: its option, its key and what it needs.
struct output_kind {
  const char* name;   // rtl_vcd: the key in files; on the command line --rtl-vcd
  const char* file;   // what the command line calls its value
  const char* help;   // behind "write" and "file for"
  const char* label;  // in the list of what a run has written; nullptr: not there
  watcher made_by;
};
const std::vector<output_kind>& output_kinds();
// Keys that only these outputs read, or bounds (wcet).
struct output_keys {
  std::vector<std::string> keys, readers;
};
const std::vector<output_keys>& keys_of_outputs();
std::string option_of(std::string_view output);  // "--rtl-vcd"

// Those that are wanted.
class outputs {
 public:
  // "": not wanted. Throws std::logic_error where there is no output of that name.
  const std::string& of(std::string_view name) const;
  std::string& of(std::string_view name);
  // Those that the others name in place of these.
  void take(const outputs& others);
  // None is wanted.
  bool empty() const {
    return std::all_of(files_.begin(), files_.end(), [](const auto& f) { return f.second.empty(); });
  }
  // One of them, or a key of the machine, has one of those needs.
  bool any_needs(unsigned needs, const models::machine_config& machine) const;
  static constexpr uint64_t most_cycles_of_row = 1'000'000'000'000;
  uint64_t stats_every = 0;  // cycles of a row of stats

 private:
  std::map<std::string, std::string, std::less<>> files_;
};

}  // namespace pws::platform
