// SPDX-License-Identifier: Apache-2.0
// Compiling on the fly: cache hits and misses, the compiler's messages, a missing compiler, and which files are
// accepted.
#include <fmt/format.h>
#include <sys/stat.h>

#include <cstdlib>
#include <optional>

#include "sw/loader/bytes.h"
#include "sw/loader/compile_cache.h"
#include "sw/loader/llvm_version.h"
#include "sw/loader/names.h"
#include "tests/unit/environment_scope.h"
#include "tests/unit/loader_test_support.h"

namespace pws::loader::loader_compiler_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;
using test::environment_scope;

// But for what a compiler says of itself, which may be known from before.
size_t files_in(const fs::path& dir) {
  size_t n = 0;
  for (const auto& entry : fs::directory_iterator(dir))
    n += entry.path().filename().string().rfind("compiler-", 0) != 0;
  return n;
}

class hip_compiler_test : public testing::Test {
 protected:
  compile_options options() const {
    compile_options o;
    o.cache_dir = dir_.path() / "cache";
    return o;
  }
  compile_result compile(const fs::path& source) const { return hip_compiler(options()).compile(source); }
  temporary_directory dir_;
};

TEST_F(hip_compiler_test, second_compilation_comes_from_the_cache) {
  const fs::path source = dir_.path() / "k.hip";
  const std::string text = "#include <hip/hip_runtime.h>\n__global__ void k(int* o) { *o = 1; }\n";
  write_file(source, text);
  const compile_result first = compile(source);
  const compile_result second = compile(source);
  EXPECT_FALSE(first.from_cache);
  EXPECT_TRUE(second.from_cache);
  EXPECT_EQ(first.code_object, second.code_object);
  EXPECT_EQ(code_object(second.code_object, "k").find_kernel("k").metadata.arguments[0].size, 8u);

  write_file(source, text + "__global__ void other(int* o) { *o = 2; }\n");
  const compile_result changed = compile(source);
  EXPECT_FALSE(changed.from_cache);
  EXPECT_EQ(code_object(changed.code_object, "k").kernels().size(), 2u);

  compile_options other = options();
  other.optimisation = "-O0";
  EXPECT_FALSE(hip_compiler(other).compile(source).from_cache);
  other = options();
  other.flags = {"-DX"};
  EXPECT_FALSE(hip_compiler(other).compile(source).from_cache);
  other = options();
  other.use_cache = false;
  EXPECT_FALSE(hip_compiler(other).compile(source).from_cache);
}

TEST_F(hip_compiler_test, nothing_stays_behind_in_the_temporary_folder) {
  const fs::path temporary = dir_.path() / "tmp";
  fs::create_directory(temporary);
  const environment_scope tmpdir("TMPDIR", temporary.string());
  const fs::path source = dir_.path() / "k.hip";
  write_file(source, "#include <hip/hip_runtime.h>\n__global__ void k(int* o) { *o = 1; }\n");
  compile(source);
  write_file(source, "#include <hip/hip_runtime.h>\n__global__ void k(int* o) { *o = }\n");
  EXPECT_THROW(compile(source), input_error);
  EXPECT_EQ(files_in(temporary), 0u);
}

TEST_F(hip_compiler_test, a_changed_header_is_noticed) {
  const fs::path include = dir_.path() / "with space $and#more";
  fs::create_directory(include);
  write_file(include / "value.h", "enum { value = 1 };\n");
  const fs::path source = dir_.path() / "k.cpp";
  write_file(source, "#include <hip/hip_runtime.h>\n#include \"value.h\"\n__global__ void k(int* o) { *o = value; }\n");
  compile_options o = options();
  o.include_dirs = {include};
  const hip_compiler compiler(o);
  const compile_result first = compiler.compile(source);
  EXPECT_TRUE(compiler.compile(source).from_cache);
  write_file(include / "value.h", "enum { value = 2 };\n");
  const compile_result second = compiler.compile(source);
  EXPECT_FALSE(second.from_cache);
  EXPECT_NE(first.code_object, second.code_object);
  fs::remove(include / "value.h");
  EXPECT_THAT(input_error_of([&] { compiler.compile(source); }), HasSubstr("'value.h' file not found"));
}

