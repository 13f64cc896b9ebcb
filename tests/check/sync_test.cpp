// SPDX-License-Identifier: Apache-2.0
// Barriers and merges that not all reach, from sequences of events made by hand.
#include <gmock/gmock.h>

#include <set>
#include <tuple>

#include "models/check/sync/barrier_check.h"
#include "models/check/sync/split_check.h"

namespace pws::check::sync_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr uint64_t all_lanes = ~uint64_t{0};

struct kept : finding_sink {
  bool is_new(std::string_view rule, uint64_t pc, uint64_t other_pc) override {
    ++count;
    return places.emplace(rule, pc, other_pc).second;
  }
  void add(finding f) override { findings.push_back(std::move(f)); }
  std::vector<std::string> rules() const {
    std::vector<std::string> r;
    for (const finding& f : findings) r.emplace_back(f.rule);
    return r;
  }
  std::set<std::tuple<std::string_view, uint64_t, uint64_t>> places;
  std::vector<finding> findings;
  unsigned count = 0;
};

site at(uint64_t pc, uint16_t wave, uint64_t lanes = all_lanes) {
  site s;
  s.pc = pc;
  s.wave = wave;
  s.lanes = lanes;
  return s;
}

class barriers : public testing::Test {
 protected:
  barriers() { check_.workgroup_begins(&group_, 4); }
  kept sink_;
  std::set<std::pair<uint64_t, uint64_t>> copies_;
  barrier_check check_{sink_, [this](uint64_t a, uint64_t b) { return copies_.count(std::minmax(a, b)) != 0; }};
  const int group_ = 0, other_group_ = 0;
};

TEST_F(barriers, all_come_and_then_end) {
  for (int round = 0; round < 3; ++round) {
    for (uint16_t w = 0; w < 4; ++w) check_.arrives(&group_, at(0x40, w), 0);
    check_.passes(&group_);
  }
  for (uint16_t w = 0; w < 4; ++w) check_.ends(&group_, at(0x80, w));
  EXPECT_THAT(sink_.rules(), IsEmpty());
}

TEST_F(barriers, one_ends_while_others_wait) {
  check_.arrives(&group_, at(0x40, 0), 0);
  check_.arrives(&group_, at(0x40, 2), 0);
  check_.ends(&group_, at(0x80, 1));
  ASSERT_THAT(sink_.rules(), ElementsAre("barrier_not_reached_by_all"));
  EXPECT_EQ(sink_.count, 2u);
  EXPECT_EQ(sink_.findings[0].here.pc, 0x40u);
  EXPECT_EQ(sink_.findings[0].other->pc, 0x80u);
  EXPECT_EQ(sink_.findings[0].other->wave, 1);
  EXPECT_THAT(sink_.findings[0].what, HasSubstr("wavefront 1 of the workgroup has ended"));
}

// Also where nobody waited yet when it ended: the order of wavefronts is the machine's affair.
TEST_F(barriers, one_has_ended_before_others_come) {
  check_.ends(&group_, at(0x80, 1));
  check_.arrives(&group_, at(0x40, 0), 0);
  EXPECT_THAT(sink_.rules(), ElementsAre("barrier_not_reached_by_all"));
}

TEST_F(barriers, one_ends_after_a_barrier_and_others_have_a_further_one) {
  check_.arrives(&group_, at(0x40, 0), 0);
  check_.arrives(&group_, at(0x40, 1), 0);
  check_.passes(&group_);
  check_.ends(&group_, at(0x80, 1));
  EXPECT_THAT(sink_.rules(), IsEmpty());
  check_.arrives(&group_, at(0x60, 0), 0);
  EXPECT_THAT(sink_.rules(), ElementsAre("barrier_not_reached_by_all"));
}

TEST_F(barriers, workgroups_are_apart) {
  check_.workgroup_begins(&other_group_, 4);
  check_.ends(&group_, at(0x80, 0));
  check_.arrives(&other_group_, at(0x40, 0), 0);
  EXPECT_THAT(sink_.rules(), IsEmpty());
}

// The place of an ended workgroup is taken by another one.
TEST_F(barriers, a_new_workgroup_begins_anew) {
  check_.arrives(&group_, at(0x40, 0), 0);
  check_.passes(&group_);
  check_.ends(&group_, at(0x80, 0));
  check_.workgroup_ends(&group_);
  check_.workgroup_begins(&group_, 4);
  check_.arrives(&group_, at(0x40, 0), 0);
  EXPECT_THAT(sink_.rules(), IsEmpty());
}

TEST_F(barriers, differ) {
  check_.arrives(&group_, at(0x40, 0), 0);
  check_.arrives(&group_, at(0x60, 1), 0);
  ASSERT_THAT(sink_.rules(), ElementsAre("barriers_differ"));
  EXPECT_EQ(sink_.findings[0].here.pc, 0x60u);
  EXPECT_EQ(sink_.findings[0].other->pc, 0x40u);
  check_.passes(&group_);
  check_.arrives(&group_, at(0x60, 1), 0);  // one after the other is as it should be
  EXPECT_EQ(sink_.count, 1u);
}

