// SPDX-License-Identifier: Apache-2.0
// Where the anchors of loops are in the machine code, from assembly by hand.
#include "sw/pwscc/loop_marks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/pwscc/pass/pass_support.h"

namespace pws::test::loop_marks_test {
namespace {

using cfg::marked_loop;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string enter = ";pws.loop enter 1 bound 4\n", iterate = ";pws.loop iterate 1\n";

std::string with_blocks(const std::string& body) {
  const std::string whole = pwscc::with_anchored_blocks(kernel_text(body), "hand.s"), around = kernel_text("");
  const size_t at = around.find("k:\n") + 3;
  return whole.substr(at, whole.size() - around.size());
}

marked_loop only_loop(const std::string& body) {
  const pwscc::assembly_file file(kernel_text(body), "hand.s");
  return pwscc::read_marked_loops(file, pwscc::assemble_kernels(file).at(0)).at(0);
}

TEST(loop_marks, blocks_of_nothing_but_an_anchor_get_an_instruction) {
  const std::string nop = "\ts_nop 0\n";
  // Between a label that is branched to and the next one, or a branch.
  const std::string empty = "\ts_cbranch_scc1 .Lb\n.La:\n" + iterate, end = ".Lb:\n\tv_nop\n\ts_cbranch_scc1 .La\n";
  EXPECT_EQ(with_blocks(empty + end), empty + nop + end);
  EXPECT_EQ(with_blocks(empty + "\ts_branch .La\n" + end), empty + "\ts_branch .La\n" + end);
  // Behind what may write EXEC, other work-items are there than before.
  const std::string narrowed = "\ts_mov_b64 exec, s[4:5]\n" + iterate;
  EXPECT_EQ(with_blocks(narrowed + ".La:\n" + end), narrowed + nop + ".La:\n" + end);
  // An instruction follows, or goes before it: in the same block, if nobody goes to the label between.
  for (const std::string& full : {iterate + "\tv_nop\n", "\tv_nop\n" + iterate, iterate + ".Lnobody:\n\tv_nop\n"})
    EXPECT_EQ(with_blocks(enter + full + end), enter + full + end);
  EXPECT_EQ(with_blocks("\tv_nop\n"), "\tv_nop\n");
}

TEST(loop_marks, an_anchor_is_at_the_next_instruction_or_at_the_one_before_the_block_ends) {
  const std::string loop = ".La:\n\tv_nop\n" + iterate + "\ts_nop 2\n\ts_cbranch_scc1 .La\n";
  EXPECT_THAT(only_loop("\ts_nop 3\n" + enter + loop).entries, ElementsAre(0));
  EXPECT_THAT(only_loop("\ts_nop 3\n" + enter + loop).iterations, ElementsAre(2));
  EXPECT_THAT(only_loop(enter + "\ts_nop 3\n" + loop).entries, ElementsAre(0));
  const marked_loop twice =
      only_loop("\ts_nop 3\n" + enter + ".La:\n" + iterate + iterate + "\tv_nop\n\ts_cbranch_scc1 .La\n");
  EXPECT_THAT(twice.iterations, ElementsAre(1, 1));
  EXPECT_EQ(twice.bound, 4u);
}

TEST(loop_marks, damaged_anchors_name_their_line) {
  const auto message = [](const std::string& body) -> std::string {
    try {
      only_loop(body);
    } catch (const input_error& e) {
      return e.what();
    }
    return "";
  };
  const std::string loop = "\ts_nop 0\n.La:\n" + iterate + "\tv_nop\n\ts_cbranch_scc1 .La\n";
  EXPECT_EQ(message(enter + loop), "");
  EXPECT_THAT(message(loop), HasSubstr("loop 1 has iterations, and no \";pws.loop enter 1\""));
  EXPECT_THAT(message(enter + loop + ";pws.loop enter 1 bound 5\n\tv_nop\n"),
              HasSubstr(":12: loop 1 has another bound here than before"));
  EXPECT_THAT(message("\ts_mov_b64 exec, s[4:5]\n" + enter + ".Lhead:\n" + loop + "\ts_cbranch_scc0 .Lhead\n"),
              HasSubstr(":7: no instruction is in the block of this anchor"));
  for (const char* damaged : {";pws.loop leave 1", ";pws.loop enter x bound 4", ";pws.loop enter 1",
                              ";pws.loop enter 1 bound", ";pws.loop enter 1 bound 4 4", ";pws.loop iterate"})
    EXPECT_THAT(message(std::string(damaged) + "\n" + loop), HasSubstr("hand.s:6: ")) << damaged;
}

}  // namespace
}  // namespace pws::test::loop_marks_test
