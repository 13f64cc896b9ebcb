// SPDX-License-Identifier: Apache-2.0
// Source lines from line tables: of inlined code, of none, of damaged ones; and that asking for them changes no code.
#include <algorithm>
#include <cstdlib>
#include <random>

#include "sw/loader/elf_file.h"
#include "sw/loader/line_table.h"
#include "sw/loader/llvm_version.h"
#include "tests/unit/loader_test_support.h"

namespace pws::loader::loader_line_table_test {
namespace {

namespace fs = std::filesystem;
using bytes = std::vector<uint8_t>;

// The bytes of a section in the file; empty range if there is none.
byte_view section(const bytes& file, const std::string& name) {
  const byte_view view(file.data(), file.size(), "test");
  const elf_file elf(view);
  for (const elf_section& s : elf.sections())
    if (s.name == name) return elf.contents(s);
  return {file.data(), 0, "none"};
}

bytes contents(const byte_view& v) {
  return {v.data(), v.data() + v.size()};
}

bytes compile(const fs::path& source, const std::vector<std::string>& flags) {
  compile_options o = test_options();
  o.flags = flags;
  return hip_compiler(o).compile(source).code_object;
}

// Lines of all words of the kernel, each text once.
std::vector<std::string> lines_of(const bytes& file) {
  const code_object object(file, "lines");
  const line_table table(file);
  const kernel& k = object.find_kernel(object.kernels().front().metadata.name);
  std::vector<std::string> all;
  for (uint64_t at = 0; at < k.code_size; at += 4) {
    const std::string line = text(table.at(k.entry_offset + at));
    if (std::find(all.begin(), all.end(), line) == all.end()) all.push_back(line);
  }
  return all;
}

std::string at_line(unsigned line) {
  return text({test_data("lines.hip").string(), line, 0});
}

TEST(line_table, names_the_line_and_the_call_that_was_inlined) {
  const std::vector<std::string> lines = lines_of(compiled("lines.hip"));
  EXPECT_THAT(lines, testing::Contains(at_line(5) + ", inlined at " + at_line(14)));
  EXPECT_THAT(lines, testing::Contains(at_line(15)));
}

// Each call of the chain, down to the kernel.
TEST(line_table, names_all_calls_that_were_inlined) {
  const std::vector<std::string> lines = lines_of(compiled("lines.hip"));
  for (const unsigned call : {9u, 10u})
    EXPECT_THAT(lines, testing::Contains(at_line(5) + ", inlined at " + at_line(call) + ", inlined at " + at_line(17)));
  EXPECT_THAT(lines, testing::Contains(testing::AllOf(testing::HasSubstr("amd_device_functions.h:"),
                                                      testing::EndsWith(", inlined at " + at_line(16)))));
}

// All code by its own line: what at() says of each of its words, and a function's first line before that.
TEST(line_table, lists_all_code_that_has_lines) {
  const bytes file = compiled("lines.hip");
  const line_table table(file);
  const code_object object(file, "lines");
  const uint64_t entry = object.kernels().front().entry_offset;
  const std::vector<line_code> all = table.code();
  ASSERT_FALSE(all.empty());
  size_t words = 0;
  for (size_t k = 0; k < all.size(); ++k) {
    EXPECT_GE(all[k].begin, k == 0 ? 0 : all[k - 1].end);
    for (uint64_t at = all[k].begin; at < all[k].end; at += 4, ++words) {
      const std::vector<source_line> lines = table.at(at);
      ASSERT_FALSE(lines.empty()) << at;
      EXPECT_EQ(lines.front(), all[k].line) << at;
    }
  }
  EXPECT_GT(words, 10u);
  const auto first = std::find_if(all.begin(), all.end(), [&](const line_code& c) { return c.begin == entry; });
  ASSERT_NE(first, all.end());
  // Compilers before 17 give the function's own line a row without code.
  EXPECT_EQ(first->begin == first->end, llvm_version() < 17);
  EXPECT_EQ(text(first->line), at_line(llvm_version() < 17 ? 13 : 5));
  EXPECT_TRUE(line_table(compile(test_data("lines.hip"), {"-g0"})).code().empty());
}

// A header that was found by a relative folder is named with the compiler's own.
TEST(line_table, names_files_from_the_root) {
  const fs::path folder = fs::path(testing::TempDir()) / "line_table_files";
  fs::create_directories(folder / "inc");
  std::ofstream(folder / "inc/f.h") << "static __device__ inline int f(int x) {\n  return x * 77 + (x >> 3);\n}\n";
  std::ofstream(folder / "k.hip") << "#include <hip/hip_runtime.h>\n#include \"f.h\"\n"
                                     "extern \"C\" __global__ void k(int* x) { x[threadIdx.x] = f(x[0]); }\n";
  const bytes file = compile(folder / "k.hip", {"-Iinc", "-fdebug-compilation-dir=" + folder.string(),
                                                "-working-directory=" + folder.string()});
  fs::remove_all(folder);
  EXPECT_THAT(lines_of(file),
              testing::Contains(testing::StartsWith(text({folder / "inc/f.h", 2, 0}) + ", inlined at ")));
}

// A -g of the user's comes later and wins; what it adds does not disturb.
TEST(line_table, full_debug_information) {
  EXPECT_THAT(lines_of(compile(test_data("lines.hip"), {"-g"})),
              testing::Contains(at_line(5) + ", inlined at " + at_line(14)));
}

TEST(line_table, older_formats) {
  for (const char* version : {"-gdwarf-3", "-gdwarf-4", "-gdwarf-5"})
    EXPECT_THAT(lines_of(compile(test_data("lines.hip"), {version, "-gline-tables-only"})),
                testing::Contains(at_line(15)))
        << version;
}

TEST(line_table, none_without_debug_information) {
  EXPECT_THAT(lines_of(compile(test_data("lines.hip"), {"-g0"})), testing::ElementsAre(""));
}

TEST(line_table, of_assembly) {
  const std::vector<std::string> lines = lines_of(compile(fs::path(PWS_SOURCE_DIR) / "sw/kernels/figure5.s", {}));
  EXPECT_GT(lines.size(), 4u);
  for (const std::string& l : lines) EXPECT_THAT(l, testing::HasSubstr("figure5.s:"));
}

TEST(line_table, addresses_outside_the_code) {
  const bytes file = compiled("lines.hip");
  const line_table table(file);
  const code_object object(file, "lines");
  const kernel& k = object.kernels().front();
  EXPECT_TRUE(table.at(0).empty());
  EXPECT_TRUE(table.at(k.entry_offset - 4).empty());
  EXPECT_TRUE(table.at(k.entry_offset + k.code_size).empty());
  EXPECT_TRUE(table.at(~uint64_t{0}).empty());
}

TEST(line_table, no_elf_file) {
  EXPECT_TRUE(line_table({}).at(0).empty());
  EXPECT_TRUE(line_table({1, 2, 3}).at(0).empty());
  EXPECT_TRUE(line_table(bytes(1000, 0x7f)).at(0).empty());
  const bytes file = compiled("lines.hip");
  for (size_t size = 0; size < file.size(); size += 37) {
    const line_table table(bytes(file.begin(), file.begin() + static_cast<ptrdiff_t>(size)));
    for (uint64_t at = 0; at < 0x2000; at += 256) table.at(at);
  }
}

// Lines may be wrong then, or missing; nothing else.
TEST(line_table, damaged_tables) {
  const bytes file = compiled("lines.hip");
  const code_object object(file, "lines");
  const kernel& k = object.kernels().front();
  std::mt19937 random(1);
  for (const char* name : {".debug_line", ".debug_info", ".debug_abbrev", ".debug_rnglists", ".debug_str_offsets",
                           ".debug_addr", ".debug_line_str", ".debug_str"}) {
    const byte_view s = section(file, name);
    if (s.size() == 0) continue;
    const auto first = static_cast<size_t>(s.data() - file.data());
    for (int round = 0; round < 300; ++round) {
      bytes damaged = file;
      const unsigned changes = round == 0 ? static_cast<unsigned>(s.size()) : 1 + random() % 4;
      for (unsigned c = 0; c < changes; ++c)
        damaged[first + (round == 0 ? c : random() % s.size())] = round == 0 ? 0xff : static_cast<uint8_t>(random());
      const line_table table(damaged);
      for (uint64_t at = 0; at < k.code_size; at += 16) text(table.at(k.entry_offset + at));
    }
  }
}

// The kernels' own code: line tables by default cost nothing.
TEST(line_table, changes_no_code) {
  std::vector<fs::path> kernels;
  for (const auto& entry : fs::directory_iterator(fs::path(PWS_SOURCE_DIR) / "sw/kernels"))
    if (hip_compiler::is_source(entry.path())) kernels.push_back(entry.path());
  std::sort(kernels.begin(), kernels.end());
  const size_t step = std::getenv("PWS_KERNELS_ALL") == nullptr ? 5 : 1;
  size_t compared = 0;
  for (size_t k = 0; k < kernels.size(); k += step) {
    const bytes with = compile(kernels[k], {});
    EXPECT_NE(section(with, ".debug_line").size(), 0u) << kernels[k];
    if (kernels[k].extension() == ".s") continue;
    EXPECT_EQ(contents(section(with, ".text")), contents(section(compile(kernels[k], {"-g0"}), ".text"))) << kernels[k];
    ++compared;
  }
  EXPECT_GT(compared, 3u);
}

TEST(line_table, paths_below_the_working_folder_are_short) {
  const std::string folder = fs::current_path().string();
  EXPECT_EQ(text({folder + "/a/b.hip", 3, 1}), "a/b.hip:3");
  EXPECT_EQ(text({folder + "b.hip", 3, 1}), folder + "b.hip:3");
  EXPECT_EQ(text({"/b.hip", 3, 0}), "/b.hip:3");
  EXPECT_EQ(text({"b.hip", 3, 0}), "b.hip:3");
}

}  // namespace
}  // namespace pws::loader::loader_line_table_test
