// SPDX-License-Identifier: Apache-2.0
// pwsvp as a process: exit codes, where messages go, and the files that it leaves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/integration/child_process.h"
#include "tests/integration/child_run.h"
#include "tests/integration/vcd_parser.h"

namespace pws::test::command_line_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

const std::string quickstart = PWS_SOURCE_DIR "/configs/runs/quickstart.yaml";

program_result pwsvp(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), PWS_CLI);
  return run_program(arguments);
}

size_t times_in(const std::string& text, const std::string& words) {
  size_t n = 0;
  for (size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) ++n;
  return n;
}

void write(const temporary_file& f, const std::string& text) {
  std::ofstream(f.path()) << text;
}

// A run file for a kernel of errors.hip or errors.s.
std::string run_yaml(const std::string& file, const std::string& kernel, const std::string& arguments) {
  return "machine: " PWS_SOURCE_DIR "/configs/gpu/default.yaml\nprogram: {source: " PWS_SOURCE_DIR
         "/tests/integration/data/" +
         file + ", kernel: " + kernel + "}\nlaunch: {grid: [64], workgroup: [64]}\narguments:" + arguments + "\n";
}

TEST(command_line, run_passes) {
  const program_result r = pwsvp({"run", quickstart});
  EXPECT_EQ(r.exit_code, 0);
  EXPECT_THAT(r.out, AllOf(HasSubstr("vector_add"), HasSubstr("cycles"), HasSubstr("\nPASS\n")));
  EXPECT_THAT(r.err, IsEmpty());
}

TEST(command_line, quiet_run_prints_nothing) {
  const program_result r = pwsvp({"run", quickstart, "--quiet"});
  EXPECT_EQ(r.exit_code, 0);
  EXPECT_THAT(r.out, IsEmpty());
  EXPECT_THAT(r.err, IsEmpty());
}

TEST(command_line, functional_run_passes) {
  EXPECT_EQ(pwsvp({"run", quickstart, "--set", "machine.fidelity=functional"}).exit_code, 0);
}

TEST(command_line, wrong_output_is_exit_1) {
  const program_result r = pwsvp({"run", quickstart, "--set", "arguments.n.value=999"});
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_THAT(r.out, AllOf(HasSubstr("FAIL"), HasSubstr("999")));
}

TEST(command_line, program_error_is_exit_1) {
  const temporary_file yaml(".yaml"), report(".json"), vcd(".vcd");
  write(yaml, run_yaml("errors.s", "trap", " []"));
  const program_result r = pwsvp({"run", yaml.path(), "--report", report.path(), "--vcd", vcd.path()});
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_THAT(r.out, AllOf(HasSubstr("error: kernel trap, workgroup (0,0,0), wavefront 0"), HasSubstr("FAIL")));
  EXPECT_EQ(nlohmann::json::parse(report.contents()).at("result").at("pass"), false);
  EXPECT_GT(parse_vcd(vcd.contents()).signals.size(), 100u);
  EXPECT_EQ(times_in(r.out + r.err, "the program trapped"), 1u);
}

// Nothing on standard output, and one line that says what is wrong.
TEST(command_line, quiet_run_says_what_failed) {
  const temporary_file yaml(".yaml");
  const auto expect_said = [](std::vector<std::string> arguments, const std::string& message) {
    arguments.emplace_back("--quiet");
    const program_result r = pwsvp(arguments);
    EXPECT_EQ(r.exit_code, 1) << r.err;
    EXPECT_THAT(r.out, IsEmpty());
    EXPECT_EQ(times_in(r.err, message), 1u) << r.err;
    EXPECT_THAT(r.err, StartsWith("error: "));
  };
  expect_said({"run", quickstart, "--set", "arguments.n.value=999"}, "error: c: FAIL: c: 1 of 1000 elements differ");
  for (const char* fidelity : {"machine.fidelity=timing", "machine.fidelity=functional"}) {
    write(yaml, run_yaml("errors.s", "trap", " []"));
    expect_said({"run", yaml.path(), "--set", fidelity}, "the program trapped");
    write(yaml, run_yaml("errors.s", "null_store", " []"));
    expect_said({"run", yaml.path(), "--set", fidelity}, "outside every allocation");
    write(yaml, run_yaml("errors.s", "spin", " []"));
    expect_said({"run", yaml.path(), "--set", fidelity, "--set", "machine.limits.max_cycles=1000", "--set",
                 "machine.limits.max_instructions=1000"},
                "reached: 1000");
  }
}

