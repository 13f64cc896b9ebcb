// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/loops/loop_place.h"

#include <algorithm>

#include "sw/cfg/scalar_set.h"

namespace pws::wcet {

namespace {

// The branch that ends a block, and what it depends on within the block: the compare, the masks it goes through, and
// what a scalar compare compares.
std::vector<size_t> deciding_instructions(const cfg::flow_graph& graph, size_t block) {
  constexpr int most_steps = 8;
  const auto& code = graph.code().instructions;
  std::vector<size_t> out{graph[block].last()};
  cfg::scalar_set wanted = cfg::scalars_read(code[graph[block].last()]);
  int steps = 0;
  for (size_t k = graph[block].last(); wanted.any() && steps < most_steps && k-- > graph[block].first;) {
    const cfg::scalar_set written = cfg::scalars_written(code[k]);
    if ((written & wanted).none()) continue;
    ++steps;
    out.push_back(k);
    wanted &= ~written;
    if (code[k].unit == isa::unit::salu) wanted |= cfg::scalars_read(code[k]);
  }
  return out;
}

// Blocks of the loop that end with a branch back or out.
bool decides(const cfg::flow_graph& graph, const cfg::natural_loop& loop, size_t block) {
  return std::any_of(graph[block].successors.begin(), graph[block].successors.end(),
                     [&](size_t to) { return to == loop.header || !loop.contains(to); });
}

// Instructions that come after the beginning of a block, or before its end, the nearest blocks' first.
std::vector<size_t> in_order_from(const cfg::flow_graph& graph, size_t block, bool forwards) {
  std::vector<size_t> blocks{block}, out;
  for (size_t n = 0; n < blocks.size(); ++n) {
    const cfg::basic_block& b = graph[blocks[n]];
    for (size_t k = 0; k < b.end - b.first; ++k) out.push_back(forwards ? b.first + k : b.last() - k);
    for (const size_t next : forwards ? b.successors : b.predecessors)
      if (std::find(blocks.begin(), blocks.end(), next) == blocks.end()) blocks.push_back(next);
  }
  return out;
}

}  // namespace

cfg::source_place place_of_loop(const cfg::flow_graph& graph, const cfg::natural_loop& loop,
                                const std::function<cfg::source_place(size_t)>& place) {
  cfg::source_place first;
  for (const size_t b : loop.blocks) {
    if (!decides(graph, loop, b)) continue;
    for (const size_t k : deciding_instructions(graph, b)) {
      const cfg::source_place p = place(k);
      if (p.line != 0 && (first.line == 0 || p.line < first.line)) first = p;
    }
  }
  return first.line != 0 ? first : place_near(graph, loop.header, place);
}

cfg::source_place place_near(const cfg::flow_graph& graph, size_t block,
                             const std::function<cfg::source_place(size_t)>& place) {
  const auto& code = graph.code().instructions;
  cfg::source_place end;
  for (size_t k = 0; k < code.size() && end.line == 0; ++k)
    if (cfg::ends_function(code[k]) && code[k].unit != isa::unit::message) end = place(k);  // of no s_trap
  for (const bool in_its_file : {true, false})
    for (const bool forwards : {true, false})
      for (const size_t k : in_order_from(graph, block, forwards))
        if (const cfg::source_place p = place(k); p.line != 0 && (!in_its_file || p.file == end.file)) return p;
  return {};
}

}  // namespace pws::wcet
