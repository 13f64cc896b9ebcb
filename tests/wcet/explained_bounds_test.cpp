// SPDX-License-Identifier: Apache-2.0
// What a bound is made of: the cycles of all source lines are E_WF, on every machine and under every scheme, and what
// --sensitivity says of a change is what the analysis says where the change is made.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "platform/machine/device_layout.h"
#include "platform/run/program/compiled_program.h"
#include "platform/wcet/path_costs.h"
#include "platform/wcet/run_launch.h"
#include "sw/loader/subprocess.h"
#include "tests/integration/child_process.h"
#include "tests/integration/child_run.h"

namespace pws::test::explained_bounds_test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string runs = PWS_SOURCE_DIR "/configs/runs/";
const std::string predictable = PWS_SOURCE_DIR "/configs/gpu/predictable.yaml";

uint64_t sum_of(const platform::path_costs& costs) {
  uint64_t sum = costs.rest;
  for (const platform::path_cost& c : costs.instructions) sum += c.cycles();
  return sum;
}

uint64_t sum_of_lines(const wcet::analysed_kernel& code, const platform::path_costs& costs) {
  uint64_t sum = costs.rest;
  size_t instructions = 0;
  for (const platform::source_cost& l : platform::costs_by_line(code, costs)) {
    sum += l.cost.cycles();
    instructions += l.instructions.size();
  }
  EXPECT_EQ(instructions, costs.instructions.size());
  return sum;
}

// The bounds of each launch of a run file on that machine; none where the analysis refuses it.
std::vector<std::unique_ptr<platform::wcet_result>> results_of(const platform::run_config& config,
                                                               const loader::program_image& program,
                                                               const models::machine_config& given) {
  const models::machine_config machine = models::provisioned(given);
  platform::device_layout layout(machine);
  layout.load(program);
  const platform::laid_out_run run = platform::lay_out(config, layout);
  std::vector<std::unique_ptr<platform::wcet_result>> out;
  try {
    for (const platform::kernel_launch& l : run.launches) {
      const platform::kernel_launch placed = layout.prepare(l);
      out.push_back(platform::launch_analysis(machine, layout, placed, config.wcet).take_result());
    }
  } catch (const input_error&) {
    out.clear();
  }
  return out;
}

// How many launches of these files had bounds.
unsigned expect_lines_to_add_up(const std::vector<std::string>& files) {
  unsigned bounded = 0;
  for (const std::string& file : files) {
    SCOPED_TRACE(file);
    const platform::run_config config = platform::load_run(
        runs + file + ".yaml",
        {"machine=" + predictable, "machine.divergence=pws", "machine.spsimd_per_simd=3", "program.split=all"});
    const platform::compiled_program program = platform::compile_program(config, platform::assembly_text::wanted);
    for (const char* change : {"machine.n_cu=4", "machine.valu_lanes=64", "machine.n_wfc=4", "machine.lds.banks=16"}) {
      SCOPED_TRACE(change);
      const auto machine =
          platform::load_run(runs + file + ".yaml", {"machine=" + predictable, "machine.divergence=pws",
                                                     "machine.spsimd_per_simd=3", "program.split=all", change})
              .machine;
      for (const auto& r : results_of(config, program.image, machine)) {
        ++bounded;
        for (const platform::scheme_bound& b : r->schemes) {
          const platform::path_costs costs = platform::costs_of(*r->analysed, b.wavefront);
          EXPECT_EQ(sum_of(costs), b.wavefront.cycles);
          EXPECT_EQ(sum_of_lines(*r->analysed, costs), b.wavefront.cycles);
          EXPECT_TRUE(costs.rest == 0 || !b.wavefront.path.is_path) << costs.rest;
        }
      }
    }
  }
  return bounded;
}

TEST(path_costs, lines_of_some_run_files_add_up) {
  EXPECT_GE(expect_lines_to_add_up({"odd_even_loop", "pointer_chase_lds"}), 8u);
}

