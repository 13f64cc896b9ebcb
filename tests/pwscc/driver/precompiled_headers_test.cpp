// SPDX-License-Identifier: Apache-2.0
// HIP's header is compiled once, and what is compiled with it is the same, byte by byte.
#include "sw/loader/precompiled_headers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <fstream>

#include "sw/loader/bytes.h"
#include "sw/pwscc/device_compiler.h"
#include "tests/unit/environment_scope.h"

namespace pws::test::precompiled_headers_test {
namespace {

namespace fs = std::filesystem;
using loader::leading_headers;
using loader::precompiled_headers;
using pwscc::divergence_code;
using testing::HasSubstr;

const std::string include_hip = "#include <hip/hip_runtime.h>\n";

TEST(leading_headers, are_those_that_nothing_stands_in_front_of) {
  EXPECT_EQ(leading_headers(include_hip), include_hip);
  EXPECT_EQ(leading_headers("// text\n\n/* more\n */ #include <hip/hip_runtime.h> // why\r\nint x;"), include_hip);
  EXPECT_EQ(leading_headers("#include <algorithm>\n#include <cmath>\n" + include_hip + "#include <vector>\n"),
            "#include <algorithm>\n#include <cmath>\n" + include_hip);
  for (const char* front :
       {"#define N 3\n", "int x;\n", "#include \"own.h\"\n", "#include <pws.h>\n", "#include <assert.h>\n",
        "#pragma once\n", "#if 1\n", "#include <sub/own>\n", "/*", "// continued \\\n", "#  include <cmath>\n",
        "#include <cmath> /* and\n */", "#include <cmath\n>\n", "#undef NDEBUG\n", "#include <Own>\n"})
    EXPECT_EQ(leading_headers(front + include_hip), "") << front;
  for (const char* all : {"", "\n", "#include <vector>\n", "#include <hip/hip_runtime_api.h>\n", "/", "#",
                          "#include <hip/hip_runtime.h> \\\n", "#include <hip/hip_runtime.h> int x;\n"})
    EXPECT_EQ(leading_headers(all), "") << all;
}

class device_headers : public testing::Test {
 protected:
  device_headers() { options_.flags = {"-std=c++17", "-O3"}; }

  pwscc::device_result compile(const fs::path& source) const { return pwscc::compile_device(source, options_); }
  fs::path write(const std::string& text, const char* name = "k.hip") const {
    std::ofstream(folder_.path() / name, std::ios::binary) << text;
    return folder_.path() / name;
  }
  std::vector<fs::path> kept(const char* extension = ".pch") const {
    std::vector<fs::path> files;
    std::error_code none;
    for (const auto& e : fs::directory_iterator(folder_.path() / "pws" / "headers", none))
      if (e.path().extension() == extension) files.push_back(e.path());
    return files;
  }
  pwscc::device_result compile_alone(const fs::path& source) const {
    const environment_scope cache{"XDG_CACHE_HOME", ""}, home{"HOME", ""};
    return compile(source);
  }
  // The second compilation of its kind makes the headers.
  pwscc::device_result compile_with_headers(const fs::path& source) const {
    const auto unused = fs::file_time_type::clock::now() - std::chrono::hours(24);
    for (int n = 0; n < 3; ++n) {
      for (const fs::path& file : kept()) fs::last_write_time(file, unused);
      const size_t before = kept().size();
      pwscc::device_result r = compile(source);
      if (kept().size() == before && were_used(unused)) return r;
    }
    ADD_FAILURE() << source << ": compiled without";
    return {};
  }
  bool were_used(fs::file_time_type since) const {
    const std::vector<fs::path> all = kept();
    return std::any_of(all.begin(), all.end(), [&](const fs::path& f) { return fs::last_write_time(f) > since; });
  }

