// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/kernel/workgroup_decisions.h"

#include <algorithm>
#include <bitset>
#include <optional>
#include <utility>

#include "models/isa/integer.h"
#include "models/isa/operands.h"
#include "models/isa/predicates.h"
#include "models/isa/wave_state.h"
#include "sw/cfg/exec_tracking.h"
#include "sw/wcet/lanes/lane_value_analysis.h"

namespace pws::wcet {

namespace {

using isa::operation;

// What is known of a pair of scalar registers as a mask of work-items, by one condition that is the same in all
// wavefronts.
struct mask_facts {
  bool in_active = false;  // the bits of EXEC's work-items are all that condition
  bool no_others = false;  // the other bits are 0
  bool whole = false;      // all 64 bits are that condition
};

mask_facts operator&(const mask_facts& a, const mask_facts& b) {
  return {a.in_active && b.in_active, a.no_others || b.no_others, a.whole && b.whole};
}
mask_facts operator|(const mask_facts& a, const mask_facts& b) {
  return {a.in_active && b.in_active, a.no_others && b.no_others, a.whole && b.whole};
}
mask_facts operator^(const mask_facts& a, const mask_facts& b) {
  return a | b;
}
mask_facts operator~(const mask_facts& a) {
  return {a.in_active, false, a.whole};
}

}  // namespace

// Bits that are set: known to be alike.
struct workgroup_decisions::state {
  cfg::scalar_set scalars;                                     // as numbers
  std::bitset<256> vectors;                                    // one number in the lanes of EXEC as it is now
  std::bitset<isa::scalar_count> in_active, no_others, whole;  // mask_facts, by the pair's first register

