// SPDX-License-Identifier: Apache-2.0
// pwsvp wcet as a process: its numbers, files and errors.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "tests/integration/child_process.h"
#include "tests/integration/child_run.h"

namespace pws::test::command_line_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::string runs = PWS_SOURCE_DIR "/configs/runs/";
const std::string predictable_machine = "machine=" PWS_SOURCE_DIR "/configs/gpu/predictable.yaml";

program_result wcet(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {PWS_CLI, "wcet"});
  return run_program(arguments);
}

// As asserts have it: where the code of the trap is the kernel's last.
TEST(wcet_command, kernel_that_ends_with_a_trap) {
  const temporary_file source(".hip"), run(".yaml");
  std::ofstream(source.path()) << R"(#include <hip/hip_runtime.h>
extern "C" __global__ void careful(unsigned* data) {
  if (data[0] == 0) __builtin_trap();
  data[threadIdx.x] += 1;
}
extern "C" __global__ void beside(unsigned* data) { data[threadIdx.x] += 1; }
)";
  std::ofstream(run.path()) << fmt::format(
      "machine: {}\nprogram: {{source: {}, kernel: careful}}\nlaunch: {{grid: 64, workgroup: 64}}\n"
      "arguments: [{{name: data, type: u32, count: 64, init: {{constant: 1}}}}]\nexpect: {{data: {{constant: 2}}}}\n",
      PWS_SOURCE_DIR "/configs/gpu/predictable.yaml", source.path());
  const program_result code = run_program({PWS_CLI, "disasm", source.path(), "--kernel", "careful"});
  ASSERT_THAT(code.out, testing::ContainsRegex("s_trap 2[^a-z]*$")) << "the trap is not the last instruction";
  for (const char* kernel : {"careful", "beside"}) {
    const program_result checked =
        run_program({PWS_CLI, "check", run.path(), "--set", std::string("program.kernel=") + kernel});
    EXPECT_EQ(checked.exit_code, 0) << checked.err;
  }
  const program_result bound = wcet({run.path(), "--observe"});
  EXPECT_EQ(bound.exit_code, 0) << bound.err;
  EXPECT_THAT(bound.out, HasSubstr("bound / observed 1."));
  const program_result trapped = wcet({run.path(), "--observe", "--set", "arguments.data.init.constant=0"});
  EXPECT_EQ(trapped.exit_code, 1) << trapped.err;
  EXPECT_THAT(trapped.out + trapped.err, HasSubstr("the program trapped"));
}

TEST(wcet_command, synthetic_kernel_with_all_files) {
  const temporary_file report(".json"), dot(".dot"), svg(".svg"), timeline(".json");
  const program_result r = wcet({runs + "synthetic.yaml", "--observe", "--report", report.path(), "--dot", dot.path(),
                                 "--svg", svg.path(), "--timeline", timeline.path()});
  ASSERT_EQ(r.exit_code, 0) << r.out << r.err;
  EXPECT_THAT(r.out, AllOf(HasSubstr("E_WF"), HasSubstr("G_parallel"), HasSubstr("PWS, S = 7"),
                           HasSubstr("7 of 7 find an SWF context for sure"), HasSubstr("bound / observed 1.")));
  const auto j = nlohmann::json::parse(report.contents());
  for (const char* scheme : {"none", "pws", "dws"}) {
    const auto& b = j.at("bounds").at(scheme);
    const auto value = [&](const char* name) { return b.at(name).at("value").get<uint64_t>(); };
    const uint64_t serial = std::string(scheme) == "dws" ? 8 : 1;
    EXPECT_EQ(value("E_kernel"), value("D_S") * (value("d") + serial * value("E_WF")));
    // The ILP and Prune are two ways to the same number, but for taken branches to targets across two fetches, and for
    // waits that share an access: Prune pays all of them.
    uint64_t not_paid = 0;
    for (const auto& w : b.at("shared_waits")) {
      const uint64_t executions = w.at("executions"), paid = w.at("paid");
      ASSERT_LE(paid, executions);
      not_paid += (executions - paid) * w.at("cycles").at("value").get<uint64_t>();
    }
    EXPECT_EQ(not_paid, 0u) << scheme << ": every wait that is charged has an access of its own in front";
    EXPECT_LE(value("F_entry"), value("E_WF") + not_paid) << scheme;
    EXPECT_GE(value("F_entry") + 40 * 8, value("E_WF") + not_paid) << scheme;
    uint64_t path = 0;
    for (const auto& block : j.at("blocks"))
      path +=
          block.at("e_bb").at(scheme).at("value").get<uint64_t>() * block.at("executions").at(scheme).get<uint64_t>();
    EXPECT_LE(path, value("E_WF") + not_paid);
    EXPECT_GE(path + 40 * 8, value("E_WF") + not_paid);
  }
  EXPECT_EQ(j.at("split_points").size(), 7u);
  EXPECT_EQ(j.at("bounds").at("pws").at("removed_edges").size(), 3u) << "one for each split on the worst path";
  EXPECT_EQ(j.at("loops").size(), 8u);
  EXPECT_THAT(dot.contents(), AllOf(HasSubstr("fillcolor=orange"), HasSubstr("shape=box"), HasSubstr("removed")));
  EXPECT_THAT(svg.contents(), HasSubstr("</svg>"));
  EXPECT_THAT(timeline.contents(), AllOf(HasSubstr("d of WG 0"), HasSubstr("E_WF of WG 63")));
}

