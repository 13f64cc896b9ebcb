// SPDX-License-Identifier: Apache-2.0
// pwscc as a user calls it: what it makes, what it prints, how it fails.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "sw/loader/bytes.h"
#include "sw/loader/llvm_version.h"
#include "sw/loader/program_image.h"
#include "sw/loader/subprocess.h"
#include "tests/integration/child_process.h"

namespace pws::test::driver_test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

const char* const program = R"(#include <hip/hip_runtime.h>
#include <pws.h>
#include <cstdio>
__global__ void choose(unsigned* p) {
  unsigned v = p[threadIdx.x];
  PWS_SPLIT();
  if (v & 1) {
    v ^= v << 13; v ^= v >> 17; v ^= v << 5; v *= 0x85ebca6bu; v ^= v >> 13; v *= 77; v ^= v << 3;
  } else {
    v ^= v << 5; v ^= v >> 9; v ^= v << 7; v *= 0xc2b2ae35u; v ^= v >> 11; v *= 99; v ^= v << 1;
  }
  p[threadIdx.x] = v;
}
int main() {
  unsigned* p = nullptr;
  if (hipMalloc(reinterpret_cast<void**>(&p), 1024) != hipSuccess) return 3;
  choose<<<1, 256>>>(p);
  std::puts("launched");
}
)";

class driver : public testing::Test {
 protected:
  driver() { write("app.hip", program); }
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }
  program_result pwscc(std::vector<std::string> arguments, const std::vector<std::string>& environment = {}) const {
    std::vector<std::string> command{"/usr/bin/env", "--chdir=" + folder_.path().string(), "TMPDIR=" + path("tmp")};
    fs::create_directories(path("tmp"));
    command.insert(command.end(), environment.begin(), environment.end());
    command.push_back(PWSCC);
    command.insert(command.end(), arguments.begin(), arguments.end());
    return run_program(command, 300);
  }
  std::string text_of(const std::string& name) const {
    const std::vector<uint8_t> bytes = loader::read_file(path(name));
    return {bytes.begin(), bytes.end()};
  }
  loader::temporary_directory folder_;
};

TEST_F(driver, makes_every_kind_of_output) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"-O2", "app.hip", "-o", "app"},
                                                    {"-O2", "app.hip", "-o", "app.hsaco"},
                                                    {"-O2", "-c", "app.hip"}}) {
    const program_result r = pwscc(arguments);
    ASSERT_EQ(r.exit_code, 0) << r.err;
    EXPECT_THAT(r.err, IsEmpty());
  }
  for (const char* name : {"app", "app.hsaco", "app.o"}) {
    const loader::program_image image = loader::load_program(path(name));
    ASSERT_EQ(image.kernels().size(), 1u) << name;
    EXPECT_EQ(image.kernels()[0].kernel->demangled, "choose(unsigned int*)");
    const std::vector<uint8_t> bytes = image.code_objects()[0].file_bytes();
    const std::string words(bytes.begin(), bytes.end());
    EXPECT_NE(words.find(std::string("\x7e\x7f\x14\xbf", 4)), std::string::npos) << name;  // split exec_lo, exec_hi
    EXPECT_NE(words.find(std::string("\0\0\x15\xbf", 4)), std::string::npos) << name;      // merge
  }
  EXPECT_TRUE((fs::status(path("app")).permissions() & fs::perms::owner_exec) != fs::perms::none);
  EXPECT_EQ(pwscc({"app.o", "-o", "linked"}).exit_code, 0);
  EXPECT_EQ(loader::load_program(path("linked")).kernels().size(), 1u);
  EXPECT_TRUE(fs::is_empty(path("tmp")));
}

TEST_F(driver, assembly_goes_through_it_again) {
  ASSERT_EQ(pwscc({"-O2", "app.hip", "-S", "--split=none"}).exit_code, 0);
  const std::string plain = text_of("app.s");
  EXPECT_EQ(plain.find("0xbf147f7e"), std::string::npos);
  ASSERT_EQ(pwscc({"app.s", "--split=all", "-o", "again.s"}).exit_code, 0);
  EXPECT_NE(text_of("again.s").find("0xbf147f7e"), std::string::npos);
  ASSERT_EQ(pwscc({"app.s", "--split=all", "-o", "again.hsaco"}).exit_code, 0);
  EXPECT_EQ(loader::load_program(path("again.hsaco")).kernels().size(), 1u);
}

TEST_F(driver, several_sources_and_libraries) {
  write("other.hip",
        "#include <hip/hip_runtime.h>\n__global__ void other(int* p) { *p = N; }\nvoid unused(int* p) { other<<<1, "
        "1>>>(p); }\n");
  const program_result r = pwscc({"-O1", "-DN=5", "app.hip", "other.hip", "-lm", "-o", "both"});
  ASSERT_EQ(r.exit_code, 0) << r.err;
  EXPECT_EQ(loader::load_program(path("both")).kernels().size(), 2u);
}

