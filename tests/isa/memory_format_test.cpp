// SPDX-License-Identifier: Apache-2.0
// Formatted buffer accesses in every data and number format, from MUBUF and MTBUF, against the formats' definitions in
// long double.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "base/error.h"
#include "tests/isa/memory_fixture.h"
#include "tests/isa/vector_reference.h"

namespace pws::isa::test::memory_format_test {

namespace {

enum numbers : unsigned { unorm, snorm, uscaled, sscaled, uint, sint, reserved, floating };
const std::vector<unsigned>& widths(unsigned data_format) {
  static const std::vector<unsigned> all[16] = {{},
                                                {8},
                                                {16},
                                                {8, 8},
                                                {32},
                                                {16, 16},
                                                {11, 11, 10},
                                                {10, 11, 11},
                                                {2, 10, 10, 10},
                                                {10, 10, 10, 2},
                                                {8, 8, 8, 8},
                                                {32, 32},
                                                {16, 16, 16, 16},
                                                {32, 32, 32},
                                                {32, 32, 32, 32},
                                                {}};
  return all[data_format];
}
bool exists(unsigned data_format, unsigned n) {
  const auto& w = widths(data_format);
  if (w.empty() || n == reserved) return false;
  if (w[0] == 32) return n == uint || n == sint || n == floating;
  return n != floating || w[0] == 16 || w.size() == 3;
}

// Exact value of `width` bits with five bits of exponent.
long double small_value(uint64_t bits, unsigned fraction) {
  const auto f = static_cast<long double>(bits & ((1u << fraction) - 1));
  const int e = static_cast<int>(bits >> fraction & 31);
  if (e == 31) return f != 0 ? NAN : INFINITY;
  return e == 0 ? std::ldexp(f, -14 - static_cast<int>(fraction))
                : std::ldexp(f + (1 << fraction), e - 15 - static_cast<int>(fraction));
}

// What a register holds of one component.
uint32_t loaded(unsigned n, unsigned width, uint32_t bits) {
  const auto as_float = [](long double x) { return static_cast<uint32_t>(bits_of(static_cast<float>(x))); };
  const int64_t value = (bits >> (width - 1) & 1) != 0 ? int64_t{bits} - (int64_t{1} << width) : int64_t{bits};
  const long double top = std::ldexp(1.0L, static_cast<int>(width)) - 1;
  const long double half_top = std::ldexp(1.0L, static_cast<int>(width) - 1) - 1;
  switch (n) {
    case unorm:
      return as_float(bits / top);
    case snorm:
      return as_float(std::max(static_cast<long double>(value) / half_top, -1.0L));
    case uscaled:
      return as_float(bits);
    case sscaled:
      return as_float(static_cast<long double>(value));
    case sint:
      return static_cast<uint32_t>(value);
    case floating:
      if (width == 32) return bits;
      if (width == 16) return static_cast<uint32_t>(bits_of(static_cast<float>(half_value(bits))));
      return as_float(small_value(bits, width - 5));
    default:
      return bits;
  }
}

uint32_t component(const uint8_t* element, unsigned at, unsigned width) {
  uint64_t v = 0;
  std::memcpy(&v, element + at / 32 * 4, 4);
  return static_cast<uint32_t>(v >> (at % 32) & ((uint64_t{1} << width) - 1));
}
bool same(uint32_t got, uint32_t want, bool is_float) {
  if (is_float && std::isnan(single(want))) return std::isnan(single(got));
  return got == want;
}

struct setup {
  unsigned bytes;
  void resource(memory_bench& b, unsigned data_format, unsigned n) const {
    b.state.scalar[8] = static_cast<uint32_t>(memory_bench::data);
    b.state.scalar[9] = static_cast<uint32_t>(memory_bench::data >> 32) | bytes << 16;
    b.state.scalar[10] = 50 * bytes;
    b.state.scalar[11] = 4 | 5 << 3 | 6 << 6 | 7 << 9 | n << 12 | data_format << 15;
    for (int l = 0; l < wave_size; ++l) b.vgprs[0].lane[l] = static_cast<uint32_t>(l);
  }
};
const char* const suffix[] = {"x", "xy", "xyz", "xyzw"};
const opcode_row& format_row(bool typed, const char* what, unsigned n) {
  const std::string m = std::string(typed ? "tbuffer_" : "buffer_") + what + "_format_" + suffix[n - 1];
  return memory_row(m.c_str());
}
std::vector<uint32_t> code_of(bool typed, const char* what, unsigned n, unsigned data_format, unsigned numbers) {
  const opcode_row& r = format_row(typed, what, n);
  mubuf_fields f;
  f.data = 40;
  f.idxen = true;
  if (!typed) return encode_mubuf(r, f);
  return {0xe8000000u | uint32_t{r.opcode} << 15 | data_format << 19 | numbers << 23 | 1u << 13,
          0x80u << 24 | 2u << 16 | 40u << 8};
}

TEST(memory_format, loads_in_every_format) {
  for (const bool typed : {false, true})
    for (unsigned d = 0; d < 16; ++d)
      for (unsigned n = 0; n < 8; ++n)
        for (unsigned registers = 1; registers <= 4; ++registers) {
          unsigned bits = 0;
          for (unsigned w : widths(d)) bits += w;
          const setup s{bits / 8};
          memory_bench b(d * 8 + n);
          // MTBUF's format is the instruction's: the resource has another one.
          s.resource(b, typed ? 4 : d, typed ? unsigned{uint} : n);
          const auto code = code_of(typed, "load", registers, d, n);
          if (!exists(d, n)) {
            EXPECT_THROW(b.execute(code), program_error) << d << " " << n;
            continue;
          }
          const uint64_t mask = 0xfff0ffff0000ffff;
          b.set_mask(mask);
          const memory_bench before(b);
          b.execute(code);
          unsigned at = 0;
          for (unsigned c = 0; c < registers; ++c) {
            const bool there = c < widths(d).size();
            const unsigned width = there ? widths(d)[c] : 0;
            for (unsigned l = 0; l < wave_size; ++l) {
              const uint32_t one = n == uint || n == sint ? 1 : 0x3f800000;
              uint32_t want = c == 3 ? one : 0;
              uint8_t element[20] = {};
              std::memcpy(element, b.host(memory_bench::data + l * s.bytes), s.bytes);
              if (there) want = l < 50 ? loaded(n, width, component(element, at, width)) : 0;
              if ((mask >> l & 1) == 0) want = before.vgprs[40 + c].lane[l];
              ASSERT_TRUE(same(b.vgprs[40 + c].lane[l], want, n == floating))
                  << "format " << d << " number " << n << " component " << c << " lane " << l << std::hex << ": got "
                  << b.vgprs[40 + c].lane[l] << " want " << want;
            }
            at += width;
          }
        }
}

// What was loaded is stored as the same bits: every value that memory can hold comes back (a NaN as some NaN, the most
// negative snorm as its neighbour, which means the same).
TEST(memory_format, stores_give_back_what_loads_gave) {
  for (const bool typed : {false, true})
    for (unsigned d = 0; d < 16; ++d)
      for (unsigned n = 0; n < 8; ++n) {
        if (!exists(d, n)) continue;
        unsigned bits = 0;
        for (unsigned w : widths(d)) bits += w;
        const setup s{bits / 8};
        const auto components = static_cast<unsigned>(widths(d).size());
        memory_bench b(d * 8 + n);
        s.resource(b, typed ? 4 : d, typed ? unsigned{uint} : n);
        b.set_mask(~uint64_t{0});
        b.execute(code_of(typed, "load", components, d, n));
        const memory_bench before(b);
        for (unsigned k = 0; k < 50 * s.bytes; ++k) *b.host(memory_bench::data + k) = 0xa5;
        b.execute(code_of(typed, "store", components, d, n));
        for (unsigned l = 0; l < wave_size; ++l) {
          uint8_t old[20] = {}, now[20] = {};
          std::memcpy(old, const_cast<memory_bench&>(before).host(memory_bench::data + l * s.bytes), s.bytes);
          std::memcpy(now, b.host(memory_bench::data + l * s.bytes), s.bytes);
          unsigned at = 0;
          for (unsigned w : widths(d)) {
            const uint32_t want = component(old, at, w), got = component(now, at, w);
            at += w;
            ASSERT_TRUE(same(loaded(n, w, got), loaded(n, w, want), n == floating))
                << "format " << d << " number " << n << " lane " << l << std::hex << ": got " << got << " want "
                << want;
          }
        }
        for (unsigned wrong = 1; wrong <= 4; ++wrong) {
          if (wrong == components) continue;
          EXPECT_THROW(b.execute(code_of(typed, "store", wrong, d, n)), program_error);
        }
      }
}

TEST(memory_format, stores_clamp_and_round) {
  const struct {
    unsigned data_format, number;
    uint32_t value, want;
  } cases[] = {{1, unorm, 0x40000000, 0xff},
               {1, unorm, 0xbf800000, 0},
               {1, unorm, 0x7fc00000, 0},
               {1, unorm, 0x3f000000, 128},
               {1, snorm, 0xc0000000, 0x81},
               {1, snorm, 0x3f800000, 0x7f},
               {1, uscaled, 0x43800000, 0xff},
               {1, uscaled, 0x40200000, 2},
               {1, sscaled, 0xc3800000, 0x80},
               {1, uint, 0x12345, 0xff},
               {1, sint, 0x80000000, 0x80},
               {1, sint, 0x7fffffff, 0x7f},
               {2, floating, 0x477ff000, 0x7c00},
               {2, floating, 0x33000000, 0},
               {2, floating, 0x33000001, 1},
               {2, uint, 0x12345678, 0xffff},
               {4, floating, 0x7f800001, 0x7f800001}};
  for (const auto& c : cases) {
    memory_bench b(1);
    const setup s{widths(c.data_format)[0] / 8};
    s.resource(b, c.data_format, c.number);
    b.set_mask(1);
    b.vgprs[40].lane[0] = c.value;
    b.execute(code_of(false, "store", 1, c.data_format, c.number));
    EXPECT_EQ(component(b.host(memory_bench::data), 0, 8 * s.bytes), c.want)
        << c.data_format << " " << c.number << " " << std::hex << c.value;
  }
  // 11 and 10 bits of float: no sign, ties to even, largest finite value instead of an overflow.
  const struct {
    uint32_t value, want11;
  } floats[] = {{0x3f800000, 0x3c0}, {0xbf800000, 0},     {0x7f800000, 0x7c0}, {0x7f7fffff, 0x7bf},
                {0x3f810000, 0x3c0}, {0x3f830000, 0x3c2}, {0x35800000, 0x001}, {0x35000000, 0}};
  for (const auto& c : floats) {
    memory_bench b(1);
    const setup s{4};
    s.resource(b, 6, floating);
    b.set_mask(1);
    for (unsigned k = 0; k < 3; ++k) b.vgprs[40 + k].lane[0] = c.value;
    b.execute(code_of(false, "store", 3, 6, floating));
    EXPECT_EQ(component(b.host(memory_bench::data), 0, 11), c.want11) << std::hex << c.value;
    EXPECT_EQ(component(b.host(memory_bench::data), 11, 11), c.want11) << std::hex << c.value;
  }
}

}  // namespace

}  // namespace pws::isa::test::memory_format_test
