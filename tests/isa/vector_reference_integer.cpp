// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bitset>
#include <cstdlib>

#include "tests/isa/vector_reference.h"

namespace pws::isa::test {

namespace vector_reference_integer {
namespace {

__extension__ using wide = __int128;
using in = const lane_input&;

int32_t s32(uint64_t x) {
  return static_cast<int32_t>(static_cast<uint32_t>(x));
}
uint64_t u32(uint64_t x) {
  return x & 0xffffffff;
}
uint64_t u16(uint64_t x) {
  return x & 0xffff;
}
int64_t s16(uint64_t x) {
  return static_cast<int16_t>(static_cast<uint16_t>(x));
}
uint64_t u8(uint64_t x, int n) {
  return (x >> (8 * n)) & 0xff;
}
// The low 24 bits as a signed number.
int64_t s24(uint64_t x) {
  const auto low = static_cast<int64_t>(x & 0xffffff);
  return low >= 0x800000 ? low - 0x1000000 : low;
}
uint64_t u24(uint64_t x) {
  return x & 0xffffff;
}
lane_output low32(wide x) {
  return {static_cast<uint64_t>(x) & 0xffffffff, false};
}
lane_output low16(wide x) {
  return {static_cast<uint64_t>(x) & 0xffff, false};
}

lane_output add(uint64_t a, uint64_t b, uint64_t c) {
  const uint64_t sum = u32(a) + u32(b) + c;
  return {u32(sum), sum > 0xffffffff};
}
lane_output subtract(uint64_t a, uint64_t b, uint64_t c) {
  const int64_t difference = static_cast<int64_t>(u32(a)) - static_cast<int64_t>(u32(b)) - static_cast<int64_t>(c);
  return {u32(static_cast<uint64_t>(difference)), difference < 0};
}
int64_t middle(int64_t a, int64_t b, int64_t c) {
  int64_t all[] = {a, b, c};
  std::sort(all, all + 3);
  return all[1];
}
uint64_t gap(uint64_t a, uint64_t b) {
  return a > b ? a - b : b - a;
}
uint64_t byte_gaps(uint64_t a, uint64_t b) {
  uint64_t sum = 0;
  for (int n = 0; n < 4; ++n) sum += gap(u8(a, n), u8(b, n));
  return sum;
}
// First position from the top or the bottom at which a bit equals `wanted`; all ones if none does.
uint64_t find_bit(uint64_t x, bool wanted, bool from_top) {
  for (int n = 0; n < 32; ++n) {
    const int bit = from_top ? 31 - n : n;
    if (((x >> bit) & 1) == (wanted ? 1u : 0u)) return static_cast<uint64_t>(n);
  }
  return 0xffffffff;
}
uint64_t permuted(uint64_t high, uint64_t low, uint64_t selectors) {
  const uint64_t both = u32(high) << 32 | u32(low);
  uint64_t r = 0;
  for (int n = 0; n < 4; ++n) {
    const uint64_t s = u8(selectors, n);
    uint64_t byte = 0;
    if (s < 8)
      byte = both >> (8 * s) & 0xff;
    else if (s < 12)
      byte = (both >> (16 * (s - 8) + 15) & 1) != 0 ? 0xff : 0;
    else
      byte = s == 12 ? 0 : 0xff;
    r |= byte << (8 * n);
  }
  return r;
}
uint64_t bit_field(uint64_t x, uint64_t offset, uint64_t width, bool is_signed) {
  uint64_t r = 0;
  const int n = static_cast<int>(width & 31);
  for (int k = 0; k < n; ++k) {
    const uint64_t from = (offset & 31) + static_cast<uint64_t>(k);
    const bool bit = from < 32 ? (x >> from & 1) != 0 : is_signed && (x >> 31 & 1) != 0;
    if (bit) r |= uint64_t{1} << k;
  }
  if (is_signed && n > 0 && (r >> (n - 1) & 1) != 0) r |= ~((uint64_t{1} << n) - 1);
  return u32(r);
}

}  // namespace
}  // namespace vector_reference_integer

void add_integer_references(std::vector<reference>& to) {
  using namespace vector_reference_integer;
  const auto row = [&to](const char* name, lane_output (*f)(in)) { to.push_back({name, f, accuracy::bits}); };

  row("v_mov_b32", [](in i) { return low32(u32(i.src[0])); });
  row("v_not_b32", [](in i) { return low32(u32(i.src[0]) ^ 0xffffffff); });
  row("v_cndmask_b32", [](in i) { return low32(u32(i.flag ? i.src[1] : i.src[0])); });
  row("v_and_b32", [](in i) { return low32(u32(i.src[0] & i.src[1])); });
  row("v_or_b32", [](in i) { return low32(u32(i.src[0] | i.src[1])); });
  row("v_xor_b32", [](in i) { return low32(u32(i.src[0] ^ i.src[1])); });
  row("v_bfrev_b32", [](in i) {
    uint64_t r = 0;
    for (int n = 0; n < 32; ++n) r |= (i.src[0] >> n & 1) << (31 - n);
    return low32(r);
  });
  row("v_ffbh_u32", [](in i) { return low32(find_bit(i.src[0], true, true)); });
  row("v_ffbl_b32", [](in i) { return low32(find_bit(i.src[0], true, false)); });
  row("v_ffbh_i32", [](in i) { return low32(find_bit(i.src[0], (i.src[0] >> 31 & 1) == 0, true)); });
  row("v_bcnt_u32_b32", [](in i) { return low32(wide(std::bitset<32>(i.src[0]).count()) + u32(i.src[1])); });
  row("v_mbcnt_lo_u32_b32", [](in i) {
    uint64_t n = u32(i.src[1]);
    for (unsigned l = 0; l < 32 && l < i.lane; ++l) n += i.src[0] >> l & 1;
    return low32(n);
  });
  row("v_mbcnt_hi_u32_b32", [](in i) {
    uint64_t n = u32(i.src[1]);
    for (unsigned l = 32; l < i.lane; ++l) n += i.src[0] >> (l - 32) & 1;
    return low32(n);
  });
  row("v_bfe_u32", [](in i) { return low32(bit_field(i.src[0], i.src[1], i.src[2], false)); });
  row("v_bfe_i32", [](in i) { return low32(bit_field(i.src[0], i.src[1], i.src[2], true)); });
  row("v_bfi_b32", [](in i) { return low32(u32((i.src[0] & i.src[1]) | (~i.src[0] & i.src[2]))); });
  row("v_bfm_b32", [](in i) { return low32(u32(((uint64_t{1} << (i.src[0] & 31)) - 1) << (i.src[1] & 31))); });
  row("v_alignbit_b32", [](in i) { return low32(u32((u32(i.src[0]) << 32 | u32(i.src[1])) >> (i.src[2] & 31))); });
  row("v_alignbyte_b32",
      [](in i) { return low32(u32((u32(i.src[0]) << 32 | u32(i.src[1])) >> (8 * (i.src[2] & 3)))); });
  row("v_perm_b32", [](in i) { return low32(permuted(i.src[0], i.src[1], i.src[2])); });

  row("v_lshrrev_b32", [](in i) { return low32(u32(i.src[1]) >> (i.src[0] & 31)); });
  row("v_ashrrev_i32", [](in i) { return low32(int64_t{s32(i.src[1])} >> (i.src[0] & 31)); });
  row("v_lshlrev_b32", [](in i) { return low32(u32(i.src[1]) << (i.src[0] & 31)); });
  row("v_lshlrev_b64", [](in i) {
    uint64_t r = i.src[1];
    for (uint64_t n = i.src[0] & 63; n != 0; --n) r += r;
    return lane_output{r, false};
  });
  row("v_lshrrev_b64", [](in i) { return lane_output{i.src[1] >> (i.src[0] & 63), false}; });
  row("v_ashrrev_i64", [](in i) {
    return lane_output{static_cast<uint64_t>(wide(static_cast<int64_t>(i.src[1])) >> (i.src[0] & 63)), false};
  });

  row("v_add_u32", [](in i) { return add(i.src[0], i.src[1], 0); });
  row("v_sub_u32", [](in i) { return subtract(i.src[0], i.src[1], 0); });
  row("v_subrev_u32", [](in i) { return subtract(i.src[1], i.src[0], 0); });
  row("v_addc_u32", [](in i) { return add(i.src[0], i.src[1], i.flag ? 1 : 0); });
  row("v_subb_u32", [](in i) { return subtract(i.src[0], i.src[1], i.flag ? 1 : 0); });
  row("v_subbrev_u32", [](in i) { return subtract(i.src[1], i.src[0], i.flag ? 1 : 0); });

  row("v_mul_i32_i24", [](in i) { return low32(wide(s24(i.src[0])) * s24(i.src[1])); });
  row("v_mul_hi_i32_i24", [](in i) { return low32(wide(s24(i.src[0])) * s24(i.src[1]) >> 32); });
  row("v_mul_u32_u24", [](in i) { return low32(wide(u24(i.src[0])) * u24(i.src[1])); });
  row("v_mul_hi_u32_u24", [](in i) { return low32(wide(u24(i.src[0])) * u24(i.src[1]) >> 32); });
  row("v_mad_i32_i24", [](in i) { return low32(wide(s24(i.src[0])) * s24(i.src[1]) + s32(i.src[2])); });
  row("v_mad_u32_u24", [](in i) { return low32(wide(u24(i.src[0])) * u24(i.src[1]) + u32(i.src[2])); });
  row("v_mul_lo_u32", [](in i) { return low32(wide(u32(i.src[0])) * u32(i.src[1])); });
  row("v_mul_hi_u32", [](in i) { return low32(wide(u32(i.src[0])) * u32(i.src[1]) >> 32); });
  row("v_mul_hi_i32", [](in i) { return low32(wide(s32(i.src[0])) * s32(i.src[1]) >> 32); });
  row("v_mad_u64_u32", [](in i) {
    const wide r = wide(u32(i.src[0])) * u32(i.src[1]) + static_cast<wide>(i.src[2]);
    return lane_output{static_cast<uint64_t>(r), r >> 64 != 0};
  });
  row("v_mad_i64_i32", [](in i) {
    const wide r = wide(s32(i.src[0])) * s32(i.src[1]) + static_cast<int64_t>(i.src[2]);
    return lane_output{static_cast<uint64_t>(r), r != static_cast<int64_t>(r)};
  });

  row("v_min_i32", [](in i) { return low32(std::min(s32(i.src[0]), s32(i.src[1]))); });
  row("v_max_i32", [](in i) { return low32(std::max(s32(i.src[0]), s32(i.src[1]))); });
  row("v_min_u32", [](in i) { return low32(std::min(u32(i.src[0]), u32(i.src[1]))); });
  row("v_max_u32", [](in i) { return low32(std::max(u32(i.src[0]), u32(i.src[1]))); });
  row("v_min3_i32", [](in i) { return low32(std::min({s32(i.src[0]), s32(i.src[1]), s32(i.src[2])})); });
  row("v_max3_i32", [](in i) { return low32(std::max({s32(i.src[0]), s32(i.src[1]), s32(i.src[2])})); });
  row("v_min3_u32", [](in i) { return low32(std::min({u32(i.src[0]), u32(i.src[1]), u32(i.src[2])})); });
  row("v_max3_u32", [](in i) { return low32(std::max({u32(i.src[0]), u32(i.src[1]), u32(i.src[2])})); });
  row("v_med3_i32", [](in i) { return low32(middle(s32(i.src[0]), s32(i.src[1]), s32(i.src[2]))); });
  row("v_med3_u32", [](in i) {
    return low32(middle(static_cast<int64_t>(u32(i.src[0])), static_cast<int64_t>(u32(i.src[1])),
                        static_cast<int64_t>(u32(i.src[2]))));
  });

  row("v_add_u16", [](in i) { return low16(wide(u16(i.src[0])) + u16(i.src[1])); });
  row("v_sub_u16", [](in i) { return low16(wide(u16(i.src[0])) - u16(i.src[1])); });
  row("v_subrev_u16", [](in i) { return low16(wide(u16(i.src[1])) - u16(i.src[0])); });
  row("v_mul_lo_u16", [](in i) { return low16(wide(u16(i.src[0])) * u16(i.src[1])); });
  row("v_mad_u16", [](in i) { return low16(wide(u16(i.src[0])) * u16(i.src[1]) + u16(i.src[2])); });
  row("v_mad_i16", [](in i) { return low16(wide(s16(i.src[0])) * s16(i.src[1]) + s16(i.src[2])); });
  row("v_lshlrev_b16", [](in i) { return low16(wide(u16(i.src[1])) << (i.src[0] & 15)); });
  row("v_lshrrev_b16", [](in i) { return low16(wide(u16(i.src[1])) >> (i.src[0] & 15)); });
  row("v_ashrrev_i16", [](in i) { return low16(wide(s16(i.src[1])) >> (i.src[0] & 15)); });
  row("v_min_u16", [](in i) { return low16(std::min(u16(i.src[0]), u16(i.src[1]))); });
  row("v_max_u16", [](in i) { return low16(std::max(u16(i.src[0]), u16(i.src[1]))); });
  row("v_min_i16", [](in i) { return low16(std::min(s16(i.src[0]), s16(i.src[1]))); });
  row("v_max_i16", [](in i) { return low16(std::max(s16(i.src[0]), s16(i.src[1]))); });

  row("v_lerp_u8", [](in i) {
    uint64_t r = 0;
    for (int n = 0; n < 4; ++n) r |= (u8(i.src[0], n) + u8(i.src[1], n) + (u8(i.src[2], n) & 1)) / 2 << (8 * n);
    return low32(r);
  });
  row("v_sad_u8", [](in i) { return low32(wide(byte_gaps(i.src[0], i.src[1])) + u32(i.src[2])); });
  row("v_sad_hi_u8", [](in i) { return low32(wide(byte_gaps(i.src[0], i.src[1])) * 65536 + u32(i.src[2])); });
  row("v_sad_u16", [](in i) {
    return low32(wide(gap(u16(i.src[0]), u16(i.src[1]))) + gap(u16(i.src[0] >> 16), u16(i.src[1] >> 16)) +
                 u32(i.src[2]));
  });
  row("v_sad_u32", [](in i) { return low32(wide(gap(u32(i.src[0]), u32(i.src[1]))) + u32(i.src[2])); });
  static const auto quad = [](in i, bool masked) {
    uint64_t r = 0;
    for (int n = 0; n < 4; ++n) {
      uint64_t sum = u16(i.src[2] >> (16 * n));
      for (int k = 0; k < 4; ++k)
        if (!masked || u8(i.src[1], k) != 0) sum += gap(u8(i.src[0], n + k), u8(i.src[1], k));
      r |= u16(sum) << (16 * n);
    }
    return lane_output{r, false};
  };
  row("v_qsad_pk_u16_u8", [](in i) { return quad(i, false); });
  row("v_mqsad_pk_u16_u8", [](in i) { return quad(i, true); });
  row("v_msad_u8", [](in i) {
    uint64_t sum = u32(i.src[2]);
    for (int n = 0; n < 4; ++n)
      if (u8(i.src[1], n) != 0) sum += gap(u8(i.src[0], n), u8(i.src[1], n));
    return low32(sum);
  });
  row("v_cvt_pk_u16_u32", [](in i) {
    return low32(std::min<uint64_t>(u32(i.src[0]), 65535) | std::min<uint64_t>(u32(i.src[1]), 65535) << 16);
  });
  row("v_cvt_pk_i16_i32", [](in i) {
    const auto a = static_cast<uint64_t>(std::clamp<int64_t>(s32(i.src[0]), -32768, 32767));
    const auto b = static_cast<uint64_t>(std::clamp<int64_t>(s32(i.src[1]), -32768, 32767));
    return low32(u16(a) | u16(b) << 16);
  });
}

void add_compare_references(std::vector<reference>& to) {
  using namespace vector_reference_integer;
  struct numbers {
    const char* type;
    // -1, 0, 1: order of the two sources; 2: unordered.
    int (*order)(in);
    bool is_float;
  };
  const auto order_of = [](auto a, auto b) { return a < b ? -1 : a > b ? 1 : a == b ? 0 : 2; };
  static const auto order = order_of;
  const numbers types[] = {
      {"i16", [](in i) { return order(s16(i.src[0]), s16(i.src[1])); }, false},
      {"u16", [](in i) { return order(u16(i.src[0]), u16(i.src[1])); }, false},
      {"i32", [](in i) { return order(s32(i.src[0]), s32(i.src[1])); }, false},
      {"u32", [](in i) { return order(u32(i.src[0]), u32(i.src[1])); }, false},
      {"i64", [](in i) { return order(static_cast<int64_t>(i.src[0]), static_cast<int64_t>(i.src[1])); }, false},
      {"u64", [](in i) { return order(i.src[0], i.src[1]); }, false},
      {"f16", [](in i) { return order(half_value(i.src[0]), half_value(i.src[1])); }, true},
      {"f32", [](in i) { return order(flushed(single(i.src[0])), flushed(single(i.src[1]))); }, true},
      {"f64", [](in i) { return order(dbl(i.src[0]), dbl(i.src[1])); }, true},
  };
  struct relation {
    const char* name;
    bool less, equal, greater, unordered;
  };
  const relation integer_relations[] = {{"f", false, false, false, false}, {"lt", true, false, false, false},
                                        {"eq", false, true, false, false}, {"le", true, true, false, false},
                                        {"gt", false, false, true, false}, {"ne", true, false, true, false},
                                        {"ge", false, true, true, false},  {"t", true, true, true, false}};
  const relation float_relations[] = {
      {"f", false, false, false, false}, {"lt", true, false, false, false}, {"eq", false, true, false, false},
      {"le", true, true, false, false},  {"gt", false, false, true, false}, {"lg", true, false, true, false},
      {"ge", false, true, true, false},  {"o", true, true, true, false},    {"u", false, false, false, true},
      {"nge", true, false, false, true}, {"nlg", false, true, false, true}, {"ngt", true, true, false, true},
      {"nle", false, false, true, true}, {"neq", true, false, true, true},  {"nlt", false, true, true, true},
      {"tru", true, true, true, true}};
  const auto add_relation = [&to](const char* prefix, const numbers& n, const relation& r) {
    to.push_back({std::string(prefix) + r.name + "_" + n.type,
                  [n, r](in i) {
                    const int o = n.order(i);
                    return lane_output{0, o == -1 ? r.less : o == 0 ? r.equal : o == 1 ? r.greater : r.unordered};
                  },
                  accuracy::bits});
  };
  for (const char* prefix : {"v_cmp_", "v_cmpx_"})
    for (const numbers& n : types) {
      if (n.is_float)
        for (const relation& r : float_relations) add_relation(prefix, n, r);
      else
        for (const relation& r : integer_relations) add_relation(prefix, n, r);
    }
  // Classes by the value's pattern: sign, exponent, fraction.
  struct layout {
    const char* type;
    int exponent_bits, fraction_bits;
  };
  for (const char* prefix : {"v_cmp_class_", "v_cmpx_class_"})
    for (const layout& f : {layout{"f16", 5, 10}, layout{"f32", 8, 23}, layout{"f64", 11, 52}})
      to.push_back({std::string(prefix) + f.type,
                    [f](in i) {
                      const uint64_t fraction = i.src[0] & ((uint64_t{1} << f.fraction_bits) - 1);
                      const uint64_t top = (uint64_t{1} << f.exponent_bits) - 1;
                      const uint64_t exponent = i.src[0] >> f.fraction_bits & top;
                      const bool negative = (i.src[0] >> (f.fraction_bits + f.exponent_bits) & 1) != 0;
                      int c = 0;
                      if (exponent == top && fraction != 0)
                        c = (fraction >> (f.fraction_bits - 1) & 1) != 0 ? 1 : 0;
                      else if (exponent == top)
                        c = negative ? 2 : 9;
                      else if (exponent != 0)
                        c = negative ? 3 : 8;
                      else if (fraction != 0)
                        c = negative ? 4 : 7;
                      else
                        c = negative ? 5 : 6;
                      return lane_output{0, (i.src[1] >> c & 1) != 0};
                    },
                    accuracy::bits});
}

}  // namespace pws::isa::test
