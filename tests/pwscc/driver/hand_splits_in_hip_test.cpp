// SPDX-License-Identifier: Apache-2.0
// `split` and `merge` as a programmer writes them into a HIP program, in inline assembly.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "base/error.h"
#include "sw/loader/bytes.h"
#include "sw/loader/llvm_version.h"
#include "sw/loader/subprocess.h"
#include "sw/pwscc/device_compiler.h"
#include "sw/pwscc/report_text.h"
#include "tests/integration/child_run.h"
#include "tests/integration/machines.h"

namespace pws::test::hand_splits_in_hip_test {
namespace {

namespace fs = std::filesystem;
using pwscc::split_choice;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string split = "asm volatile(\"split exec_lo, exec_hi\");";

class hand_splits_in_hip : public testing::Test {
 protected:
  pwscc::device_result compile(const std::string& text, split_choice choice = split_choice::marked,
                               const std::string& level = "-O3") const {
    const fs::path file = folder_.path() / "k.hip";
    std::ofstream(file) << text;
    pwscc::device_options o;
    o.flags = {level};
    o.pass.choice = choice;
    o.pass.swf_contexts = 3;
    return pwscc::compile_device(file, o);
  }
  // A kernel with `body` in line 3. WORK and ELSE make sides that do not become selects.
  pwscc::device_result compile_body(const std::string& body, const std::string& level = "-O3") const {
    return compile(kernel(body), split_choice::marked, level);
  }
  static std::string kernel(const std::string& body) {
    return "#include <hip/hip_runtime.h>\nextern \"C\" __global__ void k(unsigned* p, unsigned u) {\n" + body + "\n}\n";
  }
  std::string error_of(const std::string& body) const {
    try {
      compile_body(body);
    } catch (const input_error& e) {
      return e.what();
    }
    return "no error";
  }
  loader::temporary_directory folder_;
};

const std::string value = "unsigned v = p[threadIdx.x];\n";
const std::string sides = "if (v > u) { atomicAdd(p + 3, v); } else { atomicXor(p + 5, v); }\n";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

// The project's kernels with `split` in place of each PWS_SPLIT: the same branches are split, and memory is the same.
TEST_F(hand_splits_in_hip, do_what_marks_do) {
  for (const char* name : {"fully_divergent", "divergent_break"}) {
    const reference::kernel_case c = small_cases(name).back();
    const std::vector<uint8_t> bytes = loader::read_file(fs::path(PWS_SOURCE_DIR) / c.source);
    const std::string text(bytes.begin(), bytes.end());
    ASSERT_THAT(text, HasSubstr("PWS_SPLIT();")) << name;
    const pwscc::device_result marked = compile(text);
    const pwscc::device_result by_hand = compile(replaced(text, "PWS_SPLIT();", split));
    size_t n = 0;
    ASSERT_EQ(by_hand.report.branches.size(), marked.report.branches.size());
    for (size_t k = 0; k < marked.report.branches.size(); ++k) {
      EXPECT_EQ(by_hand.report.branches[k].split, marked.report.branches[k].split) << name;
      n += marked.report.branches[k].split;
    }
    EXPECT_GT(n, 0u) << name;
    const loader::program_image program = loader::read_program(by_hand.code_object, name);
    platform::kernel_run run = launch_of(c);
    run.program = &program;
    run.machine.divergence = models::divergence_kind::pws;
    run.machine.spsimd_per_simd = 3;
    run.machine.check.split_isolation = run.machine.check.split_contexts = true;
    const child_report r = run_in_child(run);
    ASSERT_EQ(r.error, "");
    EXPECT_EQ(memory_difference(c, r), "") << name;
  }
}

TEST_F(hand_splits_in_hip, are_reported_with_what_became_of_them) {
  const pwscc::device_result r =
      compile_body(value + split + "\n" + sides + "asm volatile(\"merge\");\n" + split + "\np[threadIdx.x] = v;");
  ASSERT_EQ(r.report.by_hand.size(), 3u);
  EXPECT_EQ(r.report.by_hand[0].line, 4u);
  EXPECT_EQ(r.report.by_hand[0].reason, "splits the branch in line 5; merged before line 8");
  const std::string warnings = pwscc::mark_warnings(r.report);
  EXPECT_THAT(warnings, AllOf(HasSubstr("k.hip:6:1: warning: merge by hand: removed"),
                              HasSubstr("k.hip:7:1: warning: split by hand: removed: no divergent branch"),
                              Not(HasSubstr("k.hip:4"))));
}

// A scalar branch, one side only, no optimisation, a function that is called: nothing is split, and each says why.
TEST_F(hand_splits_in_hip, that_split_nothing_say_so) {
  const auto said = [&](const std::string& text, const std::string& level = "-O3") {
    const pwscc::device_result r = compile(text, split_choice::marked, level);
    for (const pwscc::branch_report& b : r.report.branches) EXPECT_FALSE(b.split) << text;
    EXPECT_THAT(r.after, Not(HasSubstr("0xbf14"))) << text;
    return pwscc::mark_warnings(r.report);
  };
  EXPECT_THAT(said(kernel(value + split + "\nif (u > 3) { atomicAdd(p + 3, v); } else { atomicXor(p + 5, v); }")),
              HasSubstr("k.hip:4:1: warning: split by hand: removed: no divergent branch ends its basic block"));
  EXPECT_THAT(said(kernel(value + split + "\nif (v > u) atomicAdd(p + 3, v);")),
              HasSubstr(fmt::format("k.hip:5:{}: warning: split by hand: one side only",
                                    loader::llvm_version() == 15 ? 7 : 5)));
  EXPECT_THAT(said(kernel(value + split + "\n" + sides), "-O0"), HasSubstr("warning: split by hand"));
  const std::string called =
      "#include <hip/hip_runtime.h>\n__device__ __attribute__((noinline)) void f(unsigned* p, "
      "unsigned v, unsigned u) {\n" +
      split + "\n" + sides +
      "}\nextern \"C\" __global__ void "
      "k(unsigned* p, unsigned u) { f(p, p[threadIdx.x], u); }\n";
  EXPECT_THAT(said(called), HasSubstr("k.hip:3:1: warning: split by hand: removed: functions that are called"));
}

// Places are the source's.
TEST_F(hand_splits_in_hip, written_wrongly_are_errors) {
  EXPECT_THAT(error_of(value + "asm volatile(\"split v0, v1\");\n" + sides),
              AllOf(HasSubstr("split: not a scalar register or inline constant"), HasSubstr("k.hip:4:")));
  EXPECT_THAT(error_of(value + "asm volatile(\"split exec_lo\");\n" + sides), HasSubstr("k.hip:4:1: error:"));
  EXPECT_THAT(error_of(value + "asm volatile(\"splitt exec_lo, exec_hi\");\n" + sides),
              AllOf(HasSubstr("k.hip:4:1: error: invalid instruction"), HasSubstr(" splitt exec_lo, exec_hi\n ^"),
                    Not(HasSubstr("pwscc$"))));
  EXPECT_THAT(error_of(value + "asm volatile(\".rept 2\\n\\tsplit exec_lo, exec_hi\\n\\t.endr\");\n" + sides),
              HasSubstr("a split by hand that cannot be removed"));
}

}  // namespace
}  // namespace pws::test::hand_splits_in_hip_test
