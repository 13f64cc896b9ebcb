// SPDX-License-Identifier: Apache-2.0
// pwsvp reconvergence as a process: traces of real runs, files and errors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "sw/loader/llvm_version.h"
#include "tests/integration/child_process.h"
#include "tests/integration/child_run.h"

namespace pws::test::command_line_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const std::string runs = PWS_SOURCE_DIR "/configs/runs/", kernels = PWS_TEST_KERNELS "/";

program_result reconvergence(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {PWS_CLI, "reconvergence"});
  return run_program(arguments);
}

nlohmann::json study(const std::string& file, const std::vector<std::string>& options = {}) {
  const temporary_file report(".json");
  std::vector<std::string> arguments{file, "--report", report.path()};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const program_result r = reconvergence(arguments);
  EXPECT_EQ(r.exit_code, 0) << r.out << r.err;
  return nlohmann::json::parse(report.contents());
}

uint64_t number(const nlohmann::json& j, const char* name) {
  return j.at(name).at("value").get<uint64_t>();
}
double speedup(const nlohmann::json& j) {
  return j.at("times").at("speedup_of_best_order").at("value").get<double>();
}
std::vector<std::string> with_flag(const std::string& flag) {
  return {"--set", "program.flags=[\"" + flag + "\"]"};
}

// The paper has 92 %.
TEST(reconvergence_command, figure_7_gains_nearly_as_much_as_it_can) {
  const nlohmann::json j = study(runs + "odd_even_loop.yaml");
  EXPECT_EQ(number(j, "work_items"), 128u);
  EXPECT_EQ(j.at("warps").size(), 8u);
  EXPECT_GT(speedup(j), 1.88);
  EXPECT_LT(speedup(j), 1.96);
  EXPECT_EQ(number(j, "optimal_warps"), 8u);
  EXPECT_EQ(number(j.at("times"), "best_order"), number(j.at("times"), "longest_trace"));
  uint64_t later = 0;
  for (const auto& b : j.at("branches")) {
    EXPECT_EQ(number(b.at("post_dominators"), "met_later"), 0u);
    later += number(b.at("best_order"), "met_later");
  }
  EXPECT_EQ(later, 8u) << "once in each warp";
}

// docs/reconvergence.md shows this output, and names these gains.
TEST(reconvergence_command, is_as_its_document_says) {
  if (!loader::is_llvm_of_documents()) GTEST_SKIP() << "another compiler makes other code";
  std::ifstream page(PWS_SOURCE_DIR "/docs/reconvergence.md");
  const std::string text{std::istreambuf_iterator<char>(page), {}}, fence = "```\n";
  const size_t begin = text.find(fence) + fence.size();
  std::string out = reconvergence({runs + "odd_even_loop.yaml"}).out;
  out.erase(out.find(PWS_SOURCE_DIR "/"), sizeof PWS_SOURCE_DIR);
  EXPECT_EQ(out, text.substr(begin, text.find(fence, begin) - begin));
  const auto work = [](const char* steps, const char* result) {
    std::vector<std::string> options = with_flag(std::string("-DWORK=") + steps);
    options.insert(options.end(), {"--set", std::string("expect.data.constant=") + result});
    return speedup(study(runs + "odd_even_loop.yaml", options));
  };
  EXPECT_NEAR(work("0", "65"), 1.197, 0.0005);
  EXPECT_NEAR(work("8", "1804066507"), 1.722, 0.0005);
  EXPECT_NEAR(work("64", "225672785"), 1.950, 0.0005);
  EXPECT_NEAR(speedup(study(runs + "spiking_neuron.yaml")), 1.081, 0.0005);
  EXPECT_NEAR(speedup(study(runs + "divergent_break.yaml")), 1.027, 0.0005);
}

// Every number by hand; the blocks' lengths are in the source.
TEST(reconvergence_command, counts_instructions_by_block) {
  const uint64_t entry = 12, loop = 6, one = 9, other_test = 3, other = 6, next = 6, tail = 6 + 1;
  const uint64_t on_one = loop + one + other_test + next, on_other = loop + other_test + other + next;
  const uint64_t on_both = loop + one + other_test + other + next;
  const uint64_t twice = entry + on_one + on_other + tail, even = entry + 2 * on_one + on_other + tail,
                 odd = entry + on_one + 2 * on_other + tail;
  const nlohmann::json j = study(kernels + "if_else.yaml");
  EXPECT_EQ(number(j, "executed"), 16 * twice + 22 * (even + odd) + 4 * entry);
  EXPECT_EQ(number(j, "longest_trace"), 1u + 4 + 4 + 4 + 2) << "blocks";
  ASSERT_EQ(j.at("warps").size(), 4u);
  for (unsigned k = 0; k < 4; ++k) {
    const auto& w = j.at("warps")[k];
    const auto& t = w.at("times");
    EXPECT_EQ(number(t, "post_dominators"), entry + (k == 0 ? 2 : 3) * on_both + tail) << k;
    EXPECT_EQ(number(t, "longest_trace"), k == 0 ? twice : even) << k;
    EXPECT_EQ(number(t, "no_reconvergence"), (k == 0 ? 2 * twice : even + odd) - entry - loop) << k;
    EXPECT_EQ(number(w, "different_traces"), k == 3 ? 3u : 2u) << k << ": four return at once";
  }
}

