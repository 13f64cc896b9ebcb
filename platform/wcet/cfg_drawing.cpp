// SPDX-License-Identifier: Apache-2.0
// The control flow graph for Graphviz.
#include <fmt/format.h>

#include <algorithm>

#include "platform/wcet/wcet_report.h"

namespace pws::platform {

namespace {

using wcet::scheme;

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

class drawing {
 public:
  drawing(const wcet_result& r, scheme s) : r_(r), bound_(r.of(s)), graph_(r.analysed->graph()) {}

  std::string text() const {
    std::string out = fmt::format(
        "digraph cfg {{\n  label=\"{}: E_WF {} cycles ({}); bold: the worst path{}; dashed: removed\";\n"
        "  node [shape=ellipse, fontname=\"sans-serif\", fontsize=10];\n  edge [fontname=\"sans-serif\", "
        "fontsize=9];\n",
        escaped(r_.kernel), bound_.wavefront.cycles, name_of(bound_.wavefront.of_scheme),
        bound_.wavefront.path.is_path ? "" : ", an approximation");
    for (size_t k = 0; k < graph_.size(); ++k)
      if (graph_.reachable(k)) out += block(k);
    for (size_t k = 0; k < graph_.size(); ++k)
      if (graph_.reachable(k))
        for (const size_t to : graph_[k].successors) out += edge(k, to);
    return out + "}\n";
  }

 private:
  std::string block(size_t k) const {
    const uint64_t n = bound_.wavefront.path.node_count[k];
    const cfg::source_place place = r_.analysed->place(graph_[k].first);
    std::string label = fmt::format("{}\\n+0x{:x}", k, r_.code.instructions[graph_[k].first].pc - r_.code.begin());
    if (place.line != 0) label += fmt::format(" line {}", place.line);
    label += fmt::format("\\ne {} x {}", bound_.wavefront.block_cycles()[k], n);
    for (const wcet::bounded_loop& l : r_.analysed->loops())
      if (l.header == k) label += fmt::format("\\nloop, at most {}", *l.passes);
    std::string style;
    for (const wcet::split_point& p : r_.analysed->split_points()) {
      // As P Fig. 8: branches in orange, branch serialization blocks square.
      if (p.block == k) style += fmt::format(", style=filled, fillcolor={}", p.guaranteed ? "orange" : "lightgrey");
      if (p.recognised && p.bsb == k) style += ", shape=box";
    }
    return fmt::format("  b{} [label=\"{}\"{}{}];\n", k, label, n > 0 ? ", penwidth=2.5" : "", style);
  }

  std::string edge(size_t from, size_t to) const {
    const auto& removed = bound_.wavefront.removed;
    const bool gone = std::any_of(removed.begin(), removed.end(),
                                  [&](const wcet::removed_side& e) { return e.from == from && e.to == to; });
    const uint64_t n = count(from, to);
    const char* style = gone ? " [style=dashed, color=red, label=\"removed\"]" : "";
    if (n > 0) return fmt::format("  b{} -> b{} [penwidth=2.5, label=\"{}\"];\n", from, to, n);
    return fmt::format("  b{} -> b{}{};\n", from, to, style);
  }

  // How often the worst path takes it.
  uint64_t count(size_t from, size_t to) const {
    const wcet::flow_problem& p = bound_.wavefront.problem;
    uint64_t n = 0;
    for (size_t e = 0; e < p.edges.size(); ++e) {
      if (p.edges[e].from != from) continue;
      const size_t end = p.edges[e].to >= graph_.size() ? p.edges[e + 1].to : p.edges[e].to;
      if (end == to) n += bound_.wavefront.path.edge_count[e];
    }
    return n;
  }

  const wcet_result& r_;
  const scheme_bound& bound_;
  const cfg::flow_graph& graph_;
};

}  // namespace

std::string to_dot(const wcet_result& r, scheme s) {
  return drawing(r, s).text();
}

}  // namespace pws::platform
