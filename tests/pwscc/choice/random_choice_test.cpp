// SPDX-License-Identifier: Apache-2.0
// Random programs: the choice against all sets of splits there are, the analysis against executions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <vector>

#include "sw/cfg/choose_splits.h"
#include "sw/cfg/cost_graph.h"
#include "sw/cfg/select.h"
#include "tests/pwscc/choice/cycles_of_choice.h"
#include "tests/pwscc/choice/peak_contexts.h"
#include "tests/pwscc/choice/random_graph.h"
#include "tests/pwscc/choice/walked_machine.h"

namespace pws::cfg::random_choice_test {
namespace {

using test::peak_contexts;

constexpr size_t context_counts[] = {0, 1, 2, 3, 7, 63};

uint64_t random_overhead(random_program& p) {
  constexpr uint64_t usual[] = {0, 1, 2, 5, 40, std::numeric_limits<uint64_t>::max() / 3};
  return usual[p.below(30) == 0 ? 5 : p.below(5)];
}

uint32_t bits_of(const split_set& ids) {
  uint32_t bits = 0;
  for (const size_t id : ids) bits |= uint32_t{1} << id;
  return bits;
}

split_set set_of(uint32_t bits) {
  split_set ids;
  for (size_t id = 0; id < 32; ++id)
    if ((bits >> id & 1) != 0) ids.insert(id);
  return ids;
}

uint32_t ids_where(const cost_graph& g, bool cost_graph::serial_branch::*flag) {
  uint32_t bits = 0;
  for (const cost_graph::serial_branch& b : g.branches)
    if (b.*flag) bits |= uint32_t{1} << b.id;
  for (const cost_loop& l : g.loops) bits |= ids_where(l.body, flag);
  return bits;
}

// What each set of splittable branches comes to.
std::map<uint32_t, walked_machine::result> all_choices(const cost_graph& g, uint32_t splittable, uint64_t e_s,
                                                       uint64_t e_m) {
  std::map<uint32_t, walked_machine::result> results;
  for (uint32_t chosen = splittable;; chosen = (chosen - 1) & splittable) {
    results[chosen] = walked_machine(g, chosen, e_s, e_m).run();
    if (chosen == 0) return results;
  }
}

TEST(random_choice, is_as_good_as_any) {
  uint64_t split = 0, more_with_more = 0, uniform = 0;
  const uint64_t programs = program_count(1200);
  for (uint64_t seed = 0; seed < programs; ++seed) {
    SCOPED_TRACE(seed);
    random_program p(seed);
    const cost_graph g = p.make(static_cast<unsigned>(4 + p.below(9)));
    const uint64_t e_s = random_overhead(p), e_m = random_overhead(p);
    const uint32_t splittable = ids_where(g, &cost_graph::serial_branch::splittable);
    const auto choices = all_choices(g, splittable, e_s, e_m);
    uniform += choices.at(0).paths > 1 ? 1 : 0;
    split_set before;
    for (const size_t s : context_counts) {
      SCOPED_TRACE(s);
      const split_set chosen = choose_splits(g, s, e_s, e_m);
      ASSERT_EQ(choose_splits(g, s, e_s, e_m), chosen);
      const uint32_t bits = bits_of(chosen);
      ASSERT_EQ(bits & ~splittable, 0U);
      ASSERT_LE(choices.at(bits).contexts, s);
      uint64_t least = std::numeric_limits<uint64_t>::max();
      for (const auto& [set, result] : choices)
        if (result.contexts <= s) least = std::min(least, result.cycles);
      ASSERT_EQ(choices.at(bits).cycles, least);
      // No split, nor several of them, without gain.
      for (uint32_t less = bits; less != 0;) {
        less = (less - 1) & bits;
        ASSERT_GT(choices.at(less).cycles, least) << "the splits " << bits << " need be only " << less;
      }
      split += chosen.empty() ? 0 : 1;
      more_with_more += s > 1 && chosen.size() > before.size() ? 1 : 0;
      before = chosen;
    }
  }
  // The programs are such that there is something to choose.
  EXPECT_GT(split, programs);
  EXPECT_GT(more_with_more, programs / 4);
  EXPECT_GT(uniform, programs / 4);
}

TEST(random_choice, cycles_and_contexts_are_those_of_the_walk) {
  for (uint64_t seed = 0; seed < program_count(200); ++seed) {
    SCOPED_TRACE(seed);
    random_program p(seed + 1'000'000);
    const cost_graph g = p.make(static_cast<unsigned>(p.below(25)));
    const uint64_t e_s = random_overhead(p), e_m = random_overhead(p);
    uint32_t all = 0;
    for (const size_t id : branches_in_order(g)) all |= uint32_t{1} << id;
    for (unsigned k = 0; k < 12; ++k) {
      const uint32_t chosen = k == 0 ? 0 : k == 1 ? all : all & static_cast<uint32_t>(p.below(uint64_t{1} << 32));
      const walked_machine::result expected = walked_machine(g, chosen, e_s, e_m).run();
      ASSERT_EQ(wavefront_cycles(g, set_of(chosen), e_s, e_m), expected.cycles) << chosen;
      ASSERT_EQ(peak_contexts(g, set_of(chosen)), expected.contexts) << chosen;
      ASSERT_GE(equation_3_cycles(g, set_of(chosen), e_s, e_m), expected.cycles) << chosen;
    }
  }
}

// Small costs and bounds, so that executions are short.
void make_small(cost_graph& g) {
  for (cost_graph::node& n : g.nodes) n.cycles %= 50;
  for (cost_loop& l : g.loops) {
    l.bound %= 6;
    make_small(l.body);
  }
}

TEST(random_choice, no_execution_is_longer_or_needs_more) {
  uint64_t reached = 0;
  for (uint64_t seed = 0; seed < program_count(200); ++seed) {
    SCOPED_TRACE(seed);
    random_program p(seed + 2'000'000);
    cost_graph g = p.make(10);
    make_small(g);
    uint32_t all = 0;
    for (const size_t id : branches_in_order(g)) all |= uint32_t{1} << id;
    const split_set chosen = set_of(all & static_cast<uint32_t>(p.below(uint64_t{1} << 32)));
    const uint64_t e_s = p.below(5), e_m = p.below(5);
    const uint64_t cycles = wavefront_cycles(g, chosen, e_s, e_m);
    const size_t contexts = peak_contexts(g, chosen);
    uint64_t longest = 0;
    for (unsigned k = 0; k < 100; ++k) {
      random_execution execution(chosen, e_s, e_m, p.below(std::numeric_limits<uint64_t>::max()));
      longest = std::max(longest, execution.run(g));
      ASSERT_LE(execution.contexts(), contexts);
    }
    ASSERT_LE(longest, cycles);
    reached += longest == cycles ? 1 : 0;
  }
  EXPECT_GT(reached, program_count(200) / 10) << "executions that come nowhere near the bound check little";
}

// True if every path to `u` comes by `v`.
bool dominates(const cost_graph& g, size_t v, size_t u) {
  std::vector<bool> reached(g.nodes.size(), false);
  reached[0] = true;
  for (size_t k = 0; k < g.nodes.size(); ++k)
    for (const size_t s : g.nodes[k].successors)
      if (reached[k] && k != v) reached[s] = true;
  return v == 0 || !reached[u];
}

// Def. 4.1 as printed, the last branch or BSB v with v < u < Reconv(v), of those that dominate u, as the text before it
// has it: without that, a uniform branch's one way would be inside the branches of the other.
void literal_parents(const cost_graph& g, const branch_parent& around, std::map<size_t, branch_parent>& out) {
  const auto at = [&](size_t u) {
    branch_parent p = around;
    size_t last = 0;
    const auto consider = [&](size_t v, size_t reconv, const branch_parent& candidate) {
      if (v >= u || u >= reconv || v < last || !dominates(g, v, u)) return;
      last = v;
      p = candidate;
    };
    for (const cost_graph::serial_branch& v : g.branches) {
      consider(v.node, v.reconv, {branch_parent::side::then_side, v.id});
      if (v.bsb != v.reconv) consider(v.bsb, v.reconv, {branch_parent::side::else_side, v.id});
    }
    return p;
  };
  for (const cost_graph::serial_branch& b : g.branches) out[b.id] = at(b.node);
  for (size_t v = 0; v < g.nodes.size(); ++v)
    if (g.nodes[v].loop != cost_graph::none) literal_parents(g.loops[g.nodes[v].loop].body, at(v), out);
}

TEST(random_choice, select_never_needs_more_than_there_is) {
  uint64_t left_out = 0;
  for (uint64_t seed = 0; seed < program_count(200); ++seed) {
    SCOPED_TRACE(seed);
    random_program p(seed + 3'000'000);
    const cost_graph g = p.make(30);
    std::map<size_t, branch_parent> parent_of;
    literal_parents(g, {}, parent_of);
    ASSERT_EQ(parents(g), parent_of);
    const uint32_t marked = ids_where(g, &cost_graph::serial_branch::marked);
    for (const size_t s : context_counts) {
      const split_set selected = select(g, s);
      ASSERT_EQ(bits_of(selected) & ~marked, 0U);
      ASSERT_LE(peak_contexts(g, selected), s);
      // Lines 6 to 10: with one branch go all marked ones of its Parent, and no Parent is left out while it would fit.
      std::set<branch_parent> taken, refused;
      for (const size_t id : set_of(marked)) (selected.count(id) != 0 ? taken : refused).insert(parent_of.at(id));
      for (const branch_parent& r : refused) ASSERT_EQ(taken.count(r), 0U);
      ASSERT_LE(taken.size(), s);
      ASSERT_TRUE(refused.empty() || taken.size() == s);
      left_out += refused.empty() ? 0 : 1;
    }
  }
  EXPECT_GT(left_out, program_count(200));
}

}  // namespace
}  // namespace pws::cfg::random_choice_test
