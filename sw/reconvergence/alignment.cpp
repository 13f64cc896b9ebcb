// SPDX-License-Identifier: Apache-2.0
#include "sw/reconvergence/alignment.h"

#include <algorithm>
#include <cstdlib>

namespace pws::reconvergence {

namespace {

constexpr int64_t unreached = -(int64_t{1} << 60);

std::vector<uint64_t> sums_of(const std::vector<pass_id>& sequence, const pass_table& passes) {
  std::vector<uint64_t> out{0};
  out.reserve(sequence.size() + 1);
  for (const pass_id p : sequence) out.push_back(out.back() + passes.instructions(p));
  return out;
}

}  // namespace

alignment::alignment(const std::vector<pass_id>& a, const std::vector<pass_id>& b, const pass_table& passes)
    : a_(a),
      b_(b),
      passes_(passes),
      a_before_(sums_of(a, passes)),
      b_before_(sums_of(b, passes)),
      shared_(find_shared()) {}

std::vector<aligned_pair> alignment::pairs() const {
  std::vector<aligned_pair> out;
  part whole{0, a_.size(), 0, b_.size(), 0};
  whole.apart = instructions_of(whole) - 2 * shared_;
  align(whole, out);
  return together_early(out);
}

uint64_t alignment::instructions_of(const part& p) const {
  return a_before_[p.a_end] - a_before_[p.a_begin] + b_before_[p.b_end] - b_before_[p.b_begin];
}

// By how many instructions a's part is longer.
int64_t alignment::excess_of(const part& p) const {
  return static_cast<int64_t>(a_before_[p.a_end] - a_before_[p.a_begin]) -
         static_cast<int64_t>(b_before_[p.b_end] - b_before_[p.b_begin]);
}

// Where one sequence is x instructions ahead of the other, and one of the parts is longer by `excess`, an alignment
// through there leaves at least |x| + |excess - x| unshared. So those that leave no more than `apart` stay in a band.
template <alignment::direction d>
std::vector<int64_t> alignment::row(const part& p, size_t to) const {
  constexpr bool forward = d == direction::forward;
  const size_t rows = forward ? to - p.a_begin : p.a_end - to, columns = p.b_end - p.b_begin;
  const auto a_read = [&](size_t n) {
    return static_cast<int64_t>(forward ? a_before_[p.a_begin + n] - a_before_[p.a_begin]
                                        : a_before_[p.a_end] - a_before_[p.a_end - n]);
  };
  const auto b_read = [&](size_t n) {
    return static_cast<int64_t>(forward ? b_before_[p.b_begin + n] - b_before_[p.b_begin]
                                        : b_before_[p.b_end] - b_before_[p.b_end - n]);
  };
  const int64_t excess = excess_of(p), slack = (static_cast<int64_t>(p.apart) - std::abs(excess)) / 2;
  const int64_t least = std::min<int64_t>(excess, 0) - slack, most = std::max<int64_t>(excess, 0) + slack;

  std::vector<int64_t> best(columns + 1, unreached);
  size_t first = 0, end = 0;  // of the band in this row
  for (size_t i = 0; i <= rows; ++i) {
    const size_t first_above = first;
    while (first <= columns && a_read(i) - b_read(first) > most) ++first;
    while (end <= columns && a_read(i) - b_read(end) >= least) ++end;
    int64_t diagonal = first > 0 ? best[first - 1] : unreached, left = unreached;
    const pass_id own = i == 0 ? 0 : a_[forward ? p.a_begin + i - 1 : p.a_end - i];
    const int64_t instructions = i == 0 ? 0 : passes_.instructions(own);
    for (size_t j = first; j < end; ++j) {
      const int64_t above = best[j];
      int64_t value = i == 0 && j == 0 ? 0 : std::max(above, left);
      if (i > 0 && j > 0 && b_[forward ? p.b_begin + j - 1 : p.b_end - j] == own)
        value = std::max(value, diagonal + instructions);
      diagonal = above;
      left = best[j] = value;
    }
    for (size_t j = first_above; j < first; ++j) best[j] = unreached;
  }
  return best;
}

// With a wider band until nothing outside of it can be better.
uint64_t alignment::find_shared() const {
  constexpr uint64_t first_slack = 64;  // instructions
  part whole{0, a_.size(), 0, b_.size(), 0};
  const uint64_t all = instructions_of(whole), least_apart = static_cast<uint64_t>(std::abs(excess_of(whole)));
  uint64_t enough = all;  // some alignment leaves no more unshared
  for (uint64_t slack = first_slack;; slack *= 4) {
    whole.apart = std::min(enough, least_apart + slack);
    const int64_t found = row<direction::forward>(whole, whole.a_end).back();
    if (found >= 0) enough = std::min(enough, all - 2 * static_cast<uint64_t>(found));
    if (found >= 0 && enough <= whole.apart) return static_cast<uint64_t>(found);
  }
}

// Equal passes at the ends of both parts are together in some best alignment; what remains is divided (Hirschberg).
void alignment::align(part p, std::vector<aligned_pair>& out) const {
  while (p.a_begin < p.a_end && p.b_begin < p.b_end && a_[p.a_begin] == b_[p.b_begin])
    out.push_back({p.a_begin++, p.b_begin++});
  size_t equal = 0;
  while (p.a_begin < p.a_end && p.b_begin < p.b_end && a_[p.a_end - 1] == b_[p.b_end - 1]) {
    --p.a_end;
    --p.b_end;
    ++equal;
  }
  if (p.a_end - p.a_begin > 1) {
    divide(p, out);
  } else if (p.a_begin < p.a_end) {
    size_t b = p.b_begin;
    while (b < p.b_end && b_[b] != a_[p.a_begin]) ++b;
    if (b < p.b_end) out.push_back({p.a_begin, b});
  }
  for (size_t k = 0; k < equal; ++k) out.push_back({p.a_end + k, p.b_end + k});
}

void alignment::divide(const part& p, std::vector<aligned_pair>& out) const {
  if (p.b_begin == p.b_end) return;
  const size_t middle = p.a_begin + (p.a_end - p.a_begin) / 2, columns = p.b_end - p.b_begin;
  const std::vector<int64_t> before = row<direction::forward>(p, middle), behind = row<direction::backward>(p, middle);
  size_t at = 0;
  for (size_t j = 1; j <= columns; ++j)
    if (before[j] + behind[columns - j] > before[at] + behind[columns - at]) at = j;
  part head{p.a_begin, middle, p.b_begin, p.b_begin + at, 0}, tail{middle, p.a_end, p.b_begin + at, p.b_end, 0};
  head.apart = instructions_of(head) - 2 * static_cast<uint64_t>(before[at]);
  tail.apart = instructions_of(tail) - 2 * static_cast<uint64_t>(behind[columns - at]);
  align(head, out);
  align(tail, out);
}

// Wherever both go on with equal passes, one of the two has its partner later: it can as well have the other here.
std::vector<aligned_pair> alignment::together_early(const std::vector<aligned_pair>& pairs) const {
  std::vector<aligned_pair> out;
  size_t a = 0, b = 0;
  for (const aligned_pair& p : pairs) {
    while ((a != p.a || b != p.b) && a_[a] != b_[b]) a != p.a ? ++a : ++b;
    out.push_back({a++, b++});
  }
  return out;
}

}  // namespace pws::reconvergence
