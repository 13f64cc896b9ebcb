// SPDX-License-Identifier: Apache-2.0
// What is known of masks where a branch's sides come together again, and where parts of the wavefront merge: the shapes
// that compilers write, and such as look like them.
#include <gtest/gtest.h>

#include <functional>
#include <optional>

#include "tests/wcet/described_wave.h"

namespace pws::test::lane_masks_test {
namespace {

using namespace wcet;

// Walks through the code from 40 random states, each of which `begin` completes; `end` sees what it has become.
void walk_words(
    const std::vector<uint32_t>& words, const std::function<void(described_wave&)>& begin,
    const std::function<void(const described_wave&)>& end = [](const described_wave&) {}) {
  const analysed_code code(words);
  unsigned merged = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    random_source r(seed);
    described_wave m(r, ~uint64_t{0});
    begin(m);
    split_walk walk(code, r);
    walk.run(m, 0);
    EXPECT_EQ(walk.failure, "") << "seed " << seed;
    merged += walk.merged;
    end(m);
  }
  EXPECT_GT(merged, 10u);
}

// A mask of before the split puts the other part's work-items into a part's EXEC: they are active behind the merge, and
// have not done what the other one did.
TEST(lane_masks, a_part_may_write_the_others_lanes_to_exec) {
  const auto sop1 = [](const char* name, uint32_t dst, uint32_t src) {
    return 0xbe800000 | dst << 16 | uint32_t{row_named(name).opcode} << 8 | src;
  };
  const std::vector<uint32_t> words = {
      sop1("s_and_saveexec_b64", 2, 4),  // s[4:5] is not known
      0xbf147f7e,                        // split exec_lo, exec_hi
      // The first part is empty now, the second one has all work-items in EXEC.
      0x80000000 | uint32_t{row_named("s_xor_b64").opcode} << 23 | uint32_t{isa::exec_lo} << 16 | 2u << 8 |
          isa::exec_lo,
      0x7e000000 | 1u << 17 | uint32_t{row_named("v_mov_b32").opcode} << 9 | 135,  // v1 = 7
      0xbf150000};                                                                 // merge
  walk_words(words, [](described_wave& m) {
    m.known.set_scalar(4, word_set::any());
    m.known.set_scalar(5, word_set::any());
  });
}

// A part reads no lane in EXEC that the wavefront was not launched with, but has written some: behind the merge they
// are active.
TEST(lane_masks, a_part_may_write_lanes_to_exec_that_were_not_launched) {
  random_source r(1);
  code_writer writer(r);
  writer.saveexec("s_and_saveexec_b64", 2, 4);
  writer.words.push_back(0xbf147f7e);                    // split exec_lo, exec_hi
  writer.logic("s_lshl_b64", 6, isa::exec_lo, 128 + 8);  // nothing in the second part, whose EXEC is 0
  writer.saveexec("s_andn2_saveexec_b64", 10, 2);
  writer.logic("s_or_b64", isa::exec_lo, isa::exec_lo, 6);
  writer.add_merge();
  const analysed_code code(writer.words);
  const uint64_t launched = 0xffffffffff;
  unsigned merged = 0;
  for (unsigned seed = 0; seed < 10; ++seed) {
    random_source ways(seed);
    described_wave m(ways, launched);
    m.set_launched(launched);
    m.state.set_scalar64(4, 0xff00000000);
    m.known.set_scalar(4, word_set::constant(0));
    m.known.set_scalar(5, word_set::constant(0xff));
    split_walk walk(code, ways);
    walk.run(m, 0);
    EXPECT_EQ(walk.failure, "") << seed;
    if (walk.merged != 0) {
      EXPECT_EQ(m.state.active(), 0xff00ffffffff) << seed;
    }
    merged += walk.merged;
  }
  EXPECT_GT(merged, 3u);
}

// The sides of a branch that data decide are together what was there before it, also where parts of the wavefront have
// taken them, and branches inside of a side do not matter.
TEST(lane_masks, both_sides_together_are_what_was_there_before) {
  for (const bool outer : {false, true})
    for (const bool inner : {false, true})
      for (unsigned seed = 0; seed < 30; ++seed) {
        random_source r(seed);
        code_writer writer(r);
        const auto if_else = [&](uint32_t saved, uint32_t other, uint32_t condition, bool split, auto body) {
          writer.saveexec("s_and_saveexec_b64", saved, condition);
          writer.logic("s_xor_b64", other, isa::exec_lo, saved);
          if (split) writer.words.push_back(0xbf147f7e);  // split exec_lo, exec_hi
          body();
          if (seed % 2 != 0) {
            writer.saveexec("s_andn2_saveexec_b64", other, other);
          } else {
            writer.saveexec("s_or_saveexec_b64", other, other);
            writer.logic("s_xor_b64", isa::exec_lo, isa::exec_lo, other);
          }
          if (seed % 3 == 0) body();
          writer.logic("s_or_b64", isa::exec_lo, isa::exec_lo, other);
          if (split) writer.add_merge();
        };
        if_else(2, 2, 4, outer, [&] { if_else(8, 10, 6, inner, [] {}); });
        const analysed_code code(writer.words);
        const uint64_t launched = seed % 5 == 0 ? 0xffffffffff : ~uint64_t{0};
        described_wave m(r, launched);
        m.set_launched(launched);
        for (unsigned k = 4; k < 8; ++k) m.known.set_scalar(k, word_set::any());
        split_walk walk(code, r);
        walk.run(m, 0);
        EXPECT_EQ(walk.failure, "") << "seed " << seed << (outer ? " outer" : "") << (inner ? " inner" : "");
        EXPECT_EQ(m.known.exec_number(), launched) << seed << (outer ? " outer" : "") << (inner ? " inner" : "");
      }
}

// ... but not where a side's mask has been changed, or a mask of another branch takes its place.
TEST(lane_masks, other_masks_are_not_sides) {
  for (const unsigned wrong : {0u, 1u, 2u, 3u}) {
    random_source r(wrong);
    code_writer writer(r);
    writer.saveexec("s_and_saveexec_b64", 2, 4);
    writer.logic("s_xor_b64", 8, isa::exec_lo, 2);
    if (wrong == 0) writer.logic("s_and_b64", 8, 8, 6);                          // fewer lanes
    if (wrong == 1) writer.logic("s_andn2_b64", isa::exec_lo, isa::exec_lo, 6);  // some have left
    writer.saveexec("s_andn2_saveexec_b64", 10, 8);
    if (wrong == 2) writer.logic("s_and_b64", isa::exec_lo, isa::exec_lo, 6);
    if (wrong == 3) writer.logic("s_xor_b64", 10, 10, 6);
    writer.logic("s_or_b64", isa::exec_lo, isa::exec_lo, 10);
    const analysed_code code(writer.words);
    described_wave m(r, ~uint64_t{0});
    m.state.set_scalar64(4, 0x0123456789abcdef);
    m.state.set_scalar64(6, 0x00ff00ff00ff00ff);
    for (unsigned k = 4; k < 8; ++k) m.known.set_scalar(k, word_set::any());
    split_walk walk(code, r);
    walk.run(m, 0);
    EXPECT_EQ(walk.failure, "") << wrong;
    EXPECT_NE(m.state.active(), ~uint64_t{0}) << wrong;
    EXPECT_EQ(m.known.exec_number(), std::nullopt) << wrong;
  }
}

// Each part has a number of its own in all of its lanes: together they have two.
TEST(lane_masks, numbers_of_two_parts_are_two_numbers) {
  const std::vector<uint32_t> words = {
      0xbf140504,                                                                            // split s4, s5
      0x7e000000 | 8u << 17 | uint32_t{row_named("v_readfirstlane_b32").opcode} << 9 | 259,  // s8 = that of v3
      0x7e000000 | 1u << 17 | uint32_t{row_named("v_mov_b32").opcode} << 9 | 8,              // v1 = s8
      0xbf150000};                                                                           // merge
  const auto begin = [](described_wave& m) {
    m.state.set_scalar64(4, 0xffff00ff);
    m.known.set_scalar(4, word_set::constant(0xffff00ff));
    m.known.set_scalar(5, word_set::constant(0));
    m.known.forget_vector(3);
    for (unsigned l = 0; l < lanes_per_wave; ++l) m.state.vgpr[3].lane[l] = l * 7919;
  };
  walk_words(words, begin, [](const described_wave& m) { EXPECT_EQ(m.known.exec_number(), ~uint64_t{0}); });
}

}  // namespace
}  // namespace pws::test::lane_masks_test
