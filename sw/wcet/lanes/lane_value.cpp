// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/lanes/lane_value.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace pws::wcet {

namespace {

using words = std::array<uint32_t, lanes_per_wave>;

const std::shared_ptr<const lane_pattern>& uniform_pattern() {
  static const auto p = std::make_shared<const lane_pattern>();
  return p;
}

// Every lane on its own, at no distance from its base.
const std::shared_ptr<const lane_pattern>& own_pattern() {
  static const auto p = std::make_shared<const lane_pattern>(lane_pattern{lane_relation::each_its_own(), {}});
  return p;
}

bool is_each_its_own(const lane_relation& r) {
  return r.classes == lanes_per_wave && !r.ordered();
}

bool are_zero(const words& offset) {
  return std::all_of(offset.begin(), offset.end(), [](uint32_t o) { return o == 0; });
}

word_set any_of(const word_set& base, int64_t lowest, int64_t highest, unsigned aligned) {
  const uint64_t width = uint64_t{base.width} + static_cast<uint64_t>(highest - lowest);
  return word_set{base.start + static_cast<uint32_t>(lowest),
                  static_cast<uint32_t>(std::min<uint64_t>(width, ~uint32_t{0})), base.residue,
                  static_cast<uint8_t>(std::min<unsigned>(base.known, aligned))}
      .reduced();
}

lane_pattern described(const lane_relation& relation, const words& offset) {
  lane_pattern p{relation, offset};
  int32_t lowest = 0, highest = 0;
  uint32_t bits = 0;
  for (const uint32_t o : offset) {
    lowest = std::min(lowest, static_cast<int32_t>(o));
    highest = std::max(highest, static_cast<int32_t>(o));
    bits |= o;
  }
  p.lowest = lowest;
  p.highest = highest;
  p.aligned = trailing_zeros(bits);
  return p;
}

// A cover for values at these distances from one number: its arcs leave out the widest gaps.
lane_cover of_offsets(const words& offset) {
  std::array<int64_t, lanes_per_wave> at;
  for (unsigned l = 0; l < lanes_per_wave; ++l) at[l] = static_cast<int32_t>(offset[l]);
  std::sort(at.begin(), at.end());
  std::array<uint64_t, lanes_per_wave> gaps;
  const auto n = static_cast<unsigned>(std::unique(at.begin(), at.end()) - at.begin());
  for (unsigned k = 1; k < n; ++k) gaps[k - 1] = static_cast<uint64_t>(at[k] - at[k - 1]);
  std::sort(gaps.begin(), gaps.begin() + (n - 1), std::greater<>());
  lane_cover c;
  uint64_t total = static_cast<uint64_t>(at[n - 1] - at[0]);
  // Between gaps of one width the number of lines is as good at one of the ends.
  for (unsigned arcs = 1; arcs <= n; ++arcs) {
    if (arcs == 1 || arcs == n || gaps[arcs - 1] != gaps[arcs - 2]) c.add({arcs, total});
    if (arcs < n) total -= gaps[arcs - 1];
  }
  return c;
}

lane_cover of_classes(const lane_pattern& p) {
  if (p.relation.classes == lanes_per_wave && !p.relation.ordered()) return {};
  std::array<int64_t, lanes_per_wave> lowest, highest;
  lowest.fill(INT64_MAX);
  highest.fill(INT64_MIN);
  int64_t least = INT64_MAX, most = INT64_MIN;
  uint64_t total = 0;
  for (unsigned l = 0; l < lanes_per_wave; ++l) {
    const int64_t at = static_cast<int32_t>(p.offset[l]);
    const uint8_t c = p.relation.of[l];
    lowest[c] = std::min(lowest[c], at);
    highest[c] = std::max(highest[c], at);
    least = std::min(least, at);
    most = std::max(most, at);
  }
  for (unsigned c = 0; c < p.relation.classes; ++c) total += static_cast<uint64_t>(highest[c] - lowest[c]);
  lane_cover c;
  c.add({p.relation.classes, total});
  // In pieces of one base each; or points, of that many bases.
  const uint32_t pieces = p.relation.ordered() ? p.relation.breaks + 1u : p.relation.classes;
  c.add({pieces, pieces * static_cast<uint64_t>(most - least)});
  const uint32_t points = of_offsets(p.offset).points();
  if (points != 0) c.add({pieces * points, 0});
  return c;
}

// Each lane's value with its low bits taken off.
word_set without_low_bits(const word_set& values, unsigned known) {
  const uint32_t mask = low_bits_mask(known);
  if (values.wraps()) return word_set::aligned(known, 0);
  const uint32_t first = values.lowest() & ~mask;
  return word_set{first, (values.highest() & ~mask) - first, 0, static_cast<uint8_t>(known)}.reduced();
}

}  // namespace

lane_value::lane_value(const word_set& base) : base_(base), pattern_(uniform_pattern()) {}

