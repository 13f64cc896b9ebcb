// SPDX-License-Identifier: Apache-2.0
// MUBUF: accesses through a buffer resource (GCN3 ISA 8.1 "Vector Memory Buffer Instructions").
// Address = base + scalar offset + buffer offset. A lane out of the resource's range loads 0 and stores nothing;
// accesses of several dwords are checked dword by dword, formatted ones and atomics as a whole. In range but outside
// every allocation is a program_error, and so is leaving the wavefront's scratch through the private segment's
// resource.
#pragma once

#include "base/error.h"
#include "models/isa/inst.h"
#include "models/isa/memory/memory_atomics.h"
#include "models/isa/memory/memory_lanes.h"

namespace pws::isa {

// The 128-bit resource (V#), decoded (GCN3 ISA, table "Buffer Resource Descriptor").
struct buffer_resource {
  uint64_t base = 0;
  uint32_t stride = 0;  // bytes; with add_tid the data format's field extends it
  bool swizzle = false;
  uint32_t num_records = 0;  // bytes, or elements of `stride` bytes in a swizzled buffer with a stride
  uint8_t dst_sel[4] = {};   // 0: 0, 1: 1, 4..7: x, y, z, w
  uint8_t num_format = 0, data_format = 0;
  uint32_t element_shift = 2;  // log2 of bytes
  uint32_t index_shift = 6;    // log2 of the indices side by side
  bool add_tid = false;        // lane number is added to the index

