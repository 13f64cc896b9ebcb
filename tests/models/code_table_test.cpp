// SPDX-License-Identifier: Apache-2.0
// The code table: blocks, conditional branches and where their sides meet, by programs of directed shapes.
#include "models/flow/code_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "models/flow/dominators.h"
#include "models/isa/predicates.h"
#include "tests/models/code_words.h"

namespace pws::test::code_table_test {
namespace {

using cfg::code_table;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr uint64_t begin = 0x1000;

code_table table_of(const std::vector<uint32_t>& words) {
  isa::program code(words.data(), begin, words.size());
  return code_table(code);
}

// Places here are dwords of the program.
uint64_t at(unsigned dword) {
  return begin + 4 * dword;
}
std::vector<std::pair<unsigned, unsigned>> blocks_of(const code_table& t) {  // first dword, instructions
  std::vector<std::pair<unsigned, unsigned>> out;
  for (const code_table::block& b : t.blocks()) out.emplace_back((b.begin - begin) / 4, b.instructions);
  return out;
}
constexpr int nowhere = -1;
// For each conditional branch, its dword and the dword where its sides meet.
std::vector<std::pair<unsigned, int>> meets_of(const code_table& t, isa::program& code) {
  std::vector<std::pair<unsigned, int>> out;
  for (const code_table::block& b : t.blocks()) {
    if (!isa::is_conditional_branch(code.at(b.last))) continue;
    const bool meet = b.post_dominator != code_table::none;
    out.emplace_back((b.last - begin) / 4,
                     meet ? static_cast<int>((t.blocks()[b.post_dominator].begin - begin) / 4) : nowhere);
  }
  return out;
}
std::vector<std::pair<unsigned, int>> meets_of(const std::vector<uint32_t>& words) {
  isa::program code(words.data(), begin, words.size());
  return meets_of(code_table(code), code);
}

TEST(code_table, if_and_else) {
  //                                    0            1      2            3      4
  const std::vector<uint32_t> words{s_cbranch(2), s_nop, s_branch(1), s_nop, s_endpgm};
  const code_table t = table_of(words);
  EXPECT_THAT(blocks_of(t), ElementsAre(Pair(0, 1), Pair(1, 2), Pair(3, 1), Pair(4, 1)));
  EXPECT_THAT(t.blocks()[0].successors, ElementsAre(1, 2));
  EXPECT_THAT(t.blocks()[1].successors, ElementsAre(3));
  EXPECT_THAT(t.blocks()[3].successors, IsEmpty());
  EXPECT_EQ(t.blocks()[1].last, at(2));
  EXPECT_EQ(t.blocks()[1].end, at(3));
  EXPECT_THAT(meets_of(words), ElementsAre(Pair(0, 4)));
  for (unsigned k = 0; k < 3; ++k) EXPECT_EQ(t.blocks()[k].post_dominator, 3u) << "also where no branch is";
  EXPECT_EQ(t.blocks()[3].post_dominator, code_table::none);
}

TEST(code_table, lookups_take_any_address) {
  const code_table t = table_of({s_cbranch(2), s_mov_literal, 0x12345678, s_nop, s_endpgm});
  EXPECT_EQ(t.block_of(at(1)), 1u);
  EXPECT_EQ(t.block_of(at(2)), code_table::none) << "a literal";
  EXPECT_EQ(t.block_of(at(4)), 2u);
  EXPECT_TRUE(t.begins_block(at(3)));
  EXPECT_FALSE(t.begins_block(at(4)));
  EXPECT_TRUE(t.is_post_dominator(at(3)));
  for (const unsigned k : {0u, 1u, 2u, 4u}) EXPECT_FALSE(t.is_post_dominator(at(k))) << k;
  for (const uint64_t pc : {begin - 4, at(5), at(3) + 2, at(3) - 2, uint64_t{0}, ~uint64_t{0}, ~uint64_t{3}}) {
    EXPECT_EQ(t.block_of(pc), code_table::none) << pc;
    EXPECT_FALSE(t.begins_block(pc)) << pc;
    EXPECT_FALSE(t.is_post_dominator(pc)) << pc;
  }
}

TEST(code_table, a_loop_is_left_behind_its_last_branch) {
  EXPECT_THAT(meets_of({s_nop, s_nop, s_cbranch(-2), s_nop, s_endpgm}), ElementsAre(Pair(2, 3)));
  // With the test at its head.
  EXPECT_THAT(meets_of({s_cbranch(2), s_nop, s_branch(-3), s_endpgm}), ElementsAre(Pair(0, 3)));
}

TEST(code_table, nested_branches_meet_each_at_their_own_place) {
  // if { if {} else {} } else {}, in a loop
  //                        0            1            2      3            4      5            6      7              8
  EXPECT_THAT(
      meets_of({s_cbranch(5), s_cbranch(2), s_nop, s_branch(1), s_nop, s_branch(1), s_nop, s_cbranch(-8), s_endpgm}),
      ElementsAre(Pair(0, 7), Pair(1, 5), Pair(7, 8)));
}

TEST(code_table, a_loop_with_a_break_is_left_behind_both) {
  //                        0      1            2      3             4
  const std::vector<uint32_t> words{s_nop, s_cbranch(2), s_nop, s_cbranch(-4), s_endpgm};
  EXPECT_THAT(meets_of(words), ElementsAre(Pair(1, 4), Pair(3, 4)));
}

TEST(code_table, ways_that_end_at_different_places_meet_nowhere) {
  const std::vector<uint32_t> words{s_nop, s_cbranch(1), s_endpgm, s_nop, s_endpgm};
  const code_table t = table_of(words);
  EXPECT_THAT(meets_of(words), ElementsAre(Pair(1, nowhere)));
  for (unsigned k = 0; k < 5; ++k) EXPECT_FALSE(t.is_post_dominator(at(k))) << k;
  // One of them inside a loop.
  EXPECT_THAT(meets_of({s_cbranch(1), s_endpgm, s_cbranch(-3), s_endpgm}),
              ElementsAre(Pair(0, nowhere), Pair(2, nowhere)));
}

TEST(code_table, a_branch_to_what_follows_it_meets_there) {
  EXPECT_THAT(meets_of({s_cbranch(0), s_endpgm}), ElementsAre(Pair(0, 1)));
}

TEST(code_table, a_call_goes_on_behind_itself) {
  const std::vector<uint32_t> words{s_cbranch(1), s_swappc, s_nop, s_endpgm};
  const code_table t = table_of(words);
  EXPECT_THAT(blocks_of(t), ElementsAre(Pair(0, 1), Pair(1, 1), Pair(2, 2)));
  EXPECT_THAT(meets_of(words), ElementsAre(Pair(0, 2)));
}

TEST(code_table, what_the_code_does_not_say_the_target_of_is_a_way_out) {
  for (const uint32_t jump : {s_setpc, s_cbranch_g_fork, s_cbranch_join}) {
    const std::vector<uint32_t> words{s_cbranch(1), jump, s_nop, s_endpgm};
    const code_table t = table_of(words);
    EXPECT_THAT(meets_of(words), ElementsAre(Pair(0, nowhere))) << std::hex << jump;
    EXPECT_THAT(t.blocks()[1].successors, IsEmpty());
    EXPECT_THAT(meets_of({s_nop, jump, s_cbranch(1), s_nop, s_endpgm}), ElementsAre(Pair(2, 4))) << "behind it";
  }
}

TEST(code_table, a_fork_is_a_way_out_whose_target_begins_a_block) {
  const code_table t = table_of({s_cbranch_i_fork(2), s_nop, s_nop, s_nop, s_endpgm});
  EXPECT_THAT(blocks_of(t), ElementsAre(Pair(0, 1), Pair(1, 2), Pair(3, 2)));
  EXPECT_THAT(t.blocks()[0].successors, IsEmpty());
}

TEST(code_table, branches_out_of_the_program_are_ways_out) {
  EXPECT_THAT(meets_of({s_cbranch(100), s_nop, s_endpgm}), ElementsAre(Pair(0, nowhere)));
  EXPECT_THAT(meets_of({s_cbranch(-100), s_nop, s_endpgm}), ElementsAre(Pair(0, nowhere)));
  const std::vector<uint32_t> words{s_cbranch(1), s_branch(100), s_endpgm};
  const code_table t = table_of(words);
  EXPECT_THAT(meets_of(words), ElementsAre(Pair(0, nowhere)));
  EXPECT_THAT(t.blocks()[1].successors, IsEmpty());
}

TEST(code_table, code_that_runs_off_the_end_leaves_there) {
  EXPECT_THAT(meets_of({s_cbranch(1), s_nop, s_nop}), ElementsAre(Pair(0, 2)));
  EXPECT_THAT(meets_of({s_nop, s_cbranch(-2)}), ElementsAre(Pair(1, nowhere)));
  EXPECT_THAT(blocks_of(table_of({s_nop, s_mov_literal})), ElementsAre(Pair(0, 1))) << "without its literal";
}

TEST(code_table, functions_with_data_between_them) {
  //                                 0            1      2         3            4            5      6            7
  const std::vector<uint32_t> words{s_cbranch(1), s_nop,        s_endpgm, undecodable, undecodable,
                                    s_nop,        s_cbranch(1), s_nop,    s_setpc};
  const code_table t = table_of(words);
  EXPECT_THAT(blocks_of(t), ElementsAre(Pair(0, 1), Pair(1, 1), Pair(2, 1), Pair(5, 2), Pair(7, 1), Pair(8, 1)));
  EXPECT_THAT(meets_of(words), ElementsAre(Pair(0, 2), Pair(6, 8))) << "though nothing leads to the second";
  EXPECT_EQ(t.block_of(at(3)), code_table::none);
  // Into data: a way out.
  EXPECT_THAT(meets_of({s_cbranch(1), undecodable, s_endpgm}), ElementsAre(Pair(0, nowhere)));
  EXPECT_THAT(meets_of({s_cbranch(1), s_endpgm, undecodable}), ElementsAre(Pair(0, nowhere)));
  EXPECT_THAT(meets_of({s_nop, undecodable, s_cbranch(-3), s_endpgm}), ElementsAre(Pair(2, nowhere)));
}

TEST(code_table, a_branch_into_the_middle_of_an_instruction_executes_what_is_there) {
  // The literal is an instruction too, and what follows both begins a block.
  const std::vector<uint32_t> words{s_cbranch(1), s_mov_literal, s_nop, s_nop, s_endpgm};
  const code_table t = table_of(words);
  EXPECT_THAT(blocks_of(t), ElementsAre(Pair(0, 1), Pair(1, 1), Pair(2, 1), Pair(3, 2)));
  EXPECT_EQ(t.blocks()[1].end, at(3));
  EXPECT_EQ(t.blocks()[2].end, at(3));
  EXPECT_THAT(t.blocks()[1].successors, ElementsAre(3));
  EXPECT_THAT(t.blocks()[2].successors, ElementsAre(3));
  EXPECT_THAT(meets_of(words), ElementsAre(Pair(0, 3)));
  // A literal that is a branch.
  EXPECT_THAT(meets_of({s_cbranch(1), s_mov_literal, s_branch(1), s_nop, s_endpgm}), ElementsAre(Pair(0, 4)));
  // Two ways of reading the code that never come together: the rest of it is read twice.
  EXPECT_THAT(blocks_of(table_of({s_branch(1), s_mov_literal, s_mov_literal, s_mov_literal, s_endpgm, s_endpgm})),
              ElementsAre(Pair(0, 1), Pair(1, 1), Pair(2, 1), Pair(3, 1), Pair(4, 1), Pair(5, 1)));
}

TEST(code_table, a_loop_without_an_exit_has_no_post_dominators) {
  // 0 if {1} 2, for ever: no way ends.
  const std::vector<uint32_t> words{s_cbranch(1), s_nop, s_branch(-3), s_endpgm};
  const code_table t = table_of(words);
  EXPECT_THAT(meets_of(words), ElementsAre(Pair(0, nowhere)));
  for (unsigned k = 0; k < 4; ++k) EXPECT_FALSE(t.is_post_dominator(at(k))) << k;
  EXPECT_THAT(meets_of({s_cbranch(-1)}), ElementsAre(Pair(0, nowhere))) << "it runs off the end, not to a block";
  EXPECT_THAT(meets_of({s_branch(-1)}), IsEmpty());
}

TEST(code_table, where_some_ways_never_end_the_others_decide) {
  //                        0            1      2             3      4
  EXPECT_THAT(meets_of({s_cbranch(2), s_nop, s_branch(-2), s_nop, s_endpgm}), ElementsAre(Pair(0, 3)));
  // A branch on the way into the endless loop, and one behind it.
  EXPECT_THAT(meets_of({s_cbranch(3), s_cbranch(0), s_nop, s_branch(-2), s_cbranch(0), s_endpgm}),
              ElementsAre(Pair(0, 4), Pair(1, nowhere), Pair(4, 5)));
}

TEST(code_table, without_instructions_is_empty) {
  for (const std::vector<uint32_t>& words : {std::vector<uint32_t>{}, {undecodable, undecodable}}) {
    const code_table t = table_of(words);
    EXPECT_THAT(t.blocks(), IsEmpty());
    EXPECT_EQ(t.block_of(begin), code_table::none);
    EXPECT_FALSE(t.is_post_dominator(begin));
  }
}

TEST(code_tables, there_is_one_for_each_program_whatever_lay_there_before) {
  const std::vector<uint32_t> one{s_cbranch(0), s_endpgm}, other{s_nop, s_endpgm};
  cfg::code_tables tables;
  std::optional<isa::program> code(std::in_place, one.data(), begin, one.size());
  const code_table& first = tables.of(*code);
  EXPECT_EQ(&tables.of(*code), &first);
  EXPECT_THAT(first.blocks(), testing::SizeIs(2));
  code.emplace(other.data(), begin, other.size());
  EXPECT_THAT(tables.of(*code).blocks(), testing::SizeIs(1));
}

// Programs of random instructions, held against what a post-dominator is: without it there is no way out.
struct random_region {
  explicit random_region(unsigned seed) {
    std::mt19937 random(seed);
    const int n = 2 + static_cast<int>(random() % 16);
    for (int k = 0; k < n; ++k) {
      const int over = static_cast<int>(random() % (n + 4)) - k - 2;
      const uint32_t kinds[] = {s_cbranch(over), s_cbranch(over), s_branch(over), s_mov_literal, undecodable,
                                s_endpgm,        s_setpc,         s_swappc,       s_nop};
      words.push_back(kinds[random() % std::size(kinds)]);
    }
    program.emplace(words.data(), begin, words.size());
    code = cfg::decode_region(*program);
    graph.emplace(cfg::flow_graph::of_region(code));
  }
  bool leaves_without(size_t from, size_t without) const {
    std::vector<bool> seen(graph->size(), false);
    std::vector<size_t> work{from};
    while (!work.empty()) {
      const size_t b = work.back();
      work.pop_back();
      if (b == without || seen[b]) continue;
      seen[b] = true;
      if ((*graph)[b].leaves) return true;
      work.insert(work.end(), (*graph)[b].successors.begin(), (*graph)[b].successors.end());
    }
    return false;
  }
  // By the definition: of the blocks on every way out, the one that is not behind another of them.
  std::optional<uint64_t> meet(size_t from) const {
    constexpr size_t nobody = ~size_t{0};
    if (!leaves_without(from, nobody)) return {};
    std::vector<size_t> all;
    for (size_t b = 0; b < graph->size(); ++b)
      if (b != from && !leaves_without(from, b)) all.push_back(b);
    for (const size_t b : all) {
      bool nearest = true;
      for (const size_t other : all) nearest = nearest && (other == b || !leaves_without(b, other));
      if (nearest) return code.instructions[(*graph)[b].first].pc;
    }
    return {};
  }

  std::vector<uint32_t> words;
  std::optional<isa::program> program;
  cfg::function_code code;
  std::optional<cfg::flow_graph> graph;
};

TEST(code_table, of_random_programs_is_what_the_definition_says) {
  unsigned met = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    random_region r(seed);
    const code_table t(*r.program);
    ASSERT_EQ(t.blocks().size(), r.graph->size());
    std::set<uint64_t> meets;
    for (size_t b = 0; b < r.graph->size(); ++b) {
      const std::optional<uint64_t> meet = r.meet(b);
      const uint32_t post_dominator = t.blocks()[b].post_dominator;
      ASSERT_EQ(post_dominator != code_table::none, meet.has_value()) << seed;
      EXPECT_EQ(meet ? t.blocks()[post_dominator].begin : 0, meet.value_or(0)) << seed;
      if (meet && isa::is_conditional_branch(r.program->at(t.blocks()[b].last))) meets.insert(*meet);
    }
    met += meets.size();
    for (uint64_t pc = begin; pc < r.program->end(); pc += 4)
      EXPECT_EQ(t.is_post_dominator(pc), meets.count(pc) != 0) << seed;
  }
  EXPECT_GT(met, 1000u);
}

}  // namespace
}  // namespace pws::test::code_table_test
