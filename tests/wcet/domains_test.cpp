// SPDX-License-Identifier: Apache-2.0
// The domains that what is known of a wavefront's registers is a product of, each against its concretisation (gamma):
// a join is an upper bound, widening is one too and comes to an end, and transfer functions are sound. What a domain
// may not say is here too: each value has to exclude something, or a domain that allows anything would pass.
#include <gtest/gtest.h>

#include <algorithm>
#include <bitset>
#include <numeric>

#include "tests/wcet/described_wave.h"

namespace pws::test::domains_test {
namespace {

using namespace wcet;

constexpr uint64_t all = ~uint64_t{0};

// --- Numbers: intervals on the circle of 2^32 with known low bits ----------------------------------------

struct numbers {
  using abstract = word_set;
  using concrete = uint32_t;
  struct sample {
    abstract value;
    concrete of;
  };
  static sample any(random_source& r) {
    const word_set s = random_set(r);
    return {s, member_of(s, r)};
  }
  // Near what there is already: what makes a loop's values grow slowly.
  static sample near(const abstract& a, random_source& r) {
    const uint32_t v = a.start + a.width + (1u << r.below(4)) * (1 + r.below(2));
    return {word_set::constant(v), v};
  }
  static bool stands_for(const abstract& a, concrete c) { return a.contains(c); }
  static abstract joined(const abstract& a, const abstract& b) { return join(a, b); }
  static abstract widened(const abstract& a, const abstract& b) { return widen(a, b); }
  static constexpr unsigned longest_chain = 33;  // the interval becomes full once, known bits go one by one

  static constexpr unsigned operations = 4;
  static std::pair<abstract, concrete> apply(unsigned which, const sample& a, const sample& b, random_source&) {
    switch (which) {
      case 0:
        return {a.value + b.value, a.of + b.of};
      case 1:
        return {a.value - b.value, a.of - b.of};
      case 2:
        return {a.value * b.value, a.of * b.of};
      default:  // the order
        return {a.value.contains(b.value) ? a.value : word_set::any(), b.of};
    }
  }
};

// --- Strides: base(lane) + offset[lane], and in how few places these are -----------------------------------

struct strides {
  using abstract = lane_value;
  using concrete = row_words;
  struct sample {
    abstract value;
    concrete of;
  };
  static sample any(random_source& r) {
    described d = random_lanes(r);
    if (!r.one_in(4)) return {d.value, d.concrete};
    // Nothing is known but in how few places they are.
    const std::vector<uint64_t> at(d.concrete.begin(), d.concrete.end());
    const cover_size size{1 + r.below(4), r.below(4000)};
    if (is_covered(at, 0xffffffff, size))
      d.value = lane_value::unknown().with_cover(lane_cover::of(size.arcs, size.total));
    return {d.value, d.concrete};
  }
  static sample near(const abstract& a, random_source& r) {
    row_words w;
    const uint32_t step = r.below(3);
    for (unsigned l = 0; l < lanes_per_wave; ++l)
      w[l] = a.base().start + a.base().width + 1 + a.offset(l) + step * (l / 8);
    return {lane_value::of_lanes(w), w};
  }
  static bool stands_for(const abstract& a, const concrete& c) { return holds(a, c, all); }
  static abstract joined(const abstract& a, const abstract& b) { return join(a, b); }
  static abstract widened(const abstract& a, const abstract& b) { return widen(a, b); }
  // Classes of lanes part one by one; the base of each pattern widens as a number; sizes of covers go one by one.
  static constexpr unsigned longest_chain = 150;

