// SPDX-License-Identifier: Apache-2.0
// The same run twice gives the same cycles, statistics and files; and a waveform, which makes the compute units keep
// step with SystemC time instead of running ahead of it, changes no number.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/integration/machines.h"

namespace pws::test::determinism_test {
namespace {

using nlohmann::ordered_json;

// A report without what is allowed to differ.
ordered_json comparable(ordered_json report) {
  report.erase("host");
  return report;
}

// First key whose value differs, both values; "" if there is none.
std::string first_difference(const ordered_json& a, const ordered_json& b, const std::string& path = "") {
  if (a == b) return "";
  if (!a.is_object() || !b.is_object()) return path + ": " + a.dump() + " and " + b.dump();
  for (const auto& [key, value] : a.items()) {
    if (!b.contains(key)) return path + "/" + key + " is missing";
    const std::string found = first_difference(value, b[key], path + "/" + key);
    if (!found.empty()) return found;
  }
  return path + ": more keys";
}

// The text with the line after "$date" taken out.
std::string without_date(const std::string& vcd) {
  const size_t begin = vcd.find("$date");
  const size_t end = vcd.find("$end", begin);
  if (begin == std::string::npos || end == std::string::npos) throw std::runtime_error("a VCD without $date");
  return vcd.substr(0, begin) + vcd.substr(end);
}

struct traced_run {
  child_report report;
  std::string vcd, timeline, json;
};

traced_run run_with_all_traces(const reference::kernel_case& c, const models::machine_config& m) {
  const temporary_file vcd(".vcd"), timeline(".trace.json"), json(".json");
  platform::session_options outputs;
  outputs.files.of("vcd") = vcd.path();
  outputs.files.of("timeline") = timeline.path();
  outputs.files.of("report") = json.path();
  traced_run r;
  r.report = run_in_child(launch_of(c, m), outputs);
  r.vcd = vcd.contents();
  r.timeline = timeline.contents();
  r.json = json.contents();
  return r;
}

class determinism : public testing::TestWithParam<std::string> {};

TEST_P(determinism, same_run_twice) {
  const std::vector<reference::kernel_case> cases = small_cases(GetParam());
  for (const size_t k : {size_t{0}, cases.size() / 2, cases.size() - 1}) {
    const reference::kernel_case& c = cases[k];
    SCOPED_TRACE(c.name);
    const child_report a = run_in_child(launch_of(c)), b = run_in_child(launch_of(c));
    EXPECT_EQ(first_difference(comparable(a.json()), comparable(b.json())), "");
    EXPECT_EQ(a.arguments, b.arguments);
  }
}

TEST_P(determinism, same_files_twice) {
  const reference::kernel_case c = small_cases(GetParam()).back();
  SCOPED_TRACE(c.name);
  const traced_run a = run_with_all_traces(c, {}), b = run_with_all_traces(c, {});
  EXPECT_TRUE(without_date(a.vcd) == without_date(b.vcd));
  EXPECT_TRUE(a.timeline == b.timeline);
  EXPECT_GT(a.timeline.size(), 1000u);
  // The files' reports are those that the runs gave.
  EXPECT_EQ(first_difference(comparable(ordered_json::parse(a.json)), comparable(ordered_json::parse(b.json))), "");
  EXPECT_EQ(first_difference(ordered_json::parse(a.json), a.report.json()), "");
}

void expect_same_with_waveform(const reference::kernel_case& c, const models::machine_config& m) {
  SCOPED_TRACE(c.name);
  const temporary_file vcd(".vcd");
  platform::session_options outputs;
  outputs.files.of("vcd") = vcd.path();
  const child_report ahead = run_in_child(launch_of(c, m)), in_step = run_in_child(launch_of(c, m), outputs);
  EXPECT_EQ(ahead.arguments, in_step.arguments);
  EXPECT_EQ(first_difference(comparable(ahead.json()), comparable(in_step.json())), "");
}

TEST_P(determinism, waveform_changes_nothing) {
  for (const reference::kernel_case& c : some_small_cases(GetParam())) expect_same_with_waveform(c, {});
}

TEST_P(determinism, waveform_changes_nothing_on_other_machines) {
  size_t left = 2;
  for (const reference::kernel_case& c : small_cases(GetParam())) {
    // Middling sizes are where contexts, misses and ports compete, and still quick.
    if (c.grid[0] * c.grid[1] < 256 || c.grid[0] * c.grid[1] > 1024) continue;
    if (left-- == 0) break;
    const std::vector<named_machine> machines = machines_for(c);
    // One half with one size, the other half with the other.
    for (size_t m = every_case_wanted() ? 0 : left; m < machines.size(); m += every_case_wanted() ? 1 : 2) {
      SCOPED_TRACE(machines[m].name);
      expect_same_with_waveform(c, machines[m].config);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(kernels, determinism, testing::ValuesIn(kernel_names()),
                         [](const auto& p) { return p.param; });

}  // namespace
}  // namespace pws::test::determinism_test
