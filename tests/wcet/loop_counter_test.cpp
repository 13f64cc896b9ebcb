// SPDX-License-Identifier: Apache-2.0
// What is counted at which instruction, from events made by hand.
#include "sw/wcet/loops/loop_counter.h"

#include <gtest/gtest.h>

namespace pws::test::loop_counter_test {
namespace {

using cfg::marked_loop;
using wcet::loop_counter;

constexpr uint64_t begin = 0x1000;
constexpr uint64_t all = ~uint64_t{0};

// `n` times s_nop, then s_cbranch_scc1 to `target` (an index) and s_endpgm.
cfg::function_code code(size_t n, size_t target) {
  std::vector<uint32_t> words(n, 0xbf800000);
  words.push_back(0xbf850000 | ((target - n - 1) & 0xffff));
  words.push_back(0xbf810000);
  return cfg::decode_function("k", words.data(), words.size(), begin);
}

marked_loop loop(uint64_t bound, std::vector<size_t> entries, std::vector<size_t> iterations) {
  marked_loop l;
  l.bound = bound;
  l.from = "PWS_LOOP_BOUND";
  l.place = {"a.hip", 7, 0};
  l.entries = std::move(entries);
  l.iterations = std::move(iterations);
  return l;
}

// A wavefront that executes one instruction after the other.
class wavefront {
 public:
  explicit wavefront(const loop_counter& counter) : counter_(counter), counts_(counter.zero()) {}
  // The number of the work-item that has passed too often, or -1.
  int pass(size_t instruction, uint64_t active = all, uint64_t owned = all) {
    const uint32_t place = counter_.place_of(4 * instruction);
    const auto violation = counter_.pass(counts_, place, before_, active, owned);
    before_ = place;
    if (violation) text = counter_.text_of(*violation);
    return violation ? violation->lane : -1;
  }
  std::string text;

