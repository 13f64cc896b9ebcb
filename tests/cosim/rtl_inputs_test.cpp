// SPDX-License-Identifier: Apache-2.0
// What drives the RTL's inputs is in docs/rtl.md, and so is what the unit leaves to the model: a new input, a new place
// that sets one, and an instruction that the RTL does not do fail here until they are.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "models/isa/code/opcode_table.h"
#include "platform/machine/functional_coverage.h"

namespace pws::test::rtl_inputs_test {
namespace {

std::vector<std::string> lines_of(const std::string& file) {
  std::ifstream in(PWS_SOURCE_DIR "/" + file);
  if (!in) throw std::runtime_error("no " + file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// The lines of a chapter of docs/rtl.md.
std::vector<std::string> chapter(const std::string& title) {
  std::vector<std::string> lines;
  bool inside = false;
  for (const std::string& line : lines_of("docs/rtl.md")) {
    if (line.rfind("## ", 0) == 0) inside = line == "## " + title;
    if (inside) lines.push_back(line);
  }
  return lines;
}

// Names in backticks.
std::set<std::string> quoted(const std::string& text) {
  std::set<std::string> names;
  const std::regex name("`([^`]+)`");
  for (auto m = std::sregex_iterator(text.begin(), text.end(), name); m != std::sregex_iterator(); ++m)
    names.insert((*m)[1]);
  return names;
}

TEST(rtl_inputs, each_input_has_a_row) {
  std::set<std::string> documented;
  for (const std::string& line : chapter("What drives each input"))
    if (line.rfind("| `", 0) == 0) documented.merge(quoted(line.substr(0, line.find(" | ", 2))));
  std::set<std::string> inputs;
  const std::regex port("^ *input +.* (\\w+_n?i),?(?: *//.*)?$");
  for (const char* file : {"rtl/spsimd_ports.svh", "rtl/spsimd.sv", "rtl/spsimd_core.sv"})
    for (const std::string& line : lines_of(file))
      if (std::smatch m; std::regex_match(line, m, port)) inputs.insert(m[1]);
  EXPECT_GE(inputs.size(), 35u);
  EXPECT_EQ(inputs, documented);
}

// Each call that sets inputs is in a row with "`call` in `function`, `function`".
TEST(rtl_inputs, each_place_that_sets_one_has_a_row) {
  std::set<std::string> documented;
  const std::regex places("`(\\w+)` in ((?:`\\w+`(?:, )?)+)");
  for (const std::string& line : chapter("What drives each input"))
    for (auto m = std::sregex_iterator(line.begin(), line.end(), places); m != std::sregex_iterator(); ++m)
      for (const std::string& function : quoted((*m)[2])) documented.insert((*m)[1].str() + " in " + function);
  std::set<std::string> used;
  const std::regex definition("^[\\w:<>&* ]*rtl_executor::(\\w+)\\(.*"),
      call("rtl_->(issue_scalar|issue_vector|load|load_status|begin|take_over|receive|give|join|drop|leave)\\(");
  const std::string folder = "platform/machine";
  size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(PWS_SOURCE_DIR "/" + folder)) {
    const std::string file = entry.path().filename().string();
    if (file.rfind("rtl_executor", 0) != 0 || entry.path().extension() != ".cpp") continue;
    ++files;
    std::string function;
    for (const std::string& line : lines_of(folder + "/" + file)) {
      std::smatch m;
      if (std::regex_match(line, m, definition)) function = m[1];
      if (std::regex_search(line, m, call)) used.insert(m[1].str() + " in " + function);
    }
  }
  EXPECT_GE(files, 4u);
  EXPECT_EQ(used, documented);
}

// Rows that the RTL does in no encoding, as it answers itself.
TEST(rtl_inputs, what_is_left_to_the_model_is_listed) {
  const platform::cosim::functional_coverage c;
  std::set<std::string> done, all;
  for (const platform::cosim::cover_point& p : c.points()) {
    if (p.name != "scalar instruction" && p.name != "vector instruction") continue;
    for (const platform::cosim::cover_bin& b : p.bins) {
      const std::string row = b.name.substr(0, b.name.find(','));
      all.insert(row);
      if (b.wanted) done.insert(row);
    }
  }
  std::set<std::string> left;
  for (const std::string& row : all)
    if (done.count(row) == 0) left.insert(row);
  std::set<std::string> documented;
  for (const std::string& line : chapter("Instructions that the model executes"))
    if (line.rfind("- rows: ", 0) == 0 || line.rfind("  ", 0) == 0) documented.merge(quoted(line));
  EXPECT_EQ(left, documented);
}

}  // namespace
}  // namespace pws::test::rtl_inputs_test
