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
  EXPECT_EQ(master.write(0x18, 7, 8), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(master.read(0, 8), refused(tlm::TLM_COMMAND_ERROR_RESPONSE));
  EXPECT_THAT(heard, testing::ElementsAre(0x8000'1000, 0));
}

SIMULATION(task_marks, deadlines_and_bounds_are_of_a_task) {
  bus_master master("master");
  models::task_marks tasks("tasks");
  master.bus.bind(tasks.socket);
  settle();
  std::vector<uint64_t> deadlines, bounds;
  tasks.on_deadline = [&](uint64_t ns) { deadlines.push_back(ns); };
  tasks.on_bound = [&](uint64_t ns) { bounds.push_back(ns); };
  EXPECT_EQ(master.write(8, 1, 8), tlm::TLM_GENERIC_ERROR_RESPONSE) << "no task has begun";
  master.write(0, 0, 8);
  EXPECT_EQ(master.write(16, 1, 8), tlm::TLM_GENERIC_ERROR_RESPONSE) << "an end alone is no task";
  master.write(0, 0x8000'1000, 8);
  EXPECT_EQ(master.write(8, 500, 8), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(master.write(16, 400, 8), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(master.write(8, 500, 4), tlm::TLM_BURST_ERROR_RESPONSE);
  master.write(0, 0, 8);
  EXPECT_EQ(master.write(8, 1, 8), tlm::TLM_GENERIC_ERROR_RESPONSE) << "it has ended";
  EXPECT_THAT(deadlines, testing::ElementsAre(500));
  EXPECT_THAT(bounds, testing::ElementsAre(400));
}

}  // namespace
}  // namespace pws::test::task_marks_test