// Four loops in each other, with bounds whose product is beyond 64 bits; `rounds` is how often each goes round.
program_result wcet_of_large_nest(const std::string& rounds, const temporary_file& report) {
  const temporary_file source(".hip"), yaml(".yaml");
  std::string begin, end;
  for (unsigned k = 0; k < 4; ++k) {
    begin += fmt::format(
        "#pragma unroll 1\n  for (unsigned i{0} = 0; i{0} < {1}; ++i{0}) {{\n    PWS_LOOP_BOUND(100000);\n"
        "    x = x * 3 + in[(x + i{0}) & 63];\n",
        k, rounds);
    end += "  }\n";
  }
  std::ofstream(source.path()) << "#include <hip/hip_runtime.h>\n#include <pws.h>\n"
                                  "extern \"C\" __global__ void k(unsigned* out, const unsigned* in, unsigned n) {\n"
                                  "  unsigned x = threadIdx.x;\n"
                               << begin << end << "  out[threadIdx.x] = x + n;\n}\n";
  std::ofstream(yaml.path()) << fmt::format(
      "machine: {}\nprogram: {{source: {}, kernel: k}}\nlaunch: {{grid: [64], workgroup: [64]}}\narguments:\n"
      "- {{name: out, type: u32, count: 64}}\n- {{name: in, type: u32, count: 64}}\n- {{name: n, type: u32, value: "
      "3}}\n",
      PWS_SOURCE_DIR "/configs/gpu/predictable.yaml", source.path());
  return wcet({yaml.path(), "--observe", "--report", report.path()});
}

TEST(wcet_command, bounds_of_nested_loops_that_multiply_beyond_64_bits) {
  const temporary_file report(".json");
  const program_result unknown = wcet_of_large_nest("in[x & 63]", report);
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, AllOf(HasSubstr("2^64 - 1 cycles or more"),
                                 HasSubstr("of loops in loops the passes multiply: "), HasSubstr("1e+20 in all")));
  for (const unsigned line : {6, 10, 14, 18})
    EXPECT_THAT(unknown.err, HasSubstr(fmt::format(".hip:{} has 100000", line)));
  // With the argument the code counts the loops, whatever the marks allow.
  const program_result known = wcet_of_large_nest("n", report);
  ASSERT_EQ(known.exit_code, 0) << known.out << known.err;
  const auto bound = nlohmann::json::parse(report.contents()).at("bounds").at("none");
  EXPECT_LT(bound.at("E_WF").at("value").get<uint64_t>(), uint64_t{1} << 32);
  EXPECT_EQ(bound.at("F_entry"), bound.at("E_WF"));
  EXPECT_THAT(known.out, HasSubstr("(counted by the code; the marks allow 100000)"));
}

TEST(wcet_command, the_same_bytes_every_time) {
  const temporary_file a(".json"), b(".json");
  wcet({runs + "synthetic.yaml", "--report", a.path()});
  wcet({runs + "synthetic.yaml", "--report", b.path()});
  EXPECT_EQ(a.contents(), b.contents());
  EXPECT_GT(a.contents().size(), 1000u);
}

TEST(wcet_command, measured_times_on_the_average_case_machine) {
  const program_result r = wcet({runs + "vector_add.yaml", "--times", "measured", "--set", "wcet.runs=3"});
  EXPECT_EQ(r.exit_code, 0) << r.err;
  EXPECT_THAT(r.out, AllOf(HasSubstr("measured"), HasSubstr("Eq. 5.4"), HasSubstr("bound / observed")));
}

TEST(wcet_command, static_times_need_a_predictable_machine) {
  const program_result r = wcet({runs + "vector_add.yaml"});
  EXPECT_EQ(r.exit_code, 2);
  EXPECT_THAT(r.err, AllOf(HasSubstr("machine.schedule: tdm"), HasSubstr("machine.memory.arbitration: tdm"),
                           HasSubstr("measured")));
  EXPECT_THAT(r.out, IsEmpty());
}

TEST(wcet_command, a_scheme_without_an_analysis_is_refused_by_name) {
  for (const char* times : {"static", "measured"}) {
    const program_result r = wcet({runs + "synthetic.yaml", "--times", times, "--set", "machine.divergence=stack"});
    EXPECT_EQ(r.exit_code, 2) << times;
    EXPECT_THAT(r.err, HasSubstr("machine.divergence stack has no analysis"));
    EXPECT_THAT(r.out, IsEmpty());
  }
}

