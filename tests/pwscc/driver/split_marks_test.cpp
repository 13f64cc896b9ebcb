// SPDX-License-Identifier: Apache-2.0
// Which branch a PWS_SPLIT means, whatever statement it is, wherever the mark stands, and however often its function is
// copied.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "sw/loader/subprocess.h"
#include "sw/pwscc/device_compiler.h"

namespace pws::test::split_marks_test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Marked branches by line, each as often as there are copies; lost marks by line, with the reason's first words.
struct meant {
  std::vector<unsigned> branches;
  std::vector<std::string> lost, reasons;
};

class split_marks : public testing::Test {
 protected:
  // `before` is line 5, and the kernel begins in line 6. WORK and ELSE make sides that do not become selects.
  meant compile(const std::string& body, const std::string& before = "",
                const std::vector<std::string>& flags = {"-O2"}) const {
    const fs::path file = folder_.path() / "k.hip";
    std::ofstream(file) << "#include <hip/hip_runtime.h>\n#include <pws.h>\n"
                        << "#define WORK(n) atomicAdd(p + n, v)\n#define ELSE(n) atomicXor(p + n, v)\n"
                        << before << "\n"
                        << body << "\n";
    pwscc::device_options o;
    o.flags = flags;
    o.pass.choice = pwscc::split_choice::marked;
    o.pass.swf_contexts = 7;
    const pwscc::device_result r = pwscc::compile_device(file, o);
    meant m;
    for (const pwscc::branch_report& b : r.report.branches)
      if (b.marked) m.branches.push_back(b.line);
    for (const pwscc::mark_report& l : r.report.lost_marks) {
      m.reasons.push_back(l.reason);
      m.lost.push_back(fmt::format("{}:{} {}", fs::path(l.mark.file).filename().string(), l.mark.line,
                                   l.reason.substr(0, l.reason.find(' ', 4))));
    }
    return m;
  }
  static std::string kernel(const std::string& body) {
    return "extern \"C\" __global__ void k(unsigned* p, unsigned u) { unsigned v = p[threadIdx.x];\n" + body +
           "\np[threadIdx.x] = v; }";
  }
  loader::temporary_directory folder_;
};

// The body begins in line 7.
TEST_F(split_marks, mean_the_statement_that_follows) {
  const std::string body =
      "PWS_SPLIT();\nif (v & 1) { WORK(3); } else { ELSE(5); }\n"
      "if (v & 2) { WORK(7); } else { ELSE(9); }\n"
      "PWS_SPLIT();\nif (v > (u & 1 ? 3 : v * u)) { WORK(3); } else { ELSE(5); }\n"
      "PWS_SPLIT();\nif ((v > 3 && u > 5) == (v < 9)) { WORK(3); } else { ELSE(5); }\n"
      "PWS_SPLIT(); PWS_SPLIT();\nif (v & 4) { WORK(3); } else { ELSE(5); }\n"
      "PWS_SPLIT();\nif (unsigned w = v & 1; w > u) { WORK(3); } else { ELSE(5); }";
  for (const char* level : {"-O1", "-O3"}) {
    const meant m = compile(kernel(body), "", {level});
    EXPECT_THAT(m.branches, ElementsAre(8u, 11u, 13u, 15u, 17u)) << level;
    EXPECT_THAT(m.lost, IsEmpty()) << level;
  }
}

TEST_F(split_marks, mean_loops_and_switches_too) {
  const meant m =
      compile(kernel("PWS_SPLIT();\nfor (unsigned k = 0; k < v; ++k) { WORK(3); }\n"
                     "PWS_SPLIT();\nwhile (v > u) { WORK(3); v = p[v & 7]; }\n"
                     "PWS_SPLIT();\ndo { WORK(3); v = p[v & 7];\nif (v & 64) { WORK(5); } } while (v > u);\n"
                     "PWS_SPLIT();\nswitch (v & 3) { case 1: WORK(3); break; case 2: ELSE(5); break; }"));
  const std::set<unsigned> lines(m.branches.begin(), m.branches.end());
  for (const unsigned line : {8u, 10u, 13u, 15u}) EXPECT_EQ(lines.count(line), 1u) << line;
  EXPECT_THAT(m.lost, IsEmpty());
}

