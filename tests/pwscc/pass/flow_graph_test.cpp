// SPDX-License-Identifier: Apache-2.0
// Graphs, dominators, loops, liveness and EXEC of small functions.
#include "models/flow/flow_graph.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "base/error.h"
#include "models/flow/code_table.h"
#include "models/flow/dominators.h"
#include "models/isa/predicates.h"
#include "sw/cfg/exec_tracking.h"
#include "sw/cfg/liveness.h"
#include "sw/cfg/natural_loops.h"
#include "sw/pwscc/assembled_kernel.h"
#include "tests/pwscc/pass/pass_support.h"

namespace pws::test::flow_graph_test {
namespace {

using cfg::dominator_tree;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

cfg::function_code code_of(const std::string& body) {
  const pwscc::assembly_file file(kernel_text(body), "test.s");
  auto kernels = pwscc::assemble_kernels(file);
  if (kernels.size() != 1) throw std::runtime_error("not one kernel");
  return std::move(kernels[0].code);
}

// Words of s_nop, branches and s_endpgm for a graph given as edges: block k is an s_nop and a branch.
constexpr uint32_t s_nop = 0xbf800000, s_endpgm = 0xbf810000, s_branch = 0xbf820000, s_cbranch_scc0 = 0xbf840000,
                   s_trap = 0xbf920002;

// Per block none (it ends), one or two successors; of two, the first is the following block.
std::vector<uint32_t> words_of(const std::vector<std::vector<size_t>>& successors) {
  std::vector<uint32_t> words;
  const size_t n = successors.size();
  // Three words a block: s_nop, conditional branch or s_nop, branch or end.
  const auto offset = [](size_t from_word, size_t to_block) {
    return static_cast<uint32_t>(static_cast<int64_t>(3 * to_block) - static_cast<int64_t>(from_word) - 1) & 0xffff;
  };
  for (size_t b = 0; b < n; ++b) {
    words.push_back(s_nop);
    words.push_back(successors[b].size() == 2 ? s_cbranch_scc0 | offset(3 * b + 1, successors[b][1]) : s_nop);
    words.push_back(successors[b].empty() ? s_endpgm : s_branch | offset(3 * b + 2, successors[b][0]));
  }
  return words;
}

TEST(flow_graph, blocks_and_edges) {
  const cfg::function_code code = code_of("\ts_cmp_eq_u32 s0, 0\n\ts_cbranch_scc1 .La\n\ts_nop 0\n.La:\n\ts_nop 1\n");
  const cfg::flow_graph graph(code);
  ASSERT_EQ(graph.size(), 3u);
  EXPECT_THAT(graph[0].successors, ElementsAre(1, 2));
  EXPECT_THAT(graph[1].successors, ElementsAre(2));
  EXPECT_THAT(graph[2].predecessors, ElementsAre(0, 1));
  EXPECT_THAT(graph[2].successors, IsEmpty());
  EXPECT_THAT(graph.reverse_postorder(), ElementsAre(0, 1, 2));
}

TEST(flow_graph, added_branches_split_blocks) {
  const cfg::function_code code = code_of("\ts_nop 0\n\ts_nop 1\n\ts_nop 2\n\ts_nop 3\n");
  const cfg::flow_graph graph(code, {{0, 3}});
  ASSERT_EQ(graph.size(), 3u);
  EXPECT_THAT(graph[0].successors, ElementsAre(1, 2));
}

TEST(flow_graph, what_has_none_is_refused) {
  const auto message = [](const std::vector<uint32_t>& words) -> std::string {
    try {
      const cfg::function_code code = cfg::decode_function("f", words.data(), words.size(), 0x100);
      const cfg::flow_graph graph(code);
    } catch (const std::exception& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_THAT(message({}), HasSubstr("f: the function is empty"));
  EXPECT_THAT(message({s_nop}), HasSubstr("runs off the end"));
  EXPECT_EQ(message({s_trap}), "");
  EXPECT_EQ(message({s_nop, 0xbe9e1e08}), "");  // s_swappc_b64, of a function that does not return
  EXPECT_THAT(message({s_trap, s_nop}), HasSubstr("f+0x4: s_nop 0: the code runs off the end"));
  EXPECT_THAT(message({s_branch | 5, s_endpgm}), HasSubstr("f+0x0: s_branch 5: the target is not"));
  EXPECT_THAT(message({s_branch | 1, 0x7e0002ff, 0x12345678, s_endpgm}),
              HasSubstr("the target is not"));  // into a literal
  EXPECT_THAT(message({s_branch | 0xfff0, s_endpgm}), HasSubstr("the target is not"));
  EXPECT_THAT(message({0xffffffff, s_endpgm}), HasSubstr("illegal instruction"));
  EXPECT_EQ(message({s_branch | 0xffff, s_endpgm}), "");  // for ever
}

TEST(flow_graph, a_trap_ends_its_block) {
  const std::vector<uint32_t> words{s_nop, s_trap, s_nop, s_endpgm};
  const cfg::function_code code = cfg::decode_function("f", words.data(), words.size(), 0x100);
  const cfg::flow_graph graph(code);
  ASSERT_EQ(graph.size(), 2u);
  EXPECT_THAT(graph[0].successors, IsEmpty());
  EXPECT_TRUE(graph[0].leaves);
  EXPECT_FALSE(graph.reachable(1));
}

// VGPR indexing, once it may be switched on anywhere, lets M0 choose the registers of all vector instructions.
TEST(flow_graph, code_that_may_index_vectors_says_so_in_each_vector_instruction) {
  constexpr uint32_t v_mov_b32 = 0x7e020300, v_nop = 0x7e000000, v_cmp_eq_u32 = 0x7d940300, s_mov_b32 = 0xbe800001;
  const auto relative = [](const std::vector<uint32_t>& more) {
    std::vector<uint32_t> words{v_mov_b32, v_nop, v_cmp_eq_u32, s_mov_b32};
    words.insert(words.end(), more.begin(), more.end());
    words.push_back(s_endpgm);
    const cfg::function_code code = cfg::decode_function("f", words.data(), words.size(), 0x100);
    std::string out;
    for (const isa::inst& i : code.instructions) out += i.relative_index ? '1' : '0';
    return out.substr(0, 4);
  };
  const auto setreg = [](uint32_t number, uint32_t first, uint32_t size) {
    return 0xb9000000 | number | first << 6 | (size - 1) << 11;  // s_setreg_b32 of s0
  };
  EXPECT_EQ(relative({}), "0000");
  EXPECT_EQ(relative({0xbf110100}), "1010");        // s_set_gpr_idx_on s0, 1
  EXPECT_EQ(relative({0xbf9c0000}), "1010");        // s_set_gpr_idx_off: it may have been on
  EXPECT_EQ(relative({setreg(1, 27, 1)}), "1010");  // MODE
  EXPECT_EQ(relative({setreg(1, 20, 8)}), "1010");
  EXPECT_EQ(relative({setreg(1, 0, 32)}), "1010");
  EXPECT_EQ(relative({setreg(1, 0, 27)}), "0000");
  EXPECT_EQ(relative({setreg(1, 28, 1)}), "0000");
  EXPECT_EQ(relative({setreg(3, 27, 1)}), "0000");  // TRAPSTS
}

TEST(dominators, of_figure_8) {
  // The paper's Figure 8, nodes 1 to 18 as blocks 0 to 17.
  const std::vector<std::vector<size_t>> successors{{1, 11},  {2, 3}, {3},      {4, 5}, {5},  {6},
                                                    {7, 8},   {8},    {9, 10},  {10},   {11}, {12, 17},
                                                    {13, 14}, {14},   {15, 16}, {16},   {17}, {}};
  const auto words = words_of(successors);
  const cfg::function_code code = cfg::decode_function("f", words.data(), words.size(), 0);
  const cfg::flow_graph graph(code);
  const auto at = [&](size_t node) { return graph.block_of(3 * (node - 1)); };
  const dominator_tree post(graph, dominator_tree::direction::post_dominators);
  EXPECT_TRUE(post.dominates(at(12), at(1)));   // BSB(1)
  EXPECT_TRUE(post.dominates(at(18), at(12)));  // Reconv(1)
  EXPECT_TRUE(post.dominates(at(6), at(4)));    // Reconv(2)
  EXPECT_FALSE(post.dominates(at(3), at(2)));
  const dominator_tree dominators(graph, dominator_tree::direction::dominators);
  EXPECT_TRUE(dominators.dominates(at(1), at(18)));
  EXPECT_FALSE(dominators.dominates(at(2), at(12)));
}

// a dominates b if b cannot be reached once a is taken out.
bool reachable_without(const cfg::flow_graph& graph, size_t from, size_t to, size_t without) {
  if (from == without) return false;
  std::vector<bool> seen(graph.size(), false);
  std::vector<size_t> work{from};
  while (!work.empty()) {
    const size_t b = work.back();
    work.pop_back();
    if (b == without || seen[b]) continue;
    seen[b] = true;
    if (b == to) return true;
    for (const size_t s : graph[b].successors) work.push_back(s);
  }
  return false;
}

TEST(dominators, of_random_graphs_are_what_the_definition_says) {
  std::mt19937 random(5);
  for (unsigned round = 0; round < 200; ++round) {
    const size_t n = 2 + random() % 11;
    std::vector<std::vector<size_t>> successors(n);
    for (size_t b = 0; b < n; ++b) {
      const unsigned kind = random() % 4;
      if (b + 1 == n || kind == 0) continue;
      successors[b].push_back(random() % n);
      if (kind > 1) successors[b].push_back(random() % n);
    }
    const auto words = words_of(successors);
    const cfg::function_code code = cfg::decode_function("f", words.data(), words.size(), 0);
    const cfg::flow_graph graph(code);
    const dominator_tree dominators(graph, dominator_tree::direction::dominators);
    const dominator_tree post(graph, dominator_tree::direction::post_dominators);
    for (size_t a = 0; a < graph.size(); ++a) {
      for (size_t b = 0; b < graph.size(); ++b) {
        if (!graph.reachable(a) || !graph.reachable(b) || a == b) continue;
        EXPECT_EQ(dominators.dominates(a, b), !reachable_without(graph, 0, b, a)) << round << " " << a << " " << b;
        bool ends = false, ends_without = false;
        for (size_t e = 0; e < graph.size(); ++e) {
          if (!graph[e].successors.empty() || !graph.reachable(e)) continue;
          ends = ends || reachable_without(graph, b, e, dominator_tree::none);
          ends_without = ends_without || reachable_without(graph, b, e, a);
        }
        if (!ends) continue;
        EXPECT_EQ(post.dominates(a, b), !ends_without) << round << " " << a << " " << b;
      }
    }
  }
}

TEST(code_table, of_a_function_is_its_graph) {
  std::mt19937 random(6);
  for (unsigned round = 0; round < 200; ++round) {
    const size_t n = 2 + random() % 11;
    std::vector<std::vector<size_t>> successors(n);
    for (size_t b = 0; b + 1 < n; ++b)
      for (unsigned k = random() % 3; k > 0; --k) successors[b].push_back(random() % n);
    const auto words = words_of(successors);
    isa::program program(words.data(), 0, words.size());
    const cfg::code_table table(program);
    const cfg::function_code code = cfg::decode_function("f", words.data(), words.size(), 0);
    const cfg::flow_graph graph(code);
    const dominator_tree post(graph, dominator_tree::direction::post_dominators);
    ASSERT_EQ(table.blocks().size(), graph.size());
    for (size_t b = 0; b < graph.size(); ++b) {
      const isa::inst& last = code.instructions[graph[b].last()];
      EXPECT_EQ(table.blocks()[b].begin, code.instructions[graph[b].first].pc);
      EXPECT_EQ(table.blocks()[b].instructions, graph[b].end - graph[b].first);
      EXPECT_TRUE(std::equal(graph[b].successors.begin(), graph[b].successors.end(),
                             table.blocks()[b].successors.begin(), table.blocks()[b].successors.end()));
      if (!graph.reachable(b) || !isa::is_conditional_branch(last)) continue;
      const size_t meet = post.immediate(b);
      const uint32_t there = table.blocks()[b].post_dominator;
      ASSERT_EQ(there != cfg::code_table::none, meet != dominator_tree::none) << round;
      if (there == cfg::code_table::none) continue;
      EXPECT_EQ(table.blocks()[there].begin, code.instructions[graph[meet].first].pc) << round;
    }
  }
}

TEST(natural_loops, nest) {
  // 0 -> 1 -> 2 -> 3 -> {4, 2}; 4 -> {5, 1}
  const auto words = words_of({{1}, {2}, {3}, {4, 2}, {5, 1}, {}});
  const cfg::function_code code = cfg::decode_function("f", words.data(), words.size(), 0);
  const cfg::flow_graph graph(code);
  const cfg::loop_forest forest(graph, dominator_tree(graph, dominator_tree::direction::dominators));
  ASSERT_EQ(forest.loops().size(), 2u);
  EXPECT_TRUE(forest.reducible());
  EXPECT_EQ(forest.loops()[1].parent, 0u);
  EXPECT_EQ(forest.loops()[1].depth, 2u);
  EXPECT_TRUE(forest.loops()[0].contains(forest.loops()[1].header));
  EXPECT_FALSE(forest.loops()[1].contains(forest.loops()[0].header));
}

TEST(natural_loops, a_cycle_with_two_entries_is_none) {
  const auto words = words_of({{1, 2}, {2}, {1, 3}, {}});
  const cfg::function_code code = cfg::decode_function("f", words.data(), words.size(), 0);
  const cfg::flow_graph graph(code);
  const cfg::loop_forest forest(graph, dominator_tree(graph, dominator_tree::direction::dominators));
  EXPECT_FALSE(forest.reducible());
}

TEST(liveness, over_branches_and_loops) {
  const cfg::function_code code = code_of(
      "\ts_mov_b32 s5, 3\n"             // 0
      ".La:\n\ts_add_i32 s6, s6, s7\n"  // 1
      "\ts_sub_i32 s5, s5, 1\n"         // 2
      "\ts_cbranch_scc1 .La\n"          // 3
      "\tv_mov_b32_e32 v1, s6\n");      // 4
  const cfg::flow_graph graph(code);
  const cfg::scalar_liveness live(graph);
  EXPECT_FALSE(live.before(0)[5]);
  EXPECT_TRUE(live.after(0)[5]);
  EXPECT_TRUE(live.before(0)[6]);
  EXPECT_TRUE(live.after(3)[7]);  // the next iteration reads it
  EXPECT_FALSE(live.before(4)[7]);
  EXPECT_FALSE(live.after(4)[6]);
  EXPECT_TRUE(live.after(2)[cfg::scc_bit]);
  EXPECT_FALSE(live.after(3)[cfg::scc_bit]);
  // Implicit operands.
  EXPECT_TRUE(cfg::scalars_read(code.instructions[4])[isa::exec_lo]);
}

TEST(liveness, vcc_and_m0_are_registers_too) {
  const cfg::function_code code = code_of(
      "\tv_cmp_eq_u32_e32 vcc, 0, v0\n\ts_nop 0\n\ts_cbranch_vccz .La\n\ts_nop 1\n.La:\n"
      "\ts_mov_b32 m0, -1\n\tds_write_b32 v0, v1\n");
  const cfg::flow_graph graph(code);
  const cfg::scalar_liveness live(graph);
  EXPECT_TRUE(live.after(0)[isa::vcc_lo]);
  EXPECT_TRUE(live.after(0)[isa::vcc_lo + 1]);
  EXPECT_FALSE(live.after(2)[isa::vcc_lo]);
  EXPECT_TRUE(live.after(4)[isa::m0]);
  EXPECT_FALSE(live.before(4)[isa::m0]);
}

TEST(exec_tracking, knows_where_work_items_are_active) {
  const cfg::function_code code = code_of(
      "\tv_mov_b32_e32 v1, 0\n"                // 0
      "\ts_and_saveexec_b64 s[4:5], vcc\n"     // 1
      "\tv_mov_b32_e32 v1, 1\n"                // 2: maybe none
      "\ts_cbranch_execz .La\n"                // 3
      "\tv_mov_b32_e32 v1, 2\n"                // 4: the skip was not taken
      ".La:\n\ts_or_b64 exec, exec, s[4:5]\n"  // 5
      "\tv_mov_b32_e32 v1, 3\n"                // 6: as before the branch
      "\ts_mov_b64 exec, s[8:9]\n"             // 7
      "\tv_mov_b32_e32 v1, 4\n");              // 8: who knows
  const auto branches = cfg::find_divergent_branches(code);
  ASSERT_EQ(branches.size(), 1u);
  EXPECT_EQ(branches[0].what, cfg::divergent_branch::kind::if_only);
  const cfg::flow_graph graph(code);
  const cfg::exec_tracking exec(graph, branches);
  for (const size_t k : {0, 4, 6}) EXPECT_TRUE(exec.surely_active(k)) << k;
  for (const size_t k : {2, 8}) EXPECT_FALSE(exec.surely_active(k)) << k;
}

}  // namespace
}  // namespace pws::test::flow_graph_test