// A kernel of one workgroup, with a run file for it.
struct one_group {
  explicit one_group(const std::string& body) {
    std::ofstream(source.path()) << "#include <hip/hip_runtime.h>\n#include <pws.h>\n"
                                    "extern \"C\" __global__ void k(unsigned* out, const unsigned* in, unsigned n) {\n"
                                    "  unsigned x = in[threadIdx.x];\n"
                                 << body << "  out[threadIdx.x] = x;\n}\n";
    std::ofstream(yaml.path()) << fmt::format(
        "machine: {}\nprogram: {{source: {}, kernel: k}}\nlaunch: {{grid: [64], workgroup: [64]}}\narguments:\n"
        "- {{name: out, type: u32, count: 64}}\n- {{name: in, type: u32, count: 64, init: {{random: {{seed: 1, min: 0, "
        "max: 63}}}}}}\n- {{name: n, type: u32, value: 5}}\n",
        PWS_SOURCE_DIR "/configs/gpu/predictable.yaml", source.path());
  }
  temporary_file source{".hip"}, yaml{".yaml"};
};

TEST(wcet_command, every_loop_without_a_bound_is_named_with_what_is_missing) {
  const one_group kernel(
      "  for (unsigned j = 0; j < x; ++j) n += in[j & 63];\n"
      "  for (unsigned j = x; j != 63; j = in[j & 63]) n += j;\n"
      "  for (float f = 0; f < 8; f += 1) n += in[static_cast<unsigned>(f) + (x & 7)];\n  x = n;\n");
  const program_result r = wcet({kernel.yaml.path()});
  EXPECT_EQ(r.exit_code, 2);
  EXPECT_THAT(r.err, AllOf(HasSubstr(kernel.source.path() + ":5: the loop at k+0x"),
                           HasSubstr(kernel.source.path() + ":6: the loop at k+0x"), HasSubstr("PWS_LOOP_BOUND(n)"),
                           HasSubstr("the code does not say how often it goes round")))
      << r.out;
}

TEST(wcet_command, loops_that_the_code_counts_need_no_mark) {
  const program_result r = wcet({runs + "histogram.yaml", "--set", predictable_machine, "--observe"});
  EXPECT_EQ(r.exit_code, 0) << r.err;
  EXPECT_THAT(r.out, AllOf(HasSubstr("histogram.hip:20 at most "), HasSubstr("passes (counted by the code)")));
}

TEST(wcet_command, a_mark_that_the_code_contradicts_is_an_error_with_both_numbers) {
  const auto with_mark = [](unsigned bound) {
    return fmt::format(
        "#pragma unroll 1\n  for (unsigned j = 0; j < n; ++j) {{\n    PWS_LOOP_BOUND({});\n    x = x * 3 + in[(x + j) "
        "& 63];\n  }}\n",
        bound);
  };
  const program_result below = wcet({one_group(with_mark(4)).yaml.path()});
  EXPECT_EQ(below.exit_code, 2);
  EXPECT_THAT(
      below.err,
      AllOf(HasSubstr("makes 5 passes each time it is entered, what bounds it (PWS_LOOP_BOUND of line 6) allows 4"),
            HasSubstr(".hip:6: ")));
  const program_result right = wcet({one_group(with_mark(5)).yaml.path(), "--observe"});
  EXPECT_EQ(right.exit_code, 0) << right.err;
  EXPECT_THAT(right.out, HasSubstr("at most 5 iterations (PWS_LOOP_BOUND)"));
  const program_result above = wcet({one_group(with_mark(6)).yaml.path(), "--observe"});
  EXPECT_EQ(above.exit_code, 0) << above.err;
  EXPECT_THAT(above.out, HasSubstr("at most 5 passes (counted by the code; the marks allow 6)"));
}

TEST(wcet_command, bounds_are_suggested_for_loops_that_have_none) {
  // The second is not reached; the third counts itself.
  const one_group kernel(
      "  for (unsigned j = 0; j < in[n]; ++j) x = x * 3 + in[(x + j) & 63];\n"
      "  if (n == 6) for (unsigned j = x; j != 63; j = in[j & 63]) atomicAdd(out, 1);\n"
      "  for (unsigned j = 0; j < n; ++j) x = x * 5 + in[(x + j) & 63];\n");
  const std::string set = "arguments.in.init={constant: 9}";
  const program_result r = wcet({kernel.yaml.path(), "--suggest", "--set", set});
  ASSERT_EQ(r.exit_code, 0) << r.err;
  EXPECT_THAT(r.out,
              ::testing::ContainsRegex("wcet:\n  loops:.*\n  - \\{kernel: k, offset: 0x[0-9a-f]+, bound: 9\\}  # "
                                       ".*\\.hip:5, 9 in this run\n"));
  EXPECT_THAT(r.out, Not(HasSubstr(".hip:7")));
  // As it is, it goes into the run file; then nothing is left to suggest.
  std::ofstream(kernel.yaml.path(), std::ios::app) << r.out;
  const program_result bounded = wcet({kernel.yaml.path(), "--observe", "--set", set});
  EXPECT_EQ(bounded.exit_code, 0) << bounded.err << bounded.out;
  EXPECT_THAT(wcet({kernel.yaml.path(), "--suggest", "--set", set}).out, "every loop has a bound\n");
  EXPECT_EQ(wcet({kernel.yaml.path(), "--suggest", "--observe"}).exit_code, 2);
}