lane_value::lane_value(const word_set& base, const lane_relation& relation, const words& offset) : base_(base) {
  words apart = offset;
  const auto rebase = [&] {
    base_ = base_ + word_set::constant(apart[0]);
    const uint32_t first = apart[0];
    for (uint32_t& o : apart) o -= first;
  };
  rebase();
  if (base_.is_constant() || !is_each_its_own(relation)) {
    set_pattern(base_.is_constant() ? lane_relation{} : relation, apart);
    return;
  }
  // The one form of what has no base in common.
  const lane_pattern p = described(relation, apart);
  const word_set before = base_;
  const uint32_t known_bits = low_bits_mask(before.known);
  for (uint32_t& o : apart) o = (before.residue + o) & known_bits;
  base_ = without_low_bits(any_of(before, p.lowest, p.highest, p.aligned), before.known);
  rebase();
  set_pattern(base_.is_constant() ? lane_relation{} : relation, apart);
}

void lane_value::set_pattern(const lane_relation& relation, const words& offset) {
  const bool zero = are_zero(offset);
  if (zero && relation.uniform())
    pattern_ = uniform_pattern();
  else if (zero && is_each_its_own(relation))
    pattern_ = own_pattern();
  else
    pattern_ = std::make_shared<const lane_pattern>(described(relation, offset));
}

lane_value lane_value::of_lanes(const words& v) {
  return {word_set::constant(0), {}, v};
}
lane_value lane_value::each_of(const word_set& s) {
  return {s, lane_relation::each_its_own(), {}};
}
lane_value lane_value::alike(const lane_relation& r, const word_set& s) {
  return {s, r, {}};
}

bool lane_value::same_pattern(const lane_value& o) const {
  return pattern_ == o.pattern_ || (relation() == o.relation() && offsets() == o.offsets());
}

bool lane_value::is_uniform() const {
  return pattern_ == uniform_pattern();
}

std::optional<uint32_t> lane_value::scalar() const {
  if (!is_known() || !is_uniform()) return std::nullopt;
  return base_.start;
}

word_set lane_value::anywhere() const {
  if (is_uniform()) return base_;
  return any_of(base_, pattern_->lowest, pattern_->highest, pattern_->aligned);
}

lane_relation lane_value::equality() const {
  if (is_uniform()) return {};
  lane_numbers keys;
  for (unsigned l = 0; l < lanes_per_wave; ++l) keys[l] = static_cast<int32_t>(offset(l));
  return refined(relation(), keys);
}

bool lane_value::is_unknown() const {
  return cover_ == nullptr && base_.known == 0 && base_.is_full() && is_each_its_own(relation());
}

lane_cover lane_value::cover() const {
  if (is_uniform()) return lane_cover::of(1, 0);
  lane_cover c;
  if (cover_) c.add(*cover_);
  if (!relation().uniform()) c.add(of_classes(*pattern_));
  if (relation().uniform()) c.add(of_offsets(offsets()));
  if (is_unknown()) return c;
  const word_set all = anywhere();
  if (all.is_full() && all.known < 32 - 6) return c;
  c.add({1, all.width});
  const uint64_t members = (uint64_t{all.width} >> all.known) + 1;
  if (members <= lane_cover::most_arcs) c.add({static_cast<uint32_t>(members), 0});
  return c;
}

lane_value lane_value::with_cover(const lane_cover& c) const {
  lane_value v = *this;
  v.cover_ = nullptr;
  if (relation().uniform()) return v;  // the pattern says all
  const lane_cover by_pattern = v.cover();
  lane_cover beside;
  const auto take = [&](const lane_cover& from) {
    for (const cover_size& s : from.sizes())
      if (!by_pattern.implies(s)) beside.add(s);
  };
  take(c);
  if (cover_) take(*cover_);
  if (!beside.empty()) v.cover_ = std::make_shared<const lane_cover>(std::move(beside));
  return v;
}

lane_cover cut_open(const lane_value& v) {
  const lane_cover c = v.cover();
  const word_set all = v.anywhere();
  if (all.wraps()) return cut_open(c);
  // An arc from one value up to 2^32, and on to another one, is at least as wide as what no value lies in there.
  const uint64_t around = (uint64_t{1} << 32) - (all.highest() - all.lowest());
  lane_cover cut;
  for (const cover_size& s : c.sizes())
    cut.add(s.total < around ? lane_cover::of(s.arcs, s.total) : cut_open(lane_cover::of(s.arcs, s.total)));
  return cut;
}

bool operator==(const lane_value& a, const lane_value& b) {
  return a.base() == b.base() && a.same_pattern(b) &&
         (a.cover_ == b.cover_ || (a.cover_ && b.cover_ && *a.cover_ == *b.cover_));
}