  template <class F>
  static concrete each(const sample& a, const sample& b, F f) {
    concrete c;
    for (unsigned l = 0; l < lanes_per_wave; ++l) c[l] = f(a.of[l], b.of[l]);
    return c;
  }
  static constexpr unsigned operations = 23;
  static std::pair<abstract, concrete> apply(unsigned which, const sample& a, const sample& b, random_source& r) {
    const unsigned bits = r.below(32);
    const uint32_t c = r.number();
    const uint64_t lanes = uint64_t{r.any()} << 32 | r.any();
    const auto picked = [&](uint64_t second) {
      concrete x;
      for (unsigned l = 0; l < lanes_per_wave; ++l) x[l] = (second >> l & 1) != 0 ? b.of[l] : a.of[l];
      return x;
    };
    switch (which) {
      case 0:
        return {a.value + b.value, each(a, b, [](uint32_t x, uint32_t y) { return x + y; })};
      case 1:
        return {a.value - b.value, each(a, b, [](uint32_t x, uint32_t y) { return x - y; })};
      case 2:
        return {a.value * b.value, each(a, b, [](uint32_t x, uint32_t y) { return x * y; })};
      case 3:
        return {a.value * lane_value::constant(c), each(a, b, [&](uint32_t x, uint32_t) { return x * c; })};
      case 4:
        return {a.value & b.value, each(a, b, [](uint32_t x, uint32_t y) { return x & y; })};
      case 5:
        return {a.value & lane_value::constant(low_bits_mask(bits)),
                each(a, b, [&](uint32_t x, uint32_t) { return x & low_bits_mask(bits); })};
      case 6:
        return {a.value | b.value, each(a, b, [](uint32_t x, uint32_t y) { return x | y; })};
      case 7:
        return {a.value ^ b.value, each(a, b, [](uint32_t x, uint32_t y) { return x ^ y; })};
      case 8:
        return {shifted_left(a.value, bits), each(a, b, [&](uint32_t x, uint32_t) { return x << bits; })};
      case 9:
        return {shifted_right(a.value, bits), each(a, b, [&](uint32_t x, uint32_t) { return x >> bits; })};
      case 10:
        return {shifted_right_signed(a.value, bits), each(a, b, [&](uint32_t x, uint32_t) {
                  return static_cast<uint32_t>(static_cast<int32_t>(x) >> bits);
                })};
      case 11:
        return {product_high(a.value, b.value),
                each(a, b, [](uint32_t x, uint32_t y) { return static_cast<uint32_t>(uint64_t{x} * y >> 32); })};
      case 12:
        return {carry_of(a.value, b.value), each(a, b, [](uint32_t x, uint32_t y) { return x + y < x ? 1u : 0u; })};
      case 13:
        return {borrow_of(a.value, b.value), each(a, b, [](uint32_t x, uint32_t y) { return x < y ? 1u : 0u; })};
      case 14:
        return {smaller(a.value, b.value), each(a, b, [](uint32_t x, uint32_t y) { return std::min(x, y); })};
      case 15:
        return {larger(a.value, b.value), each(a, b, [](uint32_t x, uint32_t y) { return std::max(x, y); })};
      case 16:
        return {median(a.value, b.value, lane_value::constant(c)), each(a, b, [&](uint32_t x, uint32_t y) {
                  return std::max(std::min(x, y), std::min(std::max(x, y), c));
                })};
      case 17:
        return {mixed(a.value, b.value), picked(lanes)};
      case 18:
        return {replaced(a.value, b.value, lanes, all), picked(lanes)};
      case 19: {  // lanes of one class choose alike
        lane_numbers keys;
        const unsigned size = 1 + r.below(32);
        for (unsigned l = 0; l < lanes_per_wave; ++l) keys[l] = l / size;
        const lane_relation choice = lane_relation::by_keys(keys, 64);
        uint64_t second = 0;
        for (unsigned l = 0; l < lanes_per_wave; ++l)
          if ((lanes >> choice.of[l] & 1) != 0) second |= uint64_t{1} << l;
        return {select(a.value, b.value, choice), picked(second)};
      }
      case 20: {
        const auto [least, most] = std::minmax_element(a.of.begin(), a.of.end());
        return {restricted(a.value, word_set::range(*least, *most)), a.of};
      }
      case 21:
        return {lane_value::each_of(a.value.anywhere()), a.of};
      default:
        return {lane_value::alike(a.value.equality(), word_set::any()), a.of};
    }
  }
};

// --- Places: in how few arcs all lanes' numbers are ---------------------------------------------------------

struct places {
  using abstract = lane_cover;
  using concrete = std::vector<uint64_t>;
  struct sample {
    abstract value;
    concrete of;
  };
  static constexpr uint64_t last = 0xffffffff;
  static sample any(random_source& r) {
    sample s;
    const uint32_t arcs = 1 + r.below(5);
    std::vector<uint32_t> first, width;
    for (uint32_t k = 0; k < arcs; ++k) {
      first.push_back(r.number());
      width.push_back(r.one_in(3) ? 0 : r.below(r.one_in(2) ? 8 : 200));
    }
    for (unsigned l = 0; l < lanes_per_wave; ++l) {
      const uint32_t k = r.below(arcs);
      s.of.push_back((first[k] + r.below(width[k] + 1)) & last);
    }
    s.value.add({arcs, std::accumulate(width.begin(), width.end(), uint64_t{0})});
    // Others that it has as well.
    for (unsigned n = 0; n < 3; ++n) {
      const cover_size other{1 + r.below(60), r.one_in(2) ? 0 : uint64_t{r.any()} >> r.below(32)};
      if (is_covered(s.of, last, other)) s.value.add(other);
    }
    return s;
  }
  static sample near(const abstract& a, random_source& r) {
    sample s;
    const cover_size size = a.empty() ? cover_size{1, 0} : a.sizes()[r.below(static_cast<uint32_t>(a.sizes().size()))];
    s.value.add({size.arcs + r.below(2), size.total + 1});
    for (unsigned l = 0; l < lanes_per_wave; ++l) s.of.push_back(l % 2 == 0 ? 7 : 8 + size.total);
    return s;
  }
  static bool stands_for(const abstract& a, const concrete& c) { return holds(a, c, last); }
  static abstract joined(const abstract& a, const abstract& b) { return join(a, b); }
  static abstract widened(const abstract& a, const abstract& b) { return widen(a, b); }
  static constexpr unsigned longest_chain = lane_cover::most_sizes;

