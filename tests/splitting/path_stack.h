// SPDX-License-Identifier: Apache-2.0
// Stacks of the models of stack, dpe and dws-table.
#pragma once

#include <vector>

#include "tests/splitting/path_pipeline.h"

namespace pws::test {

struct path_side {
  enum class state { waits, runs, at_merge, ended };  // waits: it has not begun, or is suspended
  state is = state::waits;
  path who;               // while it does not run
  bool at_split = false;  // where it waits to be a side of the innermost entry
  bool over() const { return is == state::at_merge || is == state::ended; }
};

struct path_entry {
  path_side left, right;
  unsigned one_sided = 0;  // what the path had open that has split

  // `who` parts into those of `left_work_items` and the others.
  path_entry(const path& who, uint64_t left_work_items) : one_sided(who.one_sided) {
    left.who = right.who = who;
    left.who.one_sided = right.who.one_sided = 0;
    left.who.work_items &= left_work_items;
    right.who.work_items &= ~left_work_items;
  }
  bool over() const { return left.over() && right.over(); }
  // Who goes on when both are over; nothing if both have ended.
  std::optional<path> whole() const {
    const bool l = left.is == path_side::state::at_merge, r = right.is == path_side::state::at_merge;
    if (!l && !r) return {};
    path p = l && r ? joined(left.who, right.who) : l ? left.who : right.who;
    p.one_sided = one_sided;
    return p;
  }
};

// One path at a time: DPE paper, sections 2.1 and 7.3.
class stack_model : public path_pipeline {
 public:
  stack_model(const path_program& p, const models::machine_config& m, uint32_t work_items)
      : path_pipeline(p, m, work_items), stacks_(wavefronts_) {}

 protected:
  void split(place& p, uint64_t left) override;
  void merge(place& p) override { over(p, path_side::state::at_merge); }
  void ended(place& p) override {
    if (!stacks_[p.wavefront].empty()) over(p, path_side::state::ended);
  }
  bool somebody_waits_elsewhere(uint32_t wavefront) const override { return !stacks_[wavefront].empty(); }

  // The side that ran in this place does not go on: somebody else begins here.
  void over(place& p, path_side::state how);

  std::vector<std::vector<path_entry>> stacks_;  // of each wavefront, the innermost entry last
};

}  // namespace pws::test
