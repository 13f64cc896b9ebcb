// SPDX-License-Identifier: Apache-2.0
#include "platform/instruments/check/access_pieces.h"

#include "models/isa/memory/memory_ds.h"
#include "models/isa/predicates.h"

namespace pws::platform {

namespace {

const uint32_t (*rows(const isa::wave_state& s, const isa::operand& o))[64] {
  return o.kind == isa::operand_kind::vgpr ? &s.vgpr[o.index].lane : nullptr;
}

// Lanes whose addresses are not in the wavefront's own scratch memory.
uint64_t outside_scratch(const isa::wave_state& s, uint64_t lanes, const uint64_t* address) {
  const uint64_t bytes = uint64_t{isa::wave_size} * s.scratch_bytes_per_lane;
  if (bytes == 0) return lanes;
  uint64_t mask = 0;
  for (uint64_t rest = lanes; rest != 0; rest &= rest - 1) {
    const int l = __builtin_ctzll(rest);
    if (address[l] - s.scratch_base >= bytes) mask |= rest & (0 - rest);
  }
  return mask;
}

}  // namespace

void access_pieces::set(const models::wf_context& c, const isa::inst& i, const isa::memory_access& a) {
  using kind = access_piece::kind;
  n_ = 0;
  const isa::wave_state& s = c.state;
  access_piece p;
  p.does = a.is_atomic ? kind::atomic : a.is_store ? kind::store : kind::load;
  p.returns_data = a.returns_data;
  p.bytes = a.bytes_per_lane;
  p.address = a.address;
  switch (a.where) {
    case isa::memory_access::space::none:
      break;
    case isa::memory_access::space::scalar:
      p.scalar = true;
      p.past_cache = i.glc && !a.is_store;
      if (a.is_store && i.src[1].kind == isa::operand_kind::scalar) {
        for (unsigned k = 0; k < p.bytes / 4 && k < 16; ++k) scalar_data_[k][0] = s.scalar[i.src[1].index + k];
        p.data = scalar_data_;
      }
      if (a.mask != 0) add(p, 1);
      return;
    case isa::memory_access::space::global: {
      p.past_cache = i.glc && p.does == kind::load;
      if (p.does == kind::store && isa::data_type_of(i) != isa::data_type::none) p.data = rows(s, i.src[1]);
      const uint64_t mask = outside_scratch(s, a.mask, a.address);
      if (mask != 0) add(p, mask);
      for (unsigned k = 0; k < a.n_further; ++k) {
        const isa::memory_access::texel& t = a.further[k];
        if (const uint64_t lanes = outside_scratch(s, t.mask, t.address); lanes != 0) add(p, lanes).address = t.address;
      }
      break;
    }
    case isa::memory_access::space::lds:
      p.in_lds = true;
      if (p.does == kind::store) p.data = rows(s, i.src[1]);
      if (a.mask != 0) add(p, a.mask);
      break;
  }
  if (a.in_lds != 0) {
    p.in_lds = true;
    p.past_cache = false;
    add(p, a.in_lds);
  }
  if (a.second_offset != 0 && a.mask != 0) {  // ds_read2, ds_write2, ds_wrxchg2
    for (int l = 0; l < isa::wave_size; ++l) address_[l] = static_cast<uint32_t>(a.address[l] + a.second_offset);
    access_piece& second = add(p, a.mask);
    second.address = address_;
    if (p.does == kind::store) second.data = rows(s, i.src[2]);
  } else if (isa::operation_of(i) == isa::operation::atomic_from_lds && a.mask != 0) {
    alignas(64) uint32_t first[isa::wave_size], second[isa::wave_size];
    isa::source2_addresses(s.vgpr[i.src[0].index].lane, i.offset0, first, second);
    for (int l = 0; l < isa::wave_size; ++l) address_[l] = second[l];
    access_piece& source = add(p, a.mask);
    source.does = kind::load;
    source.address = address_;
  } else if (i.lds_bit && i.unit == isa::unit::vector_memory && s.active() != 0) {
    const uint32_t base = (s.scalar[isa::m0] & 0xffff) + i.offset0;
    for (uint32_t l = 0; l < isa::wave_size; ++l) address_[l] = base + 4 * l;
    access_piece to;
    to.does = kind::store;
    to.in_lds = true;
    to.bytes = 4;
    to.address = address_;
    add(to, s.active());
  }
}

}  // namespace pws::platform
