// SPDX-License-Identifier: Apache-2.0
#include "sw/loader/lds_layout.h"

#include <algorithm>
#include <numeric>

namespace pws::loader {

namespace {

uint64_t rounded_up(uint64_t n, uint64_t unit) {
  return (n + unit - 1) / unit * unit;
}

// A larger variable is aligned more than its type needs, for wide accesses.
uint64_t packed_alignment(const lds_variable& v) {
  constexpr uint64_t widest = 16;
  uint64_t unit = 1;
  while (unit < widest && unit < v.bytes) unit *= 2;
  return std::max(unit, v.alignment);
}

}  // namespace

// The next variable is the one with the least padding in front; of several the most aligned, then the largest, then the
// first in the source.
lds_layout layout_of(const std::vector<lds_variable>& all) {
  lds_layout l;
  l.offsets.resize(all.size());
  std::vector<size_t> left(all.size());
  std::iota(left.begin(), left.end(), size_t{0});
  uint64_t end = 0, widest = 1;
  while (!left.empty()) {
    const auto is_better = [&](size_t a, size_t b) {
      const uint64_t of_a = packed_alignment(all[a]), of_b = packed_alignment(all[b]);
      const uint64_t at_a = rounded_up(end, of_a), at_b = rounded_up(end, of_b);
      if (at_a != at_b) return at_a < at_b;
      return of_a != of_b ? of_a > of_b : all[a].bytes > all[b].bytes;
    };
    const auto next = std::min_element(left.begin(), left.end(), is_better);
    l.offsets[*next] = rounded_up(end, packed_alignment(all[*next]));
    end = l.offsets[*next] + all[*next].bytes;
    widest = std::max(widest, all[*next].alignment);
    left.erase(next);
  }
  l.bytes = rounded_up(end, widest);
  return l;
}

std::vector<std::optional<uint64_t>> lds_offsets(const std::vector<lds_variable>& all, uint64_t declared_bytes) {
  constexpr size_t most = 12;
  std::vector<std::optional<uint64_t>> known(all.size());
  if (all.size() > most) return known;
  bool fits_once = false;
  for (uint64_t chosen = 1; chosen < uint64_t{1} << all.size(); ++chosen) {
    std::vector<lds_variable> some;
    for (size_t k = 0; k < all.size(); ++k)
      if ((chosen >> k & 1) != 0) some.push_back(all[k]);
    const lds_layout l = layout_of(some);
    if (l.bytes != declared_bytes) continue;
    for (size_t k = 0, n = 0; k < all.size(); ++k) {
      std::optional<uint64_t> offset;
      if ((chosen >> k & 1) != 0) offset = l.offsets[n++];
      if (!fits_once || known[k] != offset) known[k] = fits_once ? std::nullopt : offset;
    }
    fits_once = true;
  }
  return known;
}

}  // namespace pws::loader
