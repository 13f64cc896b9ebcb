// SPDX-License-Identifier: Apache-2.0
#include "hip_runtime/running_launches.h"

#include <algorithm>

namespace pws::hip {

// ---- what each launch has executed

machine_counters& launch_shares::of(const models::workgroup& w) {
  const uint64_t number = w.of->number();
  if (last_ == nullptr || number != last_number_) {
    last_number_ = number;
    last_ = &shares_[number];
  }
  return *last_;
}

void launch_shares::workgroup_started(uint32_t, const models::resident_workgroup& g, models::cycle_t) {
  machine_counters& n = of(g.launch);
  ++n.cu.workgroups;
  n.cu.wavefronts += g.launch.wavefronts();
}

bool launch_shares::same_warp(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t at) {
  if (!warps_issue_) return false;
  const issued_warp last = warp_;
  warp_ = {cu, c.simd.value, i.pc, at};
  return last == warp_;
}

void launch_shares::issuing(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t at) {
  models::cu_statistics& n = of(c.group->launch).cu;
  if (!same_warp(cu, c, i, at)) n.count_lanes(i, 0);
  if (models::cu_statistics::is_valu(i.unit))
    n.valu_lanes += static_cast<uint64_t>(__builtin_popcountll(c.state.active() & c.tree.root->tree.launched));
}

machine_counters launch_shares::take(uint64_t launch) {
  last_ = nullptr;
  const machine_counters n = shares_[launch];
  shares_.erase(launch);
  return n;
}

// ---- launches beside each other

running_launches::running_launches(session& watched, launch_log& log)
    : watched_(watched), log_(log), shares_(watched.gpu.config) {}

bool running_launches::has(uint32_t queue) const {
  return std::any_of(on_machine_.begin(), on_machine_.end(), [queue](const on_machine& l) { return l.queue == queue; });
}

void running_launches::begin(kernel_launch launch, launch_record record, uint32_t queue) {
  if (!any()) {
    counting_.emplace(watched_.gpu, &shares_);
    before_ = read_counters(watched_.gpu);
    began_ = watched_.runtime().now();
    host_began_ = std::chrono::steady_clock::now();
  }
  watched_.launch_begins(launch, record);
  watched_.runtime().begin(launch, queue, record.number);
  on_machine_.push_back({std::move(launch), std::move(record), queue});
}

std::vector<running_launches::ended> running_launches::run_to_next_completion() {
  watched_.runtime().run_to_next_completion();
  std::vector<ended> all;
  for (auto at = on_machine_.begin(); at != on_machine_.end();) {
    const std::optional<launch_result> result = watched_.runtime().result(at->queue);
    if (!result) {
      ++at;
      continue;
    }
    launch_record& r = at->record;
    r.completed = result->completed;
    r.error = result->error;
    r.cycles = result->cycles;
    r.began = result->completed ? result->began : watched_.runtime().now() - result->cycles;
    r.ended = r.began + r.cycles;
    last_end_ = std::max(last_end_, r.ended);
    ended& e = all.emplace_back(ended{at->queue, r.number, r.error, result->bystander});
    e.goes_on = watched_.launch_ended(at->launch, r);
    ended_.push_back(std::move(r));
    at = on_machine_.erase(at);
  }
  if (!any()) log_all();
  return all;
}

// Those since the machine was idle. What the machine has counted meanwhile is a launch's own if it was alone; else only
// what it has executed is.
void running_launches::log_all() {
  counting_.reset();
  const std::chrono::duration<double> host = std::chrono::steady_clock::now() - host_began_;
  const machine_counters counted = read_counters(watched_.gpu) - before_;
  const bool together = ended_.size() > 1;
  if (together) log_.add_together(counted, last_end_ - began_, host.count());
  std::sort(ended_.begin(), ended_.end(),
            [](const launch_record& a, const launch_record& b) { return a.number < b.number; });
  for (launch_record& r : ended_) {
    const machine_counters share = shares_.take(r.number);
    r.together = together;
    r.counters = together ? share : counted;
    r.host_seconds = together ? 0 : host.count();
    for (const launch_record& other : ended_)
      if (other.number != r.number && other.began < r.ended && r.began < other.ended) r.beside.push_back(other.number);
  }
  for (launch_record& r : ended_) log_.add(std::move(r));
  ended_.clear();
}

}  // namespace pws::hip
