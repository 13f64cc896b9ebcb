// SPDX-License-Identifier: Apache-2.0
// An OpenCL C program and a failing one from a run file to the exit code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/integration/child_process.h"
#include "tests/integration/child_run.h"

namespace pws::test::command_line_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

program_result run(const std::string& yaml, const std::string& fidelity) {
  const temporary_file file(".yaml");
  std::ofstream(file.path()) << yaml;
  return run_program({PWS_CLI, "run", file.path(), "--set", "machine.fidelity=" + fidelity});
}
std::string program(const std::string& file, const std::string& kernel) {
  return "machine: " PWS_SOURCE_DIR "/configs/gpu/default.yaml\nprogram: {source: " PWS_SOURCE_DIR
         "/tests/integration/abi/kernels/" +
         file + ", kernel: " + kernel + "}\n";
}

// Pointers to local memory are scalars in the run file: the size of the block.
TEST(command_line, opencl_program) {
  const std::string yaml = program("opencl.cl", "local_arguments") + R"(launch: {grid: [256], workgroup: [64]}
arguments:
  - {name: in, type: u32, count: 256, init: {ramp: {start: 5, step: 0}}}
  - {name: a, type: u32, value: 256}
  - {name: b, type: u32, value: 512}
  - {name: out, type: u64, count: 256}
expect:
  out: {constant: 5242885}
)";
  for (const char* fidelity : {"functional", "timing"}) {
    const program_result r = run(yaml, fidelity);
    EXPECT_EQ(r.exit_code, 0) << r.err;
    EXPECT_THAT(r.out, HasSubstr("\nPASS\n"));
  }
}

TEST(command_line, program_errors_exit_with_1) {
  const std::string yaml = program("faults.hip", "store_16") + R"(launch: {grid: [128], workgroup: [128]}
arguments:
  - {name: data, type: u32, count: 16}
  - {name: at, type: u64, value: 164}
)";
  for (const char* fidelity : {"functional", "timing"}) {
    const program_result r = run(yaml, fidelity);
    EXPECT_EQ(r.exit_code, 1);
    EXPECT_THAT(r.out + r.err, AllOf(HasSubstr("kernel store_16, workgroup (0,0,0), wavefront 1 "), HasSubstr("lane 6"),
                                     HasSubstr("'argument data'"), HasSubstr("100 bytes past its end")));
  }
}

}  // namespace
}  // namespace pws::test::command_line_test
