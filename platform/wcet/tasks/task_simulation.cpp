// SPDX-License-Identifier: Apache-2.0
#include "platform/wcet/tasks/task_simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <random>

#include "base/error.h"
#include "platform/machine/interruption.h"

namespace pws::platform {

namespace {

constexpr uint64_t most_jobs = 1'000'000;  // of a hyperperiod

// In a hyperperiod, whatever the phases.
uint64_t jobs_at_most(const tasks_config& config, uint64_t hyperperiod) {
  uint64_t jobs = 0;
  for (const task_config& t : config.tasks) jobs += hyperperiod / t.period;
  return jobs;
}

// A job, in the machine's time.
struct job {
  size_t task = 0;
  uint64_t release = 0, arrival = 0;
  uint64_t signal = 0;  // address of its completion signal
};

class simulation {
 public:
  simulation(task_set& set, session& on, const std::vector<kernel_launch>& launches)
      : set_(set), on_(on), launches_(launches), random_(set.wish.seed.value_or(0)) {
    const uint64_t jobs = jobs_at_most(set.config, *set.hyperperiod);
    signals_ = on.runtime().allocate(jobs * sizeof(isa::amd_signal), "signals of jobs");
    waiting_.resize(launches.size() + 1);
    for (analysed_task& t : set.tasks) t.seen.emplace();
  }

  void run() {
    interruption signals;
    signals.stop(on_.gpu);
    for (uint32_t h = 0; h < set_.wish.hyperperiods && set_.error.empty(); ++h) run_one(h == 0);
    set_.signal = interruption::signal();
    if (set_.signal != 0) set_.error = "interrupted by " + signal_name(set_.signal);
  }

 private:
  uint64_t below(uint64_t n) { return n == 0 ? 0 : random_() % n; }

  // Those of a hyperperiod that begins at `from`, in the order in which they come.
  std::vector<job> jobs_from(uint64_t from) {
    std::vector<job> all;
    for (size_t k = 0; k < launches_.size(); ++k) {
      const task_config& t = set_.config.tasks[k];
      uint64_t came = 0;
      for (uint64_t at = set_.wish.seed ? below(t.period) : t.offset; at < *set_.hyperperiod; at += t.period) {
        came = std::max(came, at + (set_.wish.seed ? below(t.jitter + 1) : 0));
        all.push_back({k, from + at, from + came, 0});
      }
    }
    std::stable_sort(all.begin(), all.end(), [](const job& a, const job& b) { return a.arrival < b.arrival; });
    for (size_t n = 0; n < all.size(); ++n) {
      all[n].signal = signals_ + n * sizeof(isa::amd_signal);
      isa::amd_signal pending;
      pending.value = 1;
      on_.runtime().write(all[n].signal, &pending, sizeof pending);
    }
    return all;
  }

  // The queues' rings are short; a job that finds no room waits here.
  void hand_over() {
    for (uint32_t queue = 0; queue < waiting_.size(); ++queue)
      while (!waiting_[queue].empty() && on_.board.host.room(queue) != 0) {
        on_.board.host.submit(waiting_[queue].front(), queue);
        waiting_[queue].pop_front();
      }
  }
  bool somebody_waits() const {
    return std::any_of(waiting_.begin(), waiting_.end(), [](const auto& q) { return !q.empty(); });
  }

  void run_one(bool is_first) {
    const models::gpu_clock& clock = on_.gpu.clock;
    const std::vector<job> jobs = jobs_from(clock.now() + 1);
    size_t next = 0;
    while (next < jobs.size() || somebody_waits() || !on_.board.host.done()) {
      for (; next < jobs.size() && jobs[next].arrival <= clock.now(); ++next) {
        const job& j = jobs[next];
        isa::kernel_dispatch_packet packet = launches_[j.task].packet;
        packet.completion_signal = j.signal;
        packet.launch_number = ++number_;
        const bool in_order = set_.config.policy == wcet::task_policy::in_order;
        waiting_[in_order ? 0 : j.task + 1].push_back(packet);
      }
      hand_over();
      on_.board.host.return_at_each(somebody_waits());
      if (next < jobs.size())
        sc_core::sc_start(clock.time_of(jobs[next].arrival) - sc_core::sc_time_stamp());
      else
        sc_core::sc_start();
      if (on_.board.host.halted() || interruption::signal() != 0) {
        set_.error = on_.gpu.dispatcher.fault_message();
        return;
      }
      if (next == jobs.size() && !on_.board.host.done() && !somebody_waits() && !sc_core::sc_pending_activity()) {
        set_.error = "the machine stands still:\n" + on_.gpu.dispatcher.describe_queues();
        return;
      }
    }
    for (const job& j : jobs) note(j, is_first);
    std::stable_sort(set_.first_jobs.begin(), set_.first_jobs.end(),
                     [](const seen_job& a, const seen_job& b) { return a.ended < b.ended; });
  }

  void note(const job& j, bool is_first) {
    isa::amd_signal signal;
    on_.runtime().read(j.signal, &signal, sizeof signal);
    simulated_jobs& seen = *set_.tasks[j.task].seen;
    const uint64_t response = signal.end_ts - j.release;
    ++seen.jobs;
    seen.missed += response > set_.config.tasks[j.task].due() ? 1 : 0;
    seen.longest = std::max(seen.longest, response);
    seen.execution = std::max(seen.execution, signal.end_ts - signal.start_ts);
    if (is_first) set_.first_jobs.push_back({j.task, j.release, j.arrival, signal.start_ts, signal.end_ts});
  }

  task_set& set_;
  session& on_;
  const std::vector<kernel_launch>& launches_;
  std::mt19937_64 random_;
  uint64_t signals_ = 0;
  uint64_t number_ = 0;
  std::vector<std::deque<isa::kernel_dispatch_packet>> waiting_;  // by queue
};

}  // namespace

void require_simulation(const tasks_config& config, const std::optional<uint64_t>& hyperperiod) {
  if (!hyperperiod)
    throw input_error(config.file +
                      ": the periods have no common multiple below 2^53 cycles: nothing to simulate to the end");
  const uint64_t jobs = jobs_at_most(config, *hyperperiod);
  if (jobs > most_jobs)
    throw input_error(fmt::format("{}: a hyperperiod is {} cycles and has {} jobs; at most {} are simulated",
                                  config.file, *hyperperiod, jobs, most_jobs));
}

void simulate(task_set& set, session& on, const std::vector<kernel_launch>& launches) {
  simulation(set, on, launches).run();
}

}  // namespace pws::platform