TEST(wcet_command, a_bound_that_is_too_small_is_seen) {
  // By the code, before anything runs.
  const program_result r = wcet({runs + "pointer_chase.yaml", "--set", predictable_machine, "--observe", "--set",
                                 "wcet.loops=[{line: 26, bound: 100}]"});
  EXPECT_EQ(r.exit_code, 2);
  EXPECT_THAT(r.err, HasSubstr("pointer_chase.hip:26: the loop at pointer_chase+0x30 makes 200 passes each time it is "
                               "entered, what bounds it (wcet.loops of line 26) allows 100"));
  // By the run, where data decides.
  const one_group kernel("  for (unsigned j = 0; j < in[n]; ++j) x = x * 3 + in[(x + j) & 63];\n");
  const program_result run = wcet({kernel.yaml.path(), "--observe", "--set", "arguments.in.init={constant: 9}", "--set",
                                   "wcet.loops=[{line: 5, bound: 8}]"});
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_THAT(run.out, HasSubstr(":5 took 9 iterations, wcet.loops says 8"));
}

TEST(wcet_command, a_bound_of_no_loop_is_an_error) {
  const auto said = [&](const std::string& loop) {
    const program_result r =
        wcet({runs + "histogram.yaml", "--set", predictable_machine, "--set",
              "wcet.loops=[{line: 20, bound: 9}, {line: 23, bound: 9}, {line: 25, bound: 9}, " + loop + "]"});
    EXPECT_EQ(r.exit_code, 2) << loop;
    return r.err;
  };
  EXPECT_THAT(said("{line: 3, bound: 4}"), HasSubstr("no loop statement begins at line 3, where a bound is stated"));
  EXPECT_THAT(said("{line: 20, file: other.hip, bound: 4}"),
              HasSubstr("no loop statement begins at other.hip line 20"));
  EXPECT_THAT(said("{offset: 0, bound: 4}"), AllOf(HasSubstr("wcet.loops"), HasSubstr("histogram+0x0 is in no loop")));
  EXPECT_THAT(said("{offset: 2, bound: 4}"), HasSubstr("no instruction of histogram begins at offset 0x2"));
  EXPECT_THAT(said("{label: .LBB77_1, bound: 4}"), HasSubstr("histogram has no label .LBB77_1"));
}

TEST(wcet_command, programs_without_an_analysis) {
  const temporary_file source(".s"), yaml(".yaml");
  const auto kernel = [&](const std::string& body) {
    std::ofstream(source.path()) << ".text\n.globl k\n.p2align 8\n.type k,@function\nk:\n" + body +
                                        "  s_endpgm\n.size k, .-k\n.rodata\n.p2align 6\n.amdhsa_kernel k\n"
                                        "  .amdhsa_next_free_vgpr 4\n  .amdhsa_next_free_sgpr 16\n.end_amdhsa_kernel\n"
                                        ".amdgpu_metadata\n---\namdhsa.version: [1, 1]\namdhsa.kernels:\n"
                                        "  - {.name: k, .symbol: k.kd, .kernarg_segment_size: 0, "
                                        ".kernarg_segment_align: 8, .group_segment_fixed_size: 0, "
                                        ".private_segment_fixed_size: 0, .wavefront_size: 64, .sgpr_count: 16, "
                                        ".vgpr_count: 4, .max_flat_workgroup_size: 256}\n...\n.end_amdgpu_metadata\n";
    std::ofstream(yaml.path()) << fmt::format(
        "machine: {}\nprogram: {{source: {}, kernel: k}}\nlaunch: {{grid: [64], workgroup: [64]}}\n",
        PWS_SOURCE_DIR "/configs/gpu/predictable.yaml", source.path());
    return wcet({yaml.path()});
  };
  const auto expect_refused = [&](const std::string& body, const std::string& message) {
    const program_result r = kernel(body);
    EXPECT_EQ(r.exit_code, 2) << body;
    EXPECT_THAT(r.err, HasSubstr(message)) << body;
  };
  EXPECT_EQ(kernel("  s_nop 0\n").exit_code, 0);
  expect_refused("  s_getpc_b64 s[4:5]\n  s_swappc_b64 s[6:7], s[4:5]\n", "a recursive call");
  expect_refused("  s_cbranch_scc1 .Lin\n.Lout:\n  s_nop 0\n.Lin:\n  s_nop 1\n  s_cbranch_scc0 .Lout\n",
                 "a loop with two entries");
  expect_refused("  .long 0xbf150000\n", "no split is open here");
  expect_refused("  s_nop 0\n  .long 0xbf150000\n", "no split is open here");
  expect_refused("  s_nop 0\n  .long 0xbf147f7e\n", "ends with a split open");
  expect_refused("  s_cbranch_scc1 .Lskip\n  .long 0xbf147f7e\n.Lskip:\n  .long 0xbf150000\n", "different splits open");
  expect_refused(".Lagain:\n  s_cbranch_scc0 .Lagain\n", "k+0x0 has no bound");
}

