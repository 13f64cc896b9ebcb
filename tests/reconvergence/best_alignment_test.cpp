// SPDX-License-Identifier: Apache-2.0
// The best order of a warp: known optima, barriers, and random warps against an exhaustive search.
#include "sw/reconvergence/best_alignment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "sw/reconvergence/stack_replay.h"
#include "tests/reconvergence/flow_example.h"

namespace pws::test::best_alignment_test {
namespace {

using reconvergence::best_alignment;
using reconvergence::pass_id;
using reconvergence::trace;
using reconvergence::warp;

// A loop as in Fig. 7: A its test, B the work, C its end; D behind it.
const flow_example& figure_7() {
  static const flow_example e({{2, {1, 2}}, {50, {2}}, {3, {3, 0}}, {1, {}}});
  return e;
}

best_alignment best(const flow_example& e, const std::vector<std::string>& traces) {
  const warp w = e.warp(traces);
  const best_alignment b = align(w, e.passes());
  EXPECT_EQ(not_an_order_of(w, b.order), "");
  EXPECT_GE(e.time(b.order), longest_trace(w, e.passes()));
  return b;
}

TEST(best_order, lets_the_odd_ones_get_ahead) {
  // Even: skip, work, skip, work. Odd, an iteration less: work, skip, work.
  const best_alignment b = best(figure_7(), {"ACABCACABCD", "ABCACABCD"});
  EXPECT_EQ(figure_7().text(b.order), "A:01 C:0 A:0 B:01 C:01 A:01 C:01 A:01 B:01 C:01 D:01");
  EXPECT_TRUE(b.exact);
}

TEST(best_order, cannot_do_so_over_a_barrier) {
  const std::vector<std::string> traces{"AC|ABC|AC|ABCD", "ABC|AC|ABC|ACD"};
  const best_alignment b = best(figure_7(), traces);
  EXPECT_EQ(figure_7().text(b.order), "A:01 B:1 C:01 A:01 B:0 C:01 A:01 B:1 C:01 A:01 B:0 C:01 D:01");
  EXPECT_TRUE(b.exact);
  EXPECT_EQ(longest_trace(figure_7().warp(traces), figure_7().passes()), 4u * (2 + 50 + 3) + 1);
}

TEST(best_order, of_equal_traces_is_theirs) {
  const best_alignment b = best(figure_7(), {"ABCACD", "ABCACD", "ABCACD"});
  EXPECT_EQ(figure_7().text(b.order), "A:012 B:012 C:012 A:012 C:012 D:012");
  EXPECT_TRUE(b.exact);
}

TEST(best_order, of_one_work_item) {
  EXPECT_EQ(figure_7().text(best(figure_7(), {"ABCD"}).order), "A:0 B:0 C:0 D:0");
}

TEST(best_order, of_traces_that_end_early) {
  EXPECT_EQ(figure_7().text(best(figure_7(), {"ABCD", "A", ""}).order), "A:01 B:0 C:0 D:0");
  EXPECT_EQ(figure_7().text(best(figure_7(), {"", ""}).order), "");
  // Ended before the second barrier.
  EXPECT_EQ(figure_7().text(best(figure_7(), {"AC|AC|ACD", "AC||"}).order), "A:01 C:01 A:0 C:0 A:0 C:0 D:0");
}

TEST(best_order, joins_first_what_shares_the_most) {
  // 0 and 2 share B, 1 shares with them no more than the rest.
  const best_alignment b = best(figure_7(), {"ABCD", "ACACACD", "ABCACD"});
  EXPECT_EQ(figure_7().time(b.order), 2u + 50 + 3 + 2 + 3 + 2 + 3 + 1);
  EXPECT_EQ(figure_7().text(b.order), "A:012 B:02 C:012 A:12 C:12 A:1 C:1 D:012");
}

// The fewest instructions in which three traces can be issued, by looking at all states.
class exhaustive {
 public:
  exhaustive(const warp& w, const reconvergence::pass_table& passes) : warp_(w), passes_(passes) {}
  uint64_t from(std::vector<size_t> done) {
    const auto known = known_.find(done);
    if (known != known_.end()) return known->second;
    uint64_t least = ~uint64_t{0};
    for (size_t m = 0; m < done.size(); ++m) {
      if (done[m] == warp_[m].passes.size()) continue;
      // Issuing a pass for fewer than all that stand at it is never better.
      const pass_id pass = warp_[m].passes[done[m]];
      std::vector<size_t> next = done;
      for (size_t k = 0; k < done.size(); ++k)
        if (done[k] < warp_[k].passes.size() && warp_[k].passes[done[k]] == pass) ++next[k];
      least = std::min(least, passes_.instructions(pass) + from(next));
    }
    if (least == ~uint64_t{0}) least = 0;
    known_[done] = least;
    return least;
  }

 private:
  const warp& warp_;
  const reconvergence::pass_table& passes_;
  std::map<std::vector<size_t>, uint64_t> known_;
};

TEST(best_order, of_random_traces_against_an_exhaustive_search) {
  std::mt19937 random(4);
  unsigned exact = 0, optimal = 0, rounds = 600;
  for (unsigned round = 0; round < rounds; ++round) {
    const flow_example e = random_example(random);
    const warp w = e.random_warp(random, 2 + random() % 2, 12);
    const best_alignment b = align(w, e.passes());
    ASSERT_EQ(not_an_order_of(w, b.order), "") << round;
    const uint64_t least = exhaustive(w, e.passes()).from(std::vector<size_t>(w.size(), 0));
    EXPECT_GE(e.time(b.order), least) << round;
    EXPECT_LE(longest_trace(w, e.passes()), least) << round;
    EXPECT_TRUE(b.exact || w.size() > 2) << round;
    EXPECT_TRUE(!b.exact || e.time(b.order) == least) << round;
    exact += b.exact;
    optimal += e.time(b.order) == least;
  }
  EXPECT_GT(exact, rounds / 2);
  EXPECT_LT(exact, rounds);
  EXPECT_GT(optimal, rounds * 9 / 10) << "joining two at a time is nearly always right for three";
}

TEST(best_order, of_random_warps_with_barriers_keeps_them) {
  std::mt19937 random(5);
  for (unsigned round = 0; round < 300; ++round) {
    const flow_example e = random_example(random);
    warp w = e.random_warp(random, 1 + random() % 16, 20);
    for (trace& t : w) {
      for (unsigned k = 0; k < 3; ++k) t.barriers.push_back(random() % (t.passes.size() + 1));
      std::sort(t.barriers.begin(), t.barriers.end());
    }
    const best_alignment b = align(w, e.passes());
    EXPECT_EQ(not_an_order_of(w, b.order), "") << round;
    EXPECT_GE(e.time(b.order), longest_trace(w, e.passes())) << round;
  }
}

}  // namespace
}  // namespace pws::test::best_alignment_test
