// SPDX-License-Identifier: Apache-2.0
#include "models/isa/memory/memory_flat.h"

#include <fmt/format.h>

#include "base/error.h"

namespace pws::isa {

namespace {

using segment = flat_lanes::segment;

// An aperture at address 0 means that there is none.
bool in_aperture(uint32_t high, uint64_t aperture) {
  return aperture != 0 && high == aperture >> 32;
}

segment segment_of(const wave_state& s, uint32_t high) {
  if (in_aperture(high, s.shared_aperture)) return segment::shared;
  if (in_aperture(high, s.private_aperture)) return segment::scratch;
  return segment::global;
}

// Where a work-item's private byte lies relative to the wavefront's scratch: dwords of the 64 lanes side by side, so
// that equal private addresses are consecutive in memory.
uint64_t swizzled(uint32_t offset, int lane) {
  return uint64_t{offset / 4} * 4 * wave_size + uint64_t{4} * static_cast<unsigned>(lane) + offset % 4;
}

uint8_t* lds_pointer(const wave_state& s, uint32_t offset, uint32_t bytes, int lane) {
  const uint32_t align = bytes < 4 ? bytes : 4;
  if ((offset & (align - 1)) != 0)
    throw program_error(fmt::format("unaligned flat access to LDS: {} bytes at offset 0x{:x}", bytes, offset), lane);
  if (uint64_t{offset} + bytes > s.lds_bytes)
    throw program_error(
        fmt::format("flat access to LDS out of range: {} bytes at offset 0x{:x}, the workgroup has {} bytes of "
                    "LDS",
                    bytes, offset, s.lds_bytes),
        lane);
  return s.lds + offset;
}

void check_private(const wave_state& s, uint32_t offset, uint32_t bytes, int lane) {
  if (uint64_t{offset} + bytes > s.scratch_bytes_per_lane)
    throw program_error(
        fmt::format("private access out of range: {} bytes at offset 0x{:x}, the work-item has {} bytes of "
                    "scratch",
                    bytes, offset, s.scratch_bytes_per_lane),
        lane);
}

// Calls f(address, position, bytes) for the pieces of a private access: each lies within one dword.
template <class F>
void for_private_pieces(const wave_state& s, uint32_t offset, uint32_t bytes, int lane, F f) {
  check_private(s, offset, bytes, lane);
  for (uint32_t done = 0; done < bytes;) {
    const uint32_t at = offset + done;
    const uint32_t room = 4 - at % 4;
    const uint32_t n = bytes - done < room ? bytes - done : room;
    f(s.scratch_base + swizzled(at, lane), done, n);
    done += n;
  }
}

}  // namespace

void flat_read(const wave_state& s, uint64_t address, int lane, void* data, uint32_t bytes) {
  const auto offset = static_cast<uint32_t>(address);
  auto* to = static_cast<uint8_t*>(data);
  switch (segment_of(s, static_cast<uint32_t>(address >> 32))) {
    case segment::shared:
      std::memcpy(to, lds_pointer(s, offset, bytes, lane), bytes);
      break;
    case segment::scratch:
      for_private_pieces(s, offset, bytes, lane, [&](uint64_t at, uint32_t done, uint32_t n) {
        s.memory->private_read(at, to + done, n, lane);
      });
      break;
    default:
      s.memory->read(address, to, bytes, lane);
      break;
  }
}

void flat_write(const wave_state& s, uint64_t address, int lane, const void* data, uint32_t bytes) {
  const auto offset = static_cast<uint32_t>(address);
  const auto* from = static_cast<const uint8_t*>(data);
  switch (segment_of(s, static_cast<uint32_t>(address >> 32))) {
    case segment::shared:
      std::memcpy(lds_pointer(s, offset, bytes, lane), from, bytes);
      break;
    case segment::scratch:
      for_private_pieces(s, offset, bytes, lane, [&](uint64_t at, uint32_t done, uint32_t n) {
        s.memory->private_write(at, from + done, n, lane);
      });
      break;
    default:
      s.memory->write(address, from, bytes, lane);
      break;
  }
}

void check_atomic_alignment(uint64_t address, uint32_t bytes, int lane) {
  if ((address & (bytes - 1)) != 0)
    throw program_error(fmt::format("unaligned atomic: {} bytes at address 0x{:x}", bytes, address), lane);
}

// All lanes in LDS, or in scratch with an access that stays within a dword: a window as well. `low` holds the low
// halves of the addresses, a disabled lane's replaced by an active one's.
void flat_lanes::map_aperture(const wave_state& s, uint32_t bytes, uint32_t high, const uint32_t* low) {
  const uint32_t align = bytes < 4 ? bytes : 4;
  if ((range.bits & (align - 1)) != 0) return;
  const segment found = segment_of(s, high);
  if (found == segment::shared && uint64_t{range.high} + bytes <= s.lds_bytes) {
    where = found;
    base = s.lds;
    if (!range.run) std::memcpy(offset, low, sizeof offset);
  } else if (found == segment::scratch && bytes <= 4 && uint64_t{range.high} + bytes <= s.scratch_bytes_per_lane &&
             s.scratch_bytes_per_lane < max_window / wave_size) {
    alignas(64) uint32_t at[wave_size], buffer[wave_size];
    for (uint32_t l = 0; l < wave_size; ++l) at[l] = low[l] / 4 * (4 * wave_size) + 4 * l + low[l] % 4;
    const uint32_t* active = active_offsets(at, mask, buffer);
    range = range_of(active, mask, bytes);
    device = s.scratch_base + range.low;
    base = s.memory->private_span(device, s.scratch_base + range.high, bytes);
    if (base == nullptr) return;
    where = found;
    for (int l = 0; l < wave_size; ++l) offset[l] = active[l] - range.low;
    range.high -= range.low;
    range.low = 0;
  }
}

// A mixture of LDS and other lanes is recorded by its global lanes (scratch included), which take longest.
void flat_lanes::record(memory_access& a, const wave_state& s, uint32_t bytes, bool is_store, bool is_atomic,
                        bool returns) const {
  a.where = where == segment::shared ? memory_access::space::lds : memory_access::space::global;
  a.is_store = is_store;
  a.is_atomic = is_atomic;
  a.returns_data = returns;
  a.bytes_per_lane = bytes;
  a.mask = mask;
  a.second_offset = 0;
  a.in_lds = 0;
  if (mask == 0) return;
  if (where != segment::none) {
    if (range.run)
      for (uint32_t l = 0; l < wave_size; ++l) a.address[l] = device + range.low + bytes * l;
    else
      for (int l = 0; l < wave_size; ++l) a.address[l] = device + offset[l];
    return;
  }
  uint64_t shared = 0;
  for_each_lane(mask, [&](int l) {
    const segment lane = segment_of(s, high_[l]);
    if (lane == segment::shared) shared |= uint64_t{1} << l;
    a.address[l] = lane == segment::shared    ? low_[l]
                   : lane == segment::scratch ? s.scratch_base + swizzled(low_[l], l)
                                              : address(l);
  });
  if (shared == mask) {
    a.where = memory_access::space::lds;
  } else {
    a.mask = mask & ~shared;
    a.in_lds = shared;
  }
}

}  // namespace pws::isa
