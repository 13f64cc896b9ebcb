// SPDX-License-Identifier: Apache-2.0
// How a HIP program runs on the platform: the machine, the fidelity of each launch, and what to write. From a YAML file
// (PWSVP_CONFIG) and overrides (PWSVP_SET, one per line), which is how `pwsvp exec` reaches the library in its child.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "models/machine/machine_config.h"
#include "platform/config/effective.h"
#include "platform/config/field.h"
#include "platform/config/files/run_config.h"
#include "platform/config/outputs.h"
#include "sw/reconvergence/trace.h"

namespace pws::platform {

inline constexpr const char* config_variable = "PWSVP_CONFIG";
inline constexpr const char* overrides_variable = "PWSVP_SET";
// The command that the program was started with, for messages that say how to run it again.
inline constexpr const char* command_variable = "PWSVP_COMMAND";

// Launches are numbered from 1 in the order in which the process makes them.
struct exec_config {
  models::machine_config machine;
  models::fidelity fidelity = models::fidelity::functional;  // of launches that nothing below names
  // A number beats a name; functional beats timing.
  std::vector<uint64_t> timing_launches, functional_launches;
  std::vector<std::string> timing_kernels, functional_kernels;  // mangled, demangled, or without parameters
  // Launches that go into waveform and timeline: all of timing fidelity if neither is given.
  std::vector<uint64_t> trace_launches;
  std::vector<std::string> trace_kernels;
  outputs to_write;
  uint32_t devices = 1;  // machines of the process, all alike
  bool summary = false;  // on stderr, when the program ends
  bool bounds = false;   // bound each launch's worst-case execution time, as `wcet` says
  wcet_config wcet;
  reconvergence::study_options reconvergence{0};  // of each launch; no work-items: of none
  std::vector<std::string> files;                 // all YAML files that this was read from
  effective_value effective;                      // every key
  std::vector<std::string> idle_keys;             // keys_without_effect

  models::fidelity fidelity_of(uint64_t launch, const std::string& mangled, const std::string& demangled) const;
  bool traces(uint64_t launch, const std::string& mangled, const std::string& demangled) const;
};

// `path` is a machine file, or a file with the key `machine` as in a run file and, if wanted, `exec`. Empty: the
// default machine, functional. Throws input_error with every problem of the file.
exec_config load_exec(const std::string& path, const std::vector<std::string>& overrides);
// As the environment says.
exec_config exec_from_environment();

// The keys below `exec`, for `pwsvp params`.
const std::vector<field>& exec_fields();

}  // namespace pws::platform
