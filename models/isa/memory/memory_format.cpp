// SPDX-License-Identifier: Apache-2.0
#include "models/isa/memory/memory_format.h"

#include <fmt/format.h>

#include <cmath>

#include "models/isa/opcode_row.h"
#include "models/isa/vector/half.h"

namespace pws::isa {

namespace {

using number = element_format::number;

// Bits of x, y, z and w by data format.
constexpr uint8_t component_bits[16][4] = {
    {},
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
    {},
};

constexpr uint32_t ones(unsigned width) {
  return static_cast<uint32_t>((uint64_t{1} << width) - 1);
}
int32_t signed_value(uint32_t bits, unsigned width) {
  return static_cast<int32_t>(bits << (32 - width)) >> (32 - width);
}

// Floats without a sign: 5 bits of exponent as half precision has, `fraction` bits of fraction.
float small_float(uint32_t bits, unsigned fraction) {
  return half_to_float(static_cast<uint16_t>(bits << (10 - fraction)));
}
// The nearest such float, ties to even; negative values are 0, finite values beyond the range the largest one.
uint32_t to_small_float(float x, unsigned fraction) {
  const uint32_t infinity = 31u << fraction;
  if (std::isnan(x)) return infinity | 1u << (fraction - 1);
  if (x <= 0.0f) return 0;
  if (std::isinf(x)) return infinity;
  const int exponent = std::max(std::ilogb(x), -14);
  const auto steps =
      static_cast<uint32_t>(std::nearbyint(std::ldexp(static_cast<double>(x), static_cast<int>(fraction) - exponent)));
  const int64_t r = (int64_t{exponent} + 14) * (int64_t{1} << fraction) + steps;
  return r >= infinity ? infinity - 1 : static_cast<uint32_t>(r);
}

float limited(float x, float low, float high) {
  return std::isnan(x) ? 0.0f : std::fmin(std::fmax(x, low), high);
}

// An element as dwords (or one value of one or two bytes) per lane.
struct pieces {
  static constexpr unsigned most = 4;
  unsigned n, bytes;
  buffer_lanes lanes[most];
  vgpr_row data[most];
};

void map_pieces(const wave_state& s, const inst& i, const buffer_resource& r, const element_format& f, bool for_write,
                pieces& p) {
  p.n = f.bytes < 4 ? 1 : f.bytes / 4;
  p.bytes = f.bytes < 4 ? f.bytes : 4;
  for (unsigned k = 0; k < p.n; ++k) map_buffer(s, i, r, {4 * k, p.bytes, f.bytes - 4 * k, for_write}, p.lanes[k]);
}
void load_piece(const wave_state& s, pieces& p, unsigned k) {
  switch (p.bytes) {
    case 1:
      return buffer_load_value<narrow<uint8_t>>(s, p.lanes[k], &p.data[k]);
    case 2:
      return buffer_load_value<narrow<uint16_t>>(s, p.lanes[k], &p.data[k]);
    default:
      return buffer_load_value<dwords<1>>(s, p.lanes[k], &p.data[k]);
  }
}
void store_pieces(const wave_state& s, const pieces& p) {
  switch (p.bytes * p.n) {
    case 1:
      return buffer_store_values<narrow<uint8_t>, 1>(s, p.lanes, p.data);
    case 2:
      return buffer_store_values<narrow<uint16_t>, 1>(s, p.lanes, p.data);
    case 4:
      return buffer_store_values<dwords<1>, 1>(s, p.lanes, p.data);
    case 8:
      return buffer_store_values<dwords<1>, 2>(s, p.lanes, p.data);
    case 12:
      return buffer_store_values<dwords<1>, 3>(s, p.lanes, p.data);
    default:
      return buffer_store_values<dwords<1>, 4>(s, p.lanes, p.data);
  }
}

element_format format_for(const inst& i, const buffer_resource& r) {
  if (i.native == format::mtbuf) return format_of(i.raw[0] >> 19 & 0xf, i.raw[0] >> 23 & 7, i.row->mnemonic);
  // With add_tid the field holds bits of the stride.
  return format_of(r.add_tid ? 0 : r.data_format, r.num_format, i.row->mnemonic);
}

}  // namespace

element_format format_of(unsigned data_format, unsigned num_format, const char* mnemonic) {
  element_format f;
  f.numbers = static_cast<number>(num_format & 7);
  for (unsigned c = 0; c < 4; ++c) {
    f.bits[c] = component_bits[data_format & 15][c];
    f.components += f.bits[c] != 0 ? 1 : 0;
    f.bytes += f.bits[c];
  }
  f.bytes /= 8;
  const unsigned width = f.bits[0];
  const bool floats_exist = width == 16 || width == 32 || f.components == 3;
  const bool only_raw = width == 32;  // no normalised or scaled numbers of 32 bits
  const bool known = f.components != 0 && f.numbers != number::reserved &&
                     (f.numbers != number::floating || floats_exist) &&
                     (!only_raw || f.is_integer() || f.numbers == number::floating);
  if (!known)
    throw program_error(fmt::format("{}: there is no buffer format with data format {} and number format {}", mnemonic,
                                    data_format, num_format));
  return f;
}

uint32_t component_to_register(number n, unsigned width, uint32_t bits) {
  const int32_t value = signed_value(bits, width);
  switch (n) {
    case number::unorm:
      return bit_cast<uint32_t>(static_cast<float>(static_cast<double>(bits) / ones(width)));
    case number::snorm:
      return bit_cast<uint32_t>(std::fmax(static_cast<float>(static_cast<double>(value) / ones(width - 1)), -1.0f));
    case number::uscaled:
      return bit_cast<uint32_t>(static_cast<float>(bits));
    case number::sscaled:
      return bit_cast<uint32_t>(static_cast<float>(value));
    case number::sint:
      return static_cast<uint32_t>(value);
    case number::floating:
      return width == 32   ? bits
             : width == 16 ? bit_cast<uint32_t>(half_to_float(static_cast<uint16_t>(bits)))
                           : bit_cast<uint32_t>(small_float(bits, width - 5));
    default:
      return bits;
  }
}

uint32_t component_to_memory(number n, unsigned width, uint32_t v) {
  const auto x = bit_cast<float>(v);
  const uint32_t top = ones(width), half_top = ones(width - 1);
  const auto whole = [](double y) { return static_cast<int64_t>(std::nearbyint(y)); };
  switch (n) {
    case number::unorm:
      return static_cast<uint32_t>(whole(static_cast<double>(limited(x, 0.0f, 1.0f)) * top));
    case number::snorm:
      return static_cast<uint32_t>(whole(static_cast<double>(limited(x, -1.0f, 1.0f)) * half_top)) & top;
    case number::uscaled:
      return static_cast<uint32_t>(whole(limited(x, 0.0f, static_cast<float>(top))));
    case number::sscaled:
      return static_cast<uint32_t>(
                 whole(limited(x, -static_cast<float>(half_top) - 1.0f, static_cast<float>(half_top)))) &
             top;
    case number::sint: {
      const auto value = static_cast<int32_t>(v), highest = static_cast<int32_t>(half_top);
      return static_cast<uint32_t>(value > highest ? highest : value < -highest - 1 ? -highest - 1 : value) & top;
    }
    case number::floating:
      return width == 32 ? v : width == 16 ? uint32_t{round_to_half(x)} : to_small_float(x, width - 5);
    default:
      return v > top ? top : v;
  }
}

bool overflows(number n, unsigned width, uint32_t value, uint32_t bits) {
  constexpr uint32_t exponent = 0x7f800000;
  if (n != number::floating || (value & exponent) == exponent) return false;
  return (component_to_register(n, width, bits) & exponent) == exponent;
}

void buffer_load_format(wave_state& s, const inst& i) {
  const buffer_resource r = resource_of(s, i);
  const element_format f = format_for(i, r);
  host_fp::want(*s.host_csr, host_fp::nearest);
  pieces p;
  map_pieces(s, i, r, f, false, p);
  if (s.access != nullptr) record_buffer(*s.access, p.lanes[0], f.bytes, false, false, true);
  for (unsigned k = 0; k < p.n; ++k) load_piece(s, p, k);
  const uint64_t active = s.active();
  const uint32_t one = f.is_integer() ? 1 : 0x3f800000;
  for (unsigned c = 0; c < (i.lds_bit ? 1 : dwords_of(i.row->dst)); ++c) {
    const unsigned select = r.dst_sel[c];
    vgpr_row result{};
    if (select >= 4 && select - 4 < f.components) {
      unsigned at = 0;
      for (unsigned k = 0; k < select - 4; ++k) at += f.bits[k];
      const unsigned width = f.bits[select - 4];
      for_each_lane(active, [&](int l) {
        const bool in_range = (p.lanes[at / 32].mask >> l & 1) != 0;
        const uint32_t bits = p.data[at / 32].lane[l] >> (at % 32) & ones(width);
        result.lane[l] = in_range ? component_to_register(f.numbers, width, bits) : 0;
      });
    } else {
      fill_lanes(select == 1 || select == 7 ? one : 0, active, result.lane);
    }
    if (i.lds_bit) return write_lds(s, i, result.lane);
    copy_lanes(s.vgpr[i.dst.index + c].lane, result.lane, active);
  }
}

void buffer_store_format(wave_state& s, const inst& i) {
  const buffer_resource r = resource_of(s, i);
  const element_format f = format_for(i, r);
  const unsigned n = dwords_of(i.row->src[1]);
  if (f.components != n)
    throw program_error(fmt::format("{}: the buffer's format has {} components", i.row->mnemonic, f.components));
  host_fp::want(*s.host_csr, host_fp::nearest);
  pieces p;
  map_pieces(s, i, r, f, true, p);
  if (s.access != nullptr) record_buffer(*s.access, p.lanes[0], f.bytes, true, false, false);
  for (unsigned k = 0; k < p.n; ++k)
    for (uint32_t& v : p.data[k].lane) v = 0;
  unsigned at = 0;
  for (unsigned c = 0; c < n; at += f.bits[c++])
    for_each_lane(s.active(), [&](int l) {
      const uint32_t bits = component_to_memory(f.numbers, f.bits[c], s.vgpr[i.src[1].index + c].lane[l]);
      p.data[at / 32].lane[l] |= bits << (at % 32);
      if (s.access != nullptr && overflows(f.numbers, f.bits[c], s.vgpr[i.src[1].index + c].lane[l], bits))
        s.access->overflowed |= uint64_t{1} << l;
    });
  store_pieces(s, p);
}

}  // namespace pws::isa
