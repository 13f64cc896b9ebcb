// SPDX-License-Identifier: Apache-2.0
// pwscc --split=auto for the machine that its command line names: what it splits, and what it says of what it does not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "sw/pwscc/command_line.h"
#include "sw/pwscc/device_compiler.h"

namespace pws::pwscc::auto_reasons_test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

device_result compiled(const std::string& kernel, std::vector<std::string> options) {
  const std::string source = PWS_SOURCE_DIR "/sw/kernels/" + kernel;
  options.insert(options.end(), {"--split=auto", source});
  return compile_device(source, {{"-std=c++17", "-O3"}, parse_command_line(options).pass});
}

std::vector<std::string> reasons(const device_result& r) {
  std::vector<std::string> out;
  for (const branch_report& b : r.report.branches) out.push_back(b.split ? "split" : b.reason);
  return out;
}

TEST(auto_reasons, arithmetic_on_both_sides_is_split) {
  for (const char* kernel : {"fully_divergent.hip", "synthetic.hip"})
    for (const char* s : {"1", "3", "7"})
      EXPECT_THAT(reasons(compiled(kernel, {"-S", s})), Contains("split")) << kernel << ", S = " << s;
}

// Parts share the slots, so that memory speaks against no split.
TEST(auto_reasons, memory_on_both_sides_is_split) {
  EXPECT_THAT(reasons(compiled("programs/bfs.hip", {})), Contains("split"));
}

TEST(auto_reasons, sides_that_are_too_short_are_not) {
  EXPECT_THAT(reasons(compiled("vector_add.hip", {})),
              Contains(HasSubstr("split and merge cost more than the shorter side takes for sure: ")));
}

// With nothing split the code is that of --split=none.
TEST(auto_reasons, nothing_split_is_clangs_own_code) {
  const std::string source = PWS_SOURCE_DIR "/sw/kernels/vector_add.hip";
  device_options none;
  none.flags = {"-std=c++17", "-O3"};
  none.pass.choice = split_choice::none;
  EXPECT_EQ(compiled("vector_add.hip", {}).after, compile_device(source, none).after);
}

}  // namespace
}  // namespace pws::pwscc::auto_reasons_test
