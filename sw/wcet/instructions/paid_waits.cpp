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

// Executions of one access that may be under way.
struct under_way {
  // Vector memory issued since, at least: vmcnt is in order, so with n younger ones an access is done when n are left.
  uint8_t younger = 0;
  bool vector = false, local = false;  // counted by vmcnt, by lgkmcnt
  bool across_barrier = false;
  bool operator==(const under_way& o) const {
    return younger == o.younger && vector == o.vector && local == o.local && across_barrier == o.across_barrier;
  }
};
using accesses_under_way = std::map<size_t, under_way>;  // by instruction

under_way joined(const under_way& a, const under_way& b) {
  const uint8_t younger = !a.vector ? b.younger : !b.vector ? a.younger : std::min(a.younger, b.younger);
  return {younger, a.vector || b.vector, a.local || b.local, a.across_barrier || b.across_barrier};
}

bool join(accesses_under_way& to, const accesses_under_way& from) {
  bool changed = false;
  for (const auto& [k, u] : from) {
    const auto [here, added] = to.try_emplace(k, u);
    const under_way both = added ? u : joined(here->second, u);
    changed = changed || added || !(both == here->second);
    here->second = both;
  }
  return changed;
}

template <typename function>
void forget(accesses_under_way& all, function done) {
  for (auto a = all.begin(); a != all.end();) a = done(a->second) ? all.erase(a) : std::next(a);
}

// vmcnt is `left` at most. What is done in both counters is done in one: they count the same access.
void wait_vector(accesses_under_way& all, unsigned left) {
  forget(all, [&](const under_way& u) { return u.vector && u.younger >= left; });
}
// LDS and scalar accesses overtake each other: only when none is left is it known which are done.
void wait_local(accesses_under_way& all, unsigned left) {
  if (left != 0) return;
  for (auto& [k, u] : all) u.local = false;
  forget(all, [](const under_way& u) { return !u.vector && !u.local; });
}

class tracker {
 public:
  tracker(const cfg::flow_graph& graph, const std::vector<access_bound>& accesses)
      : graph_(graph), accesses_(accesses) {}

  void execute(accesses_under_way& all, size_t k) const {
    const isa::inst& i = graph_.code().instructions[k];
    const auto issue = [&](const under_way& u) {
      const auto [here, added] = all.try_emplace(k, u);
      if (!added) here->second = joined(here->second, u);
    };
    switch (i.unit) {
      case isa::unit::vector_memory:
        wait_vector(all, outstanding_operations::capacity - 1);  // there has to be room in the counter
        for (auto& [other, u] : all)
          if (u.vector) ++u.younger;
        issue({0, true, i.native == isa::format::flat && accesses_[k].lds_passes != 0, false});
        break;
      case isa::unit::scalar_memory:
      case isa::unit::lds:
        issue({0, false, true, false});
        break;
      case isa::unit::waitcnt:
        wait_vector(all, isa::waitcnt(i).vmcnt);
        wait_local(all, isa::waitcnt(i).lgkmcnt);
        break;
      case isa::unit::barrier:
        for (auto& [other, u] : all) u.across_barrier = true;
        break;
      default:  // split and merge wait for all, but only where the wavefront does split
        break;
    }
  }

  std::vector<accesses_under_way> before_blocks() const {
    std::vector<accesses_under_way> entry(graph_.size());
    std::deque<size_t> work(graph_.reverse_postorder().begin(), graph_.reverse_postorder().end());
    while (!work.empty()) {
      const size_t b = work.front();
      work.pop_front();
      accesses_under_way now = entry[b];
      for (size_t k = graph_[b].first; k < graph_[b].end; ++k) execute(now, k);
      for (const size_t to : graph_[b].successors)
        if (join(entry[to], now) && std::find(work.begin(), work.end(), to) == work.end()) work.push_back(to);
    }
    return entry;
  }

 private:
  const cfg::flow_graph& graph_;
  const std::vector<access_bound>& accesses_;
};

