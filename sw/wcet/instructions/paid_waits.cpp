// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/instructions/paid_waits.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <queue>

#include "sw/wcet/instructions/outstanding_operations.h"

namespace pws::wcet {

namespace {

// The counters by which one access may be under way with no wait charged for it yet.
struct uncharged {
  bool vector = false, local = false;  // vmcnt, lgkmcnt
  bool operator==(const uncharged& o) const { return vector == o.vector && local == o.local; }
};
using uncharged_accesses = std::map<size_t, uncharged>;  // by instruction

bool join(uncharged_accesses& to, const uncharged_accesses& from) {
  bool changed = false;
  for (const auto& [k, u] : from) {
    const auto [here, added] = to.try_emplace(k, u);
    const uncharged both = {here->second.vector || u.vector, here->second.local || u.local};
    changed = changed || added || !(both == here->second);
    here->second = both;
  }
  return changed;
}

// Those for which an instruction that may wait by these counters is charged: it is the first one behind them that may.
std::vector<size_t> take(uncharged_accesses& all, const waited_counters& by) {
  std::vector<size_t> out;
  for (auto a = all.begin(); a != all.end();) {
    uncharged& u = a->second;
    if ((by.vector && u.vector) || (by.local && u.local)) out.push_back(a->first);
    u = {u.vector && !by.vector, u.local && !by.local};
    a = u == uncharged{} ? all.erase(a) : std::next(a);
  }
  return out;
}

class tracker {
 public:
  tracker(const cfg::flow_graph& graph, scheme s, const std::vector<access_bound>& accesses)
      : graph_(graph), accesses_(accesses) {
    const std::vector<outstanding_operations> counted =
        find_outstanding(graph, [&](size_t k) { return accesses[k].lds_passes != 0; });
    for (size_t k = 0; k < counted.size(); ++k)
      may_wait_.push_back(waits_for(graph.code().instructions[k], counted[k], s));
  }

  // The accesses for which this instruction is charged.
  std::vector<size_t> execute(uncharged_accesses& all, size_t k) const {
    std::vector<size_t> charged = take(all, may_wait_[k]);
    const isa::inst& i = graph_.code().instructions[k];
    if (i.unit == isa::unit::vector_memory)
      all[k] = {true, i.native == isa::format::flat && accesses_[k].lds_passes != 0};
    else if (i.unit == isa::unit::scalar_memory || i.unit == isa::unit::lds)
      all[k] = {false, true};
    return charged;
  }

  std::vector<uncharged_accesses> before_blocks() const {
    std::vector<uncharged_accesses> entry(graph_.size());
    std::deque<size_t> work(graph_.reverse_postorder().begin(), graph_.reverse_postorder().end());
    while (!work.empty()) {
      const size_t b = work.front();
      work.pop_front();
      uncharged_accesses now = entry[b];
      for (size_t k = graph_[b].first; k < graph_[b].end; ++k) execute(now, k);
      for (const size_t to : graph_[b].successors)
        if (join(entry[to], now) && std::find(work.begin(), work.end(), to) == work.end()) work.push_back(to);
    }
    return entry;
  }

