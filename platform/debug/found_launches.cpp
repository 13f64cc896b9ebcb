// SPDX-License-Identifier: Apache-2.0
// Launches that nobody announces: the machine has found their packets in memory, where firmware has put them. A launch
// is known from its first workgroup on, and has ended with its last one.
#include <algorithm>

#include "platform/debug/debugger.h"

namespace pws::platform::debug {

void debugger::found_launch_begins(const models::dispatch& d) {
  // A reset ends launches without a word. And who writes packets may give two of them one number.
  const auto& served = view_->gpu.dispatcher.in_service();
  for (watched_launch& l : launches_) {
    const bool is_served = std::any_of(served.begin(), served.end(), [&](const auto& k) {
      return &k->launch != &d && k->launch.number() == l.number;
    });
    l.ended = l.ended || !is_served || l.number == d.number();
  }
  launch_begins(run_.found_launch(d), d.number());
  watched_launch& added = launches_.back();
  added.workgroups_left = uint64_t{d.workgroups[0]} * d.workgroups[1] * d.workgroups[2];
}

void debugger::workgroup_ended(uint32_t, const models::resident_workgroup& g, models::cycle_t) {
  if (!run_.found_launch) return;
  const uint64_t number = g.launch.of->number();
  for (watched_launch& l : launches_) {
    if (l.ended || l.number != number || --l.workgroups_left != 0) continue;
    return found_launch_ended(number);
  }
}

void debugger::found_launch_ended(uint64_t number) {
  stop s = stop_behind_launch(number);
  if (!points.has(point_kind::end) || given_up_) return;
  meet_ends(s);
  if (!s.points.empty()) tell(s);
}

}  // namespace pws::platform::debug
