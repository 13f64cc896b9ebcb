// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/uniformity/condition_trace.h"

#include <algorithm>

#include "models/isa/operands.h"
#include "models/isa/predicates.h"
#include "models/isa/wave_state.h"

namespace pws::wcet {

namespace {

using isa::operand_kind;
using isa::operation;

bool is_register(const isa::operand& o) {
  return o.kind == operand_kind::vgpr || o.kind == operand_kind::scalar;
}
bool is_of_exec(const isa::operand& o) {  // both halves, or the low one
  return o.kind == operand_kind::scalar && o.index == isa::exec_lo;
}

}  // namespace

std::vector<unsigned> condition_operands(const isa::inst& i, cfg::branch_kind kind) {
  std::vector<unsigned> numbers;
  if (kind != cfg::branch_kind::narrowing) return numbers;
  for (unsigned n = 0; n < i.n_src; ++n)
    if (i.native == isa::format::vopc || !is_of_exec(i.src[n])) numbers.push_back(n);
  return numbers;
}

bool condition_trace::writes(const isa::inst& i, const isa::operand& o) const {
  if (is_call(i) || i.relative_index) return true;
  return std::any_of(i.writes, i.writes + i.n_writes, [&](const isa::inst::run& r) {
    return r.is_vgpr == (o.kind == operand_kind::vgpr) && r.first < o.index + std::max<unsigned>(1, o.dwords) &&
           o.index < r.first + r.count;
  });
}

condition_trace::definitions condition_trace::reaching(const isa::operand& o, size_t before) const {
  definitions d;
  std::set<size_t> found;
  std::vector<bool> seen(graph_.size(), false);
  std::vector<size_t> open;
  // Back from `from` (not itself) to its block's first instruction, then to the blocks before.
  const auto look = [&](size_t block, size_t from) {
    for (size_t k = from; k-- > graph_[block].first;)
      if (writes(code_[k], o)) {
        found.insert(k);
        return;
      }
    if (block == 0) d.at_entry = true;
    for (const size_t p : graph_[block].predecessors)
      if (graph_.reachable(p) && !seen[p]) {
        seen[p] = true;
        open.push_back(p);
      }
  };
  look(graph_.block_of(before), before);
  while (!open.empty()) {
    const size_t b = open.back();
    open.pop_back();
    look(b, graph_[b].end);
  }
  d.instructions.assign(found.begin(), found.end());
  return d;
}

// An instruction whose result differs between work-items for what it is, not for what it reads.
std::optional<condition_origin> condition_trace::generates(size_t k) const {
  const isa::inst& i = code_[k];
  if (is_call(i) || i.relative_index) return condition_origin::call;
  const operation o = operation_of(i);
  if (i.is_memory() && i.unit != isa::unit::scalar_memory) {
    if (isa::is_atomic_operation(o) || o == operation::atomic_from_lds) return condition_origin::atomic;
    return exchanges_lanes(i) ? condition_origin::lane_exchange : condition_origin::load;
  }
  if (isa::operands_of(i).sources[0].of_other_lanes || o == operation::count_lanes_below || o == operation::write_lane)
    return condition_origin::lane_exchange;
  return std::nullopt;
}

std::vector<isa::operand> condition_trace::operands_of(size_t k, bool varying) const {
  const isa::inst& i = code_[k];
  std::vector<isa::operand> out;
  for (const isa::input_operand& in : isa::operands_of(i).sources) {
    const bool of_destination = in.role == isa::operand_role::old || in.role == isa::operand_role::kept;
    if ((in.field < 0 && !of_destination) || !is_register(in.from) || is_of_exec(in.from)) continue;
    const unsigned n = of_destination ? unsigned{varying_operands::old_value} : static_cast<unsigned>(in.field);
    if (!varying || varying_[k].at(n)) out.push_back(in.from);
  }
  // Vector registers first: what they hold is the longer way.
  std::stable_partition(out.begin(), out.end(), [](const isa::operand& o) { return o.kind == operand_kind::vgpr; });
  return out;
}

bool condition_trace::varying_from(const isa::operand& o, size_t before, branch_uniformity& b,
                                   std::set<size_t>& seen) const {
  const definitions d = reaching(o, before);
  if (d.at_entry && o.kind == operand_kind::vgpr && o.index < 3) {
    b.origin = condition_origin::work_item_id;
    return true;
  }
  for (const size_t k : d.instructions) {
    if (!seen.insert(k).second) continue;
    b.chain.push_back(k);
    const std::vector<isa::operand> operands = operands_of(k, true);
    const auto what = generates(k);
    // All who execute it read the same of LDS: what differs has been written by others.
    const bool same = what == condition_origin::load && code_[k].unit == isa::unit::lds && operands.empty();
    if (what && !same) {
      b.origin = *what;
      return true;
    }
    for (const isa::operand& from : operands)
      if (varying_from(from, k, b, seen)) return true;
    b.chain.pop_back();
  }
  return false;
}

bool condition_trace::uniform_from(const isa::operand& o, size_t before, branch_uniformity& b,
                                   std::set<size_t>& seen) const {
  const definitions d = reaching(o, before);
  for (const size_t k : d.instructions) {
    if (!seen.insert(k).second) continue;
    b.chain.push_back(k);
    const isa::inst& i = code_[k];
    if (i.is_memory() && i.unit != isa::unit::scalar_memory) {
      b.origin = condition_origin::equal_load;
      return true;
    }
    const std::vector<isa::operand> operands = operands_of(k, false);
    const bool has_vector = std::any_of(operands.begin(), operands.end(),
                                        [](const isa::operand& x) { return x.kind == operand_kind::vgpr; });
    if (operands.empty() && i.unit != isa::unit::scalar_memory) {
      b.origin = condition_origin::constant;
      return true;
    }
    if (i.unit == isa::unit::scalar_memory || is_scalar(i) || operation_of(i) == operation::read_first_lane ||
        operation_of(i) == operation::read_lane) {
      b.origin = condition_origin::scalar;
      // A mask is made of others; a number in a scalar register needs no more.
      if (!is_scalar(i) || i.dst.dwords != 2) return true;
    }
    for (const isa::operand& from : operands)
      if ((!has_vector || from.kind == operand_kind::vgpr) && uniform_from(from, k, b, seen)) return true;
    b.chain.pop_back();
  }
  if (d.at_entry && o.kind == operand_kind::scalar) {
    b.origin = condition_origin::scalar;
    return true;
  }
  return false;
}

void condition_trace::follow(branch_uniformity& b) const {
  const size_t k = b.site.instruction;
  const isa::inst& i = code_[k];
  std::set<size_t> seen;
  if (b.site.kind == cfg::branch_kind::scalar) {  // what last wrote SCC, if that is in the same block
    b.origin = condition_origin::scalar;
    for (size_t n = k; n-- > graph_[graph_.block_of(k)].first;)
      if (code_[n].writes_scc) {
        b.chain.push_back(n);
        return;
      }
    return;
  }
  std::vector<isa::operand> from;
  if (b.site.kind == cfg::branch_kind::mask) from.push_back(isa::scalar_run(isa::vcc_lo, 2));
  for (const unsigned n : condition_operands(i, b.site.kind))
    if (is_register(i.src[n]) && (b.uniform || varying_[k].at(n))) from.push_back(i.src[n]);
  if (b.uniform) {
    b.origin = condition_origin::constant;
    for (const isa::operand& o : from)
      if (uniform_from(o, k, b, seen)) return;
    return;
  }
  for (const isa::operand& o : from)
    if (varying_from(o, k, b, seen)) return;
  // No operand that differs was found where it was written: it does for work-items that were not active there.
  for (const isa::operand& o : from) {
    const definitions d = reaching(o, k);
    if (d.instructions.empty()) continue;
    b.chain.assign(1, d.instructions.front());
    b.origin = condition_origin::other_lanes;
    return;
  }
  b.origin = condition_origin::not_followed;
}

}  // namespace pws::wcet
