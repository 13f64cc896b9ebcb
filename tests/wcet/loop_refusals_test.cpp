// SPDX-License-Identifier: Apache-2.0
// Loops that have no bound, and marks that are none: each is an error that names its line of the source.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "base/error.h"
#include "tests/integration/child_run.h"
#include "tests/wcet/bounded_launches.h"
#include "tests/wcet/random_bounds.h"

namespace pws::test::loop_refusals_test {
namespace {

struct refused {
  std::string name;
  // The body of kernel k. The error names the line with `//!`, or one from there to `//]`: where in a loop statement
  // the code that repeats comes from depends on the compiler. None: the error names the instruction.
  std::string body;
  std::string words;  // that it has besides
  std::string before = "";
};

void PrintTo(const refused& r, std::ostream* out) {
  *out << r.name;
}

const std::vector<refused> sources = {
    {"no_mark", "  for (uint32_t j = 0; j < n; ++j) {  //!\n    x = mixed(x + j);\n  }  //]\n", "no bound"},
    {"no_mark_while", "  uint32_t j = 0;\n  while (x != 77 && j < n) {  //!\n    x = mixed(x);\n    ++j;\n  }  //]\n",
     "no bound"},
    {"no_mark_do", "  uint32_t j = 0;\n  do {  //!\n    x = mixed(x);\n  } while (++j < n);  //]\n", "no bound"},
    {"inner_of_two",
     "  uint32_t i = 0;\n  do {\n    PWS_LOOP_BOUND(6);\n    uint32_t j = 0;\n    do {  //!\n      x = x * x + j;\n"
     "    } while (++j < m);  //]\n  } while (++i < n);\n",
     "no bound"},
    {"outer_of_two",
     "  uint32_t i = 0;\n  do {  //!\n    uint32_t j = 0;\n    do {\n      PWS_LOOP_BOUND(8);\n      x = x * x + j;\n"
     "    } while (++j < m);\n  } while (++i < n);  //]\n",
     "no bound"},
    {"middle_of_three",
     "  uint32_t i = 0;\n  do {\n    PWS_LOOP_BOUND(3);\n    uint32_t j = 0;\n    do {  //!\n      uint32_t k = 0;\n"
     "      do {\n        PWS_LOOP_BOUND(4);\n        x = x * x + k;\n      } while (++k < 4 + m);\n"
     "    } while (++j < m);  //]\n  } while (++i < n);\n",
     "no bound"},
    {"outer_whose_test_is_in_the_inner",
     "  uint32_t left = n;\n  while (left) {  //!\n    for (uint32_t j = 0; j < 3 && left; ++j) {\n"
     "      PWS_LOOP_BOUND(3);\n      x = x * x + j;\n      left = j == m ? left - 1 : left;\n    }\n  }  //]\n",
     "no bound"},
    {"inner_that_has_the_outer_test",
     "  uint32_t left = n;\n  while (left) {\n    PWS_LOOP_BOUND(20);\n"
     "    for (uint32_t j = 0; j < 3 + m && left; ++j) {  //!\n      x = x * x + j;\n"
     "      left = j == m ? left - 1 : left;\n    }  //]\n  }\n",
     "no bound"},
    {"no_mark_in_an_inlined_function", "  x = f(x, n);\n", "no bound",
     "__device__ __forceinline__ uint32_t f(uint32_t x, uint32_t n) {\n  while (n-- != 0) {  //!\n    x = x * x + n;\n"
     "  }  //]\n  return x;\n}\n"},
    {"mark_before_a_loop",
     "  PWS_LOOP_BOUND(8);  //!\n  for (uint32_t j = 0; j < n; ++j) {\n    x = mixed(x + j);\n  }\n", "PWS_LOOP_BOUND"},
    {"mark_between_two_loops",
     "  for (uint32_t i = 0; i < n; ++i) {\n    PWS_LOOP_BOUND(8);\n    x = mixed(x);\n    PWS_LOOP_BOUND(4);  //!\n"
     "    for (uint32_t j = 0; j < m; ++j) {\n      x = mixed(x + j);\n    }\n  }\n",
     "PWS_LOOP_BOUND"},
    {"mark_outside_of_loops", "  x = mixed(x);\n  PWS_LOOP_BOUND(8);  //!\n  x = mixed(x);\n", "PWS_LOOP_BOUND"},
    {"mark_behind_a_loop",
     "  for (uint32_t j = 0; j < n; ++j) {\n    PWS_LOOP_BOUND(8);\n    x = mixed(x + j);\n  }\n"
     "  PWS_LOOP_BOUND(8);  //!\n  x = mixed(x);\n",
     "PWS_LOOP_BOUND"},
    {"mark_under_an_if_in_a_loop",
     "  for (uint32_t j = 0; j < n; ++j) {\n    if (x % 2 == 0) {\n      PWS_LOOP_BOUND(8);  //!\n      x = mixed(x);\n"
     "    }\n  }\n",
     "PWS_LOOP_BOUND"},
    {"mark_under_an_if", "  if (x % 2 == 0) {\n    PWS_LOOP_BOUND(8);  //!\n    x = mixed(x);\n  }\n",
     "PWS_LOOP_BOUND"},
    // What goto makes is no loop statement.
    {"goto_with_a_mark",
     "  uint32_t j = 0;\nagain:\n  PWS_LOOP_BOUND(13);  //!\n  x = mixed(x + j);\n  if (++j < n) goto again;\n",
     "PWS_LOOP_BOUND"},
    {"goto_without_a_mark", "  uint32_t j = 0;\nagain:  //!\n  x = x * x + j;\n  if (++j < n) goto again;  //]\n",
     "no bound"},
    {"goto_into_a_loop",
     "  uint32_t j = 0;\n  if (x % 64 == 1) goto middle;\nagain:  //!\n  x = x * x + j;\nmiddle:\n  x = x * 7 + 1;\n"
     "  if (++j < n) goto again;  //]\n",
     "loop"},
    {"entered_behind_the_mark_by_a_switch",
     "  uint32_t r = (n + 3) / 4;\n  switch (n % 4) {\n    case 0:\n      do {\n        PWS_LOOP_BOUND(3);  //!\n"
     "        x = mixed(x);\n        case 3:\n          x = mixed(x);\n        case 2:\n          x = mixed(x);\n"
     "        case 1:\n          x = mixed(x);\n      } while (--r > 0);\n  }\n",
     "can be entered behind it, by a switch or goto"},
    {"unrolled_beyond_its_bound",
     "#pragma unroll 4\n  for (uint32_t j = 0; j < 16; ++j) {\n    PWS_LOOP_BOUND(3);\n    x = mixed(x + data[x % "
     "4096]);\n"
     "  }\n",
     "what bounds it (PWS_LOOP_BOUND of line 7) allows none"},
    {"of_the_device_library", "  if (n == 99) printf(\"%u\\n\", m);  //!\n",
     "functions of the device library, such as printf", "#include <cstdio>\n"},
    {"function_that_is_called", "  x = f(x, n);\n", "has no bound",
     "__device__ __attribute__((noinline)) uint32_t f(uint32_t x, uint32_t n) {\n  while (n-- != 0) {  //!\n"
     "    x = mixed(x);\n  }  //]\n  return x;\n}\n"},
    {"recursion", "  x = f(x, n, n);\n", "s_swappc_b64",
     "__device__ uint32_t f(uint32_t x, uint32_t n, uint32_t m) {\n  for (uint32_t j = 0; j < m; ++j) {\n"
     "    PWS_LOOP_BOUND(5);\n    x = n > 0 ? f(mixed(x), n - 1, m) : x + 1;\n    x ^= f(x, n / 3, m);\n  }\n"
     "  return n == 0 ? x : f(x + 1, n - 1, m) * 3;\n}\n"},
};

class loop_refusals : public ::testing::TestWithParam<refused> {};

TEST_P(loop_refusals, name_the_line) {
  const std::string text = "#include \"common.h\"\n" + GetParam().before +
                           "LOOP_KERNEL k(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {\n"
                           "  uint32_t x = data[item()];\n  n += table[n] - 27;\n  m += table[m] - 27;\n" +
                           GetParam().body + "  data[item()] = x;\n}\n";
  const auto line_with = [&](const char* what) {
    const size_t at = text.find(what);
    return at == std::string::npos ? 0 : 1 + std::count(text.begin(), text.begin() + static_cast<long>(at), '\n');
  };
  const auto first = line_with("//!"), last = std::max(first, line_with("//]"));
  const temporary_file source(".hip");
  std::ofstream(source.path()) << text;
  const models::machine_config machine = predictable({});
  bounded_launch launch;
  launch.kernel = "k";
  launch.n = launch.m = 2;
  for (const char* level : {"-O1", "-O3"}) {
    std::string why = "no error";
    try {
      const loader::program_image program = compile_hip(source.path(), {level});
      why = bound_and_run(machine, program, {launch}).front().refusal;
    } catch (const input_error& e) {
      why = e.what();
    }
    EXPECT_THAT(why, ::testing::HasSubstr(GetParam().words)) << level << "\n" << text;
    // Advice for loops with several entries alone.
    const bool entered = GetParam().words.find("entered behind") != std::string::npos;
    EXPECT_EQ(why.find("by offset") != std::string::npos, entered) << why;
    bool found = first == 0;
    for (auto line = first; line <= last; ++line)
      found = found || why.find(fmt::format("{}:{}: ", source.path(), line)) != std::string::npos;
    EXPECT_TRUE(found) << level << ": " << why << "\nnames no line from " << first << " to " << last << " of\n" << text;
  }
}

INSTANTIATE_TEST_SUITE_P(loop_kernels, loop_refusals, ::testing::ValuesIn(sources),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace pws::test::loop_refusals_test