TEST_F(split_marks, on_no_branch_are_lost) {
  const meant m =
      compile(kernel("PWS_SPLIT(); v *= u; WORK(3); { const unsigned w = v * 5; p[w & 7] = w; } return;\n}\n"
                     "extern \"C\" __global__ void l(unsigned* p, unsigned u) { unsigned v = p[threadIdx.x];\n"
                     "for (unsigned k = 0; k < v; ++k) { WORK(3);\nPWS_SPLIT(); }\n"
                     "if (v & 1) { WORK(3);\nPWS_SPLIT(); } else { ELSE(5); }\nif (v & 2) { WORK(7); }\n"
                     "PWS_SPLIT();\nif (u & 1) { WORK(3); } else { ELSE(5); }"));  // the same for all work-items
  EXPECT_THAT(m.branches, IsEmpty());
  EXPECT_THAT(m.lost, ElementsAre("k.hip:7 no if,", "k.hip:11 no if,", "k.hip:13 no if,", "k.hip:15 the compiled"));
}

TEST_F(split_marks, in_a_macro) {
  const std::string define = "#define MARKED(c) PWS_SPLIT(); if (c)";
  EXPECT_THAT(compile(kernel("MARKED(v & 1) { WORK(3); } else { ELSE(5); }"), define).branches, ElementsAre(7u));
  // Two in one expansion: one is lost.
  const meant m = compile(kernel("BOTH(v & 1, u & 1)"),
                          "#define BOTH(c, d) PWS_SPLIT(); if (c) { WORK(3); } else { ELSE(5); } PWS_SPLIT(); if (d) { "
                          "WORK(7); } else { ELSE(9); }");
  EXPECT_THAT(m.branches, ElementsAre(7u));
  EXPECT_THAT(m.lost, ElementsAre("k.hip:7 the compiled"));
}

TEST_F(split_marks, in_a_header) {
  std::ofstream(folder_.path() / "marked.h")
      << "__device__ inline void in_header(unsigned* p, unsigned v) {\n  PWS_SPLIT();\n"
         "  if (v & 1) { WORK(3); } else { ELSE(5); }\n  PWS_SPLIT();\n}\n";
  const meant m = compile(kernel("in_header(p, v);"), "#include \"marked.h\"");
  EXPECT_THAT(m.branches, ElementsAre(3u));
  EXPECT_THAT(m.lost, ElementsAre("marked.h:4 no if,"));
}

TEST_F(split_marks, two_in_one_line) {
  EXPECT_THAT(compile(kernel("PWS_SPLIT(); if (v & 1) { WORK(3); } else { ELSE(5); } if (v & 2) { WORK(7); } else { "
                             "ELSE(9); } PWS_SPLIT(); if (v & 4) { WORK(11); } else { ELSE(13); }"))
                  .branches,
              ElementsAre(7u, 7u));  // the one between them is not marked
  EXPECT_THAT(compile(kernel("PWS_SPLIT(); if (v & 1) { WORK(3); } else { ELSE(5); } PWS_SPLIT();")).lost,
              ElementsAre("k.hip:7 no if,"));
}

TEST_F(split_marks, in_a_template) {
  // One instance has no divergent branch: the other one's counts.
  const std::string f =
      "template <int N> __device__ void f(unsigned* p, unsigned v, unsigned u) { PWS_SPLIT(); if (N == 1 ? u & 1 : v & "
      "N) { "
      "WORK(3); } else { ELSE(5); } }";
  const meant m = compile(kernel("f<1>(p, v, u); f<2>(p, v, u); f<4>(p, v, u);"), f);
  EXPECT_THAT(m.branches, ElementsAre(5u, 5u));
  EXPECT_THAT(m.lost, IsEmpty());
  EXPECT_THAT(compile(kernel("f<1>(p, v, u);"), f).lost, ElementsAre("k.hip:5 the compiled"));
}

TEST_F(split_marks, in_a_function_that_is_inlined_twice) {
  const std::string f =
      "__device__ inline void f(unsigned* p, unsigned v) { PWS_SPLIT(); if (v & 1) { WORK(3); } else { ELSE(5); } }";
  const meant m = compile(kernel("f(p, v);\nif (v & 8) f(p, v * 7);"), f);
  EXPECT_THAT(m.branches, ElementsAre(5u, 5u));
  EXPECT_THAT(m.lost, IsEmpty());
}

