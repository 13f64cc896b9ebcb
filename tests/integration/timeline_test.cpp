// SPDX-License-Identifier: Apache-2.0
// The timeline of a run: Chrome trace JSON whose slices account for every instruction of the traced compute units.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/output/trace_time.h"
#include "tests/integration/machines.h"

namespace pws::test::timeline_test {
namespace {

using nlohmann::json;
using row_key = std::pair<int, int>;  // pid (CU), tid (context)

struct slice {
  std::string name;
  uint64_t begin = 0, end = 0, instructions = 0;  // ps
  json args;
};

struct loaded_timeline {
  std::set<int> processes;
  std::map<row_key, std::string> rows;
  std::map<row_key, std::vector<slice>> slices;
  uint64_t instructions = 0;
  size_t count = 0;
};

// Picoseconds in a number of microseconds.
uint64_t picoseconds(const json& us) {
  return static_cast<uint64_t>(std::llround(us.get<double>() * 1e6));
}

loaded_timeline load(const std::string& text) {
  loaded_timeline t;
  const json file = json::parse(text);
  const uint64_t mhz = file.at("otherData").at("clock_mhz");
  for (const json& e : file.at("traceEvents")) {
    const std::string ph = e.at("ph");
    const int pid = e.at("pid");
    if (ph == "M" && e.at("name") == "process_name") {
      EXPECT_EQ(e.at("args").at("name"), "cu" + std::to_string(pid));
      EXPECT_TRUE(t.processes.insert(pid).second);
    } else if (ph == "M" && e.at("name") == "thread_sort_index") {
      EXPECT_TRUE(e.at("args").at("sort_index").is_number_unsigned());
    } else if (ph == "M") {
      EXPECT_EQ(e.at("name"), "thread_name");
      EXPECT_TRUE(t.rows.emplace(row_key{pid, e.at("tid")}, e.at("args").at("name")).second);
    } else {
      EXPECT_EQ(ph, "X");
      slice s{e.at("name"), picoseconds(e.at("ts")), 0, e.at("args").at("instructions"), e.at("args")};
      s.end = s.begin + picoseconds(e.at("dur"));
      const uint64_t cycle = s.args.at("cycle"), cycles = s.args.at("cycles");
      EXPECT_EQ(s.begin, cycle * 1'000'000 / mhz);
      EXPECT_EQ(s.end, (cycle + cycles) * 1'000'000 / mhz);
      t.instructions += s.instructions;
      ++t.count;
      t.slices[{pid, e.at("tid")}].push_back(std::move(s));
    }
  }
  return t;
}

struct timed_run {
  child_report report;
  loaded_timeline timeline;
};

timed_run run(const reference::kernel_case& c, const models::machine_config& m) {
  const temporary_file file(".trace.json");
  platform::session_options outputs;
  outputs.files.of("timeline") = file.path();
  timed_run r;
  r.report = run_in_child(launch_of(c, m), outputs);
  r.timeline = load(file.contents());
  return r;
}

void expect_rows_in_order(const loaded_timeline& t) {
  for (const auto& [row, slices] : t.slices) {
    SCOPED_TRACE("row " + std::to_string(row.first) + "." + std::to_string(row.second));
    EXPECT_EQ(t.processes.count(row.first), 1u);
    EXPECT_EQ(t.rows.count(row), 1u);
    uint64_t free = 0;
    for (const slice& s : slices) {
      EXPECT_LE(free, s.begin) << s.name << " overlaps the slice before";
      EXPECT_LT(s.begin, s.end) << s.name;
      EXPECT_GT(s.instructions, 0u) << s.name;
      free = s.end;
    }
  }
}

class timeline : public testing::TestWithParam<std::string> {};

TEST_P(timeline, accounts_for_every_instruction) {
  const std::vector<reference::kernel_case> cases = small_cases(GetParam());
  for (const reference::kernel_case* c : {&cases.front(), &cases[cases.size() / 2], &cases.back()}) {
    SCOPED_TRACE(c->name);
    models::machine_config m;
    m.trace.cus = {0, 1, 2, 3};
    const timed_run r = run(*c, m);
    ASSERT_TRUE(r.report.completed) << r.report.error;
    expect_rows_in_order(r.timeline);
    EXPECT_EQ(r.timeline.instructions, r.report.cu.total_instructions());
    EXPECT_EQ(r.timeline.processes, (std::set<int>{0, 1, 2, 3}));
    EXPECT_EQ(r.timeline.rows.size(), size_t{m.n_cu} * m.n_simd * m.n_wfc);
  }
}

INSTANTIATE_TEST_SUITE_P(kernels, timeline, testing::ValuesIn(kernel_names()), [](const auto& p) { return p.param; });

TEST(timeline_files, only_the_traced_compute_units) {
  reference::kernel_case c = small_cases("saxpy").front();
  for (const reference::kernel_case& k : small_cases("saxpy"))
    if (k.name == "saxpy_4097") c = k;
  models::machine_config all, some;
  all.trace.cus = {0, 1, 2, 3};
  some.trace.cus = {2};
  const timed_run a = run(c, all), b = run(c, some);
  EXPECT_EQ(b.timeline.processes, std::set<int>{2});
  EXPECT_LT(b.timeline.count, a.timeline.count);
  EXPECT_GT(b.timeline.count, 0u);
  EXPECT_EQ(a.report.cycles, b.report.cycles);
  // The same slices as in the complete file.
  for (const auto& [row, slices] : b.timeline.slices) {
    const auto& full = a.timeline.slices.at(row);
    ASSERT_EQ(slices.size(), full.size());
    for (size_t k = 0; k < slices.size(); ++k) {
      EXPECT_EQ(slices[k].begin, full[k].begin);
      EXPECT_EQ(slices[k].end, full[k].end);
      EXPECT_EQ(slices[k].args, full[k].args);
    }
  }
}

// The same cycles at another clock are another time; slices that follow each other still do, digit for digit.
TEST(timeline_files, times_are_microseconds_of_the_clock) {
  const reference::kernel_case c = small_cases("saxpy").front();
  models::machine_config slow, fast;
  slow.clock_mhz = 1000;
  fast.clock_mhz = 1500;
  const timed_run a = run(c, slow), b = run(c, fast);
  ASSERT_EQ(a.timeline.slices.size(), b.timeline.slices.size());
  size_t follow = 0;
  for (const auto& [row, slices] : a.timeline.slices) {
    const auto& others = b.timeline.slices.at(row);
    for (size_t k = 1; k < slices.size() && k < others.size(); ++k) {
      EXPECT_EQ(slices[k].begin == slices[k - 1].end, others[k].begin == others[k - 1].end) << slices[k].name;
      follow += others[k].begin == others[k - 1].end;
    }
  }
  EXPECT_GT(follow, 0u);
  const slice& last = a.timeline.slices.rbegin()->second.back();
  EXPECT_LE(last.end, a.report.cycles * 1000);
  EXPECT_GT(last.end, a.report.cycles * 1000 / 2);
}

TEST(trace_time, has_the_digits_of_a_picosecond_and_adds_up) {
  using pws::trace_duration;
  using pws::trace_time;
  EXPECT_EQ(trace_time(0, 1000), "0");
  EXPECT_EQ(trace_time(1065, 1000), "1.065");
  EXPECT_EQ(trace_time(2000, 1000), "2");
  EXPECT_EQ(trace_time(1, 1500), "0.000666");
  EXPECT_EQ(trace_time(1500, 1500), "1");
  EXPECT_EQ(trace_duration(1, 2, 1500), "0.000667");
  EXPECT_EQ(trace_duration(2, 3, 1500), "0.000667");
  EXPECT_EQ(trace_duration(2999, 3001, 1500), "0.001333");
  EXPECT_EQ(trace_duration(7, 7, 1500), "0");
  // Beyond what a double can tell apart.
  EXPECT_EQ(trace_time(9'000'000'000'000'000'001, 1500), "6000000000000000.000666");
  EXPECT_EQ(trace_duration(9'000'000'000'000'000'000, 9'000'000'000'000'000'003, 1500), "0.002");
}

TEST(timeline_files, slices_name_their_source_line) {
  const timed_run r = run(small_cases("saxpy").front(), {});
  size_t named = 0;
  for (const auto& [row, slices] : r.timeline.slices)
    for (const slice& s : slices)
      if (s.args.contains("source")) {
        ++named;
        const std::string source = s.args.at("source");
        EXPECT_NE(source.find("saxpy.hip:"), std::string::npos) << source;
      }
  EXPECT_EQ(named, r.timeline.count);
}

TEST(timeline_files, contexts_have_readable_names) {
  const timed_run r = run(small_cases("saxpy").front(), {});
  EXPECT_EQ(r.timeline.rows.at({0, 0}), "simd0.wf0");
  EXPECT_EQ(r.timeline.rows.at({0, 39}), "simd3.wf9");
  const slice& first = r.timeline.slices.at({0, 0}).front();
  EXPECT_EQ(first.name, "saxpy+0x0");
  EXPECT_EQ(first.args.at("workgroup"), "0,0,0");
}

}  // namespace
}  // namespace pws::test::timeline_test
