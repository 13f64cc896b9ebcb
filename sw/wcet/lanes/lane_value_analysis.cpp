#include "sw/wcet/lanes/lane_value_analysis.h"

#include <algorithm>
#include <optional>

#include "models/flow/dominators.h"
#include "models/isa/predicates.h"
#include "sw/cfg/liveness.h"
#include "sw/cfg/natural_loops.h"

namespace pws::wcet {

namespace {

constexpr unsigned rounds_before_widening = 3;

class analysis {
 public:
  analysis(const cfg::flow_graph& graph, const lane_transfer& transfer)
      : graph_(graph),
        transfer_(transfer),
        live_(graph),
        loops_(graph, cfg::dominator_tree(graph, cfg::dominator_tree::direction::dominators)),
        before_(graph.size()),
        rounds_(graph.size(), 0),
        position_(graph.size(), 0),
        pending_(graph.size(), false) {
    const auto& order = graph.reverse_postorder();
    for (size_t k = 0; k < order.size(); ++k) position_[order[k]] = k;
  }

  void run(const lane_state& initial) {
    const auto& order = graph_.reverse_postorder();
    arrive(nothing, 0, initial);
    for (;;) {
      const auto next = std::find_if(order.begin(), order.end(), [&](size_t b) { return pending_[b]; });
      if (next == order.end()) return;
      pending_[*next] = false;
      lane_state s = *before_[*next];
      for (size_t k = graph_[*next].first; k < graph_[*next].end; ++k) transfer_.apply(s, k);
      for (const size_t to : graph_[*next].successors)
        if (can_go(s, *next, to)) arrive(*next, to, s);
    }
  }

  template <class F>
  void visit(F f) const {
    for (size_t b = 0; b < graph_.size(); ++b) {
      if (!before_[b]) continue;
      lane_state s = *before_[b];
      for (size_t k = graph_[b].first; k < graph_[b].end; ++k) {
        f(k, s);
        transfer_.apply(s, k);
      }
    }
  }

 private:
  static constexpr size_t nothing = static_cast<size_t>(-1);

  // False where the branch at the end of the block is known to go elsewhere.
  bool can_go(const lane_state& s, size_t from, size_t to) const {
    const isa::inst& last = graph_.code().instructions[graph_[from].last()];
    if (!tests_scc(last) || !s.scc.is_constant()) return true;
    const bool taken = (s.scc.start != 0) == (branch_condition_of(last) == isa::branch_condition::scc_one);
    const uint64_t goes_to = taken ? last.target : last.pc + last.bytes();
    return graph_.code().instructions[graph_[to].first].pc == goes_to;
  }

  bool is_entry(size_t from, const cfg::natural_loop& l) const { return from == nothing || !l.contains(from); }

  void arrive(size_t from, size_t to, lane_state s) {
    mask_set kept;
    for (size_t l = loops_.innermost(to); l != cfg::natural_loop::none; l = loops_.loops()[l].parent) {
      const cfg::natural_loop& loop = loops_.loops()[l];
      const auto number = transfer_.mask_of_loop(loop.header);
      if (!number) continue;
      kept.set(*number);
      if (loop.header == to && is_entry(from, loop)) s.save_exec(*number);
    }
    s.begin_block();
    s.drop_masks(live_.before(graph_[to].first), kept);
    if (!before_[to]) {
      before_[to] = std::move(s);
      pending_[to] = true;
      return;
    }
    // Backwards: a loop, or paths that the graph's order does not follow.
    const bool back = from != nothing && position_[from] >= position_[to];
    rounds_[to] += back ? 1 : 0;
    const bool widening = (back && rounds_[to] > rounds_before_widening) || rounds_[to] > 8 * rounds_before_widening;
    if (before_[to]->join_with(s, widening)) pending_[to] = true;
  }

  const cfg::flow_graph& graph_;
  const lane_transfer& transfer_;
  cfg::scalar_liveness live_;
  cfg::loop_forest loops_;
  std::vector<std::optional<lane_state>> before_;  // by block
  std::vector<unsigned> rounds_;
  std::vector<size_t> position_;  // in reverse postorder
  std::vector<bool> pending_;
};

}  // namespace

void analyse_lane_values(const cfg::flow_graph& graph, const launch_facts& facts, const wave_kind& kind,
                         const std::function<void(size_t, const lane_state&)>& visit) {
  unsigned vgprs = 0;
  for (const isa::inst& i : graph.code().instructions) vgprs = std::max<unsigned>(vgprs, i.vgpr_end);
  const lane_transfer transfer(graph, facts);
  analysis a(graph, transfer);
  a.run(initial_lane_state(facts, kind, vgprs));
  a.visit(visit);
}

}  // namespace pws::wcet
