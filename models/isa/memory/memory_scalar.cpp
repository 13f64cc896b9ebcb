// SPDX-License-Identifier: Apache-2.0
#include "models/isa/memory/memory_scalar.h"

#include "base/error.h"
#include "models/isa/memory/memory_buffer.h"

namespace pws::isa {

namespace {

uint32_t offset_of(const wave_state& s, const inst& i) {
  return i.imm_offset ? i.offset0 : scalar_operand_value(s, i.src[3]);
}

uint64_t address_of(const wave_state& s, const inst& i) {
  return (s.scalar64(i.src[0].index) + offset_of(s, i)) & ~uint64_t{3};
}

void record(wave_state& s, uint64_t address, uint32_t bytes, bool is_store) {
  if (s.access == nullptr) return;
  memory_access& a = *s.access;
  a.where = memory_access::space::scalar;
  a.is_store = is_store;
  a.is_atomic = false;
  a.returns_data = !is_store;
  a.bytes_per_lane = bytes;
  a.mask = 1;
  a.address[0] = address;
  a.second_offset = 0;
}

void touches_no_memory(wave_state& s) {
  if (s.access == nullptr) return;
  s.access->where = memory_access::space::none;
  s.access->mask = 0;
}

// The part of an access of n dwords that the resource holds. Bounds are in bytes, or in strides if it has one.
struct bounded {
  uint64_t address;
  uint32_t n;
};
bounded bounded_access(const wave_state& s, const inst& i, uint32_t n) {
  const auto r = buffer_resource::from(&s.scalar[i.src[0].index]);
  const uint64_t size = uint64_t{r.num_records} * (r.stride != 0 ? r.stride : 1);
  const uint64_t address = (r.base + offset_of(s, i)) & ~uint64_t{3};
  const uint64_t end = r.base + size;
  const uint64_t room = end > address ? (end - address) / 4 : 0;
  return {address, room < n ? static_cast<uint32_t>(room) : n};
}

}  // namespace

uint32_t scalar_operand_value(const wave_state& s, const operand& o) {
  switch (o.kind) {
    case operand_kind::scalar:
      return s.scalar[o.index];
    case operand_kind::constant:
      return static_cast<uint32_t>(o.value);
    case operand_kind::none:
      return 0;
    default:
      throw program_error("a memory instruction's scalar offset must be an SGPR, M0 or a constant");
  }
}

void scalar_load(wave_state& s, const inst& i, uint32_t n) {
  const uint64_t address = address_of(s, i);
  record(s, address, 4 * n, false);
  s.memory->read(address, &s.scalar[i.dst.index], 4 * n, program_error::no_lane);
}

void scalar_store(wave_state& s, const inst& i, uint32_t n) {
  const uint64_t address = address_of(s, i);
  record(s, address, 4 * n, true);
  s.memory->write(address, &s.scalar[i.src[1].index], 4 * n, program_error::no_lane);
}

void scalar_buffer_load(wave_state& s, const inst& i, uint32_t n) {
  const bounded a = bounded_access(s, i, n);
  if (a.n != 0)
    record(s, a.address, 4 * a.n, false);
  else
    touches_no_memory(s);
  uint32_t value[16] = {};
  if (a.n != 0) s.memory->read(a.address, value, 4 * a.n, program_error::no_lane);
  std::memcpy(&s.scalar[i.dst.index], value, 4 * n);
}

void scalar_buffer_store(wave_state& s, const inst& i, uint32_t n) {
  const bounded a = bounded_access(s, i, n);
  if (a.n == 0) return touches_no_memory(s);
  record(s, a.address, 4 * a.n, true);
  s.memory->write(a.address, &s.scalar[i.src[1].index], 4 * a.n, program_error::no_lane);
}

void scalar_time(wave_state& s, const inst& i) {
  touches_no_memory(s);
  s.set_scalar64(i.dst.index, s.time + s.clock_ahead);
}

void scalar_cache_control(wave_state& s, const inst&) {
  touches_no_memory(s);
}

}  // namespace pws::isa
