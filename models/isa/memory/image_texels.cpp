// SPDX-License-Identifier: Apache-2.0
#include "models/isa/memory/image_texels.h"

#include <cmath>
#include <cstring>

#include "models/isa/vector/half.h"

namespace pws::isa {

namespace {

constexpr uint32_t float_one = 0x3f800000;

// IEC 61966-2-1, from a stored value in 0..1.
uint32_t linear_of_srgb(uint32_t bits) {
  const double v = bit_cast<float>(bits);
  return bit_cast<uint32_t>(static_cast<float>(v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4)));
}

constexpr uint32_t low_bits(unsigned width) {
  return static_cast<uint32_t>((uint64_t{1} << width) - 1);
}

}  // namespace

image_texels::image_texels(const wave_state& s, const image_resource& r, bool for_write, bool returns_data)
    : s_(s), r_(r), for_write_(for_write) {
  for (unsigned c = 1; c < 4; ++c) first_bit_[c] = first_bit_[c - 1] + r.format.bits[c - 1];
  if (s.access == nullptr) return;
  memory_access& a = *s.access;
  a.touches_nothing();  // so far
  a.where = memory_access::space::global;
  a.is_store = for_write;
  a.is_atomic = false;
  a.returns_data = returns_data;
  a.bytes_per_lane = r.format.bytes;
}

uint8_t* image_texels::note(uint64_t address, unsigned k, int lane) const {
  if (memory_access* a = s_.access; a != nullptr) {
    const uint64_t bit = uint64_t{1} << lane;
    if (k == 0) {
      a->mask |= bit;
      a->address[lane] = address;
    } else {
      for (; a->n_further < k; ++a->n_further) a->further[a->n_further].mask = 0;
      a->further[k - 1].mask |= bit;
      a->further[k - 1].address[lane] = address;
    }
  }
  return s_.memory->span(address, address, r_.format.bytes, for_write_);
}

void image_texels::read(uint64_t address, unsigned k, int lane, uint32_t (&component)[4]) const {
  uint32_t raw[4] = {};
  if (const uint8_t* const p = note(address, k, lane); p != nullptr)
    std::memcpy(raw, p, r_.format.bytes);
  else
    s_.memory->read(address, raw, r_.format.bytes, lane);
  const uint32_t absent[4] = {0, 0, 0, r_.format.is_integer() ? 1 : float_one};
  for (unsigned c = 0; c < 4; ++c) {
    const unsigned width = r_.format.bits[c], first = first_bit_[c];
    if (width == 0) {
      component[c] = absent[c];
      continue;
    }
    const uint32_t bits = raw[first / 32] >> (first % 32) & low_bits(width);
    component[c] = component_to_register(r_.format.numbers, width, bits);
    if (r_.srgb && c < 3) component[c] = linear_of_srgb(component[c]);
  }
}

void image_texels::write(uint64_t address, int lane, const uint32_t (&component)[4]) const {
  uint32_t raw[4] = {};
  for (unsigned c = 0; c < r_.format.components; ++c) {
    const uint32_t bits = component_to_memory(r_.format.numbers, r_.format.bits[c], component[c]);
    raw[first_bit_[c] / 32] |= bits << (first_bit_[c] % 32);
    if (s_.access != nullptr && overflows(r_.format.numbers, r_.format.bits[c], component[c], bits))
      s_.access->overflowed |= uint64_t{1} << lane;
  }
  if (uint8_t* const p = note(address, 0, lane); p != nullptr)
    std::memcpy(p, raw, r_.format.bytes);
  else
    s_.memory->write(address, raw, r_.format.bytes, lane);
}

}  // namespace pws::isa
