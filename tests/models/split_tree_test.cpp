// SPDX-License-Identifier: Apache-2.0
// Splits and merges as the PWS paper's Figure 5 has them, in every order in which the sides can arrive; and random
// programs in which every work-item must see what it sees alone.
#include "models/divergence/split_tree.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "tests/models/scheme_bench.h"

namespace pws::test::split_tree_test {
namespace {

using models::after_divergence;
using models::divergence_kind;
using models::resident_workgroup;
using models::wf_context;
using models::wf_status;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr uint64_t low = 0xffffffff, all = ~uint64_t{0};

TEST(split_tree, one_split_whichever_side_is_first) {
  for (const bool child_first : {false, true}) {
    scheme_bench bench(one_simd(divergence_kind::pws, 1));
    resident_workgroup g;
    wf_context& w = bench.launch(g);
    EXPECT_EQ(bench.split(w, low), after_divergence::goes_on);
    wf_context& swf = bench.swf_of(w, 2);
    EXPECT_EQ(w.state.split_mask, low);
    EXPECT_EQ(swf.state.split_mask, ~low);
    EXPECT_EQ(swf.tree.parent, models::swf_number::simd_unit());
    EXPECT_EQ(w.tree.paths, 2u);
    EXPECT_EQ(bench.counted_wrong(w), "");
    wf_context& first = child_first ? swf : w;
    wf_context& second = child_first ? w : swf;
    EXPECT_EQ(bench.merge(first), after_divergence::stops);
    EXPECT_EQ(first.status, wf_status::merge);
    EXPECT_EQ(w.tree.paths, 1u);
    EXPECT_EQ(bench.counted_wrong(w), "");
    EXPECT_EQ(bench.merge(second), child_first ? after_divergence::joined : after_divergence::stops);
    EXPECT_EQ(w.state.split_mask, all);
    EXPECT_FALSE(swf.taken);
    EXPECT_EQ(bench.counted_wrong(w), "");
    if (child_first)
      EXPECT_THAT(bench.told, ElementsAre("begin 2", "leave 2"));
    else
      EXPECT_THAT(bench.told, ElementsAre("begin 2", "leave 2", "resume 1"));
    bench.end(w);
    EXPECT_EQ(bench.told.back(), "finish");
    EXPECT_EQ(g.running, 0u);
    EXPECT_EQ(g.unfinished, 0u);
  }
}

TEST(split_tree, sides_without_a_work_item_and_without_a_context) {
  scheme_bench bench(one_simd(divergence_kind::pws, 1));
  resident_workgroup g;
  wf_context& w = bench.launch(g, 33);  // the last work-item alone in the upper half
  bench.split(w, uint64_t{1} << 63);    // of lanes that have none
  EXPECT_EQ(bench.scheme().statistics().one_sided, 1u);
  bench.split(w, ~low);
  EXPECT_EQ(bench.scheme().statistics().splits, 1u);
  bench.split(w, uint64_t{1} << 32);  // all it has
  EXPECT_EQ(bench.scheme().statistics().one_sided, 2u);
  wf_context& swf = bench.swf_of(w, 2);
  bench.split(swf, 1);  // its own SpSIMD unit is taken
  EXPECT_EQ(bench.scheme().statistics().no_context, 1u);
  EXPECT_EQ(bench.counted_wrong(w), "");
  EXPECT_EQ(bench.merge(swf), after_divergence::joined);  // the empty entry
  EXPECT_EQ(bench.merge(swf), after_divergence::stops);
  EXPECT_EQ(bench.merge(w), after_divergence::joined);
  swf.state.pc = w.state.pc + 4;  // the same merge
  EXPECT_EQ(bench.merge(w), after_divergence::joined);
  EXPECT_EQ(bench.merge(w), after_divergence::joined);
  EXPECT_EQ(w.state.split_mask, all);
}

TEST(split_tree, contexts_of_the_simd_unit_up_to_a_limit) {
  scheme_bench bench(one_simd(divergence_kind::dws, 2, 4));
  resident_workgroup g;
  wf_context& w = bench.launch(g);
  wf_context& other = bench.launch(g);
  for (const uint64_t mask : {uint64_t{1}, uint64_t{2}, uint64_t{4}}) bench.split(w, ~mask);
  EXPECT_EQ(bench.scheme().statistics().splits, 2u);
  EXPECT_EQ(bench.scheme().statistics().no_context, 1u);
  bench.split(other, low);  // all four are taken
  EXPECT_EQ(bench.scheme().statistics().no_context, 2u);
  EXPECT_THAT(bench.told, ElementsAre("begin 3", "begin 4"));
  scheme_bench limited(one_simd(divergence_kind::dws, 1, 4));
  resident_workgroup h;
  wf_context& v = limited.launch(h);
  limited.split(v, low);
  limited.split(v, 1);  // two are free
  EXPECT_EQ(limited.scheme().statistics().no_context, 1u);
}

TEST(split_tree, a_side_that_ends) {
  for (const bool child : {false, true}) {
    scheme_bench bench(one_simd(divergence_kind::pws, 2));
    resident_workgroup g;
    wf_context& w = bench.launch(g);
    bench.split(w, low);
    wf_context& swf = bench.swf_of(w, 2);
    bench.end(child ? swf : w);
    EXPECT_EQ(bench.counted_wrong(w), "");
    EXPECT_EQ(g.running, 1u);
    if (child) {
      EXPECT_EQ(bench.merge(w), after_divergence::joined);
      EXPECT_EQ(w.state.split_mask, low);
    } else {  // the child goes on in its parent's place
      EXPECT_EQ(bench.merge(swf), after_divergence::stops);
      EXPECT_EQ(bench.told.back(), "resume 1");
      EXPECT_EQ(w.state.split_mask, ~low);
      EXPECT_EQ(w.status, wf_status::running);
    }
    EXPECT_EQ(bench.counted_wrong(w), "");
    bench.end(w);
    EXPECT_EQ(bench.told.back(), "finish");
    EXPECT_EQ(g.running, 0u);
  }
}

TEST(split_tree, both_sides_end_in_either_order) {
  for (const bool child_first : {false, true}) {
    scheme_bench bench(one_simd(divergence_kind::pws, 1));
    resident_workgroup g;
    wf_context& w = bench.launch(g);
    bench.split(w, low);
    wf_context& swf = bench.swf_of(w, 2);
    bench.end(child_first ? swf : w);
    bench.end(child_first ? w : swf);
    EXPECT_EQ(std::count(bench.told.begin(), bench.told.end(), "finish"), 1);
    EXPECT_EQ(bench.counted_wrong(w), "");
    EXPECT_EQ(g.running, 0u);
    EXPECT_EQ(w.tree.paths, 0u);
  }
}

TEST(split_tree, errors_of_the_program) {
  models::machine_config c = one_simd(divergence_kind::pws, 1);
  c.child_stack_entries = 2;
  scheme_bench bench(c);
  resident_workgroup g;
  wf_context& w = bench.launch(g);
  EXPECT_THAT(error_of([&] { bench.merge(w); }), HasSubstr("neither child nor parent"));
  bench.split(w, low);
  EXPECT_THAT(error_of([&] { bench.scheme().check_barrier(w); }), HasSubstr("1 SWFs of the wavefront have not merged"));
  wf_context& swf = bench.swf_of(w, 2);
  swf.state.pc += 8;
  bench.merge(swf);
  EXPECT_THAT(error_of([&] { bench.merge(w); }), HasSubstr("this merge meets another one"));
  scheme_bench full(c);
  resident_workgroup h;
  wf_context& v = full.launch(h);
  full.split(v, 0);
  full.split(v, 0);
  EXPECT_THAT(error_of([&] { full.split(v, low); }), HasSubstr("the child stack is full: 2 splits"));
  c.check.split_contexts = true;
  c.spsimd_per_simd = 0;
  scheme_bench none(c);
  resident_workgroup k;
  EXPECT_THAT(error_of([&] { none.split(none.launch(k), low); }), HasSubstr("no SWF context is free"));
}

// ---- random programs

// A structured program: statements that all active work-items note, and branches with two sides.
struct statement {
  int note = -1;           // what it notes; -1: a branch
  uint64_t condition = 0;  // who takes the first side
  std::vector<statement> sides[2];
  bool ends[2] = {false, false};  // work-items end at a side's end
};
using program = std::vector<statement>;

program random_program(std::mt19937_64& random, unsigned depth, int& notes) {
  program p;
  for (unsigned n = 1 + random() % 3; n > 0; --n) {
    statement s;
    if (depth == 0 || random() % 3 == 0) {
      s.note = notes++;
    } else {
      s.condition = random() % 6 == 0 ? (random() % 2 == 0 ? 0 : all) : random() & (random() % 2 == 0 ? all : random());
      for (int side = 0; side < 2; ++side) {
        s.sides[side] = random_program(random, depth - 1, notes);
        s.ends[side] = random() % 8 == 0;
      }
    }
    p.push_back(std::move(s));
  }
  return p;
}

using notes_of = std::vector<std::vector<int>>;  // by work-item

// What a work-item notes that runs alone. False: it has ended.
bool alone(const program& p, unsigned lane, std::vector<int>& notes) {
  for (const statement& s : p) {
    if (s.note >= 0) {
      notes.push_back(s.note);
      continue;
    }
    const int side = (s.condition >> lane & 1) != 0 ? 0 : 1;
    if (!alone(s.sides[side], lane, notes) || s.ends[side]) return false;
  }
  return true;
}

// Runs contexts in random order, each with its own place in the program.
class machine : public scheme_bench {
 public:
  machine(const models::machine_config& c, const program& p, uint64_t seed)
      : scheme_bench(c), program_(&p), random_(seed), notes_(64) {}

