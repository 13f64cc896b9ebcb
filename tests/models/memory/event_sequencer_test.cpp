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

struct sequencer_bench {
  models::gpu_clock clock{1000};
  timetable times{clock};
  models::event_sequencer tested{unique("sequencer"), clock};
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

}  // namespace
}  // namespace pws::test::event_sequencer_test
