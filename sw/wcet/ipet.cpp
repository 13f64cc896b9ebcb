#include "sw/wcet/ipet.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <coin/CbcModel.hpp>
#include <coin/OsiClpSolverInterface.hpp>
#include <limits>
#include <optional>
#include <stdexcept>

#include "sw/wcet/integer_program.h"

namespace pws::wcet {

namespace {

constexpr const char* too_large = "the ILP solver's result cannot be proven: counts and cycles are too large for it";

enum class purpose : uint8_t {
  longest,  // the program itself
  ray       // circulations that could be added to any solution: largest sum of flows, none above 1
};

// Minimises, as the solver does by itself, the negated objective. `kept`: rows of the limits that are in.
void load(OsiClpSolverInterface& solver, const integer_program& p, purpose what, const std::vector<size_t>& kept) {
  std::vector<int> row, column;
  std::vector<double> factor;
  const auto put = [&](size_t r, size_t c, int64_t f) {
    row.push_back(static_cast<int>(r));
    column.push_back(static_cast<int>(c));
    factor.push_back(static_cast<double>(f));
  };
  const bool ray = what == purpose::ray;
  std::vector<double> objective;
  for (size_t c = 0; c < p.columns.size(); ++c) {
    const integer_program::column& e = p.columns[c];
    objective.push_back(ray ? (e.to == p.nodes ? 0 : -1) : -static_cast<double>(e.cycles));
    if (e.from == e.to) continue;
    put(e.from, c, -1);
    if (e.to != p.nodes) put(e.to, c, 1);
  }
  std::vector<double> least(p.nodes, 0), most(p.nodes, 0);
  if (!ray) least[p.entry] = most[p.entry] = -1;
  for (size_t k = 0; k < kept.size(); ++k) {
    const integer_program::row& r = p.rows[kept[k]];
    for (const auto& [c, f] : r.terms) put(p.nodes + k, c, f);
    least.push_back(-solver.getInfinity());
    most.push_back(ray ? 0 : static_cast<double>(r.most));
  }
  CoinPackedMatrix matrix(true, row.data(), column.data(), factor.data(), static_cast<CoinBigIndex>(factor.size()));
  matrix.setDimensions(static_cast<int>(least.size()), static_cast<int>(p.columns.size()));
  const std::vector<double> zero(p.columns.size(), 0), top(p.columns.size(), ray ? 1 : solver.getInfinity());
  solver.messageHandler()->setLogLevel(0);
  solver.setHintParam(OsiDoReducePrint, true, OsiHintTry);
  // Without scaling and perturbation, what is whole stays whole: nearly all pivots are 1 or -1.
  solver.getModelPtr()->scaling(0);
  solver.getModelPtr()->setPerturbation(100);
  solver.loadProblem(matrix, zero.data(), top.data(), objective.data(), least.data(), most.data());
}

std::vector<size_t> all_rows(const integer_program& p) {
  std::vector<size_t> kept;
  for (size_t r = 0; r < p.rows.size(); ++r) kept.push_back(r);
  return kept;
}

struct relaxed_solution {
  std::vector<double> flow;   // of each column
  std::vector<double> price;  // of each row: what one more of it is worth, in units
};

// Without that flows are whole. Nothing if the rows contradict each other.
std::optional<relaxed_solution> relax(const integer_program& p, const std::vector<size_t>& kept) {
  OsiClpSolverInterface solver;
  load(solver, p, purpose::longest, kept);
  solver.initialSolve();
  if (solver.isProvenPrimalInfeasible()) return std::nullopt;
  if (!solver.isProvenOptimal()) throw input_error(too_large);
  relaxed_solution s;
  s.flow.assign(solver.getColSolution(), solver.getColSolution() + p.columns.size());
  for (size_t k = 0; k < kept.size(); ++k) s.price.push_back(std::max(0.0, -solver.getRowPrice()[p.nodes + k]));
  return s;
}

// Flow of each column; nothing if the rows contradict each other.
std::optional<std::vector<double>> branch_and_bound(const integer_program& p, const std::vector<size_t>& kept) {
  OsiClpSolverInterface solver;
  load(solver, p, purpose::longest, kept);
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
  if (model.isProvenInfeasible()) return std::nullopt;
  if (!model.isProvenOptimal() || model.bestSolution() == nullptr) throw input_error(too_large);
  return std::vector<double>(model.bestSolution(), model.bestSolution() + p.columns.size());
}

void require_bounded(const integer_program& p) {
  const std::optional<size_t> suspect = cycle_without_bound(p);
  if (!suspect) return;
  OsiClpSolverInterface solver;
  load(solver, p, purpose::ray, all_rows(p));
  solver.initialSolve();
  if (!solver.isProvenOptimal()) throw unbounded_flow(p.original[*suspect]);
  // If there is a circulation, it can grow until a flow is 1.
  size_t node = integer_program::none;
  for (size_t c = 0; c < p.columns.size(); ++c)
    if (solver.getColSolution()[c] > 0.5 && p.columns[c].to != p.nodes) node = std::min(node, p.columns[c].to);
  if (node != integer_program::none) throw unbounded_flow(p.original[node]);
}

std::string name_of(const flow_problem& problem, size_t limit) {
  const std::string& name = problem.limits[limit].name;
  return name.empty() ? fmt::format("limit {}", limit) : name;
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
  for (const size_t r : kept()) names += (names.empty() ? "" : ", ") + name_of(problem, r);
  throw input_error("no path satisfies the limits: " + names);
}

// Nothing if one is beyond what doubles hold exactly.
std::optional<std::vector<int64_t>> rounded(const std::vector<double>& flow) {
  std::vector<int64_t> counts;
  for (const double x : flow) {
    if (!(x < static_cast<double>(largest_coefficient))) return std::nullopt;
    counts.push_back(std::llround(x));
  }
  return counts;
}

// In integers: what of the program the counts do not satisfy; empty if they are a solution.
std::string violated(const integer_program& p, const std::vector<int64_t>& counts) {
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
    for (const auto& [c, f] : p.rows[r].terms) sum += static_cast<wide_int>(f) * counts[c];
    if (sum > p.rows[r].most) return fmt::format("limit {} is exceeded", r);
  }
  return "";
}

wide_int units_of(const integer_program& p, const std::vector<int64_t>& counts) {
  wide_int units = p.at_start;
  for (size_t c = 0; c < p.columns.size(); ++c) units += static_cast<wide_int>(p.columns[c].cycles) * counts[c];
  return units;
}

// In units. Prices are fractions of small numbers where they are not whole: each denominator gives a bound that holds,
// and the least is taken. Nothing if none of them is any good.
std::optional<wide_int> least_relaxed_bound(const integer_program& p, const std::vector<double>& price) {
  constexpr double largest = 0x1p60;  // keeps the sums of products below 2^127
  std::optional<wide_int> least;
  for (const int denominator : {1, 2, 3, 4, 5, 6, 8, 12, 60, 2520, 1 << 20}) {
    for (const double up : {0.5, 1 - 1e-6}) {
      std::vector<wide_int> multipliers;
      for (size_t r = 0; r < p.rows.size(); ++r) {
        const double m = std::floor(price[r] * denominator + up);
        if (!(m < largest)) return least;
        multipliers.push_back(static_cast<wide_int>(m));
      }
      const std::optional<wide_int> bound = relaxed_bound(p, multipliers, denominator);
      if (bound && (!least || *bound < *least)) least = bound;
    }
    // Whole prices that are exact: other denominators say the same.
    const bool whole = std::all_of(price.begin(), price.end(), [](double y) { return y == std::floor(y); });
    if (whole && least) return least;
  }
  return least;
}

uint64_t to_cycles(wide_int units, uint64_t unit) {
  constexpr wide_int most = std::numeric_limits<uint64_t>::max();
  // The first test keeps the product below 2^127.
  return units > most || units * unit > most ? std::numeric_limits<uint64_t>::max()
                                             : static_cast<uint64_t>(units) * unit;
}

}  // namespace

