// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/loops/recurrence.h"

#include <algorithm>
#include <set>

#include "models/isa/operands.h"
#include "models/isa/predicates.h"
#include "sw/wcet/flow/split_nesting.h"

namespace pws::wcet {

namespace {

using isa::operation;
using form = expression::form;

constexpr int64_t most_added = int64_t{1} << 31;

// The result is made of the lane's own registers as the row says.
bool is_plain(const isa::inst& i) {
  return isa::has_plain_operands(i) && !i.clamp && i.omod == 0 && i.neg == 0 && i.abs == 0 && !i.relative_index;
}
bool is_of_words(const isa::inst& i) {
  const isa::data_type t = data_type_of(i);
  return t == isa::data_type::b32 || t == isa::data_type::u32 || t == isa::data_type::i32;
}

expression sum(register_place of, int64_t low, int64_t high) {
  if (low < -most_added || high > most_added) return {};
  return {form::sum, of, low, high};
}

}  // namespace

expression join(const expression& a, const expression& b) {
  if (a == b) return a;
  if (a.is != form::sum || b.is != form::sum || a.of != b.of) return {};
  return sum(a.of, std::min(a.low, b.low), std::max(a.high, b.high));
}

// Follows all walks through one pass.
class pass_follower {
 public:
  pass_follower(const cfg::flow_graph& graph, const cfg::loop_forest& forest, size_t loop, const value_ranges& ranges)
      : graph_(graph), forest_(forest), loop_(forest.loops()[loop]), ranges_(ranges) {
    size_t rows = 0;
    for (const isa::inst& i : graph.code().instructions) rows = std::max<size_t>(rows, i.vgpr_end);
    scc_ = place_of_vector(rows);
    find_scalars_of_parts();
  }

  // Instructions at which the work-item may be active although it was not before: the first of each block, and those
  // behind a write of EXEC.
  std::set<size_t> asked() const {
    std::set<size_t> out;
    for (const size_t b : loop_.blocks) {
      out.insert(graph_[b].first);
      for (size_t k = graph_[b].first; k + 1 < graph_[b].end; ++k)
        if (writes_exec(k)) out.insert(k + 1);
    }
    return out;
  }

  // False: it does not come to an end.
  bool follow(const lane_walks& walks, loop_recurrences& out) {
    constexpr unsigned rounds_before_widening = 8, most_rounds = 64;
    out_ = &out;
    std::vector<std::vector<size_t>> next(walks.nodes.size());
    for (const auto& [from, to] : walks.edges) next[from].push_back(to);
    std::vector<registers> before(walks.nodes.size());
    std::vector<unsigned> rounds(walks.nodes.size(), 0);
    std::set<size_t> pending;
    for (size_t n = 0; n < walks.nodes.size(); ++n) {
      if (walks.nodes[n].block != loop_.header) continue;
      before[n] = initial();
      pending.insert(n);
    }
    while (!pending.empty()) {
      const size_t n = *pending.begin();
      pending.erase(pending.begin());
      registers r = before[n];
      execute(walks.nodes[n], r);
      for (const size_t to : next[n]) {
        if (walks.nodes[to].block == loop_.header) {
          join_into(out.after_pass_, r, false);
          continue;
        }
        note_entry(walks.nodes[n].block, walks.nodes[to].block, r);
        if (!join_into(before[to], r, rounds[to] > rounds_before_widening)) continue;
        if (++rounds[to] > most_rounds) return false;
        pending.insert(to);
      }
    }
    return true;
  }

 private:
  using registers = loop_recurrences::registers;

