// SPDX-License-Identifier: Apache-2.0
// The fuzzer's own parts, and that it can fail: a wrong result, a program that differs, one that the machine refuses,
// and programs that prove nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <utility>

#include "sw/loader/hip_compiler.h"
#include "tests/fuzz/csmith/campaign.h"
#include "tests/fuzz/csmith/transform.h"
#include "tests/integration/child_process.h"

namespace pws::test::csmith_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

const char* const generated = R"(// Options: none
#include "csmith.h"


static long __undefined;

struct S0 {
   int32_t  f0;
};

static int32_t g_2 = 7L;
static int32_t *g_3 = &g_2;
static const uint8_t g_4 = 1UL;
static uint16_t g_5[2] = {1UL,2UL};
static uint64_t g_6 = 0UL;

inline static int32_t  func_1(void);
static int32_t * func_7(uint8_t  p_8);

inline static int32_t  func_1(void)
{
    return (*g_3);
}

static int32_t * func_7(uint8_t  p_8)
{
    return g_3;
}

int main (void)
{
    int i;
    int print_hash_value = 0;
    platform_main_begin();
    crc32_gentab();
    func_1();
    transparent_crc(g_2, "g_2", print_hash_value);
    for (i = 0; i < 2; i++)
    {
        transparent_crc(g_5[i], "g_5[i]", print_hash_value);
        if (print_hash_value) printf("index = [%d]\n", i);

    }
    platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);
    return 0;
}
)";

// A program like the generator's whose only function has this body.
std::string with_body(const std::string& body) {
  return lane_program(
      "static int32_t g_1 = 5L;\nstatic uint32_t g_2[4] = {1UL,2UL,3UL,4UL};\nstatic int32_t g_3 = 0L;\n"
      "static void func_1(void)\n{\n" +
      body +
      "\n}\nint main (void)\n{\n    crc32_gentab();\n"
      "    func_1();\n    transparent_crc(g_1, \"g_1\", 0);\n    transparent_crc(g_2[1], \"g_2\", 0);\n"
      "    return 0;\n}\n");
}

