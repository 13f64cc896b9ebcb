// SPDX-License-Identifier: Apache-2.0
// The warp scheduler on small programs: which work-items issue together, when, and that no cycle is lost or counted
// twice (warp formation paper, Fig. 9, Fig. 11, 4.1 to 4.3).
#include "models/compute_unit/warp_scheduler.h"

#include <gmock/gmock.h>

#include <map>
#include <random>
#include <set>

#include "tests/models/pipeline/cu_bench.h"
#include "tests/models/simulation.h"

namespace pws::test::warp_scheduler_test {
namespace {

using namespace code;
using models::divergence_kind;
using models::machine_config;
using models::warp_register_file;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr uint32_t exec_lo = 126, exec_hi = 127;
// Two dwords.
void set_exec(std::vector<uint32_t>& program, uint32_t low, uint32_t high) {
  for (const auto& [s, value] : {std::pair{exec_lo, low}, std::pair{exec_hi, high}}) {
    program.push_back(0xbe8000ff | s << 16);
    program.push_back(value);
  }
}
constexpr uint32_t s_cbranch_execz(uint32_t dwords) {
  return 0xbf880000 | dwords;
}

machine_config formed(divergence_kind d, uint32_t warp_size) {
  machine_config c = one_simd_unit();
  c.divergence = d;
  c.dwf.warp_size = warp_size;
  c.dwf.swizzle = false;
  return c;
}

constexpr divergence_kind every_scheme[] = {divergence_kind::pdom, divergence_kind::naive, divergence_kind::dwf,
                                            divergence_kind::mimd};

// Compute units that are simulated together.
class benches {
 public:
  cu_bench& add(const machine_config& c, const std::vector<uint32_t>& program, uint32_t work_items) {
    list_.push_back(std::make_unique<cu_bench>(c, program));
    EXPECT_TRUE(list_.back()->start(work_items));
    return *list_.back();
  }
  cu_bench& operator[](size_t k) { return *list_[k]; }
  size_t size() const { return list_.size(); }

 private:
  std::vector<std::unique_ptr<cu_bench>> list_;
};

// if (mask) A else B, with `n` vector instructions in each, by EXEC as clang does it. Which dwords are A and B is
// returned.
struct two_sides {
  std::vector<uint32_t> program;
  std::set<uint32_t> a, b;
};
two_sides if_else(uint64_t mask, unsigned n) {
  two_sides s;
  const auto side = [&](uint64_t m, std::set<uint32_t>& dwords) {
    set_exec(s.program, static_cast<uint32_t>(m), static_cast<uint32_t>(m >> 32));
    s.program.push_back(s_cbranch_execz(n));
    for (unsigned k = 0; k < n; ++k) {
      dwords.insert(static_cast<uint32_t>(s.program.size()));
      s.program.push_back(v_mov_b32(1, 2));
    }
  };
  side(mask, s.a);
  side(~mask, s.b);
  set_exec(s.program, ~0u, ~0u);
  s.program.push_back(s_endpgm);
  return s;
}

// Issue slots that these dwords took, and the active work-items of all of them.
struct taken {
  size_t slots = 0;
  uint32_t work_items = 0;
};
taken slots_of(const cu_bench& bench, const std::set<uint32_t>& dwords) {
  std::set<std::pair<cycle_t, uint32_t>> slots;
  taken t;
  for (const auto& i : bench.issues) {
    if (dwords.count(i.dword) == 0 || i.lanes == 0) continue;
    slots.insert({i.at, i.dword});
    t.work_items += static_cast<uint32_t>(__builtin_popcountll(i.lanes));
  }
  t.slots = slots.size();
  return t;
}

// Holds in every cycle: each path is in one warp, and with lane_aware no warp has two work-items of one home lane.
class pool_watcher : public models::execution_observer {
 public:
  explicit pool_watcher(const cu_bench& b, const machine_config& c)
      : bench_(b),
        size_(warp_size_of(c)),
        lane_aware_(c.divergence == divergence_kind::dwf && c.dwf.register_file == warp_register_file::lane_aware),
        lanes_(size_, c.dwf.swizzle) {}
  void wave_started(uint32_t, const models::wf_context&, cycle_t) override {}
  void wave_ended(uint32_t, const models::wf_context&, cycle_t) override {}
  void issued(uint32_t, const models::wf_context& c, const isa::inst&, cycle_t) override {
    const models::compute_unit& cu = const_cast<cu_bench&>(bench_).cu();
    const models::warp_pool& pool = cu.warps()->pool(c.simd);
    std::set<models::path_id> seen;
    for (uint32_t k = 0; k < pool.in_use(); ++k) {
      const models::formed_warp& w = pool.at(k);
      uint64_t lanes = 0;
      uint32_t work_items = 0;
      for (const models::pool_entry& e : w.members) {
        const models::wf_context& path = cu.unit(models::unit_id(c.simd.value))[models::slot_id(e.path)];
        EXPECT_EQ(path.state.pc, w.pc);
        const uint64_t own = path.state.split_mask & path.tree.root->tree.launched;
        EXPECT_EQ(lanes_.of(own, path.wave_in_group), e.lanes);
        EXPECT_TRUE(!lane_aware_ || (lanes & e.lanes) == 0) << "two work-items of one home lane";
        EXPECT_TRUE(seen.insert(e.path).second) << "a path in two warps";
        lanes |= e.lanes;
        work_items += static_cast<uint32_t>(__builtin_popcountll(e.lanes));
      }
      EXPECT_EQ(work_items, w.work_items);
      EXPECT_LE(work_items, size_);
    }
    ++looks;
  }
  uint64_t looks = 0;

