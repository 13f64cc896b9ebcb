// SPDX-License-Identifier: Apache-2.0
// Implicit path enumeration (IPET): the longest path through a flow graph with bounded loops, by integer linear
// programming (Li and Malik 1995; PWS paper, section 5: IPET(C) of Eq. 3). The solver is CBC.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/error.h"

namespace pws::wcet {

// One execution enters at `entry`, follows edges, and ends at one of `exits`, which may have successors too. Nodes and
// edges are named by their index. Edges may be parallel, or lead from a node to itself.
struct flow_problem {
  std::vector<uint64_t> cycles;  // e_bb of each node
  struct edge {
    size_t from = 0, to = 0;
  };
  std::vector<edge> edges;
  size_t entry = 0;
  std::vector<size_t> exits;

  // How often what is counted happens in one execution: x(...) is the count.
  //   sum of x(nodes), x(edges) <= bound * (sum of x(per_nodes), x(per_edges), and 1 if per_run)
  // A loop: its back edges, or its edges into the body, per its entry edges. Sides of a split of which a part takes one
  // only: u -> SuccBB(u) and BSB(u) -> SuccBB(BSB(u)), bound 1, per u. What is named twice counts twice.
  struct limit {
    std::vector<size_t> nodes, edges;
    uint64_t bound = 0;  // at most 2^53
    std::vector<size_t> per_nodes, per_edges;
    bool per_run = false;
    std::string name;             // for messages
    bool stated = false;          // somebody has said it, who may be wrong; else the code says it
    std::vector<size_t> charges;  // counted as nodes and edges are
    // Holds for a whole execution only: what is counted may follow something that came before another entry.
    bool from_entry = false;
    // Limits the ways through this node: its edges out, per its edges in that they can follow. It holds for any piece
    // of an execution that does not begin at the node.
    std::optional<size_t> through = std::nullopt;
  };
  std::vector<limit> limits;

  // Cycles that an execution takes as often as the limits that count them allow, beside those of its nodes. Each has to
  // be in one.
  std::vector<uint64_t> charges;
};

struct ipet_result {
  uint64_t cycles = 0;                           // the longest path's
  std::vector<uint64_t> node_count, edge_count;  // of one longest path; of several, always the same one
  std::vector<uint64_t> charge_count;
  // False: counts and cycles are too large to find the longest path among whole numbers. `cycles` is what no execution
  // exceeds then (proven_cycles), and the counts are those of the relaxation, rounded: an approximation, no path.
  bool is_path = true;
  // What no execution exceeds, from the linear relaxation's multipliers by integer arithmetic alone: whatever mistakes
  // the solver makes in rounding, this holds. At least `cycles`, and equal to it unless the relaxation is longer than
  // every path (then that there is nothing between them rests on CBC's branch and bound).
  uint64_t proven_cycles = 0;
  size_t variables = 0, constraints = 0;  // of the ILP
  double seconds = 0;                     // wall clock
};

// Counts and cycles are too large to be told: the limits allow 2^64 - 1 cycles or more, or the solver proves nothing of
// numbers that large. The message names the largest bounds.
class immense_flow : public input_error {
 public:
  using input_error::input_error;
};

// A node can be executed any number of times.
class unbounded_flow : public input_error {
 public:
  explicit unbounded_flow(size_t node);
  size_t node() const { return node_; }  // in a cycle that no limit bounds

 private:
  size_t node_;
};

// The limits leave no execution. Where none of a smallest set of them is `stated`, the analysis contradicts itself.
class infeasible_flow : public std::logic_error {
 public:
  infeasible_flow(const std::string& names, bool stated);
  const std::string& names() const { return names_; }  // of the limits of that set
  bool stated() const { return stated_; }

 private:
  std::string names_;
  bool stated_;
};

// The counts of a path are checked in integer arithmetic against every constraint, and `cycles` is computed from them;
// a solver that is wrong is a std::logic_error. Nodes that no path from entry to exit goes through have count 0. A
// cycle without bound is an error even if it takes no time: its counts would mean nothing.
//
// Throws unbounded_flow; infeasible_flow, naming a smallest set of limits that contradicts itself; input_error, naming
// the largest bounds, if the result is not below 2^64, and if not even a bound can be proven; std::invalid_argument for
// nodes or edges that do not exist.
ipet_result solve_ipet(const flow_problem& problem);

}  // namespace pws::wcet