TEST(command_line, bad_input_is_exit_2) {
  const temporary_file yaml(".yaml");
  const auto expect_bad = [](const std::vector<std::string>& arguments, const std::string& message) {
    SCOPED_TRACE(testing::PrintToString(arguments));
    const program_result r = pwsvp(arguments);
    EXPECT_EQ(r.exit_code, 2);
    EXPECT_THAT(r.err, HasSubstr(message));
    EXPECT_THAT(r.out, IsEmpty());
  };
  for (const char* command : {"run", "check"}) {
    expect_bad({command, "/nowhere/run.yaml"}, "/nowhere/run.yaml");
    expect_bad({command, quickstart, "--set", "machine.n_cuu=1"}, "n_cu");
    expect_bad({command, quickstart, "--set", "machine.n_cu=0"}, "n_cu");
    expect_bad({command, quickstart, "--set", "program.source=/nowhere/k.hip"}, "/nowhere/k.hip");
    expect_bad({command, quickstart, "--set", "program.kernel=vector_ad"}, "vector_add");
    expect_bad({command, quickstart, "--set", "arguments.n.type=u64"},
               ": arguments.n: kernel vector_add, argument 3: the kernel takes 4 bytes, 8 are given");
    expect_bad({command, quickstart, "--set", "machine.vgprs_per_simd=4"}, "launch.workgroup: kernel vector_add: ");
    expect_bad({command, quickstart, "--set", "machine.memory.dram.size_mib=1", "--set", "arguments.c.count=260000",
                "--set", "expect.c.count=1000"},
               "quickstart.yaml:9:5: arguments.c: device memory exhausted: argument c needs 1040000 bytes, ");
    expect_bad({command, quickstart, "--set", "launch.grid=1000"},
               "launch.grid: 1000 work-items in x are no multiple of the workgroup's 256");
    expect_bad({command}, "CONFIG");
  }
  expect_bad({"run", quickstart, "--set", "program.kernel=vector_ad"}, "vector_add");
  write(yaml, run_yaml("errors.hip", "good", " []"));
  expect_bad({"run", yaml.path()}, "takes 1 arguments, 0 are given");
  expect_bad({"run", quickstart, "--vcd", "/dev/null/wave.vcd"}, "/dev/null/wave.vcd");
  expect_bad({"run", quickstart, "--vcd", "wave.txt"}, ".vcd or .fst");
  expect_bad({"run", quickstart, "--timeline", "/dev/null/t.json"}, "/dev/null/t.json");
  expect_bad({"run", quickstart, "--set", "machine.fidelity=functional", "--vcd", yaml.path() + ".vcd"}, "--vcd");
  expect_bad({"disasm", "/nowhere/k.hip"}, "/nowhere/k.hip");
  expect_bad({"disasm", PWS_SOURCE_DIR "/sw/kernels/saxpy.hip", "--kernel", "saxpi"}, "saxpy");
  expect_bad({"disasm", quickstart}, "quickstart.yaml");
}

