// SPDX-License-Identifier: Apache-2.0
#include "sw/cfg/lane_subsets.h"

#include <algorithm>
#include <map>
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

// What is known of 32 bits: that they are a subset of the low or the high half of the header's EXEC.
struct subset {
  bool low = false, high = false;
};
subset operator|(subset a, subset b) {
  return {a.low && b.low, a.high && b.high};
}
subset operator^(subset a, subset b) {
  return a | b;
}
subset operator&(subset a, subset b) {
  return {a.low || b.low, a.high || b.high};
}
subset operator~(subset) {
  return {};
}

// Scalar registers by their number; lanes of vector registers behind them. What is not there is unknown.
class mask_state {
 public:
  static uint32_t lane(unsigned vgpr, unsigned lane) { return 256 + vgpr * isa::wave_size + lane; }

  subset of(uint32_t place) const {
    const auto found = known_.find(place);
    return found == known_.end() ? subset{} : found->second;
  }
  // The same for an operand's low (`half` 0) or high 32 bits.
  subset of(const operand& o, unsigned half) const {
    if (o.kind == operand_kind::constant) {
      const bool zero = ((o.value >> (32 * half)) & 0xffffffffu) == 0;
      return {zero, zero};
    }
    return o.kind == operand_kind::scalar ? of(o.index + half) : subset{};
  }
  void set(uint32_t place, subset s) {
    if (s.low || s.high)
      known_[place] = s;
    else
      known_.erase(place);
  }
  void forget_vgpr(unsigned v) { known_.erase(known_.lower_bound(lane(v, 0)), known_.lower_bound(lane(v + 1, 0))); }
  bool exec_is_subset() const { return of(isa::exec_lo).low && of(isa::exec_hi).high; }

  // What holds on both ways; true if that is less than before.
  bool meet(const mask_state& other) {
    bool less = false;
    for (auto at = known_.begin(); at != known_.end();) {
      const subset now = at->second | other.of(at->first);
      less = less || now.low != at->second.low || now.high != at->second.high;
      at->second = now;
      at = now.low || now.high ? std::next(at) : known_.erase(at);
    }
    return less;
  }

  void execute(const inst& i) {
    // Each part of a split wavefront has what holds on its way; at the merge both have come together, and so do their
    // work-items.
    if (i.unit == isa::unit::split || i.unit == isa::unit::merge) return;
    const isa::meaning& m = i.row->means;
    subset out[2];
    unsigned halves = 0;
    const operand exec = isa::scalar_run(isa::exec_lo, 2);
    subset new_exec[2];
    bool writes_exec = false;
    const bool of_masks = is_scalar(i) && (m.of == isa::data_type::b64 || m.of == isa::data_type::b32);
    const bool select = m.does == isa::operation::select;  // one of them
    if (of_masks && (select || isa::is_bit_by_bit(m.does))) {
      halves = m.of == isa::data_type::b64 ? 2 : 1;
      writes_exec = is_saveexec(i);
      const isa::operand_list list = isa::operands_of(i);
      for (unsigned h = 0; h < halves; ++h) {
        const subset result =
            isa::logic(select ? isa::operation::bit_or : m.does, of(list.value(0).from, h), of(list.value(1).from, h));
        out[h] = writes_exec ? of(exec, h) : result;
        new_exec[h] = result;
      }
    } else if (i.native == isa::format::vopc && i.dst.kind == operand_kind::scalar && i.dst.dwords == 2) {
      // 0 for work-items that are not active. v_cmpx writes EXEC too.
      halves = 2;
      for (unsigned h = 0; h < 2; ++h) out[h] = new_exec[h] = of(exec, h);
      writes_exec = i.writes_exec;
    } else if (m.does == isa::operation::read_lane && i.src[0].kind == operand_kind::vgpr &&
               i.src[1].kind == operand_kind::constant) {
      halves = 1;
      out[0] = of(lane(i.src[0].index, static_cast<unsigned>(i.src[1].value % isa::wave_size)));
    } else if (m.does == isa::operation::write_lane && i.src[1].kind == operand_kind::constant) {
      set(lane(i.dst.index, static_cast<unsigned>(i.src[1].value % isa::wave_size)), of(i.src[0], 0));
      return;
    }
    for (unsigned k = 0; k < i.n_writes; ++k)
      for (unsigned r = 0; r < i.writes[k].count; ++r) {
        if (i.writes[k].is_vgpr)
          forget_vgpr(i.writes[k].first + r);
        else
          set(i.writes[k].first + r, {});
      }
    // A register that M0 names: of a vector instruction any vector register, else any scalar one.
    if (i.relative_index)
      known_.erase(i.unit == isa::unit::salu ? known_.begin() : known_.lower_bound(lane(0, 0)), known_.end());
    for (unsigned h = 0; h < halves && i.dst.kind == operand_kind::scalar; ++h) set(i.dst.index + h, out[h]);
    for (unsigned h = 0; h < 2 && writes_exec; ++h) set(isa::exec_lo + h, new_exec[h]);
    // A carry is 0 for work-items that are not active.
    for (unsigned h = 0; h < 2 && i.sdst.kind == operand_kind::scalar; ++h) set(i.sdst.index + h, of(exec, h));
  }

 private:
  std::map<uint32_t, subset> known_;
};

}  // namespace

bool work_items_only_leave(const flow_graph& graph, const natural_loop& loop) {
  const auto& code = graph.code().instructions;
  std::map<size_t, mask_state> in;  // by block; not there: no way to it has been seen yet
  in[loop.header].set(isa::exec_lo, {true, false});
  in[loop.header].set(isa::exec_hi, {false, true});
  for (std::vector<size_t> work{loop.header}; !work.empty();) {
    const size_t b = work.back();
    work.pop_back();
    mask_state state = in.at(b);
    for (size_t k = graph[b].first; k < graph[b].end; ++k) state.execute(code[k]);
    for (const size_t s : graph[b].successors) {
      if (!loop.contains(s)) continue;
      if (s == loop.header) {
        if (!state.exec_is_subset()) return false;
        continue;
      }
      const auto [at, is_new] = in.emplace(s, state);
      if (is_new || at->second.meet(state)) work.push_back(s);
    }
  }
  return true;
}

}  // namespace pws::cfg