 private:
  const loop_counter& counter_;
  loop_counter::counts counts_;
  uint32_t before_ = loop_counter::outside;
};

TEST(loop_counter, most_instructions_have_nothing_to_count) {
  const loop_counter counter(code(4, 1), {loop(2, {0}, {1})});
  EXPECT_TRUE(counter.concerns(0));
  EXPECT_TRUE(counter.concerns(1));
  for (uint32_t k = 2; k < 6; ++k) EXPECT_FALSE(counter.concerns(k)) << k;
  EXPECT_EQ(counter.place_of(4 * 5), 5u);
  EXPECT_EQ(counter.place_of(4 * 6), loop_counter::outside);
  EXPECT_EQ(counter.place_of(uint64_t{0} - 4), loop_counter::outside);
}

TEST(loop_counter, the_first_iteration_too_many) {
  const loop_counter counter(code(4, 1), {loop(2, {0}, {1})});
  wavefront w(counter);
  for (int run = 0; run < 3; ++run) {
    EXPECT_EQ(w.pass(0), -1);
    EXPECT_EQ(w.pass(1), -1);
    EXPECT_EQ(w.pass(1), -1);
  }
  EXPECT_EQ(w.pass(1, uint64_t{1} << 40 | uint64_t{1} << 63), 40);
  EXPECT_EQ(w.text, "loop at a.hip:7 took 3 iterations, PWS_LOOP_BOUND says 2");
}

TEST(loop_counter, nobody_at_an_anchor) {
  const loop_counter counter(code(4, 1), {loop(2, {0}, {1})});
  for (const size_t anchor : {0, 1}) {
    wavefront w(counter);
    EXPECT_EQ(w.pass(2, 0), -1);
    EXPECT_EQ(w.text, "");
    EXPECT_EQ(w.pass(anchor, 0), -1);
    EXPECT_EQ(w.text,
              "loop at a.hip:7 is passed by no active work-item: its bound takes one to be, where its anchors stand");
  }
}

TEST(loop_counter, work_items_count_for_themselves) {
  const loop_counter counter(code(4, 1), {loop(1, {0}, {1})});
  wavefront w(counter);
  w.pass(0);
  for (unsigned lane = 0; lane < 64; ++lane) EXPECT_EQ(w.pass(1, uint64_t{1} << lane), -1);
  EXPECT_EQ(w.pass(0, 0xff), -1);  // only these begin anew
  EXPECT_EQ(w.pass(1, 0xff), -1);
  EXPECT_EQ(w.pass(1, 0), -1);
  EXPECT_EQ(w.pass(1, 0x300), 8);
}

TEST(loop_counter, a_bound_of_none) {
  const loop_counter counter(code(4, 1), {loop(0, {0}, {1})});
  wavefront w(counter);
  EXPECT_EQ(w.pass(0), -1);
  EXPECT_EQ(w.pass(1, 2), 1);
  EXPECT_EQ(w.text, "loop at a.hip:7 took 1 iterations, PWS_LOOP_BOUND says 0");
}

// Unrolled, or with a body that has been moved away: several anchors at one instruction.
TEST(loop_counter, anchors_at_one_instruction) {
  const loop_counter unrolled(code(4, 1), {loop(6, {0}, {1, 1, 1})});
  wavefront w(unrolled);
  EXPECT_EQ(w.pass(0), -1);
  EXPECT_EQ(w.pass(1), -1);
  EXPECT_EQ(w.pass(1), -1);
  EXPECT_EQ(w.pass(1), 0);
  EXPECT_EQ(w.text, "loop at a.hip:7 took 7 iterations, PWS_LOOP_BOUND says 6");

  const loop_counter at_once(code(4, 1), {loop(3, {1}, {1, 2})});  // entry, then iteration
  wavefront v(at_once);
  for (int run = 0; run < 3; ++run) {
    EXPECT_EQ(v.pass(1), -1);
    EXPECT_EQ(v.pass(2), -1);
    EXPECT_EQ(v.pass(2), -1);
  }
  EXPECT_EQ(v.pass(2), 0);
}

TEST(loop_counter, anchors_at_one_instruction_in_the_order_of_the_code) {
  marked_loop l = loop(2, {0, 1}, {1, 1, 1});
  l.anchors = {{0, true}, {1, false}, {1, true}, {1, false}, {1, false}};  // last iteration, again, two iterations
  const loop_counter counter(code(4, 1), {l});
  wavefront w(counter);
  w.pass(0);
  EXPECT_EQ(w.pass(1), -1);
  EXPECT_EQ(w.pass(1), 0) << "two iterations, and a third one before it is reached again";

  l.anchors = {{1, true}, {1, false}, {1, false}, {1, false}, {1, true}};
  const loop_counter three(code(4, 1), {l});
  wavefront v(three);
  EXPECT_EQ(v.pass(1), 0) << "three between two entries";

  l.anchors = {{1, false}, {1, true}};
  const loop_counter last(code(4, 1), {l});
  wavefront u(last);
  for (int run = 0; run < 5; ++run) EXPECT_EQ(u.pass(1), -1);
}

TEST(loop_counter, entries_share_iterations_whose_order_is_not_known) {
  const loop_counter folded(code(4, 1), {loop(3, {1, 1}, {1, 1, 1, 1, 1, 1})});
  EXPECT_EQ(wavefront(folded).pass(1), -1);
  const loop_counter too_many(code(4, 1), {loop(3, {1, 1}, {1, 1, 1, 1, 1, 1, 1})});
  EXPECT_EQ(wavefront(too_many).pass(1), 0);
}

TEST(loop_counter, loops_do_not_mix) {
  const loop_counter counter(code(4, 1), {loop(2, {0}, {1}), loop(1, {1}, {2})});
  wavefront w(counter);
  w.pass(0);
  for (int k = 0; k < 2; ++k) {
    EXPECT_EQ(w.pass(1), -1);
    EXPECT_EQ(w.pass(2), -1);
  }
  EXPECT_EQ(w.pass(1), 0);
}

// A bound of a machine loop: instructions 1 to 4 are one.
TEST(loop_counter, machine_loops_begin_anew_when_entered_from_outside) {
  marked_loop l = loop(2, {}, {2});
  l.from = "wcet.loops";
  l.place = {};
  l.in_loop = {false, true, true, true, true, false};
  const loop_counter counter(code(4, 1), {l});
  wavefront w(counter);
  for (int run = 0; run < 3; ++run) {
    EXPECT_EQ(w.pass(0), -1);
    for (int k = 0; k < 2; ++k)
      for (const size_t i : {1, 2, 3, 4}) EXPECT_EQ(w.pass(i), -1);
    EXPECT_EQ(w.pass(5), -1);
  }
  w.pass(0);
  for (int k = 0; k < 2; ++k)
    for (const size_t i : {1, 2, 3, 4}) w.pass(i, 0, 0xff00);  // active or not
  EXPECT_EQ(w.pass(1), -1);
  EXPECT_EQ(w.pass(2, 0, 0xff00), 8);
  EXPECT_EQ(w.text, "loop at k+0x8 took 3 iterations, wcet.loops says 2");
}

// A computed bound of the same loop: looked at where it is left, so that what is wrong with a mark is said first.
TEST(loop_counter, computed_bounds_come_last) {
  marked_loop l = loop(2, {}, {1});
  l.from = "its analysis";
  l.in_loop = {false, true, true, true, true, false};
  l.computed = true;
  const loop_counter counter(code(4, 1), {l, loop(3, {0}, {3})});
  const auto passes = [](wavefront& w, int n) {
    EXPECT_EQ(w.pass(0), -1);
    for (int k = 0; k < n; ++k)
      for (const size_t i : {1, 2, 3, 4}) EXPECT_EQ(w.pass(i), -1) << n << " passes, pass " << k << ", at " << i;
  };
  wavefront within(counter);
  for (int run = 0; run < 2; ++run) {
    passes(within, 2);
    EXPECT_EQ(within.pass(5), -1);
  }
  wavefront left(counter);
  passes(left, 3);
  EXPECT_EQ(left.pass(5), 0);
  EXPECT_EQ(left.text, "loop at a.hip:7 took 3 iterations, its analysis says 2");
  wavefront again(counter);
  passes(again, 3);
  EXPECT_EQ(again.pass(1), 0);
  EXPECT_EQ(again.text, "loop at a.hip:7 took 3 iterations, its analysis says 2");

  const loop_counter marked(code(4, 1), {l, loop(2, {0}, {3})});
  wavefront mark(marked);
  passes(mark, 2);
  for (const size_t i : {1, 2}) EXPECT_EQ(mark.pass(i), -1);
  EXPECT_EQ(mark.pass(3), 0);
  EXPECT_EQ(mark.text, "loop at a.hip:7 took 3 iterations, PWS_LOOP_BOUND says 2");
  // What is never to be reached, or as often as one likes.
  for (const uint64_t bound : {uint64_t{0}, ~uint64_t{0}}) {
    l.bound = bound;
    const loop_counter extreme(code(4, 1), {l});
    wavefront w(extreme);
    passes(w, 1);
    EXPECT_EQ(w.pass(5), bound == 0 ? 0 : -1);
  }
}

}  // namespace
}  // namespace pws::test::loop_counter_test