TEST(path_costs, lines_of_every_run_file_add_up) {
  EXPECT_GE(
      expect_lines_to_add_up(
          {"vector_add",    "saxpy",           "matrix_multiply", "matrix_multiply_tiled", "reduction",
           "reduction_f32", "bfs_step",        "bfs_update",      "needleman_wunsch",      "needleman_wunsch_batch",
           "histogram",     "divergent_break", "pointer_chase",   "pointer_chase_scalar",  "fully_divergent",
           "alu_chain",     "spiking_neuron",  "odd_even_loop",   "two_branches",          "two_stage_sum",
           "quickstart"}),
      70u);
}

// Counts that are an approximation: what they leave is of no line, what they have too much is scaled down.
TEST(path_costs, approximations_add_up) {
  const platform::run_config config = platform::load_run(runs + "vector_add.yaml", {"machine=" + predictable});
  const platform::compiled_program program = platform::compile_program(config, platform::assembly_text::wanted);
  auto results = results_of(config, program.image, config.machine);
  ASSERT_EQ(results.size(), 1u);
  wcet::wavefront_bound& b = results.front()->schemes.front().wavefront;
  b.path.is_path = false;
  const uint64_t bound = b.cycles;
  b.cycles = bound + 1234;
  const platform::path_costs less = platform::costs_of(*results.front()->analysed, b);
  EXPECT_EQ(less.rest, 1234u);
  EXPECT_FALSE(less.scaled);
  EXPECT_EQ(sum_of(less), b.cycles);
  for (const uint64_t cycles : {bound - 1, bound / 2, bound / 3, uint64_t{1}, uint64_t{0}}) {
    b.cycles = cycles;
    const platform::path_costs more = platform::costs_of(*results.front()->analysed, b);
    EXPECT_TRUE(more.scaled);
    EXPECT_EQ(sum_of(more), cycles);
    EXPECT_LE(more.rest, 4 * more.instructions.size()) << "what rounding down leaves";
  }
  for (uint64_t& n : b.path.node_count) n *= uint64_t{1} << 60;
  for (uint64_t& n : b.work_count) n *= uint64_t{1} << 60;
  for (uint64_t& n : b.path.charge_count) n *= uint64_t{1} << 60;
  b.cycles = ~uint64_t{0};
  EXPECT_EQ(sum_of(platform::costs_of(*results.front()->analysed, b)), b.cycles) << "beyond 64 bits";
}

program_result wcet(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {PWS_CLI, "wcet"});
  return run_program(arguments);
}

// A kernel with a run file for it; the body begins in line 4.
struct kernel_file {
  explicit kernel_file(const std::string& body, unsigned workgroup = 64, const std::string& program_keys = "") {
    std::ofstream(source.path()) << "#include <hip/hip_runtime.h>\n#include <pws.h>\n"
                                    "extern \"C\" __global__ void k(unsigned* out, const unsigned* in, unsigned n) {\n"
                                 << body << "}\n";
    std::ofstream(yaml.path()) << fmt::format(
        "machine: {}\nprogram: {{source: {}, kernel: k{}}}\nlaunch: {{grid: [{}], workgroup: [{}]}}\narguments:\n"
        "- {{name: out, type: u32, count: 4096}}\n- {{name: in, type: u32, count: 4096}}\n"
        "- {{name: n, type: u32, value: 5}}\n",
        predictable, source.path(), program_keys, workgroup, workgroup);
  }
  json report(std::vector<std::string> options) const {
    const temporary_file file(".json");
    options.insert(options.begin(), yaml.path());
    options.insert(options.end(), {"--report", file.path()});
    const program_result r = wcet(options);
    EXPECT_EQ(r.exit_code, 0) << r.out << r.err;
    return json::parse(file.contents());
  }
  // E_kernel of the machine's scheme.
  uint64_t bound(const std::vector<std::string>& settings) const {
    std::vector<std::string> options;
    for (const std::string& s : settings) options.insert(options.end(), {"--set", s});
    return report(options).at("bound").at("E_kernel").at("value");
  }
  temporary_file source{".hip"}, yaml{".yaml"};
};

