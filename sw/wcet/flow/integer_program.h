// SPDX-License-Identifier: Apache-2.0
// The integer program that IPET solves, over the part of the flow graph that paths go through. Internal to IPET.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sw/wcet/flow/ipet.h"

namespace pws::wcet {

__extension__ using wide_int = __int128;
// Doubles are exact up to here.
constexpr int64_t largest_coefficient = int64_t{1} << 53;

// One unit flows from the entry to the sink: a node's inflow (of the entry, with the unit) is its outflow. Maximal is
// the sum of cycles * flow. A charge is a column from the entry to the entry: it moves no flow, and no row counts it as
// the entry's execution.
struct integer_program {
  static constexpr size_t none = static_cast<size_t>(-1);
  struct column {
    size_t from = 0, to = 0;  // to == nodes: the sink
    uint64_t cycles = 0;      // of the node `to`, in units
  };
  struct row {  // sum of factor * flow of the column <= most
    std::vector<std::pair<size_t, int64_t>> terms;
    int64_t most = 0;
  };

  // Throws std::invalid_argument and input_error as solve_ipet() does.
  explicit integer_program(const flow_problem& problem);

  size_t nodes = 0;
  size_t entry = 0;
  std::vector<column> columns;
  std::vector<row> rows;               // of the problem's limits, in their order
  uint64_t unit = 1;                   // cycles: what all nodes' cycles are multiples of
  uint64_t at_start = 0;               // units: of the entry's first execution, which no column stands for
  std::vector<size_t> column_of_edge;  // by the problem's edge; none: on no path
  std::vector<size_t> column_of_charge;
  std::vector<size_t> original;  // by node: the problem's
};

// A row that limits columns on cycles to a multiple of what is on no cycle any more once the cuts before it are made:
// outer loops come before inner ones.
struct row_cut {
  size_t row = 0;
  std::vector<size_t> columns;
};
std::vector<row_cut> cycle_cuts(const integer_program& p);

// A node on a cycle that the rows may not bound, as far as that shows without numbers: one that is left when all
// cuts are made. Nothing: every flow is bounded.
std::optional<size_t> cycle_without_bound(const integer_program& p);

// What no solution exceeds, in units, by Lagrangian relaxation: with each row's excess charged at multipliers[row] /
// denominator (none negative), the longest path. Nothing if a cycle gains with these multipliers.
std::optional<wide_int> relaxed_bound(const integer_program& p, const std::vector<wide_int>& multipliers,
                                      wide_int denominator);

}  // namespace pws::wcet
