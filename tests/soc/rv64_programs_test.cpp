// SPDX-License-Identifier: Apache-2.0
// The hart executes programs that check themselves, with every quantum.
#include <gmock/gmock.h>

#include "tests/soc/soc_bench.h"

namespace pws::test::rv64_programs_test {
namespace {

using ::testing::HasSubstr;

// Runs it with a quantum that lets it run ahead of nothing, of devices, and of the whole program.
void passes_with_every_quantum(const std::string& name, program_options options = {}) {
  for (const unsigned quantum : {0u, 1000u, 100'000u}) {
    options.quantum_ns = quantum;
    const rv64_result r = run_rv64_program(name, options);
    EXPECT_EQ(r.failure, "");
    EXPECT_EQ(r.code, 0u) << name << ", quantum " << quantum << " ns: check " << r.code.value_or(0) << " failed";
  }
}

TEST(rv64_programs, control_and_status_registers) {
  passes_with_every_quantum("csrs");
}

TEST(rv64_programs, traps) {
  passes_with_every_quantum("traps");
}

TEST(rv64_programs, loads_and_stores_over_the_bus) {
  passes_with_every_quantum("accesses");
}

TEST(rv64_programs, memory_whose_pointers_are_taken_back) {
  passes_with_every_quantum("banks");
}

TEST(rv64_programs, interrupts) {
  passes_with_every_quantum("interrupts");
}

// The same bytes are received and sent, whatever the quantum is, and twice the same.
TEST(rv64_programs, the_serial_port_says_the_same_with_every_quantum) {
  program_options o;
  o.input = "round and round\n.";
  for (const unsigned quantum : {0u, 1000u, 100'000u}) {
    o.quantum_ns = quantum;
    const rv64_result first = run_rv64_program("echo", o);
    EXPECT_EQ(first.sent, o.input) << quantum;
    EXPECT_EQ(first.code, 0u) << quantum;
    EXPECT_EQ(run_rv64_program("echo", o).text, first.text) << quantum;
  }
}

TEST(rv64_programs, end_with_a_code) {
  EXPECT_EQ(run_rv64_program("fails").code, 42u);
}

TEST(rv64_programs, a_program_that_never_ends_is_stopped_where_it_is) {
  const rv64_result r = run_rv64_program("hang", {1000, 3, "", 12'345});
  EXPECT_EQ(r.code, std::nullopt);
  EXPECT_EQ(r.retired, 12'345u);
  EXPECT_THAT(r.failure, HasSubstr("12345 instructions were executed"));
  EXPECT_THAT(r.failure, HasSubstr("(forever)"));
}

TEST(rv64_programs, a_trap_handler_that_is_nowhere) {
  const rv64_result r = run_rv64_program("lost");
  EXPECT_EQ(r.code, std::nullopt);
  EXPECT_EQ(r.failure,
            "instruction access fault at the trap handler's first instruction, 0x0; it was called for instruction "
            "access fault at 0x40000000, mtval 0x40000000");
}

// Without an event that could come the simulation ends by itself.
TEST(rv64_programs, waits_for_what_never_comes_without_work) {
  const rv64_result r = run_rv64_program("sleeps");
  EXPECT_EQ(r.code, std::nullopt);
  EXPECT_TRUE(r.waits);
  EXPECT_LT(r.ns, 1000u);
}

}  // namespace
}  // namespace pws::test::rv64_programs_test
