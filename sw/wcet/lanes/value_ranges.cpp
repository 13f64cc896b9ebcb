// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/lanes/value_ranges.h"

#include "models/isa/operands.h"
#include "models/isa/predicates.h"
#include "sw/wcet/lanes/lane_transfer.h"

namespace pws::wcet {

namespace {

// Whose sources may count a loop's passes, or decide whether it goes on.
bool is_asked(const isa::inst& i) {
  if (i.relative_index) return false;  // its registers are others
  switch (operation_of(i)) {
    case isa::operation::add:
    case isa::operation::add_carry:
    case isa::operation::subtract:
    case isa::operation::subtract_borrow:
    case isa::operation::multiply:
    case isa::operation::multiply_add:
    case isa::operation::shift_left:
    case isa::operation::shift_right:
    case isa::operation::compare:
      return isa::is_integer(data_type_of(i)) && isa::has_plain_operands(i);
    default:
      return false;
  }
}

}  // namespace

std::optional<register_place> place_of(const isa::operand& o) {
  if (o.kind == isa::operand_kind::scalar) return o.index;
  if (o.kind == isa::operand_kind::vgpr) return place_of_vector(o.index);
  return std::nullopt;
}

value_ranges::value_ranges(const cfg::flow_graph& graph, const cfg::loop_forest& forest)
    : graph_(graph), forest_(forest) {}

void value_ranges::visit(size_t instruction, const lane_state& before) {
  const isa::inst& i = graph_.code().instructions[instruction];
  if (!is_asked(i) || forest_.innermost(graph_.block_of(instruction)) == cfg::natural_loop::none) return;
  const isa::operand_list list = isa::operands_of(i);
  for (unsigned n = 0; n < list.values(); ++n) {
    const lane_pair v = source64(before, list.value(n).from);
    if (!v.low.is_uniform() || !v.high.is_uniform()) differing_.insert(instruction);
    const word_pair now{v.low.anywhere(), v.high.anywhere()};
    const auto [found, is_new] = sources_.emplace(std::make_pair(instruction, n), now);
    if (is_new) continue;
    found->second.low = join(found->second.low, now.low);
    found->second.high = join(found->second.high, now.high);
  }
}

void value_ranges::visit_edge(size_t from, size_t to, const lane_state& after) {
  edges_.emplace(from, to);
  const size_t l = forest_.innermost(to);
  if (l == cfg::natural_loop::none || forest_.loops()[l].header != to || forest_.loops()[l].contains(from)) return;
  std::vector<word_set> now;
  for (unsigned k = 0; k < isa::scalar_count; ++k) now.push_back(after.scalar(k).value);
  for (unsigned k = 0; k < after.vgprs(); ++k) now.push_back(after.vector(k).anywhere());
  const auto [found, is_new] = entries_.emplace(to, now);
  for (size_t k = 0; !is_new && k < now.size(); ++k) found->second[k] = join(found->second[k], now[k]);
}

bool value_ranges::surely_comes_to(size_t block) const {
  std::vector<size_t> pending{0};
  std::set<size_t> seen{0};
  while (!pending.empty()) {
    const size_t b = pending.back();
    pending.pop_back();
    if (b == block) continue;
    if (graph_[b].successors.empty()) return false;
    for (const size_t to : graph_[b].successors)
      if (edges_.count({b, to}) != 0 && seen.insert(to).second) pending.push_back(to);
  }
  return true;
}

std::optional<word_pair> value_ranges::source(size_t instruction, unsigned n) const {
  const auto found = sources_.find({instruction, n});
  if (found == sources_.end()) return std::nullopt;
  return found->second;
}

word_set value_ranges::entering(size_t header, register_place place) const {
  const auto found = entries_.find(header);
  return found == entries_.end() || place >= found->second.size() ? word_set::any() : found->second[place];
}

}  // namespace pws::wcet
