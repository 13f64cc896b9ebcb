// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/flow/ipet.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <coin/CbcModel.hpp>
#include <coin/OsiClpSolverInterface.hpp>
#include <limits>
#include <optional>
#include <stdexcept>

#include "sw/wcet/flow/integer_program.h"
#include "sw/wcet/flow/loop_nest.h"
#include "sw/wcet/flow/lp_refinement.h"

namespace pws::wcet {

namespace {

void load(OsiClpSolverInterface& solver, const integer_program& p, const std::vector<size_t>& kept,
          const linear_program& lp) {
  std::vector<int> row, column;
  std::vector<double> factor;
  const auto put = [&](size_t r, size_t c, int64_t f) {
    row.push_back(static_cast<int>(r));
    column.push_back(static_cast<int>(c));
    factor.push_back(static_cast<double>(f));
  };
  for (size_t c = 0; c < p.columns.size(); ++c) {
    const integer_program::column& e = p.columns[c];
    if (e.from == e.to) continue;
    put(e.from, c, -1);
    if (e.to != p.nodes) put(e.to, c, 1);
  }
  for (size_t k = 0; k < kept.size(); ++k)
    for (const auto& [c, f] : p.rows[kept[k]].terms) put(p.nodes + k, c, f);
  CoinPackedMatrix matrix(true, row.data(), column.data(), factor.data(), static_cast<CoinBigIndex>(factor.size()));
  matrix.setDimensions(static_cast<int>(lp.least.size()), static_cast<int>(p.columns.size()));
  const std::vector<double> top(p.columns.size(), lp.most_flow);
  solver.messageHandler()->setLogLevel(0);
  solver.getModelPtr()->setLogLevel(0);
  solver.setHintParam(OsiDoReducePrint, true, OsiHintTry);
  solver.setHintParam(OsiDoPresolveInInitial, false, OsiHintTry);  // takes longer than it saves
  solver.getModelPtr()->setPerturbation(100);                      // none: what is whole stays whole
  solver.loadProblem(matrix, lp.least_flow.data(), top.data(), lp.cost.data(), lp.least.data(), lp.most.data());
}

linear_program all_of(const integer_program& p, const std::vector<size_t>& kept) {
  linear_program lp;
  for (const integer_program::column& c : p.columns) lp.cost.push_back(-static_cast<double>(c.cycles));
  lp.least_flow.assign(p.columns.size(), 0);
  lp.most.assign(p.nodes, 0);
  lp.most[p.entry] = -1;
  lp.least = lp.most;
  for (const size_t r : kept) lp.most.push_back(static_cast<double>(p.rows[r].most));
  lp.least.resize(lp.most.size(), -linear_program::infinite);
  return lp;
}

std::vector<size_t> all_rows(const integer_program& p) {
  std::vector<size_t> kept;
  for (size_t r = 0; r < p.rows.size(); ++r) kept.push_back(r);
  return kept;
}

// The same with no number above `most`: whoever keeps these limits keeps those of `p`.
integer_program with_limits_below(integer_program p, int64_t most) {
  for (integer_program::row& r : p.rows) {
    for (auto& term : r.terms) term.second = std::max(term.second, -most);
    r.most = std::min(r.most, most);
  }
  return p;
}

// Beside large numbers the solver takes the 1 of an execution for nothing, and says that limits leave no path. So it is
// asked again with smaller ones, and one path is enough: what it finds with them is true of the large ones too.
template <typename function>
bool feasible_with_any_numbers(const integer_program& p, function feasible) {
  for (const int shift : {62, 20, 10, 5, 2})
    if (feasible(with_limits_below(p, int64_t{1} << shift))) return true;
  return false;
}

bool solver_finds_no_fractions(const integer_program& p, const std::vector<size_t>& kept) {
  for (const int scaling : {1, 0}) {
    OsiClpSolverInterface solver;
    solver.getModelPtr()->scaling(scaling);
    load(solver, p, kept, all_of(p, kept));
    solver.initialSolve();
    if (!solver.isProvenPrimalInfeasible()) return false;
  }
  return true;
}

// False only if the solver finds, in two ways, that not even fractions satisfy the rows.
bool relaxation_feasible(const integer_program& p, const std::vector<size_t>& kept) {
  return feasible_with_any_numbers(p, [&](const integer_program& q) { return !solver_finds_no_fractions(q, kept); });
}

struct whole_solution {
  bool infeasible = false;   // the rows contradict each other
  std::vector<double> flow;  // of each column; empty: none is known to be the largest
};

whole_solution branch_and_bound(const integer_program& p, const std::vector<size_t>& kept) {
  OsiClpSolverInterface solver;
  load(solver, p, kept, all_of(p, kept));
  for (size_t c = 0; c < p.columns.size(); ++c) solver.setInteger(static_cast<int>(c));
  CbcModel model(solver);
  model.setLogLevel(0);
  model.setNumberThreads(0);
  // A better solution is better by 1 at least, and none is given up for less.
  model.setAllowableGap(0);
  model.setAllowableFractionGap(0);
  model.setCutoffIncrement(1e-6);
  model.initialSolve();
  model.branchAndBound();
  if (model.isProvenInfeasible()) return {true, {}};
  if (!model.isProvenOptimal() || model.bestSolution() == nullptr) return {};
  return {false, {model.bestSolution(), model.bestSolution() + p.columns.size()}};
}

// As relaxation_feasible, in whole numbers.
bool whole_numbers_feasible(const integer_program& p, const std::vector<size_t>& kept) {
  return feasible_with_any_numbers(p, [&](const integer_program& q) { return !branch_and_bound(q, kept).infeasible; });
}

void require_bounded(const integer_program& p) {
  const std::optional<size_t> suspect = cycle_without_bound(p);
  if (!suspect) return;
  // Circulations that can be added to any solution: the largest sum of flows, none above 1.
  linear_program rays = all_of(p, all_rows(p));
  for (size_t c = 0; c < p.columns.size(); ++c) rays.cost[c] = p.columns[c].to == p.nodes ? 0 : -1;
  for (size_t r = 0; r < rays.most.size(); ++r) rays.most[r] = 0;
  for (size_t n = 0; n < p.nodes; ++n) rays.least[n] = 0;
  rays.most_flow = 1;
  OsiClpSolverInterface solver;
  load(solver, p, all_rows(p), rays);
  solver.initialSolve();
  if (!solver.isProvenOptimal()) throw unbounded_flow(p.original[*suspect]);
  // If there is one, it can grow until a flow is 1.
  size_t node = integer_program::none;
  for (size_t c = 0; c < p.columns.size(); ++c)
    if (solver.getColSolution()[c] > 0.5 && p.columns[c].to != p.nodes) node = std::min(node, p.columns[c].to);
  if (node != integer_program::none) throw unbounded_flow(p.original[node]);
}

std::string name_of(const flow_problem& problem, size_t limit) {
  const std::string& name = problem.limits[limit].name;
  return name.empty() ? fmt::format("limit {}", limit) : name;
}

// The largest bounds, for messages about numbers that are too large: those that somebody stated, if any are. Empty:
// none allows more than one.
std::string largest_bounds(const flow_problem& problem) {
  std::vector<const flow_problem::limit*> large;
  for (const flow_problem::limit& l : problem.limits)
    if (l.bound > 1) large.push_back(&l);
  std::stable_sort(large.begin(), large.end(), [](const auto* a, const auto* b) {
    return a->stated != b->stated ? a->stated : a->bound > b->bound;
  });
  std::string text;
  for (size_t k = 0; k < std::min<size_t>(large.size(), 3) && large[k]->stated == large[0]->stated; ++k)
    text += fmt::format("{}{} ({})", k == 0 ? "; the largest bounds are of " : ", ",
                        name_of(problem, static_cast<size_t>(large[k] - problem.limits.data())), large[k]->bound);
  return text;
}

// A smallest set of limits that leaves no path, by leaving out one after the other. `feasible` tells whether some are.
// Without a limit loops have no bound, so no longest path is asked for.
template <typename function>
[[noreturn]] void fail_infeasible(const flow_problem& problem, integer_program p, function feasible) {
  for (integer_program::column& c : p.columns) c.cycles = 0;
  std::vector<bool> dropped(p.rows.size(), false);
  const auto kept = [&] {
    std::vector<size_t> rows;
    for (size_t r = 0; r < p.rows.size(); ++r)
      if (!dropped[r]) rows.push_back(r);
    return rows;
  };
  for (size_t r = p.rows.size(); r-- > 0;) {
    dropped[r] = true;
    dropped[r] = !feasible(p, kept());
  }
  std::string names;
  bool stated = false;
  for (const size_t r : kept()) {
    names += (names.empty() ? "" : ", ") + name_of(problem, r);
    stated = stated || problem.limits[r].stated;
  }
  throw infeasible_flow(names, stated);
}

// In integers: what of the program the counts do not satisfy; empty if they are a solution.
std::string violated(const integer_program& p, const std::vector<wide_int>& counts) {
  std::vector<wide_int> balance(p.nodes + 1, 0);
  balance[p.entry] = 1;
  for (size_t c = 0; c < p.columns.size(); ++c) {
    if (counts[c] < 0) return "a count is negative";
    balance[p.columns[c].from] -= counts[c];
    balance[p.columns[c].to] += counts[c];
  }
  for (size_t n = 0; n < p.nodes; ++n)
    if (balance[n] != 0) return fmt::format("flow is lost at node {}", p.original[n]);
  for (size_t r = 0; r < p.rows.size(); ++r) {
    wide_int sum = 0;
    for (const auto& [c, f] : p.rows[r].terms) sum += counts[c] * f;
    if (sum > p.rows[r].most) return fmt::format("limit {} is exceeded", r);
  }
  return "";
}

wide_int units_of(const integer_program& p, const std::vector<wide_int>& counts) {
  wide_int units = p.at_start;
  for (size_t c = 0; c < p.columns.size(); ++c) units += counts[c] * static_cast<wide_int>(p.columns[c].cycles);
  return units;
}

uint64_t to_cycles(wide_int units, uint64_t unit) {
  constexpr wide_int most = std::numeric_limits<uint64_t>::max();
  // The first test keeps the product below 2^127.
  return units > most || units * unit > most ? std::numeric_limits<uint64_t>::max()
                                             : static_cast<uint64_t>(units) * unit;
}

}  // namespace

infeasible_flow::infeasible_flow(const std::string& names, bool stated)
    : std::logic_error(
          "the analysis contradicts itself, so that nothing is known of the bound: no path satisfies the limits: " +
          names),
      names_(names),
      stated_(stated) {}

unbounded_flow::unbounded_flow(size_t node)
    : input_error(fmt::format("node {} is in a cycle that no limit bounds", node)), node_(node) {}

namespace {

struct proven_counts {
  std::vector<wide_int> counts;  // of each column; empty: none found
  wide_int units = 0;
  std::optional<wide_int> bound;  // units
  std::vector<wide_int> nearest;  // the relaxation's counts, rounded, where that bound is from
  bool small = false;             // as far as branch and bound can be trusted
  bool is_path = true;
};

// The bound holds without a path that is as long.
proven_counts bound_alone(proven_counts found) {
  found.counts = found.nearest;
  for (wide_int& x : found.counts) x = std::max<wide_int>(x, 0);
  found.units = *found.bound;
  found.is_path = false;
  return found;
}

// Which numbers are too large depends on how the solver goes about it. The first is the fastest for large programs.
struct solver_setting {
  int scaling;  // 0: none, so that what is whole stays whole; 1: rows and columns to the same size
  double tolerance;
  bool primal;
};
constexpr solver_setting solver_settings[] = {
    {0, 1e-7, true}, {0, 1e-7, false}, {1, 1e-7, false}, {0, 1e-9, false}, {1, 1e-9, true}};

void solve(OsiClpSolverInterface& solver, const solver_setting& how) {
  solver.getModelPtr()->scaling(how.scaling);
  solver.setDblParam(OsiPrimalTolerance, how.tolerance);
  solver.setDblParam(OsiDualTolerance, how.tolerance);
  // More than it ever takes if it does not go around in circles.
  solver.getModelPtr()->setMaximumIterations(10000 + 20 * (solver.getNumRows() + solver.getNumCols()));
  if (how.primal)
    solver.getModelPtr()->primal();
  else
    solver.initialSolve();
}

// One setting's rounds; true if a whole solution is as long as the bound.
bool solve_relaxation(const integer_program& p, const solver_setting& how, proven_counts& out) {
  lp_refinement refined(p);
  for (int round = 0; round < lp_refinement::most_rounds; ++round) {
    OsiClpSolverInterface solver;
    load(solver, p, all_rows(p), refined.rest());
    solve(solver, how);
    if (!solver.isProvenOptimal()) return false;
    refined.correct(solver.getColSolution(), solver.getRowPrice());
    const std::optional<wide_int> bound = refined.bound();
    const std::vector<wide_int> counts = refined.counts();
    if (bound && (!out.bound || *bound < *out.bound)) {
      out.bound = bound;
      out.nearest = counts;
    }
    if (round == 0) out.small = std::all_of(counts.begin(), counts.end(), [](wide_int x) { return x < 1 << 20; });
    if (violated(p, counts).empty() && (out.counts.empty() || units_of(p, counts) > out.units)) {
      out.counts = counts;
      out.units = units_of(p, counts);
    }
    if (out.bound && !out.counts.empty() && out.units == *out.bound) return true;
    if (refined.exact()) return false;
  }
  return false;
}

// The relaxation's solution, if it is whole; a bound in any case.
proven_counts solve_relaxation(const integer_program& p) {
  proven_counts out;
  for (const solver_setting& how : solver_settings) {
    try {
      if (solve_relaxation(p, how, out)) return out;
    } catch (const input_error&) {  // numbers too large for a correction; bounds found before hold
    }
  }
  return out;
}

// A bound by prices that have something to spare: those of the relaxation with each column `more` units longer.
// Rounded, they are still prices of the columns as they are, where exact ones are fractions of products of loop bounds.
// What it is too long by is `more` for each count.
void solve_padded(const integer_program& p, proven_counts& out) {
  for (const double more : {1.0 / 4096, 1.0 / 64, 1.0, 64.0}) {
    for (const solver_setting& how : solver_settings) {
      linear_program lp = all_of(p, all_rows(p));
      for (double& c : lp.cost) c -= more;
      OsiClpSolverInterface solver;
      load(solver, p, all_rows(p), lp);
      solve(solver, how);
      if (!solver.isProvenOptimal()) continue;
      double largest = 1;  // keeps the sums of products below 2^127
      for (const integer_program::column& c : p.columns) largest = std::max(largest, static_cast<double>(c.cycles));
      for (size_t r = 0; r < p.rows.size(); ++r) largest = std::max(largest, -solver.getRowPrice()[p.nodes + r]);
      const int bits = 60 - std::ilogb(largest);
      if (bits < 0) continue;
      std::vector<wide_int> multipliers;
      for (size_t r = 0; r < p.rows.size(); ++r)
        multipliers.push_back(
            static_cast<wide_int>(std::ceil(std::ldexp(std::max(0.0, -solver.getRowPrice()[p.nodes + r]), bits))));
      const std::optional<wide_int> bound = relaxed_bound(p, multipliers, wide_int{1} << bits);
      if (!bound || (out.bound && *out.bound <= *bound)) continue;
      out.bound = bound;
      out.nearest.clear();
      for (size_t c = 0; c < p.columns.size(); ++c)
        out.nearest.push_back(
            static_cast<wide_int>(std::nearbyint(std::clamp(solver.getColSolution()[c], 0.0, 0x1p62))));
    }
    if (out.bound) return;
  }
}

// Loop by loop, without the solver's arithmetic: with its prices of what bounds no loop, good or bad, and without any.
void solve_loop_by_loop(const integer_program& p, proven_counts& out) {
  OsiClpSolverInterface solver;
  load(solver, p, all_rows(p), all_of(p, all_rows(p)));
  solve(solver, solver_settings[0]);
  constexpr wide_int denominator = 64;
  for (const bool prices : {true, false}) {
    std::vector<wide_int> multipliers(p.rows.size(), 0);
    for (size_t r = 0; prices && r < p.rows.size(); ++r) {
      const double price = -solver.getRowPrice()[p.nodes + r] * static_cast<double>(denominator);
      if (price > 0 && price < 0x1p80) multipliers[r] = static_cast<wide_int>(price);
    }
    const std::optional<nest_bound> found = bound_by_loop_nest(p, std::move(multipliers), denominator);
    if (!found || (out.bound && *out.bound <= found->units)) continue;
    out.bound = found->units;
    out.nearest = found->counts;
    if (found->counts.empty() || !violated(p, found->counts).empty()) continue;
    out.counts = found->counts;
    out.units = units_of(p, out.counts);
  }
}

proven_counts solve(const flow_problem& problem, const integer_program& p) {
  proven_counts found = solve_relaxation(p);
  const bool exact = found.bound.has_value();
  if (exact && !found.counts.empty() && found.units == *found.bound) return found;
  if (!exact && !relaxation_feasible(p, all_rows(p))) fail_infeasible(problem, p, relaxation_feasible);
  if (!exact || !found.small) solve_padded(p, found);
  if (!exact || !found.small) solve_loop_by_loop(p, found);
  if (!found.bound)
    throw immense_flow("no bound of the longest path can be proven: counts and cycles are too large for the solver" +
                       largest_bounds(problem));
  if (!found.counts.empty() && found.units == *found.bound) return found;
  // Branch and bound compares sums as doubles, and takes for whole what nearly is. The relaxation's bound needs
  // neither.
  if (!exact || !found.small || *found.bound > wide_int{1} << 40) return bound_alone(std::move(found));
  const whole_solution whole = branch_and_bound(p, all_rows(p));
  if (whole.infeasible) {
    if (!whole_numbers_feasible(p, all_rows(p))) fail_infeasible(problem, p, whole_numbers_feasible);
    return bound_alone(std::move(found));
  }
  const bool whole_numbers = std::all_of(whole.flow.begin(), whole.flow.end(), [](double x) {
    return std::abs(x) < static_cast<double>(largest_coefficient);
  });
  if (whole.flow.empty() || !whole_numbers) return bound_alone(std::move(found));
  found.counts.clear();
  for (const double x : whole.flow) found.counts.push_back(std::llround(x));
  if (const std::string wrong = violated(p, found.counts); !wrong.empty())
    throw std::logic_error("IPET: the solver's solution is none: " + wrong);
  found.units = units_of(p, found.counts);
  if (*found.bound < found.units)
    throw std::logic_error("IPET: a path is longer than what is proven to be the longest");
  return found;
}

}  // namespace

ipet_result solve_ipet(const flow_problem& problem) {
  const auto started = std::chrono::steady_clock::now();
  const integer_program p(problem);
  require_bounded(p);
  const proven_counts solution = solve(problem, p);

  ipet_result result;
  result.variables = p.columns.size();
  result.constraints = p.nodes + p.rows.size();
  result.node_count.assign(problem.cycles.size(), 0);
  result.edge_count.assign(problem.edges.size(), 0);
  result.node_count[problem.entry] = 1;
  for (size_t e = 0; e < problem.edges.size(); ++e) {
    if (p.column_of_edge[e] == integer_program::none) continue;
    result.edge_count[e] = static_cast<uint64_t>(solution.counts[p.column_of_edge[e]]);
    result.node_count[problem.edges[e].to] += result.edge_count[e];
  }
  for (const size_t c : p.column_of_charge) result.charge_count.push_back(static_cast<uint64_t>(solution.counts[c]));
  result.is_path = solution.is_path;
  result.cycles = to_cycles(solution.units, p.unit);
  if (result.cycles == std::numeric_limits<uint64_t>::max())
    throw immense_flow("the longest path takes 2^64 - 1 cycles or more" + largest_bounds(problem));
  result.proven_cycles = to_cycles(*solution.bound, p.unit);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return result;
}

}  // namespace pws::wcet