// A kernel that takes its loop `n` times; its mark says 10.
// How often its loop goes round the analysis does not see: it takes s9 - s9 for any number.
class marked_kernel {
 public:
  explicit marked_kernel(const std::string& settings = "") {
    std::ofstream(source_.path())
        << ".text\n.globl k\n.p2align 8\n.type k,@function\nk:\n  s_load_dword s4, s[0:1], 0x0\n"
           "  s_waitcnt lgkmcnt(0)\n  ;pws.loop enter 1 bound 10 mark 7 \"rounds.hip\"\n  s_nop 0\nagain:\n"
           "  ;pws.loop iterate 1\n  s_nop 1\n  s_sub_u32 s9, s9, s9\n  s_sub_u32 s4, s4, s9\n  s_sub_u32 s4, s4, 1\n"
           "  s_cmp_lg_u32 s4, 0\n"
           "  s_cbranch_scc1 again\n  s_endpgm\n.size k, .-k\n.rodata\n.p2align 6\n.amdhsa_kernel k\n"
           "  .amdhsa_user_sgpr_kernarg_segment_ptr 1\n  .amdhsa_next_free_vgpr 4\n  .amdhsa_next_free_sgpr 16\n"
           ".end_amdhsa_kernel\n.amdgpu_metadata\n---\namdhsa.version: [1, 1]\namdhsa.kernels:\n"
           "  - {.name: k, .symbol: k.kd, .kernarg_segment_size: 4, .kernarg_segment_align: 8, "
           ".group_segment_fixed_size: 0, .private_segment_fixed_size: 0, .wavefront_size: 64, .sgpr_count: 16, "
           ".vgpr_count: 4, .max_flat_workgroup_size: 256, .args: [{.name: rounds, .offset: 0, .size: 4, .value_kind: "
           "by_value}]}\n...\n.end_amdgpu_metadata\n";
    std::ofstream(yaml_.path()) << fmt::format(
        "machine: {}\nprogram: {{source: {}, kernel: k}}\nlaunch: {{grid: [64], workgroup: [64]}}\narguments:\n"
        "- {{name: rounds, type: u32, value: 10}}\n{}",
        PWS_SOURCE_DIR "/configs/gpu/predictable.yaml", source_.path(), settings);
  }
  program_result command(const std::string& name, unsigned n, std::vector<std::string> more) const {
    std::vector<std::string> all{PWS_CLI, name, yaml_.path(), "--set", fmt::format("arguments.rounds.value={}", n)};
    all.insert(all.end(), more.begin(), more.end());
    return run_program(all);
  }

 private:
  temporary_file source_{".s"}, yaml_{".yaml"};
};

const char* const eleven = "loop at rounds.hip:7 took 11 iterations, PWS_LOOP_BOUND says 10";

TEST(loop_bounds_command, run_counts_if_asked) {
  const marked_kernel k;
  for (const char* fidelity : {"functional", "timing"}) {
    const std::string in = std::string("machine.fidelity=") + fidelity;
    const temporary_file report(".json");
    EXPECT_EQ(k.command("run", 11, {"--set", in}).exit_code, 0);
    const program_result kept =
        k.command("run", 10, {"--set", in, "--set", "machine.check.loop_bounds=true", "--report", report.path()});
    EXPECT_EQ(kept.exit_code, 0) << kept.err;
    EXPECT_THAT(kept.out, HasSubstr("loop bounds  1 marked loops counted"));
    EXPECT_EQ(nlohmann::json::parse(report.contents()).at("counted_loops").at("value"), 1);
    const program_result broken = k.command("run", 11, {"--set", in, "--set", "machine.check.loop_bounds=true"});
    EXPECT_EQ(broken.exit_code, 1);
    EXPECT_THAT(broken.out, AllOf(HasSubstr("kernel k, workgroup (0,0,0), wavefront 0 (cu0.simd0.wf0), pc 0x"),
                                  HasSubstr(std::string(": s_nop 1, lane 0: ") + eleven)));
  }
}

TEST(loop_bounds_command, run_says_that_there_is_nothing_to_count) {
  const program_result r =
      run_program({PWS_CLI, "run", runs + "vector_add.yaml", "--set", "machine.check.loop_bounds=true"});
  EXPECT_EQ(r.exit_code, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("loop bounds  none: the kernel carries no PWS_LOOP_BOUND"));
}

TEST(loop_bounds_command, wcet_counts_when_it_observes) {
  const temporary_file report(".json");
  // The time would fit: the bound that the analysis takes is larger.
  const marked_kernel k("wcet: {loops: [{offset: 0x10, bound: 20}]}\n");
  const program_result kept = k.command("wcet", 10, {"--observe", "--report", report.path()});
  EXPECT_EQ(kept.exit_code, 0) << kept.out << kept.err;
  EXPECT_EQ(nlohmann::json::parse(report.contents()).at("observed").count("broken"), 0u);
  EXPECT_EQ(k.command("wcet", 11, {}).exit_code, 0) << "it does not run";
  const program_result broken = k.command("wcet", 11, {"--observe", "--report", report.path()});
  EXPECT_EQ(broken.exit_code, 1);
  EXPECT_THAT(broken.out, HasSubstr(std::string("s_nop 1, lane 0: ") + eleven));
  const auto observed = nlohmann::json::parse(report.contents()).at("observed");
  EXPECT_EQ(observed.at("completed"), false);
  EXPECT_EQ(observed.at("broken"), eleven);
  EXPECT_THAT(observed.at("error").get<std::string>(), HasSubstr("kernel k, workgroup (0,0,0)"));
}

