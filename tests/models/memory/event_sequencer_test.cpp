// SPDX-License-Identifier: Apache-2.0
#include "models/memory/event_sequencer.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <functional>

#include "tests/models/memory/memory_bench.h"
#include "tests/models/simulation.h"

namespace pws::test::event_sequencer_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Notes when it runs, and does what a test wants then.
struct component : models::timed_component {
  component(std::vector<std::string>& l, std::string n) : log(l), name(std::move(n)) {}
  void run(cycle_t now) override {
    log.push_back(fmt::format("{} {}", name, now));
    if (then) then(now);
  }
  std::vector<std::string>& log;
  std::string name;
  std::function<void(cycle_t)> then;
};

using models::event_sequencer;

struct sequencer_bench {
  explicit sequencer_bench(event_sequencer::present_cycle p = event_sequencer::present_cycle::refused)
      : tested(unique("sequencer"), clock, p) {}
  models::gpu_clock clock{1000};
  timetable times{clock};
  event_sequencer tested;
  std::vector<std::string> log;
  component a{log, "a"}, b{log, "b"}, c{log, "c"};
  size_t of_a = tested.add(a), of_b = tested.add(b), of_c = tested.add(c);
};

SIMULATION(event_sequencer, of_one_cycle_in_the_order_of_adding) {
  sequencer_bench s;
  s.tested.arm(s.of_c, 10);
  s.tested.arm(s.of_b, 12);
  s.tested.arm(s.of_a, 10);
  sc_core::sc_start();
  EXPECT_THAT(s.log, ElementsAre("a 10", "c 10", "b 12"));
}

SIMULATION(event_sequencer, the_earlier_of_two_wishes) {
  sequencer_bench s;
  s.tested.arm(s.of_a, 20);
  s.tested.arm(s.of_a, 10);
  s.tested.arm(s.of_b, 30);
  s.tested.arm(s.of_b, 40);
  sc_core::sc_start();
  EXPECT_THAT(s.log, ElementsAre("a 10", "b 30"));
}

SIMULATION(event_sequencer, nobody_runs_unasked) {
  sequencer_bench s;
  sc_core::sc_start();
  EXPECT_THAT(s.log, IsEmpty());
}

SIMULATION(event_sequencer, again_and_for_one_another) {
  sequencer_bench s;
  s.a.then = [&s](cycle_t now) {
    if (now < 12) s.tested.arm(s.of_a, now + 1);
    if (now == 10) s.tested.arm(s.of_b, 15);
  };
  s.b.then = [&s](cycle_t now) {
    if (now == 15) s.tested.arm(s.of_a, 16);
  };
  s.tested.arm(s.of_a, 10);
  sc_core::sc_start();
  EXPECT_THAT(s.log, ElementsAre("a 10", "a 11", "a 12", "b 15", "a 16"));
}

SIMULATION(event_sequencer, from_outside_while_armed_for_later) {
  sequencer_bench s;
  s.tested.arm(s.of_a, 100);
  s.times.at(20, [&s] { s.tested.arm(s.of_b, 30); });
  s.times.at(30, [&s] { s.tested.arm(s.of_b, 50); });
  s.times.at(120, [&s] { s.tested.arm(s.of_c, 130); });  // nobody is armed
  sc_core::sc_start();
  EXPECT_THAT(s.log, ElementsAre("b 30", "b 50", "a 100", "c 130"));
}

SIMULATION(event_sequencer, a_cycle_that_has_passed_is_an_error) {
  sequencer_bench s;
  sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
  s.a.then = [&s](cycle_t now) { s.tested.arm(s.of_a, now); };
  s.tested.arm(s.of_a, 10);
  EXPECT_THROW(sc_core::sc_start(), sc_core::sc_report);
  EXPECT_THAT(s.log, ElementsAre("a 10"));
}

SIMULATION(event_sequencer, now_is_in_this_pass_for_those_behind_and_in_the_next_for_others) {
  sequencer_bench s(event_sequencer::present_cycle::allowed);
  int left = 2;
  s.b.then = [&](cycle_t now) {
    if (left-- == 0) return;
    for (const size_t one : {s.of_c, s.of_b, s.of_a}) s.tested.arm(one, now);
  };
  s.tested.arm(s.of_b, 0);
  sc_core::sc_start();
  EXPECT_THAT(s.log, ElementsAre("b 0", "c 0", "a 0", "b 0", "c 0", "a 0", "b 0"));
}

SIMULATION(event_sequencer, a_cycle_that_has_passed_is_now) {
  sequencer_bench s(event_sequencer::present_cycle::allowed);
  s.tested.arm(s.of_a, 100);
  s.times.at(20, [&s] { s.tested.arm(s.of_b, 20); });
  s.times.at(30, [&s] { s.tested.arm(s.of_b, 50); });
  s.times.at(120, [&s] { s.tested.arm(s.of_c, 90); });
  sc_core::sc_start();
  EXPECT_THAT(s.log, ElementsAre("b 20", "b 50", "a 100", "c 120"));
}

SIMULATION(event_sequencer, who_is_disarmed_does_not_run) {
  sequencer_bench s;
  s.tested.arm(s.of_a, 10);
  s.tested.disarm(s.of_a);
  sc_core::sc_start();
  EXPECT_THAT(s.log, IsEmpty());
  s.tested.arm(s.of_a, 30);
  sc_core::sc_start();
  EXPECT_THAT(s.log, ElementsAre("a 30"));
}

// b is saved while it runs: c has still to run in this pass, a has been armed for the next one.
SIMULATION(event_sequencer, what_was_saved_while_one_ran_goes_on_there) {
  sequencer_bench saved(event_sequencer::present_cycle::allowed), restored(event_sequencer::present_cycle::allowed);
  state_archive a;
  saved.b.then = [&](cycle_t now) {
    if (!a.saved().empty()) return;
    saved.tested.arm(saved.of_a, now);
    saved.tested.keep(a);
    saved.log.clear();
    saved.log.push_back(fmt::format("b {}", now));
  };
  for (const size_t one : {saved.of_a, saved.of_b, saved.of_c}) saved.tested.arm(one, 0);
  saved.tested.arm(saved.of_b, 0);
  sc_core::sc_start();
  EXPECT_THAT(saved.log, ElementsAre("b 0", "c 0", "a 0"));
  state_archive again(a.saved().data(), a.saved().size());
  restored.tested.keep(again);
  again.end();
  sc_core::sc_start();
  EXPECT_THAT(restored.log, ElementsAre("b 0", "c 0", "a 0"));
}

}  // namespace
}  // namespace pws::test::event_sequencer_test