  notes_of run(uint32_t work_items) {
    root_ = &launch(group_, work_items);
    at_[root_] = {{program_, 0, -1, nullptr, root_->tree.launched}};
    for (;;) {
      std::vector<wf_context*> ready;
      for (wf_context* c : in_use())
        if (c->status == wf_status::running) ready.push_back(c);
      if (ready.empty()) break;
      step(*ready[random_() % ready.size()]);
      if (const std::string wrong = counted_wrong(*root_); !wrong.empty()) throw std::logic_error(wrong);
      check_masks();
    }
    return notes_;
  }
  bool finished() const { return told.back() == "finish" && group_.running == 0 && group_.unfinished == 0; }
  size_t contexts_left() const { return in_use().size(); }

 private:
  struct frame {
    const program* code;
    size_t next;  // statement
    int side;     // of the branch below it that it is; -1: none
    const statement* branch;
    uint64_t saved;  // EXEC before the branch
  };
  using place = std::vector<frame>;

  static uint64_t exec(const wf_context& c) { return c.state.scalar64(isa::exec_lo); }
  static uint64_t active(const wf_context& c) { return exec(c) & c.state.split_mask; }
  // Every branch and merge has an address of its own.
  static uint64_t address(const statement& s) { return reinterpret_cast<uintptr_t>(&s) & ~uint64_t{7}; }

