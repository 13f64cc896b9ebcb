// SPDX-License-Identifier: Apache-2.0
#include "models/compute_unit/unit_turns.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <functional>

#include "tests/models/memory/memory_bench.h"
#include "tests/models/simulation.h"

namespace pws::test::unit_turns_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Notes when it runs, and does what a test wants then.
struct unit : models::timed_component {
  unit(std::vector<std::string>& l, std::string n) : log(l), name(std::move(n)) {}
  void run(cycle_t now) override {
    log.push_back(fmt::format("{} {}", name, now));
    if (then) then(now);
  }
  std::vector<std::string>& log;
  std::string name;
  std::function<void(cycle_t)> then;
};

struct turns_bench {
  models::gpu_clock clock{1000};
  timetable times{clock};
  models::unit_turns tested{unique("turns"), clock};
  std::vector<std::string> log;
  unit a{log, "a"}, b{log, "b"}, c{log, "c"};
  size_t of_a = tested.add(a), of_b = tested.add(b), of_c = tested.add(c);
};

SIMULATION(unit_turns, those_of_an_instant_by_their_numbers) {
  turns_bench s;
  s.tested.ask(s.of_c, 10);
  s.tested.ask(s.of_b, 12);
  s.tested.ask(s.of_a, 10);
  s.tested.ask(s.of_c, 20);  // it has asked for earlier
  sc_core::sc_start();
  EXPECT_THAT(s.log, ElementsAre("a 10", "c 10", "b 12"));
}

SIMULATION(unit_turns, now_is_in_this_pass_for_those_behind_and_in_the_next_for_others) {
  turns_bench s;
  int left = 2;
  s.b.then = [&](cycle_t now) {
    if (left-- == 0) return;
    for (const size_t one : {s.of_c, s.of_b, s.of_a}) s.tested.ask(one, now);
  };
  s.tested.ask(s.of_b, 0);
  sc_core::sc_start();
  EXPECT_THAT(s.log, ElementsAre("b 0", "c 0", "a 0", "b 0", "c 0", "a 0", "b 0"));
}

SIMULATION(unit_turns, from_outside_while_another_has_asked_for_later) {
  turns_bench s;
  s.tested.ask(s.of_a, 100);
  s.times.at(20, [&s] { s.tested.ask(s.of_b, 20); });
  s.times.at(30, [&s] { s.tested.ask(s.of_b, 50); });
  s.times.at(120, [&s] { s.tested.ask(s.of_c, 90); });  // a cycle that has passed is now
  sc_core::sc_start();
  EXPECT_THAT(s.log, ElementsAre("b 20", "b 50", "a 100", "c 120"));
}

SIMULATION(unit_turns, who_is_forgotten_does_not_run) {
  turns_bench s;
  s.tested.ask(s.of_a, 10);
  s.tested.forget(s.of_a);
  sc_core::sc_start();
  EXPECT_THAT(s.log, IsEmpty());
  s.tested.ask(s.of_a, 30);
  sc_core::sc_start();
  EXPECT_THAT(s.log, ElementsAre("a 30"));
}

}  // namespace
}  // namespace pws::test::unit_turns_test
