// SPDX-License-Identifier: Apache-2.0
// The relaxation of an IPET program, solved to exact numbers with a solver that computes with doubles. Internal to
// IPET.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "sw/wcet/flow/integer_program.h"

namespace pws::wcet {

// Rows and columns in the solver's form: minimal is the sum of cost * flow.
struct linear_program {
  static constexpr double infinite = std::numeric_limits<double>::max();
  std::vector<double> cost, least_flow;  // per column
  std::vector<double> least, most;       // per row: of the nodes, then of the limits
  double most_flow = infinite;
};

// Loops in loops make numbers that a solver's tolerances are too coarse for: with a bound of a million, a millionth of
// an entry is a whole iteration, and a basis that is infeasible by that looks feasible. So what a solution leaves over
// of constraints and costs is computed exactly, enlarged, and given to the solver again; its solution is the correction
// (iterative refinement: Gleixner, Steffy and Wolter 2012). Numbers are kept in fixed point.
//
// All functions throw input_error for numbers beyond what 128 bits hold of them.
class lp_refinement {
 public:
  static constexpr int most_rounds = 3;

  explicit lp_refinement(const integer_program& p);

  // What is to be solved next. At first, the relaxation itself.
  linear_program rest();
  // `flow` per column, `price` per row of rest(): as the solver of a minimisation has them.
  void correct(const double* flow, const double* price);

  // Nothing is left over: more rounds change nothing.
  bool exact() const { return exact_; }
  // Rounded.
  std::vector<wide_int> counts() const;
  // What no solution exceeds, in units, by the prices: these are fractions of small numbers where they are not whole.
  // Each denominator gives a bound that holds, and the least is taken. Nothing if none of them is any good.
  std::optional<wide_int> bound() const;

 private:
  const integer_program& p_;
  std::vector<wide_int> counts_, prices_;  // in fixed point
  int flow_zoom_ = 0, price_zoom_ = 0;     // powers of 2 that the solver's numbers are too large by
  bool first_ = true, exact_ = false;
};

}  // namespace pws::wcet