  void step(wf_context& c) {
    place& at = at_[&c];
    frame& f = at.back();
    if (f.next < f.code->size()) {
      const statement& s = (*f.code)[f.next];
      if (s.note >= 0) {
        for (unsigned lane = 0; lane < 64; ++lane)
          if ((active(c) >> lane & 1) != 0) notes_[lane].push_back(s.note);
        ++f.next;
        return;
      }
      const uint64_t before = exec(c);
      c.state.pc = address(s);
      at.push_back({&s.sides[0], 0, 0, &s, before});
      split(c, before & s.condition);  // copies the place, of whoever begins
      c.state.set_scalar64(isa::exec_lo, before & s.condition);
      skip_empty(c);
      return;
    }
    if (f.branch == nullptr) {
      end(c);
      return;
    }
    side_ends(c);
  }

  // A side without an active work-item is skipped.
  void skip_empty(wf_context& c) {
    frame& f = at_[&c].back();
    if (f.branch != nullptr && active(c) == 0) f.next = f.code->size();
  }

  void side_ends(wf_context& c) {
    frame& f = at_[&c].back();
    // s_endpgm takes the whole context; where others would go with them, the work-items cannot have ended there.
    if (f.branch->ends[f.side] && active(c) != 0) {
      ended_ |= active(c);
      if ((c.state.split_mask & c.tree.root->tree.launched & f.saved & ~active(c) & ~ended_) == 0 && alone_here(c)) {
        end(c);
        return;
      }
      c.state.set_scalar64(isa::exec_lo, exec(c) & ~active(c));
      for (frame& outer : at_[&c]) outer.saved &= ~ended_;
    }
    if (f.side == 0) {
      f.side = 1;
      f.code = &f.branch->sides[1];
      f.next = 0;
      c.state.set_scalar64(isa::exec_lo, f.saved & ~f.branch->condition);
      skip_empty(c);
      return;
    }
    c.state.set_scalar64(isa::exec_lo, f.saved);
    c.state.pc = address(*f.branch) + 4;
    if (merge(c) != after_divergence::stops) behind_merge(c);
  }

