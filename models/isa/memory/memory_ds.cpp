// SPDX-License-Identifier: Apache-2.0
#include "models/isa/memory/memory_ds.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/popcount.h"
#include "models/isa/vector/lane_reach.h"

namespace pws::isa {

namespace {

// A lane exchange touches no memory, but an earlier access must not stay recorded.
void record_nothing(wave_state& s) {
  if (s.access == nullptr) return;
  s.access->where = memory_access::space::none;
  s.access->mask = 0;
}

// What the lanes offer to each other: disabled lanes give 0.
void visible_row(const uint32_t* row, uint64_t mask, uint32_t* out) {
  active_or(row, mask, 0, out);
}

}  // namespace

void source2_addresses(const uint32_t* address, uint32_t offset, uint32_t* a, uint32_t* b) {
  const bool from_register = (offset & 0x8000) != 0;
  const auto constant = static_cast<int32_t>(offset << 17) >> 17;
  for (int l = 0; l < wave_size; ++l) {
    const int32_t distance = from_register ? static_cast<int32_t>(address[l]) >> 17 : constant;
    a[l] = from_register ? address[l] & 0x1ffff : address[l];
    b[l] = a[l] + 4 * static_cast<uint32_t>(distance);
  }
}
lds_pairs::lds_pairs(const wave_state& s, const uint32_t* a, const uint32_t* b, uint64_t lanes, uint32_t bytes)
    : first(a), mask(lanes) {
  for_each_lane(lanes, [&](int l) {
    check_lds(s, a[l], bytes, bytes, l);
    check_lds(s, b[l], bytes, bytes, l);
  });
}
void record_pairs(memory_access& record, const lds_pairs& pairs, uint32_t bytes) {
  record.where = memory_access::space::lds;
  record.is_store = false;
  record.is_atomic = true;
  record.returns_data = false;
  record.bytes_per_lane = bytes;
  record.mask = pairs.mask;
  record.second_offset = 0;
  for_each_lane(pairs.mask, [&](int l) { record.address[l] = pairs.first[l]; });
}

void ds_conditional_exchange(wave_state& s, const inst& i) {
  const lds_lanes lanes(s, i, i.offset0, 0, false, 8, 8, 0);
  if (s.access != nullptr) record_lds(*s.access, s.lds, lanes, false, 8, false, true, true);
  if (lanes.empty()) return;
  for_each_lane(lanes.mask, [&](int l) {
    uint8_t* at = lanes.first.base + lanes.first.offset[l];
    uint32_t old[2];
    std::memcpy(old, at, sizeof old);
    for (unsigned k = 0; k < 2; ++k) {
      const uint32_t data = s.vgpr[i.src[1].index + k].lane[l];
      const uint32_t fresh = data & 0x7fffffff;
      if ((data >> 31) != 0) std::memcpy(at + 4 * k, &fresh, sizeof fresh);
    }
    for (unsigned k = 0; k < 2; ++k) s.vgpr[i.dst.index + k].lane[l] = old[k];
  });
}

namespace {

void count_lanes(wave_state& s, const inst& i, bool add) {
  const uint64_t mask = s.active();
  const uint32_t at = (s.scalar[m0] >> 16) + i.offset0;
  if (s.access != nullptr) {
    record_nothing(s);
    memory_access& a = *s.access;
    a.where = memory_access::space::lds;
    a.is_store = false;
    a.is_atomic = a.returns_data = true;
    a.bytes_per_lane = 4;
    a.second_offset = 0;
    a.mask = mask & (0 - mask);
    if (mask != 0) a.address[__builtin_ctzll(mask)] = at;
  }
  if (mask == 0) return;
  if ((at & 3) != 0 || uint64_t{at} + 4 > s.lds_bytes)
    throw program_error(
        fmt::format("{}: the counter at LDS offset 0x{:x} is unaligned or beyond the workgroup's {} bytes",
                    i.row->mnemonic, at, s.lds_bytes),
        __builtin_ctzll(mask));
  uint32_t old;
  std::memcpy(&old, s.lds + at, sizeof old);
  const auto lanes = popcount(mask);
  const uint32_t fresh = add ? old + lanes : old - lanes;
  std::memcpy(s.lds + at, &fresh, sizeof fresh);
  fill_lanes(old, mask, s.vgpr[i.dst.index].lane);
}

}  // namespace

void ds_append(wave_state& s, const inst& i) {
  count_lanes(s, i, true);
}
void ds_consume(wave_state& s, const inst& i) {
  count_lanes(s, i, false);
}

void ds_nop(wave_state& s, const inst&) {
  record_nothing(s);
}

void ds_swizzle(wave_state& s, const inst& i) {
  record_nothing(s);
  const uint64_t mask = s.active();
  if (mask == 0) return;
  alignas(64) uint32_t from[wave_size], result[wave_size];
  visible_row(s.vgpr[i.src[0].index].lane, mask, from);
  for (uint32_t l = 0; l < wave_size; ++l) result[l] = from[exchange_partner(i, 0, l)];
  copy_lanes(s.vgpr[i.dst.index].lane, result, mask);
}

// Push: each lane sends its data to the lane its address names; where two collide the higher lane wins, where none
// sends the result is 0.
void ds_permute(wave_state& s, const inst& i) {
  record_nothing(s);
  const uint64_t mask = s.active();
  if (mask == 0) return;
  alignas(64) uint32_t result[wave_size] = {};
  const uint32_t* address = s.vgpr[i.src[0].index].lane;
  const uint32_t* data = s.vgpr[i.src[1].index].lane;
  for_each_lane(mask, [&](int l) { result[exchange_partner(i, address[l], 0)] = data[l]; });
  copy_lanes(s.vgpr[i.dst.index].lane, result, mask);
}

// Pull: each lane reads the data of the lane its address names, 0 if that lane is disabled.
void ds_bpermute(wave_state& s, const inst& i) {
  record_nothing(s);
  const uint64_t mask = s.active();
  if (mask == 0) return;
  alignas(64) uint32_t from[wave_size], offset[wave_size];
  visible_row(s.vgpr[i.src[1].index].lane, mask, from);
  const uint32_t* address = s.vgpr[i.src[0].index].lane;
  for (int l = 0; l < wave_size; ++l) offset[l] = 4 * exchange_partner(i, address[l], 0);
  gather<dwords<1>>(reinterpret_cast<const uint8_t*>(from), offset, mask, &s.vgpr[i.dst.index]);
}

}  // namespace pws::isa
