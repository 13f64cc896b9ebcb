// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/lanes/lane_cover.h"

#include <algorithm>

namespace pws::wcet {

namespace {

template <class F>
lane_cover each_pair(const lane_cover& a, const lane_cover& b, F f) {
  lane_cover c;
  for (const cover_size& x : a.sizes())
    for (const cover_size& y : b.sizes()) c.add(f(x, y));
  return c;
}
template <class F>
lane_cover each_size(const lane_cover& a, F f) {
  lane_cover c;
  for (const cover_size& x : a.sizes()) c.add(f(x));
  return c;
}

constexpr cover_size too_many{lane_cover::most_arcs + 1, 0};

}  // namespace

bool lane_cover::implies(const cover_size& s) const {
  return std::any_of(sizes_.begin(), sizes_.end(),
                     [&](const cover_size& o) { return o.arcs <= s.arcs && o.total <= s.total; });
}

void lane_cover::add(const cover_size& s) {
  if (s.arcs > most_arcs || s.total > most_total || implies(s)) return;
  const auto is_worse = [&](const cover_size& o) { return s.arcs <= o.arcs && s.total <= o.total; };
  sizes_.erase(std::remove_if(sizes_.begin(), sizes_.end(), is_worse), sizes_.end());
  sizes_.insert(
      std::upper_bound(sizes_.begin(), sizes_.end(), s, [](const auto& a, const auto& b) { return a.arcs < b.arcs; }),
      s);
  // The fewest arcs and the smallest total stay.
  if (sizes_.size() > most_sizes) sizes_.erase(sizes_.end() - 2);
}

lane_cover join(const lane_cover& a, const lane_cover& b) {
  return each_pair(a, b, [](const cover_size& x, const cover_size& y) {
    return cover_size{std::max(x.arcs, y.arcs), std::max(x.total, y.total)};
  });
}

lane_cover widen(const lane_cover& before, const lane_cover& now) {
  lane_cover stays;
  for (const cover_size& s : before.sizes())
    if (now.implies(s)) stays.add(s);
  return stays;
}

lane_cover together(const lane_cover& a, const lane_cover& b) {
  return each_pair(a, b, [](const cover_size& x, const cover_size& y) {
    return cover_size{x.arcs + y.arcs, x.total + y.total};
  });
}

lane_cover sum_of(const lane_cover& a, const lane_cover& b) {
  return each_pair(a, b, [](const cover_size& x, const cover_size& y) {
    return cover_size{x.arcs * y.arcs, x.total * y.arcs + y.total * x.arcs};
  });
}

lane_cover scaled(const lane_cover& a, uint32_t by) {
  // Times a negative number arcs are turned round.
  const uint64_t factor = std::min(by, 0 - by);
  return each_size(a, [&](const cover_size& x) { return cover_size{x.arcs, x.total * factor}; });
}

lane_cover shifted_left(const lane_cover& a, unsigned bits) {
  return each_size(a, [&](const cover_size& x) {
    if (x.total > (lane_cover::most_total >> std::min(bits, 63u))) return too_many;
    return cover_size{x.arcs, x.total << bits};
  });
}

lane_cover cut_open(const lane_cover& a) {
  return each_size(a, [](const cover_size& x) { return cover_size{x.arcs + (x.total == 0 ? 0u : 1u), x.total}; });
}

lane_cover shifted_right(const lane_cover& a, unsigned bits) {
  // From `first` to first + width: quotients differ by width / 2^bits at most, rounded up.
  const uint64_t more = (uint64_t{1} << bits) - 1;
  return each_size(a, [&](const cover_size& x) {
    // So many arcs have more than one number.
    const uint64_t wide = std::min<uint64_t>(x.arcs, x.total);
    return cover_size{x.arcs, (x.total + wide * more) >> bits};
  });
}

lane_cover modulo(const lane_cover& a, unsigned bits) {
  // An arc is cut where it passes a multiple of 2^bits: every 2^bits numbers, and once more.
  return each_size(a, [&](const cover_size& x) {
    const uint64_t cuts = std::min<uint64_t>(x.arcs, x.total) + (x.total >> bits);
    if (cuts > lane_cover::most_arcs) return too_many;
    return cover_size{x.arcs + static_cast<uint32_t>(cuts), x.total};
  });
}

lane_cover images(const lane_cover& a, const lane_cover& b) {
  const uint32_t points = a.points() * b.points();
  return points == 0 ? lane_cover{} : lane_cover::of(points, 0);
}

uint32_t lines_of(const lane_cover& c, uint32_t bytes, uint32_t alignment, uint32_t line_bytes) {
  // An arc that begins and ends at an access: its first byte is at most line - alignment into its line, and from there
  // its bytes go on for width + bytes, so they are in at most (width + each) / line + 1 lines, rounded down. Width 0
  // has each / line + 1. The first line more needs a width of `first` at least (a multiple of the alignment), each
  // other one a line's. With no more than `total` for all arcs it is the most to give as many as can be one line more,
  // since that costs least, and the rest to any.
  const uint64_t step = std::min(alignment, line_bytes);
  const uint64_t each = line_bytes - step + bytes - 1;
  const uint64_t first = (line_bytes - each % line_bytes + step - 1) / step * step;
  uint64_t most = UINT32_MAX;
  for (const cover_size& s : c.sizes()) {
    const uint64_t one_more = std::min<uint64_t>(s.arcs, s.total / first);
    most = std::min(most, s.arcs * (each / line_bytes + 1) + one_more + (s.total - one_more * first) / line_bytes);
  }
  return static_cast<uint32_t>(most);
}

}  // namespace pws::wcet
