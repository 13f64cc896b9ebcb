// SPDX-License-Identifier: Apache-2.0
// How close together the values of all lanes lie, whatever lane has which of them: a cover of size (arcs, total) is a
// set of at most that many arcs on the circle of 2^32 (or 2^64) numbers, whose widths (last number less first) add up
// to at most `total`, and every lane's value is in one of them. Sums with something that all lanes share turn the
// circle, so they need no case for wrapping around; what goes by the order of numbers cuts it (cut_open).
//
// It says what a pattern of lanes (lane_value.h) cannot: a clamp, a select or a table's values leave no base that lanes
// share, but few places where they are.
#pragma once

#include <cstdint>
#include <vector>

namespace pws::wcet {

struct cover_size {
  uint32_t arcs = 0;
  uint64_t total = 0;
};
inline bool operator==(const cover_size& a, const cover_size& b) {
  return a.arcs == b.arcs && a.total == b.total;
}

// Sizes of which each one has a cover; none is in another one. Empty: nothing is known.
class lane_cover {
 public:
  static constexpr uint32_t most_arcs = 63;  // more say nothing: 64 lanes are in 64 arcs of one number
  static constexpr uint64_t most_total = uint64_t{1} << 31;
  static constexpr unsigned most_sizes = 6;

  static lane_cover of(uint32_t arcs, uint64_t total) {
    lane_cover c;
    c.add({arcs, total});
    return c;
  }
  void add(const cover_size& s);
  void add(const lane_cover& o) {
    for (const cover_size& s : o.sizes_) add(s);
  }
  const std::vector<cover_size>& sizes() const { return sizes_; }  // by arcs
  bool empty() const { return sizes_.empty(); }
  // That there is a cover of that size.
  bool implies(const cover_size& s) const;
  // Different values at most; 0: not known.
  uint32_t points() const { return !empty() && sizes_.back().total == 0 ? sizes_.back().arcs : 0; }

 private:
  std::vector<cover_size> sizes_;  // arcs rise, totals fall
};
inline bool operator==(const lane_cover& a, const lane_cover& b) {
  return a.sizes() == b.sizes();
}

// All lanes have a's values, or all have b's.
lane_cover join(const lane_cover& a, const lane_cover& b);
// Takes a loop's values before and now: those sizes of before that now's imply, so that rounds come to an end.
lane_cover widen(const lane_cover& before, const lane_cover& now);
// Each lane has a's or b's value.
lane_cover together(const lane_cover& a, const lane_cover& b);
// The cover of a + b, and of a - b: an arc for each pair of arcs.
lane_cover sum_of(const lane_cover& a, const lane_cover& b);
// The cover of a times a constant, on the circle of 2^32.
lane_cover scaled(const lane_cover& a, uint32_t by);
// The cover of a shifted left by fewer than 64 bits, on the circle of 2^64.
lane_cover shifted_left(const lane_cover& a, unsigned bits);
// Arcs that do not pass from the highest number to 0. Those that do all have these two in them, so they are one arc,
// which becomes two: one arc more than before at most, and none where there are only points.
lane_cover cut_open(const lane_cover& a);
// The cover of a divided by 2^bits and rounded down. `a`: cut open.
lane_cover shifted_right(const lane_cover& a, unsigned bits);
// The cover of a modulo 2^bits.
lane_cover modulo(const lane_cover& a, unsigned bits);
// The cover of any function of both.
lane_cover images(const lane_cover& a, const lane_cover& b);

// Cache lines that accesses of `bytes` at such addresses touch, at most; UINT32_MAX: nothing is known. All addresses
// are multiples of `alignment`, a power of two, as `line_bytes` is.
uint32_t lines_of(const lane_cover& c, uint32_t bytes, uint32_t alignment, uint32_t line_bytes);

}  // namespace pws::wcet