  // Nobody of the context goes on anywhere further out.
  bool alone_here(const wf_context& c) {
    for (const frame& outer : at_[&c])
      if ((outer.saved & c.state.split_mask & c.tree.root->tree.launched & ~ended_) != 0) return false;
    return true;
  }

  void behind_merge(wf_context& c) {
    place& at = at_[&c];
    at.pop_back();
    ++at.back().next;
    c.state.set_scalar64(isa::exec_lo, exec(c) & ~ended_);
    for (frame& f : at) f.saved &= ~ended_;
  }

  void begin(wf_context& swf, const wf_context& from) override {
    at_[&swf] = at_[&from];
    swf.state.set_scalar64(isa::exec_lo, exec(from) & at_[&swf].back().branch->condition);
    scheme_bench::begin(swf, from);
    skip_empty(swf);
  }
  void leave(wf_context& swf) override {
    last_left_ = at_[&swf];
    scheme_bench::leave(swf);
  }
  void resume(wf_context& c, uint64_t join) override {
    if (join + 4 != c.state.pc) throw std::logic_error("resumed behind another merge");
    if (c.status == wf_status::ended) at_[&c] = last_left_;
    scheme_bench::resume(c, join);
    behind_merge(c);
  }

  // Whoever runs has work-items that nobody else has.
  void check_masks() {
    uint64_t seen = 0;
    for (const wf_context* c : in_use()) {
      if (c->status == wf_status::ended) continue;
      const uint64_t mask = c->state.split_mask & root_->tree.launched;
      if ((seen & mask) != 0) throw std::logic_error("two contexts have the same work-item");
      seen |= mask;
    }
  }

  const program* program_;
  std::mt19937_64 random_;
  notes_of notes_;
  resident_workgroup group_;
  wf_context* root_ = nullptr;
  std::map<const wf_context*, place> at_;
  place last_left_;
  uint64_t ended_ = 0;
};

TEST(split_tree, every_work_item_sees_what_it_sees_alone) {
  const models::machine_config configs[] = {one_simd(divergence_kind::none, 0), one_simd(divergence_kind::pws, 1),
                                            one_simd(divergence_kind::pws, 2),  one_simd(divergence_kind::pws, 7),
                                            one_simd(divergence_kind::dws, 1),  one_simd(divergence_kind::dws, 63, 64)};
  uint64_t splits = 0, merges = 0, no_context = 0, one_sided = 0;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    std::mt19937_64 random(seed);
    int notes = 0;
    const program p = random_program(random, 1 + seed % 5, notes);
    const uint32_t work_items = seed % 3 == 0 ? 1 + static_cast<uint32_t>(random() % 64) : 64;
    notes_of expected(64);
    for (unsigned lane = 0; lane < work_items; ++lane) alone(p, lane, expected[lane]);
    for (const auto& c : configs) {
      machine m(c, p, seed);
      ASSERT_EQ(m.run(work_items), expected) << "seed " << seed;
      ASSERT_TRUE(m.finished()) << "seed " << seed;
      ASSERT_EQ(m.contexts_left(), 1u) << "seed " << seed;
      const auto& s = m.scheme().statistics();
      splits += s.splits;
      merges += s.merges;
      no_context += s.no_context;
      one_sided += s.one_sided;
    }
  }
  fmt::print("{} splits, {} merges, {} without a context, {} of one side\n", splits, merges, no_context, one_sided);
  EXPECT_GT(merges, 1000u);
  EXPECT_GT(splits, merges) << "some SWFs end";
  EXPECT_GT(no_context, 100u);
  EXPECT_GT(one_sided, 100u);
}

}  // namespace
}  // namespace pws::test::split_tree_test
