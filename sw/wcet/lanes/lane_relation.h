// SPDX-License-Identifier: Apache-2.0
// Which of a wavefront's lanes surely agree in something unknown.
#pragma once

#include <array>
#include <cstdint>

namespace pws::wcet {

constexpr unsigned lanes_per_wave = 64;
using lane_numbers = std::array<int64_t, lanes_per_wave>;

// Lanes in one class agree. Where fewer than classes - 1 breaks are possible the classes' numbers are an order: on the
// way from class 0 to the last one the unknown thing changes at most `breaks` times. (Where a sum that rises from lane
// to lane overflows, its upper half changes once; where is not known.)
struct lane_relation {
  std::array<uint8_t, lanes_per_wave> of{};  // class by lane; all of 0..classes-1 occur
  uint8_t classes = 1;
  uint8_t breaks = 0;

  bool uniform() const { return classes == 1; }
  bool ordered() const { return breaks + 1 < classes; }

  static lane_relation each_its_own();
  // Lanes with equal keys agree; in the order of the keys there are at most that many changes.
  static lane_relation by_keys(const lane_numbers& keys, uint64_t breaks);
};

inline bool operator==(const lane_relation& a, const lane_relation& b) {
  return a.classes == b.classes && a.breaks == b.breaks && a.of == b.of;
}

// Lanes that agree in both things; `breaks` counts changes of either.
lane_relation operator&(const lane_relation& a, const lane_relation& b);
// As a & b, where b is about something that may change up to b.breaks times anew for each change of a.
lane_relation nested(const lane_relation& a, const lane_relation& b);
// Lanes that agree and have equal keys.
lane_relation refined(const lane_relation& a, const lane_numbers& keys);

}  // namespace pws::wcet
