// SPDX-License-Identifier: Apache-2.0
#include "sw/pwscc/scalar_carry.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "models/isa/operands.h"
#include "models/isa/predicates.h"
#include "models/isa/wave_state.h"
#include "sw/cfg/scalar_set.h"

namespace pws::pwscc {

namespace {

using cfg::scalar_set;
using isa::inst;

bool touches(const isa::operand& o, unsigned pair) {
  return o.kind == isa::operand_kind::scalar && o.index < pair + 2 && o.index + o.dwords > pair;
}

// On 64 bits, of which number n of the result depends on number n of the sources alone.
bool is_bitwise(const inst& i) {
  return is_mask_logic(i) || is_on_masks(i, isa::operation::select) || is_on_masks(i, isa::operation::conditional_move);
}

// Writes the pair as a whole, a bit per work-item.
bool defines_mask(const inst& i, unsigned pair) {
  if (is_bitwise(i)) return is_pair(i.dst, pair);
  const isa::operand_list list = isa::operands_of(i);
  return std::any_of(list.results.begin(), list.results.end(), [&](const isa::output_operand& out) {
    return out.role == isa::operand_role::flag && is_pair(out.to, pair);
  });
}

// Reads the pair as a lane mask. False also if it does not read it at all.
bool uses_as_mask(const inst& i, unsigned pair) {
  bool found = false;
  for (const isa::input_operand& in : isa::operands_of(i).sources) {
    if (in.role == isa::operand_role::lanes || !touches(in.from, pair)) continue;
    const bool bit_by_bit =
        in.role == isa::operand_role::flag || (in.role == isa::operand_role::value && is_bitwise(i));
    if (!is_pair(in.from, pair) || !bit_by_bit) return false;
    found = true;
  }
  return found;
}

// First instruction behind the merge in each block that it leads to.
std::vector<size_t> behind_merge(const cfg::flow_graph& graph, const cfg::split_region& r) {
  if (!r.joins_in_place) return {graph[r.join].first};
  if (r.merge_after + 1 < graph[r.join].end) return {r.merge_after + 1};
  std::vector<size_t> out;
  for (const size_t s : graph[r.join].successors) out.push_back(graph[s].first);
  return out;
}

// Follows a pair's value through the code and what is copied or computed from it bit by bit.
class mask_check {
 public:
  explicit mask_check(const cfg::flow_graph& graph) : graph_(graph) {}

  // True if whatever reads the pair's value, from the given instructions on until it is overwritten, takes it as a lane
  // mask.
  bool used_as_mask(unsigned pair, const std::vector<size_t>& from) {
    for (const size_t k : from) work_.push_back({pair, k, both});
    while (!work_.empty()) {
      const item next = work_.back();
      work_.pop_back();
      if (seen_.insert({next.pair, next.at, next.alive}).second && !walk_block(next)) return false;
    }
    return true;
  }

 private:
  // Which halves of the pair still hold the value: registers are given to other uses one by one.
  static constexpr unsigned low = 1, high = 2, both = 3;
  struct item {
    unsigned pair;
    size_t at;
    unsigned alive;
  };

  bool walk_block(item v) {
    const size_t block = graph_.block_of(v.at);
    for (size_t k = v.at; v.alive != 0 && k < graph_[block].end; ++k) {
      const inst& i = graph_.code().instructions[k];
      const scalar_set read = cfg::scalars_read(i), written = cfg::scalars_written(i);
      const bool reads = ((v.alive & low) != 0 && read[v.pair]) || ((v.alive & high) != 0 && read[v.pair + 1]);
      if (touches_unknown_scalars(i)) return false;
      if (reads && (v.alive != both || !uses_as_mask(i, v.pair))) return false;
      // A result computed from it is a mask too; in EXEC nothing else can be.
      if (reads && is_bitwise(i) && i.dst.kind == isa::operand_kind::scalar && i.dst.index != isa::exec_lo)
        push_after(i.dst.index, k);
      if (written[v.pair]) v.alive &= ~low;
      if (written[v.pair + 1]) v.alive &= ~high;
    }
    if (v.alive != 0)
      for (const size_t s : graph_[block].successors) work_.push_back({v.pair, graph_[s].first, v.alive});
    return true;
  }

  void push_after(unsigned pair, size_t k) {
    const size_t block = graph_.block_of(k);
    if (k + 1 < graph_[block].end) {
      work_.push_back({pair, k + 1, both});
      return;
    }
    for (const size_t s : graph_[block].successors) work_.push_back({pair, graph_[s].first, both});
  }

  const cfg::flow_graph& graph_;
  std::vector<item> work_;
  std::set<std::tuple<unsigned, size_t, unsigned>> seen_;
};

// Which of the region's writes a place in it, or its merge, sees.
class region_writes {
 public:
  region_writes(const cfg::flow_graph& graph, const cfg::split_region& region) : graph_(graph), region_(region) {}

  // Instructions whose write of the register reaches the merge. On other paths it may be what it was before the region.
  std::vector<size_t> reaching_merge(unsigned reg) const {
    bool from_before = false;
    return reaching_merge(reg, from_before);
  }

  // True if the register has one value at the merge, on whatever path and whichever work-items take part: the same
  // instruction, or equal ones, write it on all paths, from constants, from what was there before the region, and from
  // such values.
  bool same_on_both_sides(unsigned reg) {
    bool from_before = false;
    const std::vector<size_t> writes = reaching_merge(reg, from_before);
    const auto& code = graph_.code().instructions;
    const bool equal = std::all_of(writes.begin(), writes.end(), [&](size_t k) {
      const inst& a = code[k];
      const inst& b = code[writes.front()];
      return a.row == b.row && a.dwords == b.dwords && a.raw[0] == b.raw[0] && (a.dwords == 1 || a.raw[1] == b.raw[1]);
    });
    return !from_before && equal && all_same(writes);
  }

