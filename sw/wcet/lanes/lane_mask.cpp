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

}  // namespace pws::wcet
