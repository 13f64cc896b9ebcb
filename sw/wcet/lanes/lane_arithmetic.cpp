// SPDX-License-Identifier: Apache-2.0
// Arithmetic on lane values. The point of most of it is where sums wrap around and bits are cut off: lanes then differ
// from one another by more than their offsets say, but in few places.
#include <algorithm>

#include "base/popcount.h"
#include "sw/wcet/lanes/lane_value.h"

namespace pws::wcet {

namespace {

using lane_words = std::array<uint32_t, lanes_per_wave>;

int64_t offset_of(const lane_value& v, unsigned lane) {
  return static_cast<int32_t>(v.offset(lane));
}

template <class F>
lane_words each_lane(F f) {
  lane_words w;
  for (unsigned l = 0; l < lanes_per_wave; ++l) w[l] = f(l);
  return w;
}
template <class F>
lane_numbers each_key(F f) {
  lane_numbers k;
  for (unsigned l = 0; l < lanes_per_wave; ++l) k[l] = f(l);
  return k;
}

struct spread {
  int64_t lowest = 0, highest = 0;
  uint64_t width() const { return static_cast<uint64_t>(highest - lowest); }
};
spread spread_of(const lane_numbers& n) {
  const auto [low, high] = std::minmax_element(n.begin(), n.end());
  return {*low, *high};
}

// A value of at most `top` less one of some offsets.
word_set below_top(uint64_t top, const spread& offsets) {
  const uint64_t width = top + offsets.width();
  return {0 - static_cast<uint32_t>(offsets.highest), static_cast<uint32_t>(std::min(width, circle - 1)), 0, 0};
}

// base + offset as integers, divided by 2^bits and rounded down (bits <= 32): the same in lanes that agree. By 2^32:
// how often the register has wrapped around.
struct quotient {
  lane_relation relation;
  bool known = false;
  lane_numbers at{};  // if known
};
quotient divided(const lane_value& v, unsigned bits) {
  quotient q;
  q.known = true;
  const word_set& b = v.base();
  for (unsigned l = 0; l < lanes_per_wave; ++l) {
    const int64_t first = int64_t{b.start} + offset_of(v, l);
    q.at[l] = first >> bits;
    q.known = q.known && q.at[l] == (first + int64_t{b.width}) >> bits;
  }
  if (q.known) {
    q.relation = lane_relation::by_keys(q.at, lanes_per_wave);
    return q;
  }
  const lane_numbers position = each_key([&](unsigned l) { return int64_t{b.residue} + offset_of(v, l); });
  const unsigned block = std::min<unsigned>(b.known, bits);
  const lane_numbers blocks = each_key([&](unsigned l) { return position[l] >> block; });
  const uint64_t crossings = (spread_of(position).width() >> bits) + 1;
  q.relation = nested(v.relation(), lane_relation::by_keys(blocks, crossings));
  return q;
}

// A cover is worked out only where the pattern leaves something to say.
template <class F>
lane_value covered(const lane_value& v, F cover) {
  return v.relation().uniform() ? v : v.with_cover(cover());
}

lane_value and_pattern(const lane_value& v, uint32_t m) {
  if (m == 0) return lane_value::constant(0);
  const word_set& b = v.base();
  const uint32_t low_mask = low_bits_mask(b.known);
  const bool is_low_mask = (m & (m + 1)) == 0;
  if (is_low_mask && m > low_mask) {  // modulo a power of two, of which not all bits are known
    const auto bits = popcount(m);
    if (bits == 32) return v;
    const quotient q = divided(v, bits);
    if (q.known)
      return {b, v.relation(), each_lane([&](unsigned l) {
                return v.offset(l) - static_cast<uint32_t>(static_cast<uint64_t>(q.at[l]) << bits);
              })};
    word_set base = below_top(m, spread_of(each_key([&](unsigned l) { return offset_of(v, l); })));
    base.known = b.known;
    base.residue = b.residue;
    return {base.reduced(), q.relation, v.offsets()};
  }
  const lane_words low = each_lane([&](unsigned l) { return v.low_bits(l) & m; });
  const uint32_t high = m & ~low_mask;
  if (high == 0) return lane_value::of_lanes(low);
  if (high == ~low_mask)
    return {b, v.relation(), each_lane([&](unsigned l) { return v.offset(l) - (v.low_bits(l) & ~m); })};
  const lane_numbers blocks = each_key([&](unsigned l) { return (int64_t{b.residue} + offset_of(v, l)) >> b.known; });
  const word_set values = v.anywhere();
  const uint32_t most = std::min(high, values.highest() & ~low_mask);
  return {word_set{0, most, 0, b.known}.reduced(), refined(v.relation(), blocks), low};
}

lane_value and_constant(const lane_value& v, uint32_t m) {
  return covered(and_pattern(v, m), [&] {
    lane_cover c = images(v.cover(), lane_cover::of(1, 0));
    const auto bits = popcount(m);
    if ((m & (m + 1)) == 0) c.add(modulo(v.cover(), bits));  // low bits
    if ((~m & (~m + 1)) == 0 && m != 0)                      // high bits
      c.add(shifted_left(shifted_right(cut_open(v), 32 - bits), 32 - bits));
    return c;
  });
}

unsigned zero_bits(const lane_value& v) {
  unsigned zeros = v.base().known;
  for (unsigned l = 0; l < lanes_per_wave; ++l) zeros = std::min(zeros, trailing_zeros(v.low_bits(l)));
  return zeros;
}

bool disjoint(const lane_value& a, const lane_value& b) {
  const unsigned zeros_a = zero_bits(a), zeros_b = zero_bits(b);
  return a.highest() <= low_bits_mask(zeros_b) || b.highest() <= low_bits_mask(zeros_a);
}

// A bit operation lane by lane, with nothing to be said about high bits but how large the result gets.
template <class Op>
lane_value bitwise(const lane_value& a, const lane_value& b, uint32_t most, Op op) {
  const uint8_t known = std::min(a.base().known, b.base().known);
  const uint32_t mask = low_bits_mask(known);
  const lane_words low = each_lane([&](unsigned l) { return op(a.low_bits(l), b.low_bits(l)) & mask; });
  if (known == 32) return lane_value::of_lanes(low);
  return {word_set{0, most & ~mask, 0, known}.reduced(), a.equality() & b.equality(), low};
}

// a op known, where known has no bits but those that are known of a.
template <class Op>
lane_value changed_low_bits(const lane_value& a, const lane_value& known, Op op) {
  return {a.base(), a.relation(), each_lane([&](unsigned l) {
            return a.offset(l) + op(a.low_bits(l), known.offset(l) + known.base().start) - a.low_bits(l);
          })};
}

template <class Op>
lane_value or_like(const lane_value& a, const lane_value& b, Op op) {
  if (disjoint(a, b)) return a + b;
  if (b.is_known() && b.highest() <= low_bits_mask(a.base().known)) return changed_low_bits(a, b, op);
  if (a.is_known() && a.highest() <= low_bits_mask(b.base().known)) return changed_low_bits(b, a, op);
  const uint32_t most = std::max(a.highest(), b.highest());
  return bitwise(a, b, low_bits_mask(32 - (most == 0 ? 32 : static_cast<unsigned>(__builtin_clz(most)))), op);
}

// How often the sum or difference `s` of a and b, whose offsets add up to `offsets`, has wrapped around more than a and
// b themselves: the bases' sum has done so too, alike where both bases are.
lane_relation wraps_of(const lane_value& s, const lane_value& a, const lane_value& b, const lane_numbers& offsets) {
  const quotient q = divided(s, 32);
  const lane_relation alone = q.known ? a.relation() & b.relation() & q.relation : q.relation;
  return refined(alone, each_key([&](unsigned l) { return (offset_of(s, l) - offsets[l]) >> 32; }));
}

}  // namespace

lane_value operator+(const lane_value& a, const lane_value& b) {
  if (a.is_uniform() && b.is_uniform()) return {a.base() + b.base()};
  const lane_value sum(a.base() + b.base(), a.relation() & b.relation(),
                       each_lane([&](unsigned l) { return a.offset(l) + b.offset(l); }));
  return covered(sum, [&] { return sum_of(a.cover(), b.cover()); });
}

lane_value operator-(const lane_value& a, const lane_value& b) {
  if (a.is_uniform() && b.is_uniform()) return {a.base() - b.base()};
  const lane_value difference(a.base() - b.base(), a.relation() & b.relation(),
                              each_lane([&](unsigned l) { return a.offset(l) - b.offset(l); }));
  return covered(difference, [&] { return sum_of(a.cover(), b.cover()); });
}

lane_value operator*(const lane_value& a, const lane_value& b) {
  if (a.is_uniform() && b.is_uniform()) return {a.base() * b.base()};
  if (const auto c = a.scalar()) {
    const lane_value product(b.base() * a.base(), b.relation(),
                             each_lane([&](unsigned l) { return b.offset(l) * *c; }));
    return covered(product, [&] { return scaled(b.cover(), *c); });
  }
  if (b.scalar()) return b * a;
  const unsigned known = std::min({32u, a.base().known + zero_bits(b), b.base().known + zero_bits(a)});
  const uint32_t mask = low_bits_mask(known);
  const lane_words low = each_lane([&](unsigned l) { return a.low_bits(l) * b.low_bits(l) & mask; });
  if (known == 32) return lane_value::of_lanes(low);
  const word_set in_a = a.anywhere(), in_b = b.anywhere();
  const uint64_t most = uint64_t{in_a.highest()} * in_b.highest();
  word_set base = word_set::aligned(known, 0);
  if (most < circle) {
    base.start = (in_a.lowest() * in_b.lowest()) & ~mask;
    base.width = (static_cast<uint32_t>(most) & ~mask) - base.start;
  }
  return {base.reduced(), a.equality() & b.equality(), low};
}

lane_value operator&(const lane_value& a, const lane_value& b) {
  if (const auto m = b.scalar()) return and_constant(a, *m);
  if (const auto m = a.scalar()) return and_constant(b, *m);
  return bitwise(a, b, std::min(a.highest(), b.highest()), [](uint32_t x, uint32_t y) { return x & y; });
}

lane_value operator|(const lane_value& a, const lane_value& b) {
  return or_like(a, b, [](uint32_t x, uint32_t y) { return x | y; });
}

lane_value operator^(const lane_value& a, const lane_value& b) {
  if (b.scalar() == ~uint32_t{0}) return lane_value::constant(~uint32_t{0}) - a;
  if (a.scalar() == ~uint32_t{0}) return lane_value::constant(~uint32_t{0}) - b;
  return or_like(a, b, [](uint32_t x, uint32_t y) { return x ^ y; });
}

lane_value shifted_left(const lane_value& v, unsigned bits) {
  return v * lane_value::constant(uint32_t{1} << bits);
}

namespace {

lane_value shifted_right_pattern(const lane_value& v, unsigned bits) {
  const quotient q = divided(v, bits);
  const uint32_t top = ~uint32_t{0} >> bits;
  if (q.known) return lane_value::of_lanes(each_lane([&](unsigned l) { return static_cast<uint32_t>(q.at[l]) & top; }));
  const word_set& b = v.base();
  if (bits > b.known) {
    word_set s = word_set::range(v.in_lane(0).lowest() >> bits, v.in_lane(0).highest() >> bits);
    for (unsigned l = 1; l < lanes_per_wave; ++l)
      if (v.offset(l) != v.offset(l - 1))
        s = join(s, word_set::range(v.in_lane(l).lowest() >> bits, v.in_lane(l).highest() >> bits));
    return lane_value::alike(q.relation, s);
  }
  // No unknown bit is cut off: the sum is shifted term by term, but for what it has wrapped around.
  const quotient wraps = divided(v, 32);
  const lane_numbers offset = each_key([&](unsigned l) { return (int64_t{b.residue} + offset_of(v, l)) >> bits; });
  const auto known = static_cast<uint8_t>(b.known - bits);
  if (wraps.known) {
    const auto unwrapped = [&](unsigned l) {
      return static_cast<uint32_t>(offset[l]) -
             static_cast<uint32_t>(static_cast<uint64_t>(wraps.at[l]) << (32 - bits));
    };
    return {word_set{(b.start - b.residue) >> bits, b.width >> bits, 0, known}.reduced(), v.relation(),
            each_lane(unwrapped)};
  }
  word_set base = below_top(top, spread_of(offset));
  base.known = known;
  return {base.reduced(), wraps.relation, each_lane([&](unsigned l) { return static_cast<uint32_t>(offset[l]); })};
}

}  // namespace

lane_value shifted_right(const lane_value& v, unsigned bits) {
  if (bits == 0) return v;
  return covered(shifted_right_pattern(v, bits), [&] { return shifted_right(cut_open(v), bits); });
}

lane_value shifted_right_signed(const lane_value& v, unsigned bits) {
  if (bits == 0) return v;
  constexpr uint32_t top = uint32_t{1} << 31;
  const word_set values = v.anywhere();
  if (values.highest() < top) return shifted_right(v, bits);
  return shifted_right(v + lane_value::constant(top), bits) - lane_value::constant(top >> bits);
}

lane_value product_high(const lane_value& a, const lane_value& b) {
  if (a.scalar() && !b.scalar()) return product_high(b, a);
  const word_set in_a = a.anywhere(), in_b = b.anywhere();
  const uint64_t least = uint64_t{in_a.lowest()} * in_b.lowest();
  const uint64_t most = uint64_t{in_a.highest()} * in_b.highest();
  const word_set s = word_set::range(static_cast<uint32_t>(least >> 32), static_cast<uint32_t>(most >> 32));
  if (s.is_constant()) return {s};
  const auto c = b.scalar();
  if (!c) return lane_value::alike(a.equality() & b.equality(), s);
  // The integer base + offset times c rises with the offset; what the register wraps around takes off multiples of c.
  const lane_numbers offset = each_key([&](unsigned l) { return offset_of(a, l); });
  const uint64_t crossings = ((spread_of(offset).width() * *c) >> 32) + 1;
  return lane_value::alike(nested(a.relation(), lane_relation::by_keys(offset, crossings)) & divided(a, 32).relation,
                           s);
}

lane_value carry_of(const lane_value& a, const lane_value& b) {
  bool known = true;
  lane_words carry{};
  for (unsigned l = 0; l < lanes_per_wave; ++l) {
    const word_set in_a = a.in_lane(l), in_b = b.in_lane(l);
    carry[l] = uint64_t{in_a.lowest()} + in_b.lowest() >= circle ? 1 : 0;
    known = known && carry[l] == (uint64_t{in_a.highest()} + in_b.highest() >= circle ? 1 : 0);
  }
  if (known) return lane_value::of_lanes(carry);
  const lane_relation sum =
      wraps_of(a + b, a, b, each_key([&](unsigned l) { return offset_of(a, l) + offset_of(b, l); }));
  return lane_value::alike(divided(a, 32).relation & divided(b, 32).relation & sum, word_set::range(0, 1));
}

lane_value borrow_of(const lane_value& a, const lane_value& b) {
  bool known = true;
  lane_words borrow{};
  for (unsigned l = 0; l < lanes_per_wave; ++l) {
    const word_set in_a = a.in_lane(l), in_b = b.in_lane(l);
    borrow[l] = in_a.highest() < in_b.lowest() ? 1 : 0;
    known = known && (borrow[l] == 1 || in_a.lowest() >= in_b.highest());
  }
  if (known) return lane_value::of_lanes(borrow);
  const lane_relation difference =
      wraps_of(a - b, a, b, each_key([&](unsigned l) { return offset_of(a, l) - offset_of(b, l); }));
  return lane_value::alike(divided(a, 32).relation & divided(b, 32).relation & difference, word_set::range(0, 1));
}

namespace {

// The smaller or the larger one, which is from `lowest` to `highest`.
lane_value bounded(const lane_value& a, const lane_value& b, uint32_t lowest, uint32_t highest) {
  lane_value s = select(a, b, a.equality() & b.equality());
  if (s.is_uniform()) {
    word_set w = s.base();
    w.start = lowest;
    w.width = highest - lowest;
    return {w.reduced()};
  }
  // Without an order lanes of one class are equal: nothing is lost by saying between which numbers each one is.
  const uint32_t mask = low_bits_mask(s.base().known);
  if (!s.is_known() && !s.relation().ordered() && highest - lowest < s.anywhere().width) {
    const word_set range{lowest & ~mask, (highest & ~mask) - (lowest & ~mask), 0, s.base().known};
    const lane_cover kept = s.cover();
    s = lane_value(range.reduced(), s.equality(), each_lane([&](unsigned l) { return s.low_bits(l); }));
    s = covered(s, [&] { return kept; });
  }
  // Where one is the same in all lanes numbers stay in their order, and no further apart.
  return covered(s, [&] {
    lane_cover c = images(a.cover(), b.cover());
    if (a.is_uniform()) c.add(cut_open(b));
    if (b.is_uniform()) c.add(cut_open(a));
    return c;
  });
}

}  // namespace

lane_value smaller(const lane_value& a, const lane_value& b) {
  const word_set in_a = a.anywhere(), in_b = b.anywhere();
  if (in_a.highest() <= in_b.lowest()) return a;
  if (in_b.highest() <= in_a.lowest()) return b;
  return bounded(a, b, std::min(in_a.lowest(), in_b.lowest()), std::min(in_a.highest(), in_b.highest()));
}

lane_value larger(const lane_value& a, const lane_value& b) {
  const word_set in_a = a.anywhere(), in_b = b.anywhere();
  if (in_a.highest() <= in_b.lowest()) return b;
  if (in_b.highest() <= in_a.lowest()) return a;
  return bounded(a, b, std::max(in_a.lowest(), in_b.lowest()), std::max(in_a.highest(), in_b.highest()));
}

lane_value median(const lane_value& a, const lane_value& b, const lane_value& c) {
  const std::array<const lane_value*, 3> all{&a, &b, &c};
  for (unsigned k = 0; k < 3; ++k) {
    const lane_value &x = *all[k], &y = *all[(k + 1) % 3], &z = *all[(k + 2) % 3];
    if (!y.is_uniform() || !z.is_uniform()) continue;
    // Between the smaller and the larger one of these: x, or the nearer one. Numbers stay in their order.
    const lane_value m = larger(smaller(x, larger(y, z)), smaller(y, z));
    return covered(m, [&] { return cut_open(x); });
  }
  return larger(smaller(a, b), smaller(larger(a, b), c));
}

}  // namespace pws::wcet
