// SPDX-License-Identifier: Apache-2.0
// Every kernel of the project through pwscc: memory as plain clang's binary leaves it, whatever is split and on
// whatever machine.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "sw/pwscc/device_compiler.h"
#include "tests/integration/child_run.h"
#include "tests/integration/machines.h"

namespace pws::test::kernels_test {
namespace {

using models::divergence_kind;
using pwscc::split_choice;

const loader::program_image& split_program(const std::string& source, split_choice choice, unsigned s) {
  // Programs are kept: runs of several cases use each.
  static std::map<std::string, loader::program_image> known;
  const std::string key = fmt::format("{} {} {}", source, pws::name_of(choice), s);
  if (const auto found = known.find(key); found != known.end()) return found->second;
  pwscc::device_options options;
  options.flags = {"-std=c++17", "-O3"};
  options.pass.choice = choice;
  options.pass.swf_contexts = s;
  // As for the predictable machine, whose targets are aligned, but with memory at no cost so that more is split.
  if (choice == split_choice::automatic && s >= 3) options.pass.machine = wcet::machine_timing{};
  const pwscc::device_result r = pwscc::compile_device(PWS_SOURCE_DIR "/" + source, options);
  return known.emplace(key, loader::read_program(r.code_object, key)).first->second;
}

class split_kernels : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(kernels, split_kernels, testing::ValuesIn(kernel_names()),
                         [](const auto& kernel) { return kernel.param; });

TEST_P(split_kernels, leave_the_memory_that_plain_clang_leaves) {
  uint64_t splits = 0, merges = 0, runs = 0;
  for (const reference::kernel_case& c : some_small_cases(GetParam())) {
    const child_report plain = run_in_child(launch_of(c));
    ASSERT_EQ(plain.error, "");
    for (const split_choice choice : {split_choice::all, split_choice::marked, split_choice::automatic}) {
      for (const unsigned s : {1u, 2u, 3u, 7u}) {
        // Each compiles once more.
        if (s == 2 && !(choice == split_choice::all && every_case_wanted())) continue;
        if (choice == split_choice::marked && s != 3 && !every_case_wanted()) continue;
        if (choice == split_choice::automatic && s == 7 && !every_case_wanted()) continue;
        SCOPED_TRACE(fmt::format("{}, {}, S = {}", c.name, pws::name_of(choice), s));
        platform::kernel_run run = launch_of(c);
        run.program = &split_program(c.source, choice, s);
        run.machine.fidelity = s == 3 ? models::fidelity::timing : models::fidelity::functional;
        run.machine.divergence = divergence_kind::pws;
        run.machine.spsimd_per_simd = s;
        run.machine.check.split_isolation = run.machine.check.split_contexts = true;
        const child_report r = run_in_child(run);
        ASSERT_EQ(r.error, "");
        EXPECT_EQ(r.arguments, plain.arguments);
        EXPECT_EQ(memory_difference(c, r), "");
        splits += r.json().at("totals").at("splits").at("value").get<uint64_t>();
        merges += r.json().at("totals").at("merges").at("value").get<uint64_t>();
        ++runs;
      }
    }
  }
  std::cout << GetParam() << ": " << runs << " runs, " << splits << " splits and " << merges << " merges executed\n";
  EXPECT_EQ(splits, merges);
  // The others' branches have one side each.
  const std::set<std::string> two_sided{"vector_add", "fully_divergent", "divergent_break", "spiking_neuron",
                                        "synthetic"};
  EXPECT_EQ(splits != 0, two_sided.count(GetParam()) != 0);
}

}  // namespace
}  // namespace pws::test::kernels_test
