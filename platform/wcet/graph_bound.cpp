// SPDX-License-Identifier: Apache-2.0
#include "platform/wcet/graph_bound.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <stdexcept>

#include "base/enum_names.h"
#include "base/error.h"
#include "platform/wcet/launch_bound.h"
#include "sw/cfg/choose_splits.h"
#include "sw/cfg/select.h"

namespace pws::platform {

namespace {

using pwscc::split_choice;

cfg::split_set choose(const graph_config& g) {
  if (g.split == split_choice::none) return {};
  if (g.split == split_choice::automatic) return cfg::choose_splits(g.graph, g.inputs.s, g.inputs.e_s, g.inputs.e_m);
  cfg::cost_graph graph = g.graph;
  for (cfg::cost_graph::serial_branch& b : graph.branches) b.marked = b.marked || g.split == split_choice::all;
  return cfg::select(graph, g.inputs.s);
}

std::vector<std::string> names_of(const graph_config& g, const cfg::split_set& branches) {
  std::vector<std::string> names;
  for (const size_t id : branches) names.push_back(g.blocks[id]);
  return names;
}

}  // namespace

graph_bounds bound_graph(const graph_config& g) {
  graph_bounds b;
  try {
    for (const cfg::cost_graph::serial_branch& branch : g.graph.branches)
      if (branch.marked) b.marked.insert(branch.id);
    b.selected = choose(g);
    b.pruned = wcet::prune(g.graph, b.selected);
    b.serial = wcet::solve_ipet(wcet::flow_of(g.graph)).cycles;
    b.longest = wcet::solve_ipet(wcet::flow_of(g.graph, b.pruned.removed)).cycles;
  } catch (const std::invalid_argument& e) {
    throw input_error(fmt::format("{}: {} (node 0 is the first of the blocks)", g.file, e.what()));
  }
  wcet::kernel_bound_inputs in = g.inputs;
  in.s_b = b.selected.size();
  in.ipet_serial = b.serial;
  in.ipet_pruned = b.longest;
  b.kernel = wcet::bound_kernel(in);
  return b;
}

void print(std::ostream& out, const graph_config& g, const graph_bounds& b) {
  fmt::print(out, "{}: {} blocks, {} serialised branches, S = {}\n", g.file, g.graph.nodes.size(),
             g.graph.branches.size(), g.inputs.s);
  const auto branches = [&](const char* label, const cfg::split_set& ids, const std::string& note) {
    const std::string names = ids.empty() ? "none" : fmt::format("{}", fmt::join(names_of(g, ids), ", "));
    fmt::print(out, "  {:<14}{}{}\n", label, names, note);
  };
  const bool by_marks = g.split == split_choice::marked;
  if (by_marks || !b.marked.empty())
    branches("marked", b.marked, by_marks ? "" : fmt::format(" (without effect: split is {})", name_of(g.split)));
  branches("S_B", b.selected, "");
  std::string text;
  for (const wcet::removed_edge& e : b.pruned.removed)
    text += fmt::format("{}{} -> {}", text.empty() ? "" : ", ", g.blocks[e.from], g.blocks[e.to]);
  fmt::print(out, "  {:<14}{}\n", "removed edges", text.empty() ? "none" : text);
  fmt::print(out, "  {:<14}{:>16}{:>16}{:>16}\n", "cycles", "no splitting", "PWS", "DWS");
  const auto row = [&](const char* label, auto value) {
    fmt::print(out, "  {:<14}{:>16}{:>16}{:>16}\n", label, value(b.kernel.none), value(b.kernel.pws),
               value(b.kernel.dws));
  };
  row("E_WF", [](const wcet::kernel_bound& k) { return k.e_wf; });
  row("D_S", [](const wcet::kernel_bound& k) { return k.d_s; });
  row("E_kernel", [](const wcet::kernel_bound& k) { return k.e_kernel; });
}

const report_part<graph_result>& graph_part() {
  using g = graph_result;
  struct edge {
    std::string branch, from, to;
  };
  const auto removed = [](const g& of) {
    std::vector<edge> all;
    for (const wcet::removed_edge& e : of.bounds.pruned.removed)
      all.push_back({of.graph.blocks[e.branch], of.graph.blocks[e.from], of.graph.blocks[e.to]});
    return all;
  };
  const auto pruned = [](const g& of) {
    std::vector<std::pair<std::string, uint64_t>> all;
    for (size_t k = 0; k < of.graph.blocks.size(); ++k) all.emplace_back(of.graph.blocks[k], of.bounds.pruned.f[k]);
    return all;
  };
  using k = wcet::kernel_bound;
  using three = wcet::kernel_bounds;
  const auto bound = report_part<k>()
                         .value(e_wf_row, &k::e_wf)
                         .value("D_S", "dispatches one after the other", &k::d_s)
                         .value(e_kernel_row, &k::e_kernel);
  static const report_part<g> all =
      report_part<g>()
          .value("file", "the graph", [](auto& of) { return of.graph.file; })
          .value("S", "SpSIMD units of a SIMD unit", [](auto& of) { return of.graph.inputs.s; })
          .value("split", "which branches may be: none, marked, all or auto",
                 [](auto& of) { return name_of(of.graph.split); })
          .value("marked", "branches that are marked", [](auto& of) { return names_of(of.graph, of.bounds.marked); })
          .value("S_B", "branches that are split", [](auto& of) { return names_of(of.graph, of.bounds.selected); })
          .list("removed_edges",
                report_part<edge>()
                    .value("branch", "block; Prune", &edge::branch)
                    .value("from", "block", &edge::from)
                    .value("to", "block", &edge::to),
                removed)
          .value("IPET_C", "cycles", "longest path of the graph", [](auto& of) { return of.bounds.serial; })
          .value("IPET_C_out", "cycles", "the same without the removed edges",
                 [](auto& of) { return of.bounds.longest; })
          .map("F", "cycles", "Prune: from the block of this name on", pruned)
          .part("bounds",
                report_part<three>()
                    .part("none", bound, &three::none)
                    .part("pws", bound, &three::pws)
                    .part("dws", bound, &three::dws),
                [](auto& of) { return of.bounds.kernel; });
  return all;
}

}  // namespace pws::platform
