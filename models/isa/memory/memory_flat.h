// SPDX-License-Identifier: Apache-2.0
// Executors of the FLAT instructions (GCN3 ISA, chapter 9 "Flat Memory Instructions"). An address in the shared
// aperture is LDS, in the private aperture the lane's own scratch, any other is global memory. Unaligned accesses to
// global memory and scratch work (HSA runs with SH_MEM_CONFIG.alignment_mode unaligned); LDS accesses must be
// dword-aligned and atomics naturally aligned, else program_error.
#pragma once

#include "models/isa/inst.h"
#include "models/isa/memory/memory_atomics.h"
#include "models/isa/memory/memory_lanes.h"

namespace pws::isa {

// One lane's access, wherever the address points. Throw program_error with the lane.
void flat_read(const wave_state& s, uint64_t address, int lane, void* data, uint32_t bytes);
void flat_write(const wave_state& s, uint64_t address, int lane, const void* data, uint32_t bytes);

// The active lanes' addresses and, where all of them lie in one piece of host memory, the window onto it.
class flat_lanes {
 public:
  // step: see range_of().
  flat_lanes(const wave_state& s, const inst& i, uint32_t bytes, uint32_t step, bool for_write);

  bool empty() const { return mask == 0; }
  // False: the lanes' accesses have no common window or one of them is at fault; go lane by lane.
  bool has_window() const { return base != nullptr; }
  uint64_t address(int l) const { return low_[l] | uint64_t{high_[l]} << 32; }

  // Fills `a`. Call before registers are overwritten, and only if someone times accesses.
  void record(memory_access& a, const wave_state& s, uint32_t bytes, bool is_store, bool is_atomic, bool returns) const;

  enum class segment : uint8_t { none, global, shared, scratch };
  uint64_t mask;
  segment where = segment::none;  // of the window
  uint8_t* base = nullptr;        // host address of offset 0
  uint64_t device = 0;            // device address of offset 0; LDS: 0
  lane_range range;
  alignas(64) uint32_t offset[wave_size];  // valid for all lanes if there is a window and range.run is false

 private:
  void map_aperture(const wave_state& s, uint32_t bytes, uint32_t high, const uint32_t* low);
  const uint32_t* low_;
  const uint32_t* high_;
};

inline flat_lanes::flat_lanes(const wave_state& s, const inst& i, uint32_t bytes, uint32_t step, bool for_write)
    : mask(s.active()), low_(s.vgpr[i.src[0].index].lane), high_(s.vgpr[i.src[0].index + 1].lane) {
  if (mask == 0) return;
  const uint32_t high = high_[__builtin_ctzll(mask)];
  alignas(64) uint32_t buffer[wave_size];
  const uint32_t* upper_halves = active_offsets(high_, mask, buffer);
  uint32_t differ = 0;
  for (int l = 0; l < wave_size; ++l) differ |= upper_halves[l] ^ high;
  if (differ != 0) return;
  const uint32_t* low = active_offsets(low_, mask, buffer);
  range = range_of(low, mask, step);
  const uint64_t upper = uint64_t{high} << 32;
  if (range.high - range.low < max_window)
    base = s.memory->span(upper | range.low, upper | range.high, bytes, for_write);
  if (base == nullptr) {
    map_aperture(s, bytes, high, low);
    return;
  }
  where = segment::global;
  device = upper | range.low;
  if (!range.run)
    for (int l = 0; l < wave_size; ++l) offset[l] = low[l] - range.low;
  range.high -= range.low;
  range.low = 0;
}

template <class Shape>
void flat_load(wave_state& s, const inst& i) {
  const flat_lanes lanes(s, i, Shape::bytes, run_step<Shape>, false);
  if (s.access != nullptr) lanes.record(*s.access, s, Shape::bytes, false, false, true);
  if (lanes.empty()) return;
  vgpr_row* dst = &s.vgpr[i.dst.index];
  if (lanes.has_window()) return load_lanes<Shape>(lanes.base, lanes.offset, lanes.range, lanes.mask, dst);
  for_each_lane(lanes.mask, [&](int l) {
    uint8_t data[Shape::bytes];
    flat_read(s, lanes.address(l), l, data, Shape::bytes);
    uint32_t v[Shape::rows];
    Shape::load(data, v);
    for (unsigned k = 0; k < Shape::rows; ++k) dst[k].lane[l] = v[k];
  });
}

template <class Shape>
void flat_store(wave_state& s, const inst& i) {
  const flat_lanes lanes(s, i, Shape::bytes, run_step<Shape>, true);
  if (s.access != nullptr) lanes.record(*s.access, s, Shape::bytes, true, false, false);
  if (lanes.empty()) return;
  const vgpr_row* src = &s.vgpr[i.src[1].index];
  if (lanes.has_window()) return store_lanes<Shape>(lanes.base, lanes.offset, lanes.range, lanes.mask, src);
  for_each_lane(lanes.mask, [&](int l) {
    uint32_t v[Shape::rows];
    for (unsigned k = 0; k < Shape::rows; ++k) v[k] = src[k].lane[l];
    uint8_t data[Shape::bytes];
    Shape::store(data, v);
    flat_write(s, lanes.address(l), l, data, Shape::bytes);
  });
}

// Throws program_error if the lane's address is not a multiple of `bytes`.
void check_atomic_alignment(uint64_t address, uint32_t bytes, int lane);

// Op(old, data); a two-operand Op takes both from consecutive registers of the data operand. glc returns the old value.
template <auto& Op, class T>
void flat_atomic(wave_state& s, const inst& i) {
  const flat_lanes lanes(s, i, sizeof(T), 0, true);
  if (s.access != nullptr) lanes.record(*s.access, s, sizeof(T), false, true, i.glc);
  if (lanes.empty()) return;
  const unsigned data = i.src[1].index, data2 = data + sizeof(T) / 4;
  const bool concurrent = s.memory->is_concurrent();
  if (lanes.has_window() && (lanes.range.bits & (sizeof(T) - 1)) == 0) {
    for_each_lane(lanes.mask, [&](int l) {
      uint8_t* p = lanes.base + lanes.offset[l];
      T old;
      if (concurrent) {
        old = atomic::apply_at<Op, T>(s, p, data, data2, l);
      } else {
        std::memcpy(&old, p, sizeof old);
        const T fresh = atomic::apply<Op, T>(s, old, data, data2, l);
        std::memcpy(p, &fresh, sizeof fresh);
      }
      if (i.glc) set_lane_value(s, i.dst.index, l, old);
    });
    return;
  }
  for_each_lane(lanes.mask, [&](int l) {
    const uint64_t address = lanes.address(l);
    check_atomic_alignment(address, sizeof(T), l);
    T old;
    // LDS and scratch are no allocations, and nobody else's.
    if (uint8_t* const p = concurrent ? s.memory->span(address, address, sizeof(T), true) : nullptr; p != nullptr) {
      old = atomic::apply_at<Op, T>(s, p, data, data2, l);
    } else {
      flat_read(s, address, l, &old, sizeof old);
      const T fresh = atomic::apply<Op, T>(s, old, data, data2, l);
      flat_write(s, address, l, &fresh, sizeof fresh);
    }
    if (i.glc) set_lane_value(s, i.dst.index, l, old);
  });
}

}  // namespace pws::isa
