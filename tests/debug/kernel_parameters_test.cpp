// SPDX-License-Identifier: Apache-2.0
// The reader of kernels' parameters: what it finds in code that clang made, with and without optimisation, in code that
// has been damaged, and in what it does not know.
#include "sw/loader/kernel_parameters.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/debug/compiled_code.h"

namespace pws::loader::kernel_parameters_test {
namespace {

using test::address_of;
using test::compiled;
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
      const std::vector<uint8_t> code = compiled(source, {level, "-g", "-w", version});
      EXPECT_THAT(texts(kernel_parameters(code, address_of(code, "all_kinds"))),
                  ElementsAre("reals *r4", "single r8", "bytes *s1", "flag u1", "c u1", "both -0", "pairs *-0",
                              "rows *s4", "any *-0", "halves *r2", "wide u8", "by_reference *r4", "twice *-0"));
      EXPECT_THAT(texts(kernel_parameters(code, address_of(code, "in_namespaces"))), ElementsAre("a *u2", "b s8"));
      EXPECT_THAT(kernel_parameters(code, address_of(code, "nothing")), IsEmpty());
      EXPECT_THAT(kernel_parameters(code, address_of(code, "all_kinds") + 4), IsEmpty());
    }
}

TEST(kernel_parameters, none_without_entries) {
  for (const char* flag : {"-gline-tables-only", "-w"}) {
    const std::vector<uint8_t> code = compiled(source, {"-O2", flag, "-w"});
    EXPECT_THAT(kernel_parameters(code, address_of(code, "all_kinds")), IsEmpty()) << flag;
  }
  EXPECT_THAT(kernel_parameters({}, 0), IsEmpty());
  EXPECT_THAT(kernel_parameters({1, 2, 3}, 0), IsEmpty());
}

TEST(kernel_parameters, damaged_code_objects_are_no_error) {
  const std::vector<uint8_t> whole = compiled(source, {"-O1", "-g", "-w"});
  const uint64_t entry = address_of(whole, "all_kinds");
  const unsigned still_some = test::read_damaged(whole, [&](const test::code_bytes& code) {
    const std::vector<kernel_parameter> all = kernel_parameters(code, entry);
    for (const kernel_parameter& p : all) EXPECT_TRUE(test::is_printable(p.name));
    return !all.empty();
  });
  EXPECT_GT(still_some, 100u);
}

}  // namespace
}  // namespace pws::loader::kernel_parameters_test
