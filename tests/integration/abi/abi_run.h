// SPDX-License-Identifier: Apache-2.0
// A kernel of tests/integration/abi/kernels, compiled as each code object version and run in each fidelity.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/integration/child_run.h"
#include "tests/integration/reference/case_builder.h"

namespace pws::test {

struct abi_build {
  unsigned code_object_version = 4;
  models::fidelity fidelity = models::fidelity::functional;
  std::vector<std::string> flags;  // for clang
};
std::string to_string(const abi_build& b);

// Every combination of code object version (3, 4, 5) and fidelity.
std::vector<abi_build> optimised_builds(const std::vector<std::string>& flags = {});
// These, and both fidelities of unoptimised code.
std::vector<abi_build> all_builds(const std::vector<std::string>& flags = {});
// Both fidelities of code object version 4, for what does not depend on the version.
std::vector<abi_build> both_fidelities(const std::vector<std::string>& flags = {});

// The program of a source file beside the kernels; compiled once.
const loader::program_image& abi_program(const std::string& file, const abi_build& build);

// A case of that file's kernel with a 1-D grid.
reference::kernel_case abi_case(const std::string& file, const std::string& kernel, uint32_t grid, uint32_t workgroup,
                                std::vector<reference::kernel_case::arg> args = {});

child_report run_abi(const reference::kernel_case& c, const abi_build& build);
// Runs to the end, and every buffer holds what the case expects, in all builds.
void expect_results(const reference::kernel_case& c, const std::vector<abi_build>& builds = all_builds());
// Fails in all builds; the message matches.
void expect_error(const reference::kernel_case& c, const testing::Matcher<const std::string&>& message,
                  const std::vector<abi_build>& builds = both_fidelities());

}  // namespace pws::test