TEST(loop_bounds_command, wcet_counts_where_it_measures) {
  const marked_kernel k("wcet: {loops: [{offset: 0x10, bound: 20}]}\n");
  EXPECT_EQ(k.command("wcet", 10, {"--times", "measured"}).exit_code, 0);
  const program_result broken = k.command("wcet", 11, {"--times", "measured"});
  EXPECT_EQ(broken.exit_code, 1);
  EXPECT_THAT(broken.err, HasSubstr(eleven));
}

// Time 0 is said where it is taken.
TEST(loop_bounds_command, blocks_that_were_not_measured_are_named) {
  const program_result all =
      marked_kernel("wcet: {loops: [{offset: 0x10, bound: 20}]}\n").command("wcet", 10, {"--times", "measured"});
  EXPECT_EQ(all.exit_code, 0) << all.err;
  EXPECT_THAT(all.out, Not(HasSubstr("not executed")));
  const program_result r =
      run_program({PWS_CLI, "wcet", runs + "vector_add.yaml", "--times", "measured", "--set", "arguments.n.value=0"});
  EXPECT_EQ(r.exit_code, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr(" blocks were not executed, the first at "));
}

// `check` does without a machine on which bounds can be computed, and without running.
TEST(loop_bounds_command, check_holds_stated_bounds_against_the_code) {
  const auto checked = [](const std::string& loops) {
    const program_result r =
        marked_kernel("wcet: {loops: [" + loops + "]}\n")
            .command("check", 10, {"--set", "machine=" PWS_SOURCE_DIR "/configs/gpu/default.yaml"});
    EXPECT_EQ(r.exit_code, r.err.empty() ? 0 : 2) << r.out << r.err;
    return r.err;
  };
  for (const char* good :
       {"{offset: 0x10, bound: 6}", "{label: again, bound: 6}", "{kernel: k, label: again, bound: 6}", ""})
    EXPECT_EQ(checked(good), "") << good;
  const std::string place = ".yaml:6:16: wcet.loops: ";
  EXPECT_THAT(checked("{label: agian, bound: 6}"), HasSubstr(place + "k has no label agian"));
  EXPECT_THAT(checked("{label: again, bound: 6}, {label: agian, bound: 6}"), HasSubstr("k has no label agian"));
  EXPECT_THAT(checked("{offset: 0x11, bound: 6}"), HasSubstr(place + "no instruction of k begins at offset 0x11"));
  EXPECT_THAT(checked("{offset: 0, bound: 6}"), HasSubstr(place + "k+0x0 is in no loop"));
  EXPECT_THAT(checked("{kernel: other, offset: 0x10, bound: 6}"), HasSubstr(place + "no kernel is called other"));
  EXPECT_THAT(checked("{line: 3, bound: 6}"), HasSubstr("a bound by line needs a HIP source"));
  const auto hip = [](const std::string& loop) {
    return run_program({PWS_CLI, "check", runs + "histogram.yaml", "--set", "wcet.loops=[" + loop + "]"});
  };
  EXPECT_EQ(hip("{line: 20, bound: 9}").exit_code, 0);
  EXPECT_THAT(hip("{line: 3, bound: 4}").err, HasSubstr("no loop statement begins at line 3"));
  EXPECT_THAT(hip("{label: .LBB77_1, bound: 4}").err, HasSubstr("histogram has no label .LBB77_1"));
}

TEST(loop_bounds_command, a_bound_by_address_is_counted) {
  const marked_kernel k("wcet: {loops: [{offset: 0x10, bound: 6}]}\n");
  EXPECT_EQ(k.command("wcet", 6, {"--observe"}).exit_code, 0);
  const program_result broken = k.command("wcet", 7, {"--observe"});
  EXPECT_EQ(broken.exit_code, 1);
  EXPECT_THAT(broken.out, HasSubstr("loop at k+0x10 took 7 iterations, wcet.loops says 6"));
}

TEST(wcet_command, a_program_that_does_not_fit_the_locked_instruction_memory) {
  const program_result r = wcet({runs + "synthetic.yaml", "--set", "machine.memory.instruction_cache.size_kib=1"});
  EXPECT_EQ(r.exit_code, 2);
  EXPECT_THAT(r.err, HasSubstr("more than the instruction cache that it is locked in"));
}

