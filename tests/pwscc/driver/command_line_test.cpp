// SPDX-License-Identifier: Apache-2.0
// pwscc's command line: what is ours, what is clang's, what is refused.
#include "sw/pwscc/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "sw/pwscc/option_table.h"

namespace pws::test::command_line_test {
namespace {

using pwscc::command_line;
using pwscc::parse_command_line;
using pwscc::split_choice;
using product = command_line::product;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string refusal(const std::vector<std::string>& arguments) {
  try {
    parse_command_line(arguments);
  } catch (const input_error& e) {
    return e.what();
  }
  return "accepted";
}

TEST(command_line, defaults) {
  const command_line c = parse_command_line({"k.hip"});
  EXPECT_EQ(c.makes, product::executable);
  EXPECT_EQ(c.pass.choice, split_choice::marked);
  EXPECT_EQ(c.pass.swf_contexts, 1u);
  EXPECT_THAT(c.sources, ElementsAre("k.hip"));
  EXPECT_THAT(c.compile_flags, IsEmpty());
  EXPECT_FALSE(c.report);
}

TEST(command_line, ours) {
  const command_line c =
      parse_command_line({"--split=auto", "-S", "7", "--report", "--report=r.json", "--report=r.txt",
                          "--split-cycles=4", "--merge-cycles=0", "--keep=kept", "k.hip", "-o", "k.hsaco"});
  EXPECT_EQ(c.makes, product::code_object);
  EXPECT_EQ(c.pass.choice, split_choice::automatic);
  EXPECT_EQ(c.pass.swf_contexts, 7u);
  EXPECT_EQ(c.pass.split_cycles, 4u);
  EXPECT_EQ(c.pass.merge_cycles, 0u);
  EXPECT_TRUE(c.report);
  EXPECT_THAT(c.report_files, ElementsAre("r.json", "r.txt"));
  EXPECT_EQ(c.keep, "kept");
  EXPECT_THAT(c.compile_flags, IsEmpty());
}

TEST(command_line, the_machine_that_auto_chooses_for) {
  const auto machine = [](const std::vector<std::string>& options) {
    std::vector<std::string> all{"--split=auto", "k.hip"};
    all.insert(all.begin(), options.begin(), options.end());
    return parse_command_line(all).pass.machine.value();
  };
  EXPECT_EQ(machine({}).memory_frame, 7360u);
  EXPECT_EQ(machine({"--memory-slot=46"}).memory_frame, 46u);
  EXPECT_EQ(machine({"--lds-slot=0"}).lds_frame, 0u);
  EXPECT_EQ(machine({"--issue-slot=8"}).round, 8u);
  EXPECT_THAT(refusal({"--issue-slot=0", "k.hip"}), HasSubstr("--issue-slot: 0 is less than 1"));
  EXPECT_THAT(refusal({"--memory-slot=x", "k.hip"}), HasSubstr("--memory-slot: x"));
}

// -S means "stop at assembly" to clang.
TEST(command_line, minus_s) {
  EXPECT_EQ(parse_command_line({"-S", "k.hip"}).makes, product::assembly);
  EXPECT_EQ(parse_command_line({"k.hip", "-S"}).makes, product::assembly);
  EXPECT_EQ(parse_command_line({"-S", "3", "k.hip"}).makes, product::executable);
  const command_line both = parse_command_line({"-S", "3", "-S", "k.hip"});
  EXPECT_EQ(both.makes, product::assembly);
  EXPECT_EQ(both.pass.swf_contexts, 3u);
  EXPECT_EQ(parse_command_line({"--spsimd=63", "k.hip"}).pass.swf_contexts, 63u);
}

TEST(command_line, what_comes_out) {
  EXPECT_EQ(parse_command_line({"k.hip", "-c"}).makes, product::object);
  EXPECT_EQ(parse_command_line({"k.hip", "-ok.s"}).makes, product::assembly);
  EXPECT_EQ(parse_command_line({"k.hip", "-o", "a.b.hsaco"}).makes, product::code_object);
  EXPECT_EQ(parse_command_line({"-c", "k.hip", "-o", "k.hsaco"}).makes, product::object);  // as asked
  EXPECT_EQ(parse_command_line({"k.o", "-o", "app"}).makes, product::executable);
}

TEST(command_line, the_rest_is_clangs) {
  const command_line c = parse_command_line({"-I",           "inc",    "-DX=1", "-O2",   "-x", "hip", "a.hip",
                                             "-Xclang",      "-load",  "b.cpp", "lib.a", "-L", "dir", "-lfoo",
                                             "-Wl,-rpath,.", "-mllvm", "-x=1",  "-g",    "-o", "app", "-pthread"});
  EXPECT_THAT(c.sources, ElementsAre("a.hip", "b.cpp"));
  EXPECT_THAT(c.compile_flags,
              ElementsAre("-I", "inc", "-DX=1", "-O2", "-Xclang", "-load", "-mllvm", "-x=1", "-g", "-pthread"));
  const std::string first{'\0', '0'}, second{'\0', '1'};
  EXPECT_THAT(c.link_arguments,
              ElementsAre("-O2", first, second, "lib.a", "-L", "dir", "-lfoo", "-Wl,-rpath,.", "-g", "-pthread"));
  EXPECT_EQ(c.output, "app");
}

TEST(command_line, clang_alone) {
  for (const char* flag : {"-E", "-fsyntax-only", "-dumpversion", "-print-resource-dir"}) {
    const command_line c = parse_command_line({flag, "k.hip"});
    EXPECT_EQ(c.what, command_line::action::only_clang) << flag;
    EXPECT_THAT(c.all, ElementsAre(flag, "k.hip"));
  }
  for (const char* flag : {"-M", "-MM"}) {  // one rule, not one for each side
    const command_line c = parse_command_line({flag, "k.hip"});
    EXPECT_EQ(c.what, command_line::action::only_clang) << flag;
    EXPECT_THAT(c.all, ElementsAre("--cuda-host-only", flag, "k.hip"));
  }
  EXPECT_EQ(parse_command_line({"--help"}).what, command_line::action::help);
  EXPECT_EQ(parse_command_line({"--version"}).what, command_line::action::version);
}

// Every form in the table that help, manual page and completion are made of, with every choice.
TEST(command_line, option_table) {
  size_t tried = 0;
  for (const pwscc::option_entry& e : pwscc::option_table()) {
    EXPECT_FALSE(e.help.empty()) << e.forms.front();
    for (const std::string& form : e.forms) {
      const size_t end = form.find_first_of("= ");
      const std::string name = form.substr(0, end);
      std::vector<std::string> values = e.choices;
      if (values.empty()) values = {name == "--loop-bound" ? "3=4" : "5"};
      for (const std::string& value : values) {
        std::vector<std::string> arguments = {name};
        if (end != std::string::npos && form[end] == ' ') arguments.push_back(value);
        if (end != std::string::npos && form[end] == '=') arguments.front() += "=" + value;
        arguments.emplace_back("k.hip");
        const command_line c = parse_command_line(arguments);
        EXPECT_TRUE(c.compile_flags.empty() && c.what != command_line::action::only_clang) << form << ' ' << value;
        EXPECT_THAT(pwscc::help_text(), HasSubstr(form));
        ++tried;
      }
    }
  }
  EXPECT_GE(tried, 20u);
  // One that is clang's would be found.
  EXPECT_FALSE(parse_command_line({"-fno-such", "k.hip"}).compile_flags.empty());
}

TEST(command_line, refused_by_name) {
  EXPECT_EQ(refusal({}), "no input files");
  EXPECT_EQ(refusal({"--split=most", "k.hip"}), "--split=most: not none, marked, all or auto");
  EXPECT_THAT(refusal({"-S", "64", "k.hip"}), HasSubstr("-S: 64 is no whole number from 0 to 63"));
  EXPECT_THAT(refusal({"--spsimd=", "k.hip"}), HasSubstr("--spsimd"));
  EXPECT_THAT(refusal({"--spsimd=-1", "k.hip"}), HasSubstr("-1"));
  EXPECT_THAT(refusal({"--spsimd=99999999999999", "k.hip"}), HasSubstr("--spsimd"));
  EXPECT_EQ(refusal({"--offload-arch=gfx906", "k.hip"}), "--offload-arch=gfx906: only gfx803 is compiled for");
  EXPECT_EQ(refusal({"--offload-arch=gfx803", "k.hip"}), "accepted");
  EXPECT_THAT(refusal({"-fgpu-rdc", "k.hip"}), HasSubstr("-fgpu-rdc"));
  EXPECT_THAT(refusal({"--cuda-device-only", "k.hip"}), HasSubstr("--cuda-device-only"));
  EXPECT_EQ(refusal({"-x", "cuda", "k.cu"}), "-x cuda: only hip is compiled");
  EXPECT_EQ(refusal({"k.hip", "-o"}), "-o: its value is missing");
  EXPECT_EQ(refusal({"k.hip", "-I"}), "-I: its value is missing");
  EXPECT_EQ(refusal({"-c", "a.hip", "b.hip", "-o", "c.o"}), "-o c.o: one output for 2 sources");
  EXPECT_THAT(refusal({"k.s", "-o", "app"}), HasSubstr("k.s"));
  EXPECT_EQ(refusal({"-c", "k.o"}), "no source to compile");
}

}  // namespace
}  // namespace pws::test::command_line_test
