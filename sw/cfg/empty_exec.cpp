// SPDX-License-Identifier: Apache-2.0
#include "sw/cfg/empty_exec.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <optional>

#include "models/isa/integer.h"
#include "models/isa/operands.h"
#include "models/isa/predicates.h"
#include "models/isa/wave_state.h"

namespace pws::cfg {

namespace {

using isa::inst;
using isa::operand;
using isa::operand_kind;
using isa::operation;

// What is known of 32 bits (of SCC: of one).
struct bits {
  enum class kind : uint8_t { unknown, zeros, ones };
  static constexpr uint16_t none = ~uint16_t{0};
  kind value = kind::unknown;
  uint16_t same_as = none;  // has the value that this register had at the side's begin
  // What it depends on, besides scalars that are the same whatever work-items are active.
  enum class source : uint8_t {
    scalars,  // nothing
    lane,     // a lane mask: bit n on whether work-item n is active and what it has
    lanes     // any bit on any work-item
  };
  source by = source::scalars;

  bool operator==(const bits& o) const { return value == o.value && same_as == o.same_as && by == o.by; }
  bool is(kind k) const { return value == k; }
  bool same(const bits& o) const { return same_as != none && same_as == o.same_as; }
};
constexpr bits zeros{bits::kind::zeros, bits::none, bits::source::scalars};
constexpr bits ones{bits::kind::ones, bits::none, bits::source::scalars};

bits operator~(bits a) {
  if (a.is(bits::kind::zeros)) return ones;
  if (a.is(bits::kind::ones)) return zeros;
  return {};
}
bits operator&(bits a, bits b) {
  if (a.is(bits::kind::zeros) || b.is(bits::kind::ones) || a.same(b)) return a;
  if (b.is(bits::kind::zeros) || a.is(bits::kind::ones)) return b;
  return {};
}
bits operator|(bits a, bits b) {
  if (a.is(bits::kind::ones) || b.is(bits::kind::zeros) || a.same(b)) return a;
  if (b.is(bits::kind::ones) || a.is(bits::kind::zeros)) return b;
  return {};
}
bits operator^(bits a, bits b) {
  if (a.is(bits::kind::zeros)) return b;
  if (b.is(bits::kind::zeros)) return a;
  if (a.same(b)) return zeros;
  if (a.is(bits::kind::ones)) return ~b;
  if (b.is(bits::kind::ones)) return ~a;
  return {};
}
class state {
 public:
  // All that the skip's side begins with: what is where it was, and EXEC is empty.
  static state at_begin() {
    state s;
    for (size_t r = 0; r < s.known_.size(); ++r) s.known_[r].same_as = static_cast<uint16_t>(r);
    for (const unsigned r : {isa::exec_lo, isa::exec_hi})
      s.known_[r] = {bits::kind::zeros, static_cast<uint16_t>(r), bits::source::lane};
    return s;
  }

  bits of(unsigned reg) const { return known_[reg]; }
  bits scc() const { return known_[scc_bit]; }
  bool is_zero(unsigned pair) const {
    return known_[pair].is(bits::kind::zeros) && known_[pair + 1].is(bits::kind::zeros);
  }
  // See empty_exec.h.
  bool may_be_read_behind(unsigned reg) const {
    return known_[reg].same_as == reg || known_[reg].by != bits::source::lanes;
  }

  // True if less is known than before.
  bool meet(const state& other) {
    bool less = false;
    for (size_t r = 0; r < known_.size(); ++r) {
      bits now = known_[r];
      if (now.value != other.known_[r].value) now.value = bits::kind::unknown;
      if (now.same_as != other.known_[r].same_as) now.same_as = bits::none;
      now.by = std::max(now.by, other.known_[r].by);
      less = less || !(now == known_[r]);
      known_[r] = now;
    }
    return less;
  }