 private:
  const cu_bench& bench_;
  const uint32_t size_;
  const bool lane_aware_;
  const models::home_lanes lanes_;
};

// ---- Fig. 9

// The figure's two warps of four, eight times: home lanes of one's side A are those of the other's side B. Static warps
// issue each side sixteen times. Formed anew they are whole, but for the first and the last, which find nobody.
SIMULATION(warp_scheduler, forms_whole_warps_of_the_sides_of_two) {
  const two_sides code = if_else(0x2d2d'2d2d'2d2d'2d2d, 3);
  benches all;
  for (const divergence_kind d : every_scheme) all.add(formed(d, 4), code.program, 64);
  sc_core::sc_start();
  for (const auto* side : {&code.a, &code.b}) {
    for (size_t k = 0; k < all.size(); ++k) EXPECT_EQ(slots_of(all[k], *side).work_items, 3u * 32);
    EXPECT_EQ(slots_of(all[0], *side).slots, 3u * 16);
    EXPECT_EQ(slots_of(all[1], *side).slots, 3u * 16);
    EXPECT_GE(slots_of(all[2], *side).slots, 3u * 8);
    EXPECT_LE(slots_of(all[2], *side).slots, 3u * 10);
  }
  const auto& s = all[2].cu().warps()->statistics(models::simd_id(0));
  EXPECT_GT(s.joined, 0u);
  for (size_t k = 0; k < all.size(); ++k) EXPECT_EQ(all[k].finished, 1u);
}

// All work-items of one side have the same home lanes: nothing can be formed of them, unless lanes do not matter, or
// are exchanged in every other warp (4.1). Not every half finds its other half: a warp that is ready does not wait.
SIMULATION(warp_scheduler, home_lanes_keep_work_items_apart) {
  const two_sides code = if_else(0x5555'5555'5555'5555, 4);
  machine_config aware = formed(divergence_kind::dwf, 4), swizzled = aware, ideal = aware, banked = aware;
  swizzled.dwf.swizzle = true;
  ideal.dwf.register_file = warp_register_file::ideal;
  banked.dwf.register_file = warp_register_file::banked;
  benches all;
  for (const machine_config& c : {aware, swizzled, ideal, banked}) all.add(c, code.program, 64);
  sc_core::sc_start();
  for (size_t k = 0; k < all.size(); ++k) EXPECT_EQ(slots_of(all[k], code.a).work_items, 32u * 4);
  EXPECT_EQ(slots_of(all[0], code.a).slots, 16u * 4);
  for (size_t k = 1; k < all.size(); ++k) {
    EXPECT_GE(slots_of(all[k], code.a).slots, 8u * 4);
    EXPECT_LE(slots_of(all[k], code.a).slots, 10u * 4);
  }
  const auto statistics = [&](size_t k) { return all[k].cu().warps()->statistics(models::simd_id(0)); };
  EXPECT_EQ(statistics(0).away + statistics(1).away, 0u);
  EXPECT_GT(statistics(2).away, 0u);
  EXPECT_EQ(statistics(0).bank_conflicts + statistics(1).bank_conflicts + statistics(2).bank_conflicts, 0u);
  EXPECT_GE(statistics(3).bank_conflicts, 2u * 6 * 4) << "each of the whole warps takes a cycle more";
}

// ---- Cutting

SIMULATION(warp_scheduler, cuts_for_good_and_serialises_without) {
  const two_sides code = if_else(0x0f, 2);
  benches all;
  for (const divergence_kind d : every_scheme) all.add(formed(d, 16), code.program, 16);
  sc_core::sc_start();
  const auto ends = [&](size_t k) {  // paths that reach s_endpgm
    std::set<std::string> places;
    for (const auto& i : all[k].issues)
      if (i.dword + 1 == code.program.size()) places.insert(i.place);
    return places.size();
  };
  EXPECT_EQ(ends(0), 1u);
  EXPECT_EQ(ends(1), 2u);
  EXPECT_EQ(ends(2), 2u);
  EXPECT_EQ(ends(3), 16u);
  EXPECT_EQ(all[0].cu().scheme().statistics().splits, 0u);
  EXPECT_EQ(all[1].cu().scheme().statistics().splits, 1u);
  EXPECT_EQ(all[3].cu().scheme().statistics().splits, 0u) << "single work-items never part";
}

// A wavefront of 100 work-items is seven static warps of 16, the last of which has four.
SIMULATION(warp_scheduler, static_warps_of_a_partial_wavefront) {
  constexpr uint32_t sizes[] = {1, 15, 16, 17, 63, 64, 65, 100};
  benches all;
  for (const uint32_t work_items : sizes)
    all.add(formed(divergence_kind::pdom, 16), {v_mov_b32(1, 2), s_endpgm}, work_items);
  sc_core::sc_start();
  for (size_t k = 0; k < all.size(); ++k) {
    const taken t = slots_of(all[k], {0});
    EXPECT_EQ(t.slots, (sizes[k] + 15) / 16);
    EXPECT_EQ(t.work_items, sizes[k]);
    EXPECT_EQ(all[k].finished, 1u);
  }
}

// ---- Time

// One warp issues per cycle, whatever unit it needs.
SIMULATION(warp_scheduler, one_warp_issues_in_a_cycle) {
  std::vector<uint32_t> program;
  for (unsigned k = 0; k < 8; ++k) {
    program.push_back(v_mov_b32(1 + k % 3, 0));
    program.push_back(s_mov_b32(4 + k % 4, 1));
  }
  program.push_back(s_endpgm);
  benches all;
  for (const divergence_kind d : {divergence_kind::pdom, divergence_kind::naive, divergence_kind::dwf})
    all.add(formed(d, 16), program, 256);
  sc_core::sc_start();
  for (size_t k = 0; k < all.size(); ++k) {
    std::map<cycle_t, std::set<uint32_t>> dwords;
    for (const auto& i : all[k].issues) dwords[i.at].insert(i.dword);
    for (const auto& [at, set] : dwords) EXPECT_EQ(set.size(), 1u) << "cycle " << at;
  }
}

SIMULATION(warp_scheduler, mimd_issues_as_many_work_items_as_a_warp_has_lanes) {
  const two_sides code = if_else(0x5555'5555, 5);
  cu_bench bench(formed(divergence_kind::mimd, 16), code.program);
  bench.start(256);
  bench.run();
  std::map<cycle_t, uint32_t> paths;
  bool different = false;
  std::map<cycle_t, uint32_t> first;
  for (const auto& i : bench.issues) {
    ++paths[i.at];
    different |= first.emplace(i.at, i.dword).first->second != i.dword;
  }
  uint32_t most = 0;
  for (const auto& [at, n] : paths) most = std::max(most, n);
  EXPECT_EQ(most, 16u);
  EXPECT_TRUE(different) << "at any PCs";
}

// Every cycle from the first fetch to the end is counted once.
SIMULATION(warp_scheduler, counts_every_cycle_once) {
  const two_sides code = if_else(0x1234'5678'9abc'def0, 6);
  benches all;
  for (const divergence_kind d : every_scheme) all.add(formed(d, 16), code.program, 150);
  sc_core::sc_start();
  for (size_t k = 0; k < all.size(); ++k) {
    cu_bench& bench = all[k];
    const auto& s = bench.cu().warps()->statistics(models::simd_id(0));
    cycle_t last = 0;
    uint64_t active = 0;
    std::set<cycle_t> cycles;
    for (const auto& i : bench.issues) {
      last = std::max(last, i.at);
      cycles.insert(i.at);
      active += static_cast<uint64_t>(__builtin_popcountll(i.lanes));
    }
    // The cycle behind the last s_endpgm, in which its path leaves, is counted too.
    EXPECT_EQ(s.cycles(), last + 1 - 10 + 1) << traits_of(every_scheme[k]).name;
    EXPECT_EQ(s.work_items, active);
    uint64_t sum = 0, slots = 0;
    for (size_t n = 0; n < s.slots.size(); ++n) {
      sum += n * s.slots[n];
      slots += s.slots[n];
    }
    EXPECT_EQ(sum, active);
    EXPECT_EQ(slots, cycles.size());
  }
}

// ---- Memory

// The paths of a warp count its access together, and wait for it together.
SIMULATION(warp_scheduler, a_warp_waits_for_its_access) {
  // s[0:1] is 0 in the bench: the load is of address 0.
  const std::vector<uint32_t> program{s_mov_b32(0, 0), s_mov_b32(1, 0), s_load_dword(4, 0), 0, s_waitcnt_lgkm0,
                                      v_mov_b32(1, 2), s_endpgm};
  benches all;
  for (const divergence_kind d : every_scheme) all.add(formed(d, 16), program, 64);
  sc_core::sc_start();
  for (size_t k = 0; k < all.size(); ++k) {
    const cu_bench& bench = all[k];
    EXPECT_EQ(bench.fault_message, "");
    for (const char* place : {"simd0.wf0", "simd0.path0"}) {
      const auto t = bench.times(place);
      EXPECT_GE(t.at(4), t.at(2) + cu_bench::scalar_latency) << place;
    }
    EXPECT_EQ(bench.finished, 1u);
  }
}

// ---- What is refused

SIMULATION(warp_scheduler, names_both_paths_that_an_instruction_across_lanes_meets) {
  // v_readlane_b32 s4, v1, 20: of a static warp that has lanes 0 to 15.
  cu_bench bench(formed(divergence_kind::dwf, 16), {0xd2890004, (128 + 20) << 9 | (256 + 1), s_endpgm});
  bench.start(64);
  bench.run();
  EXPECT_EQ(
      bench.fault_message,
      "kernel bench, workgroup (0,0,0), wavefront 0 (cu0.simd0.wf0), pc 0x1000 (kernel entry + 0x0): v_readlane_b32 "
      "s4, v1, 20, lane 20: reaches the vector registers of work-item 20, which belongs to another path of the "
      "wavefront, in simd0.path0 at pc 0x1000 (divergence dwf never joins paths)");
}

// The same where the wavefront is whole.
SIMULATION(warp_scheduler, instructions_across_lanes_of_a_whole_wavefront_are_done) {
  cu_bench bench(formed(divergence_kind::dwf, 64), {0xd2890004, (128 + 20) << 9 | (256 + 1), s_endpgm});
  bench.start(64);
  bench.run();
  EXPECT_EQ(bench.fault_message, "");
  EXPECT_EQ(bench.finished, 1u);
}

// ---- Anything

// Random masks and sizes: all work-items do all their work, whatever the machine, and the pool is right in every cycle.
SIMULATION(warp_scheduler, work_is_done_once_on_every_machine) {
  std::mt19937_64 random(11);
  benches all;
  std::vector<std::set<uint32_t>> sides;  // both, of every bench
  std::vector<uint64_t> expected_of;
  std::vector<std::unique_ptr<pool_watcher>> watchers;
  std::vector<machine_config> machines(60);
  for (unsigned turn = 0; turn < 60; ++turn) {
    two_sides code;
    uint64_t expected = 0;
    const uint32_t work_items = 1 + static_cast<uint32_t>(random() % 256);
    for (unsigned k = 0; k < 4; ++k) {
      const uint64_t mask = k % 2 == 0 ? random() : random() & random();
      two_sides next = if_else(mask, 1 + static_cast<unsigned>(random() % 5));
      next.program.pop_back();
      const auto shift = static_cast<uint32_t>(code.program.size());
      code.program.insert(code.program.end(), next.program.begin(), next.program.end());
      for (const uint32_t d : next.a) code.a.insert(d + shift);
      for (const uint32_t d : next.b) code.a.insert(d + shift);
      for (uint32_t w = 0; w < work_items; ++w) expected += (mask >> w % 64 & 1) != 0 ? next.a.size() : next.b.size();
    }
    code.program.push_back(s_endpgm);
    machine_config& c = machines[turn];
    c = formed(static_cast<divergence_kind>(static_cast<int>(divergence_kind::pdom) + turn % 4), 4u << random() % 5);
    if (turn % 2 == 0) c.divergence = divergence_kind::dwf;
    c.dwf.swizzle = turn % 3 == 0;
    c.dwf.heuristic = static_cast<models::issue_heuristic>(random() % 5);
    c.dwf.register_file = static_cast<warp_register_file>(random() % 3);
    c.dwf.lut_entries = 2u << random() % 5;
    c.dwf.update_registers = 1 + static_cast<uint32_t>(random() % 3);
    c.dwf.majority_entries = 1 + static_cast<uint32_t>(random() % 8);
    if (random() % 3 == 0) c.dwf.pool = 1 + static_cast<uint32_t>(random() % 8);
    c.n_wfc = 4;
    c.ibuf_dwords = random() % 3 == 0 ? 8 : 16;
    cu_bench& bench = all.add(c, code.program, work_items);
    watchers.push_back(std::make_unique<pool_watcher>(bench, c));
    bench.cu().attach(*watchers.back());
    sides.push_back(code.a);
    expected_of.push_back(expected);
  }
  sc_core::sc_start();
  uint64_t looks = 0, cuts = 0;
  for (size_t k = 0; k < all.size(); ++k) {
    ASSERT_EQ(all[k].fault_message, "");
    ASSERT_EQ(all[k].finished, 1u) << "turn " << k;
    EXPECT_EQ(slots_of(all[k], sides[k]).work_items, expected_of[k]) << "turn " << k;
    looks += watchers[k]->looks;
    cuts += all[k].cu().warps()->statistics(models::simd_id(0)).cuts;
  }
  EXPECT_GT(looks, 10000u);
  EXPECT_GT(cuts, 100u);
}

}  // namespace
}  // namespace pws::test::warp_scheduler_test
