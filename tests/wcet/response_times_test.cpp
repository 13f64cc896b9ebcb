// SPDX-License-Identifier: Apache-2.0
// Response times of tasks: the bounds against a simulation of jobs by any phases, and by hand.
#include "sw/wcet/tasks/response_times.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace pws::test::response_times_test {
namespace {

using wcet::task;
using wcet::task_policy;

constexpr task_policy both_policies[] = {task_policy::fixed_priority, task_policy::in_order};

task made(uint64_t cost, uint64_t period, uint64_t deadline, uint32_t priority = 0, uint64_t jitter = 0) {
  return {cost, period, deadline, jitter, priority};
}
std::vector<uint64_t> bounds(const std::vector<task>& tasks, task_policy policy) {
  std::vector<uint64_t> out;
  for (size_t k = 0; k < tasks.size(); ++k) out.push_back(response_time_of(tasks, k, policy).bound.value_or(0));
  return out;
}

TEST(response_times, one_task) {
  for (const task_policy p : both_policies) {
    EXPECT_EQ(bounds({made(7, 10, 10)}, p), std::vector<uint64_t>{7});
    EXPECT_EQ(bounds({made(10, 10, 10)}, p), std::vector<uint64_t>{10});  // all the time there is
    EXPECT_EQ(bounds({made(11, 10, 10)}, p), std::vector<uint64_t>{0});
    EXPECT_EQ(bounds({made(7, 10, 10, 0, 2)}, p), std::vector<uint64_t>{9});
    // Two that come nearly together, as the first was late: 14 after the second one's release but for 3.
    EXPECT_EQ(bounds({made(7, 10, 10, 0, 7)}, p), std::vector<uint64_t>{14});
  }
}

// The paper's counterexample to the test that it revises: the second job of C is later than the first one.
TEST(response_times, a_later_job_is_the_worst) {
  // Times in tenths of a message: A 2.5, B 3.5, C 3.5.
  const std::vector<task> can{made(10, 25, 25, 3), made(10, 35, 32, 2), made(10, 35, 35, 1)};
  EXPECT_EQ(bounds(can, task_policy::fixed_priority), (std::vector<uint64_t>{20, 30, 35}));
  EXPECT_TRUE(are_schedulable(can, task_policy::fixed_priority));
  EXPECT_EQ(largest_cost(can, 2, task_policy::fixed_priority), 10u);
}

TEST(response_times, by_priority_and_in_order) {
  const std::vector<task> tasks{made(2, 20, 12, 3), made(5, 40, 40, 2), made(9, 60, 60, 1)};
  EXPECT_EQ(bounds(tasks, task_policy::fixed_priority), (std::vector<uint64_t>{11, 16, 16}));
  EXPECT_EQ(bounds(tasks, task_policy::in_order), (std::vector<uint64_t>{16, 16, 16}));
  EXPECT_TRUE(are_schedulable(tasks, task_policy::fixed_priority));
  EXPECT_FALSE(are_schedulable(tasks, task_policy::in_order));
  // At the edge, and one beyond it: the third one blocks the first.
  EXPECT_EQ(largest_cost(tasks, 2, task_policy::fixed_priority), 10u);
  std::vector<task> longer = tasks;
  longer[2].cost = 10;
  EXPECT_TRUE(are_schedulable(longer, task_policy::fixed_priority));
  longer[2].cost = 11;
  EXPECT_FALSE(are_schedulable(longer, task_policy::fixed_priority));
}

TEST(response_times, no_bound) {
  const auto why = [](const std::vector<task>& t, task_policy p) { return response_time_of(t, t.size() - 1, p).why; };
  const std::vector<task> over{made(6, 10, 10, 2), made(5, 10, 10, 1)};
  for (const task_policy p : both_policies) EXPECT_NE(why(over, p).find("as much time as there is"), std::string::npos);
  // The first one alone has enough.
  EXPECT_EQ(response_time_of(over, 0, task_policy::fixed_priority).bound, 11u);
  // All of the time: in order nobody waits longer and longer, but one that is blocked does.
  const std::vector<task> full{made(5, 10, 10, 2), made(3, 6, 10, 1)};
  EXPECT_EQ(bounds(full, task_policy::in_order), (std::vector<uint64_t>{8, 8}));
  const std::vector<task> blocked{made(1, 1000, 1000, 1), made(5, 10, 10, 2), made(3, 6, 10, 2)};
  EXPECT_EQ(response_time_of(blocked, 1, task_policy::fixed_priority).bound, std::nullopt);
  EXPECT_NE(response_time_of(blocked, 1, task_policy::fixed_priority).why.find("as much time"), std::string::npos);
  // A busy time of 2^40 cycles and more.
  const uint64_t large = uint64_t{1} << 40;
  const std::vector<task> lengthy{made(large - 1, large, large, 2), made(1, large + 1, large, 1), made(1, 3, 3, 3)};
  EXPECT_EQ(response_time_of(lengthy, 1, task_policy::fixed_priority).bound, std::nullopt);
  EXPECT_EQ(bounds({made(1, large, large), made(large / 2, large, large)}, task_policy::in_order),
            (std::vector<uint64_t>{large / 2 + 1, large / 2 + 1}));
  EXPECT_EQ(largest_cost(over, 1, task_policy::fixed_priority), 4u);
  EXPECT_EQ(largest_cost({made(9, 10, 5), made(1, 10, 10)}, 1, task_policy::in_order), 0u);
}

// ---- Jobs simulated

struct job {
  size_t of = 0;
  uint64_t release = 0, arrival = 0;
};

// The longest response of each task. In one cycle the simulation lets releases and decisions go in a random order, as
// the bounds allow it.
std::vector<uint64_t> simulated(const std::vector<task>& tasks, const std::vector<uint64_t>& phases, task_policy policy,
                                uint64_t until, std::mt19937& random, bool varies) {
  const auto below = [&](uint64_t n) { return std::uniform_int_distribution<uint64_t>(0, n - 1)(random); };
  std::vector<job> coming;
  for (size_t k = 0; k < tasks.size(); ++k)
    for (uint64_t at = phases[k]; at < until; at += tasks[k].period + (varies && below(4) == 0 ? below(5) : 0))
      coming.push_back({k, at, at + (varies && tasks[k].jitter != 0 ? below(tasks[k].jitter + 1) : 0)});
  for (size_t k = 0; k < tasks.size(); ++k) {
    // In the order of their releases; or the first one as late as it can be, and those behind it as soon as it is
    // there.
    uint64_t last = varies ? 0 : phases[k] + tasks[k].jitter;
    for (job& j : coming)
      if (j.of == k) last = j.arrival = std::max(j.arrival, last);
  }
  std::shuffle(coming.begin(), coming.end(), random);
  std::stable_sort(coming.begin(), coming.end(), [](const job& a, const job& b) { return a.arrival < b.arrival; });
  for (size_t k = 0; k < tasks.size(); ++k) {  // a task's own jobs keep their order
    std::vector<job> own;
    for (const job& j : coming)
      if (j.of == k) own.push_back(j);
    std::sort(own.begin(), own.end(), [](const job& a, const job& b) { return a.release < b.release; });
    size_t n = 0;
    for (job& j : coming)
      if (j.of == k) j = own[n++];
  }
  std::vector<uint64_t> longest(tasks.size(), 0);
  std::vector<job> waiting;
  uint64_t now = 0;
  size_t next = 0;
  while (next < coming.size() || !waiting.empty()) {
    if (waiting.empty()) now = std::max(now, coming[next].arrival);
    while (next < coming.size() && coming[next].arrival < now) waiting.push_back(coming[next++]);
    // Some of those that arrive now are seen in time.
    while (next < coming.size() && coming[next].arrival == now && (waiting.empty() || below(2) == 0))
      waiting.push_back(coming[next++]);
    const auto earlier = [&](const job& a, const job& b) {
      if (a.of == b.of) return a.release < b.release;
      if (policy == task_policy::in_order || tasks[a.of].priority == tasks[b.of].priority) return a.arrival < b.arrival;
      return tasks[a.of].priority > tasks[b.of].priority;
    };
    const auto chosen = std::min_element(waiting.begin(), waiting.end(), earlier);
    now += varies && below(8) == 0 ? 1 + below(tasks[chosen->of].cost) : tasks[chosen->of].cost;
    longest[chosen->of] = std::max(longest[chosen->of], now - chosen->release);
    waiting.erase(chosen);
  }
  return longest;
}

std::string text_of(const std::vector<task>& tasks, task_policy p) {
  std::string text = p == task_policy::in_order ? " in order:" : ":";
  for (const task& t : tasks)
    text += " (cost " + std::to_string(t.cost) + ", period " + std::to_string(t.period) + ", jitter " +
            std::to_string(t.jitter) + ", priority " + std::to_string(t.priority) + ")";
  return text;
}

TEST(response_times, no_simulated_job_takes_longer_and_bounds_are_met) {
  std::mt19937 random(1);
  const auto below = [&](uint64_t n) { return std::uniform_int_distribution<uint64_t>(0, n - 1)(random); };
  size_t met = 0, all = 0;
  for (unsigned n = 0; n < 1500; ++n) {
    std::vector<task> tasks;
    for (uint64_t k = 1 + below(4); k-- > 0;) {
      const uint64_t period = 4 + below(20);
      task& t = tasks.emplace_back();
      t.cost = 1 + below(1 + period / 3);
      t.period = t.deadline = period;
      t.priority = static_cast<uint32_t>(below(3));
      if (below(3) == 0) t.jitter = below(2 * period);
    }
    for (const task_policy p : both_policies) {
      const std::vector<uint64_t> most = bounds(tasks, p);
      std::vector<uint64_t> seen(tasks.size(), 0);
      for (unsigned phase = 0; phase < 40; ++phase) {
        // A third of them from one time on, as it is worst in order; others with a long job just before.
        std::vector<uint64_t> phases(tasks.size(), 0);
        for (size_t k = 0; k < tasks.size(); ++k)
          phases[k] = phase % 3 == 0 ? 30 - std::min<uint64_t>(30, tasks[k].jitter) : below(tasks[k].period);
        const std::vector<uint64_t> now = simulated(tasks, phases, p, 400, random, phase % 2 == 1);
        for (size_t k = 0; k < tasks.size(); ++k) {
          seen[k] = std::max(seen[k], now[k]);
          if (most[k] == 0) continue;
          ASSERT_LE(now[k], most[k]) << "task " << k << " of set " << n << text_of(tasks, p);
        }
      }
      for (size_t k = 0; k < tasks.size(); ++k) {
        if (most[k] == 0) continue;
        ++all;
        met += seen[k] == most[k] ? 1 : 0;
      }
    }
  }
  // Most of the bounds are reached: they are no longer than they have to be.
  EXPECT_GT(all, 5000u);
  EXPECT_GT(met * 10, all * 7) << met << " of " << all;
}

// A cost more is one too many, with all others as they are.
TEST(response_times, the_largest_cost_is_at_the_edge) {
  std::mt19937 random(2);
  const auto below = [&](uint64_t n) { return std::uniform_int_distribution<uint64_t>(0, n - 1)(random); };
  for (unsigned n = 0; n < 300; ++n) {
    std::vector<task> tasks;
    for (uint64_t k = 2 + below(3); k-- > 0;) {
      const uint64_t period = 20 + below(100);
      tasks.push_back(made(1 + below(period / 4), period, period / 2 + below(period), static_cast<uint32_t>(k)));
    }
    for (const task_policy p : both_policies) {
      const size_t of = below(tasks.size());
      const uint64_t most = largest_cost(tasks, of, p);
      std::vector<task> changed = tasks;
      if (most != 0) {
        changed[of].cost = most;
        EXPECT_TRUE(are_schedulable(changed, p));
      }
      changed[of].cost = most + 1;
      EXPECT_FALSE(are_schedulable(changed, p));
    }
  }
}

}  // namespace
}  // namespace pws::test::response_times_test
