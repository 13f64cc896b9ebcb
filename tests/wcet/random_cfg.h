// SPDX-License-Identifier: Apache-2.0
// Random flow graphs for the WCET tests: unstructured ones without cycles, and structured ones with loops, each of
// which has a second reading that needs no solver.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "sw/wcet/flow/ipet.h"

namespace pws::wcet {

class random_source {
 public:
  explicit random_source(uint64_t seed) : random_(seed) {}
  uint64_t below(uint64_t n) { return random_() % n; }

 private:
  std::mt19937_64 random_;
};

// What is wrong with a result's counts: nothing, or the first constraint that they do not satisfy.
inline std::string inconsistency(const flow_problem& p, const ipet_result& r) {
  __extension__ using wide = unsigned __int128;
  std::vector<wide> in(p.cycles.size(), 0), out(p.cycles.size(), 0);
  in[p.entry] = 1;
  for (size_t e = 0; e < p.edges.size(); ++e) {
    in[p.edges[e].to] += r.edge_count[e];
    out[p.edges[e].from] += r.edge_count[e];
  }
  wide cycles = 0, ended = 0;
  for (size_t n = 0; n < p.cycles.size(); ++n) {
    cycles += static_cast<wide>(p.cycles[n]) * r.node_count[n];
    if (in[n] != r.node_count[n]) return "the inflow of node " + std::to_string(n);
    const bool exit = std::find(p.exits.begin(), p.exits.end(), n) != p.exits.end();
    if (in[n] != out[n] && !(exit && in[n] == out[n] + 1)) return "the outflow of node " + std::to_string(n);
    ended += in[n] - out[n];
  }
  if (ended != 1) return "the end";
  if (cycles != r.cycles) return "the cycles";
  for (size_t l = 0; l < p.limits.size(); ++l) {
    wide counted = 0, per = p.limits[l].per_run ? 1 : 0;
    for (const size_t n : p.limits[l].nodes) counted += r.node_count[n];
    for (const size_t e : p.limits[l].edges) counted += r.edge_count[e];
    for (const size_t n : p.limits[l].per_nodes) per += r.node_count[n];
    for (const size_t e : p.limits[l].per_edges) per += r.edge_count[e];
    if (counted > per * p.limits[l].bound) return "limit " + std::to_string(l);
  }
  return "";
}

// Edges lead to larger indices, in any order; some nodes are not reached, some lead nowhere, some edges are parallel.
inline flow_problem random_dag(random_source& r, uint64_t largest_cycles) {
  flow_problem p;
  const size_t nodes = 1 + r.below(24);
  for (size_t n = 0; n < nodes; ++n) p.cycles.push_back(r.below(5) == 0 ? 0 : r.below(largest_cycles));
  std::vector<size_t> name(nodes);  // so that indices tell nothing
  for (size_t n = 0; n < nodes; ++n) name[n] = n;
  for (size_t n = nodes; n > 1; --n) std::swap(name[n - 1], name[r.below(n)]);
  for (uint64_t e = nodes == 1 ? 0 : nodes + r.below(2 * nodes); e > 0; --e) {
    const size_t to = 1 + r.below(nodes - 1);
    p.edges.push_back({name[r.below(to)], name[to]});
  }
  p.entry = name[0];
  p.exits.push_back(name[nodes - 1]);
  for (uint64_t x = r.below(4); x > 0; --x) p.exits.push_back(name[r.below(nodes)]);
  return p;
}

// A structured program written twice: as a flow graph with limits, and with every loop's iterations one after the
// other.
struct looped_program {
  flow_problem flow, unrolled;
  uint64_t loops = 0;
  uint64_t never = 0;  // loops whose bound is 0
};

class looped_writer {
 public:
  looped_writer(random_source& r, uint64_t largest_cycles) : random_(r), largest_cycles_(largest_cycles) {}

