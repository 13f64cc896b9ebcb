// SPDX-License-Identifier: Apache-2.0
#include "tests/splitting/path_stack.h"

namespace pws::test {

namespace {
using state = path_side::state;
}

void stack_model::split(place& p, uint64_t left) {
  path_entry& e = stacks_[p.wavefront].emplace_back(*p.runs, left);
  e.left.is = state::runs;
  begin(p, e.left.who, now_ + machine_.split_cycles);
}

void stack_model::over(place& p, state how) {
  auto& stack = stacks_[p.wavefront];
  path_entry& e = stack.back();
  path_side& ran = e.left.is == state::runs ? e.left : e.right;
  ran.is = how;
  if (how == state::at_merge) ran.who = *p.runs;
  p.is = place::state::empty;
  if (!e.over()) {
    e.right.is = state::runs;
    begin(p, e.right.who, now_ + machine_.merge_cycles);
    return;
  }
  const std::optional<path> whole = e.whole();
  stack.pop_back();
  if (whole)
    begin(p, *whole, now_ + machine_.merge_cycles);
  else if (!stack.empty())
    over(p, state::ended);  // nobody is left of the side that had split
}

std::unique_ptr<path_pipeline> make_stack_model(const path_program& p, const models::machine_config& m, uint32_t n) {
  return std::make_unique<stack_model>(p, m, n);
}

}  // namespace pws::test
