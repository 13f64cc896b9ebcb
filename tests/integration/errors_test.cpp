// SPDX-License-Identifier: Apache-2.0
// Programs that go wrong stop the machine with a message that says where and why; waveform, timeline and report so far
// are there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "tests/integration/child_run.h"
#include "tests/integration/reference/case_builder.h"
#include "tests/integration/vcd_parser.h"

namespace pws::test::errors_test {
namespace {

using models::fidelity;
using models::machine_config;
using reference::kernel_case;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

kernel_case case_of(const std::string& file, const std::string& kernel, uint32_t work_items, uint32_t workgroup,
                    std::vector<kernel_case::arg> args = {}) {
  kernel_case c;
  c.name = c.kernel = kernel;
  c.source = "tests/integration/data/" + file;
  c.grid[0] = work_items;
  c.workgroup[0] = workgroup;
  c.args = std::move(args);
  return c;
}

kernel_case assembly(const std::string& kernel) {
  return case_of("errors.s", kernel, 64, 64);
}

kernel_case store_at(uint64_t at, uint32_t culprit) {
  return case_of("errors.hip", "store_at", 512, 128,
                 {reference::input("data", std::vector<uint32_t>(16)), reference::scalar("at", at),
                  reference::scalar("culprit", culprit)});
}

// Message of a run that must fail.
std::string error_of(const kernel_case& c, const machine_config& m) {
  const child_report r = run_in_child(launch_of(c, m));
  EXPECT_FALSE(r.completed);
  EXPECT_EQ(r.json().at("result").at("pass"), false);
  EXPECT_EQ(r.json().at("result").at("error"), r.error);
  return r.error;
}

// Program errors are the same in both fidelities.
class program_errors : public testing::TestWithParam<fidelity> {
 protected:
  static machine_config machine() {
    machine_config m;
    m.fidelity = GetParam();
    return m;
  }
};

INSTANTIATE_TEST_SUITE_P(in, program_errors, testing::Values(fidelity::timing, fidelity::functional),
                         [](const auto& p) { return p.param == fidelity::timing ? "timing" : "functional"; });

TEST_P(program_errors, store_outside_every_allocation) {
  // Work-item 330 is lane 10 of wavefront 1 of workgroup 2.
  const std::string e = error_of(store_at(1 << 20, 330), machine());
  EXPECT_THAT(e, HasSubstr("kernel store_at, workgroup (2,0,0), wavefront 1 "));
  EXPECT_THAT(e, ContainsRegex("pc 0x[0-9a-f]+ \\(kernel entry \\+ 0x[0-9a-f]+\\): flat_store_dword v\\["));
  // With the source line.
  EXPECT_THAT(e, ContainsRegex("flat_store_dword v\\[[0-9:]+\\], v[0-9]+ \\([^()]*errors.hip:[0-9]+\\), lane 10: "));
  EXPECT_THAT(e, ContainsRegex("0x1[0-9a-f]{8}"));  // the address: device memory begins at 4 GiB
}

// One element past the end, and the last one: the guard is exact to the byte.
TEST_P(program_errors, store_just_outside) {
  EXPECT_THAT(error_of(store_at(16, 0), machine()), AllOf(HasSubstr("lane 0"), HasSubstr("data")));
  EXPECT_THAT(error_of(store_at(~uint64_t{0}, 0), machine()), HasSubstr("lane 0"));
  const child_report fine = run_in_child(launch_of(store_at(15, 0), machine()));
  EXPECT_TRUE(fine.completed) << fine.error;
  EXPECT_EQ(fine.arguments[0][60], 1);
}

TEST_P(program_errors, load_outside_every_allocation) {
  const kernel_case c =
      case_of("errors.hip", "load_at", 64, 64,
              {reference::input("data", std::vector<uint32_t>(16)), reference::scalar<uint64_t>("at", 1 << 22),
               reference::output("out", std::vector<uint32_t>(64), std::vector<uint32_t>(64))});
  EXPECT_THAT(error_of(c, machine()), ContainsRegex("wavefront 0 .*load_dword.*: .*0x1[0-9a-f]{8}"));
}

TEST_P(program_errors, store_to_null) {
  EXPECT_THAT(error_of(assembly("null_store"), machine()),
              AllOf(HasSubstr("flat_store_dword v[1:2], v0"), HasSubstr("lane 7"), HasSubstr("0x1234")));
}

TEST_P(program_errors, misaligned_lds) {
  EXPECT_THAT(error_of(assembly("misaligned_lds"), machine()),
              AllOf(HasSubstr("ds_read_b32 v1, v0"), HasSubstr("lane 1:"), HasSubstr("align")));
}

TEST_P(program_errors, trap) {
  EXPECT_THAT(error_of(assembly("trap"), machine()),
              AllOf(HasSubstr("kernel trap, workgroup (0,0,0), wavefront 0"), HasSubstr("(kernel entry + 0x4)"),
                    ContainsRegex("s_trap 2 \\([^()]*errors.s:[0-9]+\\)"), HasSubstr("trapped")));
}

TEST_P(program_errors, halt) {
  EXPECT_THAT(error_of(assembly("halt"), machine()), AllOf(HasSubstr("s_sethalt 1"), HasSubstr("halted")));
}

TEST_P(program_errors, illegal_instruction) {
  EXPECT_THAT(error_of(assembly("illegal"), machine()),
              AllOf(HasSubstr("kernel illegal, workgroup (0,0,0), wavefront 0"), HasSubstr("(kernel entry + 0x4)"),
                    HasSubstr("illegal instruction"), HasSubstr("bfff0000"), Not(HasSubstr("s_nop"))));
}

TEST_P(program_errors, runs_off_its_code) {
  EXPECT_THAT(error_of(assembly("runs_off_its_code"), machine()),
              AllOf(HasSubstr("(kernel entry + 0x1c008)"), HasSubstr("wavefront 0")));
}

// ---- limits

TEST(limits, max_cycles) {
  machine_config m;
  m.limits.max_cycles = 5000;
  for (const kernel_case& c : {assembly("spin"), case_of("errors.hip", "endless", 128, 128,
                                                         {reference::input("out", std::vector<uint32_t>(128))})})
    EXPECT_THAT(error_of(c, m),
                AllOf(HasSubstr("kernel " + c.kernel), HasSubstr("limits.max_cycles"), HasSubstr("5000 cycles"),
                      HasSubstr("wavefront 0"), HasSubstr("running at pc 0x")));
}

TEST(limits, max_cycles_is_not_in_the_way) {
  const kernel_case c = case_of("errors.hip", "good", 256, 64, {reference::input("out", std::vector<uint32_t>(256))});
  machine_config m;
  const child_report r = run_in_child(launch_of(c, m));
  ASSERT_TRUE(r.completed);
  m.limits.max_cycles = r.cycles + 1000;
  EXPECT_TRUE(run_in_child(launch_of(c, m)).completed);
  for (const uint64_t none_in_reach : {uint64_t{0}, uint64_t{1} << 62, (uint64_t{1} << 62) - 999}) {
    m.limits.max_cycles = none_in_reach;
    EXPECT_TRUE(run_in_child(launch_of(c, m)).completed) << none_in_reach;
  }
  m.limits.max_cycles = r.cycles / 2;
  EXPECT_FALSE(run_in_child(launch_of(c, m)).completed);
}

TEST(limits, max_instructions) {
  machine_config m;
  m.fidelity = fidelity::functional;
  m.limits.max_instructions = 1'000'000;
  EXPECT_THAT(error_of(assembly("spin"), m), AllOf(HasSubstr("kernel spin, workgroup (0,0,0), wavefront 0"),
                                                   HasSubstr("limits.max_instructions"), HasSubstr("1000000")));
}

// Wavefront 1 waits for what wavefront 0 does behind the barrier that both must reach.
TEST(limits, a_wavefront_never_reaches_the_barrier) {
  const kernel_case c =
      case_of("errors.hip", "never_at_the_barrier", 128, 128, {reference::input("out", std::vector<uint32_t>(128))});
  machine_config m;
  m.limits.max_cycles = 20'000;
  EXPECT_THAT(error_of(c, m), AllOf(HasSubstr("limits.max_cycles"), ContainsRegex("wavefront 0 .*waiting at a barrier"),
                                    ContainsRegex("wavefront 1 .*(running|s_waitcnt) at pc")));
  m.fidelity = fidelity::functional;
  m.limits.max_instructions = 1'000'000;
  EXPECT_THAT(error_of(c, m), AllOf(HasSubstr("wavefront 1"), HasSubstr("limits.max_instructions")));
}

// ---- what does not fit

TEST(launch_errors, workgroup_too_large_for_a_compute_unit) {
  const kernel_case c = case_of("errors.hip", "good", 512, 512, {reference::input("out", std::vector<uint32_t>(512))});
  machine_config m;
  m.n_simd = 1;
  m.n_wfc = 7;  // of 8 wavefronts
  EXPECT_THAT(error_of(c, m), AllOf(HasSubstr("kernel good"), HasSubstr("8 wavefronts"), HasSubstr("does not fit"),
                                    HasSubstr("which has n_wfc 7 contexts in each of n_simd 1 SIMD units")));
  m.n_wfc = 8;
  EXPECT_TRUE(run_in_child(launch_of(c, m)).completed);
  m.lds.size_kib = 1;
  kernel_case greedy = c;
  greedy.dynamic_lds = 2048;
  EXPECT_THAT(error_of(greedy, m), AllOf(HasSubstr("2048 bytes of LDS"), HasSubstr("which has lds.size_kib 1")));
  m.vgprs_per_simd = 4;
  m.sgprs_per_simd = 96;
  EXPECT_THAT(error_of(c, m),
              HasSubstr("which has vgprs_per_simd 4 in each of n_simd 1 and sgprs_per_simd 96 in each of n_simd 1"));
}

TEST(launch_errors, wrong_arguments) {
  kernel_case c = case_of("errors.hip", "good", 64, 64);
  const auto message = [&] {
    try {
      run_in_child(launch_of(c));
    } catch (const input_error& e) {
      return std::string(e.what());
    }
    return std::string("no input_error");
  };
  EXPECT_THAT(message(), HasSubstr("kernel good takes 1 arguments, 0 are given"));
  c.args = {reference::scalar<uint32_t>("out", 1)};
  EXPECT_THAT(message(), AllOf(HasSubstr("8 bytes"), HasSubstr("4 are given")));
  c.args = {reference::input("out", std::vector<uint32_t>(64))};
  c.workgroup[0] = 0;
  EXPECT_THAT(message(), HasSubstr("workgroup of 0x1x1"));
  c.workgroup[0] = c.grid[0] = 1025;
  EXPECT_THAT(message(), HasSubstr("1025"));
  c.kernel = "goof";
  EXPECT_THAT(message(), AllOf(HasSubstr("goof"), HasSubstr("good")));
}

// ---- what is left behind

TEST(after_an_error, outputs_are_written_and_parse) {
  const temporary_file vcd(".vcd"), timeline(".json"), report(".json");
  platform::session_options outputs;
  outputs.files.of("vcd") = vcd.path();
  outputs.files.of("timeline") = timeline.path();
  outputs.files.of("report") = report.path();
  machine_config limited;
  limited.limits.max_cycles = 3000;
  for (const kernel_case& c : {store_at(1 << 20, 0), assembly("illegal"), assembly("spin")}) {
    SCOPED_TRACE(c.kernel);
    const child_report r = run_in_child(launch_of(c, limited), outputs);
    EXPECT_FALSE(r.completed);
    EXPECT_GT(parse_vcd(vcd.contents()).signal("SystemC.gpu.cu0.simd0.wf0.pc").changes.size(), 1u);
    EXPECT_GE(nlohmann::json::parse(timeline.contents()).at("traceEvents").size(), 40u);
    const auto json = nlohmann::json::parse(report.contents());
    EXPECT_EQ(json.at("result").at("completed"), false);
    EXPECT_EQ(json.at("result").at("error"), r.error);
  }
}

TEST(after_an_error, buffers_hold_what_was_stored_before) {
  // In functional fidelity wavefronts run one after the other: workgroup 0 is done when workgroup 1 fails.
  machine_config m;
  m.fidelity = fidelity::functional;
  m.n_cu = 1;
  kernel_case c = case_of("errors.hip", "good", 128, 64, {reference::input("out", std::vector<uint32_t>(64, 99))});
  const child_report r = run_in_child(launch_of(c, m));
  EXPECT_FALSE(r.completed);
  EXPECT_THAT(r.error, HasSubstr("workgroup (1,0,0)"));
  EXPECT_EQ(r.arguments[0][4 * 63], 63);
}

}  // namespace
}  // namespace pws::test::errors_test