  looped_program make() {
    const piece all = random_piece(0);
    looped_program out;
    const auto [first, last] = write(all, out.flow, &out);
    out.flow.entry = first;
    out.flow.exits = {last};
    const auto [unrolled_first, unrolled_last] = write(all, out.unrolled, nullptr);
    out.unrolled.entry = unrolled_first;
    out.unrolled.exits = {unrolled_last};
    return out;
  }

 private:
  struct piece {
    enum class kind : uint8_t { block, sequence, choice, loop } what = kind::block;
    uint64_t cycles = 0;
    uint64_t bound = 0;
    bool at_end = false;  // of a loop: its condition is behind the body
    std::vector<piece> parts;
  };
  using ends = std::pair<size_t, size_t>;

  piece random_piece(unsigned depth) {
    piece p;
    p.cycles = random_.below(4) == 0 ? 0 : random_.below(largest_cycles_);
    const uint64_t kind = depth == 0 ? 1 : depth > 4 ? 0 : random_.below(5);
    if (kind == 0) return p;
    p.what = kind <= 2 ? piece::kind::sequence : kind == 3 ? piece::kind::choice : piece::kind::loop;
    p.bound = random_.below(5);
    p.at_end = random_.below(2) == 0;
    if (p.at_end) p.bound = std::max<uint64_t>(p.bound, 1);
    const uint64_t parts = p.what == piece::kind::loop ? 1 : 1 + random_.below(3);
    for (uint64_t k = 0; k < parts; ++k) p.parts.push_back(random_piece(depth + 1));
    return p;
  }

  // Every piece has one node that it is entered by and one that it is left by.
  ends write(const piece& p, flow_problem& to, looped_program* limits) {
    const auto node = [&](uint64_t cycles) {
      to.cycles.push_back(cycles);
      return to.cycles.size() - 1;
    };
    const auto connect = [&](size_t a, size_t b) {
      to.edges.push_back({a, b});
      return to.edges.size() - 1;
    };
    const size_t first = node(p.cycles);
    if (p.what == piece::kind::block) return {first, first};
    if (p.what == piece::kind::sequence) {
      size_t last = first;
      for (const piece& part : p.parts) {
        const ends e = write(part, to, limits);
        connect(last, e.first);
        last = e.second;
      }
      return {first, last};
    }
    if (p.what == piece::kind::choice) {
      const size_t last = node(0);
      for (const piece& part : p.parts) {
        const ends e = write(part, to, limits);
        connect(first, e.first);
        connect(e.second, last);
      }
      return {first, last};
    }
    const size_t last = node(0);
    if (limits == nullptr) {
      // In front of each iteration, and behind the last, the loop can be left.
      size_t at = first;
      for (uint64_t k = 0; k < p.bound; ++k) {
        if (!p.at_end || k > 0) connect(at, last);
        const ends e = write(p.parts[0], to, limits);
        connect(at, e.first);
        at = e.second;
      }
      connect(at, last);
      return {first, last};
    }
    ++limits->loops;
    limits->never += p.bound == 0 ? 1 : 0;
    flow_problem::limit l;
    l.name = "loop " + std::to_string(limits->loops);
    if (p.at_end) {
      // The back edge, once less than the body runs.
      const ends e = write(p.parts[0], to, limits);
      l.per_edges = {connect(first, e.first)};
      l.edges = {connect(e.second, e.first)};
      l.bound = p.bound - 1;
      connect(e.second, last);
    } else {
      // A head of its own, whose edge into the body counts.
      const size_t head = node(0);
      const ends e = write(p.parts[0], to, limits);
      l.per_edges = {connect(first, head)};
      l.edges = {connect(head, e.first)};
      l.bound = p.bound;
      connect(e.second, head);
      connect(head, last);
    }
    to.limits.push_back(l);
    return {first, last};
  }

  random_source& random_;
  uint64_t largest_cycles_;
};

}  // namespace pws::wcet