// A rule for make beside the code, as clang writes it: its file, its target, headers of the program alone with -MMD.
TEST_F(driver, rules_for_make) {
  write("step.h", "#define STEP 5\n");
  write("k.hip", "#include <hip/hip_runtime.h>\n#include \"step.h\"\n__global__ void k(int* p) { *p = STEP; }\n");
  const auto rule = [&](const std::vector<std::string>& arguments, const char* file) {
    const program_result r = pwscc(arguments);
    EXPECT_EQ(r.exit_code, 0) << r.err;
    const std::string text = text_of(file);
    fs::remove(path(file));
    return text;
  };
  EXPECT_EQ(rule({"-MMD", "-c", "k.hip"}, "k.d"), "k.o: k.hip step.h\n");
  EXPECT_EQ(rule({"-MMD", "-c", "k.hip", "-o", "tmp/one.o"}, "tmp/one.d"), "tmp/one.o: k.hip step.h\n");
  // clang 15 has an empty line between the rules.
  EXPECT_EQ(rule({"-MMD", "-MP", "-MFrule", "-MT", "a b", "k.hip", "-o", "k.hsaco"}, "rule"),
            loader::llvm_version() == 15 ? "a b: k.hip step.h\n\nstep.h:\n" : "a b: k.hip step.h\nstep.h:\n");
  EXPECT_EQ(rule({"-MMD", "-MQ", "a b", "k.hip", "-o", "k.s"}, "k.d"), "a\\ b: k.hip step.h\n");
  EXPECT_THAT(rule({"-MD", "-c", "k.hip"}, "k.d"), AllOf(StartsWith("k.o: k.hip"), HasSubstr("/hip_runtime.h")));
  EXPECT_EQ(pwscc({"-MF", "none.d", "-c", "k.hip"}).exit_code, 0);  // says where, not whether
  EXPECT_FALSE(fs::exists(path("none.d")));
  EXPECT_EQ(pwscc({"-MM", "k.hip"}).out, "k.o: k.hip step.h\n");
  EXPECT_THAT(pwscc({"-MMD", "-MF", "x.d", "-c", "k.hip", "app.hip"}).err,
              HasSubstr("one file for the rules of 2 sources"));
  ASSERT_EQ(pwscc({"-S", "k.hip"}).exit_code, 0);
  EXPECT_THAT(pwscc({"-MMD", "k.s", "-o", "k.hsaco"}).err, HasSubstr("what assembly depends on"));
}

TEST_F(driver, arguments_in_a_file) {
  write("words", "-O1 'app.hip'\n-o \"an object.o\" -c @more");
  write("more", "--report=report.txt");
  const program_result r = pwscc({"@words"});
  ASSERT_EQ(r.exit_code, 0) << r.err;
  EXPECT_TRUE(fs::exists(path("an object.o")));
  EXPECT_TRUE(fs::exists(path("report.txt")));
  write("circle", "@circle");
  EXPECT_THAT(pwscc({"@circle"}).err, HasSubstr("without end"));
}

// What is missing in the source, in words.
TEST_F(driver, says_what_to_add) {
  write("k.hip", "#include <hip/hip_runtime.h>\n__global__ void k(int* p) { *p = 1; }\n");
  EXPECT_THAT(pwscc({"k.hip", "-o", "k"}).err, HasSubstr("There is no main() to start with: -c makes an object"));
  write("bare.hip", "__global__ void k(int* p) { *p = 1; }\n");
  EXPECT_THAT(pwscc({"-c", "bare.hip"}).err, HasSubstr("#include <hip/hip_runtime.h>"));
}

TEST_F(driver, reports) {
  const program_result r = pwscc(
      {"-O2", "app.hip", "-o", "app.hsaco", "-S", "2", "--report", "--report=r.json", "--report=r.txt", "--keep=kept"});
  ASSERT_EQ(r.exit_code, 0) << r.err;
  EXPECT_THAT(
      r.err,
      StartsWith("split: marked, S = 2\nchoose(unsigned int*)\n  app.hip:7:7  split  marked\n1 divergent "
                 "branches, 1 split, 0 lane masks carried\n  BB   R   L  Br  SBU  RBU   LC missed  VGPRs  SGPRs  "
                 "masks  kernel\n"));
  EXPECT_THAT(r.err, EndsWith("  choose(unsigned int*)\n"));
  EXPECT_EQ(text_of("r.txt"), r.err);
  const auto json = nlohmann::json::parse(text_of("r.json"));
  EXPECT_EQ(json.at("options").at("split"), "marked");
  EXPECT_EQ(json.at("branches").at(0).at("line"), 7);
  EXPECT_EQ(json.at("branches").at(0).at("split"), true);
  EXPECT_EQ(json.at("totals").at("split"), 1);
  EXPECT_EQ(json.at("kernels").at(0).at("ir_branches"), 1);
  EXPECT_EQ(json.at("all_kernels").at("ir_branches"), 1);
  EXPECT_EQ(json.at("all_kernels").at("most_vgprs"), json.at("kernels").at(0).at("vgprs"));
  EXPECT_TRUE(fs::exists(path("kept/app.before.s")) && fs::exists(path("kept/app.after.s")));
  // The same again, byte for byte.
  const std::string first = text_of("app.hsaco");
  ASSERT_EQ(pwscc({"-O2", "app.hip", "-o", "app.hsaco", "-S", "2"}).exit_code, 0);
  EXPECT_EQ(text_of("app.hsaco"), first);
}

