// SPDX-License-Identifier: Apache-2.0
// What pwsvp reference lists of the reports.
#include "platform/commands/reference/report_fields.h"

#include <gtest/gtest.h>

#include <map>

namespace pws::platform::report_fields_test {
namespace {

// A value has one unit, and the machine one description, whichever report has it; and no path is listed twice.
TEST(report_fields, agree_in_all_reports) {
  std::map<std::string, std::string> units, run, exec;
  for (const auto& kind : enumerators(report_kind{})) {
    std::map<std::string, std::string> paths;
    for (const report_field& f : report_fields(kind.value)) {
      EXPECT_TRUE(paths.emplace(f.path, f.meaning).second) << kind.name << ": " << f.path;
      const std::string name = f.path.substr(f.path.rfind('.') + 1);
      for (const char* one : {"simulated_time", "bandwidth", "clock", "wall_clock", "cycles"})
        if (name == one && f.path.rfind("configuration.", 0) != 0) {
          EXPECT_EQ(units.emplace(name, f.unit).first->second, f.unit) << kind.name << ": " << f.path;
        }
      if (f.path.rfind("machine.", 0) == 0 && kind.value == report_kind::run) run[f.path] = f.meaning;
      if (f.path.rfind("machine.", 0) == 0 && kind.value == report_kind::exec) exec[f.path] = f.meaning;
    }
  }
  EXPECT_EQ(units.size(), 5u);
  EXPECT_EQ(run, exec);
  EXPECT_EQ(run.count("machine.n_cu"), 1u);
}

}  // namespace
}  // namespace pws::platform::report_fields_test