  // What a scalar register holds behind a merge is what the first part has written of it, whichever part the work-item
  // was in.
  void find_scalars_of_parts() {
    const auto& code = graph_.code().instructions;
    if (std::none_of(code.begin(), code.end(), [](const isa::inst& i) { return i.unit == isa::unit::split; })) return;
    const split_nesting nesting(graph_);
    for (const size_t b : loop_.blocks)
      for (size_t k = graph_[b].first; k < graph_[b].end; ++k) {
        const size_t split = nesting.innermost(k);
        if (split == split_nesting::none || !loop_.contains(graph_.block_of(nesting.splits()[split]))) continue;
        for (unsigned n = 0; n < code[k].n_writes; ++n)
          for (unsigned p = code[k].writes[n].first; p < code[k].writes[n].first + code[k].writes[n].count; ++p)
            if (!code[k].writes[n].is_vgpr) scalars_of_parts_.insert(p);
        if (code[k].relative_index)
          for (register_place p = 0; p < isa::scalar_count; ++p) scalars_of_parts_.insert(p);
      }
  }

  bool writes_exec(size_t k) const {
    const isa::inst& i = graph_.code().instructions[k];
    return i.writes_exec || isa::writes_pair(i, isa::exec_lo);
  }
  registers initial() const {
    registers r(scc_ + 1);
    for (register_place p = 0; p < scc_; ++p) r[p] = expression::itself(p);
    return r;
  }
  static bool join_into(registers& to, const registers& from, bool widen) {
    if (to.empty()) {
      to = from;
      return true;
    }
    bool changed = false;
    for (size_t p = 0; p < to.size(); ++p) {
      const expression e = join(to[p], from[p]);
      if (e == to[p]) continue;
      to[p] = widen ? expression{} : e;
      changed = true;
    }
    return changed;
  }
  void note_entry(size_t from, size_t to, const registers& r) {
    const size_t l = forest_.innermost(to);
    if (forest_.loops()[l].header == to && !forest_.loops()[l].contains(from)) join_into(out_->entries_[to], r, false);
  }

  void execute(const lane_walks::execution& at, registers& r) {
    bool active = false;
    for (size_t k = graph_[at.block].first; k < graph_[at.block].end; ++k) {
      if (k == graph_[at.block].first || writes_exec(k - 1)) active = at.active_at(k);
      const isa::inst& i = graph_.code().instructions[k];
      if (operation_of(i) == operation::compare && (isa::is_scalar(i) || active))
        join_into(out_->compares_[k], r, false);
      write(k, active, r);
    }
  }

  void write(size_t k, bool active, registers& r) const {
    const isa::inst& i = graph_.code().instructions[k];
    if (i.relative_index) {
      std::fill(r.begin(), r.end(), expression{});
      return;
    }
    if (i.unit == isa::unit::merge) {
      for (const register_place p : scalars_of_parts_) r[p] = {};
      r[scc_] = {};
      return;
    }
    const bool of_each_lane =
        isa::is_vector_alu(i.unit) && i.dst.kind == isa::operand_kind::vgpr && operation_of(i) != operation::write_lane;
    const expression result = of_each_lane && !active ? expression{} : result_of(k, r);
    const expression carry = carry_of(k, r), high = moved_high(i, r);
    for (unsigned n = 0; n < i.n_writes; ++n) {
      const isa::inst::run& run = i.writes[n];
      if (run.is_vgpr && of_each_lane && !active) continue;  // as it is, in this lane
      const register_place first = run.is_vgpr ? place_of_vector(run.first) : run.first;
      for (register_place p = first; p < first + run.count && p < scc_; ++p) r[p] = {};
      // A flag has its place in the lower half of its pair.
      if (first > 0 && r[first - 1].is == form::carry) r[first - 1] = {};
    }
    if (i.writes_scc) r[scc_] = isa::is_scalar(i) ? carry : expression{};
    if (const auto flag = i.sdst.dwords == 2 ? place_of(i.sdst) : std::nullopt; flag && active) r[*flag] = carry;
    const auto to = place_of(i.dst);
    if (!to || (of_each_lane && !active)) return;
    if (i.dst.dwords == 1) r[*to] = result;
    if (i.dst.dwords == 2 && high.is != form::unknown) {
      r[*to] = result;
      r[*to + 1] = high;
    }
  }

  // --- Results