  static buffer_resource from(const uint32_t* words);
  bool structured() const { return stride != 0 && swizzle; }
};

// Where one value per lane lies. `mask`: active lanes in range; `outside`: active lanes out of range.
struct buffer_lanes {
  uint64_t mask = 0, outside = 0;
  uint8_t* base = nullptr;  // host address of offset 0, or nullptr: lane by lane through `address`
  bool in_scratch = false;  // in the wavefront's own, by the private segment's resource
  lane_range range{};
  alignas(64) uint32_t offset[wave_size];
  uint64_t address[wave_size];  // valid without a window, and when accesses are recorded
};

// Copy a lane's bytes, with a window or without. Throw program_error.
inline void read_lane(const wave_state& s, const buffer_lanes& lanes, int l, void* to, uint32_t bytes) {
  if (lanes.base != nullptr)
    std::memcpy(to, lanes.base + lanes.offset[l], bytes);
  else if (lanes.in_scratch)
    s.memory->private_read(lanes.address[l], to, bytes, l);
  else
    s.memory->read(lanes.address[l], to, bytes, l);
}
inline void write_lane(const wave_state& s, const buffer_lanes& lanes, int l, const void* from, uint32_t bytes) {
  if (lanes.base != nullptr)
    std::memcpy(lanes.base + lanes.offset[l], from, bytes);
  else if (lanes.in_scratch)
    s.memory->private_write(lanes.address[l], from, bytes, l);
  else
    s.memory->write(lanes.address[l], from, bytes, l);
}

// A value of `bytes` at displacement `at` from the instruction's address. `checked_bytes` from there must be in range.
// Atomics must be naturally aligned, else program_error.
struct buffer_value {
  uint32_t at, bytes, checked_bytes;
  bool for_write;
  bool atomic = false;
};
void map_buffer(const wave_state& s, const inst& i, const buffer_resource& r, const buffer_value& v,
                buffer_lanes& lanes);

buffer_resource resource_of(const wave_state& s, const inst& i);
void record_buffer(memory_access& a, const buffer_lanes& lanes, uint32_t bytes, bool is_store, bool is_atomic,
                   bool returns);

// Loads one value per lane into `row`, 0 where out of range.
template <class Shape>
void buffer_load_value(const wave_state& s, const buffer_lanes& lanes, vgpr_row* row) {
  if (lanes.outside != 0) fill_lanes(0, lanes.outside, row->lane);
  if (lanes.mask == 0) return;
  if (lanes.base != nullptr) {
    load_lanes<Shape>(lanes.base, lanes.offset, lanes.range, lanes.mask, row);
  } else {
    for_each_lane(lanes.mask, [&](int l) {
      uint8_t data[Shape::bytes];
      read_lane(s, lanes, l, data, Shape::bytes);
      Shape::load(data, &row->lane[l]);
    });
  }
}
// The same for N values per lane; a lane stores all of its own before the next lane does.
template <class Part, unsigned N>
void buffer_store_values(const wave_state& s, const buffer_lanes* lanes, const vgpr_row* rows) {
  if (N == 1 && lanes->base != nullptr && lanes->mask != 0)
    return store_lanes<Part>(lanes->base, lanes->offset, lanes->range, lanes->mask, rows);
  uint64_t any = 0;
  for (unsigned k = 0; k < N; ++k) any |= lanes[k].mask;
  for_each_lane(any, [&](int l) {
    for (unsigned k = 0; k < N; ++k) {
      const buffer_lanes& a = lanes[k];
      if ((a.mask >> l & 1) == 0) continue;
      uint8_t data[Part::bytes];
      Part::store(data, &rows[k].lane[l]);
      write_lane(s, a, l, data, Part::bytes);
    }
  });
}

// A load with the lds bit: lane l's dword goes to LDS at M0 [15:0] + the instruction's offset + 4 l. Throws
// program_error where that is unaligned or beyond the workgroup's LDS.
void write_lds(wave_state& s, const inst& i, const uint32_t* row);

// Part: the shape of one value; N of them, side by side. Every value has its own address, since swizzling may part
// them.
template <class Part, unsigned N = 1>
void buffer_load(wave_state& s, const inst& i) {
  const buffer_resource r = resource_of(s, i);
  buffer_lanes lanes[N];  // all addresses first: a destination may be an address register
  for (unsigned k = 0; k < N; ++k) map_buffer(s, i, r, {k * Part::bytes, Part::bytes, Part::bytes, false}, lanes[k]);
  if (s.access != nullptr) record_buffer(*s.access, lanes[0], N * Part::bytes, false, false, true);
  if (__builtin_expect(i.lds_bit, 0)) {
    vgpr_row data;
    buffer_load_value<Part>(s, lanes[0], &data);
    return write_lds(s, i, data.lane);
  }
  for (unsigned k = 0; k < N; ++k) buffer_load_value<Part>(s, lanes[k], &s.vgpr[i.dst.index + k]);
}

template <class Part, unsigned N = 1>
void buffer_store(wave_state& s, const inst& i) {
  const buffer_resource r = resource_of(s, i);
  buffer_lanes lanes[N];
  for (unsigned k = 0; k < N; ++k) map_buffer(s, i, r, {k * Part::bytes, Part::bytes, Part::bytes, true}, lanes[k]);
  if (s.access != nullptr) record_buffer(*s.access, lanes[0], N * Part::bytes, true, false, false);
  buffer_store_values<Part, N>(s, lanes, &s.vgpr[i.src[1].index]);
}

// As flat_atomic; the returned value overwrites the data. Out of range: memory stays, 0 is returned.
template <auto& Op, class T>
void buffer_atomic(wave_state& s, const inst& i) {
  const buffer_resource r = resource_of(s, i);
  buffer_lanes lanes;
  map_buffer(s, i, r, {0, sizeof(T), sizeof(T), true, true}, lanes);
  if (s.access != nullptr) record_buffer(*s.access, lanes, sizeof(T), false, true, i.glc);
  const unsigned data = i.src[1].index, data2 = data + sizeof(T) / 4;
  const bool concurrent = s.memory->is_concurrent() && !lanes.in_scratch;
  for_each_lane(lanes.mask, [&](int l) {
    T old;
    uint8_t* const p = !concurrent             ? nullptr
                       : lanes.base != nullptr ? lanes.base + lanes.offset[l]
                                               : s.memory->span(lanes.address[l], lanes.address[l], sizeof(T), true);
    if (p != nullptr) {
      old = atomic::apply_at<Op, T>(s, p, data, data2, l);
    } else {
      read_lane(s, lanes, l, &old, sizeof old);
      const T fresh = atomic::apply<Op, T>(s, old, data, data2, l);
      write_lane(s, lanes, l, &fresh, sizeof fresh);
    }
    if (i.glc) set_lane_value(s, i.dst.index, l, old);
  });
  if (i.glc && lanes.outside != 0)
    for (unsigned k = 0; k < sizeof(T) / 4; ++k) fill_lanes(0, lanes.outside, s.vgpr[i.dst.index + k].lane);
}

// buffer_wbinvl1 and buffer_wbinvl1_vol: memory is always coherent here; the timing model acts on the row.
void buffer_cache_control(wave_state& s, const inst& i);

}  // namespace pws::isa
