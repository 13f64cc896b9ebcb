// SPDX-License-Identifier: Apache-2.0
// What outputs and keys need of a run, and that all else is refused by name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/config/outputs.h"

namespace pws::platform::watchers_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> why(const watcher& w, const run_conditions& c) {
  std::vector<std::string> all;
  for (const unmet_need& n : unmet_needs(w, c)) all.push_back(n.why);
  return all;
}

const watcher& of(std::string_view output) {
  for (const output_kind& k : output_kinds())
    if (k.name == output) return k.made_by;
  throw std::logic_error("no such output");
}

TEST(needs, nothing_is_refused_where_all_is_met) {
  models::machine_config m;
  m.cosim.mode = models::cosim_mode::lockstep;
  for (const output_kind& k : output_kinds()) EXPECT_THAT(why(k.made_by, {m}), IsEmpty()) << k.name;
  for (const machine_watcher& w : machine_watchers()) EXPECT_THAT(why(w.watches, {m}), IsEmpty()) << w.keys.front();
}

TEST(needs, what_shows_time_needs_it) {
  const models::machine_config m;
  run_conditions functional{m, false, "set machine.fidelity: timing"};
  for (const char* output : {"vcd", "timeline", "stats"})
    EXPECT_THAT(why(of(output), functional),
                ElementsAre("functional launches have no time to show; set machine.fidelity: timing"));
  for (const char* output : {"profile", "coverage", "report"}) EXPECT_THAT(why(of(output), functional), IsEmpty());
}

TEST(needs, all_but_the_report_is_of_one_device) {
  models::machine_config m;
  m.cosim.mode = models::cosim_mode::lockstep;
  run_conditions c{m};
  c.devices = 2;
  for (const output_kind& k : output_kinds())
    if (k.name == std::string_view("report"))
      EXPECT_THAT(why(k.made_by, c), IsEmpty());
    else
      EXPECT_THAT(why(k.made_by, c), ElementsAre(HasSubstr("exec.devices is 2: " + std::string(k.made_by.what))));
  for (const machine_watcher& w : machine_watchers())
    EXPECT_THAT(why(w.watches, c), ElementsAre(HasSubstr("is of one machine; 1 is needed")));
}

TEST(needs, what_follows_a_launch_needs_one_queue) {
  models::machine_config m;
  m.hardware_queues = 3;
  for (const char* output : {"stats", "profile", "coverage"})
    EXPECT_THAT(why(of(output), {m}), ElementsAre(HasSubstr("machine.hardware_queues is 3")));
  EXPECT_THAT(why(bound_watcher, {m}), ElementsAre(HasSubstr("a bound follows one launch at a time")));
  for (const char* output : {"vcd", "timeline"}) EXPECT_THAT(why(of(output), {m}), IsEmpty());
}

TEST(needs, a_need_that_is_not_met_names_its_key) {
  models::machine_config m;
  m.memory.faults = models::memory_faults::off;
  EXPECT_THAT(why(bound_watcher, {m}), ElementsAre(HasSubstr("set machine.memory.faults: allocation")));
  EXPECT_THAT(why(of("rtl_vcd"), {m}), ElementsAre(HasSubstr("set machine.cosim.mode")));
}

TEST(outputs, is_a_table_that_knows_its_names) {
  outputs some, others;
  EXPECT_EQ(some.of("rtl_vcd"), "");
  EXPECT_EQ(option_of("rtl_vcd"), "--rtl-vcd");
  EXPECT_THROW(some.of("vdc"), std::logic_error);
  some.of("vcd") = "a.vcd";
  some.of("stats") = "a.csv";
  others.of("vcd") = "b.vcd";
  others.of("report");
  some.take(others);
  EXPECT_EQ(some.of("vcd"), "b.vcd");
  EXPECT_EQ(some.of("stats"), "a.csv");
  EXPECT_TRUE(some.any_needs(need::time, {}));
  EXPECT_FALSE(some.any_needs(need::rtl, {}));
}

}  // namespace
}  // namespace pws::platform::watchers_test
