// SPDX-License-Identifier: Apache-2.0
#include "models/isa/memory/memory_buffer.h"

#include <fmt/format.h>

#include "models/isa/bit_field.h"
#include "models/isa/memory/memory_scalar.h"
#include "models/isa/opcode_row.h"

namespace pws::isa {

namespace {

// The resource that HSA gives a kernel for its private segment: dwords of the 64 lanes side by side.
bool is_private_layout(const buffer_resource& r) {
  return r.swizzle && r.add_tid && r.stride == 0 && r.index_shift == 6 && r.element_shift == 2;
}

bool is_wave_scratch(const wave_state& s, const buffer_resource& r) {
  return is_private_layout(r) && r.base == s.scratch_base && s.scratch_bytes_per_lane != 0;
}

// The same by the addresses: older code has a resource of all wavefronts' scratch, and its own place in the offset.
bool is_in_wave_scratch(const wave_state& s, const buffer_resource& r, uint64_t first, uint64_t end) {
  return is_private_layout(r) && first >= s.scratch_base &&
         end - s.scratch_base <= uint64_t{wave_size} * s.scratch_bytes_per_lane;
}

// Bytes that a raw buffer offers beyond base + scalar offset.
uint64_t raw_limit(const buffer_resource& r, uint32_t soffset) {
  return r.num_records > soffset ? r.num_records - soffset : 0;
}

// One lane's place in the buffer, in full generality.
struct buffer_place {
  uint64_t index;
  uint64_t offset;  // within the buffer, without base and scalar offset
};

buffer_place place_of(const inst& i, const buffer_resource& r, const buffer_value& v, uint32_t vindex, uint32_t voffset,
                      int lane) {
  const uint64_t index = uint64_t{vindex} + (r.add_tid ? static_cast<unsigned>(lane) : 0u);
  const uint64_t offset = uint64_t{voffset} + i.offset0 + v.at;
  if (!r.swizzle) return {index, offset + index * r.stride};
  const uint64_t element = uint64_t{1} << r.element_shift;
  const uint64_t inner = offset & (element - 1);
  // Elements of a swizzled buffer lie apart. Within one, compilers place 16-bit members of packed structures anywhere.
  if (inner + v.bytes > element)
    throw program_error(
        fmt::format("unaligned access to a swizzled buffer: {} bytes at offset 0x{:x}", v.bytes, offset), lane);
  const uint64_t stride_index = uint64_t{1} << r.index_shift;
  const uint64_t outer = (index >> r.index_shift) * r.stride + (offset & ~(element - 1));
  return {index, outer * stride_index + ((index & (stride_index - 1)) << r.element_shift) + inner};
}

// Lane by lane; also finds the lane at fault.
void map_general(const wave_state& s, const inst& i, const buffer_resource& r, const buffer_value& v, uint32_t soffset,
                 buffer_lanes& lanes) {
  const uint64_t active = s.active();
  const vgpr_row* vaddr = i.src[0].kind == operand_kind::vgpr ? &s.vgpr[i.src[0].index] : nullptr;
  const vgpr_row* vindex = i.idxen ? vaddr : nullptr;
  const vgpr_row* voffset = i.offen ? vaddr + (i.idxen ? 1 : 0) : nullptr;
  const bool scratch = is_wave_scratch(s, r);
  uint64_t low = ~uint64_t{0}, high = 0;
  lanes.mask = 0;
  lanes.outside = 0;
  for_each_lane(active, [&](int l) {
    const buffer_place p = place_of(i, r, v, vindex ? vindex->lane[l] : 0, voffset ? voffset->lane[l] : 0, l);
    const bool in_range =
        r.structured() ? p.index < r.num_records : p.offset + v.checked_bytes <= raw_limit(r, soffset);
    if (scratch && (!in_range || soffset + p.offset + v.bytes > uint64_t{wave_size} * s.scratch_bytes_per_lane))
      throw program_error(
          fmt::format("private access out of range: {} bytes at offset 0x{:x}, the work-item has {} bytes of "
                      "scratch",
                      v.bytes, soffset / wave_size + (voffset ? voffset->lane[l] : 0ull) + i.offset0 + v.at,
                      s.scratch_bytes_per_lane),
          l);
    const uint64_t bit = uint64_t{1} << l;
    if (!in_range) {
      lanes.outside |= bit;
      return;
    }
    lanes.mask |= bit;
    lanes.address[l] = r.base + soffset + p.offset;
    if (v.atomic && (lanes.address[l] & (v.bytes - 1)) != 0)
      throw program_error(fmt::format("unaligned atomic: {} bytes at address 0x{:x}", v.bytes, lanes.address[l]), l);
    low = lanes.address[l] < low ? lanes.address[l] : low;
    high = lanes.address[l] > high ? lanes.address[l] : high;
  });
  lanes.base = nullptr;
  if (lanes.mask == 0) return;
  lanes.in_scratch = is_in_wave_scratch(s, r, low, high + v.bytes);
  if (high - low >= max_window) return;
  lanes.base =
      lanes.in_scratch ? s.memory->private_span(low, high, v.bytes) : s.memory->span(low, high, v.bytes, v.for_write);
  if (lanes.base == nullptr) return;
  const int first = __builtin_ctzll(lanes.mask);
  for (int l = 0; l < wave_size; ++l)
    lanes.offset[l] = static_cast<uint32_t>(lanes.address[(lanes.mask >> l & 1) != 0 ? l : first] - low);
  lanes.range = range_of(lanes.offset, lanes.mask, 0);
}

// The hot path: the private segment's layout, every lane in range and aligned. False: nothing done.
bool map_private(const wave_state& s, const inst& i, const buffer_resource& r, const buffer_value& v, uint32_t soffset,
                 buffer_lanes& lanes) {
  if (!is_private_layout(r) || i.idxen || v.bytes > 4 || ((r.base + soffset) & 3) != 0) return false;
  const uint32_t constant = i.offset0 + v.at;
  lanes.mask = s.active();
  uint32_t low = constant, high = constant, misaligned = constant;
  if (i.offen) {
    const uint32_t* row = active_offsets(s.vgpr[i.src[0].index].lane, lanes.mask, lanes.offset);
    const lane_range voffset = range_of(row, lanes.mask, 0);
    if (voffset.high >= max_window / wave_size) return false;
    misaligned |= voffset.bits;
    low += voffset.low;
    high += voffset.high;
    for (uint32_t l = 0; l < wave_size; ++l) lanes.offset[l] = row[l] + constant;
  }
  if ((misaligned & (v.bytes - 1)) != 0) return false;
  // The last dword row that any lane touches must be in range as a whole.
  const uint64_t end = uint64_t{high / 4 + 1} * 4 * wave_size;
  const uint64_t limit = is_wave_scratch(s, r) ? uint64_t{wave_size} * s.scratch_bytes_per_lane : ~uint64_t{0};
  if (end > raw_limit(r, soffset) || soffset + end > limit) return false;
  const uint64_t first = r.base + soffset + uint64_t{low / 4} * 4 * wave_size;
  const uint64_t last = r.base + soffset + end - 4;
  if (last - first >= max_window) return false;
  lanes.in_scratch = is_in_wave_scratch(s, r, first, last + 4);
  lanes.base = lanes.in_scratch ? s.memory->private_span(first, last, 4) : s.memory->span(first, last, 4, v.for_write);
  if (lanes.base == nullptr) return false;
  lanes.outside = 0;
  const uint32_t skip = low / 4 * (4 * wave_size);
  if (low == high) {
    for (uint32_t l = 0; l < wave_size; ++l) lanes.offset[l] = 4 * l + low % 4;
    lanes.range = {low % 4, 4 * (wave_size - 1) + low % 4, 0, v.bytes == 4 && lanes.mask == all_lanes};
  } else {
    for (uint32_t l = 0; l < wave_size; ++l) {
      const uint32_t at = lanes.offset[l];
      lanes.offset[l] = at / 4 * (4 * wave_size) + 4 * l + at % 4 - skip;
    }
    lanes.range = {0, static_cast<uint32_t>(last - first), 0, false};
  }
  if (s.access != nullptr)
    for (int l = 0; l < wave_size; ++l) lanes.address[l] = first + lanes.offset[l];
  return true;
}

}  // namespace

buffer_resource buffer_resource::from(const uint32_t* w) {
  static constexpr uint8_t index_shifts[] = {3, 4, 5, 6};
  buffer_resource r;
  r.base = w[0] | uint64_t{bits(w[1], 15, 0)} << 32;
  r.stride = bits(w[1], 29, 16);
  r.swizzle = bits(w[1], 31, 31) != 0;
  r.num_records = w[2];
  for (unsigned c = 0; c < 4; ++c) r.dst_sel[c] = static_cast<uint8_t>(bits(w[3], 3 * c + 2, 3 * c));
  r.num_format = static_cast<uint8_t>(bits(w[3], 14, 12));
  r.data_format = static_cast<uint8_t>(bits(w[3], 18, 15));
  r.element_shift = bits(w[3], 20, 19) + 1;
  r.index_shift = index_shifts[bits(w[3], 22, 21)];
  r.add_tid = bits(w[3], 23, 23) != 0;
  if (r.add_tid) r.stride |= uint32_t{r.data_format} << 14;
  return r;
}

buffer_resource resource_of(const wave_state& s, const inst& i) {
  return buffer_resource::from(&s.scalar[i.src[2].index]);
}

void map_buffer(const wave_state& s, const inst& i, const buffer_resource& r, const buffer_value& v,
                buffer_lanes& lanes) {
  if (s.active() == 0) {
    lanes.mask = lanes.outside = 0;
    return;
  }
  const uint32_t soffset = scalar_operand_value(s, i.src[3]);
  if (!map_private(s, i, r, v, soffset, lanes)) map_general(s, i, r, v, soffset, lanes);
}

void record_buffer(memory_access& a, const buffer_lanes& lanes, uint32_t bytes, bool is_store, bool is_atomic,
                   bool returns) {
  a.where = memory_access::space::global;
  a.is_store = is_store;
  a.is_atomic = is_atomic;
  a.returns_data = returns;
  a.bytes_per_lane = bytes;
  a.mask = lanes.mask;
  a.second_offset = 0;
  if (lanes.mask != 0) std::memcpy(a.address, lanes.address, sizeof a.address);
}

void write_lds(wave_state& s, const inst& i, const uint32_t* row) {
  const uint32_t base = (s.scalar[m0] & 0xffff) + i.offset0;
  for_each_lane(s.active(), [&](int l) {
    const uint32_t at = base + 4 * static_cast<uint32_t>(l);
    if ((at & 3) != 0 || uint64_t{at} + 4 > s.lds_bytes)
      throw program_error(fmt::format("{} to LDS: offset 0x{:x} is unaligned or beyond the workgroup's {} bytes",
                                      i.row->mnemonic, at, s.lds_bytes),
                          l);
    std::memcpy(s.lds + at, &row[l], sizeof row[l]);
  });
}

void buffer_cache_control(wave_state& s, const inst&) {
  if (s.access == nullptr) return;
  s.access->where = memory_access::space::none;
  s.access->mask = 0;
}

}  // namespace pws::isa