  static constexpr unsigned operations = 8;
  static std::pair<abstract, concrete> apply(unsigned which, const sample& a, const sample& b, random_source& r) {
    const auto each = [&](auto f) {
      concrete c;
      for (unsigned l = 0; l < lanes_per_wave; ++l) c.push_back(f(a.of[l], b.of[l]) & last);
      return c;
    };
    const uint32_t by = r.number();
    const unsigned bits = r.below(32);
    switch (which) {
      case 0:
        return {sum_of(a.value, b.value), each([](uint64_t x, uint64_t y) { return x + y; })};
      case 1:
        return {sum_of(a.value, b.value), each([](uint64_t x, uint64_t y) { return x - y; })};
      case 2:
        return {scaled(a.value, by), each([&](uint64_t x, uint64_t) { return x * by; })};
      case 3:
        return {shifted_right(cut_open(a.value), bits), each([&](uint64_t x, uint64_t) { return x >> bits; })};
      case 4:
        return {modulo(a.value, bits), each([&](uint64_t x, uint64_t) { return x & low_bits_mask(bits); })};
      case 5:
        return {together(a.value, b.value), each([&](uint64_t x, uint64_t y) { return r.one_in(2) ? x : y; })};
      case 6:
        return {images(a.value, b.value), each([](uint64_t x, uint64_t y) { return x * 2654435761u ^ y; })};
      default:  // a clamp goes by the order of numbers: what is cut open stays in as many arcs
        return {cut_open(a.value), each([&](uint64_t x, uint64_t) { return std::max<uint64_t>(x, by); })};
    }
  }
};

// --- Masks: which lanes a pair of scalar registers may have ---------------------------------------------------

struct masks {
  using abstract = lane_mask;
  static constexpr unsigned named = 4;
  struct concrete {
    uint64_t value = 0, exec = 0;
    std::array<uint64_t, named> masks{};  // as they were saved, by number
    std::array<uint64_t, 3> parts{};      // lanes of the part, of what it is a part of, ... from the outermost on
  };
  struct sample {
    abstract value;
    concrete of;
  };
  static uint64_t bits(random_source& r) { return uint64_t{r.any()} << 32 | r.any(); }
  static abstract described_as(const concrete& c, random_source& r) {
    lane_mask m;
    const uint64_t here = c.parts.back();
    for (unsigned k = 0; k < named; ++k) {
      if ((c.value & ~c.masks[k]) == 0) m.within.set(k, !r.one_in(4));
      if (c.value == c.masks[k]) m.is.set(k, !r.one_in(4));
      if ((c.value & here) == (c.masks[k] & here)) m.is_in_part.set(k, m.is[k] || !r.one_in(4));
    }
    if ((c.value & ~c.exec) == 0) m.within_exec = !r.one_in(4);
    m.lanes = c.value | (r.one_in(2) ? bits(r) : bits(r) & bits(r) & bits(r));
    if (r.one_in(4)) m.number = c.value;
    for (unsigned k = 0; k < c.parts.size(); ++k)
      if ((c.value & ~c.parts[k]) == 0 && r.one_in(2)) m.own_parts = k + 1;
    if (r.one_in(2)) {
      row_words w;
      for (unsigned l = 0; l < lanes_per_wave; ++l) w[l] = static_cast<uint32_t>(c.value >> l & 1);
      m.bits = std::make_shared<const lane_value>(r.one_in(2) ? lane_value::of_lanes(w)
                                                              : lane_value::each_of(word_set::range(0, 1)));
    }
    return m;
  }
  static sample any(random_source& r) {
    concrete c;
    for (uint64_t& m : c.masks) m = bits(r) | bits(r);
    c.parts[0] = bits(r) | bits(r);
    for (unsigned k = 1; k < c.parts.size(); ++k) c.parts[k] = c.parts[k - 1] & (bits(r) | bits(r));
    c.exec = c.masks[r.below(named)] & c.parts.back();
    c.value = r.one_in(4) ? bits(r) : r.one_in(2) ? c.masks[r.below(named)] : c.masks[r.below(named)] & c.masks[0];
    if (r.one_in(2)) c.value &= r.one_in(2) ? c.exec : c.parts[r.below(3)];
    return {described_as(c, r), c};
  }
  static sample near(const abstract&, random_source& r) { return any(r); }
  static bool stands_for(const abstract& a, const concrete& c) {
    const uint64_t here = c.parts.back();
    for (unsigned k = 0; k < named; ++k) {
      if (a.within[k] && (c.value & ~c.masks[k]) != 0) return false;
      if (a.is[k] && c.value != c.masks[k]) return false;
      if (a.is_in_part[k] && (c.value & here) != (c.masks[k] & here)) return false;
    }
    if (a.within_exec && (c.value & ~c.exec) != 0) return false;
    if ((c.value & ~a.lanes) != 0 || (a.number && *a.number != c.value)) return false;
    if (a.own_parts != 0 && (c.value & ~c.parts[std::min<size_t>(a.own_parts, c.parts.size()) - 1]) != 0) return false;
    row_words w;
    for (unsigned l = 0; l < lanes_per_wave; ++l) w[l] = static_cast<uint32_t>(c.value >> l & 1);
    return a.bits == nullptr || holds(*a.bits, w, c.exec);
  }
  static abstract joined(const abstract& a, const abstract& b) { return join(a, b); }
  static abstract widened(const abstract& a, const abstract& b) { return join(a, b); }
  // Each named mask, lane and class of bits goes once.
  static constexpr unsigned longest_chain = 3 * named + 64 + 64 + 8;

