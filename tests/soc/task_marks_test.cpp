// SPDX-License-Identifier: Apache-2.0
#include "models/soc/task_marks.h"

#include <gmock/gmock.h>

#include <vector>

#include "tests/models/simulation.h"
#include "tests/soc/device_bench.h"

namespace pws::test::task_marks_test {
namespace {

SIMULATION(task_marks, tell_who_listens) {
  bus_master master("master");
  models::task_marks tasks("tasks");
  master.bus.bind(tasks.socket);
  settle();
  EXPECT_EQ(master.write(0, 5, 8), tlm::TLM_OK_RESPONSE) << "nobody listens";
  std::vector<uint64_t> heard;
  tasks.on_mark = [&](uint64_t name) { heard.push_back(name); };
  master.write(0, 0x8000'1000, 8);
  master.write(0, 0, 8);
  EXPECT_EQ(master.write(0, 7, 4), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(master.write(8, 7, 8), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(master.read(0, 8), refused(tlm::TLM_COMMAND_ERROR_RESPONSE));
  EXPECT_THAT(heard, testing::ElementsAre(0x8000'1000, 0));
}

}  // namespace
}  // namespace pws::test::task_marks_test
