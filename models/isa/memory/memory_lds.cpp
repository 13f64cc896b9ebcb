// SPDX-License-Identifier: Apache-2.0
#include "models/isa/memory/memory_lds.h"

#include <fmt/format.h>

#include "base/error.h"

namespace pws::isa {

void check_lds(const wave_state& s, uint32_t offset, uint32_t bytes, uint32_t align, int lane) {
  if ((offset & (align - 1)) != 0)
    throw program_error(fmt::format("unaligned LDS access: {} bytes at offset 0x{:x}", bytes, offset), lane);
  const uint64_t end = uint64_t{offset} + bytes;
  if (end > s.lds_bytes)
    throw program_error(
        fmt::format("LDS access out of range: {} bytes at offset 0x{:x}, the workgroup has {} bytes of LDS", bytes,
                    offset, s.lds_bytes),
        lane);
  if (end > s.scalar[m0])
    throw program_error(fmt::format("LDS access out of range: {} bytes at offset 0x{:x}, M0 limits LDS to {} bytes",
                                    bytes, offset, s.scalar[m0]),
                        lane);
}

// Lane by lane: finds the lane at fault, or accepts sums that wrap around or that are aligned though their parts are
// not.
void lds_lanes::exact(const wave_state& s, const uint32_t* row, uint32_t offset, uint32_t bytes, uint32_t align,
                      uint32_t* buffer, lds_window& w) const {
  alignas(64) uint32_t sum[wave_size];
  for (int l = 0; l < wave_size; ++l) sum[l] = row[l] + offset;
  for_each_lane(mask, [&](int l) { check_lds(s, sum[l], bytes, align, l); });
  active_or(sum, mask, sum[__builtin_ctzll(mask)], buffer);
  w = {s.lds, buffer, range_of(buffer, mask, 0)};
}

void record_lds(memory_access& a, const uint8_t* lds, const lds_lanes& lanes, bool two, uint32_t bytes, bool is_store,
                bool is_atomic, bool returns) {
  a.where = memory_access::space::lds;
  a.is_store = is_store;
  a.is_atomic = is_atomic;
  a.returns_data = returns;
  a.bytes_per_lane = bytes;
  a.mask = lanes.mask;
  a.second_offset = 0;
  if (lanes.empty()) return;
  const uint32_t base = static_cast<uint32_t>(lanes.first.base - lds);
  for (int l = 0; l < wave_size; ++l) a.address[l] = base + lanes.first.offset[l];
  if (two) {
    const uint32_t first = base + lanes.first.offset[__builtin_ctzll(lanes.mask)];
    const uint32_t second =
        static_cast<uint32_t>(lanes.second.base - lds) + lanes.second.offset[__builtin_ctzll(lanes.mask)];
    a.second_offset = second - first;
  }
}

}  // namespace pws::isa
