// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/flow/loop_nest.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace pws::wcet {

namespace {

// Sums and products of two of them, and a sum of a path's, stay below 2^127.
constexpr wide_int most_wide = wide_int{1} << 110;

class loop_nest {
 public:
  loop_nest(const integer_program& p, std::vector<wide_int> multipliers, wide_int denominator)
      : p_(p), cuts_(cycle_cuts(p)), multipliers_(std::move(multipliers)), denominator_(denominator) {
    cut_at_.assign(p.columns.size(), cuts_.size());
    for (size_t k = 0; k < cuts_.size(); ++k)
      for (const size_t c : cuts_[k].columns) cut_at_[c] = k;
    for (const row_cut& cut : cuts_) multipliers_[cut.row] = 0;
    for (const integer_program::column& c : p.columns) gain_.push_back(denominator * static_cast<wide_int>(c.cycles));
    for (size_t r = 0; r < p.rows.size(); ++r) charge(r);
  }

  std::optional<nest_bound> solve() {
    rounds_.resize(cuts_.size());
    for (size_t k = cuts_.size(); k-- > 0 && fits_;) close(k);
    if (!fits_) return std::nullopt;
    const ways all = from(p_.entry, 0);
    if (!fits_ || !all.known[p_.nodes] || !sums_fit()) return std::nullopt;
    const std::optional<wide_int> units = relaxed_bound(p_, multipliers_, denominator_);
    if (!units) return std::nullopt;
    return nest_bound{*units, counts(way_to(all, p_.nodes))};
  }

 private:
  struct ways {
    std::vector<bool> known;
    std::vector<wide_int> length;
    std::vector<size_t> last;  // column; none at the start
  };

  bool fits(wide_int x) {
    fits_ = fits_ && -most_wide < x && x < most_wide;
    return fits_;
  }
  bool product(wide_int a, wide_int b, wide_int& out) {
    fits_ = fits_ && !__builtin_mul_overflow(a, b, &out);
    return fits_ && fits(out);
  }

  // A row's excess at its multiplier, in what its columns gain.
  void charge(size_t r) {
    if (multipliers_[r] == 0) return;
    for (const auto& [c, factor] : p_.rows[r].terms) {
      wide_int less = 0;
      if (!product(multipliers_[r], factor, less) || !fits(gain_[c] - less)) return;
      gain_[c] -= less;
    }
  }

  // The longest ways by columns that no cut before number `first` takes away.
  ways from(size_t start, size_t first) {
    ways w{std::vector<bool>(p_.nodes + 1, false), std::vector<wide_int>(p_.nodes + 1, 0),
           std::vector<size_t>(p_.nodes + 1, integer_program::none)};
    w.known[start] = true;
    bool changed = true;
    for (size_t round = 0; changed && fits_; ++round) {
      if (round > p_.nodes + 1) fits_ = false;  // a cycle gains
      changed = false;
      for (size_t k = 0; k < p_.columns.size() && fits_; ++k) {
        const integer_program::column& c = p_.columns[k];
        if (cut_at_[k] < first || !w.known[c.from] || c.from == c.to) continue;
        const wide_int here = w.length[c.from] + gain_[k];
        if (c.to == start || (w.known[c.to] && here <= w.length[c.to]) || !fits(here)) continue;
        w.length[c.to] = here;
        w.last[c.to] = k;
        w.known[c.to] = changed = true;
      }
    }
    return w;
  }

  std::vector<size_t> way_to(const ways& w, size_t node) const {
    std::vector<size_t> columns;
    for (size_t c = w.last[node]; c != integer_program::none && columns.size() <= p_.nodes;
         c = w.last[p_.columns[c].from])
      columns.push_back(c);
    return columns;
  }

  // Charges the row of cut `k` what the longest way from one of its columns to the next takes.
  void close(size_t k) {
    const row_cut& cut = cuts_[k];
    wide_int& multiplier = multipliers_[cut.row];
    for (const size_t begin : cut.columns) {
      const ways w = from(p_.columns[begin].to, k + 1);
      for (const auto& [end, factor] : p_.rows[cut.row].terms) {
        if (!fits_) return;
        const size_t node = p_.columns[end].from;
        if (cut_at_[end] != k || !w.known[node] || !fits(w.length[node] + gain_[end])) continue;
        const wide_int needed = (w.length[node] + gain_[end] + factor - 1) / factor;
        if (needed <= multiplier) continue;
        multiplier = needed;
        rounds_[k] = way_to(w, node);
        rounds_[k].push_back(end);
      }
    }
    charge(cut.row);
  }

  // So that relaxed_bound computes without overflow.
  bool sums_fit() {
    wide_int constant = 0;
    for (size_t r = 0; r < p_.rows.size(); ++r) {
      wide_int part = 0;
      if (!product(multipliers_[r], p_.rows[r].most, part) || !fits(constant + part)) return false;
      constant += part;
    }
    return std::all_of(multipliers_.begin(), multipliers_.end(), [this](wide_int m) { return fits(m); });
  }

  // The way, and each cut's round as often as its row allows, outer loops first.
  std::vector<wide_int> counts(const std::vector<size_t>& way) {
    std::vector<wide_int> n(p_.columns.size(), 0);
    for (const size_t c : way) n[c] += 1;
    for (size_t k = 0; k < cuts_.size(); ++k) {
      if (rounds_[k].empty()) continue;
      const integer_program::row& r = p_.rows[cuts_[k].row];
      wide_int left = r.most, factor = 1;
      for (const auto& [c, f] : r.terms) {
        wide_int part = 0;
        if (!product(n[c], f, part) || !fits(left - part)) return {};
        left -= part;
        if (c == rounds_[k].back()) factor = f;
      }
      if (left <= 0) continue;
      for (const size_t c : rounds_[k]) n[c] += left / factor;
    }
    return n;
  }

  const integer_program& p_;
  const std::vector<row_cut> cuts_;
  std::vector<wide_int> multipliers_;
  const wide_int denominator_;
  std::vector<size_t> cut_at_;  // by column: number of the cut that takes it away
  std::vector<wide_int> gain_;
  std::vector<std::vector<size_t>> rounds_;  // by cut: the columns of its longest way round
  bool fits_ = true;
};

}  // namespace

std::optional<nest_bound> bound_by_loop_nest(const integer_program& p, std::vector<wide_int> multipliers,
                                             wide_int denominator) {
  return loop_nest(p, std::move(multipliers), denominator).solve();
}

}  // namespace pws::wcet
