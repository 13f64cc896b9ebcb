// SPDX-License-Identifier: Apache-2.0
// PWS_SPLIT and PWS_LOOP_BOUND: they change no instruction, and mean the statement that they stand before or first in.
#include <elf.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "base/error.h"
#include "sw/loader/bytes.h"
#include "sw/loader/elf_file.h"
#include "sw/loader/hip_compiler.h"
#include "sw/loader/subprocess.h"
#include "sw/pwscc/device_compiler.h"
#include "sw/pwscc/source_mark.h"
#include "sw/pwscc/source_tokens.h"

namespace pws::test::marks_test {
namespace {

namespace fs = std::filesystem;
using pwscc::source_mark;
using pwscc::split_choice;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::Gt;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

// Sources are written with PWS_ marks; lines are counted from 1.
const char* const source = R"(#include <hip/hip_runtime.h>
#include <pws.h>
#define WORK(v) (v ^= v << 13, v ^= v >> 17, v *= 0x85ebca6bu, v ^= v >> 11, v *= 77u, v ^= v << 5)
static __device__ inline unsigned inlined(unsigned v, unsigned u) {
  PWS_SPLIT();
  if (v & 1) {
    WORK(v);
  } else {
    v += u; WORK(v); WORK(v);
  }
  return v;
}
template <int N> __device__ unsigned bounded(unsigned v) {
  for (unsigned k = 0; k < (v & N); ++k) {
    PWS_LOOP_BOUND(2 * N + 1); v = inlined(v, k); }
  return v;
}
extern "C" __global__ void k(unsigned* p, unsigned u) {
  unsigned v = p[threadIdx.x];
  v = bounded<7>(v) + bounded<3>(v + 1);
  auto lambda = [=](unsigned y) {
    while ((y & 3) != 0) {  // a comment with PWS_SPLIT();
      PWS_LOOP_BOUND(5);
      PWS_SPLIT();
      if (y & u) { WORK(y); } else { y += 7; WORK(y); }
    }
    return y;
  };
  do {
    PWS_LOOP_BOUND(9); PWS_SPLIT(); /* between */
    if (v > 100 &&
        u < 1000) {
      v = lambda(v);
    } else {
      WORK(v);
    }
  } while ((v & 0x30) !=
           0x10);
  PWS_SPLIT();
  p[threadIdx.x] = v;
}
)";

class marks : public testing::Test {
 protected:
  marks() : file_(folder_.path() / "marks.hip") { std::ofstream(file_) << source; }
  pwscc::device_result compile(split_choice choice, const std::vector<std::string>& flags) const {
    pwscc::device_options o;
    o.flags = flags;
    o.pass.choice = choice;
    o.pass.swf_contexts = 7;
    return pwscc::compile_device(file_, o);
  }
  loader::temporary_directory folder_;
  fs::path file_;
};

struct loaded_section {
  std::string name;
  uint64_t address;
  std::string bytes;

