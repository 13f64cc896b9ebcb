// SPDX-License-Identifier: Apache-2.0
// Options that several commands have.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "platform/config/outputs.h"

namespace pws::platform {

// A command of a run file or the like.
struct config_options {
  std::string config;
  std::vector<std::string> overrides;
};
CLI::App* add_with_config(CLI::App& app, const char* name, const char* help, config_options& o);

// An option whose value is the name of an enumerator (base/enum_names.h). `to`: an E, or an optional one. Other names
// are refused with a list of those that there are.
template <class E, class place>
CLI::Option* add_choice(CLI::App& app, const char* name, place& to, const char* help) {
  return app
      .add_option_function<std::string>(
          name, [&to](const std::string& given) { to = *value_named<E>(given); }, help)
      ->check(CLI::IsMember(names<E>()));
}

// --check: the checks of a machine (machine.check) by name, as overrides of its keys.
void add_checks_option(CLI::App& c, std::vector<std::string>& to);
void put_checks(const std::vector<std::string>& checks, std::vector<std::string>& overrides);

// --times: as an override of wcet.block_times.
void add_times_option(CLI::App& c, std::string& to);
void put_times(const std::string& times, std::vector<std::string>& overrides);

// --kernels: code objects of a system's GPUs, for their debugger.
CLI::Option* add_kernels_option(CLI::App& c, std::vector<std::string>& to);

// The files that run and exec write (platform/config/outputs.h).
void add_output_options(CLI::App& command, outputs& files);

}  // namespace pws::platform