// Files that assembly in a program includes are in no dependency file.
TEST_F(hip_compiler_test, a_changed_include_of_assembly_is_noticed) {
  write_file(dir_.path() / "value.inc", ".macro value_of dst\n  v_mov_b32 \\dst, 1\n.endm\n");
  write_file(
      dir_.path() / "value.h",
      "__device__ inline int value() {\n  int v;\n  asm(\".include \\\"value.inc\\\"\\n\\tvalue_of %0\" : \"=v\"(v));\n"
      "  return v;\n}\n");
  const fs::path source = dir_.path() / "k.cpp";
  write_file(source,
             "#include <hip/hip_runtime.h>\n#include \"value.h\"\n__global__ void k(int* o) { *o = value(); }\n");
  compile_options o = options();
  o.include_dirs = {dir_.path()};
  const hip_compiler compiler(o);
  const compile_result first = compiler.compile(source);
  write_file(dir_.path() / "value.inc", ".macro value_of dst\n  v_mov_b32 \\dst, 2\n.endm\n");
  EXPECT_NE(first.code_object, compiler.compile(source).code_object);
}

TEST_F(hip_compiler_test, a_damaged_cache_is_made_anew) {
  const fs::path source = dir_.path() / "small.s";
  fs::copy_file(test_data("small.s"), source);
  const compile_result good = compile(source);
  for (const char* garbage : {"", "{", "[]", "{\"dependencies\": 3}", "{\"dependencies\": [1]}", "null"}) {
    for (const auto& entry : fs::directory_iterator(options().cache_dir)) {
      if (entry.path().extension() == ".json") write_file(entry.path(), std::string(garbage));
    }
    const compile_result again = compile(source);
    EXPECT_FALSE(again.from_cache) << garbage;
    EXPECT_EQ(again.code_object, good.code_object);
  }
  for (const auto& entry : fs::directory_iterator(options().cache_dir)) {
    if (entry.path().extension() == ".hsaco") write_file(entry.path(), std::string("truncated"));
  }
  EXPECT_FALSE(compile(source).from_cache);
  EXPECT_TRUE(compile(source).from_cache);
  EXPECT_EQ(files_in(options().cache_dir), 2u);  // nothing temporary is left behind
}

TEST_F(hip_compiler_test, a_cache_that_was_asked_for_must_be_writable) {
  const fs::path file = dir_.path() / "file";
  write_file(file, std::string("not a directory"));
  compile_options o = options();
  o.cache_dir = file;
  EXPECT_THAT(input_error_of([&] { hip_compiler(o).compile(test_data("small.s")); }),
              AllOf(HasSubstr(file.string()), HasSubstr("cannot be written")));
  // The default one need not be.
  const environment_scope xdg("XDG_CACHE_HOME", file.string());
  o.cache_dir.clear();
  EXPECT_FALSE(hip_compiler(o).compile(test_data("small.s")).code_object.empty());
}

TEST_F(hip_compiler_test, the_default_cache_follows_the_environment) {
  const environment_scope xdg("XDG_CACHE_HOME", (dir_.path() / "xdg").string());
  hip_compiler().compile(test_data("small.s"));
  EXPECT_EQ(files_in(dir_.path() / "xdg" / "pws"), 2u);
}

TEST_F(hip_compiler_test, assembly_that_includes_files_is_not_cached) {
  const fs::path source = dir_.path() / "k.s";
  write_file(dir_.path() / "data.bin", std::string("12345678"));
  const std::string text = "  .data\n  .incbin \"" + (dir_.path() / "data.bin").string() + "\"\n";
  write_file(source, text);
  EXPECT_FALSE(compile(source).from_cache);
  EXPECT_FALSE(compile(source).from_cache);
}

TEST_F(hip_compiler_test, preprocessed_assembly_notices_its_headers) {
  write_file(dir_.path() / "names.h", "#define VALUE 1\n");
  const fs::path source = dir_.path() / "k.S";
  write_file(source, std::string("#include \"names.h\"\n  .data\n  .long VALUE\n"));
  EXPECT_FALSE(compile(source).from_cache);
  EXPECT_TRUE(compile(source).from_cache);
  write_file(dir_.path() / "names.h", "#define VALUE 2\n");
  EXPECT_FALSE(compile(source).from_cache);
}

TEST_F(hip_compiler_test, compiler_errors_and_warnings_reach_the_user) {
  const fs::path source = dir_.path() / "k.hip";
  write_file(source, "#include <hip/hip_runtime.h>\n__global__ void k(int* o) { *o = undeclared; }\n");
  EXPECT_THAT(input_error_of([&] { compile(source); }),
              AllOf(HasSubstr(source.string() + ": compilation failed"), HasSubstr("k.hip:2:"),
                    HasSubstr("undeclared identifier 'undeclared'")));
  write_file(source, "#include <hip/hip_runtime.h>\n#warning beware\n__global__ void k(int* o) { *o = 1; }\n");
  EXPECT_THAT(compile(source).diagnostics, HasSubstr("beware"));
  const compile_result again = compile(source);
  EXPECT_TRUE(again.from_cache);
  EXPECT_THAT(again.diagnostics, HasSubstr("beware"));
}