TEST_F(barriers, copies_of_one_barrier) {
  copies_ = {{0x40, 0x60}};
  check_.arrives(&group_, at(0x60, 0), 0);
  check_.arrives(&group_, at(0x40, 1), 0);
  EXPECT_THAT(sink_.rules(), IsEmpty());
}

TEST_F(barriers, lanes_that_are_switched_off) {
  check_.arrives(&group_, at(0x40, 0, all_lanes & ~0xe1ull), 0xe1);
  check_.arrives(&group_, at(0x40, 1, all_lanes >> 1), uint64_t{1} << 63);
  ASSERT_THAT(sink_.rules(), ElementsAre("divergent_barrier"));
  EXPECT_EQ(sink_.count, 2u);
  EXPECT_THAT(sink_.findings[0].what, HasSubstr("4 of the wavefront's work-items (lanes 0, 5-7)"));
  EXPECT_FALSE(sink_.findings[0].mend.empty());
}

// Exec is zero there: a wavefront that jumps into a barrier that none of its work-items takes.
TEST_F(barriers, all_lanes_are_switched_off) {
  check_.arrives(&group_, at(0x40, 0, 0), all_lanes);
  ASSERT_THAT(sink_.rules(), ElementsAre("divergent_barrier"));
  EXPECT_THAT(sink_.findings[0].what, HasSubstr("64 of the wavefront's work-items (lanes 0-63)"));
}

class split_paths : public testing::Test {
 protected:
  split_paths() {
    check_.begins(&parent_);
    check_.begins(&child_);
  }
  kept sink_;
  split_check check_{sink_};
  const int parent_ = 0, child_ = 0;
};

TEST_F(split_paths, end_behind_their_merge) {
  check_.splits(&parent_, 0);
  check_.ends(at(0x80, 0), &parent_, 0);
  EXPECT_THAT(sink_.rules(), IsEmpty());
}

TEST_F(split_paths, one_ends_within_the_split_and_the_other_merges) {
  check_.splits(&parent_, 0);
  check_.ends(at(0x80, 0), &child_, 0);
  check_.child_ends(at(0x80, 0), &parent_, 0, false);
  check_.ends(at(0x80, 0), &parent_, 0);
  EXPECT_THAT(sink_.rules(), IsEmpty());
  // The next split in the same place, whose sides merge; its parent leaves the one around it alone.
  check_.splits(&parent_, 0);
  check_.ends(at(0x80, 0), &parent_, 1);
  EXPECT_THAT(sink_.rules(), IsEmpty());
}

TEST_F(split_paths, both_come_to_the_end_without_a_merge) {
  check_.splits(&parent_, 0);
  check_.child_ends(at(0x80, 0, 1), &parent_, 0, false);
  check_.ends(at(0x80, 0, ~uint64_t{1}), &parent_, 1);
  ASSERT_THAT(sink_.rules(), ElementsAre("missing_merge"));
  EXPECT_EQ(sink_.findings[0].other->lanes, 1u);
  EXPECT_FALSE(sink_.findings[0].mend.empty());
}

TEST_F(split_paths, the_parent_ends_first) {
  check_.splits(&parent_, 0);
  check_.ends(at(0x80, 0), &parent_, 1);
  check_.ends(at(0x80, 0), &child_, 0);
  check_.child_ends(at(0x80, 0), &parent_, 0, true);
  EXPECT_THAT(sink_.rules(), ElementsAre("missing_merge"));
}

TEST_F(split_paths, the_inner_split_of_two_has_no_merge) {
  check_.splits(&parent_, 0);
  check_.splits(&parent_, 1);
  check_.child_ends(at(0x80, 0), &parent_, 1, false);
  check_.child_ends(at(0x90, 0), &parent_, 0, false);
  check_.ends(at(0x80, 0), &parent_, 2);
  EXPECT_THAT(sink_.rules(), ElementsAre("missing_merge"));
}

TEST_F(split_paths, end_at_different_places) {
  check_.splits(&parent_, 0);
  check_.child_ends(at(0x80, 0), &parent_, 0, false);
  check_.ends(at(0x90, 0), &parent_, 1);
  EXPECT_THAT(sink_.rules(), IsEmpty());
}

TEST_F(split_paths, reach_each_other) {
  check_.reaches(at(0x40, 0, 1), 0, {});
  EXPECT_THAT(sink_.rules(), IsEmpty());
  check_.reaches(at(0x40, 0, 1), 0x6, at(0x70, 0, 6));
  check_.reaches(at(0x40, 0, 1), 0x8, {});
  ASSERT_THAT(sink_.rules(), ElementsAre("other_path_reached"));
  EXPECT_THAT(sink_.findings[0].what, HasSubstr("(lanes 1-2)"));
  EXPECT_EQ(sink_.findings[0].other->pc, 0x70u);
}

}  // namespace
}  // namespace pws::check::sync_test
