// SPDX-License-Identifier: Apache-2.0
// Alignments of two sequences against the table of Needleman and Wunsch, filled in completely.
#include "sw/reconvergence/alignment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

namespace pws::test::alignment_test {
namespace {

using reconvergence::aligned_pair;
using reconvergence::alignment;
using reconvergence::pass_id;
using reconvergence::pass_table;

using sequence = std::vector<pass_id>;

// Passes named by letters, A with instructions[0], ...
pass_table table_of(const std::vector<uint32_t>& instructions) {
  pass_table t;
  for (size_t k = 0; k < instructions.size(); ++k) t.add(0x100 * k, instructions[k]);
  return t;
}
sequence passes_of(const std::string& letters) {
  sequence s;
  for (const char c : letters) s.push_back(static_cast<pass_id>(c - 'A'));
  return s;
}

uint64_t most_shared(const sequence& a, const sequence& b, const pass_table& t) {
  std::vector<std::vector<uint64_t>> best(a.size() + 1, std::vector<uint64_t>(b.size() + 1, 0));
  for (size_t i = 1; i <= a.size(); ++i)
    for (size_t j = 1; j <= b.size(); ++j) {
      best[i][j] = std::max(best[i - 1][j], best[i][j - 1]);
      if (a[i - 1] == b[j - 1]) best[i][j] = std::max(best[i][j], best[i - 1][j - 1] + t.instructions(a[i - 1]));
    }
  return best[a.size()][b.size()];
}

// Everything that the class promises of its result.
void expect_best(const sequence& a, const sequence& b, const pass_table& t) {
  const alignment both(a, b, t);
  EXPECT_EQ(both.shared(), most_shared(a, b, t));
  uint64_t shared = 0;
  size_t i = 0, j = 0;
  for (const aligned_pair& p : both.pairs()) {
    ASSERT_TRUE(i <= p.a && p.a < a.size() && j <= p.b && p.b < b.size());
    ASSERT_EQ(a[p.a], b[p.b]);
    EXPECT_TRUE((i == p.a && j == p.b) || a[i] != b[j]) << "behind a pair both go on alike, but not together";
    shared += t.instructions(a[p.a]);
    i = p.a + 1;
    j = p.b + 1;
  }
  EXPECT_EQ(shared, both.shared());
}

uint64_t shared_by(const std::string& a, const std::string& b, const std::vector<uint32_t>& instructions) {
  const pass_table t = table_of(instructions);
  expect_best(passes_of(a), passes_of(b), t);
  const sequence pa = passes_of(a), pb = passes_of(b);
  return alignment(pa, pb, t).shared();
}

TEST(alignment, of_equal_sequences_is_all_of_them) {
  EXPECT_EQ(shared_by("ABCAB", "ABCAB", {2, 3, 5}), 15u);
}

TEST(alignment, of_sequences_with_nothing_in_common_is_empty) {
  EXPECT_EQ(shared_by("AAA", "BB", {2, 3}), 0u);
  EXPECT_EQ(shared_by("", "AB", {2, 3}), 0u);
  EXPECT_EQ(shared_by("AB", "", {2, 3}), 0u);
  EXPECT_EQ(shared_by("", "", {2, 3}), 0u);
}

TEST(alignment, of_a_textbook) {
  EXPECT_EQ(shared_by("ABCBDAB", "BDCABA", {1, 1, 1, 1}), 4u);
}

TEST(alignment, counts_instructions_and_not_passes) {
  EXPECT_EQ(shared_by("CAB", "ABC", {3, 3, 10}), 10u);
  EXPECT_EQ(shared_by("CAB", "ABC", {3, 3, 5}), 6u);
}

TEST(alignment, brings_together_early_what_goes_on_alike) {
  // Both A could be the one's only A: the first is.
  const pass_table t = table_of({4, 1});
  const sequence a = passes_of("A"), b = passes_of("ABA");
  const std::vector<aligned_pair> pairs = alignment(a, b, t).pairs();
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_EQ(pairs[0].b, 0u);
}

TEST(alignment, of_random_sequences_is_the_best) {
  std::mt19937 random(1);
  for (unsigned round = 0; round < 3000; ++round) {
    const unsigned letters = 1 + random() % 6;
    std::vector<uint32_t> instructions;
    // Long blocks among short ones: the band that is searched has no cell in some rows.
    for (unsigned k = 0; k < letters; ++k) instructions.push_back(1 + random() % (random() % 4 == 0 ? 500 : 5));
    const auto any = [&] {
      sequence s(random() % 40);
      for (pass_id& p : s) p = random() % letters;
      return s;
    };
    SCOPED_TRACE(round);
    expect_best(any(), any(), table_of(instructions));
  }
}

// Nearly equal ones take the narrow band, its edges among them.
TEST(alignment, of_long_sequences_with_small_differences_is_the_best) {
  std::mt19937 random(2);
  for (unsigned round = 0; round < 30; ++round) {
    sequence a(500);
    for (pass_id& p : a) p = random() % 5;
    sequence b = a;
    for (unsigned k = random() % 30; k > 0; --k) {
      const auto at = static_cast<ptrdiff_t>(random() % b.size());
      if (random() % 2 != 0)
        b.insert(b.begin() + at, random() % 5);
      else
        b.erase(b.begin() + at);
    }
    SCOPED_TRACE(round);
    expect_best(a, b, table_of({1, 7, 3, 20, 64}));
  }
}

TEST(alignment, of_very_long_sequences_needs_no_more_memory_than_they_do) {
  // A table of 200,000 x 200,000 would be 300 GB.
  sequence a(200'000), b;
  for (size_t k = 0; k < a.size(); ++k) a[k] = k * k % 3;
  b = a;
  b.insert(b.begin() + 1000, {1, 1, 2});
  b.erase(b.end() - 500);
  const pass_table t = table_of({2, 3, 4});
  const alignment both(a, b, t);
  EXPECT_GE(both.pairs().size(), a.size() - 5);
}

}  // namespace
}  // namespace pws::test::alignment_test
