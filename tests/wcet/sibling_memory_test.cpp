// SPDX-License-Identifier: Apache-2.0
// The parts of a split wavefront share its memory and LDS slots: no run takes longer than its bound, no split costs
// more than running its sides one after the other, and runs see each rule of that bound broken (docs/wcet.md, "Memory
// of siblings").
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "platform/run/program/machine_timing.h"
#include "tests/wcet/random_bounds.h"

namespace pws::test::sibling_memory_test {
namespace {

// --- Kernels -------------------------------------------------------------------------------------------

// A branch on a bit of the hash, split between the write of EXEC and the skip. `between`: in the BSB.
class splitting_code {
 public:
  std::string if_else(unsigned bit, const std::string& first, const std::string& second,
                      const std::string& between = "", bool split = true) {
    const unsigned n = labels_++;
    const std::string saved = fmt::format("s[{}:{}]", 20 + 2 * bit, 21 + 2 * bit);
    return fmt::format("  v_and_b32 v3, {}, v2\n  v_cmp_ne_u32 vcc, 0, v3\n", 1u << bit) +
           fmt::format("  s_and_saveexec_b64 {0}, vcc\n  s_xor_b64 {0}, exec, {0}\n", saved) +
           (split ? split_exec : "") + fmt::format("  s_cbranch_execz .Lelse{}\n", n) + first +
           fmt::format(".Lelse{}:\n", n) + between +
           fmt::format("  s_or_saveexec_b64 {0}, {0}\n  s_xor_b64 exec, exec, {0}\n", saved) +
           fmt::format("  s_cbranch_execz .Lend{}\n", n) + second +
           fmt::format(".Lend{}:\n  s_or_b64 exec, exec, {}\n", n, saved) + (split ? merge : "");
  }

