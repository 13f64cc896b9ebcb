// SPDX-License-Identifier: Apache-2.0
// The reader of kernels' parameters: what it finds in code that clang made, with and without optimisation, in code that
// has been damaged, and in what it does not know.
#include "sw/loader/kernel_parameters.h"

#include <elf.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "sw/loader/elf_file.h"
#include "sw/loader/hip_compiler.h"
#include "sw/loader/subprocess.h"

namespace pws::loader::kernel_parameters_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* source = R"(#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>
enum colour : unsigned char { red, green };
typedef const float number;
struct pair { int first; char second; };
namespace inner { namespace deeper {
extern "C" __global__ void in_namespaces(unsigned short* a, long b) { a[0] = b; }
} }
extern "C" __global__ void all_kinds(number* reals, double single, signed char* bytes, bool flag, colour c, pair both,
                                     pair* pairs, int (*rows)[4], void* any, _Float16* halves, unsigned long long wide,
                                     float const& by_reference, int** twice) {
  bytes[0] = static_cast<signed char>(reals[0] + single + flag + c + both.first + pairs[0].first + rows[1][2] + halves[0] + wide + by_reference + **twice);
  *static_cast<int*>(any) = 1;
}
extern "C" __global__ void nothing() {}
)";

std::vector<uint8_t> compiled(const char* level, const std::vector<std::string>& flags) {
  const temporary_directory folder;
  const auto file = folder.path() / "parameters.hip";
  std::ofstream(file) << source;
  compile_options options;
  options.optimisation = level;
  options.flags = flags;
  options.flags.push_back("-ffile-prefix-map=" + folder.path().string() + "=.");  // the same bytes each time
  options.use_cache = false;
  return hip_compiler(options).compile(file).code_object;
}

uint64_t entry_of(const std::vector<uint8_t>& code, const std::string& kernel) {
  const elf_file elf({code.data(), code.size(), "parameters"});
  for (const elf_section& table : elf.sections())
    if (table.type == SHT_SYMTAB)
      for (const elf_symbol& s : elf.symbols(table))
        if (s.type == STT_FUNC && s.name == kernel) return s.value;
  ADD_FAILURE() << "no kernel " << kernel;
  return 0;
}

// "name *r4": a pointer to reals of four bytes.
std::vector<std::string> texts(const std::vector<kernel_parameter>& all) {
  std::vector<std::string> out;
  for (const kernel_parameter& p : all)
    out.push_back(fmt::format("{} {}{}{}", p.name, p.is_pointer ? "*" : "", "-sur"[static_cast<int>(p.kind)], p.bytes));
  return out;
}

TEST(kernel_parameters, by_name_and_kind) {
  for (const char* level : {"-O0", "-O3"})
    for (const char* version : {"-gdwarf-5", "-gdwarf-4"}) {
      SCOPED_TRACE(std::string(level) + " " + version);
      const std::vector<uint8_t> code = compiled(level, {"-g", "-w", version});
      EXPECT_THAT(texts(kernel_parameters(code, entry_of(code, "all_kinds"))),
                  ElementsAre("reals *r4", "single r8", "bytes *s1", "flag u1", "c u1", "both -0", "pairs *-0",
                              "rows *s4", "any *-0", "halves *r2", "wide u8", "by_reference *r4", "twice *-0"));
      EXPECT_THAT(texts(kernel_parameters(code, entry_of(code, "in_namespaces"))), ElementsAre("a *u2", "b s8"));
      EXPECT_THAT(kernel_parameters(code, entry_of(code, "nothing")), IsEmpty());
      EXPECT_THAT(kernel_parameters(code, entry_of(code, "all_kinds") + 4), IsEmpty());
    }
}

TEST(kernel_parameters, none_without_entries) {
  for (const char* flag : {"-gline-tables-only", "-w"}) {
    const std::vector<uint8_t> code = compiled("-O2", {flag, "-w"});
    EXPECT_THAT(kernel_parameters(code, entry_of(code, "all_kinds")), IsEmpty()) << flag;
  }
  EXPECT_THAT(kernel_parameters({}, 0), IsEmpty());
  EXPECT_THAT(kernel_parameters({1, 2, 3}, 0), IsEmpty());
}

TEST(kernel_parameters, damaged_code_objects_are_no_error) {
  const std::vector<uint8_t> whole = compiled("-O1", {"-g", "-w"});
  const uint64_t entry = entry_of(whole, "all_kinds");
  const auto expect_sane = [](const std::vector<kernel_parameter>& all) {
    for (const kernel_parameter& p : all)
      for (const char ch : p.name) EXPECT_GE(static_cast<unsigned char>(ch), static_cast<unsigned char>(' '));
  };
  for (size_t n = 0; n < whole.size(); n += whole.size() / 300)
    expect_sane(kernel_parameters({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n)}, entry));
  std::mt19937_64 random(1);
  size_t still_some = 0;
  for (unsigned n = 0; n < 600; ++n) {
    std::vector<uint8_t> code = whole;
    for (unsigned k = 0; k <= n % 8; ++k)
      code[code.size() / 4 + random() % (code.size() - code.size() / 4)] = static_cast<uint8_t>(random());
    const std::vector<kernel_parameter> all = kernel_parameters(code, entry);
    expect_sane(all);
    still_some += all.empty() ? 0 : 1;
  }
  EXPECT_GT(still_some, 100u);
}

}  // namespace
}  // namespace pws::loader::kernel_parameters_test
