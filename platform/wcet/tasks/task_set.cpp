// SPDX-License-Identifier: Apache-2.0
#include "platform/wcet/tasks/task_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "base/error.h"
#include "platform/config/files/run_config.h"
#include "platform/run/program/compiled_program.h"
#include "platform/run/program/scheme_use.h"
#include "platform/run/session/session.h"
#include "platform/wcet/choose_by_launch.h"
#include "platform/wcet/launch_analysis.h"
#include "platform/wcet/run_launch.h"
#include "platform/wcet/tasks/task_simulation.h"

namespace pws::platform {

namespace {

// What a task runs.
struct task_program {
  run_config run;
  compiled_program program;
};

models::machine_config in_timing(models::machine_config machine) {
  machine.fidelity = models::fidelity::timing;
  return machine;
}

task_program program_of(const task_config& t, const tasks_config& config) {
  const auto refuse = [&](const std::string& why) {
    throw input_error(fmt::format("{}: task {}: {}", t.where.text(), t.name, why));
  };
  run_config run = load_run(t.run, {"machine=" + config.machine_text});
  if (run.launches.size() != 1)
    refuse(
        fmt::format("{} has {} launches; a job is one launch, so it takes as many tasks", t.run, run.launches.size()));
  if (run.wcet.block_times == block_time_source::measured)
    refuse(t.run + " has wcet.block_times: measured, from which no bounds of jobs follow that run beside others");
  compiled_program program = compile_for_launches(run, assembly_text::wanted);
  return {std::move(run), std::move(program)};
}

std::optional<uint64_t> hyperperiod_of(const tasks_config& config) {
  constexpr uint64_t longest = uint64_t{1} << 53;
  uint64_t all = 1;
  for (const task_config& t : config.tasks) {
    const uint64_t part = t.period / std::gcd(all, t.period);
    if (part > longest / all) return std::nullopt;
    all *= part;
  }
  return all;
}

}  // namespace

task_set analyse_tasks(const tasks_config& config, const simulation_wish& wish) {
  task_set out(config);
  out.wish = wish;
  out.hyperperiod = hyperperiod_of(config);
  out.warnings = config.idle_keys;
  for (const task_config& t : config.tasks) {
    if (t.offset == 0) continue;
    const char* const why = wish.hyperperiods == 0 ? "without --simulate"
                            : wish.seed            ? "with --seed, which makes phases of its own"
                            : out.hyperperiod && t.offset >= *out.hyperperiod
                                ? "beyond the hyperperiod, in which the task has no job"
                                : nullptr;
    if (why != nullptr)
      out.warnings.push_back(fmt::format("{}: task {}: its offset has no effect {}", t.where.text(), t.name, why));
  }
  if (wish.hyperperiods != 0) require_simulation(config, out.hyperperiod);
  std::vector<std::unique_ptr<task_program>> programs;
  for (const task_config& t : config.tasks) programs.push_back(std::make_unique<task_program>(program_of(t, config)));

  // One memory for all: what an access takes may depend on where it goes.
  session on(in_timing(config.machine), {}, {});
  device_runtime& runtime = on.runtime();
  std::vector<kernel_launch> launches;
  for (size_t k = 0; k < programs.size(); ++k) {
    const task_program& p = *programs[k];
    const uint32_t queue =
        runtime.add_queue(config.policy == wcet::task_policy::in_order ? 0 : config.tasks[k].priority);
    runtime.load(p.program.image);
    const laid_out_run placed = lay_out(p.run, runtime.layout(), &p.program.image);
    fill_buffers(p.run, placed.buffers, 0, runtime);
    launches.push_back(runtime.prepare(placed.launches.front(), queue));
    // Jobs that run in the order in which they come are all in queue 0, which needs room for what they spill.
    if (config.policy == wcet::task_policy::in_order) runtime.prepare(placed.launches.front(), 0);
  }
  out.machine = on.gpu.config;
  const auto scheme = analysed_scheme(out.machine.divergence, false);
  if (!scheme)
    throw input_error(fmt::format("{}: machine.divergence {} has no bound", config.file,
                                  models::traits_of(out.machine.divergence).name));
  out.scheme = *scheme;
  for (size_t k = 0; k < launches.size(); ++k) {
    const task_program& p = *programs[k];
    launch_analysis analysis(out.machine, runtime.layout(), launches[k], p.run.wcet);
    require_places({analysis.misplaced_bounds()});
    analysed_task& t = out.tasks.emplace_back();
    t.config = config.tasks[k];
    t.kernel = p.run.launches.front().kernel;
    t.cost = analysis.bound(out.scheme).e_kernel;
    for (const std::string& w : warnings_of(p.run, p.program.image))
      out.warnings.push_back(fmt::format("task {}: {}", t.config.name, w));
  }
  std::vector<wcet::task> tasks;
  for (const analysed_task& t : out.tasks)
    tasks.push_back({t.cost, t.config.period, t.config.due(), t.config.jitter, t.config.priority});
  for (size_t k = 0; k < tasks.size(); ++k) {
    out.tasks[k].response = response_time_of(tasks, k, config.policy);
    out.tasks[k].largest_cost = largest_cost(tasks, k, config.policy);
  }
  if (wish.hyperperiods != 0) simulate(out, on, launches);
  return out;
}

bool task_set::is_schedulable() const {
  return std::all_of(tasks.begin(), tasks.end(), [](const analysed_task& t) { return t.is_met(); });
}

double task_set::utilisation() const {
  return std::accumulate(tasks.begin(), tasks.end(), 0.0,
                         [](double sum, const analysed_task& t) { return sum + t.utilisation(); });
}

bool task_set::holds() const {
  return error.empty() && std::all_of(tasks.begin(), tasks.end(), [](const analysed_task& t) {
           return !t.seen ||
                  (t.seen->execution <= t.cost && (!t.response.bound || t.seen->longest <= *t.response.bound));
         });
}

}  // namespace pws::platform
