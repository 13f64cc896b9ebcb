// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/instructions/outstanding_operations.h"

#include <algorithm>
#include <deque>

namespace pws::wcet {

namespace {

void add(uint8_t& n) {
  n = std::min<uint8_t>(static_cast<uint8_t>(n + 1), outstanding_operations::capacity);
}

void step(outstanding_operations& o, const isa::inst& i, bool local) {
  switch (i.unit) {
    case isa::unit::vector_memory:
      add(o.vector);
      if (!local) break;
      add(o.vector_local);
      add(o.lds);
      break;
    case isa::unit::scalar_memory:
      add(o.scalar);
      break;
    case isa::unit::lds:
      add(o.lds);
      break;
    case isa::unit::waitcnt: {
      const isa::waitcnt_fields w = isa::waitcnt(i);
      o.vector = std::min(o.vector, w.vmcnt);
      o.vector_local = std::min(o.vector_local, w.vmcnt);
      o.scalar = std::min(o.scalar, w.lgkmcnt);
      o.lds = std::min(o.lds, w.lgkmcnt);
      break;
    }
    case isa::unit::split:
    case isa::unit::merge:
      // They wait for everything only where the wavefront does split: o stays.
      break;
    default:
      break;
  }
}

bool raise(outstanding_operations& to, const outstanding_operations& from) {
  const auto higher = [](uint8_t& a, uint8_t b) {
    if (b <= a) return false;
    a = b;
    return true;
  };
  const bool v = higher(to.vector, from.vector), f = higher(to.vector_local, from.vector_local);
  const bool s = higher(to.scalar, from.scalar), l = higher(to.lds, from.lds);
  return v || f || s || l;
}

}  // namespace

std::vector<outstanding_operations> find_outstanding(const cfg::flow_graph& graph,
                                                     const std::function<bool(size_t instruction)>& local) {
  const auto& code = graph.code().instructions;
  std::vector<outstanding_operations> entry(graph.size());
  const auto execute = [&](outstanding_operations& o, size_t k) {
    step(o, code[k], code[k].native == isa::format::flat && local(k));
  };
  std::deque<size_t> work(graph.reverse_postorder().begin(), graph.reverse_postorder().end());
  while (!work.empty()) {
    const size_t b = work.front();
    work.pop_front();
    outstanding_operations o = entry[b];
    for (size_t k = graph[b].first; k < graph[b].end; ++k) execute(o, k);
    for (const size_t to : graph[b].successors)
      if (raise(entry[to], o) && std::find(work.begin(), work.end(), to) == work.end()) work.push_back(to);
  }
  std::vector<outstanding_operations> before(code.size());
  for (const size_t b : graph.reverse_postorder()) {
    outstanding_operations o = entry[b];
    for (size_t k = graph[b].first; k < graph[b].end; ++k) {
      before[k] = o;
      execute(o, k);
    }
  }
  return before;
}

}  // namespace pws::wcet
