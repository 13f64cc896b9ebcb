// SPDX-License-Identifier: Apache-2.0
#include "models/compute_unit/lds_unit.h"

#include <algorithm>

#include "models/isa/allocation.h"

namespace pws::models {

namespace {
constexpr uint32_t lanes_per_pass = 32;
constexpr uint32_t max_words_per_pass = lanes_per_pass * 4;  // 128-bit accesses
}  // namespace

lds_unit::lds_unit(const lds_config& c)
    : banks_(c.banks),
      storage_(size_t{c.size_kib} * 1024),
      allocator_(c.size_kib * 1024, isa::lds_granule),
      bank_words_(size_t{c.banks} * max_words_per_pass),
      bank_count_(c.banks) {}

lds_unit::cost lds_unit::half_cycles(const isa::memory_access& a, uint32_t first_lane, uint32_t extra_offset) {
  const auto lanes = static_cast<uint32_t>(a.mask >> first_lane);
  if (lanes == 0) return {};
  std::fill(bank_count_.begin(), bank_count_.end(), 0);
  const uint32_t words = std::max(1u, a.bytes_per_lane / 4);
  uint32_t worst = 1, distinct = 0;
  for (uint32_t m = lanes; m != 0; m &= m - 1) {
    const uint64_t address = a.address[first_lane + static_cast<uint32_t>(__builtin_ctz(m))] + extra_offset;
    for (uint32_t w = 0; w < words; ++w) {
      const auto word = static_cast<uint32_t>(address / 4 + w);
      const uint32_t bank = word % banks_;
      uint32_t* seen = &bank_words_[size_t{bank} * max_words_per_pass];
      uint32_t& n = bank_count_[bank];
      if (std::find(seen, seen + n, word) != seen + n) continue;  // the same word is broadcast
      seen[n++] = word;
      ++distinct;
      worst = std::max(worst, n);
    }
  }
  const uint32_t best = std::max(1u, (distinct + banks_ - 1) / banks_);
  return {worst, worst - best};
}

lds_unit::pattern& lds_unit::slot_for(const isa::memory_access& a, uint32_t first) {
  const auto second_lane = static_cast<uint32_t>(a.address[std::min(first + 1, 63u)] - a.address[first]);
  uint64_t h = a.mask ^ (uint64_t{second_lane} << 20) ^ (uint64_t{a.second_offset} << 40) ^ a.bytes_per_lane;
  h *= 0x9e3779b97f4a7c15u;
  return patterns_[h >> 58];
}

uint32_t lds_unit::cycles(const isa::memory_access& a) {
  if (a.mask == 0) return 1;
  const auto first = static_cast<uint32_t>(__builtin_ctzll(a.mask));
  const uint64_t origin = a.address[first];
  pattern& p = slot_for(a, first);
  alignas(64) std::array<uint32_t, isa::wave_size> distance;
  uint32_t different = 0;
  for (uint32_t l = 0; l < isa::wave_size; ++l) {
    distance[l] = (a.mask >> l & 1) != 0 ? static_cast<uint32_t>(a.address[l] - origin) : 0;
    different |= distance[l] ^ p.distance[l];
  }
  const auto alignment = static_cast<uint32_t>(origin % 4);
  if (different == 0 && p.cycles != 0 && p.mask == a.mask && p.bytes == a.bytes_per_lane &&
      p.second == a.second_offset && p.alignment == alignment) {
    conflict_cycles_ += p.conflicts;
    return p.cycles;
  }
  cost total;
  for (const uint32_t offset : {uint32_t{0}, a.second_offset}) {
    for (const uint32_t half : {uint32_t{0}, lanes_per_pass}) {
      const cost c = half_cycles(a, half, offset);
      total.cycles += c.cycles;
      total.conflicts += c.conflicts;
    }
    if (a.second_offset == 0) break;  // there is no second access
  }
  p.mask = a.mask;
  p.bytes = a.bytes_per_lane;
  p.second = a.second_offset;
  p.alignment = alignment;
  p.distance = distance;
  p.cycles = total.cycles;
  p.conflicts = total.conflicts;
  conflict_cycles_ += p.conflicts;
  return p.cycles;
}

}  // namespace pws::models