  void execute(const inst& i) {
    const scalar_set written = scalars_written(i);
    const state before = *this;
    const bits::source by = depends_on(i);
    for (unsigned r = 0; r < known_.size(); ++r)
      if (written[r]) known_[r] = {bits::kind::unknown, bits::none, by};
    if (i.native == isa::format::vopc) {
      // A compare writes 0 for a work-item that is not active; v_cmpx into EXEC too.
      zero(i.dst);
      if (i.writes_exec) zero_pair(isa::exec_lo);
    } else if (is_saveexec(i)) {
      copy(i.dst, before, isa::exec_lo);
      combine(i, before);  // to EXEC, after the copy of it
    } else if (is_scalar(i) && i.dst.kind == operand_kind::scalar) {
      combine(i, before);
    }
    for (unsigned r = 0; r < known_.size(); ++r)
      if (written[r]) known_[r].by = by;
    // Whether any bit is set takes all of them.
    if (written[scc_bit] && by != bits::source::scalars) known_[scc_bit].by = bits::source::lanes;
  }

 private:
  bits::source depends_on(const inst& i) const {
    if (i.native == isa::format::vopc) return bits::source::lane;
    if (!is_scalar(i) && i.unit != isa::unit::scalar_memory) return bits::source::lanes;
    bits::source by = bits::source::scalars;
    const scalar_set read = scalars_read(i);
    for (unsigned r = 0; r < known_.size(); ++r)
      if (read[r]) by = std::max(by, known_[r].by);
    const bool bit_by_bit = is_mask_logic(i) || is_on_masks(i, operation::select);
    return by == bits::source::lane && !bit_by_bit ? bits::source::lanes : by;
  }
  static bits half(const state& s, const operand& o, unsigned k) {
    if (o.kind == operand_kind::constant) {
      const auto value = static_cast<uint32_t>(o.value >> (32 * k));
      return value == 0 ? zeros : value == ~uint32_t{0} ? ones : bits{};
    }
    return o.kind == operand_kind::scalar && k < o.dwords ? s.of(o.index + k) : bits{};
  }

  void combine(const inst& i, const state& before) {
    const isa::data_type t = data_type_of(i);
    const bool is_select = operation_of(i) == operation::select;
    if (t != isa::data_type::b64 && t != isa::data_type::b32) return;
    if (is_select ? before.scc().is(bits::kind::unknown) : !isa::is_bit_by_bit(operation_of(i))) return;
    const unsigned halves = t == isa::data_type::b64 ? 2 : 1,
                   to = is_saveexec(i) ? unsigned{isa::exec_lo} : i.dst.index;
    const isa::operand_list list = isa::operands_of(i);
    bool all_zero = true, some_ones = false;
    for (unsigned k = 0; k < halves; ++k) {
      const bits a = half(before, list.value(0).from, k), b = half(before, list.value(1).from, k);
      const bits result = is_select ? (before.scc().is(bits::kind::ones) ? a : b) : isa::logic(operation_of(i), a, b);
      known_[to + k] = result;
      all_zero = all_zero && result.is(bits::kind::zeros);
      some_ones = some_ones || result.is(bits::kind::ones);
    }
    if (!i.writes_scc) return;
    if (all_zero) known_[scc_bit] = zeros;
    if (some_ones) known_[scc_bit] = ones;
  }

  void copy(const operand& to, const state& from, unsigned pair) {
    if (to.kind != operand_kind::scalar || to.dwords != 2) return;
    for (unsigned k = 0; k < 2; ++k) known_[to.index + k] = from.of(pair + k);
  }
  void zero(const operand& o) {
    if (o.kind == operand_kind::scalar && o.dwords == 2) zero_pair(o.index);
  }
  void zero_pair(unsigned pair) { known_[pair] = known_[pair + 1] = zeros; }

