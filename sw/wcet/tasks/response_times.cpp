// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/tasks/response_times.h"

#include <algorithm>
#include <functional>

namespace pws::wcet {

namespace {

// Beyond these nothing is computed: sums stay far below 2^64, and a bound takes seconds at most.
constexpr uint64_t longest_time = uint64_t{1} << 53;
constexpr uint64_t most_steps = 1'000'000;

constexpr const char* too_much = "the jobs that may go first take as much time as there is, or more";
constexpr const char* too_long = "the GPU may be busy for too long a time to be looked at";

__extension__ typedef unsigned __int128 wide;

// Jobs of the task that can be released in [0, time], or in [0, time).
uint64_t released_until(const task& t, uint64_t time) {
  return (time + t.jitter) / t.period + 1;
}
uint64_t released_before(const task& t, uint64_t time) {
  return (time + t.jitter + t.period - 1) / t.period;
}

// What they take of the time there is: the sum of cost / period, compared with 1. Sums that are 1 but for what is lost
// in the 64th place count as 1; if they are more, no time is found in which the GPU is not busy.
enum class load { less, all, more };
load load_of(const std::vector<const task*>& tasks) {
  constexpr wide one = wide{1} << 64;
  wide sum = 0;
  for (const task* t : tasks) {
    if (t->cost > longest_time || t->cost > t->period) return load::more;
    sum += (wide{t->cost} << 64) / t->period;
  }
  return sum > one ? load::more : sum + tasks.size() >= one ? load::all : load::less;
}

// The least time that is `step` of itself, from `from` up; nothing: there is none in reach.
std::optional<uint64_t> fixed_point(uint64_t from, const std::function<std::optional<uint64_t>(uint64_t)>& step) {
  uint64_t now = from;
  for (uint64_t n = 0; n < most_steps; ++n) {
    const std::optional<uint64_t> next = step(now);
    if (!next) return std::nullopt;
    if (*next == now) return now;
    now = *next;
  }
  return std::nullopt;
}

// `base`, and of each of these tasks as many jobs as `count` says. Nothing: too long.
template <class F>
std::optional<uint64_t> time_of(uint64_t base, const std::vector<const task*>& tasks, F count) {
  wide sum = base;
  for (const task* t : tasks) {
    sum += wide{count(*t)} * t->cost;
    if (sum > longest_time) return std::nullopt;
  }
  return static_cast<uint64_t>(sum);
}

response_time by_priority(const std::vector<task>& tasks, size_t of) {
  const task& own = tasks[of];
  std::vector<const task*> first, busy{&own};  // what may go before a job, and that with the task's own
  uint64_t blocked = 0;
  for (size_t k = 0; k < tasks.size(); ++k) {
    if (k == of) continue;
    if (tasks[k].priority >= own.priority) {
      first.push_back(&tasks[k]);
      busy.push_back(&tasks[k]);
    } else {
      blocked = std::max(blocked, tasks[k].cost);
    }
  }
  const load l = load_of(busy);
  if (l == load::more || (l == load::all && blocked != 0)) return {std::nullopt, too_much};
  const auto busy_for = fixed_point(blocked + own.cost, [&](uint64_t time) {
    return time_of(blocked, busy, [time](const task& t) { return released_before(t, time); });
  });
  if (!busy_for) return {std::nullopt, too_long};
  const uint64_t jobs = released_before(own, *busy_for);
  if (jobs > most_steps) return {std::nullopt, too_long};
  uint64_t longest = 0, start = blocked;
  for (uint64_t q = 0; q < jobs; ++q) {
    const wide before = wide{blocked} + wide{q} * own.cost;
    if (before > longest_time) return {std::nullopt, too_long};
    // A later job starts later, so the search goes on from there.
    const auto starts = fixed_point(std::max(start, static_cast<uint64_t>(before)), [&](uint64_t time) {
      return time_of(static_cast<uint64_t>(before), first, [time](const task& t) { return released_until(t, time); });
    });
    if (!starts) return {std::nullopt, too_long};
    start = *starts;
    // Its release, counted from the beginning of the busy time on, is q periods later than the first one's.
    const uint64_t end = start + own.cost + own.jitter, release = q * own.period;
    longest = std::max(longest, end > release ? end - release : 0);
  }
  return {longest, ""};
}

response_time by_order(const std::vector<task>& tasks, size_t of) {
  std::vector<const task*> all;
  all.reserve(tasks.size());
  for (const task& t : tasks) all.push_back(&t);
  const load l = load_of(all);
  if (l == load::more) return {std::nullopt, too_much};
  const auto busy_for = fixed_point(
      1, [&](uint64_t time) { return time_of(0, all, [time](const task& t) { return released_before(t, time); }); });
  if (!busy_for) return {std::nullopt, too_long};
  // The work that has come until then grows where a job of a task may come, and the task's own where a job's release is
  // surely past. In between, who comes later waits less.
  std::vector<uint64_t> arrivals{0};
  const auto add_from = [&](uint64_t at, uint64_t period) {
    for (; at < *busy_for; at += period) {
      if (arrivals.size() == most_steps) return false;
      arrivals.push_back(at);
    }
    return true;
  };
  const task& own = tasks[of];
  std::vector<const task*> others;
  for (size_t k = 0; k < tasks.size(); ++k) {
    if (k != of) others.push_back(&tasks[k]);
    // From the first release whose jitter does not reach back to 0.
    if (!add_from(tasks[k].period - tasks[k].jitter % tasks[k].period, tasks[k].period))
      return {std::nullopt, too_long};
  }
  if (own.jitter != 0 && !add_from(own.period, own.period)) return {std::nullopt, too_long};
  uint64_t longest = 0;
  for (const uint64_t at : arrivals) {
    const auto of_others = time_of(0, others, [at](const task& t) { return released_until(t, at); });
    if (!of_others) return {std::nullopt, too_long};
    // The last own job until then was released a jitter before it comes. One that comes sooner after its release ends
    // within the busy time, and so waits less than the first job, which may come with all of its jitter.
    const wide end = wide{*of_others} + wide{at / own.period + 1} * own.cost + own.jitter;
    if (end > longest_time) return {std::nullopt, too_long};
    longest = std::max(longest, static_cast<uint64_t>(end) - at);
  }
  return {longest, ""};
}

}  // namespace

response_time response_time_of(const std::vector<task>& tasks, size_t of, task_policy policy) {
  return policy == task_policy::fixed_priority ? by_priority(tasks, of) : by_order(tasks, of);
}

bool are_schedulable(const std::vector<task>& tasks, task_policy policy) {
  for (size_t k = 0; k < tasks.size(); ++k) {
    const response_time r = response_time_of(tasks, k, policy);
    if (!r.bound || *r.bound > tasks[k].deadline) return false;
  }
  return true;
}

uint64_t largest_cost(const std::vector<task>& tasks, size_t of, task_policy policy) {
  std::vector<task> changed = tasks;
  uint64_t good = 0, bad = tasks[of].deadline + 1;  // a job takes its cost at least
  while (bad - good > 1) {
    changed[of].cost = good + (bad - good) / 2;
    (are_schedulable(changed, policy) ? good : bad) = changed[of].cost;
  }
  return good;
}

}  // namespace pws::wcet