TEST_F(hip_compiler_test, nothing_passes_through_a_shell) {
  const fs::path source = dir_.path() / "k; touch $(echo oops) `touch oops` 'x'.s";
  fs::copy_file(test_data("small.s"), source);
  EXPECT_FALSE(compile(source).code_object.empty());
  EXPECT_FALSE(fs::exists("oops"));
}

TEST_F(hip_compiler_test, temporary_files_are_removed) {
  const fs::path tmp = dir_.path() / "tmp";
  fs::create_directory(tmp);
  const environment_scope scope("TMPDIR", tmp.string());
  compile(test_data("small.s"));
  write_file(dir_.path() / "bad.s", std::string("  no_such_instruction\n"));
  EXPECT_THAT(input_error_of([&] { compile(dir_.path() / "bad.s"); }), HasSubstr("no_such_instruction"));
  EXPECT_EQ(files_in(tmp), 0u);
}

TEST_F(hip_compiler_test, missing_compiler_names_the_packages) {
  const environment_scope path("PATH", dir_.path().string());
  const std::string packages =
      fmt::format("apt install clang-{0} lld-{0} {1} libamdhip64-dev", llvm_version(), device_library_package());
  EXPECT_THAT(input_error_of([&] { hip_compiler{}; }), AllOf(HasSubstr("no clang++"), HasSubstr(packages)));
  // An old one is named, and not used.
  write_file(dir_.path() / "clang++", "#!/bin/sh\necho Debian clang version 14.0.6\n");
  chmod((dir_.path() / "clang++").c_str(), 0755);
  EXPECT_THAT(input_error_of([&] { hip_compiler{}; }), HasSubstr("too old (Debian clang version 14.0.6)"));
  const environment_scope wanted("PWS_CLANG", (dir_.path() / "clang++").string());
  EXPECT_THAT(input_error_of([&] { hip_compiler{}; }), AllOf(HasSubstr("PWS_CLANG="), HasSubstr("14.0.6")));
}

// What a compiler says of itself is kept, but not of another one in its place.
TEST_F(hip_compiler_test, another_compiler_in_the_same_place_is_noticed) {
  const fs::path program = dir_.path() / "compiler";
  const environment_scope wanted("PWS_CLANG", program.string());
  const auto says = [&](const std::string& words) {
    EXPECT_THAT(input_error_of([&] { hip_compiler{options()}; }), HasSubstr(words));
  };
  fs::copy_file("/bin/true", program);
  says("true (GNU coreutils)");
  unsigned kept = 0;
  for (const auto& entry : fs::directory_iterator(options().cache_dir)) {
    const std::vector<uint8_t> bytes = read_file(entry.path());
    kept += std::string(bytes.begin(), bytes.end()).find("true (GNU coreutils)") != std::string::npos;
  }
  EXPECT_EQ(kept, 1u);
  fs::copy_file("/bin/false", program, fs::copy_options::overwrite_existing);
  says("false (GNU coreutils)");
  write_file(program, "#!/bin/sh\necho first\n");
  says("first");
  write_file(program, "#!/bin/sh\necho other\n");
  says("other");
}

TEST_F(hip_compiler_test, wrong_settings_are_errors) {
  {
    const environment_scope wanted("PWS_CLANG", "/no/such/compiler");
    EXPECT_THAT(input_error_of([&] { hip_compiler{}; }), HasSubstr("PWS_CLANG=/no/such/compiler: no such executable"));
  }
  {
    const environment_scope libraries("HIP_DEVICE_LIB_PATH", "/no/such/bitcode");
    EXPECT_THAT(input_error_of([&] { compile(test_data("no_kernels.hip")); }),
                AllOf(HasSubstr("/no/such/bitcode"), HasSubstr("apt install rocm-device-libs")));
  }
  compile_options o = options();
  for (const unsigned version : {0u, 2u, 6u}) {
    o.code_object_version = version;
    EXPECT_THAT(input_error_of([&] { hip_compiler{o}; }), HasSubstr("is not 3, 4 or 5"));
  }
}