unbounded_flow::unbounded_flow(size_t node)
    : input_error(fmt::format("node {} is in a cycle that no limit bounds", node)), node_(node) {}

namespace {

struct proven_counts {
  std::vector<int64_t> counts;  // of each column
  wide_int units = 0;
  wide_int bound = 0;  // units
};

// Most programs have a relaxation whose solution is whole; then that is proven to be the longest path. The others need
// branch and bound.
proven_counts solve(const flow_problem& problem, const integer_program& p) {
  const std::optional<relaxed_solution> relaxed = relax(p, all_rows(p));
  if (!relaxed) fail_infeasible(problem, p, relax);
  proven_counts out;
  const std::optional<wide_int> bound = least_relaxed_bound(p, relaxed->price);
  if (!bound) throw input_error(too_large);
  out.bound = *bound;
  if (auto counts = rounded(relaxed->flow); counts && violated(p, *counts).empty()) {
    out.counts = std::move(*counts);
    out.units = units_of(p, out.counts);
    if (out.units == out.bound) return out;
  }
  // The search compares sums as doubles, and takes fractions for what they are: well within 53 bits only.
  constexpr double largest_count = 0x1p32;
  const bool small =
      std::all_of(relaxed->flow.begin(), relaxed->flow.end(), [](double x) { return x < largest_count; });
  if (!small || out.bound > largest_coefficient) throw input_error(too_large);
  const std::optional<std::vector<double>> whole = branch_and_bound(p, all_rows(p));
  if (!whole) fail_infeasible(problem, p, branch_and_bound);
  auto counts = rounded(*whole);
  if (!counts) throw input_error(too_large);
  if (const std::string problem_found = violated(p, *counts); !problem_found.empty())
    throw std::logic_error("IPET: the solver's solution is none: " + problem_found);
  out.counts = std::move(*counts);
  out.units = units_of(p, out.counts);
  if (out.bound < out.units) throw std::logic_error("IPET: a path is longer than what is proven to be the longest");
  return out;
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
  result.cycles = to_cycles(solution.units, p.unit);
  if (result.cycles == std::numeric_limits<uint64_t>::max())
    throw input_error("the longest path takes 2^64 - 1 cycles or more");
  result.proven_cycles = to_cycles(solution.bound, p.unit);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return result;
}

}  // namespace pws::wcet
