// SPDX-License-Identifier: Apache-2.0
// Executors of the DS instructions, one per shape; rows_memory.cpp instantiates them. (GCN3 ISA, "DS Instructions")
// Lanes are processed in order 0..63 where they can see each other: overlapping stores, atomics.
#pragma once

#include "models/isa/memory/memory_atomics.h"
#include "models/isa/memory/memory_lds.h"
#include "models/isa/opcode_row.h"

namespace pws::isa {

// Addresses of ds_*_src2, and the check that both are in range and aligned.
void source2_addresses(const uint32_t* address, uint32_t offset, uint32_t* a, uint32_t* b);
struct lds_pairs {
  const uint32_t* first;
  uint64_t mask;
  lds_pairs(const wave_state& s, const uint32_t* a, const uint32_t* b, uint64_t lanes, uint32_t bytes);
};
void record_pairs(memory_access& record, const lds_pairs& pairs, uint32_t bytes);

// Natural alignment; 96- and 128-bit accesses are aligned to 16 bytes.
template <class Shape>
constexpr uint32_t ds_alignment = Shape::bytes > 8 ? 16 : Shape::bytes;

// Distance of ds_*2 instructions' offset units.
template <class Shape, bool St64>
constexpr uint32_t ds_unit = Shape::bytes*(St64 ? 64 : 1);

template <class Shape>
void ds_read(wave_state& s, const inst& i) {
  const lds_lanes lanes(s, i, i.offset0, 0, false, Shape::bytes, ds_alignment<Shape>, run_step<Shape>);
  if (s.access != nullptr) record_lds(*s.access, s.lds, lanes, false, Shape::bytes, false, false, true);
  if (lanes.empty()) return;
  load_lanes<Shape>(lanes.first.base, lanes.first.offset, lanes.first.range, lanes.mask, &s.vgpr[i.dst.index]);
}

template <class Shape, bool St64 = false>
void ds_read2(wave_state& s, const inst& i) {
  constexpr uint32_t unit = ds_unit<Shape, St64>;
  const lds_lanes lanes(s, i, i.offset0 * unit, i.offset1 * unit, true, Shape::bytes, Shape::bytes, run_step<Shape>);
  if (s.access != nullptr) record_lds(*s.access, s.lds, lanes, true, Shape::bytes, false, false, true);
  if (lanes.empty()) return;
  // The first load may overwrite the address register.
  alignas(64) uint32_t offset[wave_size];
  std::memcpy(offset, lanes.second.offset, sizeof offset);
  vgpr_row* dst = &s.vgpr[i.dst.index];
  load_lanes<Shape>(lanes.first.base, lanes.first.offset, lanes.first.range, lanes.mask, dst);
  load_lanes<Shape>(lanes.second.base, offset, lanes.second.range, lanes.mask, dst + Shape::rows);
}

template <class Shape>
void ds_write(wave_state& s, const inst& i) {
  const lds_lanes lanes(s, i, i.offset0, 0, false, Shape::bytes, ds_alignment<Shape>, run_step<Shape>);
  if (s.access != nullptr) record_lds(*s.access, s.lds, lanes, false, Shape::bytes, true, false, false);
  if (lanes.empty()) return;
  store_lanes<Shape>(lanes.first.base, lanes.first.offset, lanes.first.range, lanes.mask, &s.vgpr[i.src[1].index]);
}

// The first access of all lanes, then the second.
template <class Shape, bool St64 = false>
void ds_write2(wave_state& s, const inst& i) {
  constexpr uint32_t unit = ds_unit<Shape, St64>;
  const lds_lanes lanes(s, i, i.offset0 * unit, i.offset1 * unit, true, Shape::bytes, Shape::bytes, run_step<Shape>);
  if (s.access != nullptr) record_lds(*s.access, s.lds, lanes, true, Shape::bytes, true, false, false);
  if (lanes.empty()) return;
  store_lanes<Shape>(lanes.first.base, lanes.first.offset, lanes.first.range, lanes.mask, &s.vgpr[i.src[1].index]);
  store_lanes<Shape>(lanes.second.base, lanes.second.offset, lanes.second.range, lanes.mask, &s.vgpr[i.src[2].index]);
}

// ds_wrxchg2: exchanges two values per lane and returns both old ones.
template <class Shape, bool St64 = false>
void ds_exchange2(wave_state& s, const inst& i) {
  constexpr uint32_t unit = ds_unit<Shape, St64>;
  const lds_lanes lanes(s, i, i.offset0 * unit, i.offset1 * unit, true, Shape::bytes, Shape::bytes, run_step<Shape>);
  if (s.access != nullptr) record_lds(*s.access, s.lds, lanes, true, Shape::bytes, false, true, true);
  if (lanes.empty()) return;
  for_each_lane(lanes.mask, [&](int l) {
    const unsigned data[2] = {i.src[1].index, i.src[2].index};
    uint8_t* at[2] = {lanes.first.base + lanes.first.offset[l], lanes.second.base + lanes.second.offset[l]};
    uint32_t fresh[2][Shape::rows], old[2][Shape::rows];
    for (unsigned n = 0; n < 2; ++n) {
      for (unsigned k = 0; k < Shape::rows; ++k) fresh[n][k] = s.vgpr[data[n] + k].lane[l];
      Shape::load(at[n], old[n]);
      Shape::store(at[n], fresh[n]);
    }
    for (unsigned n = 0; n < 2; ++n)
      for (unsigned k = 0; k < Shape::rows; ++k) s.vgpr[i.dst.index + n * Shape::rows + k].lane[l] = old[n][k];
  });
}

// Op(old, data) or Op(old, data, data2); the row's dst tells whether the old value is returned.
template <auto& Op, class T>
void ds_atomic(wave_state& s, const inst& i) {
  const bool returns = i.dst.kind == operand_kind::vgpr;
  const lds_lanes lanes(s, i, i.offset0, 0, false, sizeof(T), sizeof(T), 0);
  if (s.access != nullptr) record_lds(*s.access, s.lds, lanes, false, sizeof(T), false, true, returns);
  if (lanes.empty()) return;
  atomic::prepare_host<Op>(s);
  for_each_lane(lanes.mask, [&](int l) {
    uint8_t* at = lanes.first.base + lanes.first.offset[l];
    T old;
    std::memcpy(&old, at, sizeof old);
    const T fresh = atomic::apply<Op, T>(s, old, i.src[1].index, i.src[2].index, l);
    std::memcpy(at, &fresh, sizeof fresh);
    if (returns) set_lane_value(s, i.dst.index, l, old);
  });
}

// ds_*_src2: Op(DS[A], DS[B]) to A. B is A plus a signed number of dwords: the low 15 bits of the offset, or, if the
// offset's top bit is set, bits [31:17] of the address register, whose bits [16:0] are then A. (GCN3 ISA,
// DS_ADD_SRC2_U32)
template <auto& Op, class T>
void ds_source2(wave_state& s, const inst& i) {
  const uint64_t mask = s.active();
  alignas(64) uint32_t a[wave_size] = {}, b[wave_size] = {};
  if (mask != 0) source2_addresses(s.vgpr[i.src[0].index].lane, i.offset0, a, b);
  const lds_pairs pairs(s, a, b, mask, sizeof(T));
  if (s.access != nullptr) record_pairs(*s.access, pairs, sizeof(T));
  atomic::prepare_host<Op>(s);
  for_each_lane(mask, [&](int l) {
    T old, data;
    std::memcpy(&old, s.lds + a[l], sizeof old);
    std::memcpy(&data, s.lds + b[l], sizeof data);
    const T fresh = Op(old, data);
    if (s.access != nullptr) s.access->note_change(l, old, data, fresh);
    std::memcpy(s.lds + a[l], &fresh, sizeof fresh);
  });
}

// ds_condxchg32_rtn_b64: of each of two dwords, the old value is returned; data with its top bit set replaces it, that
// bit cleared.
void ds_conditional_exchange(wave_state& s, const inst& i);
// ds_append, ds_consume: the number of active lanes is added to or taken from the dword at M0 [31:16] + offset; all
// lanes get its old value.
void ds_append(wave_state& s, const inst& i);
void ds_consume(wave_state& s, const inst& i);

// Lane exchanges: no memory involved.
void ds_swizzle(wave_state& s, const inst& i);
void ds_permute(wave_state& s, const inst& i);
void ds_bpermute(wave_state& s, const inst& i);
void ds_nop(wave_state& s, const inst& i);

}  // namespace pws::isa
