// SPDX-License-Identifier: Apache-2.0
#include "platform/debug/variable_memory.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace pws::platform::debug {

space_address resolved(const path& p, loader::memory_space space, uint64_t address) {
  if (space != loader::memory_space::flat) return {space, address};
  const isa::wave_state& s = p.context->state;
  constexpr unsigned aperture_bits = 32;
  const auto is_in = [&](uint64_t aperture) {
    return aperture != 0 && address >> aperture_bits == aperture >> aperture_bits;
  };
  const uint64_t offset = address & ~uint32_t{0};
  if (is_in(s.shared_aperture)) return {loader::memory_space::lds, offset};
  if (is_in(s.private_aperture)) return {loader::memory_space::of_lane, offset};
  return {loader::memory_space::global, address};
}

uint64_t flat_address(const path& p, loader::memory_space space, uint64_t address) {
  const isa::wave_state& s = p.context->state;
  return address + (space == loader::memory_space::lds       ? s.shared_aperture
                    : space == loader::memory_space::of_lane ? s.private_aperture
                                                             : 0);
}

namespace {

// The lanes' private memory is interleaved by dword.
void read_private(const scene& s, uint64_t offset, uint8_t* to, uint64_t bytes) {
  constexpr uint64_t interleave = 4;
  const isa::wave_state& w = s.at.context->state;
  if (s.lane < 0) throw input_error("no lane is selected: `lane N` selects one");
  if (offset > w.scratch_bytes_per_lane || bytes > w.scratch_bytes_per_lane - offset)
    throw input_error(fmt::format("{} bytes from {:#x} on are not in a work-item's private memory, which has {} bytes",
                                  bytes, offset, w.scratch_bytes_per_lane));
  while (bytes != 0) {
    const uint64_t in_dword = offset % interleave, part = std::min(bytes, interleave - in_dword);
    const uint64_t row = w.scratch_base + offset / interleave * interleave * isa::wave_size;
    s.machine->runtime.peek(row + interleave * static_cast<uint64_t>(s.lane) + in_dword, to, part);
    offset += part;
    to += part;
    bytes -= part;
  }
}

}  // namespace

void read_variable(const scene& s, loader::memory_space space, uint64_t address, void* to, uint64_t bytes) {
  const space_address at = resolved(s.at, space, address);
  if (at.space == loader::memory_space::lds)
    s.machine->read_lds(s.at, at.address, to, bytes);
  else if (at.space == loader::memory_space::of_lane)
    read_private(s, at.address, static_cast<uint8_t*>(to), bytes);
  else
    s.machine->read(at.address, to, bytes);
}

}  // namespace pws::platform::debug