// The names of those that a long text does not have.
std::vector<std::string> missing(const std::string& text, const std::vector<std::string>& wanted) {
  std::vector<std::string> out;
  for (const std::string& w : wanted)
    if (text.find(w) == std::string::npos) out.push_back(w);
  return out;
}

const std::string two_loops =
    "  unsigned x = in[threadIdx.x * 64 + n];\n"                             // line 4
    "#pragma unroll 1\n  for (unsigned i = 0; i < n; ++i) x = x * 7 + 1;\n"  // line 6
    "#pragma unroll 1\n  while (x != 1) {\n"                                 // line 8
    "    PWS_LOOP_BOUND(8);\n    x = in[x & 4095];\n  }\n"                   // line 10
    "  out[threadIdx.x] = x;\n";                                             // line 12

TEST(annotated_bounds, html_and_callgrind_have_the_same_numbers) {
  const kernel_file k(two_loops);
  const temporary_file html(".html"), callgrind(".callgrind");
  const json j = k.report({"--annotate", html.path(), "--callgrind", callgrind.path()});
  const uint64_t e_wf = j.at("bounds").at("none").at("E_WF").at("value");
  EXPECT_EQ(j.at("explained"), "none");
  uint64_t sum = 0;
  std::map<unsigned, json> lines;
  for (const json& l : j.at("source_lines")) {
    sum += l.at("cycles").at("value").get<uint64_t>();
    lines[l.at("line")] = l;
  }
  EXPECT_EQ(sum, e_wf);
  EXPECT_EQ(lines.at(10).at("executions"), 8u);
  EXPECT_THAT(lines.at(4).at("accesses").dump(), AllOf(HasSubstr("at most 64 lines"), HasSubstr("256 bytes apart")));
  EXPECT_THAT(lines.at(10).at("accesses").dump(), HasSubstr("unknown, charged 64 lines"));
  EXPECT_THAT(lines.at(12).at("accesses").dump(), HasSubstr("contiguous"));
  const std::string page = html.contents(), profile = callgrind.contents();
  EXPECT_THAT(
      missing(page, {"Worst case by source line", "PWS_LOOP_BOUND(8);", "loop: at most 8 iterations (PWS_LOOP_BOUND)",
                     "loop: at most 5 passes (counted by the code)",
                     fmt::format("<td>{}</td>", lines.at(10).at("cycles").at("value").get<uint64_t>())}),
      IsEmpty());
  EXPECT_THAT(missing(profile, {fmt::format("summary: {} ", e_wf),
                                "events: Cycles Executions Issue Memory Wait Other\n", "fn=(1) k\n", k.source.path()}),
              IsEmpty());
}

TEST(annotated_bounds, callgrind_annotate_reads_the_profile) {
  if (loader::find_executable("callgrind_annotate").empty()) GTEST_SKIP() << "Valgrind is not there";
  const kernel_file k(two_loops);
  const temporary_file callgrind(".callgrind");
  const json j = k.report({"--callgrind", callgrind.path()});
  const program_result r = run_program({loader::find_executable("callgrind_annotate").string(), callgrind.path()});
  EXPECT_EQ(r.exit_code, 0) << r.err;
  std::string digits;  // without what stands between thousands
  for (const char c : r.out)
    if (c != ',') digits += c;
  const uint64_t e_wf = j.at("bounds").at("none").at("E_WF").at("value");
  EXPECT_THAT(missing(digits, {fmt::format("{} (100.0%)", e_wf), "while (x != 1)"}), IsEmpty());
}

