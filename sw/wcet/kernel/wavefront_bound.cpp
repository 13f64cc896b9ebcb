// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/kernel/wavefront_bound.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "sw/cfg/region_costs.h"
#include "sw/wcet/checked.h"
#include "sw/wcet/flow/prune.h"
#include "sw/wcet/kernel/wavefront_problem.h"

namespace pws::wcet {

namespace {

// The loops around each other whose passes multiply to the most; empty: there are no two.
std::string largest_nest(const analysed_kernel& code) {
  std::vector<const bounded_loop*> largest;
  double most = 0;
  for (const bounded_loop& inner : code.loops()) {
    std::vector<const bounded_loop*> nest;  // outer ones first, as in code.loops()
    double product = 1;
    for (const bounded_loop& l : code.loops()) {
      if (!std::binary_search(l.blocks.begin(), l.blocks.end(), inner.header)) continue;
      nest.push_back(&l);
      product *= static_cast<double>(*l.passes);
    }
    if (nest.size() < 2 || product <= most) continue;
    most = product;
    largest = std::move(nest);
  }
  std::string text;
  for (const bounded_loop* l : largest)
    text += fmt::format("{}the {} has {}", text.empty() ? "; of loops in loops the passes multiply: " : ", ",
                        code.name_of(*l), *l->passes);
  return text.empty() ? "" : fmt::format("{}, {:.3g} in all", text, most);
}

// The parts of E_WF.
uint64_t cycles_of_splitting(const analysed_kernel& code, const static_times& times, const wavefront_bound& b) {
  uint64_t sum = 0;
  for (size_t k = 0; k < times.of.size(); ++k) {
    const isa::unit unit = code.graph().code().instructions[k].unit;
    if (unit != isa::unit::split && unit != isa::unit::merge) continue;
    const uint64_t once = checked_product(times.of[k].cycles(), b.barriers.factor, "E_WF");
    sum = checked_sum(sum, checked_product(once, b.path.node_count[code.graph().block_of(k)], "E_WF"), "E_WF");
  }
  return sum;
}

std::vector<removed_side> sides_not_taken(const analysed_kernel& code, const std::vector<exclusive_sides>& sides,
                                          const ipet_result& path) {
  const auto count = [&](const std::vector<size_t>& edges) {
    uint64_t n = 0;
    for (const size_t e : edges) n += path.edge_count[e];
    return n;
  };
  std::vector<removed_side> removed;
  for (const exclusive_sides& x : sides) {
    const split_point& s = code.split_points()[x.split];
    const uint64_t first = count(x.first), second = count(x.second);
    if (first + second == 0) continue;  // not on the worst path at all
    removed.push_back(first >= second ? removed_side{x.split, s.bsb, s.second_side}
                                      : removed_side{x.split, s.block, s.first_side});
  }
  return removed;
}

void prune_too(const analysed_kernel& code, wavefront_bound& b) {
  const cfg::flow_graph& graph = code.graph();
  std::vector<bool> guaranteed(code.splits().regions.size(), false);
  cfg::split_set chosen;
  for (const split_point& s : code.split_points()) {
    if (!s.guaranteed || b.of_scheme != scheme::pws) continue;
    guaranteed[s.region] = true;
    chosen.insert(s.region);
  }
  const cfg::region_costs costs =
      cfg::cost_graph_of(graph, code.splits().regions, guaranteed, b.block_cycles(), [&](size_t header) {
        const auto l = std::find_if(code.loops().begin(), code.loops().end(),
                                    [&](const bounded_loop& x) { return x.header == header; });
        return *l->passes;
      });
  pruned p;
  try {
    p = prune(costs.graph, chosen);
  } catch (const input_error&) {  // they do not fit in 64 bits
    return;
  }
  b.f.assign(graph.size(), 0);
  b.pruned_cycles = p.cycles;
  for (size_t k = 0; k < graph.size(); ++k)
    if (costs.node_of[k] != cfg::cost_graph::none && costs.graph.nodes[costs.node_of[k]].loop == cfg::cost_graph::none)
      b.f[k] = p.f[costs.node_of[k]];
}

void solve(const analysed_kernel& code, wavefront_bound& b) {
  wavefront_problem p = find_problem(code, b.of_scheme, b.times);
  const auto* static_part = std::get_if<static_times>(&b.times);
  if (static_part != nullptr)
    b.barriers =
        code.barriers().apply(p.graph, [&](const flow_problem& rest) { return solve(p, rest).critical.cycles; });
  two_walk_result found = solve(p, p.graph);
  b.problem = std::move(p.graph);
  b.path = std::move(found.critical);
  b.work_count = std::move(found.work_count);
  if (b.of_scheme != scheme::none) b.swfs = swfs_at_most(code.split_points(), code.swf_contexts());
  b.cycles = checked_product(b.path.cycles, b.barriers.factor, "E_WF");
  if (static_part != nullptr) b.splitting = cycles_of_splitting(code, *static_part, b);
  b.removed = sides_not_taken(code, p.sides, b.path);
  prune_too(code, b);
}

}  // namespace

wavefront_bound bound_wavefront(const analysed_kernel& code, scheme s, block_times times) {
  code.require_bounds();
  wavefront_bound b;
  b.of_scheme = s;
  b.times = std::move(times);
  try {
    solve(code, b);
  } catch (const infeasible_flow& e) {
    if (!e.stated()) throw;
    throw input_error(
        fmt::format("{}: a bound of a loop is too small: by the code, every wavefront goes beyond one of these: {}",
                    code.graph().code().name, e.names()));
  } catch (const immense_flow& e) {
    throw input_error(fmt::format("{}: {}{}", code.graph().code().name, e.what(), largest_nest(code)));
  }
  return b;
}

wavefront_bound bound_wavefront(const analysed_kernel& code, scheme s, const machine_timing& machine) {
  code.require_bounds();
  return bound_wavefront(code, s, find_static_times(code, machine, s));
}

}  // namespace pws::wcet
