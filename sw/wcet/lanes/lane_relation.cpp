// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/lanes/lane_relation.h"

#include <algorithm>

#include "base/popcount.h"

namespace pws::wcet {

namespace {

constexpr uint8_t limit_of(uint64_t breaks, unsigned classes) {
  return static_cast<uint8_t>(std::min<uint64_t>(breaks, classes - 1));
}

// Classes by their first lane: the one numbering of a relation without an order.
lane_relation unordered(const lane_relation& r) {
  std::array<int, lanes_per_wave> number;
  number.fill(-1);
  lane_relation n;
  n.classes = 0;
  for (unsigned l = 0; l < lanes_per_wave; ++l) {
    int& known = number[r.of[l]];
    if (known < 0) known = n.classes++;
    n.of[l] = static_cast<uint8_t>(known);
  }
  n.breaks = static_cast<uint8_t>(n.classes - 1);
  return n;
}

// Both relations' classes together. `in_order`: one walk through the new classes never goes back in either.
struct combination {
  lane_relation relation;
  bool in_order;
};
combination combine(const lane_relation& a, const lane_relation& b, bool b_reversed) {
  const auto class_of_b = [&](unsigned l) { return b_reversed ? b.classes - 1u - b.of[l] : b.of[l]; };
  std::array<uint64_t, lanes_per_wave> together{};  // by a's class: bit per class of b
  for (unsigned l = 0; l < lanes_per_wave; ++l) together[a.of[l]] |= uint64_t{1} << class_of_b(l);
  combination c{{}, true};
  std::array<unsigned, lanes_per_wave> first{};
  unsigned n = 0;
  uint64_t so_far = 0;  // classes of b
  for (unsigned k = 0; k < a.classes; ++k) {
    first[k] = n;
    n += popcount(together[k]);
    // The lowest class now is not below the highest one yet.
    c.in_order = c.in_order && (so_far >> __builtin_ctzll(together[k])) <= 1;
    so_far |= together[k];
  }
  for (unsigned l = 0; l < lanes_per_wave; ++l) {
    const uint64_t below = together[a.of[l]] & ((uint64_t{1} << class_of_b(l)) - 1);
    c.relation.of[l] = static_cast<uint8_t>(first[a.of[l]] + popcount(below));
  }
  c.relation.classes = static_cast<uint8_t>(n);
  return c;
}

bool all_apart(const lane_relation& r) {
  return r.classes == lanes_per_wave && !r.ordered();
}

lane_relation both(const lane_relation& a, const lane_relation& b, uint64_t breaks) {
  if (all_apart(a) || all_apart(b)) return lane_relation::each_its_own();
  combination c = combine(a, b, false);
  if (!c.in_order) c = combine(a, b, true);
  c.relation.breaks = c.in_order ? limit_of(breaks, c.relation.classes) : static_cast<uint8_t>(c.relation.classes - 1);
  return c.relation.ordered() ? c.relation : unordered(c.relation);
}

}  // namespace

lane_relation lane_relation::each_its_own() {
  lane_relation r;
  for (unsigned l = 0; l < lanes_per_wave; ++l) r.of[l] = static_cast<uint8_t>(l);
  r.classes = lanes_per_wave;
  r.breaks = lanes_per_wave - 1;
  return r;
}

lane_relation lane_relation::by_keys(const lane_numbers& keys, uint64_t breaks) {
  if (std::is_sorted(keys.begin(), keys.end())) {
    lane_relation r;
    for (unsigned l = 1; l < lanes_per_wave; ++l)
      r.of[l] = static_cast<uint8_t>(r.of[l - 1] + (keys[l] != keys[l - 1] ? 1 : 0));
    r.classes = static_cast<uint8_t>(r.of.back() + 1);
    r.breaks = limit_of(breaks, r.classes);
    return r;  // the classes are numbered by their first lanes as well
  }
  lane_numbers sorted = keys;
  std::sort(sorted.begin(), sorted.end());
  const auto end = std::unique(sorted.begin(), sorted.end());
  lane_relation r;
  for (unsigned l = 0; l < lanes_per_wave; ++l)
    r.of[l] = static_cast<uint8_t>(std::lower_bound(sorted.begin(), end, keys[l]) - sorted.begin());
  r.classes = static_cast<uint8_t>(end - sorted.begin());
  r.breaks = limit_of(breaks, r.classes);
  return r.ordered() ? r : unordered(r);
}

lane_relation operator&(const lane_relation& a, const lane_relation& b) {
  if (a.uniform()) return b;
  if (b.uniform()) return a;
  return both(a, b, uint64_t{a.breaks} + b.breaks);
}

lane_relation nested(const lane_relation& a, const lane_relation& b) {
  if (a.uniform()) return b;
  if (b.uniform()) return a;
  return both(a, b, a.breaks + (uint64_t{a.breaks} + 1) * b.breaks);
}

lane_relation refined(const lane_relation& a, const lane_numbers& keys) {
  return a & lane_relation::by_keys(keys, lanes_per_wave);
}

}  // namespace pws::wcet
