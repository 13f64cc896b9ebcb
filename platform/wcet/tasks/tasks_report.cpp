// SPDX-License-Identifier: Apache-2.0
#include "platform/wcet/tasks/tasks_report.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/output/trace_file.h"
#include "base/output/trace_time.h"

namespace pws::platform {

namespace {

nullable<uint64_t> or_null(const std::optional<uint64_t>& n) {
  return n ? nullable<uint64_t>(*n) : nullable<uint64_t>();
}

std::string number_or(const std::optional<uint64_t>& n, const char* otherwise) {
  return n ? std::to_string(*n) : otherwise;
}

void print_tasks(std::ostream& out, const task_set& set) {
  size_t width = 4;
  for (const analysed_task& t : set.tasks) width = std::max(width, t.config.name.size());
  const bool simulated = set.wish.hyperperiods != 0;
  fmt::print(out, "  {:<{}} {:>10} {:>10} {:>10} {:>10} {:>10} {:>12}{}\n", "task", width, "cost", "period", "deadline",
             "response", "slack", "largest cost", simulated ? "       seen       jobs     missed" : "");
  for (const analysed_task& t : set.tasks) {
    fmt::print(out, "  {:<{}} {:>10} {:>10} {:>10} {:>10} {:>10} {:>12}", t.config.name, width, t.cost, t.config.period,
               t.config.due(), number_or(t.response.bound, "none"),
               number_or(t.slack(), t.response.bound ? "late" : "none"),
               t.largest_cost == 0 ? "none" : std::to_string(t.largest_cost));
    if (t.seen) fmt::print(out, " {:>10} {:>10} {:>10}", t.seen->longest, t.seen->jobs, t.seen->missed);
    fmt::print(out, "\n");
  }
}

}  // namespace

void print(std::ostream& out, const task_set& set) {
  fmt::print(out, "{}: {} tasks, {}; all times are cycles at {} MHz\n", set.config.file, set.tasks.size(),
             name_of(set.config.policy), set.machine.clock_mhz);
  print_tasks(out, set);
  fmt::print(out, "  {:<14}{:.1f} % of the time at most; divergence {}\n", "utilisation", 100 * set.utilisation(),
             models::traits_of(set.machine.divergence).name);
  for (const analysed_task& t : set.tasks)
    if (!t.response.bound) fmt::print(out, "  {:<14}task {}: {}\n", "no bound", t.config.name, t.response.why);
  for (const std::string& w : set.warnings) fmt::print(out, "  {:<14}{}\n", "warning", w);
  if (set.wish.hyperperiods != 0) {
    fmt::print(out, "  {:<14}{} hyperperiods of {} cycles{}\n", "simulated", set.wish.hyperperiods, *set.hyperperiod,
               set.wish.seed ? fmt::format(", phases and jitter by seed {}", *set.wish.seed) : "");
    if (!set.error.empty()) fmt::print(out, "  {:<14}{}\n", "stopped", set.error);
    for (const analysed_task& t : set.tasks) {
      if (t.response.bound && t.seen->longest > *t.response.bound)
        fmt::print(out, "  {:<14}task {}: a job took {} cycles, its bound is {}\n", "ABOVE", t.config.name,
                   t.seen->longest, *t.response.bound);
      if (t.seen->execution > t.cost)
        fmt::print(out, "  {:<14}task {}: a job ran for {} cycles, E_kernel is {}\n", "ABOVE", t.config.name,
                   t.seen->execution, t.cost);
    }
  }
  const bool met = set.is_schedulable();
  fmt::print(out, "  {}\n",
             met ? "schedulable   every job ends by its deadline, whatever the phases"
                 : "NOT SCHEDULABLE: a job may end behind its deadline");
}

const report_part<task_set>& tasks_part() {
  using t = analysed_task;
  using s = simulated_jobs;
  static const report_part<s> seen =
      report_part<s>()
          .value("jobs", "simulated", &s::jobs)
          .value("missed", "that ended behind their deadlines", &s::missed)
          .value("response", "cycles", "the longest, from a job's release to its end", &s::longest)
          .value("execution", "cycles", "the longest, from when the machine began a job", &s::execution);
  static const report_part<t> task =
      report_part<t>()
          .value("name", "of the task", [](const t& a) { return a.config.name; })
          .value("run", "its run file", [](const t& a) { return a.config.run; })
          .value("kernel", "that a job runs", &t::kernel)
          .value("period", "cycles", "from a release to the next one, at least",
                 [](const t& a) { return a.config.period; })
          .value("deadline", "cycles", "after a release", [](const t& a) { return a.config.due(); })
          .value("jitter", "cycles", "from a release to when a job comes, at most",
                 [](const t& a) { return a.config.jitter; })
          .value("priority", "larger ones go first", [](const t& a) { return a.config.priority; })
          .value("cost", "cycles", "E_kernel: a job at most, alone", &t::cost)
          .value("utilisation", "%", "cost / period", [](const t& a) { return 100 * a.utilisation(); })
          .value("response", "cycles", "from a job's release to its end, at most; null: no bound",
                 [](const t& a) { return or_null(a.response.bound); })
          .text("no_bound", "why there is none", [](const t& a) { return a.response.why; })
          .value("met", "every job ends by its deadline", &t::is_met)
          .value("slack", "cycles", "from the bound to the deadline; null: the deadline is not met",
                 [](const t& a) { return or_null(a.slack()); })
          .value("largest_cost", "cycles",
                 "with which all deadlines are met, if the other tasks stay as they are; 0: none", &t::largest_cost)
          .part("seen", seen, [](const t& a) { return a.seen; });
  static const report_part<task_set> all =
      report_part<task_set>()
          .value("file", "that was read", [](const task_set& a) { return a.config.file; })
          .value("policy", "whose job is next", [](const task_set& a) { return a.config.policy; })
          .value("scheme", "whose bounds these are", &task_set::scheme)
          .value("utilisation", "%", "of the time, at most", [](const task_set& a) { return 100 * a.utilisation(); })
          .value("schedulable", "every job of every task ends by its deadline", &task_set::is_schedulable)
          .value("hyperperiod", "cycles", "least common multiple of the periods; null: beyond 2^53",
                 [](const task_set& a) { return or_null(a.hyperperiod); })
          .value("simulated", "hyperperiods", [](const task_set& a) { return a.wish.hyperperiods; })
          .value("seed", "of phases and jitter", [](const task_set& a) { return a.wish.seed; })
          .value("holds", "no job that was simulated took longer than its bounds", &task_set::holds)
          .text("error", "what stopped the simulation", &task_set::error)
          .value("warnings", "of configuration and code", &task_set::warnings)
          .list("tasks", task, &task_set::tasks);
  return all;
}

void write_tasks_timeline(const std::string& option, const std::string& path, const task_set& set) {
  trace_file file(option, path);
  const uint32_t mhz = set.machine.clock_mhz;
  file.name_process(0, "tasks");
  for (size_t k = 0; k < set.tasks.size(); ++k) file.name_row(0, static_cast<int64_t>(k), set.tasks[k].config.name);
  const auto slice = [&](const seen_job& j, const char* what, uint64_t begin, uint64_t end) {
    if (begin == end) return;
    file.event(fmt::format(R"({{"name":"{}","ph":"X","pid":0,"tid":{},"ts":{},"dur":{},"args":{{"cycles":{}}}}})", what,
                           j.task, trace_time(begin, mhz), trace_duration(begin, end, mhz), end - begin));
  };
  for (const seen_job& j : set.first_jobs) {
    slice(j, "is late", j.release, j.came);
    slice(j, "waits", j.came, j.began);
    slice(j, "runs", j.began, j.ended);
    if (j.ended - j.release > set.tasks[j.task].config.due())
      file.event(fmt::format(R"({{"name":"deadline missed","ph":"i","s":"t","pid":0,"tid":{},"ts":{}}})", j.task,
                             trace_time(j.release + set.tasks[j.task].config.due(), mhz)));
  }
  file.close();
}

}  // namespace pws::platform
