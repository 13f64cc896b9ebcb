// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/loops/pass_count.h"

#include <algorithm>

namespace pws::wcet {

namespace {

using relation = isa::relation;
using result = std::variant<uint64_t, count_problem>;

wide_number lowest(const counted_condition& c) {
  return c.is_signed ? -(wide_number{1} << (c.bits - 1)) : 0;
}
wide_number highest(const counted_condition& c) {
  return (wide_number{1} << (c.is_signed ? c.bits - 1 : c.bits)) - 1;
}

// How many steps of at least `step` from `from` on are below `end`.
uint64_t steps_below(wide_number from, wide_number end, wide_number step) {
  if (from >= end) return 0;
  return static_cast<uint64_t>((end - from + step - 1) / step);
}

// The condition holds below `end`, and the counter rises. While it holds, value_k < end, so the counter is below
// end - ahead.low, and the value of the next pass is at most end - 1 - ahead.low + step.high + ahead.high.
result rising(const counted_condition& c, wide_number end) {
  const wide_number begin = c.first.low + c.ahead.low;
  if (c.step.low <= 0) return count_problem::away;
  // Before the first step too, no sum may have gone round.
  if (begin < lowest(c) || c.first.high + c.ahead.high > highest(c)) return count_problem::around;
  if (begin >= end) return uint64_t{0};
  if (end - 1 - c.ahead.low + c.step.high + c.ahead.high > highest(c)) return count_problem::around;
  return steps_below(begin, end, c.step.low);
}

counted_condition mirrored(counted_condition c) {
  const auto negative = [](const number_range& r) { return number_range{-r.high, -r.low}; };
  c.first = negative(c.first);
  c.step = negative(c.step);
  c.ahead = negative(c.ahead);
  c.limit = negative(c.limit);
  return c;
}

// As rising(), for a counter that falls and a condition that holds above `begin`.
result falling(const counted_condition& c, wide_number begin) {
  const wide_number start = c.first.high + c.ahead.high;
  if (c.step.high >= 0) return count_problem::away;
  if (start > highest(c) || c.first.low + c.ahead.low < lowest(c)) return count_problem::around;
  if (start <= begin) return uint64_t{0};
  if (begin + 1 - c.ahead.high + c.step.low + c.ahead.low < lowest(c)) return count_problem::around;
  return steps_below(-start, -begin, -c.step.high);
}

// Until counter and limit are equal. Both go round the same circle, on which the distance is a number.
result until_equal(const counted_condition& c) {
  if (!c.limit_stays) return count_problem::limit_moves;
  if (!c.step.is_one() || !c.ahead.is_one()) return count_problem::steps_over;
  if (c.step.low == 0) return count_problem::away;
  const counted_condition up = c.step.low > 0 ? c : mirrored(c);
  const wide_number step = up.step.low;
  const number_range distance{up.limit.low - up.first.high - up.ahead.low, up.limit.high - up.first.low - up.ahead.low};
  const wide_number circle = wide_number{1} << c.bits;
  // From the nearest multiple of the circle below on: nothing if the distances lie on both sides of one.
  wide_number turns = distance.low / circle;
  if (distance.low % circle < 0) --turns;
  const number_range ahead{distance.low - turns * circle, distance.high - turns * circle};
  if (ahead.high >= circle) return count_problem::around;
  const bool meets = ahead.is_one()
                         ? ahead.low % step == 0
                         : (step & (step - 1)) == 0 && step <= wide_number{1} << std::min(c.distance_zeros, 64u);
  if (!meets) return count_problem::steps_over;
  return static_cast<uint64_t>(ahead.high / step);
}

// While the counter is equal to its limit: a step of less than a whole turn leaves it.
result while_equal(const counted_condition& c) {
  const bool moves = c.kind == counted_condition::step_kind::adds && (c.step.low > 0 || c.step.high < 0);
  if (!moves || !c.ahead.is_one()) return count_problem::away;
  if (!c.limit_stays) return count_problem::limit_moves;
  if (c.step.high >= wide_number{1} << c.bits || c.step.low <= -(wide_number{1} << c.bits))
    return count_problem::around;
  return uint64_t{1};
}

// While the counter, which loses bits, is not 0, or above a limit that is not below 0.
result losing_bits(const counted_condition& c) {
  wide_number least = 0;  // of values that go on
  switch (c.relation) {
    case relation::not_equal:
      if (c.limit.low != 0 || c.limit.high != 0) return count_problem::away;
      least = 1;
      break;
    case relation::greater:
      least = c.limit.low + 1;
      break;
    case relation::greater_or_equal:
      least = c.limit.low;
      break;
    default:
      return count_problem::away;
  }
  if (least < 1 || c.first.low < 0) return count_problem::away;
  if (c.kind == counted_condition::step_kind::clears_bits) {
    uint64_t bits = 0;
    for (wide_number v = c.first.high; v != 0; v >>= 1) ++bits;
    return bits;
  }
  uint64_t n = 0;
  for (wide_number v = c.first.high >> static_cast<int>(c.ahead.low); v >= least; v >>= static_cast<int>(c.step.low))
    ++n;
  return n;
}

// While the counter, which is above 0 and is multiplied, is below a limit.
result growing(const counted_condition& c) {
  wide_number end = 0;
  if (c.relation == relation::less)
    end = c.limit.high;
  else if (c.relation == relation::less_or_equal)
    end = c.limit.high + 1;
  else
    return count_problem::away;
  if (c.first.low < 1) return count_problem::away;
  if ((end - 1) * c.step.low > highest(c)) return count_problem::around;
  uint64_t n = 0;
  for (wide_number v = c.first.low; v < end; v *= c.step.low) ++n;
  return n;
}

}  // namespace

std::variant<uint64_t, count_problem> most_in_a_row(const counted_condition& c) {
  using kind = counted_condition::step_kind;
  if (c.kind == kind::multiplies) return growing(c);
  if (c.kind == kind::shifts || c.kind == kind::clears_bits) return losing_bits(c);
  switch (c.relation) {
    case relation::less:
      return rising(c, c.limit.high);
    case relation::less_or_equal:
      return rising(c, c.limit.high + 1);
    case relation::greater:
      return falling(c, c.limit.low);
    case relation::greater_or_equal:
      return falling(c, c.limit.low - 1);
    case relation::not_equal:
      return until_equal(c);
    case relation::equal:
      return while_equal(c);
    default:
      return count_problem::no_relation;
  }
}

}  // namespace pws::wcet
