// SPDX-License-Identifier: Apache-2.0
// The pipeline's times, to the cycle, with one wavefront and with several: what hides behind whole kernels elsewhere.
#include <gmock/gmock.h>

#include "tests/models/pipeline/cu_bench.h"
#include "tests/models/simulation.h"

namespace pws::test::pipeline_test {
namespace {

using namespace code;
using models::divergence_kind;
using models::machine_config;
using models::schedule_policy;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Issue cycles of the program's dwords in one context, counted from the first.
std::vector<cycle_t> issue_times(const cu_bench& bench, const std::string& place) {
  std::vector<cycle_t> list;
  const auto times = bench.times(place);
  for (const auto& [dword, at] : times) list.push_back(at - times.begin()->second);
  return list;
}

SIMULATION(pipeline, results_arrive_after_their_latency) {
  machine_config c = one_simd_unit();
  c.latency.salu = 5;
  c.latency.valu = 6;
  c.latency.valu_trans = 20;
  cu_bench scalar(c, {s_mov_b32(4, 1), s_mov_b32(5, 2), s_add_u32(6, 4, 5), s_add_u32(7, 6, 6), s_endpgm});
  cu_bench vector(c, {v_mov_b32(1, 0), v_mov_b32(2, 0), v_mov_b32(3, 2), v_rcp_f32(1, 3), v_mov_b32(2, 1), s_endpgm});
  scalar.start(64);
  vector.start(64);
  scalar.run();
  EXPECT_THAT(issue_times(scalar, "simd0.wf0"), ElementsAre(0, 1, 6, 11, 12));
  // A vector instruction occupies the VALU for four cycles, a quarter-rate one for sixteen.
  EXPECT_THAT(issue_times(vector, "simd0.wf0"), ElementsAre(0, 4, 10, 16, 36, 37));
  EXPECT_EQ(scalar.finished + vector.finished, 2u);
}

SIMULATION(pipeline, wavefronts_share_a_valu_and_nothing_else) {
  machine_config c = one_simd_unit();
  c.n_simd = 2;
  cu_bench bench(c, {v_mov_b32(1, 0), s_mov_b32(4, 1), s_endpgm});
  bench.start(192);  // two wavefronts on the first SIMD unit, one on the second
  bench.run();
  const auto first = bench.times("simd0.wf0"), second = bench.times("simd0.wf1"), other = bench.times("simd1.wf0");
  EXPECT_EQ(second.at(0), first.at(0) + 4) << "the VALU is busy";
  EXPECT_EQ(other.at(0), first.at(0));
  EXPECT_EQ(first.at(1), first.at(0) + 1) << "the SALU is another port";
}

// Three wavefronts that are ready in every cycle.
std::unique_ptr<cu_bench> three_ready_wavefronts(schedule_policy policy) {
  machine_config c = one_simd_unit();
  c.schedule = policy;
  c.latency.salu = 1;
  auto bench =
      std::make_unique<cu_bench>(c, std::vector<uint32_t>{s_mov_b32(4, 1), s_mov_b32(5, 1), s_mov_b32(6, 1), s_endpgm});
  bench->start(192);
  return bench;
}

SIMULATION(pipeline, oldest_first_and_round_robin) {
  const auto oldest = three_ready_wavefronts(schedule_policy::oldest_first);
  const auto turns = three_ready_wavefronts(schedule_policy::round_robin);
  sc_core::sc_start();
  const auto waves = [](const cu_bench& b) {
    std::vector<uint32_t> list;
    for (const auto& i : b.issues)
      if (i.dword < 3) list.push_back(i.wave);
    return list;
  };
  EXPECT_THAT(waves(*oldest), ElementsAre(0, 0, 0, 1, 1, 1, 2, 2, 2));
  EXPECT_THAT(waves(*turns), ElementsAre(0, 1, 2, 0, 1, 2, 0, 1, 2));
}

SIMULATION(pipeline, a_branch_waits_for_what_is_not_in_the_buffer) {
  machine_config c = one_simd_unit();  // fetches of 8 dwords, a buffer for 16
  std::vector<uint32_t> far(65, s_nop(0));
  far[0] = s_branch(47);  // to dword 48
  far[64] = s_endpgm;
  cu_bench cold(c, far);
  cu_bench warm(c, {s_branch(1), s_nop(0), s_endpgm});
  cold.start(64);
  warm.start(64);
  cold.run();
  EXPECT_EQ(issue_times(warm, "simd0.wf0").back(), c.latency.branch);
  // The fetch ahead has begun when the first one arrived, two cycles before the branch issued: its 8 cycles end first,
  // then the target's 8 begin, and what it brings takes two to decode.
  EXPECT_EQ(cold.times("simd0.wf0").at(48) - cold.times("simd0.wf0").at(0), (8 - 2) + 8 + 2u);
}

SIMULATION(pipeline, s_waitcnt_waits_for_the_load) {
  const machine_config c = one_simd_unit();
  cu_bench bench(c,
                 {s_mov_b32(4, 0), s_mov_b32(5, 0), s_load_dword(6, 4), 0, s_mov_b32(7, 1), s_waitcnt_lgkm0, s_endpgm});
  bench.start(64);
  bench.run();
  const auto t = bench.times("simd0.wf0");
  EXPECT_EQ(t.at(4), t.at(2) + 1) << "what does not need it goes on";
  EXPECT_EQ(t.at(5), t.at(2) + 1 + cu_bench::scalar_latency);
}

SIMULATION(pipeline, barriers_wait_for_those_that_have_not_ended) {
  const machine_config c = one_simd_unit();
  cu_bench bench(c, {v_rcp_f32(1, 0), s_barrier, s_nop(0), s_endpgm});
  bench.start(640);
  bench.run();
  cycle_t last_arrival = 0, first_behind = models::never;
  for (const auto& i : bench.issues) {
    if (i.dword == 1) last_arrival = std::max(last_arrival, i.at);
    if (i.dword == 2) first_behind = std::min(first_behind, i.at);
  }
  EXPECT_EQ(first_behind, last_arrival + 1);
  EXPECT_EQ(bench.finished, 1u);
}

SIMULATION(pipeline, a_unit_may_have_more_contexts_than_a_machine_word_has_bits) {
  std::vector<std::unique_ptr<cu_bench>> all;
  const std::vector<uint32_t> sizes{64, 65, 130, 640};
  for (const uint32_t contexts : sizes) {
    machine_config c = one_simd_unit();
    c.n_wfc = contexts;
    c.vgprs_per_simd = 4 * contexts;
    c.sgprs_per_simd = 16 * contexts;
    all.push_back(std::make_unique<cu_bench>(
        c, std::vector<uint32_t>{v_mov_b32(1, 0), s_barrier, s_mov_b32(4, 1), v_mov_b32(2, 1), s_endpgm}));
    EXPECT_TRUE(all.back()->start(64 * contexts));
    EXPECT_FALSE(all.back()->start(64)) << "all contexts are taken";
  }
  sc_core::sc_start();
  for (size_t k = 0; k < sizes.size(); ++k) {
    const cu_bench& b = *all[k];
    EXPECT_EQ(b.finished, 1u);
    EXPECT_EQ(b.issues.size(), size_t{5} * sizes[k]);
    std::vector<uint32_t> first;
    std::vector<cycle_t> valu;
    for (const auto& i : b.issues) {
      if (i.dword == 0) first.push_back(i.wave);
      if (i.dword == 0 || i.dword == 3) valu.push_back(i.at);
    }
    EXPECT_TRUE(std::is_sorted(first.begin(), first.end())) << "the oldest first";
    EXPECT_EQ(first.size(), sizes[k]);
    for (size_t n = 1; n < valu.size(); ++n) EXPECT_GE(valu[n], valu[n - 1] + 4) << "the VALU is taken for four cycles";
  }
}

// A scheme that lets one path of a wavefront run at a time: the child waits until its parent has reached the merge.
class one_path_at_a_time : public models::divergence_scheme {
 public:
  one_path_at_a_time(const machine_config& c, models::context_map& contexts)
      : divergence_scheme(c), inner_(make_divergence_scheme(c, contexts)) {}
  bool diverges(const models::wf_context& w, const isa::inst& i) const override { return inner_->diverges(w, i); }
  models::after_divergence execute(models::wf_context& w, const isa::inst& i, models::swf_scheduler& s) override {
    listener l(s);
    const models::after_divergence then = inner_->execute(w, i, l);
    if (l.begun != nullptr) {
      s.suspend(*l.begun);
      suspended_ = l.begun;
    }
    if (then == models::after_divergence::stops && suspended_ != nullptr)
      s.release(*std::exchange(suspended_, nullptr));
    return then;
  }
  void check_barrier(const models::wf_context& w) const override { inner_->check_barrier(w); }
  void ended(models::wf_context& w, models::swf_scheduler& s) override { inner_->ended(w, s); }