// As others compute XXH64: of nothing, of less than a lane, of four lanes and a rest, with a seed.
TEST(compile_cache, hashes_are_xxh64) {
  const auto hash = [](std::string_view text, uint64_t seed = 0) {
    return content_hash(text.data(), text.size(), seed);
  };
  EXPECT_EQ(hash(""), 0xef46db3751d8e999u);
  EXPECT_EQ(hash("a"), 0xd24ec4f1a98c6e5bu);
  EXPECT_EQ(hash("abc"), 0x44bc2cf5ad770999u);
  EXPECT_EQ(hash("Nobody inspects the spammish repetition"), 0xfbcea83c8a378bf1u);
  EXPECT_EQ(hash("xxhash", 20141025), 0xb559b98d844e0635u);
}

TEST(compile_cache, depfiles_with_every_escape) {
  EXPECT_THAT(read_depfile("a: /b \\\n  /c\\ d/e$$f/\\#g \\\n /h\n"), testing::ElementsAre("/b", "/c d/e$f/#g", "/h"));
  EXPECT_THAT(read_depfile("a: /b\\c"), testing::ElementsAre("/b\\c"));
  EXPECT_THAT(read_depfile("a: b /c", "/of"), testing::ElementsAre("/of/b", "/c"));
  EXPECT_TRUE(read_depfile("").empty());
  EXPECT_TRUE(read_depfile("a:").empty());
  EXPECT_TRUE(read_depfile("a: \\\n").empty());
}

TEST(load_program, takes_sources_code_objects_and_says_what_else_a_file_is) {
  const temporary_directory dir;
  load_options options;
  options.compile = test_options();
  const program_image source = load_program(test_data("globals.hip"), options);
  EXPECT_EQ(source.kind(), program_kind::source);
  EXPECT_EQ(source.find_kernel("uses_globals").kernel->metadata.explicit_arguments(), 1u);
  EXPECT_EQ(load_program(test_data("small.s"), options).kind(), program_kind::source);
  write_file(dir.path() / "k.hsaco", compiled("small.s"));
  EXPECT_EQ(load_program(dir.path() / "k.hsaco").kind(), program_kind::code_object);

  const auto refusal = [&](const fs::path& path) { return input_error_of([&] { load_program(path, options); }); };
  EXPECT_THAT(refusal(dir.path() / "none.hip"), HasSubstr("none.hip: no such file"));
  EXPECT_THAT(refusal(dir.path()), HasSubstr("is a directory"));
  EXPECT_THAT(refusal("/dev/zero"), HasSubstr("is not a regular file"));
  EXPECT_THAT(refusal("/bin/sh"), HasSubstr("no section '.hip_fatbin'"));
  write_file(dir.path() / "empty", std::string());
  EXPECT_THAT(refusal(dir.path() / "empty"), HasSubstr("is empty"));
  write_file(dir.path() / "text", std::string("hello, world"));
  EXPECT_THAT(refusal(dir.path() / "text"), HasSubstr("is no program"));
  write_file(dir.path() / "k.bc", std::string("BC\xc0\xde and more"));
  EXPECT_THAT(refusal(dir.path() / "k.bc"), HasSubstr("LLVM bitcode"));
  write_file(dir.path() / "k.ccob", std::string("CCOB\1\0\0\0", 8));
  EXPECT_THAT(refusal(dir.path() / "k.ccob"), HasSubstr("-no-offload-compress"));
}

TEST(names, demangling_and_stripping) {
  EXPECT_EQ(demangle("plain"), "plain");
  EXPECT_EQ(demangle("_Z1fPi.kd"), "f(int*)");
  EXPECT_EQ(demangle("_Znonsense"), "_Znonsense");
  EXPECT_EQ(demangle(""), "");
  EXPECT_EQ(demangle("_Z" + std::string(100000, 'P')).size(), 100002u);
  EXPECT_EQ(without_parameters("f(int (*)(int), g<(1)>*)"), "f");
  EXPECT_EQ(without_parameters("(anonymous namespace)::f(int)"), "(anonymous namespace)::f");
  EXPECT_EQ(without_parameters("void n::f<int>(int)"), "n::f<int>");
  EXPECT_EQ(without_parameters("plain"), "plain");
  EXPECT_EQ(without_parameters(")"), ")");
  EXPECT_EQ(without_parameters(""), "");
  EXPECT_EQ(nearest_name("axpi", {"gemm", "axpy", "axxx"}), "axpy");
  EXPECT_EQ(nearest_name("axpi", {}), "");
  EXPECT_EQ(nearest_name("", {"a"}), "");
}

}  // namespace
}  // namespace pws::loader::loader_compiler_test
