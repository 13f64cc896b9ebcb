// SPDX-License-Identifier: Apache-2.0
#include "platform/wcet/graph_bound.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/error.h"
#include "sw/cfg/select.h"

namespace pws::platform {

using nlohmann::ordered_json;

graph_bounds bound_graph(const graph_config& g) {
  graph_bounds b;
  try {
    b.selected = cfg::select(g.graph, g.inputs.s);
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
  std::string text;
  for (const size_t id : b.selected) text += (text.empty() ? "" : ", ") + g.blocks[id];
  fmt::print(out, "  {:<14}{}\n", "S_B", text.empty() ? "none" : text);
  text.clear();
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

ordered_json to_json(const graph_config& g, const graph_bounds& b) {
  const auto quantity = [](uint64_t v) { return ordered_json{{"value", v}, {"unit", "cycles"}}; };
  ordered_json j;
  j["file"] = g.file;
  j["S"] = g.inputs.s;
  j["S_B"] = ordered_json::array();
  for (const size_t id : b.selected) j["S_B"].push_back(g.blocks[id]);
  j["removed_edges"] = ordered_json::array();
  for (const wcet::removed_edge& e : b.pruned.removed)
    j["removed_edges"].push_back({{"branch", g.blocks[e.branch]}, {"from", g.blocks[e.from]}, {"to", g.blocks[e.to]}});
  j["IPET_C"] = quantity(b.serial);
  j["IPET_C_out"] = quantity(b.longest);
  for (size_t k = 0; k < g.blocks.size(); ++k) j["F"][g.blocks[k]] = quantity(b.pruned.f[k]);
  for (const auto& [name, kernel] :
       {std::pair{"none", &b.kernel.none}, std::pair{"pws", &b.kernel.pws}, std::pair{"dws", &b.kernel.dws}})
    j["bounds"][name] = {
        {"E_WF", quantity(kernel->e_wf)}, {"D_S", kernel->d_s}, {"E_kernel", quantity(kernel->e_kernel)}};
  return j;
}

}  // namespace pws::platform
