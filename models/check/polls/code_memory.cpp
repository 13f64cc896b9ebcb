// SPDX-License-Identifier: Apache-2.0
// What loads find and stores change.
#include <algorithm>

#include "models/check/polls/code_state.h"
#include "models/isa/operands.h"
#include "models/isa/predicates.h"

namespace pws::check {

namespace {

using isa::inst;
using isa::operand_kind;
using isa::operation;

bool has_address_register(const inst& i) {
  return i.src[0].kind == operand_kind::vgpr;
}
bool is_mubuf(const inst& i) {
  return i.native == isa::format::mubuf;
}
uint32_t bytes_in_memory(const inst& i) {
  return isa::bytes_of(isa::data_type_of(i));
}

}  // namespace

value_id code_state::place_of(const inst& load) {
  const value_id address = address_of(load);
  return (load.row->flags & isa::double_access) != 0 ? address : values_->sum(address, load.offset0);
}

bool code_state::is_variable(value_id address) const {
  using kind = value_table::kind;
  const value_table::node& n = (*values_)[values_->place_of(address).base];
  return n.of_frame || n.is == kind::slot || (first_round_ && n.is == kind::vector);
}

bool code_state::may_release(const inst& i) {
  if (i.unit == isa::unit::end || i.unit == isa::unit::barrier || i.unit == isa::unit::message ||
      i.unit == isa::unit::split || i.unit == isa::unit::merge || i.relative_index ||
      (isa::operands_of(i).mode_written & isa::mode_indexing) != 0)
    return true;
  if (!i.is_memory()) return false;
  switch (isa::operation_of(i)) {
    case operation::load:
    case operation::swizzle:
    case operation::permute_forward:
    case operation::permute_backward:
    case operation::lds_nop:
    case operation::read_clock:
    case operation::invalidate_vector_cache:
    case operation::invalidate_scalar_cache:
    case operation::invalidate_instruction_cache:
      return i.lds_bit;
    case operation::store:
      if (is_mubuf(i)) return false;
      return i.native != isa::format::flat || !((*values_)[of(i.src[1], 0)].depends || is_variable(address_of(i)));
    case operation::other:
      return i.src[1].kind != operand_kind::none;
    default:
      return true;
  }
}

bool code_state::decides(const inst& branch) {
  const auto depends = [&](value_id v) { return (*values_)[v].depends; };
  if (isa::tests_scc(branch)) return scc_ != 0 && depends(scc_);
  const unsigned first = isa::tests_exec(branch) ? isa::exec_lo : isa::vcc_lo;
  return depends(held_at(false, first)) || depends(held_at(false, first + 1));
}

void code_state::load(const inst& i) {
  if (i.native == isa::format::flat)
    load_flat(i);
  else if (is_mubuf(i))
    load_slots(i);
  else
    write(i, how_of(i), sources_of(i));
}

void code_state::load_slots(const inst& i) {
  if (has_address_register(i)) {  // an array, in which any of the stores may have been
    how h = how_of(i);
    h.push_back(slot_stores_);
    write(i, h, sources_of(i));
    return;
  }
  const value_id base = of(i.src[3], 0);
  std::vector<value_id> loaded;
  for (unsigned k = 0; k < i.dst.dwords; ++k) {
    const uint32_t at = i.offset0 + 4 * k;
    const auto there = slots_.find({base, at / 4 * 4});
    value_id v = there != slots_.end() ? there->second : values_->slot(base, at / 4 * 4);
    if (bytes_in_memory(i) < 4) v = values_->made(how_of(i), {v});
    loaded.push_back(v);
  }
  for (unsigned k = 0; k < loaded.size(); ++k) held(true, i.dst.index + k) = loaded[k];
}

void code_state::store_slots(const inst& i) {
  ++slot_stores_;
  if (has_address_register(i)) return;  // an array: slots are no part of it
  const value_id base = of(i.src[3], 0);
  for (unsigned k = 0; k < i.src[1].dwords; ++k) {
    const uint32_t at = (i.offset0 + 4 * k) / 4 * 4;
    value_id& there = slots_[{base, at}];
    value_id v = of(i.src[1], k);
    if (bytes_in_memory(i) < 4) v = values_->made(how_of(i), {there != 0 ? there : values_->slot(base, at), v});
    there = v;
  }
}

// What a load of these bytes finds.
value_id code_state::in_flat(const inst& i, value_table::place at, uint32_t bytes) {
  std::vector<value_id> parts{at.base};
  for (auto s = flat_.rbegin(); s != flat_.rend(); ++s) {
    if (s->base != at.base || s->offset >= at.offset + bytes || at.offset >= s->offset + s->bytes) continue;
    if (s->offset == at.offset && s->bytes == bytes && parts.size() == 1)
      return bytes == 4 ? s->data : values_->made(how_of(i), {s->data});
    parts.push_back(s->data);
  }
  how h = how_of(i);
  h.insert(h.end(), {at.offset, bytes, unknown_stores_});
  return values_->made(h, parts);
}

void code_state::load_flat(const inst& i) {
  const value_table::place at = values_->place_of(address_of(i));
  const uint32_t bytes = std::min(bytes_in_memory(i), 4u);
  std::vector<value_id> loaded;
  for (uint32_t k = 0; k < i.dst.dwords; ++k) loaded.push_back(in_flat(i, {at.base, at.offset + 4 * k}, bytes));
  for (unsigned k = 0; k < loaded.size(); ++k) held(true, i.dst.index + k) = loaded[k];
}

void code_state::store(const inst& i) {
  if (is_mubuf(i)) {
    store_slots(i);
    return;
  }
  if (i.native != isa::format::flat) return;  // such a store ends the way
  const value_id address = address_of(i);
  if (!is_variable(address)) {
    flat_.clear();
    ++unknown_stores_;
  }
  const value_table::place at = values_->place_of(address);
  const uint32_t bytes = std::min(bytes_in_memory(i), 4u);
  for (uint32_t k = 0; k < i.src[1].dwords; ++k) {
    const stored s{at.base, at.offset + 4 * k, bytes, of(i.src[1], k)};
    flat_.erase(std::remove_if(flat_.begin(), flat_.end(),
                               [&](const stored& o) {
                                 return o.base == s.base && o.offset >= s.offset &&
                                        o.offset + o.bytes <= s.offset + s.bytes;
                               }),
                flat_.end());
    flat_.push_back(s);
  }
}

}  // namespace pws::check