// Names with bytes that steer a terminal: in messages they are visible, and a line break of theirs begins no line.
TEST(command_line, messages_show_control_bytes) {
  const std::string odd = "odd\nname\x1b[31m", shown = "odd\\x0aname\\x1b[31m";
  const auto expect_shown = [&shown](const std::vector<std::string>& arguments, const std::string& message) {
    SCOPED_TRACE(testing::PrintToString(arguments));
    const program_result r = pwsvp(arguments);
    EXPECT_EQ(r.exit_code, 2);
    EXPECT_THAT(r.err, HasSubstr(message));
    EXPECT_THAT(r.err, HasSubstr(shown));
    EXPECT_THAT(r.out, IsEmpty());
    EXPECT_EQ(r.err.find('\x1b'), std::string::npos);
    EXPECT_EQ(r.err.find("\nname"), std::string::npos);
  };
  for (const char* command : {"run", "check", "wcet", "tasks", "reconvergence", "graph", "sweep"})
    expect_shown({command, odd}, shown + ":1:1: cannot be read");
  expect_shown({"report", odd}, shown + "/table.csv: not there");
  EXPECT_FALSE(std::filesystem::exists(odd)) << "it makes no folder for a page that cannot be";
  expect_shown({"disasm", odd}, shown + ": no such file");
  expect_shown({"disasm", PWS_SOURCE_DIR "/sw/kernels/saxpy.hip", "--kernel", odd}, "no kernel '" + shown + "'");
  expect_shown({"exec", odd, "--", "true"}, shown + ":1:1: cannot be read");
  expect_shown({"exec", PWS_SOURCE_DIR "/configs/gpu/default.yaml", "--", odd}, shown + ": cannot be started");
  expect_shown({"params", odd}, "there is no key '" + shown + "'");
  expect_shown({"reference", odd}, "PART: " + shown + " not in");
  expect_shown({"manual", odd}, "there is no page '" + shown + "'");
  expect_shown({"run", quickstart, "--" + odd}, "not expected: --" + shown + "\n");
  expect_shown({"run", quickstart, "--progress=" + odd}, "--progress: Value " + shown + " not in range");
  expect_shown({"run", quickstart, "--set", odd + "=1"}, "--set: " + shown + ": unknown key");
  for (const char* option : {"--report", "--timeline"})
    expect_shown({"run", quickstart, option, "/dev/null/" + odd},
                 std::string(option) + " /dev/null/" + shown + ": cannot");
  expect_shown({"run", quickstart, "--vcd", odd}, "--vcd " + shown + ": the file's name must end in .vcd");
  expect_shown({"wcet", quickstart, "--times", odd}, "--times: " + shown + " not in");
  // A folder's odd name, as part of the name of a file in it.
  const temporary_file folder("\n\x1b");
  std::filesystem::create_directory(folder.path());
  std::ofstream(folder.path() + "/run.yaml") << run_yaml("errors.s", "trap", " []") << "lunch: 1\n";
  const program_result r = pwsvp({"check", folder.path() + "/run.yaml"});
  std::filesystem::remove_all(folder.path());
  EXPECT_EQ(r.exit_code, 2);
  EXPECT_THAT(r.err, HasSubstr("\\x0a\\x1b/run.yaml:5:1: lunch: unknown key"));
}

TEST(command_line, wrong_usage_is_exit_2) {
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {}, {"walk"}, {"run", quickstart, "--frequency", "3"}, {"params", "all"}}) {
    SCOPED_TRACE(testing::PrintToString(arguments));
    const program_result r = pwsvp(arguments);
    EXPECT_EQ(r.exit_code, 2);
    EXPECT_FALSE(r.err.empty());
  }
}

TEST(command_line, report_that_cannot_be_written_is_exit_2) {
  const program_result r = pwsvp({"run", quickstart, "--report", "/dev/null/r.json"});
  EXPECT_EQ(r.exit_code, 2);
  EXPECT_THAT(r.err, HasSubstr("/dev/null/r.json: cannot be written: Not a directory"));
}

TEST(command_line, check) {
  const program_result r = pwsvp({"check", quickstart});
  EXPECT_EQ(r.exit_code, 0);
  EXPECT_THAT(r.out, AllOf(HasSubstr("vector_add"), HasSubstr("no problem")));
}