  const loader::temporary_directory folder_;
  const environment_scope cache_{"XDG_CACHE_HOME", folder_.path().string()};
  pwscc::device_options options_;
};

void expect_same(const pwscc::device_result& a, const pwscc::device_result& b, const std::string& what) {
  EXPECT_EQ(a.before, b.before) << what;
  EXPECT_EQ(a.after, b.after) << what;
  EXPECT_EQ(a.code_object, b.code_object) << what;
  EXPECT_EQ(a.diagnostics, b.diagnostics) << what;
  EXPECT_EQ(a.dependencies, b.dependencies) << what;
}

TEST_F(device_headers, change_no_byte) {
  const std::string sources = PWS_SOURCE_DIR "/sw/kernels/";
  options_.find_dependencies = true;
  for (const fs::directory_entry& e : fs::directory_iterator(sources)) {
    if (e.path().extension() == ".hip")
      expect_same(compile_with_headers(e.path()), compile_alone(e.path()), e.path().string());
  }
  for (const std::vector<std::string>& flags :
       std::vector<std::vector<std::string>>{{"-O0", "-w"}, {"-Os", "-DN=3", "-ffast-math"}}) {
    options_.flags = flags;
    options_.describe = true;
    const fs::path source = sources + "spiking_neuron.hip";
    expect_same(compile_with_headers(source), compile_alone(source), flags[0]);
  }
}

TEST_F(device_headers, serve_predicated_code_and_stated_bounds) {
  const fs::path source = write(include_hip +
                                "extern \"C\" __global__ void k(int* p, int n) {\n"
                                "  for (int i = 0; i < p[n]; ++i)\n    if (p[i] & 1) p[i] += n; else p[i] *= n;\n}\n");
  for (const divergence_code code : {divergence_code::p, divergence_code::psr}) {
    options_.divergence = code;
    expect_same(compile_with_headers(source), compile_alone(source), name_of(code));
  }
  options_.divergence = divergence_code::none;
  options_.loop_bounds = {{"", 3, 17}};
  expect_same(compile_with_headers(source), compile_alone(source), "a bound");
}

TEST_F(device_headers, leave_messages_and_dependencies_as_they_are) {
  options_.find_dependencies = true;
  options_.flags.push_back("-Wall");
  write("#define STEP 3\n", "step.h");
  const fs::path source =
      write(include_hip +
            "#include \"step.h\"\n"
            "static __device__ int used[4];\n__device__ const char* file = __FILE__;\n"
            "extern \"C\" __global__ void k(int* p) { int left; used[*p] = STEP + __COUNTER__; }\n");
  const pwscc::device_result r = compile_with_headers(source);
  EXPECT_THAT(r.diagnostics, HasSubstr("k.hip:5:44: warning: unused variable 'left'"));
  expect_same(r, compile_alone(source), "warning");

  write(include_hip + "extern \"C\" __global__ void k(int* p) { *p = wrong; }\n");
  const auto said = [&](bool alone) -> std::string {
    try {
      alone ? compile_alone(source) : compile(source);
    } catch (const pwscc::compilation_failed& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_THAT(said(false), HasSubstr("k.hip:2:45: error: use of undeclared identifier 'wrong'"));
  EXPECT_EQ(said(false), said(true));
}

TEST_F(device_headers, are_kept_in_a_relative_folder_too) {
  const environment_scope cache{"XDG_CACHE_HOME", fs::relative(folder_.path()).string()};
  options_.find_dependencies = true;
  const fs::path source = write(include_hip + "extern \"C\" __global__ void k(int* p) { *p = 1; }\n");
  expect_same(compile_with_headers(source), compile_alone(source), "relative");
}

TEST_F(device_headers, are_not_made_where_they_could_mean_something_else) {
  const std::string kernel = "extern \"C\" __global__ void k(int* p) { *p = 1; }\n";
  const fs::path source = write("#define HIP_ENABLE_WARP_SYNC_BUILTINS\n" + include_hip + kernel);
  for (int n = 0; n < 2; ++n) compile(source);
  write(include_hip + kernel);
  write("#define TWICE 2\n", "own.h");
  const std::vector<std::string> plain = options_.flags;
  for (const std::vector<std::string>& flags :
       std::vector<std::vector<std::string>>{{"-include", (folder_.path() / "own.h").string()},
                                             {"-D", "N=3"},
                                             {"-Xclang", "-fno-validate-pch"},
                                             {"-Wp,-DN=3"},
                                             {"-g"},
                                             {"-I."},
                                             {"-fprofile-instr-generate"}}) {
    options_.flags = plain;
    options_.flags.insert(options_.flags.end(), flags.begin(), flags.end());
    for (int n = 0; n < 2; ++n) compile(source);
    EXPECT_TRUE(kept().empty() && kept(".once").empty()) << flags[0];
  }
  options_.flags = plain;
  compile_with_headers(source);
}

TEST_F(device_headers, are_made_again_when_a_file_of_them_changes) {
  fs::create_directories(folder_.path() / "own" / "hip");
  const auto header = [&](const char* value) {
    write("#pragma once\n#include_next <hip/hip_runtime.h>\n#define VALUE " + std::string(value) + "\n",
          "own/hip/hip_runtime.h");
  };
  options_.flags.push_back("-I" + (folder_.path() / "own").string());
  const fs::path source = write(include_hip + "extern \"C\" __global__ void k(int* p) { *p = VALUE; }\n");
  header("4711");
  EXPECT_THAT(compile_with_headers(source).after, HasSubstr("0x1267"));
  header("31415");
  EXPECT_THAT(compile(source).after, HasSubstr("0x7ab7"));
  EXPECT_THAT(compile_with_headers(source).after, HasSubstr("0x7ab7"));
  EXPECT_EQ(kept().size(), 1u);
}

TEST_F(device_headers, are_made_again_when_one_comes_in_front_of_them) {
  options_.flags.push_back("-I" + folder_.path().string());
  const fs::path source = write(include_hip +
                                "#ifndef VALUE\n#define VALUE 4711\n#endif\n"
                                "extern \"C\" __global__ void k(int* p) { *p = VALUE; }\n");
  EXPECT_THAT(compile_with_headers(source).after, HasSubstr("0x1267"));
  fs::create_directory(folder_.path() / "hip");
  write("#include_next <hip/hip_vector_types.h>\n#define VALUE 31415\n", "hip/hip_vector_types.h");
  EXPECT_THAT(compile(source).after, HasSubstr("0x7ab7"));
  fs::remove(folder_.path() / "hip" / "hip_vector_types.h");
  EXPECT_THAT(compile(source).after, HasSubstr("0x1267"));
}

TEST_F(device_headers, that_are_damaged_do_no_harm) {
  const fs::path source = write(include_hip + "extern \"C\" __global__ void k(int* p) { *p = 4711; }\n");
  const pwscc::device_result right = compile_with_headers(source);
  const fs::path made = kept().at(0), inputs = kept(".json").at(0);
  for (const char* bytes : {"", "no header", "CPCH"})
    for (const fs::path& file : {made, inputs}) {
      const std::vector<uint8_t> before = loader::read_file(file);
      std::ofstream(file, std::ios::binary) << bytes;
      expect_same(compile(source), right, bytes);
      expect_same(compile(source), right, bytes);
      EXPECT_NE(loader::read_file(file).size(), std::string(bytes).size()) << "it is made again: " << bytes;
    }
  fs::resize_file(made, fs::file_size(made) / 2);
  expect_same(compile(source), right, "half");
  std::vector<uint8_t> bytes = loader::read_file(made);
  for (size_t at = 1000; at < bytes.size(); at += 1000) bytes[at] ^= 0x10;
  std::ofstream(made, std::ios::binary).write(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  expect_same(compile(source), right, "changed here and there");
}

TEST_F(device_headers, do_not_fill_the_disk) {
  const fs::path source = write(include_hip + "extern \"C\" __global__ void k(int* p) { *p = N; }\n");
  for (size_t n = 0; n < precompiled_headers::most_kept + 2; ++n) {
    options_.flags = {"-O1", "-DN=" + std::to_string(n)};
    compile(source);
    compile(source);
  }
  for (const char* extension : {".pch", ".json", ".h"})
    EXPECT_EQ(kept(extension).size(), precompiled_headers::most_kept) << extension;
}

}  // namespace
}  // namespace pws::test::precompiled_headers_test