class csmith_check : public testing::Test {
 protected:
  csmith_check() {
    std::string name = (fs::temp_directory_path() / "csmith-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
    folder_ = name;
    options_.keep = (folder_ / "kept").string();
    options_.levels = {"0", "3"};
    options_.timing_every = 1;
  }
  ~csmith_check() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  outcome check(const std::string& text) {
    const std::string source = (folder_ / "program.cpp").string();
    std::ofstream(source) << text;
    return check_source(source, recipe_, tools_, options_, folder_.string());
  }

  fs::path folder_;
  toolchain tools_{loader::hip_compiler().path().string(), PWS_FUZZ_CSMITH_DEVICE_DIR};
  check_options options_;
  recipe recipe_;
};

TEST(csmith_transform, globals_and_functions_become_members) {
  const std::string text = lane_program(generated);
  EXPECT_THAT(text, HasSubstr("struct S0 {"));
  EXPECT_LT(text.find("struct S0 {"), text.find("struct program"));
  EXPECT_LT(text.find("struct program"), text.find("\nint32_t g_2 = 7L;"));
  EXPECT_THAT(text, HasSubstr("\nint32_t *g_3 = &g_2;"));
  EXPECT_THAT(text, HasSubstr("\nint32_t  func_1(void)\n{"));
  EXPECT_THAT(text, HasSubstr("void run(uint64_t lane_input)"));
  for (const char* gone : {"static ", "func_1(void);", "func_7(uint8_t  p_8);", "csmith.h", "int main", "printf",
                           "__undefined", "return 0;"})
    EXPECT_THAT(text, Not(HasSubstr(gone)));
}

TEST(csmith_transform, only_integer_variables_depend_on_the_lane) {
  const std::string text = lane_program(generated);
  EXPECT_THAT(text, HasSubstr("g_2 ^= static_cast<int32_t>(fuzz::perturbation(lane_input, 0));"));
  EXPECT_THAT(text, HasSubstr("g_6 ^= static_cast<uint64_t>(fuzz::perturbation(lane_input, 1));"));
  for (const char* name : {"g_3 ^=", "g_4 ^=", "g_5 ^="}) EXPECT_THAT(text, Not(HasSubstr(name)));
}

TEST(csmith_transform, bitwise_or_hides_its_operands) {
  const std::string text = with_body("    g_1 |= ((g_3 | 5) || g_1);\n    g_3 = (g_1 | g_3) | 1;");
  EXPECT_THAT(text, HasSubstr("g_1 |= fuzz::hiding| ((g_3 |fuzz::hiding| 5) || g_1);"));
  EXPECT_THAT(text, HasSubstr("g_3 = (g_1 |fuzz::hiding| g_3) |fuzz::hiding| 1;"));
}

TEST(csmith_transform, other_text_is_refused) {
  for (const char* text : {"", "\n", "int x;\n", "static int32_t g_1 = 1L;\n"})
    EXPECT_THROW(lane_program(text), std::runtime_error) << text;
}

TEST(csmith_recipe, lds_holds_a_workgroup_or_is_not_used) {
  recipe r;
  r.state = state_memory::lds;
  r.workgroup = 64;
  place_state(r, 1024);
  EXPECT_EQ(r.state, state_memory::lds);
  EXPECT_EQ(r.workgroup, 64u);
  place_state(r, 1025);
  EXPECT_EQ(r.workgroup, 63u);
  place_state(r, 10'000);
  EXPECT_EQ(r.workgroup, 6u);
  place_state(r, 11'000);
  EXPECT_EQ(r.state, state_memory::global);
}

TEST(csmith_recipe, seeds_cover_every_choice) {
  unsigned state[3] = {}, uniform = 0, partial = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const recipe r = recipe_of(seed);
    ++state[static_cast<unsigned>(r.state)];
    uniform += r.uniform;
    partial += r.lanes % r.workgroup != 0;
    EXPECT_EQ(recipe_of(seed).generator_options, r.generator_options);
    EXPECT_LE(r.workgroup, r.max_workgroup);
    EXPECT_TRUE(!r.uniform || r.state == state_memory::scratch);
  }
  for (const unsigned n : state) EXPECT_GT(n, 5u);
  EXPECT_GT(uniform, 20u);
  EXPECT_GT(partial, 100u);
}

TEST_F(csmith_check, both_sides_agree) {
  for (const state_memory state : {state_memory::scratch, state_memory::global, state_memory::lds}) {
    recipe_.state = state;
    const outcome o = check(with_body("    for (g_1 &= 3; g_1 >= 0; g_1 -= 1) g_2[g_1] += g_3 ? 3 : 5;"));
    EXPECT_EQ(o.verdict, verdict::agrees) << o.reason << o.detail;
    EXPECT_EQ(o.launches, 2u);
    EXPECT_EQ(o.timing_launches, 2u);
    EXPECT_GT(o.instructions, 0u);
    EXPECT_EQ(o.state, state);
  }
}

// Each of these is a program that LLVM 15 compiles wrongly, without what keeps its mistake out.
TEST_F(csmith_check, known_mistakes_of_the_compiler_are_avoided) {
  options_.levels = {"0", "1", "2", "3"};
  recipe_.state = state_memory::global;
  const std::pair<const char*, const char*> programs[] = {
      {"64-bit division of words (safe_math.h)",
       "    g_2[1] = safe_div_func_int64_t_s_s(-928752073, g_1) + safe_mod_func_int64_t_s_s(-928752073, g_1);"},
      {"unsigned division of sign-extended values (safe_math.h)",
       "    int16_t a = g_1;\n    int8_t b = g_3 ^ -3;\n    g_2[1] = safe_div_func_uint32_t_u_u(a, b);\n"
       "    g_1 = safe_mod_func_uint32_t_u_u(a | 0x1000, b);"},
      {"a variable byte of a small array (recipe.cpp)",
       "    uint8_t l[5];\n    for (int i = 0; i < 5; i++) l[i] = 7;\n    g_2[1] = 0;\n"
       "    for (g_1 = 0; g_1 < 3; g_1++)\n      for (g_3 = 0; g_3 < 5; g_3++) g_2[1] += l[g_3]++;"},
      {"the high half of an operand of | is -1 (hiding_or.h)",
       "    int64_t l = g_1;\n    int32_t *p = &g_3;\n"
       "    if (~(l |= safe_sub_func_uint64_t_u_u(*p != 5, 5))) g_2[1] = l;\n    g_1 = (l >> 32);"},
  };
  for (const bool uniform : {false, true})
    for (const auto& [what, body] : programs) {
      recipe_.uniform = uniform;
      const outcome o = check(with_body(body));
      EXPECT_EQ(o.verdict, verdict::agrees) << what << (uniform ? ", uniform: " : ": ") << o.reason << o.detail;
    }
}

TEST_F(csmith_check, hidden_or_is_or) {
  // Without blanks the operator stays the built-in one. The index is out of bounds if they differ anywhere.
  const outcome o =
      check(with_body("    uint8_t l = 0xf0, m = 0xf0;\n    l |= (g_1 & 0xfff);\n    m|=(g_1 & 0xfff);\n"
                      "    bool same = l == m && sizeof(l | m) == sizeof(l|m) && (l | ~g_1) == (l|~g_1);\n"
                      "    same = same && (-5 | g_2[1]) == (-5|g_2[1]) && (-5 | 3UL) == (-5|3UL) && (l | -1) < 0;\n"
                      "    g_2[same ? 1 : 4] = (l | g_1) | (m | 0x100);"));
  EXPECT_EQ(o.verdict, verdict::agrees) << o.reason << o.detail;
}

TEST_F(csmith_check, lanes_have_inputs_of_their_own) {
  // If all lanes ran the same program, a lane that computes its neighbour's result would go unnoticed.
  recipe_.lanes = 70;
  const outcome o = check(with_body("#ifdef __HIP__\n    g_3 = 0;\n#endif\n    g_1 = g_3;"));
  ASSERT_EQ(o.verdict, verdict::differs) << o.reason;
  EXPECT_THAT(o.detail, HasSubstr("lane 1"));
  EXPECT_THAT(o.detail, Not(HasSubstr("lane 0 ")));  // runs the program as generated, where g_3 is 0
}

TEST_F(csmith_check, one_wrong_lane_is_found_and_kept) {
  options_.break_lane = 69;
  const outcome o = check(with_body("    g_1 += 1;"));
  ASSERT_EQ(o.verdict, verdict::differs);
  EXPECT_THAT(o.detail, HasSubstr("lane 69 (input"));
  EXPECT_THAT(o.detail, HasSubstr("-O0, functional"));
  EXPECT_THAT(o.detail, HasSubstr("fuzz_csmith --programs 1 --seed 0 --opt 0,3"));
  EXPECT_THAT(o.detail, Not(HasSubstr("lane 68")));
  const fs::path kept = fs::path(options_.keep) / "seed-0";
  for (const char* name : {"program.cpp", "O0.hsaco", "O3.hsaco", "commands"}) EXPECT_TRUE(fs::exists(kept / name));
}

TEST_F(csmith_check, a_different_program_is_found_at_its_level) {
  const outcome o = check(with_body("#if defined(__HIP__) && defined(__OPTIMIZE__)\n    g_1 ^= 0x100;\n#endif"));
  ASSERT_EQ(o.verdict, verdict::differs);
  EXPECT_THAT(o.detail, HasSubstr("-O3, functional"));
  EXPECT_THAT(o.detail, HasSubstr("lane 0 "));
}

TEST_F(csmith_check, a_program_that_the_machine_stops_is_a_difference) {
  const outcome o = check(with_body("#ifdef __HIP__\n    *reinterpret_cast<volatile int*>(0x123450) = 1;\n#endif"));
  ASSERT_EQ(o.verdict, verdict::differs);
  EXPECT_THAT(o.detail, HasSubstr("0x123450"));
}

TEST_F(csmith_check, instructions_across_lanes_are_refused_by_machines_that_part_work_items) {
  const std::string across =
      with_body("#ifdef __HIP__\n    volatile int x = __builtin_amdgcn_ds_bpermute(4, g_1);\n#endif");
  options_.levels = {"1", "3"};
  options_.machines = {"divergence=mimd"};
  outcome o = check(across);
  EXPECT_EQ(o.verdict, verdict::agrees) << o.detail;
  EXPECT_EQ(o.refused, (std::map<std::string, unsigned>{{"ds_bpermute_b32", 4}}));
  EXPECT_EQ(o.launches, 0U);
  options_.machines = {"divergence=none"};
  o = check(across);
  EXPECT_TRUE(o.refused.empty());
  EXPECT_EQ(o.launches, 2U);
}

TEST_F(csmith_check, programs_that_prove_nothing_are_discarded) {
  EXPECT_EQ(check(with_body("    g_2[4 + (g_1 & 1)] = 1;")).reason, "undefined behaviour");
  EXPECT_EQ(check(with_body("    g_1 = 0x7fffffff; g_1 += 1;")).reason, "undefined behaviour");
  EXPECT_EQ(check(with_body("    for (g_1 = 0; g_1 < 5; g_1 += 0) g_2[1]++;")).reason, "runs too long");
  EXPECT_EQ(check(with_body("    for (;;) {}")).reason, "runs too long");
  EXPECT_EQ(check(with_body("    g_99 = 1;")).reason, "not accepted by the host compiler");
  EXPECT_EQ(check(with_body("#ifdef __HIP__\n    g_99 = 1;\n#endif")).reason, "not accepted by the GPU's compiler");
  // The sanitized build and a plain one disagree: nothing can be said of the GPU.
  EXPECT_EQ(check(with_body("#if defined(__HIP__) || !__has_feature(address_sanitizer)\n    g_1 = 99;\n#endif")).reason,
            "differs on the host too");
}

TEST(csmith_driver, same_seeds_same_output) {
  const std::vector<std::string> command{PWS_FUZZ_CSMITH, "--programs", "4", "--seed", "100", "--jobs", "2"};
  const program_result a = run_program(command, 300), b = run_program(command, 300);
  EXPECT_EQ(a.exit_code, 0) << a.out << a.err;
  EXPECT_EQ(a.out, b.out);
  EXPECT_THAT(a.out, HasSubstr("differences     0\nPASS"));
}

TEST(csmith_driver, exit_status_tells_a_difference) {
  const std::string kept = (fs::temp_directory_path() / ("csmith-test-kept-" + std::to_string(getpid()))).string();
  const program_result r = run_program(
      {PWS_FUZZ_CSMITH, "--programs", "1", "--seed", "100", "--opt", "1", "--break-lane", "3", "--keep", kept}, 300);
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_THAT(r.out, HasSubstr("DIFFERENCE seed 100: -O1, functional"));
  EXPECT_THAT(r.out, HasSubstr("lane 3 (input"));
  EXPECT_THAT(r.out, HasSubstr("FAIL"));
  fs::remove_all(kept);
}

TEST(csmith_driver, a_wrong_machine_is_said_before_anything_runs) {
  const program_result r =
      run_program({PWS_FUZZ_CSMITH, "--programs", "100000", "--machine", "divergence=dwf,dwf.heuristic=time"}, 60);
  EXPECT_EQ(r.exit_code, 2);
  EXPECT_THAT(r.err, HasSubstr("dwf.heuristic: 'time' is not one of"));
}

TEST(csmith_driver, nothing_compared_is_no_success) {
  const program_result r = run_program({PWS_FUZZ_CSMITH, "--programs", "0"}, 300);
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_THAT(r.out, HasSubstr("nothing was compared"));
}

}  // namespace
}  // namespace pws::test::csmith_test