 private:
  struct listener : models::swf_scheduler {
    explicit listener(models::swf_scheduler& s) : to(s) {}
    void begin(models::wf_context& swf, const models::wf_context& from) override {
      to.begin(swf, from);
      begun = &swf;
    }
    void resume(models::wf_context& c, uint64_t join) override { to.resume(c, join); }
    void replace(models::wf_context& c) override { to.replace(c); }
    void suspend(models::wf_context& c) override { to.suspend(c); }
    void release(models::wf_context& c) override { to.release(c); }
    void take_turn(models::wf_context& c, models::cycle_t after) override { to.take_turn(c, after); }
    void leave(models::wf_context& swf) override { to.leave(swf); }
    void finish(models::wf_context& root) override { to.finish(root); }
    models::swf_scheduler& to;
    models::wf_context* begun = nullptr;
  };
  std::unique_ptr<models::divergence_scheme> inner_;
  models::wf_context* suspended_ = nullptr;
};

SIMULATION(pipeline, a_scheme_says_which_paths_issue) {
  const std::vector<uint32_t> words{s_mov_b32(8, 1), s_mov_b32(9, 0), split(8),        v_mov_b32(1, 0), v_mov_b32(2, 1),
                                    v_mov_b32(3, 2), merge,           v_mov_b32(1, 3), s_endpgm};
  const auto make = [](const machine_config& m, models::context_map& contexts) {
    return std::make_unique<one_path_at_a_time>(m, contexts);
  };
  machine_config c = one_simd_unit();
  c.divergence = divergence_kind::pws;
  c.spsimd_per_simd = 1;
  machine_config functional = c;
  functional.fidelity = models::fidelity::functional;
  cu_bench both(c, words), one(c, words, make), functional_both(functional, words),
      functional_one(functional, words, make);
  for (cu_bench* b : {&both, &one, &functional_both, &functional_one}) b->start(64);
  sc_core::sc_start();
  for (const cu_bench* b : {&both, &one, &functional_both, &functional_one}) {
    EXPECT_EQ(b->fault_message, "");
    EXPECT_EQ(b->finished, 1u);
    uint64_t behind = 0, sides = 0;
    for (const auto& i : b->issues) {
      if (i.dword == 7) behind |= i.lanes;
      if (i.dword != 4) continue;
      EXPECT_EQ(std::exchange(sides, sides | i.lanes) & i.lanes, 0u);
    }
    EXPECT_EQ(behind, ~uint64_t{0});
    EXPECT_EQ(sides, ~uint64_t{0});
  }
  const auto of_swf = [](const cu_bench& b) { return b.times("simd0.spsimd2.swf0"); };
  const auto of_root = [](const cu_bench& b) { return b.times("simd0.wf0"); };
  EXPECT_EQ(of_swf(both).at(3), of_root(both).at(3)) << "side by side";
  EXPECT_GT(of_swf(one).at(3), of_root(one).at(6)) << "one after the other";
  EXPECT_GT(of_root(one).at(7), of_swf(one).at(6));
}

// The side that follows one that has ended begins far from where that one was: its bytes are fetched again unless the
// instruction buffer still has them.
SIMULATION(pipeline, another_path_is_fetched_where_it_begins) {
  std::vector<uint32_t> words{s_mov_b32(8, 1), s_mov_b32(9, 0), split(8)};
  words.insert(words.end(), 60, s_nop(0));
  words.push_back(s_endpgm);
  machine_config small = one_simd_unit();
  small.divergence = divergence_kind::stack;
  machine_config large = small;
  large.ibuf_dwords = 256;
  cu_bench fetched(small, words), kept(large, words);
  for (cu_bench* b : {&fetched, &kept}) b->start(64);
  sc_core::sc_start();
  const auto wait = [&](const cu_bench& b) {
    EXPECT_EQ(b.fault_message, "");
    EXPECT_EQ(b.finished, 1u);
    cycle_t end_of_first = 0;
    for (const auto& i : b.issues) {
      if (i.dword == words.size() - 1 && end_of_first == 0) end_of_first = i.at;
      if (i.dword == 3 && end_of_first != 0) return i.at - end_of_first;
    }
    ADD_FAILURE() << "the right side did not run";
    return cycle_t{0};
  };
  EXPECT_GT(wait(kept), 0u);
  EXPECT_GE(wait(fetched), wait(kept) + small.memory.instruction_cache.hit_latency);
}

SIMULATION(pipeline, a_split_and_each_merge_of_a_stack_take_their_cycles) {
  machine_config c = one_simd_unit();
  c.divergence = divergence_kind::stack;
  c.split_cycles = 300;  // longer than a fetch
  c.merge_cycles = 200;
  const uint32_t split_at = 2, merge_at = 4;
  cu_bench bench(c, {s_mov_b32(8, 1), s_mov_b32(9, 0), split(8), v_mov_b32(1, 0), merge, s_nop(0), s_endpgm});
  bench.start(64);
  bench.run();
  EXPECT_EQ(bench.fault_message, "");
  std::vector<uint32_t> order;
  for (size_t k = 0; k < bench.issues.size(); ++k) {
    const auto& i = bench.issues[k];
    order.push_back(i.dword);
    if (i.dword == split_at) {
      EXPECT_EQ(bench.issues.at(k + 1).at, i.at + 300);
    }
    if (i.dword == merge_at) {
      EXPECT_EQ(bench.issues.at(k + 1).at, i.at + 200) << "where one side gives way and where both go on";
    }
  }
  EXPECT_EQ(order, (std::vector<uint32_t>{0, 1, 2, 3, 4, 3, 4, 5, 6}));
}

SIMULATION(pipeline, an_instruction_that_cannot_be_decoded_is_a_fault_with_its_place) {
  cu_bench bench(one_simd_unit(), {s_nop(0), 0xffffffff});
  bench.start(64);
  bench.run();
  EXPECT_EQ(bench.finished, 0u);
  EXPECT_THAT(bench.fault_message,
              HasSubstr("kernel bench, workgroup (0,0,0), wavefront 0 (cu0.simd0.wf0), pc 0x1004"));
}

}  // namespace
}  // namespace pws::test::pipeline_test
