// SPDX-License-Identifier: Apache-2.0
#include "platform/sweep/point_warnings.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "platform/config/files/exec_config.h"
#include "platform/config/files/run_config.h"
#include "platform/run/program/scheme_use.h"
#include "platform/wcet/choose_by_launch.h"
#include "sw/loader/compile_cache.h"
#include "sw/pwscc/cached_device.h"
#include "sw/pwscc/command_line.h"

namespace pws::platform::sweep {

namespace {

// The points of all device code in the point's program: which of its kernels are launched shows when it runs.
code_points hip_points_of(const point_command& c) {
  const pwscc::command_line line = pwscc::parse_command_line({c.compile.begin() + 1, c.compile.end()});
  const loader::compile_cache cache(loader::compile_cache::default_directory());
  code_points points;
  for (const std::string& source : line.sources)
    points |= points_of(
        loader::read_program(pwscc::compile_cached(source, pwscc::device_options_of(line), cache).code_object, source));
  return points;
}

std::vector<std::string> exec_warnings(const point_command& c) {
  const exec_config config = load_exec(c.config, c.overrides);
  std::vector<std::string> all = config.idle_keys;
  const std::vector<std::string> of_scheme = scheme_warnings(config.machine, hip_points_of(c));
  all.insert(all.end(), of_scheme.begin(), of_scheme.end());
  return all;
}

std::vector<std::string> run_warnings(const point_command& c) {
  const run_config config = load_run(c.config, c.overrides);
  return warnings_of(
      config, [&config] { return points_of(compile_for_launches(config, assembly_text::not_wanted).image, config); });
}

}  // namespace

std::vector<std::string> text_of(const warned_points& warned, const experiment& e, size_t points) {
  std::vector<std::string> lines;
  for (const auto& [text, at] : warned)
    lines.push_back(fmt::format("at {} of {} points, e.g. {}: {}", at.size(), points,
                                point_text(e, e.point(*std::min_element(at.begin(), at.end()))), text));
  return lines;
}

std::vector<std::string> warnings_at(const experiment& e, const point_command& c) {
  try {
    switch (e.command) {
      case command::exec:
        return exec_warnings(c);
      case command::run:
      case command::wcet:
        return run_warnings(c);
      case command::graph:
      case command::reconvergence:
        break;
    }
  } catch (const input_error& error) {
    if (e.refusal.empty() || std::string(error.what()).find(e.refusal) == std::string::npos) throw;
  }
  return {};
}

}  // namespace pws::platform::sweep
