// SPDX-License-Identifier: Apache-2.0
// Splits and merges that the source has itself: the pass takes them out and places its own; one in front of a divergent
// branch, in its basic block, marks it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "sw/pwscc/report_text.h"
#include "tests/pwscc/pass/pass_support.h"

namespace pws::test::hand_split_test {
namespace {

using pwscc::hand_report;
using pwscc::split_choice;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string split = "\t.long 0xbf147f7e\n", merge = "\t.long 0xbf150000\n";
const std::string other_split = "\t.long 0xbf140504\n";  // of s[4:5]

struct places {
  std::string at_begin, before_branch, in_side, at_join, at_end;
};
// An if/else with something at each of its places.
std::string with(const places& p) {
  const std::string work = "\tv_add_u32_e32 v2, vcc, 1, v2\n";
  return kernel_text(p.at_begin +
                     "\tv_cmp_gt_u32_e32 vcc, 32, v0\n\ts_and_saveexec_b64 s[4:5], vcc\n"
                     "\ts_xor_b64 s[4:5], exec, s[4:5]\n" +
                     p.before_branch + "\ts_cbranch_execz .Lbsb\n" + work + p.in_side + work +
                     ".Lbsb:\n\ts_andn2_saveexec_b64 s[4:5], s[4:5]\n\ts_cbranch_execz .Ljoin\n" + work +
                     ".Ljoin:\n\ts_or_b64 exec, exec, s[4:5]\n" + p.at_join + work + p.at_end);
}

size_t count(const std::string& text, const std::string& word) {
  size_t n = 0;
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
  return n;
}
std::string said_of(const pwscc::pass_result& r) {
  std::string out;
  for (const hand_report& h : r.report.by_hand)
    out += fmt::format("{}{}{} ", h.instruction, h.marks_branch ? "+" : "-",
                       h.reason.substr(0, h.reason.find_first_of(" :")));
  return out;
}

TEST(hand_splits, elsewhere_are_removed_and_reported) {
  for (const split_choice choice : {split_choice::all, split_choice::marked, split_choice::automatic}) {
    const pwscc::pass_result r = place(with({"", "", other_split, "", split + merge}), choice, 1);
    EXPECT_EQ(said_of(r), "split-removed split-removed merge-removed ");
    const bool splits = choice != split_choice::marked;
    EXPECT_EQ(count(r.assembly, "0xbf147f7e"), splits ? 1u : 0u);
    EXPECT_EQ(count(r.assembly, "0xbf150000"), splits ? 1u : 0u);
    EXPECT_EQ(count(r.assembly, "0xbf140504"), 0u);
    const std::string warnings = pwscc::mark_warnings(r.report);
    EXPECT_THAT(warnings, HasSubstr("warning: split by hand: removed: no divergent branch ends its basic block"));
    EXPECT_THAT(warnings, HasSubstr("warning: merge by hand: removed: the pass places merges"));
    EXPECT_THAT(pwscc::report_json({r.report, {}}), HasSubstr("\"by_hand\""));
  }
}

// Right before the skip, or anywhere in front of it in the block, with whatever mask.
TEST(hand_splits, in_front_of_a_branch_mark_it) {
  for (const places& p : {places{"", split, "", "", ""}, places{split, "", "", "", ""},
                          places{other_split + "\ts_nop 0\n", "", "", "", ""}, places{split, split, "", "", ""}})
    for (const bool with_merge : {false, true}) {
      places all = p;
      if (with_merge) all.at_join = merge;
      const pwscc::pass_result r = place(with(all), split_choice::marked, 1);
      const std::string twice = p.at_begin.empty() || p.before_branch.empty() ? "" : "split+splits ";
      EXPECT_EQ(said_of(r), twice + (with_merge ? "split+splits merge-removed " : "split+splits "));
      ASSERT_EQ(r.report.branches.size(), 1u);
      EXPECT_TRUE(r.report.branches[0].marked);
      EXPECT_TRUE(r.report.branches[0].split) << r.report.branches[0].reason;
      EXPECT_EQ(count(r.assembly, "0xbf147f7e"), 1u);
      EXPECT_EQ(count(r.assembly, "0xbf150000"), 1u);
    }
  // A second time nothing changes.
  const std::string once = place(with({"", split, "", "", ""}), split_choice::marked, 1).assembly;
  const pwscc::pass_result again = place(once, split_choice::marked, 1);
  EXPECT_EQ(count(again.assembly, "0xbf147f7e"), 1u);
  EXPECT_EQ(count(again.assembly, "0xbf150000"), 1u);
}

TEST(hand_splits, stay_where_splitting_was_not_asked_for) {
  const std::string text = with({split, "", "", "", ""});
  const pwscc::pass_result r = place(text, split_choice::none, 1);
  EXPECT_EQ(r.assembly, text);
  EXPECT_EQ(said_of(r), "split+left ");
}

TEST(hand_splits, that_cannot_be_removed_are_an_error) {
  const auto error = [](const std::string& text) -> std::string {
    try {
      place(text, split_choice::all, 1);
    } catch (const input_error& e) {
      return e.what();
    }
    return "no error";
  };
  EXPECT_THAT(error(with({"\t.long 0xbf147f7e, 0xbf800000\n", "", "", "", ""})), HasSubstr("split by hand"));
  EXPECT_THAT(error(with({"\t.rept 2\n\t.long 0xbf150000\n\t.endr\n", "", "", "", ""})), HasSubstr("merge by hand"));
  EXPECT_EQ(error(with({"\t.long 0xbf800000\n", "", "", "", ""})), "no error");  // s_nop
}

}  // namespace
}  // namespace pws::test::hand_split_test