// The branch has no line of its own in the machine code then: an anchor names it, and reports have the line of the
// `if`.
TEST_F(split_marks, of_a_condition_that_is_computed_elsewhere) {
  const auto marked_in_9 = [&](const std::string& body, const std::string& before = "") {
    for (const char* level : {"-O1", "-O3"}) {
      const meant m = compile(kernel(body), before, {level});
      EXPECT_THAT(m.branches, ElementsAre(9u)) << body << before << level;
      EXPECT_THAT(m.lost, IsEmpty()) << body << before << level;
    }
  };
  const std::string sides = " { WORK(3); } else { ELSE(5); }";
  const std::string call = "PWS_SPLIT();\n\nif (f(v, u, p))" + sides;
  const std::string f = "__device__ inline bool f(unsigned v, unsigned u, unsigned* p) ";
  marked_in_9(call, f + "{ return v * 3 > u * 5; }");
  marked_in_9(call, f + "{ if (v & 16) return v > u; return v * 3 > u * 5; }");
  // The function's branch is the statement's.
  marked_in_9(call, f + "{ if (v & 16) { WORK(9); return true; } return false; }");
  marked_in_9("PWS_SPLIT();\n\nif (!f(v, u, p))" + sides,
              f + "{ if (v & 16) { WORK(9); return true; } return false; }");
  marked_in_9(call,
              "__device__ inline bool g(unsigned v, unsigned* p) { if (v & 16) { WORK(9); return true; } return "
              "false; } " +
                  f + "{ return g(v * u, p); }");
  marked_in_9("const bool c = v > u;\nPWS_SPLIT();\nif (c)" + sides);
  marked_in_9("for (unsigned k = 0; k < u; ++k) {\nPWS_SPLIT();\nif (v > u * 3)" + sides + " v = p[v & 7]; }");
  marked_in_9("for (unsigned k = 0, w = v; k < u; ++k) {\nPWS_SPLIT();\nif (v > u * 3)" + sides + " w = p[w & 7]; }");
}

// Statements between do not matter, and the branches in them are not the mark's.
TEST_F(split_marks, go_with_the_next_branch_of_the_control_flow) {
  const std::string f =
      "__device__ inline unsigned f(unsigned v, unsigned* p) { if (v & 16) { WORK(9); return 3; } return v; }";
  const meant m = compile(kernel("PWS_SPLIT(); v = 3 * v; WORK(1);\nif (v > u) { WORK(3); } else { ELSE(5); }"));
  EXPECT_THAT(m.branches, ElementsAre(8u));
  const meant call = compile(kernel("PWS_SPLIT(); v = f(v, p);\nif (v > u) { WORK(3); } else { ELSE(5); }"), f);
  EXPECT_THAT(call.branches, ElementsAre(8u));
  const meant select = compile(kernel("PWS_SPLIT(); WORK((f(v, p) & 1));\nif (v > u) v = 3; else v = u;"), f);
  EXPECT_THAT(select.branches, IsEmpty());
  EXPECT_THAT(select.lost, ElementsAre("k.hip:7 the optimiser"));
}

TEST_F(split_marks, whose_branch_became_several_of_an_inlined_function_are_lost) {
  const std::string f =
      "__device__ inline bool f(unsigned v, unsigned* p) {\nif (v & 1) { WORK(1); return true; }\nif (v & 2) { "
      "WORK(2); "
      "return true; }\nreturn false; }";
  const meant m = compile(kernel("PWS_SPLIT();\nif (f(v, p)) { WORK(3); } else { ELSE(5); }"), f);
  EXPECT_THAT(m.branches, IsEmpty());
  ASSERT_EQ(m.reasons.size(), 1u);
  EXPECT_THAT(m.reasons[0], AllOf(HasSubstr("inlined in its condition"), HasSubstr("k.hip:6")));
}

// An earlier branch decides it.
TEST_F(split_marks, whose_branch_the_optimiser_removes_are_lost) {
  const meant m = compile(kernel("if (v & 1) WORK(1);\nPWS_SPLIT();\nif (v & 1) { WORK(3); } else { ELSE(5); }"));
  EXPECT_THAT(m.branches, IsEmpty());
  EXPECT_THAT(m.lost, ElementsAre("k.hip:8 the optimiser"));
}

// Without line tables nothing carries the marks.
TEST_F(split_marks, without_line_tables_are_lost) {
  const meant m = compile(kernel("PWS_SPLIT();\nif (v & 1) { WORK(3); } else { ELSE(5); }"), "", {"-O2", "-g0"});
  EXPECT_THAT(m.branches, IsEmpty());
  EXPECT_EQ(m.lost.size(), 1u);
}

}  // namespace
}  // namespace pws::test::split_marks_test
