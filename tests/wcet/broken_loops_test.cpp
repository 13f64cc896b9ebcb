// SPDX-License-Identifier: Apache-2.0
// The comparison of bounds with runs sees mistakes in what is known of loops: kernels whose loops run as often as their
// marks say take longer than the bounds from facts that say less.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>

#include "models/isa/code/decode.h"
#include "models/isa/predicates.h"
#include "sw/wcet/loops/loop_bounds.h"
#include "tests/integration/child_run.h"
#include "tests/wcet/bounded_launches.h"
#include "tests/wcet/random_bounds.h"
#include "tests/wcet/random_loops.h"

namespace pws::test::broken_loops_test {
namespace {

using wcet::marked_loop;

enum mistake : size_t { maximum_for_product, one_pass_too_few, back_edge_forgotten, n_mistakes };
constexpr std::array<const char*, n_mistakes> names = {"the maximum in place of the product",
                                                       "a test for each iteration, none that ends the loop",
                                                       "a back edge forgotten"};

std::vector<broken_facts> mistakes_in(const wcet::analysed_kernel& right) {
  const cfg::flow_graph& graph = right.graph();
  const cfg::function_code& code = graph.code();
  std::vector<broken_facts> out;
  const auto& marked = right.marked_loops();
  // A loop in a loop, whether they have become one or not: as if the outer one went round once.
  for (size_t m = 0; m < marked.size(); ++m) {
    const size_t parent = marked[m].parent;
    if (parent == marked_loop::none || marked[parent].bound == 1 || marked[m].bound == 1) continue;
    broken_facts b{maximum_for_product, code, marked};
    b.marked[m].bound = std::max(marked[m].bound, marked[parent].bound);
    b.marked[parent].bound = 1;
    out.push_back(std::move(b));
  }
  for (const wcet::bounded_loop& loop : right.loops()) {
    if (loop.marks.size() == 1 && loop.passes && *loop.passes > 1) {
      broken_facts b{one_pass_too_few, code, marked};
      b.marked.push_back(wcet::bound_around(code, graph[loop.header].first, *loop.passes - 1, "mistake"));
      out.push_back(std::move(b));
    }
    for (const size_t latch : graph[loop.header].predecessors) {
      if (!std::binary_search(loop.blocks.begin(), loop.blocks.end(), latch)) continue;
      const isa::inst& last = code.instructions[graph[latch].last()];
      if (!isa::is_conditional_branch(last)) continue;
      broken_facts b{back_edge_forgotten, code, marked};
      constexpr uint32_t s_nop = 0xbf800000;
      b.code.instructions[graph[latch].last()] = isa::decode(&s_nop, 1, last.pc);
      out.push_back(std::move(b));
    }
  }
  return out;
}

struct tally {
  std::array<unsigned, n_mistakes> made{}, caught{};
  void add(const std::vector<bounded_result>& results) {
    for (const bounded_result& r : results) {
      EXPECT_EQ(r.error, "");
      if (!r.refusal.empty()) continue;  // other tests are about that
      EXPECT_GE(r.bound, r.observed);
      for (const broken_bound& b : r.broken) {
        ++made[b.mistake];
        if (b.bound < r.observed) ++caught[b.mistake];
      }
    }
  }
  void check(const char* where) const {
    for (size_t k = 0; k < n_mistakes; ++k) {
      fmt::print("{}: {}: {} made, {} caught\n", where, names[k], made[k], caught[k]);
      EXPECT_GT(caught[k], 0u) << names[k];
    }
  }
};

TEST(broken_loops, are_caught_by_directed_kernels) {
  tally t;
  const models::machine_config machine = predictable({});
  const auto launch = [](const char* kernel, uint32_t n, uint32_t m) {
    bounded_launch l;
    l.kernel = kernel;
    l.n = n;
    l.m = m;
    l.work_items = 8 * 64;
    return l;
  };
  const std::string folder = PWS_SOURCE_DIR "/tests/wcet/loops/";
  t.add(bound_and_run(machine, compile_hip(folder + "merged.hip", {"-O3"}),
                      {launch("nested_do_whiles", 6, 8), launch("three_deep_do_whiles", 4, 3),
                       launch("outer_test_in_inner", 20, 2), launch("outer_test_in_two_inner", 5, 3)},
                      mistakes_in));
  t.add(bound_and_run(machine, compile_hip(folder + "tested.hip", {"-O3"}),
                      {launch("test_that_is_not_copied", 15, 0), launch("test_that_is_not_copied_once", 1, 0),
                       launch("for_loop", 20, 0), launch("left_in_two_places", 14, 0)},
                      mistakes_in));
  t.check("directed");
}

// With PWS_WCET_ALL=1 more of them, and three loops in one another.
TEST(broken_loops, are_caught_by_random_kernels) {
  tally t;
  const models::machine_config machine = predictable({});
  const bool all = std::getenv("PWS_WCET_ALL") != nullptr;
  for (uint64_t seed = 1; seed <= (all ? 32 : 16); seed += 16) {
    random_loops source;
    std::vector<bounded_launch> launches;
    for (unsigned k = 0; k < (all ? 16 : 6); ++k) {
      random_loops_options options;
      options.depth = 1 + k % (all ? 3 : 2);
      options.statements = 1;
      options.memory = false;
      options.leaves = k % 2 == 0;
      source.add_kernel(seed + k, options);
      bounded_launch l;
      l.kernel = fmt::format("k{}", k);
      l.work_items = 8 * 64;
      launches.push_back(l);
    }
    const temporary_file file(".hip");
    std::ofstream(file.path()) << source.text();
    t.add(bound_and_run(machine, compile_hip(file.path(), {seed == 1 ? "-O3" : "-O1"}), launches, mistakes_in));
  }
  t.check("random");
}

}  // namespace
}  // namespace pws::test::broken_loops_test
