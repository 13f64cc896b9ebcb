// Executors of the DS instructions, one per shape; rows_memory.cpp instantiates them. (GCN3 ISA, "DS Instructions")
// Lanes are processed in order 0..63 where they can see each other: overlapping stores, atomics.
#pragma once

#include "models/isa/memory_atomics.h"
#include "models/isa/memory_lds.h"
#include "models/isa/opcode_row.h"

namespace pws::isa {

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
  atomic::prepare_host<Op>(s.mode);
  for_each_lane(lanes.mask, [&](int l) {
    uint8_t* at = lanes.first.base + lanes.first.offset[l];
    T old;
    std::memcpy(&old, at, sizeof old);
    const T fresh = atomic::apply<Op, T>(s, old, i.src[1].index, i.src[2].index, l);
    std::memcpy(at, &fresh, sizeof fresh);
    if (returns) set_lane_value(s, i.dst.index, l, old);
  });
}

// Lane exchanges: no memory involved.
void ds_swizzle(wave_state& s, const inst& i);
void ds_permute(wave_state& s, const inst& i);
void ds_bpermute(wave_state& s, const inst& i);
void ds_nop(wave_state& s, const inst& i);

}  // namespace pws::isa