 private:
  unsigned labels_ = 0;
};

const std::string load = "  flat_load_dword v4, v[8:9]\n  s_waitcnt vmcnt(0) & lgkmcnt(0)\n",
                  store = "  flat_store_dword v[8:9], v5\n", add = "  v_add_u32 v6, vcc, v6, v7\n",
                  atomic = "  flat_atomic_add v[8:9], v5\n", lds_store = "  ds_write_b32 v10, v5\n",
                  lds_load = "  ds_read_b32 v4, v10\n  s_waitcnt lgkmcnt(0)\n",
                  scalar_load = "  s_load_dword s18, s[4:5], 0x0\n  s_waitcnt lgkmcnt(0)\n",
                  all_here = "  s_waitcnt vmcnt(0) & lgkmcnt(0)\n";

struct directed {
  std::string name;
  std::string body;
  double closest = 1.3;  // no case is further from its bound than that in its closest run
};

std::vector<directed> kernels() {
  splitting_code c;
  std::vector<directed> all;
  const auto add_case = [&](const std::string& name, const std::string& body, double closest = 1.3) {
    all.push_back({name, body, closest});
  };
  add_case("loads_on_both_sides", c.if_else(0, repeated(load, 4), repeated(load, 4)));
  add_case("one_side_loads_the_other_stores", c.if_else(0, repeated(load, 3), repeated(store, 6)));
  add_case("stores_are_waited_for_at_the_merge", c.if_else(0, repeated(store, 8), repeated(store, 8)));
  add_case("atomics_on_both_sides", c.if_else(0, repeated(atomic, 4), repeated(atomic + all_here, 4)));
  add_case("arithmetic_beside_memory", c.if_else(0, repeated(add, 2000), repeated(load, 3)), 2);
  add_case("all_kinds_of_memory", c.if_else(0, repeated(store + lds_store + scalar_load + lds_load, 3) + load,
                                            repeated(scalar_load + lds_store + load + lds_load, 3) + store));
  add_case("lds_alone", c.if_else(0, repeated(lds_store + lds_load, 30), repeated(lds_load + lds_store, 30)), 2.2);
  add_case("scalars_alone", c.if_else(0, repeated(scalar_load, 20), repeated(scalar_load, 20)), 1.5);
  add_case("under_way_at_the_split", repeated(store, 3) + c.if_else(0, store + load, load + store) + store);
  add_case("under_way_around_a_merge",
           c.if_else(0, c.if_else(1, store + store, load) + store, c.if_else(2, load, store) + load));
  add_case("nested", c.if_else(0, c.if_else(1, repeated(load, 2), repeated(load, 2)) + load,
                               c.if_else(2, repeated(store, 2), c.if_else(3, repeated(load, 2), repeated(store, 2)))));
  // Each side splits, and has nothing but instructions: with two contexts one of them finds none.
  const std::string busy = repeated(add, 300);
  add_case("arithmetic_on_four_sides", c.if_else(0, c.if_else(1, busy, busy), c.if_else(2, busy, busy)), 2);
  add_case("arithmetic_nested", c.if_else(0, c.if_else(1, busy, busy), add), 2);
  add_case("one_after_the_other", c.if_else(0, load, store) + c.if_else(1, store, load) + c.if_else(0, load, load));
  std::string tree = load + store;
  for (unsigned bit = 5; bit-- > 0;) tree = c.if_else(bit, tree, bit % 2 == 0 ? repeated(load, 2) : repeated(store, 2));
  add_case("a_chain_of_splits", tree);
  const auto loop = [](const std::string& label, const std::string& body) {
    return "  s_movk_i32 s60, 4\n" + label + ":\n" + body +
           "  s_sub_u32 s60, s60, 1\n  s_cmp_lg_u32 s60, 0\n  s_cbranch_scc1 " + label + "\n";
  };
  add_case("a_split_in_a_loop", loop(".Lagain_a", c.if_else(0, repeated(load, 2), repeated(store, 3))));
  add_case("loops_on_both_sides",
           c.if_else(0, loop(".Lagain_b", load), loop(".Lagain_c", store + c.if_else(1, load, store))));
  // Both parts go through the BSB, and each loads there.
  add_case("a_scalar_load_in_the_bsb", loop(".Lagain_d", c.if_else(0, load, load, repeated(scalar_load, 20))));
  // A side's ways are uniform: by an argument, which is not known to be one of them.
  const std::string either = "  s_cmp_eq_u32 s7, 0x12345\n  s_cbranch_scc1 ";
  add_case(
      "uniform_ways_in_a_side",
      c.if_else(0,
                either + ".Lway\n" + repeated(add, 300) + "  s_branch .Lmet\n.Lway:\n" + repeated(load, 4) + ".Lmet:\n",
                repeated(load, 3)),
      4);
  return all;
}

// --- Runs against bounds -----------------------------------------------------------------------------------

struct launch_size {
  uint32_t work_items, workgroup;
};
// One wavefront, one that is not whole, every context in use, and twice as many.
constexpr launch_size sizes[] = {{64, 64}, {23, 64}, {8 * 64, 64}, {8 * 64, 256}, {16 * 64 + 7, 128}};

models::machine_config machine_with(uint32_t s) {
  return predictable({1, 2, 4, 16, models::divergence_kind::pws, s});
}

TEST(sibling_memory, no_run_takes_longer_than_its_bound) {
  const std::vector<directed> all = kernels();
  assembly_file file;
  for (const directed& k : all) file.add_kernel(k.body);
  const loader::program_image program = assemble(file.text());
  std::vector<batch_launch> launches;
  for (size_t k = 0; k < all.size(); ++k)
    for (const launch_size& size : sizes)
      for (const uint32_t mode : {0u, 1u}) {
        batch_launch l;
        l.kernel = fmt::format("k{}", k);
        l.work_items = size.work_items;
        l.workgroup = size.workgroup;
        l.mode = mode;  // 1: all work-items on one side
        launches.push_back(l);
      }
  for (const uint32_t s : {1u, 2u, 3u, 7u}) {
    const models::machine_config machine = machine_with(s);
    const wcet::machine_timing timing = platform::timing_of(machine);
    const batch_report report = run_batch(machine, program, launches);
    ASSERT_EQ(report.launches.size(), launches.size()) << report.launches.back().error;
    std::vector<double> closest(all.size(), 1e9);
    for (size_t n = 0; n < launches.size(); ++n) {
      const size_t k = n / (std::size(sizes) * 2);
      ASSERT_EQ(report.launches[n].error, "") << all[k].name;
      const uint64_t bound = bound_of(program, launches[n].kernel, machine, timing, launches[n], 4).e_kernel;
      const uint64_t observed = report.launches[n].cycles;
      EXPECT_GE(bound, observed) << all[k].name << ", S = " << s << ", " << launches[n].work_items << " work-items";
      closest[k] = std::min(closest[k], static_cast<double>(bound) / static_cast<double>(observed));
    }
    for (size_t k = 0; k < all.size(); ++k) {
      EXPECT_LT(closest[k], all[k].closest) << all[k].name << ", S = " << s << ": the test would not see a mistake";
      fmt::print("S = {}: {}: bound / observed {:.3f}\n", s, all[k].name, closest[k]);
    }
  }
}

// --- Broken rules ------------------------------------------------------------------------------------------

// The time that a run of every context takes, and E_kernel for any E_WF.
struct measured_kernel {
  uint64_t observed = 0;
  platform::scheme_bound bound;
  uint64_t e_kernel(uint64_t e_wf) const { return bound.d_s * (bound.d + e_wf); }
};

measured_kernel measure(const std::string& body, uint32_t s, uint32_t mode = 0) {
  assembly_file file;
  file.add_kernel(body);
  const loader::program_image program = assemble(file.text());
  const models::machine_config machine = machine_with(s);
  batch_launch launch;
  launch.kernel = "k0";
  launch.work_items = 8 * 64;
  launch.mode = mode;
  const batch_report report = run_batch(machine, program, {launch});
  EXPECT_EQ(report.launches.front().error, "");
  return {report.launches.front().cycles, bound_of(program, "k0", machine, platform::timing_of(machine), launch, 4)};
}

// A block's slots are what its time has besides the critical walk's.
uint64_t slots_of(const measured_kernel& m, size_t block) {
  return m.bound.wavefront.block_cycles()[block] - m.bound.wavefront.problem.cycles[block];
}
uint64_t slots_of(const measured_kernel& m, const std::vector<uint64_t>& count) {
  uint64_t total = 0;
  for (size_t b = 0; b < m.bound.wavefront.block_cycles().size(); ++b) total += count[b] * slots_of(m, b);
  return total;
}

// Eight words in one bank, for each half of the lanes and twice: 32 passes.
const std::string many_passes = "  v_and_b32 v11, 7, v0\n  v_lshlrev_b32 v11, 7, v11\n",
                  pass_load = "  ds_read2_b32 v[4:5], v11 offset1:1\n";

TEST(sibling_memory, slots_of_the_longest_chain_alone_are_too_few) {
  splitting_code c;
  for (const std::string& body :
       {c.if_else(0, repeated(load, 4), repeated(load, 4)), c.if_else(0, repeated(store, 6), repeated(atomic, 3)),
        c.if_else(0, repeated(scalar_load, 40), repeated(scalar_load, 40)),
        many_passes + c.if_else(0, repeated(pass_load, 15) + all_here, repeated(pass_load, 15) + all_here),
        c.if_else(0, c.if_else(1, repeated(load, 2), repeated(load, 2)), c.if_else(2, store + load, load + store))}) {
    const measured_kernel m = measure(body, 3);
    const wcet::wavefront_bound& w = m.bound.wavefront;
    EXPECT_GE(m.bound.e_kernel, m.observed);
    const uint64_t own = w.cycles - slots_of(m, w.work_count);
    EXPECT_LT(m.e_kernel(own + slots_of(m, w.path.node_count)), m.observed) << body.substr(0, 400);
  }
}

TEST(sibling_memory, what_both_parts_execute_takes_its_slots_twice) {
  splitting_code c;
  const measured_kernel m = measure(c.if_else(0, load, load, repeated(scalar_load, 40)), 1);
  const wcet::wavefront_bound& w = m.bound.wavefront;
  EXPECT_GE(m.bound.e_kernel, m.observed);
  size_t bsb = 0;
  for (size_t b = 0; b < w.block_cycles().size(); ++b)
    if (slots_of(m, b) > slots_of(m, bsb)) bsb = b;
  EXPECT_EQ(w.work_count[bsb], 1u);
  EXPECT_LT(m.e_kernel(w.cycles - slots_of(m, bsb) / 2), m.observed);
}

// Parts that are not those of the sides: any of them may go either way, and what one of them takes long for need not be
// where the other one's accesses are.
TEST(sibling_memory, parts_of_other_masks_go_ways_of_their_own) {
  const std::string split_by_vcc = "  s_mov_b64 s[40:41], vcc\n  .long 0xbf142928  // split s40, s41\n";
  const std::string body = "  v_and_b32 v3, 1, v2\n  v_cmp_ne_u32 vcc, 0, v3\n" + split_by_vcc +
                           "  v_cmp_ne_u32 vcc, 0, v3\n  s_cbranch_vccz .Lother\n" + repeated(add, 30) + load +
                           repeated(add, 4000) + "  s_branch .Lmet\n.Lother:\n" + repeated(store, 4) + ".Lmet:\n" +
                           merge;
  for (const uint32_t s : {1u, 3u}) {
    const measured_kernel m = measure(body, s);
    EXPECT_GE(m.bound.e_kernel, m.observed);
    wcet::flow_problem one_walk = m.bound.wavefront.problem;
    for (size_t b = 0; b < m.bound.wavefront.block_cycles().size(); ++b) one_walk.cycles[b] += slots_of(m, b);
    EXPECT_LT(m.e_kernel(wcet::solve_ipet(one_walk).cycles), m.observed);
  }
  // The same mask where EXEC is already that of the first side: both parts go through both sides.
  splitting_code c;
  std::string both = c.if_else(0, repeated(scalar_load, 40), repeated(scalar_load, 40));
  const size_t at = both.find(split_exec);
  ASSERT_NE(at, std::string::npos);
  both.replace(at, split_exec.size(), "  .long 0xbf142928  // split s40, s41\n");
  const std::string mask = "  v_and_b32 v3, 2, v2\n  v_cmp_ne_u32 vcc, 0, v3\n  s_mov_b64 s[40:41], vcc\n";
  const measured_kernel m = measure(mask + both, 1);
  EXPECT_GE(m.bound.e_kernel, m.observed);
  EXPECT_LT(m.e_kernel(m.bound.wavefront.cycles - slots_of(m, m.bound.wavefront.work_count) / 2), m.observed);
}

// What a mask of before the split has beside a part's own work-items.
TEST(sibling_memory, masks_of_before_have_more_than_a_part) {
  const std::string body =
      "  v_and_b32 v3, 1, v2\n  v_cmp_ne_u32 vcc, 0, v3\n  s_mov_b64 s[40:41], vcc\n"
      "  v_and_b32 v3, 2, v2\n  v_cmp_ne_u32 s[42:43], 0, v3\n"
      "  .long 0xbf142928  // split s40, s41\n"
      // That leaves none of the part's work-items, but some of the other's.
      "  v_cmp_le_u32 s[44:45], 0, v0\n  s_andn2_b64 s[46:47], s[42:43], s[44:45]\n  s_cbranch_scc0 .Lnone\n" +
      repeated(add, 4000) + ".Lnone:\n" + merge;
  for (const uint32_t s : {1u, 3u}) {
    const measured_kernel m = measure(body, s);
    EXPECT_GE(m.bound.e_kernel, m.observed);
    EXPECT_GT(m.observed, 4000u * 4) << "no part has come to the sums: the test would not see a mistake";
  }
}

// Without parts the second side finds what the first one has left in scalar registers.
TEST(sibling_memory, one_side_makes_the_other_longer) {
  splitting_code c;
  const std::string sums =
      ".Lsums:\n" + repeated(add, 1000) + "  s_sub_u32 s62, s62, 1\n  s_cmp_lg_u32 s62, 0\n  s_cbranch_scc1 .Lsums\n";
  const std::string body = "  s_movk_i32 s62, 1\n" + c.if_else(0, "  s_movk_i32 s62, 4\n", sums);
  for (const uint32_t s : {0u, 1u}) {
    const measured_kernel m = measure(body, s);
    EXPECT_GE(m.bound.e_kernel, m.observed) << s;
    if (s == 0) {
      EXPECT_GT(m.observed, 4000u * 4) << "the loop has one iteration: the test would not see a mistake";
    }
  }
}

// --- Against one side after the other --------------------------------------------------------------------------

unsigned programs_wanted() {
  const char* n = std::getenv("PWS_WCET_PROGRAMS");
  return n == nullptr ? 40 : static_cast<unsigned>(std::atoi(n));
}

// With S = 0 the same code runs its sides one after the other; e_s, e_m and their waits are charged there as well.
TEST(sibling_memory, no_split_costs_more_than_one_side_after_the_other) {
  unsigned compared = 0, shorter = 0;
  const auto compare = [&](const loader::program_image& program, const std::string& kernel) {
    batch_launch launch;
    launch.kernel = kernel;
    launch.work_items = 8 * 64;
    uint64_t before = 0;
    for (const uint32_t s : {0u, 1u, 2u, 3u, 7u, 63u}) {
      const models::machine_config machine = machine_with(s);
      const uint64_t bound = bound_of(program, kernel, machine, platform::timing_of(machine), launch, 4).e_kernel;
      if (s != 0) {
        EXPECT_LE(bound, before) << kernel << ", S = " << s;
        ++compared;
        shorter += bound < before ? 1 : 0;
      }
      before = bound;
    }
  };
  for (unsigned seed = 1; seed <= programs_wanted(); ++seed) {
    std::mt19937_64 random(seed);
    program_options options;
    options.depth = 1 + static_cast<unsigned>(random() % 4);
    options.statements = 1 + static_cast<unsigned>(random() % 4);
    options.memory = options.lds = random() % 4 != 0;
    assembly_file file;
    file.add_program(seed, options);
    compare(assemble(file.text()), "k0");
  }
  for (const directed& k : kernels()) {
    if (k.name == "a_scalar_load_in_the_bsb") continue;  // both parts load there
    assembly_file file;
    file.add_kernel(k.body);
    SCOPED_TRACE(k.name);
    compare(assemble(file.text()), "k0");
  }
  EXPECT_GT(shorter, compared / 10);
  fmt::print("{} bounds, {} shorter than with the S before\n", compared, shorter);
}

}  // namespace
}  // namespace pws::test::sibling_memory_test
