// SPDX-License-Identifier: Apache-2.0
// A cost graph, executed: what the tests compare the analysis with. Reads the graph's fields alone, and shares nothing
// with the code that it checks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "sw/cfg/cost_graph.h"

namespace pws::cfg {

// Walks along every path there is, one after the other, and both SWFs where it splits.
class walked_machine {
 public:
  struct result {
    uint64_t cycles = 0;  // 2^64 - 1 stands for that and more
    size_t contexts = 0;
    uint64_t paths = 0;  // at the outermost level
  };

  // `chosen`: a bit per id.
  walked_machine(const cost_graph& graph, uint32_t chosen, uint64_t split_cycles, uint64_t merge_cycles)
      : graph_(graph), chosen_(chosen), split_cycles_(split_cycles), merge_cycles_(merge_cycles) {}

  result run() const { return graph_.nodes.empty() ? result{} : worst(0, cost_graph::none); }

 private:
  __extension__ using wide = unsigned __int128;
  static uint64_t clamp(wide cycles) {
    return cycles > std::numeric_limits<uint64_t>::max() ? std::numeric_limits<uint64_t>::max()
                                                         : static_cast<uint64_t>(cycles);
  }

  result worst(size_t from, size_t stop) const {
    result r;
    walk(from, stop, 0, 0, r);
    return r;
  }

  void walk(size_t v, size_t stop, wide now, size_t contexts, result& r) const {
    if (v == stop) return finish(now, contexts, r);
    const cost_graph::node& n = graph_.nodes[v];
    now += n.cycles;
    if (n.loop != cost_graph::none) {
      const cost_loop& l = graph_.loops[n.loop];
      const result body = walked_machine(l.body, chosen_, split_cycles_, merge_cycles_).run();
      if (l.bound != 0) contexts = std::max(contexts, body.contexts);
      if (l.bound > 100)
        now += clamp(static_cast<wide>(body.cycles) * l.bound);
      else
        for (uint64_t i = 0; i < l.bound; ++i) now += body.cycles;
    }
    for (const cost_graph::serial_branch& b : graph_.branches)
      if (b.node == v) return walk_branch(b, stop, now, contexts, r);
    if (n.successors.empty()) finish(now, contexts, r);
    for (const size_t s : n.successors) walk(s, stop, now, contexts, r);
  }

  // `now`: the branch's node is through.
  void walk_branch(const cost_graph::serial_branch& b, size_t stop, wide now, size_t contexts, result& r) const {
    const bool split = (chosen_ >> b.id & 1) != 0;
    const result first = worst(b.succ, b.bsb);
    const bool two_sided = b.bsb != b.reconv;
    const result second = two_sided ? worst(b.bsb_succ, b.reconv) : result{};
    const wide bsb = two_sided ? graph_.nodes[b.bsb].cycles : 0;
    if (split) {
      now += split_cycles_;
      now += b.overhead;
      const wide parent = now + first.cycles + bsb;  // u -> SuccBB ... BSB -> Reconv
      const wide child = now + bsb + second.cycles;  // u -> BSB -> SuccBB(BSB) ... Reconv
      now = std::max(parent, child) + merge_cycles_;
      contexts = std::max(contexts, first.contexts + second.contexts + 1);
    } else {
      now += static_cast<wide>(first.cycles) + bsb + second.cycles;
      contexts = std::max({contexts, first.contexts, second.contexts});
    }
    walk(b.reconv, stop, now, contexts, r);
  }

  static void finish(wide now, size_t contexts, result& r) {
    r.cycles = std::max(r.cycles, clamp(now));
    r.contexts = std::max(r.contexts, contexts);
    ++r.paths;
  }

  const cost_graph& graph_;
  uint32_t chosen_;
  uint64_t split_cycles_, merge_cycles_;
};

// One execution, of 64 work-items that each decide at random at every branch; keeps when each context was in use.
class random_execution {
 public:
  random_execution(const split_set& chosen, uint64_t split_cycles, uint64_t merge_cycles, uint64_t seed)
      : chosen_(chosen), split_cycles_(split_cycles), merge_cycles_(merge_cycles), random_(seed) {}

  uint64_t run(const cost_graph& g) { return g.nodes.empty() ? 0 : run(g, 0, cost_graph::none, ~uint64_t{0}, 0); }

  // The most contexts in use at one time. One that is given back at the moment another is taken is the same.
  size_t contexts() const {
    std::vector<std::pair<uint64_t, int>> events;
    for (const auto& [from, to] : in_use_) {
      events.emplace_back(from, 1);
      events.emplace_back(to, -1);
    }
    std::sort(events.begin(), events.end());
    int now = 0, most = 0;
    for (const auto& e : events) most = std::max(most, now += e.second);
    return static_cast<size_t>(most);
  }

 private:
  // Until `stop` or an end; returns when that is.
  uint64_t run(const cost_graph& g, size_t v, size_t stop, uint64_t active, uint64_t now) {
    while (v != stop) {
      now += g.nodes[v].cycles;
      if (g.nodes[v].loop != cost_graph::none) {
        const cost_loop& l = g.loops[g.nodes[v].loop];
        for (uint64_t i = random_() % (l.bound + 1); i > 0; --i)
          if (!l.body.nodes.empty()) now = run(l.body, 0, cost_graph::none, active, now);
      }
      const auto b = std::find_if(g.branches.begin(), g.branches.end(),
                                  [&](const cost_graph::serial_branch& x) { return x.node == v; });
      if (b != g.branches.end()) {
        now = run_branch(g, *b, active, now);
        v = b->reconv;
        continue;
      }
      const std::vector<size_t>& successors = g.nodes[v].successors;
      if (successors.empty()) break;
      v = successors[random_() % successors.size()];
    }
    return now;
  }

  uint64_t run_branch(const cost_graph& g, const cost_graph::serial_branch& b, uint64_t active, uint64_t now) {
    const uint64_t decisions[] = {random_(), random_(), 0, ~uint64_t{0}};
    const uint64_t taken = active & decisions[random_() % 4];
    const bool two_sided = b.bsb != b.reconv;
    const auto first = [&](uint64_t t) { return taken == 0 ? t : run(g, b.succ, b.bsb, taken, t); };
    const auto bsb = [&](uint64_t t) { return two_sided ? t + g.nodes[b.bsb].cycles : t; };
    const auto second = [&](uint64_t t) {
      return !two_sided || taken == active ? t : run(g, b.bsb_succ, b.reconv, active & ~taken, t);
    };
    if (chosen_.count(b.id) == 0) return second(bsb(first(now)));
    const uint64_t split = now + split_cycles_;
    const uint64_t merged = std::max(bsb(first(split)), second(bsb(split))) + merge_cycles_;
    if (taken != 0 && taken != active && merged > now) in_use_.emplace_back(now, merged);
    return merged;
  }

  const split_set& chosen_;
  uint64_t split_cycles_, merge_cycles_;
  std::mt19937_64 random_;
  std::vector<std::pair<uint64_t, uint64_t>> in_use_;
};

}  // namespace pws::cfg
