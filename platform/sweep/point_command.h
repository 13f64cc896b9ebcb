// SPDX-License-Identifier: Apache-2.0
// What runs at a point of an experiment: a pwsvp command, for HIP programs after pwscc has compiled them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "models/machine/machine_config.h"
#include "platform/config/files/experiment.h"

namespace pws::platform::sweep {

// pwsvp, pwscc, libamdhip64.so.5 and the compiler's plugins, which are beside one another as built and as installed.
struct tools {
  std::filesystem::path pwsvp, pwscc, library;
  std::vector<std::filesystem::path> plugins;
  static tools beside_this_program();
};

struct point_command {
  std::string config;                  // file that the command reads
  std::vector<std::string> overrides;  // each KEY=VALUE of --set
  std::vector<std::string> pwsvp;      // without the option --report FILE, which goes in at `report_at`
  size_t report_at = 0;
  std::vector<std::string> compile;               // exec: pwscc ... without -o FILE; else empty
  std::vector<std::string> flags;                 // exec: those of `compile` that are the experiment's
  std::vector<std::string> arguments;             // exec: of the program
  std::vector<std::string> inputs;                // files whose contents decide the result
  std::optional<models::machine_config> machine;  // none: graph
};

// Checks the point's configuration. Throws input_error with the point's labels in front.
point_command command_at(const experiment& e, const std::vector<size_t>& point, const tools& t);
// The same of whether the host has memory for the point's machine now.
void check_memory_at(const experiment& e, const std::vector<size_t>& point, const point_command& c);

// What compiling a program reads, and the compiler; the program alone where it is compiled already. Asks clang once for
// each source with the same flags. Any number of threads.
enum class compiled_for : uint8_t { device, device_and_host };
std::vector<std::string> made_of(const std::string& source, const std::vector<std::string>& flags, compiled_for what);

// "S = 3, scheme = PWS"
std::string point_text(const experiment& e, const std::vector<size_t>& point);

// What `f` does for a point: its input_error gets the experiment's file and the point's labels in front.
template <class F>
auto naming_point(const experiment& e, const std::vector<size_t>& point, F&& f) {
  try {
    return f();
  } catch (const input_error& error) {
    throw input_error(e.file + ": at " + point_text(e, point) + ":\n" + error.what());
  }
}

}  // namespace pws::platform::sweep