  // Logic is executed under a wavefront's EXEC, with the masks that it has saved.
  static constexpr unsigned operations = 10;
  static std::pair<abstract, concrete> apply(unsigned which, const sample&, const sample&, random_source& r) {
    static constexpr const char* logic[operations] = {"s_and_b64",     "s_or_b64",   "s_xor_b64", "s_andn2_b64",
                                                      "s_orn2_b64",    "s_nand_b64", "s_nor_b64", "s_xnor_b64",
                                                      "s_cselect_b64", "s_lshl_b64"};
    code_writer writer(r);
    writer.saveexec("s_and_saveexec_b64", 0, 2);    // EXEC as it was, under a number
    writer.logic("s_xor_b64", 4, isa::exec_lo, 0);  // the other side
    const auto source = [&] { return r.one_in(3) ? uint32_t{isa::exec_lo} : 2 * r.below(4); };
    writer.logic(logic[which], 8, source(), source());
    const analysed_code code(writer.words);
    const uint64_t launched = r.one_in(2) ? all : all >> (1 + r.below(60));
    described_wave wave(r, launched);
    wave.set_launched(launched);
    concrete c;
    c.parts.fill(all);
    for (size_t k = 0; k < 3; ++k) {
      code.transfer.apply(wave.known, k);
      wave.state.pc = code.code.instructions[k].pc + code.code.instructions[k].bytes();
      code.code.instructions[k].exec(wave.state, code.code.instructions[k]);
      EXPECT_EQ(wave.mismatch(), "") << logic[which];
    }
    c.value = wave.state.scalar64(8);
    c.exec = wave.state.active();
    lane_mask m = wave.known.mask(8);
    m.is.reset();  // their numbers are the code's
    m.is_in_part.reset();
    m.within.reset();
    return {m, c};
  }
};

// --- Pointers: addresses at a known distance from something, and into which buffers they lead --------------------

struct pointers {
  using abstract = scalar_word;
  struct concrete {
    uint32_t word = 0;
    uint64_t kernarg = 0, packet = 0;  // their addresses
    unsigned buffer = 0;               // that the address is derived from
  };
  struct sample {
    abstract value;
    concrete of;
  };
  static sample any(random_source& r) {
    sample s;
    s.of.kernarg = uint64_t{r.number()} << 32 | r.number();
    s.of.packet = uint64_t{r.number()} << 32 | r.number();
    s.of.word = r.number();
    s.of.buffer = r.below(8);
    s.value.value = r.one_in(2) ? word_set::any() : word_set::aligned(r.below(33), s.of.word);
    if (r.one_in(2)) {
      relative_word& w = s.value.relative;
      w.from = r.one_in(2) ? relative_word::origin::kernarg : relative_word::origin::packet;
      w.upper = r.one_in(2);
      w.distance = r.below(3) * 4;
      s.of.word = word_of(w, s.of);
      s.value.value = word_set::any();
    }
    if (r.one_in(2)) s.value.buffers = uint64_t{1} << s.of.buffer | (r.one_in(2) ? r.below(256) : 0);
    return s;
  }
  static uint32_t word_of(const relative_word& w, const concrete& c) {
    const uint64_t address = (w.from == relative_word::origin::kernarg ? c.kernarg : c.packet) + w.distance;
    return static_cast<uint32_t>(w.upper ? address >> 32 : address);
  }
  static sample near(const abstract&, random_source& r) { return any(r); }
  static bool stands_for(const abstract& a, const concrete& c) {
    if (!a.value.contains(c.word)) return false;
    if (a.relative.from != relative_word::origin::none && word_of(a.relative, c) != c.word) return false;
    return a.buffers == 0 || (a.buffers >> c.buffer & 1) != 0;
  }
  static abstract joined(const abstract& a, const abstract& b) { return join(a, b); }
  static abstract widened(const abstract& a, const abstract& b) { return widen(a, b); }
  static constexpr unsigned longest_chain = numbers::longest_chain + 1 + 8 + 1;