TEST(annotated_bounds, waiting_at_barriers_is_at_a_line) {
  const kernel_file ends(
      "  unsigned x = in[threadIdx.x];\n  if (threadIdx.x >= 128) {\n    out[x & 4095] = x;\n    return;\n  }\n"
      "  __syncthreads();\n  out[threadIdx.x] = x;\n",
      256);
  const kernel_file ways(
      "  unsigned x = in[threadIdx.x];\n  if (__builtin_amdgcn_readfirstlane(x) > 7) {\n    __syncthreads();\n"
      "    out[x & 4095] = 1;\n  }\n  __syncthreads();\n  out[threadIdx.x] = x;\n",
      256);
  for (const kernel_file* k : {&ends, &ways}) {
    const temporary_file html(".html");
    const json j = k->report({"--annotate", html.path()});
    uint64_t sum = 0, other = 0;
    for (const json& l : j.at("source_lines")) {
      sum += l.at("cycles").at("value").get<uint64_t>();
      other += l.at("other").at("value").get<uint64_t>();
    }
    EXPECT_EQ(sum, j.at("bounds").at("none").at("E_WF").at("value").get<uint64_t>());
    const json& barriers = j.at("bounds").at("none").at("barriers");
    EXPECT_EQ(other != 0, k == &ends) << barriers;
    EXPECT_EQ(barriers.at("paths_in_E_WF") != 1, k == &ways) << barriers;
  }
}

TEST(annotated_bounds, measured_blocks_and_several_launches) {
  const temporary_file html(".html"), callgrind(".callgrind"), report(".json");
  const program_result measured =
      wcet({runs + "vector_add.yaml", "--times", "measured", "--annotate", html.path(), "--report", report.path()});
  ASSERT_EQ(measured.exit_code, 0) << measured.err;
  EXPECT_THAT(missing(html.contents(), {"a block's time is at its first instruction"}), IsEmpty());
  const program_result several = wcet({runs + "two_stage_sum.yaml", "--set", "machine=" + predictable, "--annotate",
                                       html.path(), "--callgrind", callgrind.path(), "--report", report.path()});
  ASSERT_EQ(several.exit_code, 0) << several.err;
  EXPECT_THAT(missing(html.contents(), {"launch 1 of 2: ", "launch 2 of 2: ", "id=\"k0f0l", "id=\"k1f0l"}), IsEmpty());
  uint64_t sum = 0;
  const json j = json::parse(report.contents());
  for (const json& l : j.at("launches")) sum += l.at("bounds").at("none").at("E_WF").at("value").get<uint64_t>();
  EXPECT_THAT(missing(callgrind.contents(), {fmt::format("summary: {} ", sum)}), IsEmpty());
}

const json& change(const json& report, const std::string& name, const std::string& to) {
  for (const json& c : report.at("sensitivity").at("changes"))
    if (c.at("name").get<std::string>().find(name) != std::string::npos && c.value("to", "") == to) return c;
  throw std::runtime_error("no change of " + name + " to " + to + " in " + report.at("sensitivity").dump(1));
}

uint64_t bound_with(const json& report, const std::string& name, const std::string& to) {
  return change(report, name, to).at("E_kernel").at("value");
}

TEST(sensitivity, bounds_are_those_of_the_changed_machine_and_marks) {
  const kernel_file k(two_loops);
  const json j = k.report({"--sensitivity"});
  EXPECT_EQ(j.at("sensitivity").at("E_kernel").at("value").get<uint64_t>(), k.bound({}));
  for (const char* key : {"memory.dram.t_rp", "n_wfc", "latency.branch", "lds.banks", "valu_lanes"}) {
    SCOPED_TRACE(key);
    const json& all = j.at("sensitivity");
    const std::string name = std::string("machine.") + key;
    bool found = false;
    for (const json& c : all.at("changes")) {
      if (c.at("name") != name || !c.contains("E_kernel")) continue;
      found = true;
      EXPECT_EQ(c.at("E_kernel").at("value").get<uint64_t>(), k.bound({name + "=" + c.at("to").get<std::string>()}));
    }
    EXPECT_TRUE(found || all.at("without_effect").dump().find(name) != std::string::npos);
  }
  std::vector<std::string> longer_lines;
  for (const char* cache : {"vector_l1", "scalar_cache", "instruction_cache", "l2.bank"})
    longer_lines.push_back(fmt::format("machine.memory.{}.line_bytes=512", cache));
  EXPECT_EQ(bound_with(j, "every line_bytes of machine", "512"), k.bound(longer_lines));
  EXPECT_EQ(bound_with(j, "PWS_LOOP_BOUND at", "7"), k.bound({"wcet.loops=[{line: 8, bound: 7}]"}));
  EXPECT_EQ(bound_with(j, "PWS_LOOP_BOUND at", "9"), k.bound({"wcet.loops=[{line: 8, bound: 9}]"}));
  EXPECT_EQ(bound_with(j, "loop at", "4"), k.bound({"arguments.n.value=4"})) << "a pass less";
  EXPECT_EQ(k.bound({}) - bound_with(j, "access of " + k.source.path() + ":10", "1 line"),
            8u * 63 * j.at("machine").at("memory_frame").at("value").get<uint64_t>());
  ASSERT_EQ(j.at("sensitivity").at("lowest").size(), 3u);
  EXPECT_THAT(j.at("sensitivity").at("lowest").at(0).get<std::string>(),
              AllOf(HasSubstr(":10 side by side: 1 line at a time instead of 64 lines"), HasSubstr("cycles less")));
}

