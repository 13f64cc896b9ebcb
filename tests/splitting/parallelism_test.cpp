// SPDX-License-Identifier: Apache-2.0
// SpSIMD units guarantee that the sides of a split run in parallel: a tree of splits with arithmetic leaves takes
// exactly the time of its longest path with that path's splits and merges. PWS_TREES sets how many trees are tried.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <set>

#include "tests/splitting/batch_run.h"

namespace pws::test::parallelism_test {
namespace {

using models::divergence_kind;

constexpr uint32_t mul = 0x9e3779b1;
constexpr unsigned batch = 20;

unsigned trees_wanted() {
  const char* n = std::getenv("PWS_TREES");
  return n == nullptr ? 500 : static_cast<unsigned>(std::atoi(n));
}

models::machine_config one_wavefront(divergence_kind d, uint32_t s, uint32_t split_cycles, uint32_t merge_cycles) {
  models::machine_config m;
  m.n_cu = m.n_simd = 1;
  m.n_wfc = d == divergence_kind::dws ? 64 : 1;
  m.sgprs_per_simd = 65536;
  m.divergence = d;
  m.spsimd_per_simd = s;
  m.split_cycles = split_cycles;
  m.merge_cycles = merge_cycles;
  return m;
}

uint32_t cycles_of(const batch_result& r, uint32_t work_item) {
  return r.memory[work_item * bytes_per_work_item / sizeof(uint32_t)];
}

// Trees of one seed, each with its launch on whole wavefronts and one launch per leaf that a work-item reaches, with
// every work-item on that leaf's path.
struct tree_batch {
  std::vector<assembly_file::tree> trees;
  std::optional<loader::program_image> program;
  std::vector<batch_launch> together, alone;
  std::vector<std::vector<size_t>> alone_of;  // by tree, indices into alone
  std::vector<uint32_t> occupancy;            // by tree: VALU cycles of all its leaves that are reached
};

tree_batch make_trees(unsigned first_seed, unsigned n) {
  tree_batch b;
  assembly_file file;
  for (unsigned k = 0; k < n; ++k) b.trees.push_back(file.add_tree(first_seed + k, 1 + (first_seed + k) % 6));
  b.program.emplace(assemble(file.text()));
  for (unsigned k = 0; k < n; ++k) {
    batch_launch l;
    l.kernel = fmt::format("k{}", k);
    l.mul = mul;
    l.add = (first_seed + k) * 0x10000u;
    b.together.push_back(l);
    std::set<uint32_t> reached;
    b.alone_of.emplace_back();
    b.occupancy.push_back(0);
    for (uint32_t id = 0; id < 64; ++id) {
      const assembly_file::tree::leaf& leaf = b.trees[k].reached_by(hash_of(id, mul, l.add));
      if (!reached.insert(leaf.path).second) continue;
      b.occupancy.back() += 4 * leaf.valu;
      b.alone_of.back().push_back(b.alone.size());
      batch_launch single = l;
      single.mode = 1;
      single.value = leaf.path;
      b.alone.push_back(single);
    }
  }
  return b;
}

TEST(parallelism, tree_takes_exactly_its_longest_path) {
  unsigned parallel = 0;
  for (unsigned seed = 1; seed <= trees_wanted(); seed += batch) {
    const tree_batch b = make_trees(seed, batch);
    const models::machine_config m = one_wavefront(divergence_kind::pws, 63, 1 + seed % 3, 1 + seed / batch % 4);
    const batch_report together = run_batch(m, *b.program, b.together), alone = run_batch(m, *b.program, b.alone);
    ASSERT_EQ(together.launches.size(), b.together.size()) << together.launches.back().error;
    EXPECT_EQ(together.divergence.no_context, 0u);
    EXPECT_EQ(alone.divergence.splits, 0u);  // all work-items always took the same side
    for (unsigned k = 0; k < batch; ++k) {
      uint32_t longest = 0, sum = 0;
      for (const size_t a : b.alone_of[k]) {
        const uint32_t t = cycles_of(alone.launches[a], 0);
        longest = std::max(longest, t);
        sum += t;
      }
      for (uint32_t id = 0; id < 64; ++id)
        ASSERT_EQ(cycles_of(together.launches[k], id), longest)
            << "seed " << seed + k << ", " << b.alone_of[k].size() << " leaves reached, work-item " << id;
      if (b.alone_of[k].size() > 1 && longest < sum) ++parallel;
    }
  }
  EXPECT_GT(parallel, trees_wanted() / 2);  // most trees do have several leaves
}

// Without units of their own the SWFs share one vector ALU: never faster than all their instructions on it.
TEST(parallelism, subdivision_on_one_simd_unit_serialises_the_alu) {
  for (unsigned seed = 1; seed <= trees_wanted(); seed += batch) {
    const tree_batch b = make_trees(seed, batch);
    const batch_report r = run_batch(one_wavefront(divergence_kind::dws, 63, 1, 1), *b.program, b.together);
    ASSERT_EQ(r.launches.size(), b.together.size()) << r.launches.back().error;
    EXPECT_GT(r.divergence.splits, 0u);
    EXPECT_EQ(r.divergence.no_context, 0u);
    for (unsigned k = 0; k < batch; ++k) EXPECT_GE(cycles_of(r.launches[k], 0), b.occupancy[k]) << "seed " << seed + k;
  }
}

// With one vector ALU as well, and one path after the other in the stack's order, two at a time take no longer; and
// they execute the same instructions with the same lanes. Each of these on its own machine, with the same scoreboard.
TEST(parallelism, two_paths_are_never_slower_than_one) {
  using models::path_scheduler;
  using models::path_scoreboard;
  uint64_t faster = 0, launches = 0;
  for (unsigned seed = 1; seed <= trees_wanted(); seed += batch) {
    const tree_batch b = make_trees(seed, batch);
    for (const path_scoreboard board :
         {path_scoreboard::drain, path_scoreboard::conservative, path_scoreboard::optimistic}) {
      models::machine_config m = one_wavefront(divergence_kind::stack, 0, 1 + seed % 3, 1 + seed / batch % 4);
      m.scoreboard = board;
      const batch_report stack = run_batch(m, *b.program, b.together);
      m.divergence = divergence_kind::dpe;
      for (const models::dpe_config dpe :
           {models::dpe_config{path_scheduler::full, false}, models::dpe_config{path_scheduler::full, true},
            models::dpe_config{path_scheduler::constrained, false}}) {
        SCOPED_TRACE(
            fmt::format("{}, {}{}", name_of(board), name_of(dpe.scheduler), dpe.path_forwarding ? ", forwarding" : ""));
        m.dpe = dpe;
        const batch_report dual = run_batch(m, *b.program, b.together);
        ASSERT_EQ(dual.launches.size(), b.together.size()) << dual.launches.back().error;
        EXPECT_EQ(dual.cu.valu_instructions(), stack.cu.valu_instructions());
        EXPECT_EQ(dual.cu.valu_lanes, stack.cu.valu_lanes);
        EXPECT_EQ(dual.divergence.splits, stack.divergence.splits);
        for (unsigned k = 0; k < batch; ++k) {
          const uint32_t with_one = cycles_of(stack.launches[k], 0), with_two = cycles_of(dual.launches[k], 0);
          EXPECT_LE(with_two, with_one) << "seed " << seed + k;
          faster += with_two < with_one;
          ++launches;
        }
      }
    }
  }
  EXPECT_GT(faster, launches / 4);
}

}  // namespace
}  // namespace pws::test::parallelism_test
