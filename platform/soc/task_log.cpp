// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/task_log.h"

#include <fmt/format.h>

#include <algorithm>

namespace pws::platform {

namespace {

// Whether a time is above so many ns, which may be too many for picoseconds.
bool is_above(uint64_t ps, const std::optional<uint64_t>& ns) {
  constexpr uint64_t ps_of_ns = 1000;
  return ns && (ps / ps_of_ns > *ns || (ps / ps_of_ns == *ns && ps % ps_of_ns != 0));
}

}  // namespace

task_log::task_log(soc_system& system) {
  system.tasks.on_mark = [this, &system](uint64_t name_at) {
    if (name_at == 0) return end();
    const std::string name = system.text_at(name_at);
    begin(name.empty() ? fmt::format("at {:#x}", name_at) : name);
  };
  system.tasks.on_deadline = [this](uint64_t ns) {
    results_[open_.back().of].deadline_ns = open_.back().deadline_ns = ns;
  };
  system.tasks.on_bound = [this](uint64_t ns) { results_[open_.back().of].bound_ns = open_.back().bound_ns = ns; };
}

void task_log::begin(const std::string& name) {
  auto found = std::find_if(results_.begin(), results_.end(), [&](const task_result& r) { return r.name == name; });
  if (found == results_.end()) {
    found = results_.emplace(results_.end());
    found->name = name;
  }
  open_.push_back({static_cast<size_t>(found - results_.begin()), sc_core::sc_time_stamp(), {}, {}});
}

void task_log::end() {
  if (open_.empty()) return;  // an end without a beginning
  const open_task t = open_.back();
  open_.pop_back();
  task_result& r = results_[t.of];
  const uint64_t took = models::picoseconds(sc_core::sc_time_stamp() - t.begin);
  r.shortest_ps = r.count == 0 ? took : std::min(r.shortest_ps, took);
  r.longest_ps = std::max(r.longest_ps, took);
  r.sum_ps += took;
  ++r.count;
  r.misses += is_above(took, t.deadline_ns) ? 1 : 0;
  r.above_bound += is_above(took, t.bound_ns) ? 1 : 0;
  if (on_end) on_end(r.name, t.begin, sc_core::sc_time_stamp());
}

void task_log::close() {
  for (auto t = open_.rbegin(); t != open_.rend(); ++t) {
    ++results_[t->of].open;
    if (on_end) on_end(results_[t->of].name, t->begin, sc_core::sc_time_stamp());
  }
  open_.clear();
}

}  // namespace pws::platform
