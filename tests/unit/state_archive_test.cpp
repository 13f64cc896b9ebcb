// SPDX-License-Identifier: Apache-2.0
// State as bytes: what is saved is restored, and what is no such state is refused.
#include "base/state_archive.h"

#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <limits>
#include <string>
#include <vector>

namespace pws::test::state_archive_test {
namespace {

enum class colour : uint8_t { red, green };

struct pair {
  uint32_t a = 0, b = 0;
};

struct part {
  uint64_t number = 0;
  double real = 0;
  bool flag = false;
  colour c = colour::red;
  pair both;
  std::string text;
  std::vector<bool> bits;
  std::vector<uint16_t> numbers;
  std::deque<pair> pairs;
  std::array<uint8_t, 3> bytes{};
  uint32_t index = 0;

  void keep(state_archive& a) {
    a.section("part");
    a(number, real, flag, c, both, text);
    a.list(bits, [](state_archive& b, std::vector<bool>::reference bit) { b.value(bit); });
    a.list(numbers);
    a.list(pairs, [](state_archive& b, pair& p) { b(p.a, p.b); });
    a.bytes(bytes.data(), bytes.size());
    a.index(index, 8);
  }
};

part filled() {
  return {~uint64_t{0},
          -0.5,
          true,
          colour::green,
          {1, 2},
          std::string("a\0b", 3),
          {true, false, true},
          {7, 0, 65535},
          {{3, 4}, {5, 6}},
          {9, 8, 7},
          7};
}

std::vector<uint8_t> bytes_of(part p) {
  state_archive a;
  p.keep(a);
  return a.saved();
}

TEST(state_archive, what_is_saved_is_restored) {
  const std::vector<uint8_t> saved = bytes_of(filled());
  part p;
  p.bits = {false};
  p.numbers = {1, 2, 3, 4, 5};
  p.pairs.resize(9);
  p.text = "longer than what has been saved";
  state_archive a(saved.data(), saved.size());
  EXPECT_TRUE(a.restores());
  p.keep(a);
  a.end();
  EXPECT_EQ(bytes_of(p), saved);
  EXPECT_EQ(p.text, std::string("a\0b", 3));
  EXPECT_EQ(p.numbers, (std::vector<uint16_t>{7, 0, 65535}));
  EXPECT_EQ(p.bits, (std::vector<bool>{true, false, true}));
  ASSERT_EQ(p.pairs.size(), 2u);
  EXPECT_EQ(p.pairs[1].b, 6u);
}

TEST(state_archive, nothing_is_restored_from_nothing) {
  state_archive a(nullptr, 0);
  a.end();
  uint8_t n = 0;
  EXPECT_THROW(a(n), bad_state);
  std::vector<uint8_t> none;
  state_archive saves;
  saves.list(none);
  state_archive b(saves.saved().data(), saves.saved().size());
  none = {1, 2};
  b.list(none);
  b.end();
  EXPECT_TRUE(none.empty());
}

TEST(state_archive, is_refused_wherever_it_ends) {
  const std::vector<uint8_t> saved = bytes_of(filled());
  for (size_t n = 0; n < saved.size(); ++n) {
    part p;
    state_archive a(saved.data(), n);
    EXPECT_THROW(p.keep(a), bad_state) << n << " bytes of " << saved.size();
  }
}

TEST(state_archive, is_refused_with_more_behind_it) {
  std::vector<uint8_t> saved = bytes_of(filled());
  saved.push_back(0);
  part p;
  state_archive a(saved.data(), saved.size());
  p.keep(a);
  EXPECT_THROW(a.end(), bad_state);
}

TEST(state_archive, a_huge_count_takes_no_memory) {
  state_archive saves;
  uint64_t count = std::numeric_limits<uint64_t>::max();
  saves(count);
  std::vector<uint64_t> numbers;
  std::string text;
  state_archive a(saves.saved().data(), saves.saved().size()), b(saves.saved().data(), saves.saved().size());
  EXPECT_THROW(a.list(numbers), bad_state);
  EXPECT_THROW(b.value(text), bad_state);
  EXPECT_TRUE(numbers.empty() && text.empty());
}

TEST(state_archive, parts_begin_with_their_names) {
  state_archive saves;
  saves.section("tags");
  state_archive a(saves.saved().data(), saves.saved().size());
  EXPECT_THROW(a.section("lines"), bad_state);
  state_archive b(saves.saved().data(), saves.saved().size());
  b.section("tags");
  b.end();
}

TEST(state_archive, what_both_know_is_compared) {
  state_archive saves;
  saves.same(uint32_t{64}, "machine");
  saves.same(std::string("pws"), "scheme");
  const std::vector<uint8_t>& saved = saves.saved();
  state_archive a(saved.data(), saved.size());
  a.same(uint32_t{64}, "machine");
  try {
    a.same(std::string("dws"), "scheme");
    FAIL() << "another scheme is taken";
  } catch (const bad_state& e) {
    EXPECT_STREQ(e.what(), "it is of another scheme");
  }
}

TEST(state_archive, an_index_is_below_its_limit) {
  state_archive saves;
  uint32_t at = 8;
  saves.index(at, 4);  // what runs is not checked
  state_archive below(saves.saved().data(), saves.saved().size()), at_limit(saves.saved().data(), saves.saved().size());
  uint32_t found = 0;
  below.index(found, 9);
  EXPECT_EQ(found, 8u);
  EXPECT_THROW(at_limit.index(found, 8), bad_state);
}

TEST(state_archive, true_is_1) {
  const uint8_t saved[] = {1, 0, 2};
  state_archive a(saved, sizeof saved);
  bool yes = false, no = true, neither = false;
  a(yes, no);
  EXPECT_TRUE(yes);
  EXPECT_FALSE(no);
  EXPECT_THROW(a(neither), bad_state);
}

}  // namespace
}  // namespace pws::test::state_archive_test
