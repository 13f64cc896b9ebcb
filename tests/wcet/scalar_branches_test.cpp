// SPDX-License-Identifier: Apache-2.0
// What a branch by SCC says of the scalar registers that its compare has read, on the side to which it goes.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "models/flow/dominators.h"
#include "models/isa/code/decode.h"
#include "sw/cfg/divergent_branch.h"
#include "sw/wcet/lanes/lane_value_analysis.h"
#include "tests/wcet/hand_kernel.h"
#include "tests/wcet/lane_random.h"

namespace pws::test::scalar_branches_test {
namespace {

constexpr uint64_t all = ~uint64_t{0};

// ---- The compares

struct compare_form {
  const char* name;
  uint32_t sopc, sopk;  // opcodes
  bool (*holds)(uint32_t a, uint32_t b);
};
int32_t number(uint32_t v) {
  return static_cast<int32_t>(v);
}
const std::array<compare_form, 12> forms = {{
    {"eq_i32", 0, 2, [](uint32_t a, uint32_t b) { return a == b; }},
    {"lg_i32", 1, 3, [](uint32_t a, uint32_t b) { return a != b; }},
    {"gt_i32", 2, 4, [](uint32_t a, uint32_t b) { return number(a) > number(b); }},
    {"ge_i32", 3, 5, [](uint32_t a, uint32_t b) { return number(a) >= number(b); }},
    {"lt_i32", 4, 6, [](uint32_t a, uint32_t b) { return number(a) < number(b); }},
    {"le_i32", 5, 7, [](uint32_t a, uint32_t b) { return number(a) <= number(b); }},
    {"eq_u32", 6, 8, [](uint32_t a, uint32_t b) { return a == b; }},
    {"lg_u32", 7, 9, [](uint32_t a, uint32_t b) { return a != b; }},
    {"gt_u32", 8, 10, [](uint32_t a, uint32_t b) { return a > b; }},
    {"ge_u32", 9, 11, [](uint32_t a, uint32_t b) { return a >= b; }},
    {"lt_u32", 10, 12, [](uint32_t a, uint32_t b) { return a < b; }},
    {"le_u32", 11, 13, [](uint32_t a, uint32_t b) { return a <= b; }},
}};

isa::inst decoded(uint32_t word) {
  return isa::decode(&word, 1, 0x1000);
}

// Numbers that the registers may hold, and that give that result, stay among them.
TEST(scalar_branches, no_number_is_lost) {
  random_source r(1);
  for (unsigned n = 0; n < 200000; ++n) {
    const compare_form& f = forms[r.below(forms.size())];
    const word_set a = random_set(r), b = random_set(r);
    const bool same = r.one_in(20), has_constant = r.one_in(3);
    const auto constant = static_cast<uint16_t>(r.number());
    uint32_t x = member_of(a, r), y = same ? x : member_of(b, r);
    if (has_constant) {  // with signs for signed compares alone
      y = f.sopk < 8 ? static_cast<uint32_t>(int32_t{static_cast<int16_t>(constant)}) : constant;
      if (r.one_in(4) && a.contains(y)) x = y;
    }
    const isa::inst i = decoded(has_constant ? 0xb0000000 | f.sopk << 23 | 20u << 16 | constant
                                             : 0xbf000000 | f.sopc << 16 | (same ? 20u : 21u) << 8 | 20u);
    wcet::lane_state s(4, all, all);
    s.set_scalar(20, a);
    s.set_scalar(21, b);
    wcet::suppose(s, i, f.holds(x, y));
    ASSERT_TRUE(s.scalar(20).value.contains(x)) << f.name << " " << x << " " << y;
    ASSERT_TRUE(same || has_constant || s.scalar(21).value.contains(y)) << f.name << " " << x << " " << y;
  }
}

// ---- Where they hold

// What s20 may hold at label `here`, in front of the only s_mov_b32 of s30. Nothing: no wavefront comes there.
std::optional<wcet::word_set> s20_at(const std::string& body) {
  const hand_kernel hand(body);
  const cfg::function_code& code = hand.kernel.code;
  const cfg::flow_graph graph(code, cfg::missing_skips(cfg::find_divergent_branches(code)));
  wcet::launch_facts facts;
  facts.workgroup = facts.grid = {64, 1, 1};
  facts.descriptor.workitem_ids = 1;
  std::optional<wcet::word_set> found;
  for (const wcet::wave_kind& kind : wcet::wave_kinds(facts))
    wcet::analyse_lane_values(graph, facts, kind, [&](size_t k, const wcet::lane_state& s) {
      const isa::inst& i = code.instructions[k];
      if (i.dst.kind != isa::operand_kind::scalar || i.dst.index != 30) return;
      found = found ? join(*found, s.scalar(20).value) : s.scalar(20).value;
    });
  return found;
}
// `branch`: by which `test` goes to `there`; what follows it is the other side.
std::string sides(const std::string& test, const std::string& branch, bool is_there) {
  const std::string here = "  s_mov_b32 s30, s20\n";
  return "  s_load_dword s20, s[4:5], 0x0\n  s_load_dword s21, s[4:5], 0x4\n  s_waitcnt lgkmcnt(0)\n" + test + "  " +
         branch + " there\n" + (is_there ? "" : here) + "  s_branch end\nthere:\n" + (is_there ? here : "") + "end:\n";
}
wcet::word_set there(const std::string& test, const std::string& branch = "s_cbranch_scc1") {
  return s20_at(sides(test, branch, true)).value();
}
wcet::word_set behind(const std::string& test, const std::string& branch = "s_cbranch_scc1") {
  return s20_at(sides(test, branch, false)).value();
}
wcet::word_set from_to(uint32_t first, uint32_t last) {
  return wcet::word_set::range(first, last);
}
constexpr uint32_t most = INT32_MAX, least = 1u << 31;

TEST(scalar_branches, each_side_has_its_numbers) {
  const std::string below = "  s_cmp_lt_i32 s20, 1\n";
  EXPECT_EQ(there(below), from_to(least, 0));
  EXPECT_EQ(behind(below), from_to(1, most));
  EXPECT_EQ(there(below, "s_cbranch_scc0"), from_to(1, most));
  EXPECT_EQ(behind(below, "s_cbranch_scc0"), from_to(least, 0));
  EXPECT_EQ(there("  s_cmp_gt_u32 10, s20\n"), from_to(0, 9));
  EXPECT_EQ(behind("  s_cmp_gt_u32 10, s20\n"), from_to(10, UINT32_MAX));
  EXPECT_EQ(there("  s_cmpk_le_u32 s20, 0x64\n"), from_to(0, 100));
  EXPECT_EQ(there("  s_cmp_eq_u32 s20, 7\n"), wcet::word_set::constant(7));
  EXPECT_EQ(behind("  s_cmp_eq_u32 s20, 0\n"), from_to(1, UINT32_MAX));
}

TEST(scalar_branches, by_another_register) {
  const std::string range = "  s_and_b32 s21, s21, 15\n";
  EXPECT_EQ(there(range + "  s_cmp_le_u32 s20, s21\n"), from_to(0, 15));
  EXPECT_EQ(behind(range + "  s_cmp_ge_u32 s20, s21\n"), from_to(0, 14));
}

TEST(scalar_branches, code_between_compare_and_branch) {
  const std::string test = "  s_cmp_lt_u32 s20, 10\n";
  EXPECT_EQ(there(test + "  s_mov_b32 s22, 5\n  v_mov_b32 v1, s20\n"), from_to(0, 9));
  // The register is another one by then, or SCC.
  EXPECT_TRUE(there(test + "  s_mov_b32 s20, s22\n").is_full());
  EXPECT_TRUE(there(test + "  s_mov_b64 s[20:21], s[22:23]\n").is_full());
  EXPECT_TRUE(there(test + "  s_add_i32 s22, s22, 1\n").is_full());
  EXPECT_TRUE(there("  s_cmp_lt_u32 s20, s21\n  s_mov_b32 s21, 10\n").is_full());
  EXPECT_TRUE(there("  s_bitcmp1_b32 s20, 3\n").is_full());
  EXPECT_TRUE(there(test, "s_cbranch_vccnz").is_full());
}

// Behind the place where both sides meet nothing is known any more.
TEST(scalar_branches, both_sides_together) {
  EXPECT_TRUE(s20_at("  s_load_dword s20, s[4:5], 0x0\n  s_waitcnt lgkmcnt(0)\n  s_cmp_lt_u32 s20, 10\n"
                     "  s_cbranch_scc1 end\n  s_nop 0\nend:\n  s_mov_b32 s30, s20\n")
                  ->is_full());
  EXPECT_TRUE(s20_at("  s_load_dword s20, s[4:5], 0x0\n  s_waitcnt lgkmcnt(0)\n  s_cmp_lt_u32 s20, 10\n"
                     "  s_cbranch_scc1 end\nend:\n  s_mov_b32 s30, s20\n")
                  ->is_full())
      << "a branch to what follows it";
}

}  // namespace
}  // namespace pws::test::scalar_branches_test