  bool operator==(const loaded_section& other) const {
    return name == other.name && address == other.address && bytes == other.bytes;
  }
};
std::ostream& operator<<(std::ostream& out, const loaded_section& s) {
  return out << fmt::format("{} at {:#x}, {} bytes", s.name, s.address, s.bytes.size());
}
std::vector<loaded_section> memory_of(const std::vector<uint8_t>& object) {
  const loader::elf_file elf(loader::byte_view(object.data(), object.size(), "object"));
  std::vector<loaded_section> out;
  for (const loader::elf_section& s : elf.sections()) {
    if ((s.flags & SHF_ALLOC) == 0) continue;
    const loader::byte_view bytes = elf.contents(s);
    out.push_back({s.name, s.vaddr, std::string(bytes.data(), bytes.data() + bytes.size())});
  }
  return out;
}

TEST_F(marks, change_no_instruction) {
  for (const char* level : {"-O0", "-O1", "-O2", "-O3", "-Os"}) {
    const fs::path object = folder_.path() / "plain.hsaco";
    std::vector<std::string> command{loader::hip_compiler().path().string()};
    for (const std::string& f : loader::hip_flags()) command.push_back(f);
    command.insert(command.end(), {level, "-I" PWS_SOURCE_DIR "/sw/include", "--cuda-device-only",
                                   "--no-gpu-bundle-output", "-c", file_.string(), "-o", object.string()});
    const loader::process_result r = loader::run_process(command, folder_.path());
    ASSERT_EQ(r.exit_code, 0) << r.output;
    const std::vector<loaded_section> plain = memory_of(loader::read_file(object));
    EXPECT_THAT(plain,
                Contains(AllOf(Field(&loaded_section::name, ".text"), Field(&loaded_section::bytes, SizeIs(Gt(400u))))))
        << level;
    EXPECT_EQ(memory_of(compile(split_choice::none, {level}).code_object), plain) << level;
  }
}

// The length of the source's path moves no code: a run would take other cycles for it.
TEST_F(marks, are_not_loaded) {
  const fs::path far = folder_.path() / std::string(200, 'f');
  fs::create_directory(far);
  fs::copy_file(file_, far / "marks.hip");
  for (const char* level : {"-O0", "-O1", "-O3", "-Os"})
    for (const split_choice choice : {split_choice::none, split_choice::all, split_choice::marked}) {
      file_ = folder_.path() / "marks.hip";
      const std::vector<loaded_section> near = memory_of(compile(choice, {level}).code_object);
      file_ = far / "marks.hip";
      EXPECT_EQ(memory_of(compile(choice, {level}).code_object), near) << level;
      EXPECT_THAT(near, Not(Contains(Field(&loaded_section::name, ".pws.marks")))) << level;
    }
}

// A name of a file that the program itself uses stays.
TEST_F(marks, leave_the_programs_names_of_files) {
  std::ofstream(file_) << "#include <hip/hip_runtime.h>\n#include <pws.h>\n"
                          "__device__ const char* name;\n"
                          "extern \"C\" __global__ void k(unsigned* p) {\n  name = __FILE__;\n"
                          "  for (unsigned k = 0; k < p[0]; ++k) { PWS_LOOP_BOUND(7); p[k] = k; }\n}\n";
  for (const char* level : {"-O0", "-O3"})
    EXPECT_THAT(memory_of(compile(split_choice::none, {level}).code_object),
                Contains(Field(&loaded_section::bytes, HasSubstr(file_.string()))))
        << level;
}

TEST_F(marks, mean_their_statements) {
  const std::vector<source_mark> found = pwscc::read_marks(compile(split_choice::none, {"-O1"}).before);
  std::vector<std::string> text;
  for (const source_mark& m : found) {
    EXPECT_EQ(m.file, file_.string());
    if (m.what == source_mark::kind::split)
      text.push_back(fmt::format("{} split{}", m.line, m.names_branch ? "" : ": none"));
    else
      text.push_back(fmt::format("{} bound {}: {}", m.line, m.bound, m.statement_line));
  }
  EXPECT_THAT(text, ElementsAre("5 split", "15 bound 7: 14", "15 bound 15: 14", "23 bound 5: 22", "24 split",
                                "30 split", "30 bound 9: 29", "39 split: none"));
}

TEST_F(marks, choose_branches) {
  const pwscc::device_result r = compile(split_choice::marked, {"-O2"});
  std::map<uint32_t, std::string> decisions;
  for (const pwscc::branch_report& b : r.report.branches)
    if (b.marked) decisions[b.line] = b.split ? "split" : b.reason;
  // Clang moves the last steps of both of inlined()'s sides behind them, which leaves one side, and makes lambda's
  // branch selects.
  ASSERT_EQ(decisions.size(), 2u);
  EXPECT_EQ(decisions[31], "split");
  EXPECT_THAT(decisions[6], HasSubstr("one side only"));
  std::map<uint32_t, std::string> lost;
  for (const pwscc::mark_report& m : r.report.lost_marks) lost[m.mark.line] = m.reason;
  ASSERT_EQ(lost.size(), 2u);
  EXPECT_THAT(lost[24], HasSubstr("both sides became selects"));
  EXPECT_THAT(lost[39], HasSubstr("no if, for, while, do or switch follows"));
}

// A kernel with `body` in line 4; what pwscc says of it, or "".
std::string said_of(const fs::path& file, const std::string& body, const std::vector<std::string>& flags = {"-O2"}) {
  std::ofstream(file) << "#include <hip/hip_runtime.h>\n#include <pws.h>\n"
                      << "extern \"C\" __global__ void k(unsigned* p, unsigned u) { unsigned v = p[threadIdx.x];\n"
                      << body << "\np[threadIdx.x] = v; }\n";
  pwscc::device_options o;
  o.flags = flags;
  o.pass.choice = split_choice::none;
  try {
    pwscc::compile_device(file, o);
  } catch (const input_error& e) {
    return e.what();
  }
  return "";
}

TEST_F(marks, loop_bounds_stand_in_every_iteration_of_their_loop) {
  const auto said = [&](const std::string& body) { return said_of(file_, body); };
  for (const char* good :
       {"while (v != u) { PWS_LOOP_BOUND(3); v *= 3; }", "do { PWS_LOOP_BOUND(3); v *= 3; } while (v != u);",
        "for (unsigned k = 0; k < u; ++k) PWS_LOOP_BOUND(9);", "while (v != u) { { PWS_LOOP_BOUND(3); } v *= 3; }",
        "while (v != u) { v *= 3; PWS_LOOP_BOUND(3); }",
        // Loops that never go back.
        "while (v != u) { PWS_LOOP_BOUND(1); v *= 3; break; }", "do { PWS_LOOP_BOUND(1); v *= 3; } while (false);",
        "while (v < u) { PWS_LOOP_BOUND(8);\nwhile (v != 7) { PWS_LOOP_BOUND(1); v *= 3; break; } v += 5; }",
        "while (v < u) { PWS_LOOP_BOUND(8);\ndo { PWS_LOOP_BOUND(1); v *= 3; } while (0); v += 5; }"})
    EXPECT_EQ(said(good), "") << good;
  for (const char* nowhere :
       {"PWS_LOOP_BOUND(3); while (v != u) { v *= 3; }", "PWS_LOOP_BOUND(3);",
        "if (v > u) { PWS_LOOP_BOUND(3); v *= 3; }", "while (v < u) { v += 5; [&] { PWS_LOOP_BOUND(3); v *= 3; }(); }"})
    EXPECT_THAT(said(nowhere), HasSubstr("marks.hip:4: PWS_LOOP_BOUND is in no loop's body")) << nowhere;
  for (const char* missed : {"while (v < u) { v += 5; if (v & 1) continue; PWS_LOOP_BOUND(3); v *= 3; }",
                             "while (v < u) { if (v & 1) { PWS_LOOP_BOUND(3); v += 9; } v *= 3; }"})
    EXPECT_THAT(said(missed), HasSubstr("marks.hip:4: an iteration may miss this PWS_LOOP_BOUND")) << missed;
  EXPECT_THAT(said("while (v < u) {\ndo { PWS_LOOP_BOUND(1); v *= 3; } while (0); v += 5; }"),
              HasSubstr("marks.hip:5: this PWS_LOOP_BOUND is also in the loop of line 4, which has none"));
  for (const char* entered :
       {"switch (u & 1) { case 0: do { PWS_LOOP_BOUND(3); v *= 3; case 1: v ^= 5; } while (v > u); }",
        "if (u == 7) goto middle; while (v > u) { PWS_LOOP_BOUND(3); v *= 3; middle: v ^= 5; }"})
    EXPECT_THAT(said(entered), HasSubstr("marks.hip:4: the loop of this PWS_LOOP_BOUND can be entered behind it"));
  EXPECT_THAT(said("again: PWS_LOOP_BOUND(3); v *= 3; if (v != u) goto again;"), HasSubstr("in no loop's body"));
  EXPECT_THAT(said("while (v != u) { PWS_LOOP_BOUND(3); v *= 3; again: v ^= 5; if (v > 9) goto again; }"), "");
}

TEST_F(marks, from_macros_are_taken_where_the_loop_is_in_the_macro_too) {
  const std::string define = "#define BODY PWS_LOOP_BOUND(3); v *= 3\n#define LOOP while (v != u) { BODY; }\n";
  EXPECT_EQ(said_of(file_, define + "LOOP"), "");
  EXPECT_THAT(said_of(file_, define + "while (v != u) {\nBODY; }"), HasSubstr("comes from a macro"));
}

TEST_F(marks, need_line_tables) {
  EXPECT_THAT(said_of(file_, "while (v != u) { PWS_LOOP_BOUND(3); v *= 3; }", {"-O2", "-g0"}),
              HasSubstr("needs line tables"));
}

TEST_F(marks, bad_bounds_do_not_compile) {
  for (const char* bound : {"0", "-3", "u", "1.5 - 2", "0xffffffffffffffff", "(1ull << 53) + 1"}) {
    std::ofstream(file_) << "#include <hip/hip_runtime.h>\n#include <pws.h>\n__global__ void k(int u) { while (u) { "
                         << "PWS_LOOP_BOUND(" << bound << "); --u; } }\n";
    try {
      compile(split_choice::none, {});
      ADD_FAILURE() << bound;
    } catch (const pwscc::compilation_failed& e) {
      EXPECT_THAT(e.what(), HasSubstr("marks.hip:3:")) << bound;
    }
  }
}

TEST_F(marks, are_nothing_to_other_compilers) {
  const fs::path host = folder_.path() / "host.cpp", object = folder_.path() / "host.o";
  std::ofstream(host) << "#include <pws.h>\nint f(int n) { PWS_SPLIT(); if (n) n = 3; while (n < 9) { "
                         "PWS_LOOP_BOUND(9); ++n; } while (n > 0) { PWS_LOOP_BOUND(n); --n; } return n; }\n";
  for (const char* standard : {"-std=c++11", "-std=c++20"}) {
    const loader::process_result r =
        loader::run_process({loader::hip_compiler().path().string(), standard, "-Wall", "-Wextra", "-Wpedantic",
                             "-Werror", "-I" PWS_SOURCE_DIR "/sw/include", "-c", host.string(), "-o", object.string()});
    EXPECT_EQ(r.exit_code, 0) << r.output;
  }
}

TEST(read_marks, damaged_records) {
  const std::string head = "\t.section\t.pws.marks,#alloc\nm:\n";
  EXPECT_TRUE(pwscc::read_marks("").empty());
  EXPECT_TRUE(pwscc::read_marks("\t.text\nm:\n\t.long\t9\n").empty());
  for (const char* rest : {"", "\t.long\t3\n", "\t.long\t0\n", "\t.long\t0\n\t.quad\t3\n", "\t.long\tx\n",
                           "\t.long\t1\n\t.long\t4\n\t.quad\t5\n\t.asciz\tfile\n", "\t.long\t0\nn:\n"})
    EXPECT_THROW(pwscc::read_marks(head + rest), input_error) << rest;
  const auto marks =
      pwscc::read_marks(head + "\t.long\t1\n\t.long\t4\n\t.quad\t5\n\t.asciz\t\"/no\\\\such\\303\\251\\\".hip\"\n");
  ASSERT_EQ(marks.size(), 1u);
  EXPECT_EQ(marks[0].file, "/no\\such\xc3\xa9\".hip");
  EXPECT_EQ(marks[0].statement_line, 0u);  // the source is not there
}

TEST(tokens, leave_out_what_is_no_code) {
  std::string text;
  for (const pwscc::source_token& t : pwscc::tokenise("#define X if \\\n  (1)\nint a = 1'000; // if\n/* for\n */ "
                                                      "\"while \\\" (\" 'x' R\"q(do \" )\" )q\" u8R\"(\n)\" b\\\n;"))
    text += fmt::format("{}:{} ", t.line, t.text);
  EXPECT_EQ(text, "3:int 3:a 3:= 3:1'000 3:; 5:\" 5:\" 5:\" 5:\" 6:b 7:; ");
  for (const char* open : {"/*", "\"", "R\"x(", "'", "#", "\\", "R\""}) pwscc::tokenise(open);
}

}  // namespace
}  // namespace pws::test::marks_test
