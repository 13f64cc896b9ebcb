// SPDX-License-Identifier: Apache-2.0
// Random cost graphs for the tests of the choice of split points: structured programs, written node by node.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "sw/cfg/cost_graph.h"

namespace pws::cfg {

// Programs that the random tests look at: `usual`, or what PWS_CFG_PROGRAMS says.
inline uint64_t program_count(uint64_t usual) {
  const char* wanted = std::getenv("PWS_CFG_PROGRAMS");
  return wanted == nullptr ? usual : std::stoull(wanted);
}

// Appends nodes to a graph. What is left open (edges, Reconv of branches that have ended, ...) goes to the next node.
class graph_writer {
 public:
  struct slot {
    size_t branch = 0;
    size_t cost_graph::serial_branch::*field = nullptr;
  };
  struct frontier {
    std::vector<size_t> nodes;
    std::vector<slot> slots;
    void add(const frontier& o) {
      nodes.insert(nodes.end(), o.nodes.begin(), o.nodes.end());
      slots.insert(slots.end(), o.slots.begin(), o.slots.end());
    }
  };

  explicit graph_writer(cost_graph& graph) : graph_(graph) {}

  frontier open;

  size_t emit(uint64_t cycles) {
    const size_t v = graph_.nodes.size();
    for (const size_t from : open.nodes) {
      std::vector<size_t>& successors = graph_.nodes[from].successors;
      if (std::find(successors.begin(), successors.end(), v) == successors.end()) successors.push_back(v);
    }
    for (const slot& s : open.slots) graph_.branches[s.branch].*s.field = v;
    graph_.nodes.push_back({cycles, {}, cost_graph::none});
    open = {{v}, {}};
    return v;
  }

  template <typename function>
  void if_then(size_t id, uint64_t cycles, function then_side) {
    using branch = cost_graph::serial_branch;
    const size_t b = begin(id, cycles);
    const size_t u = graph_.branches[b].node;
    then_side();
    open.add({{u}, {{b, &branch::bsb}, {b, &branch::reconv}}});
  }

  template <typename then_function, typename else_function>
  void if_else(size_t id, uint64_t cycles, uint64_t bsb_cycles, then_function then_side, else_function else_side) {
    using branch = cost_graph::serial_branch;
    const size_t b = begin(id, cycles);
    const size_t u = graph_.branches[b].node;
    then_side();
    open.add({{u}, {{b, &branch::bsb}}});
    const size_t bsb = emit(bsb_cycles);
    open.slots.push_back({b, &branch::bsb_succ});
    else_side();
    open.add({{bsb}, {{b, &branch::reconv}}});
  }

 private:
  size_t begin(size_t id, uint64_t cycles) {
    const size_t b = graph_.branches.size();
    graph_.branches.emplace_back();
    graph_.branches[b].id = id;
    graph_.branches[b].marked = graph_.branches[b].splittable = true;
    graph_.branches[b].node = emit(cycles);
    open.slots.push_back({b, &cost_graph::serial_branch::succ});
    return b;
  }

  cost_graph& graph_;
};

class random_program {
 public:
  explicit random_program(uint64_t seed) : random_(seed) {}

  // At most `branches` serialised branches, with different ids below 32.
  cost_graph make(unsigned branches) {
    branches_left_ = branches;
    uniform_left_ = 5;
    huge_ = below(8) == 0;
    unmarked_ = below(2) == 0;
    ids_.clear();
    for (size_t k = 0; k < 32; ++k) ids_.push_back(k);
    for (size_t k = ids_.size(); k > 1; --k) std::swap(ids_[k - 1], ids_[below(k)]);
    return graph(0);
  }

  uint64_t below(uint64_t n) { return random_() % n; }

  uint64_t cycles() {
    switch (below(huge_ ? 8 : 7)) {
      case 0:
        return 0;
      case 1:
        return below(1000);
      case 7:
        return std::numeric_limits<uint64_t>::max() >> below(6);
      default:
        return 1 + below(30);
    }
  }

 private:
  cost_graph graph(unsigned depth) {
    cost_graph g;
    graph_writer w(g);
    if (below(3) != 0) w.emit(cycles());
    sequence(g, w, depth);
    w.emit(cycles());
    for (cost_graph::serial_branch& b : g.branches) {
      if (!unmarked_) continue;
      b.marked = below(4) != 0;
      b.splittable = below(4) != 0;
    }
    return g;
  }

  void sequence(cost_graph& g, graph_writer& w, unsigned depth) {
    for (uint64_t n = below(depth == 0 ? 6 : 4) + (depth == 0 ? 2 : 0); n > 0; --n) piece(g, w, depth);
  }

  void piece(cost_graph& g, graph_writer& w, unsigned depth) {
    const auto inside = [&] { sequence(g, w, depth + 1); };
    switch (depth > 5 ? 0 : below(8)) {
      case 1:
      case 2:
        if (branches_left_ > 0) w.if_then(next_id(), cycles(), inside);
        break;
      case 3:
      case 4:
        if (branches_left_ > 0) w.if_else(next_id(), cycles(), cycles(), inside, inside);
        break;
      case 5:
        else_if_chain(g, w, depth, 1 + below(3));
        break;
      case 6:
        uniform(g, w, depth);
        break;
      case 7:
        loop(g, w, depth);
        break;
      default:
        w.emit(cycles());
        break;
    }
  }

  void else_if_chain(cost_graph& g, graph_writer& w, unsigned depth, uint64_t links) {
    if (branches_left_ == 0) return;
    w.if_else(
        next_id(), cycles(), cycles(), [&] { sequence(g, w, depth + 1); },
        [&] {
          if (links > 0)
            else_if_chain(g, w, depth + 1, links - 1);
          else
            w.emit(cycles());
        });
  }

  // Two or three ways, of which one may be straight on; sometimes the first also leads into the last.
  void uniform(cost_graph& g, graph_writer& w, unsigned depth) {
    if (uniform_left_ == 0) return;
    --uniform_left_;
    const size_t u = w.emit(cycles());
    graph_writer::frontier ends;
    size_t shared = cost_graph::none;
    for (uint64_t way = below(2) + 1; way > 0; --way) {
      w.open = {{u}, {}};
      if (shared != cost_graph::none) w.open.nodes.push_back(shared);
      const size_t first = w.emit(cycles());
      sequence(g, w, depth + 1);
      ends.add(w.open);
      shared = below(2) == 0 ? first : cost_graph::none;
    }
    if (below(2) == 0) ends.nodes.push_back(u);
    w.open = ends;
  }

  void loop(cost_graph& g, graph_writer& w, unsigned depth) {
    const size_t v = w.emit(cycles());
    cost_graph body = graph(depth + 2);
    g.nodes[v].loop = g.loops.size();
    g.loops.push_back({std::move(body), huge_ && below(4) == 0 ? random_() : below(5)});
  }

  size_t next_id() {
    --branches_left_;
    const size_t id = ids_.back();
    ids_.pop_back();
    return id;
  }

  std::mt19937_64 random_;
  unsigned branches_left_ = 0;
  unsigned uniform_left_ = 0;
  bool huge_ = false;
  bool unmarked_ = false;
  std::vector<size_t> ids_;
};

}  // namespace pws::cfg