  // The upper half of a pair that is moved.
  static expression moved_high(const isa::inst& i, const registers& r) {
    const auto from = place_of(i.src[0]);
    if (!is_on_masks(i, operation::move) || !from) return {};
    return r[*from + 1];
  }
  expression result_of(size_t k, const registers& r) const {
    const isa::inst& i = graph_.code().instructions[k];
    if (!is_plain(i)) return {};
    if (is_on_masks(i, operation::move)) return input(k, 0, r);
    if (!is_of_words(i) || i.dst.dwords != 1) return {};
    switch (operation_of(i)) {
      case operation::move:
        return input(k, 0, r);
      case operation::select:
        return join(input(k, 0, r), input(k, 1, r));
      case operation::conditional_move: {
        const auto old = place_of(i.dst);
        return old ? join(input(k, 0, r), r[*old]) : expression{};
      }
      case operation::add:
        return sum_of(k, false, r);
      case operation::subtract:
        return sum_of(k, true, r);
      case operation::add_carry:
        return upper_sum_of(k, r);
      case operation::shift_left:
      case operation::shift_right:
      case operation::multiply:
        return scaled(k, r);
      case operation::bit_and:
        return without_lowest_bit(input(k, 0, r), input(k, 1, r));
      default:
        return {};
    }
  }
  expression sum_of(size_t k, bool subtracts, const registers& r) const {
    for (const unsigned n : {0u, 1u}) {
      const expression e = input(k, n, r);
      const auto by = number(k, 1 - n);
      if (e.is != form::sum || !by || (subtracts && n == 1)) continue;
      return subtracts ? sum(e.of, e.low - by->second, e.high - by->first)
                       : sum(e.of, e.low + by->first, e.high + by->second);
    }
    return {};
  }
  // high + 0, or what a constant has above its lower half, + the carry of the lower halves.
  expression upper_sum_of(size_t k, const registers& r) const {
    const isa::inst& i = graph_.code().instructions[k];
    const isa::operand_list list = isa::operands_of(i);
    const expression flag = isa::is_scalar(i)        ? r[scc_]
                            : list.flag() != nullptr ? input_at(list.flag()->from, r)
                                                     : expression{};
    if (flag.is != form::carry) return {};
    for (const unsigned n : {0u, 1u}) {
      const expression e = input(k, n, r);
      const auto by = number(k, 1 - n);
      if (!by || by->first != by->second) continue;
      int64_t before = 0;
      if (e.is == form::high_of_sum && e.of == flag.of)
        before = e.low;
      else if (!e.is_itself() || e.of != flag.of + 1)
        continue;
      if (static_cast<uint32_t>(before) != static_cast<uint32_t>(flag.low)) continue;
      const uint64_t added = static_cast<uint64_t>(by->first) << 32 | static_cast<uint32_t>(flag.high);
      const int64_t total = static_cast<int64_t>(static_cast<uint64_t>(before) + added);
      return {form::high_of_sum, flag.of, total, total};
    }
    return {};
  }
  // What an addition of 32-bit words carries out: SCC, or the lane's bit.
  expression carry_of(size_t k, const registers& r) const {
    const isa::inst& i = graph_.code().instructions[k];
    if (operation_of(i) != operation::add || data_type_of(i) != isa::data_type::u32 || !is_plain(i)) return {};
    for (const unsigned n : {0u, 1u}) {
      const expression e = input(k, n, r);
      const auto by = number(k, 1 - n);
      if (e.is == form::sum && e.low == e.high && by && by->first == by->second)
        return {form::carry, e.of, e.low, by->first};
    }
    return {};
  }
  expression scaled(size_t k, const registers& r) const {
    const isa::inst& i = graph_.code().instructions[k];
    const bool multiplies = operation_of(i) == operation::multiply, left = operation_of(i) == operation::shift_left;
    for (const unsigned n : {0u, 1u}) {
      if (n == 1 && !multiplies) break;
      const expression e = input(k, n, r);
      const auto by = number(k, 1 - n);
      if (!e.is_itself() || !by || by->first != by->second || by->first <= (multiplies ? 1 : 0)) continue;
      if (!multiplies && by->first > 31) continue;
      if (multiplies || left) {
        const int64_t factor = multiplies ? by->first : int64_t{1} << by->first;
        return {form::product, e.of, factor, factor};
      }
      return {isa::is_signed(data_type_of(i)) ? form::shifted_sign : form::shifted_right, e.of, by->first, by->first};
    }
    return {};
  }
  static expression without_lowest_bit(const expression& a, const expression& b) {
    const expression &one = a.is_itself() ? a : b, &other = a.is_itself() ? b : a;
    if (!one.is_itself() || other.is != form::sum || other.of != one.of || other.low != -1 || other.high != -1)
      return {};
    return {form::fewer_bits, one.of, 0, 0};
  }