TEST(reconvergence_command, a_uniform_kernel_has_nothing_to_gain) {
  const nlohmann::json j = study(runs + "alu_chain.yaml");
  EXPECT_EQ(speedup(j), 1.0);
  EXPECT_EQ(number(j.at("times"), "no_reconvergence"), number(j.at("times"), "longest_trace"));
  EXPECT_THAT(j.at("branches"), IsEmpty());
  EXPECT_THAT(reconvergence({runs + "alu_chain.yaml"}).out, HasSubstr("never part"));
}

TEST(reconvergence_command, work_items_that_take_turns_gain_but_not_over_barriers) {
  EXPECT_GT(speedup(study(kernels + "turns.yaml")), 1.8);
  EXPECT_EQ(speedup(study(kernels + "turns.yaml", with_flag("-DTOGETHER"))), 1.0);
  EXPECT_EQ(speedup(study(kernels + "turns.yaml", with_flag("-DALIKE"))), 1.0);
}

TEST(reconvergence_command, one_lane_executes_what_it_executes) {
  const nlohmann::json j = study(kernels + "if_else.yaml", {"--warp-size", "1"});
  EXPECT_EQ(j.at("warps").size(), 64u);
  for (const char* time : {"no_reconvergence", "post_dominators", "best_order", "longest_trace"})
    EXPECT_EQ(number(j.at("times"), time), number(j, "executed")) << time;
  EXPECT_THAT(j.at("branches"), IsEmpty());
}

TEST(reconvergence_command, numbers_that_do_not_divide_leave_smaller_warps) {
  const nlohmann::json j = study(runs + "odd_even_loop.yaml", {"--work-items", "100"});
  EXPECT_EQ(number(j, "work_items"), 100u);
  ASSERT_EQ(j.at("warps").size(), 7u);
  for (unsigned k = 0; k < 7; ++k) EXPECT_EQ(number(j.at("warps")[k], "work_items"), k == 6 ? 4u : 16u) << k;
  // More than there are; workgroups that are no multiple of a warp, the last of them cut off by the grid.
  const nlohmann::json all =
      study(kernels + "turns.yaml", {"--work-items", "1000", "--set", "launch.grid=[85]", "--set",
                                     "launch.workgroup=[40]", "--set", "launch.partial_workgroups=true"});
  EXPECT_EQ(number(all, "work_items"), 85u);
  std::vector<uint64_t> sizes;
  for (const auto& w : all.at("warps")) sizes.push_back(number(w, "work_items"));
  EXPECT_THAT(sizes, testing::ElementsAre(16, 16, 8, 16, 16, 8, 5));
}

TEST(reconvergence_command, work_items_are_numbered_in_the_order_of_their_workgroups) {
  // Two dimensions: the first 20 work-items are those of the first workgroup and four of the second.
  const nlohmann::json j = study(runs + "needleman_wunsch_batch.yaml", {"--work-items", "20"});
  EXPECT_EQ(number(j, "work_items"), 20u);
  const nlohmann::json m = study(runs + "matrix_multiply.yaml", {"--work-items", "70", "--warp-size", "64"});
  ASSERT_EQ(m.at("warps").size(), 2u);
  EXPECT_EQ(number(m.at("warps")[1], "work_items"), 6u);
}

TEST(reconvergence_command, traces_do_not_depend_on_the_machine) {
  const nlohmann::json plain = study(runs + "spiking_neuron.yaml");
  EXPECT_EQ(study(runs + "spiking_neuron.yaml",
                  {"--set", "machine.divergence=pws", "--set", "machine.spsimd_per_simd=3", "--set",
                   "program.split=all", "--set", "machine.n_cu=1", "--set", "machine.split_cycles=9", "--set",
                   "machine.merge_cycles=9", "--set", "machine.cosim.mode=lockstep"}),
            plain);
  EXPECT_EQ(
      study(runs + "spiking_neuron.yaml", {"--set", "machine.divergence=pws-mode", "--set", "machine.spsimd_per_simd=2",
                                           "--set", "machine.force_mode_split=true"}),
      plain);
}