 private:
  std::vector<size_t> reaching_merge(unsigned reg, bool& from_before) const {
    return reaching(reg, region_.join, region_.joins_in_place ? region_.merge_after + 1 : graph_[region_.join].first,
                    from_before);
  }

  bool all_same(const std::vector<size_t>& writes) {
    return std::all_of(writes.begin(), writes.end(), [&](size_t k) { return is_same(k); });
  }

  // `from_before`: the register's value of before the region reaches the place too.
  std::vector<size_t> reaching(unsigned reg, size_t block, size_t end, bool& from_before) const {
    std::vector<size_t> writes;
    std::set<std::pair<size_t, bool>> seen;
    // Blocks, and whether the second side was skipped on the way: then the first was not, unless it is empty, since
    // some work-item is on one of the sides.
    std::vector<std::pair<size_t, bool>> work;
    // Back from `last`, and on to the blocks before it if nothing there writes the register.
    const auto walk = [&](size_t b, size_t last, bool skipped) {
      for (size_t k = last; k-- > graph_[b].first;) {
        if (!cfg::scalars_written(graph_.code().instructions[k])[reg]) continue;
        writes.push_back(k);
        return;
      }
      for (const size_t p : graph_[b].predecessors) {
        const bool skips_second = b == region_.join && p == region_.bsb && region_.second_side != region_.join;
        if (region_.contains(p))
          work.emplace_back(p, skipped || skips_second);
        else if (p == region_.block && !(b == region_.bsb && skipped && region_.first_side != region_.bsb))
          from_before = true;
      }
    };
    walk(block, end, false);
    while (!work.empty()) {
      const auto [b, skipped] = work.back();
      work.pop_back();
      if (seen.insert({b, skipped}).second) walk(b, graph_[b].end, skipped);
    }
    return writes;
  }

  bool is_same(size_t k) {
    // Assumed not to be while its sources are looked at: a value that a loop computes from itself depends on how often
    // the loop runs.
    const auto [known, is_new] = same_.emplace(k, false);
    if (!is_new) return known->second;
    const inst& i = graph_.code().instructions[k];
    const isa::operation o = operation_of(i);
    const bool scalar = i.unit == isa::unit::salu || i.unit == isa::unit::scalar_memory;
    const scalar_set read = cfg::scalars_read(i);
    if (!scalar || i.relative_index || read[isa::exec_lo] || o == isa::operation::read_clock ||
        o == isa::operation::get_hardware_register)
      return false;
    for (unsigned reg = 0; reg < read.size(); ++reg) {
      bool from_before = false;
      if (!read[reg]) continue;
      const std::vector<size_t> sources = reaching(reg, graph_.block_of(k), k, from_before);
      // Several sources, or one that may not have been reached, are several values.
      if (!all_same(sources) || sources.size() + (from_before ? 1 : 0) > 1) return false;
    }
    same_[k] = true;
    return true;
  }

  const cfg::flow_graph& graph_;
  const cfg::split_region& region_;
  std::map<size_t, bool> same_;
};

bool written_as_mask(const cfg::flow_graph& graph, const std::vector<size_t>& writes, unsigned pair) {
  return std::all_of(writes.begin(), writes.end(),
                     [&](size_t k) { return defines_mask(graph.code().instructions[k], pair); });
}

}  // namespace

std::string scalar_name(unsigned first, unsigned count) {
  if (first == isa::vcc_lo && count == 2) return "vcc";
  if (first == isa::vcc_lo) return "vcc_lo";
  if (first == isa::vcc_lo + 1) return "vcc_hi";
  if (first == isa::m0) return "m0";
  if (first == cfg::scc_bit) return "scc";
  if (first >= isa::sgpr_limit) return fmt::format("scalar register {}", first);
  return count == 1 ? fmt::format("s{}", first) : fmt::format("s[{}:{}]", first, first + count - 1);
}

carried_scalars find_carried(const cfg::flow_graph& graph, const cfg::scalar_liveness& live,
                             const cfg::split_region& region) {
  carried_scalars out;
  scalar_set written;
  region.for_each_instruction(graph, [&](size_t k) { written |= cfg::scalars_written(graph.code().instructions[k]); });
  const scalar_set needed =
      region.joins_in_place ? live.after(region.merge_after) : live.before(graph[region.join].first);
  out.vcc_free = !needed[isa::vcc_lo] && !needed[isa::vcc_lo + 1];
  scalar_set open = needed & written;
  open.reset(isa::exec_lo);  // merge joins EXEC
  open.reset(isa::exec_hi);
  const std::vector<size_t> behind = behind_merge(graph, region);
  region_writes writes(graph, region);
  for (unsigned reg = 0; reg < open.size(); ++reg) {
    if (!open[reg]) continue;
    const unsigned pair = reg & ~1u;
    const bool can_be_pair = reg < isa::sgpr_limit || pair == isa::vcc_lo;
    const bool mask = can_be_pair && written_as_mask(graph, writes.reaching_merge(pair), pair) &&
                      written_as_mask(graph, writes.reaching_merge(pair + 1), pair) &&
                      mask_check(graph).used_as_mask(pair, behind);
    if (mask) {
      out.masks.push_back(pair);
      open.reset(pair);
      open.reset(pair + 1);
    } else if (!writes.same_on_both_sides(reg)) {
      out.refusal =
          fmt::format("{} is written on its sides and read after them, and is no lane mask", scalar_name(reg, 1));
      return out;
    }
  }
  if (!out.masks.empty() && needed[cfg::scc_bit])
    out.refusal = "SCC is read after its sides, where lane masks have to be joined";
  return out;
}

}  // namespace pws::pwscc