  bool join(const state& o) {
    const state before = *this;
    scalars &= o.scalars;
    vectors &= o.vectors;
    in_active &= o.in_active;
    no_others &= o.no_others;
    whole &= o.whole;
    return scalars != before.scalars || vectors != before.vectors || in_active != before.in_active ||
           no_others != before.no_others || whole != before.whole;
  }
  void set_scalar(unsigned r, bool alike) {
    scalars.set(r, alike);
    for (unsigned pair = r == 0 ? 0 : r - 1; pair <= r && pair < isa::scalar_count; ++pair) {
      in_active.reset(pair);
      no_others.reset(pair);
      whole.reset(pair);
    }
  }
  void set_mask(unsigned pair, const mask_facts& m) {
    in_active.set(pair, m.in_active);
    no_others.set(pair, m.no_others);
    whole.set(pair, m.whole);
  }
  mask_facts mask(const isa::operand& o) const {
    if (o.kind == isa::operand_kind::constant && o.value == 0) return {true, true, true};
    if (o.kind == isa::operand_kind::constant && o.value == ~uint64_t{0}) return {true, false, true};
    if (o.kind != isa::operand_kind::scalar || o.index >= isa::scalar_count) return {};
    if (o.index == isa::exec_lo) return {true, true, false};
    return {in_active[o.index], no_others[o.index], whole[o.index]};
  }
  void exec_changes() {
    vectors.reset();
    in_active = whole;
    no_others.reset();
  }
  void forget(const isa::inst& i) {
    for (unsigned w = 0; w < i.n_writes; ++w)
      for (unsigned n = 0; n < i.writes[w].count; ++n)
        if (i.writes[w].is_vgpr)
          vectors.reset((i.writes[w].first + n) % vectors.size());
        else
          set_scalar(i.writes[w].first + n, false);
    if (i.writes_scc) scalars.reset(cfg::scc_bit);
    if (i.relative_index) {
      vectors.reset();
      for (unsigned r = 0; r < isa::scalar_count; ++r) set_scalar(r, false);
    }
    if (i.writes_exec || i.unit == isa::unit::merge || i.unit == isa::unit::split) exec_changes();
  }
};

workgroup_decisions::workgroup_decisions(const cfg::flow_graph& graph, const launch_facts& launch)
    : graph_(graph), descriptor_(launch.descriptor) {
  const auto& code = graph.code().instructions;
  const cfg::exec_tracking activity(graph, cfg::find_divergent_branches(graph.code()));
  for (size_t k = 0; k < code.size(); ++k) {
    active_.push_back(activity.surely_active(k));
    mode_changes_ |= isa::operands_of(code[k]).mode_written;
  }
  const auto loads_before = [&](size_t k) {
    return k > graph[graph.block_of(k)].first && code[k - 1].unit == isa::unit::scalar_memory;
  };
  // A number counts if it is the same one in wavefronts of every kind.
  constants_.resize(code.size());
  std::vector<std::vector<std::pair<unsigned, uint32_t>>> numbers(code.size());
  std::vector<bool> seen(code.size(), false);
  for (const wave_kind& kind : wave_kinds(launch))
    analyse_lane_values(graph, launch, kind, [&](size_t k, const lane_state& s) {
      cfg::scalar_set read = cfg::scalars_read(code[k]);
      // What has just been loaded is known here first.
      if (loads_before(k)) read |= cfg::scalars_written(code[k - 1]);
      std::vector<std::pair<unsigned, uint32_t>> now;
      for (unsigned r = 0; r < isa::exec_lo; ++r)
        if (read[r] && s.scalar(r).value.is_constant()) now.emplace_back(r, s.scalar(r).value.start);
      if (read[cfg::scc_bit] && s.scc.is_constant()) now.emplace_back(cfg::scc_bit, s.scc.start);
      if (seen[k]) {
        std::vector<std::pair<unsigned, uint32_t>> both;
        for (const auto& n : numbers[k])
          if (std::find(now.begin(), now.end(), n) != now.end()) both.push_back(n);
        now = std::move(both);
      }
      numbers[k] = std::move(now);
      seen[k] = true;
    });
  for (size_t k = 0; k < code.size(); ++k)
    for (const auto& [r, value] : numbers[k]) constants_[k].set(r);
}

workgroup_decisions::state workgroup_decisions::initial() const {
  state s;
  unsigned next = 0;
  const auto put = [&](bool alike) {
    if (next < isa::sgpr_limit) s.set_scalar(next, alike);
    ++next;
  };
  while (next < descriptor_.user_sgpr_count) put(true);  // the launch's
  for (const bool id : descriptor_.workgroup_id)
    if (id) put(true);
  return s;  // behind them: the wavefront's number, its scratch
}

bool workgroup_decisions::reads_alike(const state& s, size_t instruction) const {
  const isa::inst& i = graph_.code().instructions[instruction];
  if (i.relative_index) return false;
  const cfg::scalar_set& known = constants_[instruction];
  for (unsigned n = 0; n < i.n_reads; ++n)
    for (unsigned d = 0; d < i.reads[n].count; ++d) {
      const unsigned r = i.reads[n].first + d;
      if (i.reads[n].is_vgpr) {
        if (r >= s.vectors.size() || !s.vectors[r]) return false;
      } else if (r == isa::exec_lo || r == isa::exec_hi) {
        // Which lanes are active is not part of a vector instruction's result.
        const bool as_number = !isa::is_vector_alu(i.unit) || i.special_src;
        if (as_number) return false;
      } else if (!s.scalars[r] && !known[r]) {
        return false;
      }
    }
  return !i.reads_scc || s.scalars[cfg::scc_bit] || known[cfg::scc_bit];
}

void workgroup_decisions::apply(state& s, size_t instruction) const {
  const isa::inst& i = graph_.code().instructions[instruction];
  const isa::meaning& means = i.row->means;
  const bool alike = reads_alike(s, instruction);
  if (i.unit == isa::unit::salu && means.does != operation::get_hardware_register && !i.relative_index) {
    mask_facts m;
    const bool of_masks = is_scalar(i) && means.of == isa::data_type::b64 && !means.saves_exec;
    if (of_masks && isa::is_bit_by_bit(means.does)) m = isa::logic(means.does, s.mask(i.src[0]), s.mask(i.src[1]));
    if (of_masks && means.does == operation::select &&
        (s.scalars[cfg::scc_bit] || constants_[instruction][cfg::scc_bit]))
      m = s.mask(i.src[0]) | s.mask(i.src[1]);
    const bool some = m.whole || (m.in_active && m.no_others && active_[instruction]);  // whether it is 0
    s.forget(i);
    if (i.writes_exec) return;
    for (unsigned w = 0; w < i.n_writes; ++w)
      for (unsigned n = 0; n < i.writes[w].count; ++n) s.set_scalar(i.writes[w].first + n, alike || m.whole);
    if (i.dst.kind == isa::operand_kind::scalar && i.dst.dwords == 2 && i.dst.index < isa::scalar_count)
      s.set_mask(i.dst.index, m);
    if (i.writes_scc) s.scalars.set(cfg::scc_bit, alike || some);
    return;
  }
  s.forget(i);
  // Arguments and the packet's words: known behind the load.
  const bool goes_on = instruction + 1 < graph_[graph_.block_of(instruction)].end;
  for (unsigned n = 0; i.unit == isa::unit::scalar_memory && goes_on && n < i.dst.dwords; ++n)
    if (i.dst.kind == isa::operand_kind::scalar && constants_[instruction + 1][i.dst.index + n])
      s.set_scalar(i.dst.index + n, true);
  if (!isa::is_vector_alu(i.unit) || !alike || i.writes_exec || isa::differs_by_lane(i)) return;
  if ((isa::operands_of(i).mode_read & mode_changes_) != 0) return;
  if (means.does == operation::read_lane) return;  // of a lane that may be inactive
  if (means.does == operation::read_first_lane) {
    if (active_[instruction] && i.dst.kind == isa::operand_kind::scalar) s.set_scalar(i.dst.index, true);
    return;
  }
  for (const isa::operand* o : {&i.dst, &i.sdst}) {
    for (unsigned n = 0; o->kind == isa::operand_kind::vgpr && n < o->dwords; ++n)
      if (o->index + n < s.vectors.size()) s.vectors.set(o->index + n);
    // A compare's result, or carries: 0 for lanes that are not active.
    if (o->kind == isa::operand_kind::scalar && o->dwords == 2) s.set_mask(o->index, {true, true, false});
  }
}

bool workgroup_decisions::alike(const state& s, size_t instruction) const {
  const isa::inst& i = graph_.code().instructions[instruction];
  // Other blocks have one way on: a skip that the code does not have is never taken.
  if (!is_conditional_branch(i) || branch_condition_of(i) == isa::branch_condition::debugger) return true;
  if (tests_exec(i)) return active_[instruction];
  if (tests_scc(i)) return s.scalars[cfg::scc_bit] || constants_[instruction][cfg::scc_bit];
  const bool zero_alike = s.in_active[isa::vcc_lo] && s.no_others[isa::vcc_lo] && active_[instruction];
  return zero_alike || s.whole[isa::vcc_lo] || (s.scalars[isa::vcc_lo] && s.scalars[isa::vcc_lo + 1]);  // VCCZ
}

std::vector<bool> workgroup_decisions::decide(const std::vector<parting>& partings) const {
  const auto& code = graph_.code().instructions;
  std::vector<bool> out(graph_.size(), true);
  for (;;) {
    // What wavefronts that meet again may have written since they parted.
    std::vector<std::vector<size_t>> written(graph_.size());
    for (const parting& p : partings) {
      if (out[p.from]) continue;
      for (const size_t m : p.meets) written[m].insert(written[m].end(), p.between.begin(), p.between.end());
    }
    std::vector<std::optional<state>> before(graph_.size());
    const auto arrive = [&](size_t b, state s) {
      for (const size_t w : written[b])
        for (size_t k = graph_[w].first; k < graph_[w].end; ++k) s.forget(code[k]);
      if (before[b]) return before[b]->join(s);
      before[b] = s;
      return true;
    };
    arrive(0, initial());
    std::vector<bool> now(graph_.size(), true);
    for (bool changed = true; changed;) {
      changed = false;
      for (const size_t b : graph_.reverse_postorder()) {
        if (!before[b]) continue;
        state s = *before[b];
        for (size_t k = graph_[b].first; k < graph_[b].end; ++k) {
          if (k == graph_[b].last()) now[b] = alike(s, k);
          apply(s, k);
        }
        for (const size_t to : graph_[b].successors) changed = arrive(to, s) || changed;
      }
    }
    bool more = false;
    for (size_t b = 0; b < graph_.size(); ++b) {
      more = more || (out[b] && !now[b]);
      out[b] = out[b] && now[b];
    }
    if (!more) return out;
  }
}

}  // namespace pws::wcet
