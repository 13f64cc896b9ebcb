// SPDX-License-Identifier: Apache-2.0
// The waveform that goes with a mismatch has both sides' registers, the result that differs, and what the instruction
// has read.
#include "platform/machine/window_recorder.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>

#include "platform/machine/window_recorder.h"
#include "tests/integration/child_run.h"

namespace pws::test::window_recorder_test {
namespace {

// The last change of each signal, such as "model.pc": its time and its digits.
std::map<std::string, std::pair<uint64_t, std::string>> last_changes(const std::string& vcd) {
  std::map<std::string, std::string> names;
  std::map<std::string, std::pair<uint64_t, std::string>> changes;
  std::istringstream in(vcd);
  std::string scope;
  uint64_t time = 0;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string first, second, third, id, name;
    words >> first >> second >> third >> id >> name;
    if (first == "$scope")
      scope = third;
    else if (first == "$var")
      names[id] = scope + "." + name;
    else if (first[0] == '#')
      time = std::stoull(first.substr(1));
    else if (first[0] == 'b')
      changes[names.at(second)] = {time, first.substr(1)};
  }
  return changes;
}

TEST(window_recorder, has_the_instruction_that_differs) {
  platform::cosim::window_recorder window;
  for (models::cycle_t cycle = 200; cycle < 400; ++cycle) {
    platform::cosim::window_sample& s = window.next(cycle);
    s.model[3].pc = s.rtl[3].pc = cycle;
  }
  const temporary_file file(".vcd");
  platform::cosim::window_recorder::instruction i;
  i.at = 390;
  i.signals = {{"instr", "1011"}, {"operand_v7", "0110"}};
  ASSERT_TRUE(window.write(file.path(), 3, 1000, {"v5", "0001", "0011"}, i));
  const auto changes = last_changes(file.contents());
  using change = std::pair<uint64_t, std::string>;
  for (const std::string side : {"model", "rtl"}) {
    EXPECT_EQ(changes.at(side + ".pc"), (change{399'000, "110001111"}));
    EXPECT_EQ(changes.at(side + ".instr"), (change{390'000, "1011"}));
    EXPECT_EQ(changes.at(side + ".operand_v7"), (change{390'000, "0110"}));
  }
  EXPECT_EQ(changes.at("model.result_v5"), (change{399'000, "0001"}));
  EXPECT_EQ(changes.at("rtl.result_v5"), (change{399'000, "0011"}));
}

}  // namespace
}  // namespace pws::test::window_recorder_test
