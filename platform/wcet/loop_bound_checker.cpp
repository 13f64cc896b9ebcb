// SPDX-License-Identifier: Apache-2.0
#include "platform/wcet/loop_bound_checker.h"

#include "base/error.h"
#include "models/machine/occupancy.h"

namespace pws::platform {

using wcet::loop_counter;

loop_bound_checker::loop_bound_checker(const models::machine_config& machine, const cfg::function_code& code,
                                       std::vector<cfg::marked_loop> loops)
    : counter_(code, std::move(loops)),
      entry_(code.begin()),
      units_per_cu_(models::layout_of(machine).count()),
      contexts_per_unit_(models::contexts_per_unit(machine)),
      exec_comes_late_(machine.cosim.mode == models::cosim_mode::rtl),
      contexts_(machine.n_cu * units_per_cu_ * contexts_per_unit_),
      last_in_cu_(machine.n_cu, loop_counter::outside) {}

void loop_bound_checker::wave_started(uint32_t cu, const models::wf_context& c, models::cycle_t at) {
  for (const auto& function : called_) function->wave_started(cu, c, at);
  context_state& s = state_of(cu, c);
  s.late.clear();
  s.owned = c.state.split_mask;
  if (!c.is_swf()) {
    s.counts = counter_.zero();
    s.last = loop_counter::outside;
  } else {
    s.last = last_in_cu_[cu];  // what splits it off
  }
}

void loop_bound_checker::issuing(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t at) {
  for (const auto& function : called_) function->issuing(cu, c, i, at);
  const uint32_t place = counter_.place_of(i.pc - entry_);
  last_in_cu_[cu] = place;
  if (place == loop_counter::outside) return;  // a function that the kernel calls: it will return to behind the call
  context_state& s = state_of(cu, c);
  // Other work-items than before: an SWF's, which has come to its merge and goes on in the context of its parent, whose
  // own have ended (split_tree.h).
  const bool taken_over = (s.owned & c.state.split_mask) == 0;
  const passed here{place, taken_over ? place - 1 : s.last};
  s.last = place;
  s.owned = c.state.split_mask;
  const bool concerns = counter_.concerns(place);
  if (!concerns && s.late.empty()) return;
  loop_counter::counts& counts = state_of(cu, *c.tree.root).counts;
  if (exec_comes_late_ && c.is_swf()) {
    if (c.front.results.scalars_ready(isa::exec_lo, 2) > at) {
      if (concerns) s.late.push_back(here);
      return;
    }
    // Nothing that writes EXEC again has issued since.
    for (const passed& p : s.late) pass(c, counts, p);
    s.late.clear();
  }
  if (concerns) pass(c, counts, here);
}

void loop_bound_checker::pass(const models::wf_context& c, loop_counter::counts& counts, passed what) {
  const auto violation = counter_.pass(counts, what.place, what.before, c.state.active() & c.tree.root->tree.launched,
                                       c.state.split_mask & c.tree.root->tree.launched);
  if (!violation) return;
  broken_ = counter_.text_of(*violation);
  throw program_error(broken_, violation->lane);
}

void loop_bound_checker::issued(uint32_t, const models::wf_context&, const isa::inst&, models::cycle_t) {}

void loop_bound_checker::wave_ended(uint32_t, const models::wf_context&, models::cycle_t) {}

}  // namespace pws::platform