TEST(command_line, check_of_other_files) {
  const std::string configs = PWS_SOURCE_DIR "/configs/";
  for (const auto& [file, kind] :
       {std::pair{"gpu/default.yaml", "a machine"}, std::pair{"graphs/figure8.yaml", "a graph"},
        std::pair{"experiments/fig12.yaml", "an experiment of 8 points"}}) {
    const program_result r = pwsvp({"check", configs + file});
    EXPECT_EQ(r.exit_code, 0) << r.err;
    EXPECT_THAT(r.out, AllOf(HasSubstr(kind), HasSubstr("no problem")));
  }
  const temporary_file yaml(".yaml");
  const auto expect_bad = [&yaml](const std::string& text, const std::string& message) {
    write(yaml, text);
    const program_result r = pwsvp({"check", yaml.path()});
    EXPECT_EQ(r.exit_code, 2) << text;
    EXPECT_THAT(r.err, HasSubstr(yaml.path() + message)) << text;
  };
  expect_bad("n_cu: 0\nn_simd: 4\n", ":1:7: machine.n_cu: ");
  expect_bad("fetch_bytes: 64\n", ":1:14: machine.ibuf_dwords: ");
  expect_bad("title: Points\ncommand: run\nconfg: x.yaml\n", ":3:1: confg: unknown key; did you mean config?");
  expect_bad("machine: {n_cuu: 3}\nexec: {summary: false}\n", ":1:11: machine.n_cuu: ");
}

TEST(command_line, grids) {
  const auto cycles = [](const std::vector<std::string>& overrides) {
    std::vector<std::string> command{"run", quickstart};
    for (const std::string& o : overrides) command.insert(command.end(), {"--set", o});
    const program_result r = pwsvp(command);
    EXPECT_NE(r.exit_code, 2) << r.out << r.err;  // blockDim.x is another one in the partial group
    return r.out.substr(r.out.find("launch"), r.out.find("wavefronts\n") - r.out.find("launch"));
  };
  EXPECT_EQ(cycles({"launch.blocks=[4]"}), cycles({}));
  EXPECT_THAT(cycles({"launch.grid=1000", "launch.partial_workgroups=true"}), HasSubstr("1000x1x1 work-items"));
}

TEST(command_line, every_run_file_passes_its_check) {
  for (const char* name : {"vector_add",        "saxpy",
                           "matrix_multiply",   "matrix_multiply_tiled",
                           "reduction",         "reduction_f32",
                           "bfs_step",          "bfs_update",
                           "needleman_wunsch",  "needleman_wunsch_batch",
                           "histogram",         "divergent_break",
                           "pointer_chase",     "pointer_chase_scalar",
                           "pointer_chase_lds", "fully_divergent",
                           "alu_chain",         "spiking_neuron",
                           "synthetic",         "odd_even_loop",
                           "quickstart"}) {
    const program_result r = pwsvp({"run", PWS_SOURCE_DIR "/configs/runs/" + std::string(name) + ".yaml"});
    EXPECT_EQ(r.exit_code, 0) << name << '\n' << r.out << r.err;
  }
}

// Commands, options and names that are nearly right.
TEST(command_line, suggests_what_was_meant) {
  const auto expect_said = [](const std::vector<std::string>& arguments, const std::string& said) {
    SCOPED_TRACE(testing::PrintToString(arguments));
    const program_result r = pwsvp(arguments);
    EXPECT_EQ(r.exit_code, 2);
    EXPECT_THAT(r.err, testing::StartsWith(said + "\n"));
  };
  expect_said({"runn", quickstart}, "there is no command 'runn'; did you mean run?");
  expect_said({"runn"}, "there is no command 'runn'; did you mean run?");
  expect_said({"--quiet", "comletion"}, "there is no command 'comletion'; did you mean completion?");
  expect_said({"walk"}, "there is no command 'walk'");
  expect_said({}, "A subcommand is required");
  expect_said({"run", quickstart, "--reprt", "r.json"},
              "The following arguments were not expected: r.json --reprt; did you mean --report?");
  expect_said({"run", quickstart, "--reprt=r.json"},
              "The following argument was not expected: --reprt=r.json; did you mean --report?");
  expect_said({"exec", quickstart, "--fidelty", "timing", "--", "x", "--reprt"},
              "The following arguments were not expected: --reprt x; did you mean --fidelity?");
  expect_said({"params", "--yml"}, "The following argument was not expected: --yml; did you mean --yaml?");
  expect_said({"run", quickstart, "--frequency"}, "The following argument was not expected: --frequency");
  expect_said({"wcet", quickstart, "--times", "statc"},
              "--times: statc not in {static,measured}; did you mean static?");
  expect_said({"reference", "exit-code"},
              "PART: exit-code not in "
              "{run,wcet,exec,graph,reconvergence,cost,soc,tasks,compiler,sweep,functions,signals,registers,"
              "exit-codes}; did you mean exit-codes?");
}

