// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/lanes/lane_mask.h"

#include <algorithm>

namespace pws::wcet {

bool operator==(const lane_mask& a, const lane_mask& b) {
  return a.within == b.within && a.within_exec == b.within_exec && a.lanes == b.lanes && a.is == b.is &&
         a.is_in_part == b.is_in_part && a.number == b.number && a.own_parts == b.own_parts &&
         (a.bits == b.bits || (a.bits && b.bits && *a.bits == *b.bits));
}

lane_mask join(const lane_mask& a, const lane_mask& b) {
  lane_mask m;
  m.within = a.within & b.within;
  m.within_exec = a.within_exec && b.within_exec;
  m.lanes = a.lanes | b.lanes;
  if (a.bits && b.bits) m.bits = std::make_shared<const lane_value>(join(*a.bits, *b.bits));
  m.is = a.is & b.is;
  m.is_in_part = a.is_in_part & b.is_in_part;
  if (a.number == b.number) m.number = a.number;
  m.own_parts = std::min(a.own_parts, b.own_parts);
  return m;
}

namespace {

using bit_operation = lane_value (*)(const lane_value&, const lane_value&);
using number_operation = uint64_t (*)(uint64_t, uint64_t);

// What either operation makes of bits and numbers. Nothing else is known.
lane_mask each_bit(const lane_mask& a, const lane_mask& b, bit_operation of_bits, number_operation of_numbers) {
  lane_mask m;
  if (a.bits && b.bits) m.bits = std::make_shared<const lane_value>(of_bits(*a.bits, *b.bits));
  if (a.number && b.number) m.number = of_numbers(*a.number, *b.number);
  return m;
}

// Lanes of EXEC in which the mask surely has no bit.
uint64_t surely_not(const lane_mask& m) {
  uint64_t lanes = 0;
  for (unsigned l = 0; m.bits && l < lanes_per_wave; ++l)
    if (m.bits->in_lane(l) == word_set::constant(0)) lanes |= uint64_t{1} << l;
  return lanes;
}

// Where `inner` has no lanes but those of `outer`, `m` is `result`.
void name_where_within(lane_mask& m, const lane_mask& inner, const lane_mask& outer, const lane_mask& result) {
  if ((inner.within & outer.is).any()) m.is |= result.is;
  if ((inner.within & outer.is_in_part).any()) m.is_in_part |= result.is_in_part;
}

}  // namespace

lane_mask operator&(const lane_mask& a, const lane_mask& b) {
  lane_mask m = each_bit(a, b, operator&, [](uint64_t x, uint64_t y) { return x & y; });
  m.within = a.within | b.within;
  m.within_exec = a.within_exec || b.within_exec;
  m.lanes = a.lanes & b.lanes;
  if (a.within_exec) m.lanes &= ~surely_not(b);
  if (b.within_exec) m.lanes &= ~surely_not(a);
  m.own_parts = std::max(a.own_parts, b.own_parts);
  m.compared = a.compared ? a.compared : b.compared;
  name_where_within(m, a, b, a);
  name_where_within(m, b, a, b);
  return m;
}

lane_mask operator^(const lane_mask& a, const lane_mask& b) {
  lane_mask m = each_bit(a, b, operator^, [](uint64_t x, uint64_t y) { return x ^ y; });
  m.within = a.within & b.within;
  m.within_exec = a.within_exec && b.within_exec;
  m.lanes = a.lanes | b.lanes;
  m.own_parts = std::min(a.own_parts, b.own_parts);
  return m;
}

lane_mask operator|(const lane_mask& a, const lane_mask& b) {
  const lane_mask known = each_bit(a, b, operator|, [](uint64_t x, uint64_t y) { return x | y; });
  lane_mask m = a ^ b;
  m.bits = known.bits;
  m.number = known.number;
  // What has no other lanes adds none.
  if (!m.number && a.number && (b.lanes & ~*a.number) == 0) m.number = a.number;
  if (!m.number && b.number && (a.lanes & ~*b.number) == 0) m.number = b.number;
  name_where_within(m, a, b, b);
  name_where_within(m, b, a, a);
  return m;
}

lane_mask operator~(const lane_mask& a) {
  lane_mask m;
  if (a.bits) m.bits = std::make_shared<const lane_value>(*a.bits ^ lane_value::constant(1));
  if (a.number) m.number = m.lanes = ~*a.number;
  return m;
}

}  // namespace pws::wcet