  std::array<bits, isa::scalar_count + 1> known_;  // SCC is the last
};

// Which ways a block that ends with `last` can go on.
struct ways {
  bool taken = true, not_taken = true;
};
ways ways_of(const inst& last, const state& s, bool removed) {
  using condition = isa::branch_condition;
  const condition c = branch_condition_of(last);
  if (removed) return {c == condition::exec_nonzero, c == condition::exec_zero};
  const auto if_zero = [](bool known, bool zero, bool on_zero) {
    return known ? ways{zero == on_zero, zero != on_zero} : ways{};
  };
  switch (c) {
    case condition::none:
      return {false, true};
    case condition::always:
      return {true, false};
    case condition::exec_zero:
    case condition::exec_nonzero:
      return if_zero(s.is_zero(isa::exec_lo), true, c == condition::exec_zero);
    case condition::vcc_zero:
    case condition::vcc_nonzero:
      return if_zero(s.is_zero(isa::vcc_lo), true, c == condition::vcc_zero);
    case condition::scc_zero:
    case condition::scc_one:
      return if_zero(!s.scc().is(bits::kind::unknown), s.scc().is(bits::kind::zeros), c == condition::scc_zero);
    case condition::debugger:
      return {false, true};
  }
  return {};
}

std::string register_name(unsigned r) {
  if (r < isa::sgpr_limit) return fmt::format("s{}", r);
  if (r == isa::vcc_lo || r == isa::vcc_lo + 1) return "VCC";
  if (r == isa::m0) return "M0";
  if (r == isa::exec_lo || r == isa::exec_hi) return "EXEC";
  if (r == scc_bit) return "SCC";
  return fmt::format("scalar register {}", r);
}

// Why an instruction acts though no work-item is active; empty: it does not. Scalar loads are asked about elsewhere.
std::string why_it_acts(const inst& i) {
  switch (i.unit) {
    case isa::unit::barrier:
      return "the wavefront would arrive at a barrier";
    case isa::unit::message:
      return "a message or trap is sent whatever the mask";
    case isa::unit::end:
      return "it ends the wavefront";
    case isa::unit::split:
    case isa::unit::merge:
      return "split and merge act on the whole wavefront";
    default:
      break;
  }
  if (i.relative_index) return "M0, which it chooses a register by, may be out of range";
  switch (operation_of(i)) {
    case operation::call:
    case operation::set_pc:
      return "what a called function does is not known here";
    case operation::write_lane:
      return "it writes a vector register whatever the mask (a spilled scalar register)";
    case operation::global_data_share:
    case operation::count_active_lanes:
      return "it acts on memory once for the wavefront";
    case operation::set_hardware_register:
    case operation::set_vector_register_indexing:
      return "it changes a mode";
    case operation::fork:
    case operation::join:
      return "it uses the branch stack";
    case operation::halt:
    case operation::trap:
    case operation::send_message:
    case operation::send_message_and_halt:
      return "a message or trap is sent whatever the mask";
    default:
      break;
  }
  if (i.gds) return "it acts on memory once for the wavefront";
  if (i.unit == isa::unit::scalar_memory &&
      (operation_of(i) == operation::store || isa::is_atomic_operation(operation_of(i))))
    return "a scalar store has no mask";
  return "";
}

}  // namespace

empty_exec::empty_exec(const flow_graph& graph, const scalar_liveness& live)
    : graph_(graph), live_(live), written_(graph.size()) {
  const auto& code = graph.code().instructions;
  for (bool changed = true; changed;) {
    changed = false;
    for (const size_t b : graph.reverse_postorder()) {
      scalar_set out = written_[b];
      for (size_t k = graph[b].first; k < graph[b].end; ++k) out |= scalars_written(code[k]);
      for (const size_t s : graph[b].successors) {
        const scalar_set now = written_[s] | out;
        changed = changed || now != written_[s];
        written_[s] = now;
      }
    }
  }
}

// A kernel is started with the addresses of its arguments and of its dispatch in scalar registers: what it loads from
// there at a constant offset, it can load at any time.
bool empty_exec::base_is_argument(const inst& load, size_t at) const {
  const operand& base = load.src[0];
  if (!load.imm_offset || base.kind != operand_kind::scalar || base.dwords != 2) return false;
  const size_t b = graph_.block_of(at);
  scalar_set written = written_[b];
  for (size_t k = graph_[b].first; k < at; ++k) written |= scalars_written(graph_.code().instructions[k]);
  return !written[base.index] && !written[base.index + 1];
}

empty_exec::side empty_exec::side_of(size_t skip) const {
  const auto& code = graph_.code().instructions;
  const size_t target = graph_.code().at(code[skip].target);
  const bool if_empty = branch_condition_of(code[skip]) == isa::branch_condition::exec_zero;
  side s;
  s.first = if_empty ? skip + 1 : target;
  s.end = if_empty ? target : skip + 1;
  const size_t begin = graph_.block_of(s.first), end = graph_.block_of(s.end), from = graph_.block_of(skip);
  std::vector<bool> inside(graph_.size(), false);
  std::vector<size_t> work;
  if (begin != end) {
    inside[begin] = true;
    work.push_back(begin);
  }
  s.single = true;
  while (!work.empty()) {
    const size_t b = work.back();
    work.pop_back();
    ++s.blocks;
    for (size_t k = graph_[b].first; k < graph_[b].end; ++k) s.instructions += tests_exec(code[k]) ? 0 : 1;
    if (graph_[b].leaves || b == from) s.single = false;
    for (const size_t to : graph_[b].successors) {
      if (to == end || inside[to]) continue;
      inside[to] = true;
      work.push_back(to);
    }
  }
  for (size_t b = 0; b < graph_.size(); ++b)
    for (const size_t p : graph_[b].predecessors)
      if (inside[b] && graph_.reachable(p) && !inside[p] && !(p == from && b == begin)) s.single = false;
  return s;
}

empty_finding empty_exec::without(size_t skip, const std::vector<bool>& removed) const {
  const auto& code = graph_.code().instructions;
  const side over = side_of(skip);
  const size_t first = graph_.block_of(over.first), end = graph_.block_of(over.end);
  std::vector<std::optional<state>> in(graph_.size());
  std::vector<std::vector<size_t>> next(graph_.size());
  in[first] = state::at_begin();
  std::deque<size_t> work{first};
  while (!work.empty()) {
    const size_t b = work.front();
    work.pop_front();
    if (b == end) continue;
    state s = *in[b];
    for (size_t k = graph_[b].first; k < graph_[b].end; ++k) {
      const inst& i = code[k];
      if (std::string why = why_it_acts(i); !why.empty()) return {k, std::move(why)};
      if (i.unit == isa::unit::scalar_memory && operation_of(i) == operation::load && !base_is_argument(i, k))
        return {k, "a scalar load whose address may be invalid"};
      s.execute(i);
      if (!s.is_zero(isa::exec_lo)) return {k, "it may make work-items active"};
    }
    const inst& last = code[graph_[b].last()];
    if (graph_[b].leaves) return {graph_[b].last(), "the code may end there"};
    const ways w = ways_of(last, s, removed[graph_[b].last()]);
    next[b].clear();
    for (const size_t to : graph_[b].successors) {
      const bool falls = graph_[to].first == graph_[b].end;
      const bool goes = is_conditional_branch(last) && code[graph_[b].last()].target == code[graph_[to].first].pc;
      if (is_conditional_branch(last) && !((goes && w.taken) || (falls && w.not_taken))) continue;
      next[b].push_back(to);
      if (!in[to]) {
        in[to] = s;
        work.push_back(to);
      } else if (in[to]->meet(s)) {
        work.push_back(to);
      }
    }
  }
  // A way that comes back to where it was might not end. Blocks are taken away from the end of all ways.
  std::vector<size_t> ways_on(graph_.size(), 0);
  std::vector<size_t> done;
  for (size_t b = 0; b < graph_.size(); ++b) {
    if (!in[b]) continue;
    if (b == end) next[b].clear();
    ways_on[b] = next[b].size();
    if (ways_on[b] == 0) done.push_back(b);
  }
  for (size_t k = 0; k < done.size(); ++k)
    for (size_t b = 0; b < graph_.size(); ++b)
      for (const size_t to : next[b])
        if (in[b] && to == done[k] && --ways_on[b] == 0) done.push_back(b);
  for (size_t b = 0; b < graph_.size(); ++b)
    if (in[b] && ways_on[b] != 0) return {graph_[b].last(), "a loop that may not end"};
  if (!in[end]) return {skip, "its side does not come to where the skip leads"};
  const scalar_set live = live_.before(over.end);
  for (unsigned r = 0; r <= scc_bit; ++r)
    if (live[r] && r != isa::exec_lo && r != isa::exec_hi && !in[end]->may_be_read_behind(r))
      return {skip, register_name(r) + " may change, which is read behind it"};
  return {};
}

}  // namespace pws::cfg
