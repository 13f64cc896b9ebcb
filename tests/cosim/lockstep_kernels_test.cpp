// SPDX-License-Identifier: Apache-2.0
// The project's kernels with their SWFs in the RTL, split wherever pwscc can: through the command line, as users run
// them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/integration/child_process.h"
#include "tests/integration/child_run.h"
#include "tests/integration/vcd_parser.h"

namespace pws::test::lockstep_kernels_test {
namespace {

using testing::HasSubstr;

struct kernel_case {
  std::string run;                    // configs/runs/<run>.yaml
  bool vector = true;                 // the RTL executes vector instructions: pwscc finds branches with two sides
  std::vector<std::string> set = {};  // beside the scheme
};
void PrintTo(const kernel_case& c, std::ostream* out) {
  *out << c.run;
}

program_result run(const kernel_case& c, const std::string& mode, const temporary_file& report) {
  std::vector<std::string> command = {PWS_CLI,
                                      "run",
                                      fmt::format("{}/configs/runs/{}.yaml", PWS_SOURCE_DIR, c.run),
                                      "--report",
                                      report.path(),
                                      "--set",
                                      "machine.divergence=pws",
                                      "--set",
                                      "machine.spsimd_per_simd=3",
                                      "--set",
                                      "program.split=all",
                                      "--set",
                                      "machine.split_cycles=9",
                                      "--set",
                                      "machine.merge_cycles=9",
                                      "--set",
                                      "machine.cosim.mode=" + mode};
  for (const std::string& s : c.set) {
    command.push_back("--set");
    command.push_back(s);
  }
  return run_program(command, 600);
}

class lockstep_kernels : public testing::TestWithParam<kernel_case> {};

TEST_P(lockstep_kernels, agree_and_the_rtl_does_all) {
  uint64_t cycles = 0;
  for (const char* mode : {"model", "lockstep", "rtl"}) {
    SCOPED_TRACE(mode);
    const temporary_file file(".json");
    const program_result r = run(GetParam(), mode, file);
    ASSERT_EQ(r.exit_code, 0) << r.out << r.err;
    const auto report = nlohmann::json::parse(file.contents());
    if (std::string(mode) == "model") {
      cycles = report["cycles"]["value"];
      continue;
    }
    EXPECT_EQ(report["cycles"]["value"], cycles);
    const auto& cosim = report["cosim"];
    EXPECT_EQ(cosim["vector"]["value"] != 0, GetParam().vector);
    EXPECT_EQ(cosim["share_of_alu_instructions"]["value"], 1.0);
    if (std::string(mode) == "lockstep") {
      EXPECT_GE(cosim["compared"]["value"], cosim["vector"]["value"]);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(all, lockstep_kernels,
                         testing::Values(kernel_case{"quickstart"}, kernel_case{"divergent_break"},
                                         kernel_case{"fully_divergent"}, kernel_case{"spiking_neuron"},
                                         kernel_case{"synthetic",
                                                     true,
                                                     {"machine.schedule=oldest_first", "machine.cosim.cus=[0]",
                                                      "machine.cosim.simds=[0]", "machine.cosim.spsimds=[2]"}},
                                         kernel_case{"vector_add"}, kernel_case{"bfs_update", false},
                                         kernel_case{"histogram", false}, kernel_case{"needleman_wunsch", false},
                                         kernel_case{"reduction", false}),
                         [](const auto& c) { return c.param.run; });

// With the SIMD units, where wavefronts are launched, in RTL too: kernels that never split as well.
INSTANTIATE_TEST_SUITE_P(
    wavefronts, lockstep_kernels,
    testing::Values(kernel_case{"quickstart", true, {"machine.cosim.spsimds=[1, 2, 3, 4]"}},
                    kernel_case{
                        "divergent_break", true, {"machine.cosim.spsimds=[1, 2, 3, 4]", "machine.cosim.cus=[0]"}},
                    // Everything as short as the RTL's hand-overs and loads let it be.
                    kernel_case{"spiking_neuron",
                                true,
                                {"machine.cosim.spsimds=[1, 2, 3, 4]", "machine.dispatch_latency=10",
                                 "machine.memory.interconnect.latency=4", "machine.memory.scalar_cache.hit_latency=8"}},
                    kernel_case{"histogram", true, {"machine.cosim.spsimds=[1]", "machine.cosim.cus=[0]"}},
                    kernel_case{"reduction", true, {"machine.cosim.spsimds=[1]", "machine.cosim.cus=[0]"}}),
    [](const auto& c) { return c.param.run; });

TEST(lockstep, the_run_file_passes) {
  const program_result r = run_program({PWS_CLI, "run", PWS_SOURCE_DIR "/configs/runs/lockstep.yaml"}, 300);
  EXPECT_EQ(r.exit_code, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("results compared"));
  EXPECT_THAT(r.out, HasSubstr("\nPASS\n"));
}

// Changes of a vector's low 64 bits in a VCD, of which the first declaration with that name counts.
std::vector<std::pair<uint64_t, uint64_t>> changes_of(const std::string& text, const std::string& name) {
  std::istringstream lines(text);
  std::string line, code;
  uint64_t time = 0;
  std::vector<std::pair<uint64_t, uint64_t>> changes;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string first, second, third, fourth, fifth;
    words >> first >> second >> third >> fourth >> fifth;
    if (first == "$var" && code.empty() && fifth == name) code = fourth;
    if (first.empty()) continue;
    if (first[0] == '#') time = std::stoull(first.substr(1));
    if (first[0] != 'b' || second != code) continue;
    const std::string digits = first.substr(1);
    const uint64_t value = std::stoull(digits.size() > 64 ? digits.substr(digits.size() - 64) : digits, nullptr, 2);
    if (changes.empty() || changes.back().second != value) changes.emplace_back(time, value);
  }
  return changes;
}

// The paper's example, and both waveforms of it: the same masks at the same times.
TEST(lockstep, waveforms_have_one_time_base) {
  const temporary_file model(".vcd"), rtl(".vcd");
  const program_result r =
      run_program({PWS_CLI, "run", PWS_SOURCE_DIR "/configs/runs/figure5.yaml", "--set", "machine.split_cycles=9",
                   "--set", "machine.merge_cycles=9", "--set", "machine.cosim.mode=lockstep", "--set",
                   "machine.cosim.spsimds=[2]", "--vcd", model.path(), "--rtl-vcd", rtl.path()},
                  300);
  ASSERT_EQ(r.exit_code, 0) << r.out << r.err;
  const vcd_file m = parse_vcd(model.contents());
  std::vector<std::pair<uint64_t, uint64_t>> spm;
  for (const vcd_change& c : m.signal("SystemC.gpu.cu0.simd0.spsimd2.swf0.spm").changes)
    if (c.time != 0) spm.emplace_back(c.time, c.value);
  std::vector<std::pair<uint64_t, uint64_t>> in_rtl;
  for (const auto& change : changes_of(rtl.contents(), "spm_o"))
    if (change.second != 0 || !in_rtl.empty()) in_rtl.push_back(change);
  EXPECT_GE(spm.size(), 2u);
  EXPECT_EQ(spm, in_rtl);
  // The machine's own waveform has both sides.
  for (const char* signal : {"em", "spm", "parent"}) {
    const auto changes = [&](const char* scope) {
      std::vector<std::pair<uint64_t, uint64_t>> all;
      for (const vcd_change& c : m.signal(std::string("SystemC.gpu.cu0.simd0.spsimd2.") + scope + signal).changes)
        all.emplace_back(c.time, c.value);
      return all;
    };
    auto model_changes = changes("swf0."), rtl_changes = changes("rtl.swf0.");
    if (signal == std::string("em")) {  // it comes with the last row of the hand-over
      ASSERT_GE(rtl_changes.size(), 2u);
      EXPECT_EQ(rtl_changes[1].first, model_changes[1].first + 8 * 1000);  // the end of the cycle
      rtl_changes[1].first = model_changes[1].first;
    }
    EXPECT_EQ(model_changes, rtl_changes) << signal;
  }
}

}  // namespace
}  // namespace pws::test::lockstep_kernels_test
