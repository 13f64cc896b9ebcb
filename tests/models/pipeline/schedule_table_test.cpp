// SPDX-License-Identifier: Apache-2.0
// The scheduler's table against one that looks at every context by itself, with one block of ranks and with several.
#include "models/compute_unit/schedule_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>

namespace pws::test::schedule_table_test {
namespace {

using models::context_rank;
using models::cycle_t;
using models::issue_port;
using models::never;
using models::rank_set;
using models::schedule_table;

constexpr size_t ports = static_cast<size_t>(issue_port::count);

// What is known of each context in use, by rank.
struct plain_context {
  cycle_t ready = never, fetch = never;
  issue_port port = issue_port::none;
};

// Everything that a cycle sees: who is taken for each port, in turn, and who fetches.
struct seen {
  cycle_t next = 0;
  std::vector<std::vector<uint32_t>> taken{ports};
  std::vector<uint32_t> fetch_due;
  bool operator==(const seen& o) const { return next == o.next && taken == o.taken && fetch_due == o.fetch_due; }
};

template <uint32_t words>
seen look_at(const schedule_table& t, uint32_t in_use, cycle_t now, uint32_t from) {
  seen s;
  rank_set<words> ready, fetch_due;
  s.next = t.look(in_use, now, ready, fetch_due);
  for (size_t p = 0; p < ports; ++p)
    for (auto candidates = t.issuing_to(static_cast<issue_port>(p), ready); candidates.any();)
      s.taken[p].push_back(candidates.take(from).value);
  while (fetch_due.any()) s.fetch_due.push_back(fetch_due.take().value);
  return s;
}

// As the pipeline does: one word where that is enough, which must be as if there were more.
seen look(const schedule_table& t, uint32_t in_use, cycle_t now, uint32_t from) {
  const seen s = look_at<schedule_table::most_words>(t, in_use, now, from);
  if (in_use <= rank_set<1>::word_bits) {
    EXPECT_EQ(look_at<1>(t, in_use, now, from), s);
  }
  return s;
}

seen look(const std::vector<plain_context>& contexts, cycle_t now, uint32_t from) {
  seen s;
  s.next = never;
  for (uint32_t r = 0; r < contexts.size(); ++r) {
    const plain_context& c = contexts[r];
    if (c.ready <= now)
      s.taken[static_cast<size_t>(c.port)].push_back(r);
    else
      s.next = std::min(s.next, c.ready);
    if (c.fetch <= now)
      s.fetch_due.push_back(r);
    else
      s.next = std::min(s.next, c.fetch);
  }
  for (auto& list : s.taken) std::rotate(list.begin(), std::lower_bound(list.begin(), list.end(), from), list.end());
  return s;
}

TEST(schedule_table, nobody_and_one) {
  schedule_table t(1);
  seen nothing;
  nothing.next = never;
  EXPECT_EQ(look(t, 0, 100, 0), nothing);
  EXPECT_EQ(look(t, 1, 100, 0), nothing);
  t.set_ready(context_rank(0), issue_port::lds, 7);
  EXPECT_EQ(look(t, 1, 6, 0).next, 7u);
  EXPECT_EQ(look(t, 1, 7, 0).taken[static_cast<size_t>(issue_port::lds)], std::vector<uint32_t>{0});
  EXPECT_EQ(look(t, 1, 7, 1).taken[static_cast<size_t>(issue_port::lds)], std::vector<uint32_t>{0}) << "past the last";
  t.set_ready(context_rank(0), issue_port::valu, 7);  // another port: not the old one any more
  EXPECT_TRUE(look(t, 1, 7, 0).taken[static_cast<size_t>(issue_port::lds)].empty());
  t.set_not_ready(context_rank(0));
  EXPECT_EQ(look(t, 1, never - 1, 0), nothing);
}

TEST(schedule_table, what_has_issued_is_not_ready_for_another_port) {
  schedule_table t(65);
  for (const uint32_t r : {0u, 64u}) t.set_ready(context_rank(r), issue_port::valu, 1);
  rank_set<2> ready, fetch_due;
  t.look(65, 1, ready, fetch_due);
  EXPECT_FALSE(t.issuing_to(issue_port::salu, ready).any());
  rank_set<2> candidates = t.issuing_to(issue_port::valu, ready);
  EXPECT_EQ(candidates.take(64).value, 64u);
  ready.remove(context_rank(64));
  t.set_ready(context_rank(64), issue_port::salu, 1);
  EXPECT_FALSE(t.issuing_to(issue_port::salu, ready).any());
  EXPECT_EQ(candidates.take(64).value, 0u) << "from the first again";
  EXPECT_FALSE(candidates.any());
}

TEST(schedule_table, ranks_move_up_across_blocks) {
  schedule_table t(192);
  for (uint32_t r = 0; r < 192; ++r) {
    t.set_ready(context_rank(r), static_cast<issue_port>(r % ports), 1000 + r);
    t.set_fetch(context_rank(r), 2000 + r);
  }
  t.turn = 100;
  t.remove(context_rank(63));
  EXPECT_EQ(t.turn, 99u);
  t.remove(context_rank(190));  // the last of those that are left
  EXPECT_EQ(t.turn, 99u);
  for (uint32_t r = 0; r < 190; ++r) {
    const uint32_t was = r < 63 ? r : r + 1;
    EXPECT_EQ(t.ready_at(context_rank(r)), 1000 + was);
    EXPECT_EQ(t.fetch_at(context_rank(r)), 2000 + was);
  }
  EXPECT_EQ(t.ready_at(context_rank(191)), never);
  const seen s = look(t, 190, 5000, 0);
  for (size_t p = 0; p < ports; ++p)
    for (const uint32_t r : s.taken[p]) EXPECT_EQ((r < 63 ? r : r + 1) % ports, p) << r;
}

TEST(schedule_table, whose_turn_it_is_stays_when_others_leave) {
  schedule_table t(8);
  t.turn = 3;
  t.remove(context_rank(3));  // the next one moves up to its place
  EXPECT_EQ(t.turn, 3u);
  t.remove(context_rank(4));
  EXPECT_EQ(t.turn, 3u);
  t.remove(context_rank(0));
  EXPECT_EQ(t.turn, 2u);
  t.turn = 0;
  t.remove(context_rank(0));
  EXPECT_EQ(t.turn, 0u);
}

TEST(schedule_table, as_if_each_context_were_looked_at_by_itself) {
  for (const uint32_t contexts : {1u, 2u, 8u, 10u, 63u, 64u, 65u, 128u, 129u, 640u, 1024u}) {
    std::mt19937_64 random(contexts);
    schedule_table t(contexts);
    std::vector<plain_context> plain;
    cycle_t now = 0;
    const auto soon = [&] { return random() % 4 == 0 ? never : now + random() % 6; };
    for (int step = 0; step < 600; ++step) {
      const auto n = static_cast<uint32_t>(plain.size());
      if (n < contexts && random() % 3 != 0) {
        plain.emplace_back();
      } else if (n != 0 && random() % 4 == 0) {
        const auto r = static_cast<uint32_t>(random() % n);
        plain.erase(plain.begin() + r);
        t.remove(context_rank(r));
      }
      for (uint32_t r = 0; r < plain.size(); ++r) {
        if (random() % 3 != 0) continue;
        plain_context& c = plain[r];
        c = {soon(), soon(), static_cast<issue_port>(random() % ports)};
        t.set_ready(context_rank(r), c.port, c.ready);
        t.set_fetch(context_rank(r), c.fetch);
      }
      const auto from = static_cast<uint32_t>(random() % (contexts + 1));
      ASSERT_EQ(look(t, static_cast<uint32_t>(plain.size()), now, from), look(plain, now, from))
          << contexts << " contexts, step " << step;
      now += random() % 3;
    }
  }
}

}  // namespace
}  // namespace pws::test::schedule_table_test
