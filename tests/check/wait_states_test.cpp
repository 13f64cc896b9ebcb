// SPDX-License-Identifier: Apache-2.0
// Pairs of instructions with the wait states that they need, and with one less.
#include <gmock/gmock.h>

#include "tests/check/waits_code.h"

namespace pws::check::wait_states_test {
namespace {

using namespace code;
using testing::ElementsAre;
using testing::IsEmpty;

struct pair_case {
  const char* rule;
  words first, second;
};
const pair_case pairs[] = {
    {"setreg_getreg", set_mode, get_mode},
    {"setreg_setreg", set_mode, set_mode},
    {"valu_vcc_vccz", compare, use_vccz},
    {"valu_exec_execz", compare_exec, use_execz},
    {"valu_sgpr_lane_select", valu_writes_s12, lane_s12},
    {"valu_vcc_div_fmas", compare, div_fmas},
    {"valu_sgpr_vmem", valu_writes_s4, buffer_load_v4},
    {"salu_m0_message", write_m0, message},
    {"valu_vgpr_dpp", write_v7, dpp_v7},
    {"valu_exec_dpp", compare_exec, dpp_v7},
    {"wide_store_data", flat_store_v8_v11, write_v8},
};

class wait_states : public testing::TestWithParam<size_t> {};

TEST_P(wait_states, enough_are_silent_and_one_less_is_found) {
  const wait_state_rule& rule = wait_state_rules[GetParam()];
  const pair_case& p = pairs[GetParam()];
  ASSERT_STREQ(rule.name, p.rule);
  for (unsigned between = 0; between <= rule.wait_states + 1; ++between) {
    SCOPED_TRACE(between);
    test_wavefront by_nop, by_instructions;
    by_nop.run(p.first);
    by_instructions.run(p.first);
    if (between != 0) by_nop.run(nop(between - 1));
    for (unsigned n = 0; n < between; ++n) by_instructions.run(nop(0));
    by_nop.run(p.second);
    by_instructions.run(p.second);
    if (between >= rule.wait_states) {
      EXPECT_THAT(by_nop.found(), IsEmpty());
      EXPECT_THAT(by_instructions.found(), IsEmpty());
    } else {
      const std::string finding =
          std::string(rule.name) + ": s_nop " + std::to_string(rule.wait_states - between - 1) + " between them";
      EXPECT_THAT(by_nop.found(), ElementsAre(finding));
      EXPECT_THAT(by_instructions.found(), ElementsAre(finding));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(rules, wait_states, testing::Range<size_t>(0, wait_state_rules.size()),
                         [](const auto& p) { return wait_state_rules[p.param].name; });

std::vector<std::string> found_in(const std::vector<words>& all) {
  return test_wavefront().run(all).found();
}

TEST(wait_state_pairs, that_are_none) {
  EXPECT_THAT(found_in({set_trapsts, set_mode}), IsEmpty());     // another hardware register
  EXPECT_THAT(found_in({compare, use_execz}), IsEmpty());        // VCC written, EXECZ used
  EXPECT_THAT(found_in({valu_writes_s4, use_vccz}), IsEmpty());  // another scalar register
  EXPECT_THAT(found_in({valu_writes_s4, lane_s12}), IsEmpty());
  EXPECT_THAT(found_in({write_s12, lane_s12}), IsEmpty());  // written by the scalar ALU
  EXPECT_THAT(found_in({valu_writes_s4, div_fmas}), IsEmpty());
  EXPECT_THAT(found_in({valu_writes_s12, buffer_load_v4}), IsEmpty());
  EXPECT_THAT(found_in({compare_exec, flat_load_v4}), IsEmpty());  // EXEC is no SGPR
  EXPECT_THAT(found_in({write_s8, message}), IsEmpty());
  EXPECT_THAT(found_in({write_v4, dpp_v7}), IsEmpty());
  EXPECT_THAT(found_in({flat_store_v8_v9, write_v8}), IsEmpty());  // 64 bits
  EXPECT_THAT(found_in({flat_store_v8_v11, write_v7}), IsEmpty());
  EXPECT_THAT(found_in({buffer_store_by_s9, write_v8}), IsEmpty());  // offset in a register
  EXPECT_THAT(found_in({buffer_store_v8_v11, write_v8}), ElementsAre("wide_store_data: s_nop 0 between them"));
  EXPECT_THAT(found_in({flat_cmpswap_v8_v11, write_v8}), ElementsAre("wide_store_data: s_nop 0 between them"));
}

TEST(wait_state_pairs, end_where_another_function_begins) {
  EXPECT_THAT(found_in({valu_writes_s4, call, buffer_load_v4}), IsEmpty());
  EXPECT_THAT(found_in({valu_writes_s4, give_back, buffer_load_v4}), IsEmpty());
  EXPECT_THAT(found_in({call, valu_writes_s4, buffer_load_v4}), ElementsAre("valu_sgpr_vmem: s_nop 4 between them"));
  EXPECT_THAT(found_in({valu_writes_s4, jump, buffer_load_v4}), ElementsAre("valu_sgpr_vmem: s_nop 3 between them"));
}

TEST(wait_state_pairs, name_the_register) {
  test_wavefront t;
  t.run({valu_writes_s4, buffer_load_v4});
  ASSERT_EQ(t.sink.findings.size(), 1u);
  EXPECT_EQ(t.sink.findings[0].what, "s4 is read by vector memory too soon after a vector instruction wrote it");
  EXPECT_EQ(t.sink.findings[0].here.pc, 0x1008u);
  EXPECT_EQ(t.sink.findings[0].other->pc, 0x1000u);
}

TEST(wait_state_pairs, go_on_in_a_path_that_begins) {
  test_wavefront parent, swf;
  parent.run(valu_writes_s4);
  swf.waits.begin_path({}, parent.waits, false);
  swf.run(buffer_load_v4);
  EXPECT_EQ(swf.found().size(), 1u);
}

}  // namespace
}  // namespace pws::check::wait_states_test