TEST(reconvergence_command, the_same_bytes_every_time) {
  const temporary_file a(".json"), b(".json");
  const program_result first = reconvergence({runs + "divergent_break.yaml", "--report", a.path()});
  const program_result second = reconvergence({runs + "divergent_break.yaml", "--report", b.path()});
  EXPECT_EQ(a.contents(), b.contents());
  EXPECT_GT(a.contents().size(), 1000u);
  EXPECT_EQ(first.out.substr(0, first.out.find("  report")), second.out.substr(0, second.out.find("  report")));
}

TEST(reconvergence_command, prints_times_and_branches) {
  const program_result r = reconvergence({runs + "odd_even_loop.yaml"});
  EXPECT_EQ(r.exit_code, 0);
  EXPECT_THAT(r.out, AllOf(HasSubstr("8 of up to 16 work-items"), HasSubstr("optimal in all warps"),
                           HasSubstr("% faster than post-dominators"), HasSubstr("s_cbranch_execz +0x")));
}

struct wrong_use {
  const char* name;
  std::vector<std::string> arguments;
  int exit_code;
  const char* message;
};
void PrintTo(const wrong_use& use, std::ostream* out) {
  *out << use.name;
}

class reconvergence_errors : public testing::TestWithParam<wrong_use> {};

TEST_P(reconvergence_errors, are_named) {
  const program_result r = reconvergence(GetParam().arguments);
  EXPECT_EQ(r.exit_code, GetParam().exit_code) << r.out << r.err;
  EXPECT_THAT(r.err, HasSubstr(GetParam().message));
  EXPECT_THAT(r.out, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    of, reconvergence_errors,
    testing::Values(
        wrong_use{"long_trace",
                  {runs + "odd_even_loop.yaml", "--max-blocks", "300"},
                  2,
                  "passes through more than 300 blocks, the limit for one trace (--max-blocks)"},
        wrong_use{"split_program", {runs + "two_branches.yaml"}, 2, "the program has split instructions"},
        wrong_use{"wrong_result",
                  {runs + "odd_even_loop.yaml", "--set", "arguments.iterations.value=2"},
                  1,
                  "error: data: 256 of 256 elements differ"},
        wrong_use{"fault",
                  {runs + "odd_even_loop.yaml", "--set", "launch.grid=[512]", "--set", "arguments.n.value=512"},
                  1,
                  "error: "},
        wrong_use{"warp_size", {runs + "odd_even_loop.yaml", "--warp-size", "12"}, 2, "--warp-size: 12 not in"},
        wrong_use{"no_work_items", {runs + "odd_even_loop.yaml", "--work-items", "0"}, 2, "--work-items: Value 0"},
        wrong_use{"no_blocks", {runs + "odd_even_loop.yaml", "--max-blocks", "0"}, 2, "--max-blocks: Value 0"},
        wrong_use{"too_much",
                  {runs + "odd_even_loop.yaml", "--work-items", "65536", "--max-blocks", "1000000"},
                  2,
                  "--work-items 65536 with --max-blocks 1000000: traces of 268435456 blocks in all are the limit"},
        wrong_use{"no_number", {runs + "odd_even_loop.yaml", "--work-items", "many"}, 2, "--work-items"},
        wrong_use{"no_file", {}, 2, "CONFIG is required"},
        wrong_use{"missing_file", {"/nowhere.yaml"}, 2, "/nowhere.yaml"},
        wrong_use{"wrong_key", {runs + "odd_even_loop.yaml", "--set", "machine.n_cuu=1"}, 2, "did you mean n_cu?"}),
    [](const auto& use) { return use.param.name; });

TEST(reconvergence_command, a_report_that_cannot_be_written_is_exit_2) {
  const program_result r = reconvergence({runs + "alu_chain.yaml", "--report", "/dev/null/r.json"});
  EXPECT_EQ(r.exit_code, 2);
  EXPECT_THAT(r.err, HasSubstr("--report /dev/null/r.json: cannot be written"));
}

// A trace of just so many blocks is not too long.
TEST(reconvergence_command, the_limit_is_the_longest_trace_allowed) {
  const uint64_t longest = number(study(runs + "odd_even_loop.yaml"), "longest_trace");
  EXPECT_EQ(reconvergence({runs + "odd_even_loop.yaml", "--max-blocks", std::to_string(longest)}).exit_code, 0);
  EXPECT_EQ(reconvergence({runs + "odd_even_loop.yaml", "--max-blocks", std::to_string(longest - 1)}).exit_code, 2);
}

}  // namespace
}  // namespace pws::test::command_line_test