  // A sum of 64 bits: a pointer into a buffer, or into the arguments, and a number.
  static constexpr unsigned operations = 4;
  static std::pair<abstract, concrete> apply(unsigned which, const sample& a, const sample& b, random_source& r) {
    code_writer writer(r);
    const bool swapped = which % 2 != 0;
    writer.logic("s_add_u32", 4, swapped ? 2 : 0, swapped ? 0 : 2);
    writer.logic("s_addc_u32", 5, swapped ? 3 : 1, swapped ? 1 : 3);
    const analysed_code code(writer.words);
    described_wave wave(r, all);
    const uint32_t distance = r.below(1000), upper = r.one_in(2) ? 0 : r.number();
    const auto put = [&](unsigned k, uint32_t word, const scalar_word& w) {
      wave.state.scalar[k] = word;
      wave.known.set_scalar(k, w);
      wave.known.set_scalar_buffers(k, w.buffers);
    };
    concrete c = a.of;
    scalar_word low{word_set::any(), {relative_word::origin::kernarg, false, 8}, a.value.buffers};
    scalar_word high{word_set::any(), {relative_word::origin::kernarg, true, 8}, 0};
    put(0, word_of(low.relative, c), low);
    put(1, word_of(high.relative, c), high);
    put(2, distance, {word_set::constant(distance), {}, 0});
    put(3, upper, {r.one_in(4) ? word_set::any() : word_set::constant(upper), {}, 0});
    if (which >= 2) wave.known.set_scalar_buffers(2, b.value.buffers);  // a sum of two pointers leads nowhere
    for (size_t k = 0; k < 2; ++k) {
      code.transfer.apply(wave.known, k);
      code.code.instructions[k].exec(wave.state, code.code.instructions[k]);
    }
    const unsigned half = r.below(2);
    c.word = wave.state.scalar[4 + half];
    scalar_word result = wave.known.scalar(4 + half);
    result.buffers = half == 0 ? wave.known.scalar_buffers(4) : 0;
    if (which >= 2 && a.value.buffers != 0 && b.value.buffers != 0) c.buffer = 63;
    return {result, c};
  }
};

template <class Domain>
class domain : public ::testing::Test {};
using all_domains = ::testing::Types<numbers, strides, places, masks, pointers>;
TYPED_TEST_SUITE(domain, all_domains);

TYPED_TEST(domain, a_join_is_an_upper_bound) {
  using D = TypeParam;
  unsigned excluding = 0;
  for (unsigned seed = 0; seed < 4000; ++seed) {
    random_source r(seed);
    const auto a = D::any(r), b = r.one_in(3) ? D::near(a.value, r) : D::any(r);
    ASSERT_TRUE(D::stands_for(a.value, a.of)) << seed;
    ASSERT_TRUE(D::stands_for(b.value, b.of)) << seed;
    for (const auto& j : {D::joined(a.value, b.value), D::joined(b.value, a.value)}) {
      ASSERT_TRUE(D::stands_for(j, a.of)) << seed;
      ASSERT_TRUE(D::stands_for(j, b.of)) << seed;
    }
    ASSERT_TRUE(D::joined(a.value, a.value) == a.value) << seed;
    excluding += !D::stands_for(a.value, D::any(r).of);
    // What both know alike stays known.
    const auto other = D::any(r);
    excluding += !D::stands_for(D::joined(a.value, a.value), other.of);
  }
  EXPECT_GT(excluding, 2000u);
}

TYPED_TEST(domain, widening_is_an_upper_bound_and_comes_to_an_end) {
  using D = TypeParam;
  for (unsigned seed = 0; seed < 60; ++seed) {
    random_source r(seed);
    const auto first = D::any(r);
    auto value = first.value;
    std::vector<decltype(first.of)> seen{first.of};
    unsigned changes = 0;
    for (unsigned round = 0; round < 400; ++round) {
      const auto next = seed % 2 == 0 ? D::near(value, r) : D::any(r);
      const auto wider = D::widened(value, next.value);
      ASSERT_TRUE(D::stands_for(wider, next.of)) << seed << " " << round;
      if (!(wider == value)) {
        ++changes;
        for (const auto& c : seen) ASSERT_TRUE(D::stands_for(wider, c)) << seed << " " << round;
      }
      if (seen.size() < 20) seen.push_back(next.of);
      value = wider;
    }
    EXPECT_LE(changes, D::longest_chain) << seed;
  }
}

TYPED_TEST(domain, transfer_is_sound) {
  using D = TypeParam;
  for (unsigned which = 0; which < D::operations; ++which)
    for (unsigned seed = 0; seed < 600; ++seed) {
      random_source r(seed);
      const auto a = D::any(r), b = D::any(r);
      const auto [value, concrete] = D::apply(which, a, b, r);
      ASSERT_TRUE(D::stands_for(value, concrete)) << "operation " << which << " seed " << seed;
    }
}

// What stands in lanes that do not count does not matter.
TEST(strides, are_what_they_were_in_lanes_that_count) {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    random_source r(seed);
    const auto a = strides::any(r), b = strides::any(r);
    const uint64_t lanes = uint64_t{r.any()} << 32 | r.any();
    row_words others = b.of;
    for (unsigned l = 0; l < lanes_per_wave; ++l)
      if ((lanes >> l & 1) != 0) others[l] = a.of[l];
    EXPECT_TRUE(holds(elsewhere_like(a.value, b.value, lanes), others, lanes)) << seed;
    EXPECT_TRUE(holds(replaced(a.value, b.value, ~lanes, all), others, all)) << seed;
  }
}

// --- The product -----------------------------------------------------------------------------------------------

// Executions of the same code on other registers come together: what is known then holds of each of them.
TEST(product, joins_and_widening_hold_of_every_execution) {
  uint64_t known = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    random_source r(seed);
    code_writer writer(r);
    for (unsigned n = 0; n < 8; ++n) {
      writer.add(instructions()[r.below(static_cast<uint32_t>(instructions().size()))]);
      if (r.one_in(3)) writer.add_wide_sum();
      if (r.one_in(4)) writer.add_compared_branch();
    }
    const analysed_code code(writer.words);
    const uint64_t launched = r.one_in(3) ? (uint64_t{1} << (1 + r.below(63))) - 1 : all;
    std::vector<described_wave> waves;
    std::optional<lane_state> together;
    for (unsigned n = 0; n < 12; ++n) {
      described_wave m(r, launched, n % 4 == 3);
      m.set_launched(launched);
      bool executed = true;
      for (size_t k = 0; k + 1 < code.code.instructions.size() && executed; ++k) {
        const isa::inst& i = code.code.instructions[k];
        executed = m.state.active() != 0 || std::string(i.row->mnemonic) != "v_readfirstlane_b32";
        if (!executed) break;
        code.transfer.apply(m.known, k);
        m.state.pc = i.pc + i.bytes();
        i.exec(m.state, i);
      }
      if (!executed) continue;
      if (together)
        together->join_with(m.known, n > 3);
      else
        together = m.known;
      waves.push_back(m);
      for (described_wave& w : waves) {
        const lane_state before = w.known;
        w.known = *together;
        ASSERT_EQ(w.mismatch(), "") << "seed " << seed << " of " << n << "\n" << code.text();
        w.known = before;
      }
      if (n == 0)
        for (unsigned v = 0; v < n_vgprs; ++v) known += !together->vector(v).is_unknown();
    }
    // Rounds of a loop that all of them come around in end.
    unsigned rounds = 0;
    for (bool changed = !waves.empty(); changed; ++rounds) {
      ASSERT_LT(rounds, 100u) << "seed " << seed;
      changed = false;
      for (const described_wave& w : waves) changed |= together->join_with(w.known, true);
    }
    for (described_wave& w : waves) {
      w.known = *together;
      ASSERT_EQ(w.mismatch(), "") << "seed " << seed << "\n" << code.text();
    }
  }
  EXPECT_GT(known, 400u);
}

}  // namespace
}  // namespace pws::test::domains_test
