// SPDX-License-Identifier: Apache-2.0
#include "sw/reconvergence/limit_study.h"

#include <set>
#include <unordered_map>

#include "sw/reconvergence/best_alignment.h"
#include "sw/reconvergence/stack_replay.h"

namespace pws::reconvergence {

namespace {

constexpr size_t none = ~size_t{0};

// Where in an order each work-item comes to a place next. Goes through the order from its end.
class next_visits {
 public:
  next_visits(const schedule& order, size_t work_items, const pass_table& passes)
      : order_(order), passes_(passes), next_(work_items, none), at_(work_items) {}

  // The slots before `slot` are still to come.
  void step_back_over(size_t slot) {
    for (size_t m = 0; m < next_.size(); ++m) {
      if ((order_[slot].members >> m & 1) == 0) continue;
      next_[m] = slot;
      at_[m][passes_.place(order_[slot].pass)] = slot;
    }
  }
  size_t next(size_t work_item) const { return next_[work_item]; }  // none: it has ended
  size_t next_at(size_t work_item, uint64_t place) const {
    const auto found = at_[work_item].find(place);
    return found == at_[work_item].end() ? none : found->second;
  }

 private:
  const schedule& order_;
  const pass_table& passes_;
  std::vector<size_t> next_;                              // slot, by work-item
  std::vector<std::unordered_map<uint64_t, size_t>> at_;  // ... and place
};

// Those of `members` that come to the place do so in one slot.
bool come_together(uint64_t members, uint64_t place, const next_visits& visits, size_t work_items) {
  size_t slot = none;
  for (size_t m = 0; m < work_items; ++m) {
    if ((members >> m & 1) == 0) continue;
    const size_t own = visits.next_at(m, place);
    if (own == none) continue;
    if (slot != none && slot != own) return false;
    slot = own;
  }
  return true;
}

warp_result study_warp(const warp& w, const pass_table& passes, const cfg::code_table& code,
                       std::map<uint32_t, branch_result>& branches) {
  warp_result r;
  r.work_items = w.size();
  std::set<std::pair<std::vector<pass_id>, std::vector<size_t>>> different;
  for (const trace& t : w) {
    different.insert({t.passes, t.barriers});
    for (const pass_id p : t.passes) r.executed += passes.instructions(p);
  }
  r.different = different.size();
  const schedule stack = reconverging_at_post_dominators(w, passes, code);
  const best_alignment aligned = align(w, passes);
  r.times.never = time_of(never_reconverging(w, passes), passes);
  r.times.post_dominators = time_of(stack, passes);
  r.times.best = time_of(aligned.order, passes);
  r.times.longest = longest_trace(w, passes);
  r.from_stack = r.times.post_dominators < r.times.best;
  if (r.from_stack) r.times.best = r.times.post_dominators;
  r.exact = aligned.exact || r.times.best == r.times.longest;
  for (const auto& [block, d] : divergences_of(stack, w.size(), passes, code)) {
    branches[block].stack.all += d.all;
    branches[block].stack.met_later += d.met_later;
  }
  for (const auto& [block, d] : divergences_of(r.from_stack ? stack : aligned.order, w.size(), passes, code)) {
    branches[block].best.all += d.all;
    branches[block].best.met_later += d.met_later;
  }
  return r;
}

}  // namespace

std::map<uint32_t, divergences> divergences_of(const schedule& order, size_t work_items, const pass_table& passes,
                                               const cfg::code_table& code) {
  std::map<uint32_t, divergences> out;
  next_visits visits(order, work_items, passes);
  for (size_t slot = order.size(); slot-- > 0; visits.step_back_over(slot)) {
    const uint64_t members = order[slot].members;
    std::set<uint64_t> places;
    bool some_end = false;
    for (size_t m = 0; m < work_items; ++m) {
      if ((members >> m & 1) == 0) continue;
      if (visits.next(m) == none)
        some_end = true;
      else
        places.insert(passes.place(order[visits.next(m)].pass));
    }
    if (places.size() + some_end < 2) continue;
    divergences& d = out[code.block_of(passes.place(order[slot].pass))];
    ++d.all;
    const std::optional<uint64_t> meet = meeting_place(code, {places.begin(), places.end()});
    if (meet && !come_together(members, *meet, visits, work_items)) ++d.met_later;
  }
  return out;
}

study study_reconvergence(const std::vector<warp>& warps, const pass_table& passes, const cfg::code_table& code,
                          const std::function<bool()>& stop) {
  study out;
  for (const warp& w : warps) {
    out.warps.push_back(study_warp(w, passes, code, out.branches));
    if (stop()) break;
  }
  return out;
}

}  // namespace pws::reconvergence
