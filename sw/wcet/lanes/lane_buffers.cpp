// SPDX-License-Identifier: Apache-2.0
// Into which buffers addresses lead: the pointers that the kernel's arguments have, and what is reckoned from these.
#include "models/isa/operands.h"
#include "models/isa/predicates.h"
#include "sw/wcet/lanes/lane_transfer.h"

namespace pws::wcet {

namespace {

using isa::data_type;
using isa::operand_kind;
using isa::operation;

buffer_set buffers_of(const lane_state& s, const isa::operand& o) {
  if (o.kind == operand_kind::vgpr) return s.vector_buffers(o.index);
  return o.kind == operand_kind::scalar ? s.scalar_buffers(o.index) : 0;
}

// A pointer and a distance. Two pointers do not make one.
buffer_set moved(buffer_set a, buffer_set b) {
  return a == 0 ? b : b == 0 ? a : 0;
}

// One pointer or the other.
buffer_set one_of(buffer_set a, buffer_set b) {
  return a != 0 && b != 0 ? a | b : 0;
}

bool is_word(data_type t) {
  return t == data_type::u32 || t == data_type::i32 || t == data_type::b32;
}

}  // namespace

// Low halves alone: the upper ones go with them.
buffer_set lane_transfer::buffers_of_result(const lane_state& s, const isa::inst& i) const {
  const isa::meaning& m = i.row->means;
  if (!isa::has_plain_operands(i)) return 0;
  const isa::operand_list list = isa::operands_of(i);
  const buffer_set a = buffers_of(s, list.value(0).from), b = buffers_of(s, list.value(1).from);
  switch (m.does) {
    case operation::add:
      if (!is_word(m.of)) return 0;
      return moved(a, b);
    case operation::subtract:
      if (!is_word(m.of)) return 0;
      if (m.reversed) return a == 0 ? b : 0;
      return b == 0 ? a : 0;
    case operation::bit_or:  // of a multiple of 8 and a number below that
      return is_word(m.of) ? moved(a, b) : 0;
    case operation::move:
      return is_word(m.of) || m.of == data_type::b64 ? a : 0;
    case operation::select:
      return one_of(a, b);
    case operation::multiply_add:  // v_mad_u64_u32
      return m.of == data_type::u32 ? buffers_of(s, list.value(2).from) : 0;
    case operation::read_first_lane:
    case operation::read_lane:
      return a;
    default:
      return 0;
  }
}

// Behind a load of scalar registers.
void lane_transfer::note_loaded_pointers(lane_state& s, const isa::inst& i) const {
  for (unsigned k = i.dst.index; k + 1 < i.dst.index + i.dst.dwords; ++k) {
    const word_set &low = s.scalar(k).value, &high = s.scalar(k + 1).value;
    if (!low.is_constant() || !high.is_constant()) continue;
    const uint64_t address = low.start | uint64_t{high.start} << 32;
    for (size_t b = 0; b < facts_.buffers.size() && b < max_buffers; ++b)
      if (facts_.buffers[b].begin <= address && address < facts_.buffers[b].end)
        s.set_scalar_buffers(k, buffer_set{1} << b);
  }
}

}  // namespace pws::wcet