  // --- Sources

  static expression input_at(const isa::operand& o, const registers& r) {
    const auto place = place_of(o);
    return place && *place < r.size() ? r[*place] : expression{};
  }
  // In the order of isa::arithmetic().
  unsigned listed(size_t k, unsigned n) const {
    return graph_.code().instructions[k].row->means.reversed && n < 2 ? 1 - n : n;
  }
  expression input(size_t k, unsigned n, const registers& r) const {
    return input_at(isa::operands_of(graph_.code().instructions[k]).value(listed(k, n)).from, r);
  }
  // The source as a signed number, if it is in a short range.
  std::optional<std::pair<int64_t, int64_t>> number(size_t k, unsigned n) const {
    const auto found = ranges_.source(k, listed(k, n));
    if (!found || found->low.width >= most_added) return std::nullopt;
    const int64_t first = static_cast<int32_t>(found->low.start);
    return std::make_pair(first, first + found->low.width);
  }

  const cfg::flow_graph& graph_;
  const cfg::loop_forest& forest_;
  const cfg::natural_loop& loop_;
  const value_ranges& ranges_;
  register_place scc_ = 0;
  std::set<register_place> scalars_of_parts_;  // written by instructions that a part of the wavefront may execute
  loop_recurrences* out_ = nullptr;
};

loop_recurrences::loop_recurrences(const cfg::flow_graph& graph, const cfg::loop_forest& forest, size_t loop,
                                   const cfg::scalar_liveness& live, const value_ranges& ranges) {
  constexpr size_t most_nodes = 4000;
  pass_follower follower(graph, forest, loop, ranges);
  const std::set<size_t> asked = follower.asked();
  for (const size_t states : {size_t{4}, size_t{64}}) {
    const auto walks = possible_walks(graph, forest.loops()[loop], live, asked, {most_nodes, states});
    if (!walks) continue;
    compares_.clear();
    entries_.clear();
    after_pass_.clear();
    known_ = follower.follow(*walks, *this);
    if (known_) return;
  }
}

expression loop_recurrences::at_compare(size_t instruction, register_place place) const {
  const auto found = compares_.find(instruction);
  return found == compares_.end() || place >= found->second.size() ? expression{} : found->second[place];
}

expression loop_recurrences::after_pass(register_place place) const {
  return place < after_pass_.size() ? after_pass_[place] : expression{};
}

expression loop_recurrences::at_entry_of(size_t header, register_place place) const {
  const auto found = entries_.find(header);
  return found == entries_.end() || place >= found->second.size() ? expression{} : found->second[place];
}

std::optional<loop_recurrences::wide_sum> loop_recurrences::wide(const expression& low, const expression& high) {
  if (low.is != form::sum || low.low != low.high) return std::nullopt;
  if (high.is_itself() && high.of == low.of + 1 && low.low == 0) return wide_sum{low.of, 0};
  if (high.is != form::high_of_sum || high.of != low.of) return std::nullopt;
  if (static_cast<uint32_t>(high.low) != static_cast<uint32_t>(low.low)) return std::nullopt;
  return wide_sum{low.of, high.low};
}

}  // namespace pws::wcet
