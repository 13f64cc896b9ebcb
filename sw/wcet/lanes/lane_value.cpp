#include "sw/wcet/lanes/lane_value.h"

#include <algorithm>

namespace pws::wcet {

namespace {

using words = std::array<uint32_t, lanes_per_wave>;

const std::shared_ptr<const lane_pattern>& uniform_pattern() {
  static const auto p = std::make_shared<const lane_pattern>();
  return p;
}

struct span {
  int64_t lowest, highest;
};
span offsets_of(const words& offset) {
  span s{0, 0};
  for (const uint32_t o : offset) {
    s.lowest = std::min<int64_t>(s.lowest, static_cast<int32_t>(o));
    s.highest = std::max<int64_t>(s.highest, static_cast<int32_t>(o));
  }
  return s;
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
  lane_pattern p{relation, offset};
  const auto rebase = [&] {
    base_ = base_ + word_set::constant(p.offset[0]);
    const uint32_t first = p.offset[0];
    for (uint32_t& o : p.offset) o -= first;
  };
  rebase();
  if (base_.is_constant()) {
    p.relation = {};
  } else if (relation.classes == lanes_per_wave && !relation.ordered()) {
    // The one form of what has no base in common.
    pattern_ = std::make_shared<const lane_pattern>(p);
    const unsigned known = base_.known;
    const word_set high = without_low_bits(anywhere(), known);
    for (unsigned l = 0; l < lanes_per_wave; ++l) p.offset[l] = low_bits(l);
    base_ = high;
    rebase();
    if (base_.is_constant()) p.relation = {};
  }
  const bool trivial =
      p.relation.uniform() && std::all_of(p.offset.begin(), p.offset.end(), [](uint32_t o) { return o == 0; });
  pattern_ = trivial ? uniform_pattern() : std::make_shared<const lane_pattern>(p);
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
  const span s = offsets_of(offsets());
  const uint64_t width = uint64_t{base_.width} + static_cast<uint64_t>(s.highest - s.lowest);
  unsigned known = base_.known;
  for (const uint32_t o : offsets()) known = std::min(known, trailing_zeros(o));
  return word_set{base_.start + static_cast<uint32_t>(s.lowest),
                  static_cast<uint32_t>(std::min<uint64_t>(width, ~uint32_t{0})), base_.residue,
                  static_cast<uint8_t>(known)}
      .reduced();
}

lane_relation lane_value::equality() const {
  if (is_uniform()) return {};
  lane_numbers keys;
  for (unsigned l = 0; l < lanes_per_wave; ++l) keys[l] = static_cast<int32_t>(offset(l));
  return refined(relation(), keys);
}

bool lane_value::holds(const words& concrete, uint64_t lanes) const {
  std::array<std::optional<uint32_t>, lanes_per_wave> base_of;
  for (unsigned l = 0; l < lanes_per_wave; ++l) {
    if ((lanes >> l & 1) == 0) continue;
    const uint32_t b = concrete[l] - offset(l);
    std::optional<uint32_t>& known = base_of[relation().of[l]];
    if (!base_.contains(b) || (known && *known != b)) return false;
    known = b;
  }
  unsigned changes = 0;
  std::optional<uint32_t> last;
  for (const std::optional<uint32_t>& b : base_of) {
    if (!b) continue;
    changes += last && *last != *b;
    last = b;
  }
  return !relation().ordered() || changes <= relation().breaks;
}

bool operator==(const lane_value& a, const lane_value& b) {
  return a.base() == b.base() && a.same_pattern(b);
}

lane_value select(const lane_value& a, const lane_value& b, const lane_relation& choice) {
  if (a.is_known() && a == b) return a;
  const auto is_unknown = [](const lane_value& v) {
    return v.base().is_full() && v.base().known == 0 && v.relation().classes == lanes_per_wave &&
           !v.relation().ordered();
  };
  if (is_unknown(a)) return a;
  if (is_unknown(b)) return b;
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
  return {join(old.base(), now.base()), refined(old.relation() & now.relation(), side), offset};
}

lane_value join(const lane_value& a, const lane_value& b) {
  if (a.shares_pattern(b)) {
    if (a.base() == b.base()) return a;
    if (a.is_uniform()) return {join(a.base(), b.base())};
  }
  return a == b ? a : select(a, b, {});
}

lane_value widen(const lane_value& before, const lane_value& now) {
  const lane_value j = join(before, now);
  if (!j.same_pattern(before)) return j;
  return {widen(before.base(), j.base()), j.relation(), j.offsets()};
}

}  // namespace pws::wcet
