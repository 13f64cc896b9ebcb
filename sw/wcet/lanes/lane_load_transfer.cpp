// SPDX-License-Identifier: Apache-2.0
// Loads: what the kernel's arguments and the dispatch packet say, and which lanes read the same.
#include "models/isa/predicates.h"
#include "sw/wcet/lanes/lane_transfer.h"

namespace pws::wcet {

void lane_transfer::scalar_load(lane_state& s, const isa::inst& i) const {
  const isa::operand base = i.src[0];
  const bool from_resource = i.row->src[0] == isa::type::b128;  // s_buffer_load
  const word_set offset = i.imm_offset ? word_set::constant(i.offset0) : scalar_source(s, i.src[3]);
  std::optional<uint64_t> distance;  // into `block`
  const std::vector<uint8_t>* block = &facts_.kernarg;
  if (operation_of(i) == isa::operation::load && !from_resource && base.kind == isa::operand_kind::scalar &&
      offset.is_constant()) {
    const scalar_word &low = s.scalar(base.index), &high = s.scalar(base.index + 1u);
    if (low.value.is_constant() && high.value.is_constant()) {
      const uint64_t address = ((low.value.start | uint64_t{high.value.start} << 32) + offset.start) & ~uint64_t{3};
      if (facts_.kernarg_address != 0 && address >= facts_.kernarg_address) distance = address - facts_.kernarg_address;
    } else if (low.relative.from != relative_word::origin::none && low.relative.from == high.relative.from &&
               !low.relative.upper && high.relative.upper && low.relative.distance == high.relative.distance) {
      distance = (uint64_t{low.relative.distance} + offset.start) & ~uint64_t{3};
      if (low.relative.from == relative_word::origin::packet) block = &facts_.dispatch_packet;
    }
  }
  forget_results(s, i);
  if (!distance || i.writes_exec) return;
  for (unsigned k = 0; k < i.dst.dwords; ++k)
    if (const auto v = dword_at(*block, *distance + 4 * k)) s.set_scalar(i.dst.index + k, word_set::constant(*v));
  note_loaded_pointers(s, i);
}

// The lanes' addresses say which of them read the same.
void lane_transfer::vector_load(lane_state& s, const isa::inst& i) const {
  if (operation_of(i) != isa::operation::load || i.dst.kind != isa::operand_kind::vgpr) return forget_results(s, i);
  lane_relation equal = s.vector(i.src[0].index).equality();
  uint32_t addresses = s.vector(i.src[0].index).cover().points();
  if (i.native == isa::format::flat) {
    const lane_value& upper = s.vector(i.src[0].index + 1u);
    addresses = s.wide_cover(i.src[0].index).points();
    equal = equal & upper.equality();
    // Each lane's scratch is its own.
    if (upper.anywhere().contains(facts_.apertures.scratch)) {
      equal = lane_relation::each_its_own();
      addresses = 0;
    }
  }
  word_set what = word_set::any();
  if (data_type_of(i) == isa::data_type::u8) what = word_set::range(0, 0xff);
  if (data_type_of(i) == isa::data_type::u16) what = word_set::range(0, 0xffff);
  lane_value v = lane_value::alike(equal, what);
  if (addresses != 0) v = v.with_cover(lane_cover::of(addresses, 0));
  forget_results(s, i);
  for (unsigned d = 0; d < i.dst.dwords; ++d) s.set_vector(i.dst.index + d, v);
}

}  // namespace pws::wcet
