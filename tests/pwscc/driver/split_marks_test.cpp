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
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Marked branches by line, each as often as there are copies; lost marks by line, with the reason's first words.
struct meant {
  std::vector<unsigned> branches;
  std::vector<std::string> lost;
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
    for (const pwscc::mark_report& l : r.report.lost_marks)
      m.lost.push_back(fmt::format("{}:{} {}", fs::path(l.mark.file).filename().string(), l.mark.line,
                                   l.reason.substr(0, l.reason.find(' ', 4))));
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

// Without line tables nothing carries the marks.
TEST_F(split_marks, without_line_tables_are_lost) {
  const meant m = compile(kernel("PWS_SPLIT();\nif (v & 1) { WORK(3); } else { ELSE(5); }"), "", {"-O2", "-g0"});
  EXPECT_THAT(m.branches, IsEmpty());
  EXPECT_EQ(m.lost.size(), 1u);
}

}  // namespace
}  // namespace pws::test::split_marks_test