TEST_F(driver, marks_not_honoured_are_warnings) {
  write("lost.hip",
        "#include <hip/hip_runtime.h>\n#include <pws.h>\n__global__ void k(int* p, int u) {\n  PWS_SPLIT();\n  if (u) "
        "p[threadIdx.x] = 1; else p[0] = 2;\n"
        "  PWS_SPLIT();\n  p[1] = 3;\n}\n");
  const program_result r = pwscc({"-O2", "lost.hip", "-o", "lost.hsaco"});
  EXPECT_EQ(r.exit_code, 0);
  EXPECT_THAT(r.err,
              AllOf(HasSubstr("lost.hip:4: warning: PWS_SPLIT: the compiled kernels have no divergent branch there"),
                    HasSubstr("lost.hip:6: warning: PWS_SPLIT: no if, for, while, do or switch follows it")));
}

TEST_F(driver, errors) {
  program_result r = pwscc({"app.hip", "-O9x"});
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_THAT(r.err, HasSubstr("-O9x"));
  write("bad.hip", "int main( {\n");
  r = pwscc({"bad.hip"});
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_THAT(r.err, HasSubstr("bad.hip:1:12: error: expected expression"));
  EXPECT_FALSE(fs::exists(path("a.out")));
  r = pwscc({"missing.hip"});
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_THAT(r.err, HasSubstr("missing.hip"));
  r = pwscc({"--split=some", "app.hip"});
  EXPECT_EQ(r.exit_code, 2);
  EXPECT_THAT(r.err, HasSubstr("pwscc: --split=some: not none, marked, all or auto"));
  r = pwscc({"app.hip", "-o", "new/folder/app"});
  EXPECT_EQ(r.exit_code, 0) << r.err;
  EXPECT_TRUE(fs::exists(path("new/folder/app"))) << "folders are made, as by pwsvp";
  r = pwscc({"app.hip", "-o", "bad.hip/folder/app"});  // a file in the way
  EXPECT_EQ(r.exit_code, 2);
  EXPECT_THAT(r.err, HasSubstr("bad.hip/folder/app: cannot be written"));
  r = pwscc({"app.hip"}, {"PWS_CLANG=/bin/true"});
  EXPECT_EQ(r.exit_code, 2);
  EXPECT_THAT(r.err, HasSubstr("is not clang 15"));
  r = pwscc({"app.hip"}, {"HIP_DEVICE_LIB_PATH=/no/such"});
  EXPECT_EQ(r.exit_code, 2);
  EXPECT_THAT(r.err, HasSubstr("apt install rocm-device-libs"));
  r = pwscc({"app.hip"}, {"PATH=/no/such"});
  EXPECT_EQ(r.exit_code, 2);
  EXPECT_THAT(r.err, HasSubstr(loader::of_llvm_version("clang")));
  write("k.s",
        "\t.text\nk:\n\tv_nonsense\n\ts_endpgm\n.amdhsa_kernel k\n.amdhsa_next_free_vgpr 1\n.amdhsa_next_free_sgpr "
        "1\n.end_amdhsa_kernel\n");
  r = pwscc({"k.s", "-o", "k.hsaco"});
  EXPECT_EQ(r.exit_code, 2);
  EXPECT_THAT(r.err, HasSubstr("k.s:3:"));
  EXPECT_TRUE(fs::is_empty(path("tmp")));
}

TEST_F(driver, help_and_clang_alone) {
  EXPECT_THAT(pwscc({"--help"}).out, AllOf(HasSubstr("--split=MODE"), HasSubstr("-S N")));
  EXPECT_THAT(pwscc({"--version"}).out, HasSubstr("clang version"));
  EXPECT_THAT(pwscc({"-E", "app.hip"}).out, HasSubstr("choose(unsigned* p)"));
  EXPECT_EQ(pwscc({"-fsyntax-only", "app.hip"}).exit_code, 0);
}

}  // namespace
}  // namespace pws::test::driver_test