 private:
  const cfg::flow_graph& graph_;
  const std::vector<access_bound>& accesses_;
  std::vector<waited_counters> may_wait_;  // by instruction
};

// What is surely issued from an access that the wait is charged for to the wait, up to `most` cycles.
uint64_t issued_beside(const cfg::flow_graph& graph, const std::vector<instruction_time>& times, const paid_wait& w,
                       uint64_t most) {
  using reached = std::pair<uint64_t, size_t>;  // cycles from this instruction's issue on, instruction
  std::priority_queue<reached, std::vector<reached>, std::greater<>> open;
  std::map<size_t, uint64_t> least;
  const auto visit = [&](size_t k, uint64_t behind) {
    const uint64_t cycles = behind + times[k].issue;
    const auto [here, added] = least.try_emplace(k, cycles);
    if (!added && here->second <= cycles) return;
    here->second = cycles;
    open.emplace(cycles, k);
  };
  const auto go_back = [&](size_t k, uint64_t behind) {
    const cfg::basic_block& b = graph[graph.block_of(k)];
    if (k != b.first) return visit(k - 1, behind);
    for (const size_t p : b.predecessors)
      if (graph.reachable(p)) visit(graph[p].last(), behind);
  };
  go_back(w.instruction, 0);
  while (!open.empty()) {
    const auto [cycles, k] = open.top();
    open.pop();
    if (cycles != least[k]) continue;
    if (cycles >= most) return most;
    if (std::binary_search(w.accesses.begin(), w.accesses.end(), k)) return cycles;
    go_back(k, cycles);
  }
  return most;  // no access comes here
}

}  // namespace

std::vector<paid_wait> find_paid_waits(const cfg::flow_graph& graph, scheme s,
                                       const std::vector<access_bound>& accesses,
                                       const std::vector<instruction_time>& times) {
  const tracker track(graph, s, accesses);
  const std::vector<uncharged_accesses> before = track.before_blocks();
  std::vector<paid_wait> out;
  for (const size_t b : graph.reverse_postorder()) {
    uncharged_accesses now = before[b];
    for (size_t k = graph[b].first; k < graph[b].end; ++k) {
      paid_wait w;
      w.instruction = k;
      w.accesses = track.execute(now, k);
      if (w.accesses.empty()) continue;
      w.cycles = times[k].wait - issued_beside(graph, times, w, times[k].wait);
      if (w.cycles != 0) out.push_back(std::move(w));
    }
  }
  std::sort(out.begin(), out.end(), [](const auto& x, const auto& y) { return x.instruction < y.instruction; });
  return out;
}

namespace {

void add_charges(const cfg::flow_graph& graph, const std::vector<paid_wait>& waits, shared_waits& out) {
  // Accesses of one block that the same waits share are one.
  std::map<size_t, std::vector<size_t>> shared_by;  // by access
  for (const paid_wait& w : waits)
    if (out.shared[w.instruction])
      for (const size_t a : w.accesses) shared_by[a].push_back(w.instruction);
  std::map<std::pair<size_t, std::vector<size_t>>, uint64_t> alike;
  for (const auto& [a, by] : shared_by) ++alike[{graph.block_of(a), by}];

  std::map<size_t, flow_problem::limit> paid;  // by wait
  std::map<size_t, uint64_t> cycles;
  for (const paid_wait& w : waits) {
    if (!out.shared[w.instruction]) continue;
    cycles[w.instruction] = w.cycles;
    flow_problem::limit& l = paid[w.instruction];
    l.name = fmt::format("executions of the wait at instruction {}", w.instruction);
    l.per_nodes = {graph.block_of(w.instruction)};
    l.bound = 1;
  }
  for (const auto& [accesses, n] : alike) {
    flow_problem::limit ends;
    ends.name = fmt::format("waits for accesses of block {}", accesses.first);
    ends.per_nodes = {accesses.first};
    ends.bound = n;
    ends.from_entry = true;
    for (const size_t w : accesses.second) {
      paid[w].charges.push_back(out.charges.size());
      ends.charges.push_back(out.charges.size());
      out.charges.push_back({w, cycles[w]});
    }
    out.limits.push_back(std::move(ends));
  }
  for (auto& [w, l] : paid) out.limits.push_back(std::move(l));
}

}  // namespace

shared_waits find_shared_waits(const cfg::flow_graph& graph, const std::vector<paid_wait>& waits) {
  shared_waits out;
  out.shared.assign(graph.code().instructions.size(), false);
  std::map<size_t, size_t> waited_for;  // by access: waits that share it
  const auto count = [&](const paid_wait& w, bool shared) {
    out.shared[w.instruction] = shared;
    for (const size_t a : w.accesses) waited_for[a] += shared ? 1 : static_cast<size_t>(-1);
  };
  for (const paid_wait& w : waits) count(w, true);
  for (bool changed = true; changed;) {
    changed = false;
    for (const paid_wait& w : waits) {
      if (!out.shared[w.instruction]) continue;
      const bool has_own = std::any_of(w.accesses.begin(), w.accesses.end(), [&](size_t a) {
        return a < w.instruction && graph.block_of(a) == graph.block_of(w.instruction) && waited_for[a] == 1;
      });
      if (!has_own) continue;
      count(w, false);
      changed = true;
    }
  }
  add_charges(graph, waits, out);
  return out;
}

}  // namespace pws::wcet
