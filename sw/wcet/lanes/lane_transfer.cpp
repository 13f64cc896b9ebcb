// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/lanes/lane_transfer.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "models/flow/dominators.h"
#include "models/isa/operands.h"
#include "models/isa/predicates.h"
#include "sw/cfg/natural_loops.h"
#include "sw/wcet/flow/split_nesting.h"

namespace pws::wcet {

namespace {

bool saves_exec(const isa::inst& i) {
  return is_saveexec(i) ||
         (is_scalar(i, isa::operation::move, isa::data_type::b64) && i.src[0].kind == isa::operand_kind::scalar &&
          i.src[0].index == isa::exec_lo && i.dst.index != isa::exec_lo);
}

// Code that writes MODE other than where it says what becomes of denormals; and code that is not all here.
bool changes_rounding(const isa::inst& i) {
  return is_indirect_jump(i) || (isa::operands_of(i).mode_written & isa::mode_of_numbers & ~isa::mode_denormals) != 0;
}

}  // namespace

lane_transfer::lane_transfer(const cfg::flow_graph& graph, const launch_facts& facts)
    : graph_(graph), facts_(facts), activity_(graph, cfg::find_divergent_branches(graph.code())) {
  mode_ = facts.descriptor.mode;
  for (const isa::inst& i : graph.code().instructions) {
    if (changes_rounding(i)) mode_ = std::nullopt;
  }
  number_masks();
  find_split_regions();
}

void lane_transfer::number_masks() {
  unsigned next = 1;
  const auto& code = graph_.code().instructions;
  for (size_t k = 0; k < code.size() && next < max_masks; ++k)
    if (saves_exec(code[k])) mask_saved_by_[k] = next++;
  const cfg::loop_forest loops(graph_, cfg::dominator_tree(graph_, cfg::dominator_tree::direction::dominators));
  for (const cfg::natural_loop& l : loops.loops())
    if (next < max_masks) mask_of_loop_[l.header] = next++;
  for (size_t k = 0; k < code.size() && next + 1 < max_masks; ++k)
    if (is_scalar(code[k], isa::operation::bit_xor, isa::data_type::b64) && !code[k].writes_exec) {
      sides_of_[k] = {next, next + 1};
      next += 2;
    }
}

std::optional<unsigned> lane_transfer::mask_of_loop(size_t header) const {
  const auto found = mask_of_loop_.find(header);
  return found == mask_of_loop_.end() ? std::nullopt : std::optional<unsigned>(found->second);
}

lane_transfer::split_region lane_transfer::region_of(const std::vector<size_t>& instructions) const {
  const auto& code = graph_.code().instructions;
  split_region r;
  r.written.assign(256, false);
  r.before.set();
  for (const size_t k : instructions) {
    const isa::inst& i = code[k];
    if (i.relative_index || is_call(i)) r.written.assign(256, true);
    for (unsigned w = 0; w < i.n_writes; ++w)
      for (unsigned n = 0; i.writes[w].is_vgpr && n < i.writes[w].count; ++n)
        if (i.writes[w].first + n < 256u) r.written[i.writes[w].first + n] = true;
    if (const auto m = mask_saved_by_.find(k); m != mask_saved_by_.end()) r.before.reset(m->second);
    if (const auto m = sides_of_.find(k); m != sides_of_.end()) {
      r.before.reset(m->second.first);
      r.before.reset(m->second.second);
    }
    const size_t block = graph_.block_of(k);
    if (const auto m = mask_of_loop_.find(block); m != mask_of_loop_.end()) r.before.reset(m->second);
  }
  return r;
}

void lane_transfer::note_lanes_of_others(const std::vector<size_t>& instructions) {
  std::set<unsigned> rows;
  for (const size_t k : instructions) {
    const isa::inst& i = graph_.code().instructions[k];
    if ((i.row->flags & isa::ignores_exec) != 0 && i.dst.kind == isa::operand_kind::vgpr) rows.insert(i.dst.index);
  }
  if (rows.empty()) return;
  for (const size_t k : instructions) written_by_others_[k].insert(rows.begin(), rows.end());
}

void lane_transfer::find_split_regions() {
  const auto& code = graph_.code().instructions;
  std::vector<size_t> merges;
  bool splits = false;
  for (size_t k = 0; k < code.size(); ++k) {
    if (!graph_.reachable(graph_.block_of(k))) continue;
    splits = splits || code[k].unit == isa::unit::split;
    if (code[k].unit == isa::unit::merge) merges.push_back(k);
  }
  if (!splits && merges.empty()) return;
  try {
    const split_nesting nesting(graph_);
    std::vector<std::vector<size_t>> inside(nesting.splits().size());
    for (size_t k = 0; k < code.size(); ++k)
      for (size_t s = nesting.innermost(k); s != split_nesting::none; s = nesting.parent(s)) inside[s].push_back(k);
    for (const size_t m : merges) merges_[m] = region_of(inside.at(nesting.innermost(m)));
    for (const auto& region : inside) note_lanes_of_others(region);
  } catch (const input_error&) {  // splits that do not nest: anything may have been written by either part
    std::vector<size_t> all(code.size());
    for (size_t k = 0; k < code.size(); ++k) all[k] = k;
    for (const size_t m : merges) merges_[m] = region_of(all);
    note_lanes_of_others(all);
  }
}

std::optional<lane_transfer::split_cases> lane_transfer::cases_of(const lane_state& s, size_t instruction) const {
  const isa::inst& i = graph_.code().instructions[instruction];
  if (i.unit != isa::unit::split || !s.split_mask() || !s.exec_number()) return std::nullopt;
  const word_set low = scalar_source(s, i.src[0]), high = scalar_source(s, i.src[1]);
  if (!low.is_constant() || !high.is_constant()) return std::nullopt;
  const uint64_t mask = low.start | uint64_t{high.start} << 32;
  const uint64_t first = *s.split_mask() & mask, second = *s.split_mask() & ~mask;
  split_cases cases{s, std::nullopt, std::nullopt};
  cases.whole.begin_whole();
  if ((first & s.launched()) == 0 || (second & s.launched()) == 0) return cases;
  cases.first = cases.second = s;
  cases.first->begin_part(first);
  cases.second->begin_part(second);
  return cases;
}

lane_state lane_transfer::merged(const lane_state& first, const lane_state& second, size_t merge) const {
  const split_region& r = merges_.at(merge);
  return lane_state::merged(first, second, r.written, r.before);
}

void lane_transfer::apply(lane_state& s, size_t instruction) const {
  execute(s, instruction);
  if (const auto rows = written_by_others_.find(instruction); rows != written_by_others_.end())
    for (const unsigned row : rows->second) s.forget_vector(row);
}

void lane_transfer::execute(lane_state& s, size_t instruction) const {
  const isa::inst& i = graph_.code().instructions[instruction];
  if (touches_unknown_scalars(i) || is_call(i)) {  // any register
    s.forget_vectors();
    s.forget_scalars();
    s.set_exec(s.unknown_mask());
    return;
  }
  if (i.relative_index) {  // of any vector register, and into any one
    s.forget_vectors();
    return forget_results(s, i);
  }
  if (i.unit == isa::unit::merge) {
    const split_region& r = merges_.at(instruction);
    s.end_any(r.written, r.before);
    return;
  }
  if (i.unit == isa::unit::split) return s.begin_any();
  const buffer_set to = facts_.buffers.empty() ? 0 : buffers_of_result(s, i);
  switch (i.native) {
    case isa::format::sop1:
    case isa::format::sop2:
    case isa::format::sopk:
    case isa::format::sopc:
      scalar_instruction(s, instruction);
      break;
    case isa::format::smem:
      scalar_load(s, i);
      break;
    case isa::format::vop1:
    case isa::format::vop2:
    case isa::format::vop3:
    case isa::format::vopc:
      vector_instruction(s, instruction);
      break;
    case isa::format::flat:
    case isa::format::ds:
      vector_load(s, i);
      break;
    default:
      forget_results(s, i);
      break;
  }
  if (to == 0) return;
  if (i.dst.kind == isa::operand_kind::vgpr) s.set_vector_buffers(i.dst.index, to);
  if (i.dst.kind == isa::operand_kind::scalar && !i.writes_exec) s.set_scalar_buffers(i.dst.index, to);
}

// --- Operands --------------------------------------------------------------------------------------

word_set scalar_source(const lane_state& s, const isa::operand& o) {
  switch (o.kind) {
    case isa::operand_kind::scalar:
      if (o.index + 1u < isa::exec_hi) return s.scalar(o.index).value;
      if (!s.exec_number()) return word_set::any();
      return word_set::constant(static_cast<uint32_t>(*s.exec_number() >> (o.index == isa::exec_hi ? 32 : 0)));
    case isa::operand_kind::constant:
      return word_set::constant(static_cast<uint32_t>(o.value));
    case isa::operand_kind::none:
      return word_set::constant(0);
    case isa::operand_kind::scc:
      return s.scc;
    default:
      return word_set::range(0, 1);
  }
}

lane_value source(const lane_state& s, const isa::operand& o) {
  if (o.kind == isa::operand_kind::vgpr) return s.vector(o.index);
  return {scalar_source(s, o)};
}

lane_pair source64(const lane_state& s, const isa::operand& o) {
  if (o.kind == isa::operand_kind::constant)
    return {lane_value::constant(static_cast<uint32_t>(o.value)),
            lane_value::constant(static_cast<uint32_t>(o.value >> 32))};
  const bool registers = o.kind == isa::operand_kind::scalar || o.kind == isa::operand_kind::vgpr;
  if (o.dwords < 2 || !registers) return {source(s, o), lane_value::constant(0)};  // SCC and the like are one bit
  isa::operand high = o;
  ++high.index;
  return {source(s, o), source(s, high)};
}

lane_mask source_mask(const lane_state& s, const isa::operand& o) {
  if (o.kind == isa::operand_kind::scalar && o.dwords == 2) return s.mask(o.index);
  lane_mask m = s.unknown_mask();
  if (o.kind != isa::operand_kind::constant) return m;
  m.number = m.lanes = o.value;
  if (m.lanes == 0) {
    m.within.set();
    m.within_exec = true;
    m.own_parts = every_part;
  }
  std::array<uint32_t, lanes_per_wave> bits;
  for (unsigned l = 0; l < lanes_per_wave; ++l) bits[l] = static_cast<uint32_t>(o.value >> l & 1);
  m.bits = std::make_shared<const lane_value>(lane_value::of_lanes(bits));
  return m;
}

void forget_results(lane_state& s, const isa::inst& i) {
  for (unsigned w = 0; w < i.n_writes; ++w)
    for (unsigned n = 0; n < i.writes[w].count; ++n) {
      const unsigned index = i.writes[w].first + n;
      if (!i.writes[w].is_vgpr)
        s.set_scalar(index, word_set::any());
      else if (index < s.vgprs())
        s.set_vector(index, lane_value::unknown());
    }
  if (i.writes_scc) {
    s.scc = word_set::range(0, 1);
    s.scc_carries = {};
  }
  if (i.writes_exec) s.set_exec(s.unknown_mask());
}

std::optional<uint32_t> dword_at(const std::vector<uint8_t>& block, uint64_t distance) {
  if (block.size() < 4 || distance > block.size() - 4) return std::nullopt;
  uint32_t v;
  std::memcpy(&v, block.data() + distance, sizeof v);
  return v;
}

}  // namespace pws::wcet