TEST(wcet_command, a_code_object_with_bounds_by_address) {
  const temporary_file object(".hsaco"), yaml(".yaml");
  const program_result compiled = run_program({PWSCC, "--split=all", "-S", "1", "-O3", "-std=c++17",
                                               PWS_SOURCE_DIR "/sw/kernels/fully_divergent.hip", "-o", object.path()});
  ASSERT_EQ(compiled.exit_code, 0) << compiled.err;
  const auto write = [&](const std::string& loops) {
    std::ofstream(yaml.path()) << fmt::format(
        "machine: {{base: {}, divergence: pws, spsimd_per_simd: 1}}\nprogram: {{source: {}, kernel: fully_divergent}}\n"
        "launch: {{grid: [64], workgroup: [64]}}\narguments:\n- {{name: data, type: u32, count: 64, init: {{constant: "
        "1}}}}\n"
        "- {{name: then_mask, type: u64, value: 0x5555555555555555}}\n- {{name: rounds, type: u32, value: 16}}\n"
        "- {{name: n, type: u32, value: 64}}\nwcet:\n  loops: [{}]\n",
        PWS_SOURCE_DIR "/configs/gpu/predictable.yaml", object.path(), loops);
  };
  const auto remove_assembly = [&] {
    const program_result stripped =
        run_program({PWS_LLVM_OBJCOPY, "--remove-section=.pws.assembly", object.path(), object.path()});
    ASSERT_EQ(stripped.exit_code, 0) << stripped.err;
  };
  // Where loops are is said of code without lines, as another compiler's is.
  const std::string with_lines = object.contents();
  remove_assembly();
  write("");
  const std::string said = wcet({yaml.path()}).out;
  std::ofstream(object.path(), std::ios::binary) << with_lines;
  std::vector<std::string> offsets;
  const std::regex loop(R"(\+(0x[0-9a-f]+) at most 16 passes \(counted by the code\))");
  for (std::sregex_iterator at(said.begin(), said.end(), loop), end; at != end; ++at) offsets.push_back((*at)[1]);
  ASSERT_EQ(offsets.size(), 2u) << said;
  write(fmt::format("{{offset: {}, bound: 16}}, {{offset: {}, bound: 16}}", offsets[0], offsets[1]));
  const program_result r = wcet({yaml.path(), "--observe"});
  EXPECT_EQ(r.exit_code, 0) << r.out << r.err;
  // It carries its assembly, and so the loops' lines.
  EXPECT_THAT(r.out, AllOf(HasSubstr("fully_divergent.hip:"), HasSubstr("at most 16 iterations (wcet.loops)"),
                           HasSubstr("1 of 1 find")));
  remove_assembly();
  const program_result bare = wcet({yaml.path(), "--observe"});
  EXPECT_EQ(bare.exit_code, 0) << bare.out << bare.err;
  EXPECT_THAT(bare.out, AllOf(HasSubstr("+" + offsets[0] + " at most 16 iterations"), HasSubstr("1 of 1 find")));
}

// Each instance of a kernel that is a template has its own bounds.
TEST(wcet_command, instances_of_a_template) {
  const temporary_file source(".hip"), yaml(".yaml");
  std::ofstream(source.path()) << "#include <hip/hip_runtime.h>\n#include <pws.h>\n"
                                  "template <unsigned n> __global__ void sum(unsigned* data) {\n"
                                  "  unsigned x = data[threadIdx.x];\n#pragma unroll 1\n"
                                  "  for (unsigned k = 0; k < n; ++k) {\n    PWS_LOOP_BOUND(n);\n    x = x * x + k;\n"
                                  "  }\n  data[threadIdx.x] = x;\n}\n"
                                  "template __global__ void sum<5>(unsigned*);\ntemplate __global__ void "
                                  "sum<70>(unsigned*);\n";
  for (const int n : {5, 70}) {
    std::ofstream(yaml.path()) << fmt::format(
        "machine: {}\nprogram: {{source: {}, kernel: 'void sum<{}u>(unsigned int*)'}}\nlaunch: {{grid: [64], "
        "workgroup: [64]}}\narguments:\n- {{name: data, type: u32, count: 64}}\n",
        PWS_SOURCE_DIR "/configs/gpu/predictable.yaml", source.path(), n);
    const program_result r = wcet({yaml.path(), "--observe"});
    EXPECT_EQ(r.exit_code, 0) << r.out << r.err;
    EXPECT_THAT(r.out, AllOf(HasSubstr(fmt::format("at most {} iterations", n)), HasSubstr("bound / observed 1.")));
  }
}

program_result graph(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {PWS_CLI, "graph"});
  return run_program(arguments);
}

TEST(graph_command, table_2) {
  const std::string file = PWS_SOURCE_DIR "/configs/graphs/figure8.yaml";
  const uint64_t expected[][3] = {{60, 60, 60}, {60, 52, 123}, {60, 49, 190}, {60, 51, 261}};
  for (size_t s = 0; s < std::size(expected); ++s) {
    const temporary_file report(".json");
    const program_result r = graph({file, "--set", fmt::format("S={}", s), "--report", report.path()});
    ASSERT_EQ(r.exit_code, 0) << r.err;
    const auto bounds = nlohmann::json::parse(report.contents()).at("bounds");
    size_t k = 0;
    for (const char* scheme : {"none", "pws", "dws"})
      EXPECT_EQ(bounds.at(scheme).at("E_kernel").at("value"), expected[s][k++]) << scheme << ", S = " << s;
  }
  const program_result two = graph({file, "--set", "S=2"});
  EXPECT_THAT(two.out, AllOf(HasSubstr("9 -> 10, 2 -> 3, 12 -> 13"), HasSubstr("S_B           1, 2, 7")));
}

