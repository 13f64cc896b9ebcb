// SPDX-License-Identifier: Apache-2.0
#include "sw/cfg/region_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

namespace pws::cfg {

namespace {

// True if the node's successors are these two, or the one of them if they are the same.
bool leads_to(const cost_graph::node& n, size_t a, size_t b) {
  const std::set<size_t> wanted{a, b};
  return std::set<size_t>(n.successors.begin(), n.successors.end()) == wanted;
}

}  // namespace

region_tree::region_tree(const cost_graph& graph, const std::string& around) : graph_(&graph), around_(around) {
  check_edges();
  check_loops();
  place_branches();
  assign_regions();
  // A body's messages say where its loop is.
  std::vector<size_t> node_of(graph.loops.size(), none);
  for (size_t v = 0; v < nodes(); ++v)
    if (graph.nodes[v].loop != none) node_of[graph.nodes[v].loop] = v;
  bodies_.reserve(graph.loops.size());
  for (size_t k = 0; k < graph.loops.size(); ++k)
    bodies_.push_back(region_tree(graph.loops[k].body, fmt::format("{}in the loop at node {}: ", around_, node_of[k])));
}

void region_tree::fail(size_t node, const std::string& problem) const {
  throw std::invalid_argument(fmt::format("{}node {}: {}", around_, node, problem));
}

void region_tree::check_ids() const {
  std::vector<size_t> ids;
  collect_ids(ids);
  std::sort(ids.begin(), ids.end());
  const auto twice = std::adjacent_find(ids.begin(), ids.end());
  if (twice != ids.end()) throw std::invalid_argument(fmt::format("two branches have the id {}", *twice));
}

void region_tree::check_edges() const {
  for (size_t v = 0; v < nodes(); ++v)
    for (const size_t s : graph_->nodes[v].successors) {
      if (s >= nodes()) fail(v, fmt::format("its successor {} does not exist", s));
      if (s <= v) fail(v, fmt::format("its successor {} is not behind it in the topological order", s));
    }
}

void region_tree::check_loops() const {
  std::vector<size_t> node_of(graph_->loops.size(), none);
  for (size_t v = 0; v < nodes(); ++v) {
    const size_t loop = graph_->nodes[v].loop;
    if (loop == none) continue;
    if (loop >= graph_->loops.size()) fail(v, fmt::format("its loop {} does not exist", loop));
    if (node_of[loop] != none) fail(v, fmt::format("its loop {} is node {}'s already", loop, node_of[loop]));
    node_of[loop] = v;
  }
  const auto unused = std::find(node_of.begin(), node_of.end(), none);
  if (unused != node_of.end())
    throw std::invalid_argument(fmt::format("{}loop {} is no node's", around_, unused - node_of.begin()));
}

void region_tree::place_branches() {
  branch_at_.assign(nodes(), none);
  bsb_of_.assign(nodes(), none);
  for (size_t b = 0; b < graph_->branches.size(); ++b) {
    const cost_graph::serial_branch& branch = graph_->branches[b];
    check_branch(branch);
    if (branch_at_[branch.node] != none) fail(branch.node, "two branches are there");
    branch_at_[branch.node] = b;
    if (!branch.has_else()) continue;
    if (bsb_of_[branch.bsb] != none) fail(branch.bsb, "it is the BSB of two branches");
    bsb_of_[branch.bsb] = b;
  }
  for (const cost_graph::serial_branch& branch : graph_->branches)
    if (bsb_of_[branch.node] != none) fail(branch.node, "it is a branch and another branch's BSB");
}

void region_tree::check_branch(const cost_graph::serial_branch& b) const {
  if (b.node >= nodes())
    throw std::invalid_argument(fmt::format("{}branch {} is at node {}, which does not exist", around_, b.id, b.node));
  for (const size_t end : {b.succ, b.bsb, b.reconv})
    if (end >= nodes()) fail(b.node, "SuccBB, BSB or Reconv of the branch there does not exist");
  if (graph_->nodes[b.node].loop != none) fail(b.node, "it is a branch and a loop");
  if (b.succ > b.bsb) fail(b.node, "SuccBB is behind the BSB");
  if (b.bsb > b.reconv) fail(b.node, "the BSB is behind Reconv");
  check_ends(b);
}

void region_tree::check_ends(const cost_graph::serial_branch& b) const {
  if (!leads_to(graph_->nodes[b.node], b.succ, b.bsb)) fail(b.node, "its successors are not SuccBB and BSB");
  if (!b.has_else()) {
    if (b.bsb_succ != none) fail(b.node, "an if without else has no SuccBB(BSB)");
    return;
  }
  if (b.bsb_succ >= nodes()) fail(b.node, "SuccBB(BSB) of the branch there does not exist");
  if (b.bsb_succ > b.reconv) fail(b.node, "SuccBB(BSB) is behind Reconv");
  if (graph_->nodes[b.bsb].loop != none) fail(b.bsb, "it is a BSB and a loop");
  if (!leads_to(graph_->nodes[b.bsb], b.bsb_succ, b.reconv))
    fail(b.bsb, "its successors are not SuccBB(BSB) and Reconv");
}

// Forward, each node handing its region on. Two that disagree are a way into, or out of, the middle of a side.
void region_tree::assign_regions() {
  region_of_.assign(nodes(), none);
  exit_.assign(1 + 2 * graph_->branches.size(), none);
  if (nodes() != 0) enter(0, 0, whole);
  for (size_t v = 0; v < nodes(); ++v) {
    if (bsb_of_[v] != none) continue;  // its branch has seen to it
    const size_t region = region_of_[v];
    if (region == none) fail(v, "no path leads there");
    if (branch_at_[v] != none) {
      const size_t index = branch_at_[v];
      const cost_graph::serial_branch& b = graph_->branches[index];
      exit_[then_of(index)] = b.bsb;
      exit_[else_of(index)] = b.reconv;
      if (b.succ != b.bsb) enter(v, b.succ, then_of(index));
      if (b.has_else() && b.bsb_succ != b.reconv) enter(b.bsb, b.bsb_succ, else_of(index));
      if (b.reconv != exit_[region]) enter(v, b.reconv, region);
      continue;
    }
    const std::vector<size_t>& successors = graph_->nodes[v].successors;
    if (successors.empty() && region != whole)
      fail(v,
           fmt::format("the path ends in a side of the branch at node {}", graph_->branches[branch_of(region)].node));
    for (const size_t s : successors)
      if (s != exit_[region]) enter(v, s, region);
  }
}

void region_tree::enter(size_t from, size_t node, size_t region) {
  if (bsb_of_[node] != none)
    fail(from, fmt::format("it leads to node {}, the BSB of a branch that it is not in", node));
  if (region_of_[node] == none) region_of_[node] = region;
  if (region_of_[node] != region)
    fail(from, fmt::format("it leads to node {}, into or out of the middle of a branch's side", node));
}

size_t region_tree::entry(size_t region) const {
  if (region == whole) return nodes() == 0 ? none : 0;
  const cost_graph::serial_branch& b = graph_->branches[branch_of(region)];
  if (!is_else(region)) return b.succ == b.bsb ? none : b.succ;
  return !b.has_else() || b.bsb_succ == b.reconv ? none : b.bsb_succ;
}

uint64_t region_tree::frame_cycles(const cost_graph::serial_branch& b) const {
  const uint64_t own = graph_->nodes[b.node].cycles;
  return b.has_else() ? add_cycles(own, graph_->nodes[b.bsb].cycles) : own;
}

void region_tree::require_known(const split_set& chosen) const {
  std::vector<size_t> ids;
  collect_ids(ids);
  const split_set known(ids.begin(), ids.end());
  for (const size_t id : chosen)
    if (known.count(id) == 0) throw std::invalid_argument(fmt::format("the graph has no branch {}", id));
}

void region_tree::collect_ids(std::vector<size_t>& ids) const {
  for (size_t v = 0; v < nodes(); ++v) {
    if (branch_at_[v] != none) ids.push_back(graph_->branches[branch_at_[v]].id);
    if (graph_->nodes[v].loop != none) bodies_[graph_->nodes[v].loop].collect_ids(ids);
  }
}

}  // namespace pws::cfg
