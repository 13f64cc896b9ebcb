// SPDX-License-Identifier: Apache-2.0
// Booleans that live over a merge and irregular control flow: what the transformed kernels compute against the same
// functions on the host.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/pwscc/pass/kernels/lane_functions.h"
#include "tests/pwscc/pass/pass_support.h"

namespace pws::test::lane_function_test {
namespace {

using models::divergence_kind;
using pwscc::split_choice;

struct lane_function {
  const char* name;
  uint32_t (*on_host)(uint32_t x, uint32_t y, uint32_t u);
};
const std::vector<lane_function>& functions() {
  static const std::vector<lane_function> all{
#define ENTRY(name) {#name, name},
      LANE_FUNCTIONS(ENTRY)
#undef ENTRY
  };
  return all;
}

std::vector<std::string> kernels() {
  std::vector<std::string> names;
  for (const lane_function& f : functions()) names.push_back(std::string(f.name) + "_kernel");
  return names;
}

struct compilation {
  const char* name;
  std::vector<std::string> flags;
};
class lane_functions : public testing::TestWithParam<compilation> {};
INSTANTIATE_TEST_SUITE_P(
    clang, lane_functions,
    testing::Values(compilation{"O0", {"-O0"}}, compilation{"O1", {"-O1"}}, compilation{"O2", {"-O2"}},
                    compilation{"O3", {"-O3"}}, compilation{"Os", {"-Os"}},
                    compilation{"O3_without_tail_duplication", {"-O3", "-mllvm", "-tail-dup-placement=0"}}),
    [](const auto& c) { return c.param.name; });

TEST_P(lane_functions, compute_what_the_host_computes) {
  constexpr uint32_t work_items = 300;  // the last wavefront is not full
  const lane_inputs in = inputs_for(work_items, 7);
  const std::string& assembly = assembly_of("lane_functions.hip", GetParam().flags);
  for (const split_choice choice : {split_choice::none, split_choice::all, split_choice::automatic}) {
    for (const unsigned s : {1u, 2u, 3u, 7u}) {
      if (choice == split_choice::none && s != 1) continue;
      const pwscc::pass_result placed = place(assembly, choice, s);
      const loader::program_image program = assembled(placed.assembly);
      for (const divergence_kind d : {divergence_kind::pws, divergence_kind::dws, divergence_kind::none}) {
        for (const models::fidelity f : {models::fidelity::functional, models::fidelity::timing}) {
          if (f == models::fidelity::timing && (s != 3 || d == divergence_kind::none)) continue;
          SCOPED_TRACE(fmt::format("{}, S = {}, scheme {}", pws::name_of(choice), s, static_cast<int>(d)));
          models::machine_config machine;
          machine.fidelity = f;
          machine.divergence = d;
          machine.spsimd_per_simd = s;
          machine.check.split_isolation = true;
          // Select promises that every split finds a context on its own unit.
          machine.check.split_contexts = d == divergence_kind::pws;
          const auto results = run_lane_kernels(program, kernels(), in, machine);
          ASSERT_EQ(results.size(), functions().size()) << results.back().error;
          for (size_t k = 0; k < functions().size(); ++k) {
            ASSERT_EQ(results[k].error, "") << functions()[k].name;
            for (uint32_t lane = 0; lane < work_items; ++lane)
              ASSERT_EQ(results[k].out[lane], functions()[k].on_host(in.x[lane], in.y[lane], in.u))
                  << functions()[k].name << " lane " << lane;
          }
        }
      }
    }
  }
}

// Where clang keeps masks in scalar registers (all levels but -O0, which spills them), every function has a branch that
// splits.
TEST_P(lane_functions, split_at_every_branch_with_two_sides) {
  const pwscc::pass_result placed = place(assembly_of("lane_functions.hip", GetParam().flags), split_choice::all, 63);
  std::map<std::string, unsigned> splits, masks;
  for (const pwscc::branch_report& b : placed.report.branches) {
    splits[b.function] += b.split;
    masks[b.function] += b.carried_masks;
    EXPECT_EQ(b.reason.empty(), b.split) << b.function << ":" << b.line << ": " << b.reason;
  }
  const bool spills = std::string(GetParam().name) == "O0";
  // Clang -O3 copies BSBs behind the sides; what is left is counted with that switched off.
  if (std::string(GetParam().name) == "O3") return;
  if (spills) {
    for (const auto& [name, n] : splits) EXPECT_EQ(n, 0u) << name;
    return;
  }
  for (const lane_function& f : functions()) {
    const std::string name = std::string(f.name) + "_kernel";
    // The first became selects; of the second's sides, each of several conditions, clang makes branches with one side.
    if (std::string(f.name) == "bool_constant_on_each_side" || std::string(f.name) == "short_circuit") continue;
    EXPECT_GT(splits[name], 0u) << name;
  }
  // Booleans as clang leaves them: a compare on each side, constants, changed on one side, two at once, over a loop.
  for (const char* name : {"bool_compared_on_each_side", "bool_negated", "bool_pair", "bool_over_two_merges",
                           "bool_over_a_loop", "breaks_out", "switches"})
    EXPECT_GT(masks[std::string(name) + "_kernel"], 0u) << name;
}

}  // namespace
}  // namespace pws::test::lane_function_test