// As wide as a terminal: what has lines of its own, not files (--yaml, --json) and code.
TEST(command_line, listings_fit_a_hundred_columns) {
  std::vector<std::vector<std::string>> listings = {
      {"params"}, {"params", "machine"}, {"params", "dwf"}, {"--help"}, {"reference"}};
  const program_result help = pwsvp({"--help"});
  std::istringstream lines(help.out.substr(help.out.find("Subcommands:")));
  std::string line, name;
  std::getline(lines, line);
  while (std::getline(lines, line))
    if (line.size() > 3 && line.compare(0, 2, "  ") == 0 && line[2] != ' ')
      listings.push_back({line.substr(2, line.find(' ', 2) - 2), "--help"});
  EXPECT_GE(listings.size(), 15u);
  for (const std::vector<std::string>& listing : listings) {
    std::istringstream text(pwsvp(listing).out);
    size_t n = 0;
    for (; std::getline(text, line); ++n) EXPECT_LE(line.size(), 100u) << listing.front() << ": " << line;
    EXPECT_GT(n, 3u) << listing.front();
  }
}

TEST(command_line, help_and_version) {
  const program_result help = pwsvp({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_THAT(help.out, AllOf(HasSubstr("run"), HasSubstr("check"), HasSubstr("params"), HasSubstr("disasm"),
                              HasSubstr("Exit codes")));
  EXPECT_EQ(pwsvp({"run", "--help"}).exit_code, 0);
  EXPECT_EQ(pwsvp({"--version"}).exit_code, 0);
}

TEST(command_line, params) {
  const program_result r = pwsvp({"params"});
  EXPECT_EQ(r.exit_code, 0);
  EXPECT_THAT(r.out, AllOf(HasSubstr("n_cu"), HasSubstr("memory.dram.t_rcd"), HasSubstr("launch.grid")));
  const program_result yaml = pwsvp({"params", "--yaml"});
  EXPECT_EQ(yaml.exit_code, 0);
  // What it prints is a machine file.
  const temporary_file machine(".yaml");
  write(machine, yaml.out);
  EXPECT_EQ(pwsvp({"run", quickstart, "--set", "machine.base=" + machine.path()}).exit_code, 0);
}

TEST(command_line, disasm) {
  const program_result r = pwsvp({"disasm", PWS_SOURCE_DIR "/sw/kernels/pointer_chase.hip"});
  EXPECT_EQ(r.exit_code, 0);
  EXPECT_THAT(r.out, AllOf(HasSubstr("pointer_chase_lds:"), HasSubstr("pointer_chase_scalar:"), HasSubstr("s_endpgm")));
  const program_result one =
      pwsvp({"disasm", PWS_SOURCE_DIR "/sw/kernels/pointer_chase.hip", "--kernel", "pointer_chase_lds"});
  EXPECT_THAT(one.out, AllOf(HasSubstr("pointer_chase_lds:"), HasSubstr("ds_read_b32")));
  EXPECT_THAT(one.out, testing::Not(HasSubstr("pointer_chase_scalar:")));
}

}  // namespace
}  // namespace pws::test::command_line_test
