// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/abi/abi_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <nlohmann/json.hpp>

namespace pws::test {

std::string to_string(const abi_build& b) {
  return fmt::format("code object v{}, {} {}", b.code_object_version,
                     b.fidelity == models::fidelity::timing ? "timing" : "functional", fmt::join(b.flags, " "));
}

std::vector<abi_build> optimised_builds(const std::vector<std::string>& flags) {
  std::vector<abi_build> out;
  for (const unsigned version : {3u, 4u, 5u})
    for (const auto f : {models::fidelity::functional, models::fidelity::timing}) out.push_back({version, f, flags});
  return out;
}

std::vector<abi_build> all_builds(const std::vector<std::string>& flags) {
  std::vector<abi_build> out = optimised_builds(flags);
  std::vector<std::string> unoptimised = flags;
  unoptimised.push_back("-O0");
  for (const abi_build& b : both_fidelities(unoptimised)) out.push_back(b);
  return out;
}

std::vector<abi_build> both_fidelities(const std::vector<std::string>& flags) {
  return {{4, models::fidelity::functional, flags}, {4, models::fidelity::timing, flags}};
}

const loader::program_image& abi_program(const std::string& file, const abi_build& build) {
  static std::map<std::string, loader::program_image> programs;
  const std::string key = fmt::format("{} {} {}", file, build.code_object_version, fmt::join(build.flags, " "));
  const auto known = programs.find(key);
  if (known != programs.end()) return known->second;
  loader::load_options options;
  options.compile.cache_dir = PWS_TEST_CACHE;
  options.compile.code_object_version = build.code_object_version;
  options.compile.flags = build.flags;
  return programs.emplace(key, loader::load_program(PWS_SOURCE_DIR "/tests/integration/abi/kernels/" + file, options))
      .first->second;
}

reference::kernel_case abi_case(const std::string& file, const std::string& kernel, uint32_t grid, uint32_t workgroup,
                                std::vector<reference::kernel_case::arg> args) {
  reference::kernel_case c;
  c.name = c.kernel = kernel;
  c.source = file;
  c.grid[0] = grid;
  c.workgroup[0] = workgroup;
  c.args = std::move(args);
  return c;
}

child_report run_abi(const reference::kernel_case& c, const abi_build& build) {
  platform::kernel_run run;
  run.machine.fidelity = build.fidelity;
  run.program = &abi_program(c.source, build);
  run.launches.front().kernel = c.kernel;
  run.launches.front().shape.grid = c.grid;
  run.launches.front().shape.workgroup = c.workgroup;
  run.launches.front().shape.dynamic_lds = c.dynamic_lds;
  for (const reference::kernel_case::arg& a : c.args) run.arguments.push_back({a.name, a.is_buffer, a.bytes});
  return run_in_child(run);
}

void expect_results(const reference::kernel_case& c, const std::vector<abi_build>& builds) {
  for (const abi_build& build : builds) {
    SCOPED_TRACE(c.kernel + ", " + to_string(build));
    const child_report r = run_abi(c, build);
    ASSERT_TRUE(r.completed) << r.error;
    EXPECT_EQ(memory_difference(c, r), "");
  }
}

void expect_error(const reference::kernel_case& c, const testing::Matcher<const std::string&>& message,
                  const std::vector<abi_build>& builds) {
  for (const abi_build& build : builds) {
    SCOPED_TRACE(c.kernel + ", " + to_string(build));
    const child_report r = run_abi(c, build);
    EXPECT_FALSE(r.completed);
    EXPECT_THAT(r.error, message);
    EXPECT_EQ(r.json().at("result").at("error"), r.error);
  }
}

}  // namespace pws::test