TEST(sensitivity, table_figure_and_screen) {
  const kernel_file k(two_loops);
  const temporary_file table(".csv"), figure(".svg");
  const program_result r = wcet({k.yaml.path(), "--sensitivity", "--table", table.path(), "--figure", figure.path()});
  ASSERT_EQ(r.exit_code, 0) << r.out << r.err;
  EXPECT_THAT(r.out, AllOf(HasSubstr("sensitivity of E_kernel with none: "), HasSubstr("no effect on this bound: "),
                           HasSubstr("not part of this analysis: "), HasSubstr("\n  1. the data of 1 access of ")));
  EXPECT_THAT(table.contents(), AllOf(testing::StartsWith("thing,name,unit,value,to,E_kernel,difference,elasticity,"
                                                          "problem\n"),
                                      HasSubstr("\nmark,PWS_LOOP_BOUND at "), HasSubstr("\nloop,loop at "),
                                      HasSubstr("\naccesses,1 access of "), HasSubstr("\nmachine,machine.n_wfc,")));
  EXPECT_THAT(figure.contents(), AllOf(HasSubstr("</svg>"), HasSubstr("machine.n_wfc (10)")));
}

TEST(sensitivity, other_splits_are_bounded_as_they_would_be_compiled) {
  const kernel_file k(
      "  unsigned x = in[threadIdx.x];\n  if (x & 1) {\n    for (unsigned i = 0; i < 9; ++i) x = x * x + i;\n"
      "  } else {\n    for (unsigned i = 0; i < 9; ++i) x = x * 3 + (x >> i);\n  }\n  out[threadIdx.x] = x;\n",
      64, ", split: none");
  const std::vector<std::string> pws = {"machine.divergence=pws", "machine.spsimd_per_simd=1"};
  const json j = k.report({"--sensitivity", "--set", pws[0], "--set", pws[1]});
  EXPECT_EQ(bound_with(j, "program.split", "all"), k.bound({pws[0], pws[1], "program.split=all"}));
}

TEST(sensitivity, what_cannot_be_asked_for) {
  const kernel_file k("  out[threadIdx.x] = 1;\n");
  const auto said = [&](std::vector<std::string> options) {
    options.insert(options.begin(), k.yaml.path());
    const program_result r = wcet(options);
    EXPECT_EQ(r.exit_code, 2) << r.out;
    return r.err;
  };
  EXPECT_THAT(said({"--sensitivity", "--times", "measured"}), HasSubstr("--sensitivity needs static block times"));
  EXPECT_THAT(said({"--table", "t.csv"}), HasSubstr("--sensitivity"));
  EXPECT_THAT(said({"--figure", "t.svg"}), HasSubstr("--sensitivity"));
  EXPECT_THAT(said({"--suggest", "--annotate", "t.html"}), HasSubstr("--annotate"));
  EXPECT_THAT(said({"--suggest", "--sensitivity"}), HasSubstr("--sensitivity"));
  EXPECT_THAT(said({"--annotate", "/dev/null/t.html"}), HasSubstr("--annotate /dev/null/t.html: cannot"));
  EXPECT_THAT(said({"--annotate", k.source.path()}), HasSubstr("--annotate"));
}

}  // namespace
}  // namespace pws::test::explained_bounds_test
