// SPDX-License-Identifier: Apache-2.0
// The rows of what a machine counts, and what is made of them.
#include "platform/report/machine_counters.h"

#include <gmock/gmock.h>

#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "models/isa/code/opcode_table.h"
#include "platform/commands/reference/report_fields.h"

namespace pws::platform::machine_counters_test {

namespace {

using models::counted_on;
using models::counter_detail;
using models::counter_row;

const std::vector<counter_row>& all_rows() {
  return machine_counters::rows().all();
}

constexpr size_t n_words = sizeof(machine_counters) / sizeof(uint64_t);
static_assert(std::is_trivially_copyable_v<machine_counters> && sizeof(machine_counters) % sizeof(uint64_t) == 0);

std::vector<uint64_t> words(const machine_counters& n) {
  std::vector<uint64_t> all(n_words);
  std::memcpy(all.data(), &n, sizeof n);
  return all;
}

// Each count is `first`, or that much more than the one before it.
machine_counters counted(uint64_t first, uint64_t step) {
  std::vector<uint64_t> all(n_words);
  for (size_t k = 0; k < n_words; ++k) all[k] = first + k * step;
  machine_counters n;
  std::memcpy(static_cast<void*>(&n), all.data(), sizeof n);
  return n;
}

TEST(machine_counters, are_all_in_one_row_each) {
  std::vector<int> rows(n_words);
  for (const counter_row& r : all_rows()) {
    if (r.made) continue;
    ASSERT_EQ(r.offset % sizeof(uint64_t), 0u) << r.name;
    ++rows.at(r.offset / sizeof(uint64_t));
  }
  EXPECT_THAT(rows, testing::Each(1)) << "a member of a struct of counts that no row has, or two have";
}

TEST(machine_counters, are_added_and_subtracted) {
  const machine_counters one = counted(5, 3), other = counted(1000, 1);
  machine_counters sum = one;
  sum += other;
  const machine_counters difference = sum - one;
  const std::vector<uint64_t> a = words(one), b = words(other), s = words(sum), d = words(difference);
  size_t most = 0;
  for (const counter_row& r : all_rows()) {
    if (r.made) continue;
    const size_t k = r.offset / sizeof(uint64_t);
    const bool sums = r.how == models::combined::sum;
    most += !sums;
    EXPECT_EQ(s[k], sums ? a[k] + b[k] : std::max(a[k], b[k])) << r.name;
    EXPECT_EQ(d[k], sums ? b[k] : s[k]) << r.name;
  }
  EXPECT_EQ(
      most,
      9u);  // three structures of formed warps, stack, warp-splits, two of paths in turn and of time-divided memory
}

// "formation" and "formation.storage" of "formation.storage.total".
std::set<std::string> groups_of(const std::string& name) {
  std::set<std::string> all;
  for (size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1))
    all.insert(name.substr(0, dot));
  return all;
}

TEST(machine_counters, have_a_name_each_and_stand_in_groups) {
  std::set<std::string> names, open, closed;
  for (const counter_row& r : all_rows()) {
    if (r.name.empty()) continue;
    EXPECT_TRUE(names.insert(r.name).second) << r.name;
    EXPECT_FALSE(r.unit.empty() || r.meaning.empty()) << r.name;
    const std::set<std::string> groups = groups_of(r.name);
    for (const std::string& group : open)
      if (groups.count(group) == 0) closed.insert(group);
    for (const std::string& group : groups)
      EXPECT_EQ(closed.count(group), 0u) << r.name << ": its group was left before";
    open = groups;
  }
}

TEST(machine_counters, are_the_same_in_all_reports) {
  const auto below = [](report_kind kind, const std::string& prefix) {
    std::map<std::string, std::pair<std::string, std::string>> all;
    for (const report_field& f : report_fields(kind))
      if (f.path.rfind(prefix, 0) == 0) all[f.path.substr(prefix.size())] = {f.unit, f.meaning};
    return all;
  };
  const auto totals = below(report_kind::run, "totals."), of_programs = below(report_kind::exec, "totals."),
             launch = below(report_kind::run, "per_launch.*.counters.");
  EXPECT_GT(launch.size(), 20u);
  for (const auto& [name, about] : totals) {
    const bool of_one_unit = name.rfind("spsimd.", 0) == 0;  // which the report of a run alone has
    EXPECT_EQ(of_programs.count(name), of_one_unit ? 0u : 1u) << name;
    if (!of_one_unit) {
      EXPECT_EQ(of_programs.at(name), about) << name;
    }
  }
  for (const auto& [name, about] : launch) EXPECT_EQ(totals.at(name), about) << name;
  EXPECT_EQ(launch, below(report_kind::exec, "per_launch.*.counters."));
  // Nothing else is called like a counter.
  for (const report_kind kind : {report_kind::run, report_kind::exec})
    for (const report_field& f : report_fields(kind)) EXPECT_EQ(totals.count(f.path), 0u) << f.path;
}

TEST(machine_counters, are_what_the_reference_says_in_every_machine) {
  std::map<std::string, std::string> units;
  for (const report_field& f : report_fields(report_kind::exec))
    if (f.path.rfind("totals.", 0) == 0) units[f.path.substr(7)] = " | " + f.unit + " | ";
  for (const auto& scheme : models::divergence_schemes)
    for (const models::fidelity f : {models::fidelity::functional, models::fidelity::timing}) {
      models::machine_config m;
      m.divergence = scheme.kind;
      size_t n = 0;
      each_counter(counted(1, 1), counted_by(m, f, 100), counter_detail::totals,
                   [&](const counter_row& r, const models::counter_value&) {
                     const std::string& name = r.pattern.empty() ? r.name : r.pattern;
                     EXPECT_NE(units[name].find(" | " + unit_of(r, counted_by(m, f, 100)) + " | "), std::string::npos)
                         << name;
                     ++n;
                   });
      EXPECT_GT(n, f == models::fidelity::timing ? 60u : 20u) << scheme.name;
    }
}

TEST(machine_counters, share_of_lanes_is_that_of_a_warp_where_warps_issue) {
  machine_counters n;
  n.cu.instructions[static_cast<size_t>(isa::unit::valu)] = 10;
  n.cu.valu_lanes = 160;
  models::machine_config m;
  const auto utilisation = [&] {
    return filled("{simd_lane_utilisation:.1f}", n, counted_by(m, models::fidelity::timing, 100));
  };
  EXPECT_EQ(utilisation(), "25.0");
  m.divergence = models::divergence_kind::dwf;
  m.dwf.warp_size = 16;
  EXPECT_EQ(utilisation(), "100.0");
}

TEST(machine_counters, fill_texts) {
  machine_counters n;
  n.dram.reads = 7;
  n.formation.work_items = 5;
  models::machine_config m;
  m.divergence = models::divergence_kind::dwf;
  m.dwf.warp_size = 16;
  m.n_cu = m.n_simd = 1;
  const counted_on on = counted_by(m, models::fidelity::timing, 10);
  EXPECT_EQ(filled("no value", n, on), "no value");
  EXPECT_EQ(filled("{dram.reads} lines, {formation.of_peak:.2%} of {formation.ipc:.1f}", n, on),
            "7 lines, 3.12 % of 0.5");
  EXPECT_THROW(filled("{dram.raeds}", n, on), std::logic_error);
}

}  // namespace

}  // namespace pws::platform::machine_counters_test
