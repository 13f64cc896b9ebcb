// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/kernel/block_times.h"

#include "sw/wcet/checked.h"

namespace pws::wcet {

static_times find_static_times(const analysed_kernel& code, const machine_timing& machine, scheme s) {
  const cfg::flow_graph& graph = code.graph();
  static_times t;
  t.of = instruction_times(graph, machine, s, code.accesses());
  if (s == scheme::pws && code.swf_contexts() != 0)
    for (size_t k = 0; k < t.of.size(); ++k)
      t.of[k].memory = checked_product(t.of[k].memory, code.splits().parts[k], "an access's time");
  const std::vector<paid_wait> waits = find_paid_waits(graph, s, code.accesses(), t.of);
  for (instruction_time& i : t.of) i.wait = 0;
  for (const paid_wait& w : waits) t.of[w.instruction].wait = w.cycles;
  t.waits = find_shared_waits(graph, waits);
  for (size_t b = 0; b < graph.size(); ++b) {
    uint64_t cycles = 0;
    for (size_t i = graph[b].first; i < graph[b].end; ++i)
      cycles = checked_sum(cycles, t.of[i].cycles(), "a basic block's time");
    t.blocks.push_back(cycles);
  }
  return t;
}

}  // namespace pws::wcet
