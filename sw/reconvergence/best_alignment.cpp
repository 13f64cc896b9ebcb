// SPDX-License-Identifier: Apache-2.0
#include "sw/reconvergence/best_alignment.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "sw/reconvergence/alignment.h"

namespace pws::reconvergence {

namespace {

// Work-items that are aligned already: the passes that they issue, and who goes through each.
struct group {
  std::vector<pass_id> passes;
  std::vector<uint64_t> members;
};

group joined(const group& a, const group& b, const std::vector<aligned_pair>& pairs) {
  group out;
  const auto add = [&](pass_id p, uint64_t members) {
    out.passes.push_back(p);
    out.members.push_back(members);
  };
  size_t i = 0, j = 0;
  const auto alone_until = [&](size_t a_end, size_t b_end) {
    for (; i < a_end; ++i) add(a.passes[i], a.members[i]);
    for (; j < b_end; ++j) add(b.passes[j], b.members[j]);
  };
  for (const aligned_pair& p : pairs) {
    alone_until(p.a, p.b);
    add(a.passes[i], a.members[i] | b.members[j]);
    ++i, ++j;
  }
  alone_until(a.passes.size(), b.passes.size());
  return out;
}

// Two at a time, those first that share the most; of equals the first. What is left of each stands in the first of
// both.
group joined(std::vector<group> groups, const pass_table& passes) {
  const auto share = [&](size_t a, size_t b) { return alignment(groups[a].passes, groups[b].passes, passes).shared(); };
  std::map<std::pair<size_t, size_t>, uint64_t> shared;
  for (size_t a = 0; a < groups.size(); ++a)
    for (size_t b = a + 1; b < groups.size(); ++b) shared[{a, b}] = groups.size() > 2 ? share(a, b) : 0;
  while (!shared.empty()) {
    const auto most = std::max_element(shared.begin(), shared.end(),
                                       [](const auto& x, const auto& y) { return x.second < y.second; });
    const auto [a, b] = most->first;
    groups[a] = joined(groups[a], groups[b], alignment(groups[a].passes, groups[b].passes, passes).pairs());
    for (auto it = shared.begin(); it != shared.end();)
      it = it->first.first == b || it->first.second == b ? shared.erase(it) : std::next(it);
    if (shared.size() < 2) continue;
    for (auto& [pair, value] : shared)
      if (pair.first == a || pair.second == a) value = share(pair.first, pair.second);
  }
  return std::move(groups.front());
}

// The passes of each work-item between its barrier number `k` - 1 and the next one.
std::vector<group> segment(const warp& w, size_t k) {
  std::map<std::vector<pass_id>, uint64_t> different;
  for (size_t m = 0; m < w.size(); ++m) {
    const trace& t = w[m];
    const auto at = [&](size_t barrier) {
      return t.passes.begin() +
             static_cast<ptrdiff_t>(barrier < t.barriers.size() ? t.barriers[barrier] : t.passes.size());
    };
    std::vector<pass_id> own(k == 0 ? t.passes.begin() : at(k - 1), at(k));
    if (!own.empty()) different[std::move(own)] |= uint64_t{1} << m;
  }
  std::vector<group> out;
  out.reserve(different.size());
  for (const auto& [own, members] : different) out.push_back({own, std::vector<uint64_t>(own.size(), members)});
  // By work-item, not by what passes happen to be numbered.
  std::sort(out.begin(), out.end(), [](const group& a, const group& b) {
    const auto lowest = [](uint64_t members) { return members & (~members + 1); };
    return lowest(a.members.front()) < lowest(b.members.front());
  });
  return out;
}

size_t segments(const warp& w) {
  size_t n = 0;
  for (const trace& t : w) n = std::max(n, t.barriers.size() + 1);
  return n;
}

}  // namespace

best_alignment align(const warp& w, const pass_table& passes) {
  best_alignment out;
  for (size_t k = 0; k < segments(w); ++k) {
    std::vector<group> groups = segment(w, k);
    if (groups.empty()) continue;
    if (groups.size() > 2) out.exact = false;
    const group all = joined(std::move(groups), passes);
    for (size_t n = 0; n < all.passes.size(); ++n) out.order.push_back({all.passes[n], all.members[n]});
  }
  if (time_of(out.order, passes) == longest_trace(w, passes)) out.exact = true;
  return out;
}

uint64_t longest_trace(const warp& w, const pass_table& passes) {
  uint64_t sum = 0;
  for (size_t k = 0; k < segments(w); ++k) {
    uint64_t longest = 0;
    for (const group& g : segment(w, k)) {
      const auto instructions = [&](uint64_t n, pass_id p) { return n + passes.instructions(p); };
      longest = std::max(longest, std::accumulate(g.passes.begin(), g.passes.end(), uint64_t{0}, instructions));
    }
    sum += longest;
  }
  return sum;
}

}  // namespace pws::reconvergence
