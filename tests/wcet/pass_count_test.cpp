// SPDX-License-Identifier: Apache-2.0
// How often in a row a condition on a counter holds, against counting: on small numbers with all their ends, every
// start, step and limit of the ranges tried out.
#include "sw/wcet/loops/pass_count.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "models/isa/integer.h"

namespace pws::test::pass_count_test {
namespace {

using wcet::count_problem;
using wcet::counted_condition;
using wcet::number_range;
using kind = counted_condition::step_kind;
using isa::relation;

constexpr relation relations[] = {relation::less,    relation::less_or_equal,    relation::equal,
                                  relation::greater, relation::greater_or_equal, relation::not_equal};

// The number as the machine has it.
int64_t wrapped(int64_t v, const counted_condition& c) {
  const int64_t circle = int64_t{1} << c.bits;
  int64_t w = ((v % circle) + circle) % circle;
  return c.is_signed && w >= circle / 2 ? w - circle : w;
}

// The most often in a row, for this start, with the step, what is ahead and the limit chosen anew in each pass, by
// `random`; or as they are at either end. Beyond `most` it is endless.
uint64_t counted(const counted_condition& c, int64_t first, int64_t limit, std::mt19937& random, unsigned way,
                 uint64_t most) {
  const auto one_of = [&](const number_range& r) {
    const auto low = static_cast<int64_t>(r.low), high = static_cast<int64_t>(r.high);
    return way == 0   ? low
           : way == 1 ? high
                      : low + static_cast<int64_t>(random() % static_cast<uint64_t>(high - low + 1));
  };
  int64_t x = wrapped(first, c);
  uint64_t n = 0;
  for (; n <= most; ++n) {
    int64_t value = x;
    if (c.kind == kind::adds) value = wrapped(x + one_of(c.ahead), c);
    if (c.kind == kind::shifts) value = x >> static_cast<int>(c.ahead.low);
    if (!isa::holds(c.relation, value, wrapped(c.limit_stays ? limit : one_of(c.limit), c))) break;
    switch (c.kind) {
      case kind::adds:
        x = wrapped(x + one_of(c.step), c);
        break;
      case kind::multiplies:
        x = wrapped(x * static_cast<int64_t>(c.step.low), c);
        break;
      case kind::shifts:
        x >>= static_cast<int>(c.step.low);
        break;
      case kind::clears_bits:
        x &= x - 1;
        break;
    }
  }
  return n;
}

struct outcome {
  uint64_t found = 0, tight = 0;
};

// Whatever the ranges hold, it is no more often than is said.
void try_one(const counted_condition& c, std::mt19937& random, outcome& out) {
  const auto n = most_in_a_row(c);
  const auto* found = std::get_if<uint64_t>(&n);
  if (found == nullptr) return;
  ++out.found;
  uint64_t most = 0;
  for (auto first = static_cast<int64_t>(c.first.low); first <= static_cast<int64_t>(c.first.high); ++first)
    for (auto limit = static_cast<int64_t>(c.limit.low); limit <= static_cast<int64_t>(c.limit.high); ++limit)
      for (unsigned way = 0; way < 3; ++way) {
        const uint64_t now = counted(c, first, limit, random, way, *found);
        most = std::max(most, now);
        ASSERT_LE(now, *found) << "relation " << static_cast<int>(c.relation) << ", kind " << static_cast<int>(c.kind)
                               << ", " << c.bits << (c.is_signed ? " signed" : "") << " bits, first " << first
                               << ", step " << static_cast<int64_t>(c.step.low) << " to "
                               << static_cast<int64_t>(c.step.high) << ", ahead " << static_cast<int64_t>(c.ahead.low)
                               << " to " << static_cast<int64_t>(c.ahead.high) << ", limit " << limit
                               << (c.limit_stays ? "" : " that moves");
      }
  if (most == *found) ++out.tight;
}

counted_condition random_condition(std::mt19937& random) {
  counted_condition c;
  c.bits = 4 + random() % 4;
  c.is_signed = random() % 2 != 0;
  const int64_t circle = int64_t{1} << c.bits, low = c.is_signed ? -circle / 2 : 0, high = low + circle - 1;
  // Ends and their neighbours are as likely as all else.
  const auto number = [&] {
    const uint32_t r = random() % 8;
    return r == 0   ? low
           : r == 1 ? high
           : r == 2 ? high - 1
           : r == 3 ? std::min<int64_t>(low + 1, high)
                    : low + static_cast<int64_t>(random() % static_cast<uint64_t>(circle));
  };
  const auto range = [&](int64_t a, int64_t b) { return number_range{std::min(a, b), std::max(a, b)}; };
  const auto near = [&](int64_t v, uint32_t by) {
    return range(v, random() % 2 != 0 ? v : std::clamp(v + static_cast<int64_t>(random() % by), low, high));
  };
  c.relation = relations[random() % std::size(relations)];
  c.first = near(number(), 6);
  c.limit = near(number(), 6);
  c.limit_stays = random() % 2 != 0;
  c.kind = random() % 3 != 0 ? kind::adds : static_cast<kind>(random() % 4);
  switch (c.kind) {
    case kind::adds: {
      const int64_t step = static_cast<int64_t>(random() % 9) - 4;
      c.step = random() % 3 != 0 ? range(step, step) : range(step, step + static_cast<int64_t>(random() % 3));
      const int64_t ahead = random() % 2 != 0 ? 0 : static_cast<int64_t>(random() % 7) - 3;
      c.ahead = random() % 4 != 0 ? range(ahead, ahead) : range(ahead, ahead + static_cast<int64_t>(random() % 3));
      break;
    }
    case kind::multiplies:
      c.step = range(2 + random() % 3, 2);
      c.step.low = c.step.high;
      break;
    case kind::shifts: {
      // Numbers that are shifted are not signed; a comparison may be.
      const int64_t step = 1 + random() % 3;
      c.step = range(step, step);
      const int64_t ahead = random() % 2 != 0 ? 0 : step;
      c.ahead = range(ahead, ahead);
      break;
    }
    case kind::clears_bits:
      c.step = {1, 1};
      break;
  }
  if (c.kind == kind::shifts || c.kind == kind::clears_bits) {
    c.first.low = std::max<wcet::wide_number>(c.first.low, 0);
    c.first.high = std::max<wcet::wide_number>(c.first.high, 0);
  }
  return c;
}

TEST(pass_count, no_counter_goes_on_for_longer) {
  std::mt19937 random(7);
  outcome out;
  for (unsigned k = 0; k < 200000; ++k) {
    try_one(random_condition(random), random, out);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(out.found, 20000u);
  EXPECT_GT(out.tight, out.found * 3 / 4) << "of " << out.found;
}

uint64_t of(const counted_condition& c) {
  const auto n = most_in_a_row(c);
  const auto* found = std::get_if<uint64_t>(&n);
  return found == nullptr ? ~uint64_t{0} - static_cast<uint64_t>(std::get<count_problem>(n)) : *found;
}
constexpr uint64_t none(count_problem p) {
  return ~uint64_t{0} - static_cast<uint64_t>(p);
}

// for (i = first; i RELATION limit; i += step), of 32 bits.
counted_condition loop(int64_t first, relation r, int64_t limit, int64_t step, bool is_signed = false) {
  counted_condition c;
  c.relation = r;
  c.first = {first, first};
  c.step = {step, step};
  c.limit = {limit, limit};
  c.limit_stays = true;
  c.is_signed = is_signed;
  return c;
}

TEST(pass_count, at_the_ends_of_the_numbers) {
  constexpr int64_t most = UINT32_MAX, most_signed = INT32_MAX, least_signed = INT32_MIN;
  EXPECT_EQ(of(loop(0, relation::less, 0, 1)), 0u);
  EXPECT_EQ(of(loop(0, relation::less, most, 1)), uint64_t{UINT32_MAX});
  EXPECT_EQ(of(loop(0, relation::less_or_equal, most, 1)), none(count_problem::around));  // endless
  EXPECT_EQ(of(loop(0, relation::less, most, 2)), none(count_problem::around));  // from the last one but one to 0
  EXPECT_EQ(of(loop(0, relation::less, most - 1, 2)), uint64_t{2147483647});
  EXPECT_EQ(of(loop(5, relation::greater_or_equal, 0, -1)), none(count_problem::around));  // unsigned: endless
  EXPECT_EQ(of(loop(5, relation::greater, 0, -1)), 5u);
  EXPECT_EQ(of(loop(5, relation::greater_or_equal, 0, -1, true)), 6u);
  EXPECT_EQ(of(loop(least_signed, relation::less, most_signed, 1, true)), uint64_t{UINT32_MAX});
  EXPECT_EQ(of(loop(0, relation::greater, least_signed, -1, true)), uint64_t{1} << 31);
  EXPECT_EQ(of(loop(0, relation::greater_or_equal, least_signed, -1, true)), none(count_problem::around));
  EXPECT_EQ(of(loop(0, relation::less, 10, 0)), none(count_problem::away));
  EXPECT_EQ(of(loop(0, relation::less, 10, -1, true)), none(count_problem::away));
}

TEST(pass_count, limits_that_are_met) {
  EXPECT_EQ(of(loop(0, relation::not_equal, 12, 3)), 4u);
  EXPECT_EQ(of(loop(0, relation::not_equal, 13, 3)), none(count_problem::steps_over));
  EXPECT_EQ(of(loop(12, relation::not_equal, 0, -4)), 3u);
  EXPECT_EQ(of(loop(7, relation::not_equal, 7, 1)), 0u);
  EXPECT_EQ(of(loop(8, relation::not_equal, 7, 1)), uint64_t{UINT32_MAX});  // once round
  EXPECT_EQ(of(loop(3, relation::equal, 3, 1)), 1u);
  counted_condition c = loop(0, relation::not_equal, 16, 1);
  c.limit = {10, 16};
  EXPECT_EQ(of(c), 16u);
  c.first = {0, 10};
  EXPECT_EQ(of(c), 16u);
  c.first = {0, 11};  // it may begin behind a limit
  EXPECT_EQ(of(c), none(count_problem::around));
  c = loop(0, relation::not_equal, 16, 4);
  c.limit = {8, 16};
  EXPECT_EQ(of(c), none(count_problem::steps_over));
  c.distance_zeros = 2;
  EXPECT_EQ(of(c), 4u);
  c.limit_stays = false;
  EXPECT_EQ(of(c), none(count_problem::limit_moves));
}

TEST(pass_count, of_64_bits) {
  counted_condition c = loop(0, relation::less, 0, 1);
  c.bits = 64;
  c.limit = {wcet::wide_number{UINT64_MAX}, wcet::wide_number{UINT64_MAX}};
  EXPECT_EQ(of(c), UINT64_MAX);
  c.step = {2, 2};
  EXPECT_EQ(of(c), none(count_problem::around));
  c = loop(1, relation::less, 0, 3);
  c.kind = kind::multiplies;
  c.bits = 64;
  c.limit = {1000, 1000};
  EXPECT_EQ(of(c), 7u);  // 1, 3, 9, 27, 81, 243, 729
}

}  // namespace
}  // namespace pws::test::pass_count_test