// Select takes the marked branches only. By hand, from the costs of Fig. 8 (e1 + e2 + e4 is 14 in the longest path):
// - 13 alone: sides 1 and 2 of it, so the 59 cycles without splitting lose 1; split and merge cost 2.
// - 2 and 7, in sequence, share a context: 59 - 3 - 4 + 2 * 2.
// - 1 and 13: 13 is in the shorter side of 1, whose 10 cycles go; Eq. 3 charges it all the same: 59 - 10 + 2 * 2.
TEST(graph_command, marked_branches) {
  const std::string file = PWS_SOURCE_DIR "/configs/graphs/figure8.yaml";
  struct {
    std::vector<size_t> marked;  // places in the file's branches: at 1, 2, 7, 13
    size_t s;
    const char* selected;
    uint64_t e_kernel;  // with d = 1
  } const expected[] = {{{}, 3, "none", 60},    {{3}, 1, "13", 61},       {{1, 2}, 1, "2, 7", 57},
                        {{0, 3}, 1, "1", 52},   {{0, 3}, 2, "1, 13", 54}, {{0, 1, 2, 3}, 2, "1, 2, 7", 49},
                        {{0, 3}, 0, "none", 60}};
  for (const auto& e : expected) {
    const temporary_file report(".json");
    std::vector<std::string> words{file,           "--report", report.path(),           "--set",
                                   "split=marked", "--set",    fmt::format("S={}", e.s)};
    for (const size_t k : e.marked) words.insert(words.end(), {"--set", fmt::format("branches.{}.marked=true", k)});
    const program_result r = graph(words);
    ASSERT_EQ(r.exit_code, 0) << r.err;
    EXPECT_THAT(r.out, HasSubstr(fmt::format("S_B           {}\n", e.selected)));
    const auto json = nlohmann::json::parse(report.contents());
    EXPECT_EQ(json.at("bounds").at("pws").at("E_kernel").at("value"), e.e_kernel) << e.selected;
    EXPECT_EQ(json.at("marked").size(), e.marked.size());
    EXPECT_EQ(json.at("split"), "marked");
  }
}

TEST(graph_command, ways_to_choose) {
  const std::string file = PWS_SOURCE_DIR "/configs/graphs/figure8.yaml";
  // The third context has no use: 13 would save one cycle where there are 26 to spare.
  EXPECT_THAT(graph({file, "--set", "S=3", "--set", "split=auto"}).out, HasSubstr("S_B           1, 2, 7\n"));
  EXPECT_THAT(graph({file, "--set", "S=3", "--set", "split=none"}).out, HasSubstr("S_B           none\n"));
  const program_result all = graph({file, "--set", "S=3", "--set", "branches.1.marked=true"});
  EXPECT_THAT(all.out, AllOf(HasSubstr("marked        2 (without effect: split is all)"),
                             HasSubstr("S_B           1, 2, 7, 13\n")));
  const program_result bad = graph({file, "--set", "split=most", "--set", "branches.1.marked=2"});
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_THAT(bad.err, AllOf(HasSubstr("split"), HasSubstr("branches.1.marked")));
}

TEST(graph_command, bad_graphs) {
  const temporary_file yaml(".yaml");
  const auto refused = [&](const char* text) {
    std::ofstream(yaml.path()) << text;
    const program_result r = graph({yaml.path()});
    EXPECT_EQ(r.exit_code, 2) << text << r.out;
    return r.err;
  };
  EXPECT_THAT(
      refused("blocks:\n- {name: a, cycles: 1, next: [bb]}\n- {name: b, cycles: -1}\n- {name: b, cycles: 1}\n"
              "branches:\n- {at: a, then: b, else: b, reconv: c}\nS: 64\n"),
      AllOf(HasSubstr(":2:30: blocks.0.next: 'bb' is no block"), HasSubstr(":3:21: blocks.1.cycles: -1 is below"),
            HasSubstr(":4:3: blocks.2: there is a block 'b' already"),
            HasSubstr("branches.0.bsb: this key is required and missing"),
            HasSubstr("branches.0.reconv: 'c' is no block"), HasSubstr("S: 64 is above the maximum")));
  // Back edges, blocks that nothing leads to, branches whose sides are not where they are said to be.
  EXPECT_THAT(refused("blocks:\n- {name: a, cycles: 1, next: [b]}\n- {name: b, cycles: 1, next: [a]}\n"),
              Not(IsEmpty()));
  EXPECT_THAT(refused("blocks:\n- {name: a, cycles: 1}\n- {name: b, cycles: 1}\n"), Not(IsEmpty()));
  EXPECT_THAT(refused("blocks:\n- {name: a, cycles: 1, next: [b]}\n- {name: b, cycles: 1}\nbranches:\n"
                      "- {at: a, then: b, bsb: a, else: b, reconv: b}\n"),
              Not(IsEmpty()));
  EXPECT_THAT(refused("blocks: []\n"), Not(IsEmpty()));
}

}  // namespace
}  // namespace pws::test::command_line_test
