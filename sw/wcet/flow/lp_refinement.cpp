// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/flow/lp_refinement.h"

#include <algorithm>
#include <cmath>

namespace pws::wcet {

namespace {

constexpr int fraction_bits = 40;
constexpr wide_int one = wide_int{1} << fraction_bits;
constexpr int zoom_per_round = 24;  // the solver's own precision

[[noreturn]] void fail() {
  throw input_error("numbers of the relaxation do not fit in 128 bits");
}

void add_product(wide_int& sum, wide_int a, wide_int b) {
  wide_int product = 0;
  if (__builtin_mul_overflow(a, b, &product) || __builtin_add_overflow(sum, product, &sum)) fail();
}

// The solver takes no numbers above 1e25. What is that far from 0 has no part in the correction.
double to_double(wide_int fixed, int zoom) {
  return std::clamp(std::ldexp(static_cast<double>(fixed), zoom - fraction_bits), -1e20, 1e20);
}

wide_int to_fixed(double x, int zoom) {
  const double fixed = std::nearbyint(std::ldexp(x, fraction_bits - zoom));
  if (!(std::abs(fixed) < 0x1p120)) fail();
  return static_cast<wide_int>(fixed);
}

// How much larger an error of `largest` can be shown.
int next_zoom(int zoom, wide_int largest) {
  int bits = 0;
  for (; largest != 0; largest >>= 1) ++bits;
  return std::max(0, std::min(zoom + zoom_per_round, fraction_bits - bits));
}

}  // namespace

lp_refinement::lp_refinement(const integer_program& p)
    : p_(p), counts_(p.columns.size(), 0), prices_(p.nodes + p.rows.size(), 0) {}

linear_program lp_refinement::rest() {
  std::vector<wide_int> cost, right(prices_.size(), 0);
  right[p_.entry] = -one;
  for (size_t c = 0; c < p_.columns.size(); ++c) {
    const integer_program::column& e = p_.columns[c];
    cost.push_back(prices_[e.from]);
    add_product(cost.back(), -one, static_cast<wide_int>(e.cycles));
    right[e.from] += counts_[c];
    if (e.to == p_.nodes) continue;
    cost.back() -= prices_[e.to];
    right[e.to] -= counts_[c];
  }
  for (size_t k = 0; k < p_.rows.size(); ++k) {
    const size_t r = p_.nodes + k;
    add_product(right[r], one, p_.rows[k].most);
    for (const auto& [c, f] : p_.rows[k].terms) {
      add_product(cost[c], -prices_[r], f);
      add_product(right[r], -counts_[c], f);
    }
  }
  if (!first_) {
    wide_int flow_error = 0, price_error = 0;
    for (size_t c = 0; c < cost.size(); ++c) {
      flow_error = std::max(flow_error, -counts_[c]);
      price_error = std::max(price_error, -cost[c]);
    }
    for (size_t r = 0; r < right.size(); ++r) {
      flow_error = std::max({flow_error, -right[r], r < p_.nodes ? right[r] : 0});
      if (r >= p_.nodes) price_error = std::max(price_error, prices_[r]);
    }
    flow_zoom_ = next_zoom(flow_zoom_, flow_error);
    price_zoom_ = next_zoom(price_zoom_, price_error);
  }
  linear_program lp;
  for (size_t c = 0; c < cost.size(); ++c) {
    lp.cost.push_back(to_double(cost[c], price_zoom_));
    lp.least_flow.push_back(to_double(-counts_[c], flow_zoom_));
  }
  for (size_t r = 0; r < right.size(); ++r) {
    lp.most.push_back(to_double(right[r], flow_zoom_));
    lp.least.push_back(r < p_.nodes ? lp.most.back() : -linear_program::infinite);
  }
  return lp;
}

void lp_refinement::correct(const double* flow, const double* price) {
  const std::vector<wide_int> counts = counts_, prices = prices_;
  for (size_t c = 0; c < counts_.size(); ++c) counts_[c] += to_fixed(flow[c], flow_zoom_);
  for (size_t r = 0; r < prices_.size(); ++r) prices_[r] += to_fixed(price[r], price_zoom_);
  exact_ = !first_ && counts == counts_ && prices == prices_;
  first_ = false;
}

std::vector<wide_int> lp_refinement::counts() const {
  std::vector<wide_int> rounded;
  for (const wide_int x : counts_) rounded.push_back((x + one / 2) >> fraction_bits);
  return rounded;
}

std::optional<wide_int> lp_refinement::bound() const {
  constexpr wide_int largest = wide_int{1} << 62;  // keeps the sums of products below 2^127
  std::optional<wide_int> least;
  for (const int denominator : {1, 2, 3, 4, 5, 6, 8, 12, 60, 2520, 1 << 20}) {
    bool whole = true;
    for (const wide_int up : {one / 2, one - (one >> 20)}) {
      std::vector<wide_int> multipliers;
      for (size_t r = p_.nodes; r < prices_.size(); ++r) {
        wide_int m = up;
        add_product(m, -prices_[r], denominator);
        multipliers.push_back(std::max<wide_int>(0, m >> fraction_bits));
        if (multipliers.back() > largest) return least;
        whole = whole && (m - up) % one == 0;
      }
      const std::optional<wide_int> bound = relaxed_bound(p_, multipliers, denominator);
      if (bound && (!least || *bound < *least)) least = bound;
    }
    if (whole && least) break;  // other denominators say the same
  }
  return least;
}

}  // namespace pws::wcet