namespace {

lane_value select_pattern(const lane_value& a, const lane_value& b, const lane_relation& choice) {
  lane_numbers distance;
  for (unsigned l = 0; l < lanes_per_wave; ++l) distance[l] = static_cast<int32_t>(b.offset(l) - a.offset(l));
  const bool each = choice.classes == lanes_per_wave && !choice.ordered();
  lane_relation r;
  if (each) {
    r = choice;
  } else if (choice.uniform() && a.relation().of == b.relation().of) {
    r = a.relation().breaks >= b.relation().breaks ? a.relation() : b.relation();
  } else {
    r = a.relation() & b.relation() & choice;
  }
  if (!each) r = refined(r, distance);
  const auto shifted = [&](unsigned l) { return b.base() + word_set::constant(static_cast<uint32_t>(distance[l])); };
  if (r.classes < lanes_per_wave || r.ordered()) {
    word_set base = join(a.base(), shifted(0));
    for (unsigned l = 1; l < lanes_per_wave; ++l)
      if (distance[l] != distance[l - 1]) base = join(base, shifted(l));
    return {base, r, a.offsets()};
  }
  unsigned known = std::min(a.base().known, b.base().known);
  for (unsigned l = 0; l < lanes_per_wave; ++l)
    known = std::min(known, trailing_zeros(a.base().residue + a.offset(l) - b.base().residue - b.offset(l)));
  words low;
  for (unsigned l = 0; l < lanes_per_wave; ++l) low[l] = a.low_bits(l) & low_bits_mask(known);
  if (known == 32) return lane_value::of_lanes(low);
  return {without_low_bits(join(a.anywhere(), b.anywhere()), known), r, low};
}

}  // namespace

lane_value select(const lane_value& a, const lane_value& b, const lane_relation& choice) {
  if (a.is_known() && a == b) return a;
  if (a.is_unknown()) return a;
  if (b.is_unknown()) return b;
  const lane_value s = select_pattern(a, b, choice);
  if (s.relation().uniform()) return s;
  return s.with_cover(choice.uniform() ? join(a.cover(), b.cover()) : together(a.cover(), b.cover()));
}

lane_value mixed(const lane_value& a, const lane_value& b) {
  return select(a, b, lane_relation::each_its_own());
}

lane_value replaced(const lane_value& old, const lane_value& now, uint64_t lanes, uint64_t there) {
  if ((there & ~lanes) == 0) return now;
  if ((there & lanes) == 0) return old;
  const auto is_now = [&](unsigned l) { return (lanes >> l & 1) != 0; };
  if (old.is_known() && now.is_known()) {
    words v;
    for (unsigned l = 0; l < lanes_per_wave; ++l) v[l] = (is_now(l) ? now : old).in_lane(l).start;
    return lane_value::of_lanes(v);
  }
  lane_numbers side;
  words offset;
  for (unsigned l = 0; l < lanes_per_wave; ++l) {
    side[l] = is_now(l) ? 1 : 0;
    offset[l] = (is_now(l) ? now : old).offset(l);
  }
  const lane_value r(join(old.base(), now.base()), refined(old.relation() & now.relation(), side), offset);
  return r.with_cover(together(old.cover(), now.cover()));
}

lane_value elsewhere_like(const lane_value& v, const lane_value& like, uint64_t lanes) {
  if (lanes == 0) return like;
  const auto first = static_cast<unsigned>(__builtin_ctzll(lanes));
  words offset = v.offsets();
  bool changed = false;
  for (unsigned l = 0; l < lanes_per_wave; ++l) {
    if ((lanes >> l & 1) != 0) continue;
    const uint32_t there = v.offset(first) + (like.offset(l) - like.offset(first));
    changed = changed || offset[l] != there;
    offset[l] = there;
  }
  if (!changed) return v;
  const lane_value r(v.base(), v.relation(), offset);
  return v.is_pattern_alone() ? r : r.with_cover(v.cover());
}

lane_value restricted(const lane_value& v, const word_set& in) {
  if (v.is_known() || in.contains(v.anywhere())) return v;
  lane_value r = v;
  const word_set& base = v.base();
  const word_set narrow = meet(base, in);
  if (are_zero(v.offsets()) && narrow.width < base.width) {
    const lane_value narrowed(narrow, v.relation(), v.offsets());
    r = v.is_pattern_alone() ? narrowed : narrowed.with_cover(v.cover());
  }
  return r.with_cover(lane_cover::of(1, in.width));
}

lane_value join(const lane_value& a, const lane_value& b) {
  if (a.is_same_as(b)) return a;
  if (a.is_uniform() && b.is_uniform()) return {join(a.base(), b.base())};
  return a == b ? a : select(a, b, {});
}

lane_value widen(const lane_value& before, const lane_value& now) {
  const lane_value j = join(before, now);
  if (!j.same_pattern(before)) return j;
  const lane_value w{widen(before.base(), j.base()), j.relation(), j.offsets()};
  return before.cover_ ? w.with_cover(widen(*before.cover_, now.cover())) : w;
}

}  // namespace pws::wcet