// What is surely issued from where the wait's window begins to the wait, up to `most` cycles. The window begins at the
// access, at the last wait before, or behind a barrier, whichever comes last.
uint64_t issued_beside(const cfg::flow_graph& graph, const std::vector<instruction_time>& times, const paid_wait& w,
                       uint64_t most) {
  using reached = std::pair<uint64_t, size_t>;  // cycles from this instruction's issue on, instruction
  std::priority_queue<reached, std::vector<reached>, std::greater<>> open;
  std::map<size_t, uint64_t> least;
  const auto visit = [&](size_t k, uint64_t behind) {
    const bool barrier = graph.code().instructions[k].unit == isa::unit::barrier;
    const uint64_t cycles = behind + (barrier ? 0 : times[k].issue);
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
    const bool begins = times[k].wait != 0 || graph.code().instructions[k].unit == isa::unit::barrier ||
                        std::binary_search(w.accesses.begin(), w.accesses.end(), k);
    if (begins) return cycles;
    go_back(k, cycles);
  }
  return most;  // no access comes here
}

}  // namespace

std::vector<paid_wait> find_paid_waits(const cfg::flow_graph& graph, scheme s,
                                       const std::vector<access_bound>& accesses,
                                       const std::vector<instruction_time>& times) {
  const std::vector<outstanding_operations> counted =
      find_outstanding(graph, [&](size_t k) { return accesses[k].lds_passes != 0; });
  const tracker track(graph, accesses);
  const std::vector<accesses_under_way> before = track.before_blocks();
  std::vector<paid_wait> out;
  for (const size_t b : graph.reverse_postorder()) {
    accesses_under_way now = before[b];
    for (size_t k = graph[b].first; k < graph[b].end; track.execute(now, k++)) {
      if (times[k].wait == 0) continue;
      const waited_counters may = waits_for(graph.code().instructions[k], counted[k], s);
      paid_wait w;
      w.instruction = k;
      for (const auto& [access, u] : now) {
        if (!(may.vector && u.vector) && !(may.local && u.local)) continue;
        w.accesses.push_back(access);
        w.across_barrier = w.across_barrier || u.across_barrier;
      }
      if (w.accesses.empty()) continue;
      w.cycles = times[k].wait - issued_beside(graph, times, w, times[k].wait);
      if (w.cycles != 0) out.push_back(std::move(w));
    }
  }
  std::sort(out.begin(), out.end(), [](const auto& x, const auto& y) { return x.instruction < y.instruction; });
  return out;
}

shared_waits find_shared_waits(const cfg::flow_graph& graph, const std::vector<paid_wait>& waits) {
  shared_waits out;
  out.shared.assign(graph.code().instructions.size(), false);
  std::map<size_t, size_t> waited_for;  // by access: waits that share it
  const auto count = [&](const paid_wait& w, bool shared) {
    out.shared[w.instruction] = shared;
    for (const size_t a : w.accesses) waited_for[a] += shared ? 1 : static_cast<size_t>(-1);
  };
  for (const paid_wait& w : waits)
    if (!w.across_barrier) count(w, true);
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
  return out;
}

void charge_shared_waits(const cfg::flow_graph& graph, const std::vector<paid_wait>& waits, shared_waits& shared,
                         flow_problem& problem) {
  // Accesses of one block that the same waits share are one.
  std::map<size_t, std::vector<size_t>> shared_by;  // by access
  for (const paid_wait& w : waits)
    if (shared.shared[w.instruction])
      for (const size_t a : w.accesses) shared_by[a].push_back(w.instruction);
  std::map<std::pair<size_t, std::vector<size_t>>, uint64_t> alike;
  for (const auto& [a, by] : shared_by) ++alike[{graph.block_of(a), by}];

  std::map<size_t, flow_problem::limit> paid;  // by wait
  std::map<size_t, uint64_t> cycles;
  for (const paid_wait& w : waits) {
    if (!shared.shared[w.instruction]) continue;
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
      const size_t c = problem.charges.size();
      problem.charges.push_back(cycles[w]);
      shared.charges.push_back({w, cycles[w]});
      paid[w].charges.push_back(c);
      ends.charges.push_back(c);
    }
    problem.limits.push_back(std::move(ends));
  }
  for (auto& [w, l] : paid) problem.limits.push_back(std::move(l));
}

}  // namespace pws::wcet
