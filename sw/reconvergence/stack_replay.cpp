// SPDX-License-Identifier: Apache-2.0
#include "sw/reconvergence/stack_replay.h"

#include <algorithm>
#include <map>

namespace pws::reconvergence {

namespace {

// Blocks that every way from the place on passes, nearest first.
std::vector<uint32_t> post_dominators(const cfg::code_table& code, uint64_t place) {
  std::vector<uint32_t> out;
  uint32_t b = code.block_of(place);
  if (b != cfg::code_table::none && !code.begins_block(place)) b = code.blocks()[b].post_dominator;
  for (; b != cfg::code_table::none; b = code.blocks()[b].post_dominator) out.push_back(b);
  return out;
}

class stack_replay {
 public:
  // Without `code` nobody meets again.
  stack_replay(const warp& w, const pass_table& passes, const cfg::code_table* code)
      : warp_(w), passes_(passes), code_(code), done_(w.size(), 0) {}

  // The stack's top entry: as long as its members go on together, and then an entry for each place at which they do.
  // Each has fewer members than the one below.
  void run(uint64_t members) {
    for (;;) {
      const std::map<uint64_t, uint64_t> next = going_on(members);
      if (next.empty()) return;
      if (next.size() == 1) {
        issue(next.begin()->second);
        continue;
      }
      std::vector<uint64_t> places;
      places.reserve(next.size());
      for (const auto& [place, group] : next) places.push_back(place);
      const std::optional<uint64_t> meet = code_ == nullptr ? std::nullopt : meeting_place(*code_, places);
      if (meet) waited_for_at_.push_back(*meet);
      for (const auto& [place, group] : next) run(group);
      if (meet) waited_for_at_.pop_back();
    }
  }

  schedule issued;

 private:
  // The members that have neither ended nor come to where others wait for them, by the place of their next pass.
  std::map<uint64_t, uint64_t> going_on(uint64_t members) const {
    std::map<uint64_t, uint64_t> next;
    for (size_t m = 0; m < warp_.size(); ++m) {
      if ((members >> m & 1) == 0 || done_[m] == warp_[m].passes.size()) continue;
      const uint64_t place = passes_.place(warp_[m].passes[done_[m]]);
      if (std::find(waited_for_at_.begin(), waited_for_at_.end(), place) == waited_for_at_.end())
        next[place] |= uint64_t{1} << m;
    }
    return next;
  }

  // Members whose next passes are equal.
  void issue(uint64_t members) {
    slot s{0, members};
    for (size_t m = 0; m < warp_.size(); ++m)
      if ((members >> m & 1) != 0) s.pass = warp_[m].passes[done_[m]++];
    issued.push_back(s);
  }

  const warp& warp_;
  const pass_table& passes_;
  const cfg::code_table* code_;
  std::vector<size_t> done_;             // passes, by work-item
  std::vector<uint64_t> waited_for_at_;  // the entries' reconvergence PCs, the top's last
};

schedule replay(const warp& w, const pass_table& passes, const cfg::code_table* code) {
  stack_replay stack(w, passes, code);
  stack.run(~uint64_t{0});
  return std::move(stack.issued);
}

}  // namespace

std::optional<uint64_t> meeting_place(const cfg::code_table& code, const std::vector<uint64_t>& places) {
  if (places.empty()) return {};
  std::vector<uint32_t> common = post_dominators(code, places.front());
  for (const uint64_t place : places) {
    const std::vector<uint32_t> own = post_dominators(code, place);
    // Ways in a tree towards its root: from the first block that they share on, they share all.
    const auto first = std::find_first_of(common.begin(), common.end(), own.begin(), own.end());
    common.erase(common.begin(), first);
  }
  if (common.empty()) return {};
  return code.blocks()[common.front()].begin;
}

schedule reconverging_at_post_dominators(const warp& w, const pass_table& passes, const cfg::code_table& code) {
  return replay(w, passes, &code);
}

schedule never_reconverging(const warp& w, const pass_table& passes) {
  return replay(w, passes, nullptr);
}

}  // namespace pws::reconvergence
