// SPDX-License-Identifier: Apache-2.0
// Splits that nest, follow one another, have one side, find no context or never merge; and programs that break the
// rules.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "models/machine/machine_config.h"
#include "tests/integration/child_run.h"
#include "tests/splitting/batch_run.h"

namespace pws::test::split_semantics_test {
namespace {

using models::divergence_kind;
using models::fidelity;
using models::machine_config;
using testing::AllOf;
using testing::HasSubstr;

// Stores v4 at result 0.
const std::string store = "  flat_store_dword v[8:9], v4\n";

class split_semantics : public testing::TestWithParam<fidelity> {
 protected:
  static machine_config machine(uint32_t s, divergence_kind d = divergence_kind::pws) {
    machine_config m;
    m.n_cu = 1;
    m.n_simd = 1;
    m.n_wfc = 2;
    m.fidelity = GetParam();
    m.divergence = d;
    m.spsimd_per_simd = s;
    return m;
  }
  // One wavefront, hash = number of the work-item.
  static batch_report run(const machine_config& m, const std::string& body, uint32_t work_items = 64,
                          uint32_t workgroup = 64) {
    assembly_file file;
    file.add_kernel(body);
    batch_launch l;
    l.kernel = "k0";
    l.mul = 0x10000;
    l.work_items = work_items;
    l.workgroup = workgroup;
    return run_batch(m, assemble(file.text()), {l});
  }
  static std::string error_of(const machine_config& m, const std::string& body) {
    const batch_report r = run(m, body);
    static const std::regex assembled("\\(\\S*pws_integration_\\S*\\.s:");  // each run has a file of its own
    return std::regex_replace(r.launches.at(0).error, assembled, "(k0.s:");
  }
  static uint32_t result(const batch_report& r, uint32_t work_item) {
    return r.launches.at(0).memory.at(work_item * 8);
  }

  // A path of its own for every work-item: the leaf adds to v4 what the path says.
  static std::string all_leaves(unsigned depth, uint32_t path) {
    if (depth == 6)
      return fmt::format("  v_mov_b32 v4, {}\n  v_mul_lo_u32 v4, v4, v4\n  s_nop 7\n  s_nop 7\n  s_nop 7\n",
                         100 + path);
    return split_on(1u << depth, depth, all_leaves(depth + 1, path | 1u << depth), all_leaves(depth + 1, path));
  }
};

INSTANTIATE_TEST_SUITE_P(fidelity, split_semantics, testing::Values(fidelity::functional, fidelity::timing),
                         [](const auto& f) { return f.param == fidelity::timing ? "timing" : "functional"; });

TEST_P(split_semantics, sixty_four_at_once) {
  const batch_report r = run(machine(63), all_leaves(0, 0) + store);
  ASSERT_EQ(r.launches.at(0).error, "");
  for (uint32_t id = 0; id < 64; ++id) EXPECT_EQ(result(r, id), (100 + id) * (100 + id));
  EXPECT_EQ(r.divergence.splits, 63u);
  EXPECT_EQ(r.divergence.merges, 63u);
  EXPECT_EQ(r.divergence.no_context, 0u);
}

TEST_P(split_semantics, fewer_units_serialise) {
  for (const uint32_t s : {0u, 1u, 2u, 5u}) {
    const batch_report r = run(machine(s), all_leaves(0, 0) + store);
    for (uint32_t id = 0; id < 64; ++id) ASSERT_EQ(result(r, id), (100 + id) * (100 + id)) << s;
    EXPECT_EQ(r.divergence.splits, r.divergence.merges);
    EXPECT_GT(r.divergence.no_context, 0u);
  }
}

TEST_P(split_semantics, contexts_are_used_again) {
  std::string body = "  v_mov_b32 v4, 0\n";
  for (unsigned k = 0; k < 40; ++k)
    body += split_on(1u << k % 6, 0, "  v_add_u32 v4, vcc, 1, v4\n", "  v_add_u32 v4, vcc, 2, v4\n");
  const batch_report r = run(machine(1), body + store);
  EXPECT_EQ(r.divergence.splits, 40u);
  EXPECT_EQ(r.divergence.no_context, 0u);
  for (uint32_t id = 0; id < 64; ++id) {
    uint32_t expected = 0;
    for (unsigned k = 0; k < 40; ++k) expected += (id >> k % 6 & 1) != 0 ? 1 : 2;
    EXPECT_EQ(result(r, id), expected);
  }
}

TEST_P(split_semantics, one_side_creates_nothing) {
  for (const uint32_t bit : {64u, 0u}) {  // no work-item has it
    const batch_report r = run(machine(3), split_on(bit, 0, "  v_mov_b32 v4, 1\n", "  v_mov_b32 v4, 2\n") + store);
    EXPECT_EQ(r.divergence.splits, 0u);
    EXPECT_EQ(r.divergence.one_sided, 1u);
    for (uint32_t id = 0; id < 64; ++id) EXPECT_EQ(result(r, id), 2u);
  }
}

TEST_P(split_semantics, lanes_without_work_item_are_no_side) {
  // Work-items 0..6: bit 3 is set in none of them, but in lanes that have no work-item.
  const std::string body = split_on(8, 0, "  v_mov_b32 v4, 1\n", "  v_mov_b32 v4, 2\n") + store;
  const batch_report r = run(machine(3), body, 7, 7);
  EXPECT_EQ(r.divergence.splits, 0u);
  for (uint32_t id = 0; id < 7; ++id) EXPECT_EQ(result(r, id), 2u);
  const batch_report last = run(machine(3), body, 9, 9);  // one lane on one side
  EXPECT_EQ(last.divergence.splits, 1u);
  EXPECT_EQ(result(last, 8), 1u);
  EXPECT_EQ(result(last, 7), 2u);
}

// ---- SWFs that end before their merge

TEST_P(split_semantics, child_ends_early) {
  const batch_report r =
      run(machine(2), split_on(1, 0, "  v_mov_b32 v4, 1\n", "  v_mov_b32 v4, 2\n" + store + "  s_endpgm\n") +
                          "  v_add_u32 v4, vcc, 10, v4\n" + store);
  ASSERT_EQ(r.launches.at(0).error, "");
  EXPECT_EQ(r.divergence.merges, 0u);
  for (uint32_t id = 0; id < 64; ++id) EXPECT_EQ(result(r, id), id % 2 != 0 ? 11u : 2u);
}

TEST_P(split_semantics, parent_ends_early) {
  const batch_report r = run(machine(2), split_on(1, 0, "  v_mov_b32 v4, 1\n" + store + "  s_endpgm\n",
                                                  "  v_mov_b32 v4, 2\n  s_nop 7\n  s_nop 7\n") +
                                             "  v_add_u32 v4, vcc, 10, v4\n" + store);
  ASSERT_EQ(r.launches.at(0).error, "");
  for (uint32_t id = 0; id < 64; ++id) EXPECT_EQ(result(r, id), id % 2 != 0 ? 1u : 12u);
}

TEST_P(split_semantics, ends_inside_nested_splits) {
  // The inner split's parent, its child or both end; the outer merge still brings the rest together.
  const std::string stop = store + "  s_endpgm\n";
  for (unsigned who = 0; who < 8; ++who) {
    const std::string inner = split_on(2, 1, "  v_mov_b32 v4, 1\n" + ((who & 1) != 0 ? stop : ""),
                                       "  v_mov_b32 v4, 2\n" + ((who & 2) != 0 ? stop : ""));
    const std::string body = split_on(1, 0, inner, "  v_mov_b32 v4, 3\n" + ((who & 4) != 0 ? stop : ""));
    for (const uint32_t s : {0u, 1u, 2u}) {
      // Without an SWF of its own, a side that ends takes the whole wavefront with it.
      if (s < 2 && who != 0) continue;
      const batch_report r = run(machine(s), body + "  v_add_u32 v4, vcc, 10, v4\n" + store);
      ASSERT_EQ(r.launches.at(0).error, "") << who;
      for (uint32_t id = 0; id < 64; ++id) {
        const unsigned side = id % 2 == 0 ? 3 : id / 2 % 2 != 0 ? 1 : 2;
        const bool stopped = (who >> (side - 1) & 1) != 0;
        ASSERT_EQ(result(r, id), stopped ? side : side + 10) << "who " << who << ", work-item " << id;
      }
    }
  }
}

// ---- program errors

TEST_P(split_semantics, barrier_in_a_split_region) {
  const std::string body = split_on(1, 0, "  s_barrier\n", "  s_nop 0\n");
  EXPECT_THAT(error_of(machine(1), body),
              AllOf(HasSubstr("s_barrier"), HasSubstr("inside a split region: 1 SWFs of the wavefront have not merged"),
                    HasSubstr("kernel k0, workgroup (0,0,0), wavefront 0 (cu0.simd0.wf0), pc 0x")));
  // Not split, it is a barrier like any other.
  EXPECT_EQ(error_of(machine(1), split_on(64, 0, "  s_nop 0\n", "  s_barrier\n")), "");
}

TEST_P(split_semantics, merge_without_split) {
  EXPECT_THAT(error_of(machine(1), merge),
              AllOf(HasSubstr(": merge (k0.s:"),
                    HasSubstr("): merge without a split: the wavefront has neither child nor parent")));
  EXPECT_EQ(error_of(machine(1, divergence_kind::none), merge), "");
}

TEST_P(split_semantics, stack_overflow) {
  std::string body;
  for (int k = 0; k < 5; ++k) body += split_exec;
  machine_config m = machine(0);
  m.child_stack_entries = 4;
  EXPECT_THAT(error_of(m, body), AllOf(HasSubstr("split exec_lo, exec_hi"),
                                       HasSubstr("the child stack is full: 4 splits wait for their merge")));
  m.child_stack_entries = 5;
  EXPECT_EQ(error_of(m, body), "");
}

TEST_P(split_semantics, no_context) {
  const std::string inner = split_on(2, 1, "  v_mov_b32 v4, 1\n", "  v_mov_b32 v4, 2\n");
  const std::string body = split_on(1, 0, inner, "  v_mov_b32 v4, 3\n");
  machine_config m = machine(1);
  m.check.split_contexts = true;
  EXPECT_THAT(error_of(m, body), HasSubstr("no SWF context is free for this split: the wavefront has 1 SWFs already"));
  m.spsimd_per_simd = 2;
  EXPECT_EQ(error_of(m, body), "");
}

TEST_P(split_semantics, different_merges_meet) {
  const std::string body = "  v_and_b32 v3, 1, v2\n  v_cmp_ne_u32 vcc, 0, v3\n  s_mov_b64 exec, vcc\n" + split_exec +
                           "  s_cbranch_execz other\n" + merge + "  s_endpgm\nother:\n" + merge;
  EXPECT_THAT(error_of(machine(1), body), HasSubstr("this merge meets another one, at 0x"));
}

// ---- check.split_isolation

TEST_P(split_semantics, isolation) {
  const struct {
    const char* instruction;
    int lane;  // that it reaches; -1: none of another SWF
  } cases[] = {
      {"v_readlane_b32 s50, v4, 6", 6},       {"v_readlane_b32 s50, v4, 7", -1},
      {"v_writelane_b32 v4, s50, 2", 2},      {"v_mov_b32_dpp v5, v4 quad_perm:[1,0,3,2]", 0},
      {"v_mov_b32_dpp v5, v4 row_shl:2", -1}, {"ds_swizzle_b32 v5, v4 offset:swizzle(SWAP,1)", 0},
      {"ds_bpermute_b32 v5, v10, v4", -1},    {"v_readfirstlane_b32 s50, v4", -1},
      {"v_add_u32 v5, vcc, v4, v4", -1},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.instruction);
    // In the SWF of the odd work-items.
    const std::string body =
        split_on(1, 0, std::string("  ") + c.instruction + "\n  s_waitcnt lgkmcnt(0)\n", "  s_nop 0\n");
    machine_config m = machine(1);
    EXPECT_EQ(error_of(m, body), "");  // off by default
    m.check.split_isolation = true;
    const std::string error = error_of(m, body);
    if (c.lane < 0)
      EXPECT_EQ(error, "");
    else
      EXPECT_THAT(error, AllOf(HasSubstr(fmt::format(", lane {}: reaches the vector registers of work-item {}, which "
                                                     "belongs to another path",
                                                     c.lane, c.lane)),
                               HasSubstr("cu0.simd0.wf0")));
    m.spsimd_per_simd = 0;  // not split, nobody is in the way
    EXPECT_EQ(error_of(m, body), "");
    m.divergence = divergence_kind::stack;  // both sides in one context, and in nobody else's registers all the same
    const std::regex place(", in simd0\\.spsimd2\\.swf0 at pc 0x[0-9a-f]+");  // a path on the stack is nowhere
    EXPECT_EQ(std::regex_search(error, place), c.lane >= 0);
    EXPECT_EQ(error_of(m, body), std::regex_replace(error, place, ""));
  }
}

// ---- stack

TEST_P(split_semantics, stack_runs_sixty_four_paths_one_by_one) {
  const batch_report r = run(machine(0, divergence_kind::stack), all_leaves(0, 0) + store);
  ASSERT_EQ(r.launches.at(0).error, "");
  for (uint32_t id = 0; id < 64; ++id) EXPECT_EQ(result(r, id), (100 + id) * (100 + id));
  EXPECT_EQ(r.divergence.splits, 63u);
  EXPECT_EQ(r.divergence.merges, 63u);
  EXPECT_EQ(r.divergence.one_sided, 0u);
  EXPECT_EQ(r.divergence.deepest, 6u);
  if (GetParam() == fidelity::timing) {
    const batch_report parallel = run(machine(63), all_leaves(0, 0) + store);
    EXPECT_GT(r.launches.at(0).cycles, parallel.launches.at(0).cycles);
  }
}

// As ends_inside_nested_splits: what is left of a wavefront goes on, whichever sides have ended.
TEST_P(split_semantics, stack_goes_on_without_sides_that_end) {
  const std::string stop = store + "  s_endpgm\n";
  for (unsigned who = 0; who < 8; ++who) {
    const std::string inner = split_on(2, 1, "  v_mov_b32 v4, 1\n" + ((who & 1) != 0 ? stop : ""),
                                       "  v_mov_b32 v4, 2\n" + ((who & 2) != 0 ? stop : ""));
    const std::string body = split_on(1, 0, inner, "  v_mov_b32 v4, 3\n" + ((who & 4) != 0 ? stop : ""));
    const batch_report r =
        run(machine(0, divergence_kind::stack), body + "  v_add_u32 v4, vcc, 10, v4\n" + store, 66, 66);
    ASSERT_EQ(r.launches.at(0).error, "") << who;
    for (uint32_t id = 0; id < 66; ++id) {
      const unsigned side = id % 2 == 0 ? 3 : id / 2 % 2 != 0 ? 1 : 2;
      const bool stopped = (who >> (side - 1) & 1) != 0;
      ASSERT_EQ(result(r, id), stopped ? side : side + 10) << "who " << who << ", work-item " << id;
    }
  }
}

TEST_P(split_semantics, stack_errors) {
  machine_config m = machine(0, divergence_kind::stack);
  EXPECT_THAT(error_of(m, split_on(1, 0, "  s_barrier\n", "  s_nop 0\n")),
              AllOf(HasSubstr("s_barrier inside a split region: 1 paths of the wavefront are on its stack"),
                    HasSubstr("kernel k0, workgroup (0,0,0), wavefront 0 (cu0.simd0.wf0), pc 0x")));
  EXPECT_EQ(error_of(m, split_on(64, 0, "  s_nop 0\n", "  s_barrier\n")), "") << "in one piece";
  EXPECT_THAT(error_of(m, merge),
              AllOf(HasSubstr(": merge (k0.s:"), HasSubstr("): merge without a split: the stack is empty")));
  EXPECT_THAT(error_of(m, "  v_and_b32 v3, 1, v2\n  v_cmp_ne_u32 vcc, 0, v3\n  s_mov_b64 exec, vcc\n" + split_exec +
                              "  s_cbranch_execz other\n" + merge + "  s_endpgm\nother:\n" + merge),
              HasSubstr("this merge meets another one, at 0x"));
  std::string body;
  for (int k = 0; k < 5; ++k) body += split_exec;
  m.child_stack_entries = 4;
  EXPECT_THAT(error_of(m, body), HasSubstr("the stack is full: 4 splits wait for their merge (child_stack_entries)"));
  m.child_stack_entries = 5;
  EXPECT_EQ(error_of(m, body), "");
}

// ---- pws-mode

TEST_P(split_semantics, mode_bit) {
  const auto body = [](bool set) {
    std::string b = set ? "  s_setreg_imm32_b32 hwreg(HW_REG_MODE, 21, 1), 1\n" : "";
    b += "  v_mov_b32 v4, 0\n";
    for (const char* bit : {"1", "2"})
      b += fmt::format(
          "  v_and_b32 v3, {0}, v2\n  v_cmp_ne_u32 vcc, 0, v3\n  s_and_saveexec_b64 s[20:21], vcc\n"
          "  s_cbranch_execz skip_{0}\n  v_add_u32 v4, vcc, {0}, v4\nskip_{0}:\n"
          "  s_or_b64 exec, exec, s[20:21]\n",
          bit);
    return b + "  s_barrier\n" + store;  // every SWF takes part in the barrier
  };
  for (const bool set : {false, true}) {
    const batch_report r = run(machine(7, divergence_kind::pws_mode), body(set), 128, 128);
    ASSERT_EQ(r.launches.at(0).error, "");
    for (uint32_t id = 0; id < 128; ++id) EXPECT_EQ(result(r, id), id & 3);
    EXPECT_EQ(r.divergence.splits, set ? 6u : 0u);  // each of two wavefronts into two, each of those into two
    EXPECT_EQ(r.divergence.merges, 0u);
  }
  machine_config forced = machine(7, divergence_kind::pws_mode);
  forced.force_mode_split = true;
  EXPECT_EQ(run(forced, body(false), 128, 128).divergence.splits, 6u);
}

// A program that knows nothing of splits and lets its work-items work together is told, unless the check is off.
TEST_P(split_semantics, isolation_is_checked_where_splits_are_forced) {
  const std::string body =
      "  v_mov_b32 v4, 0\n  v_cmp_gt_u32 vcc, 32, v2\n  s_and_saveexec_b64 s[20:21], vcc\n"
      "  s_cbranch_execz skip\n  v_readlane_b32 s50, v4, 40\nskip:\n  s_or_b64 exec, exec, s[20:21]\n" +
      store;
  machine_config m = machine(1, divergence_kind::pws_mode);
  EXPECT_EQ(error_of(m, body), "") << "it does not ask for splits";
  m.force_mode_split = true;
  EXPECT_THAT(error_of(m, body), HasSubstr("reaches the vector registers of work-item 40"));
  m.check.split_isolation = false;
  EXPECT_EQ(error_of(m, body), "");
}

// ---- dws

TEST_P(split_semantics, subdivision_takes_what_is_free) {
  machine_config m = machine(63, divergence_kind::dws);
  m.n_wfc = 3;
  const batch_report r = run(m, all_leaves(0, 0) + store);
  EXPECT_GT(r.divergence.splits, 0u);
  EXPECT_GT(r.divergence.no_context, 0u);  // three contexts: never more than two SWFs at once
  for (uint32_t id = 0; id < 64; ++id) EXPECT_EQ(result(r, id), (100 + id) * (100 + id));
  m.n_wfc = 1;
  EXPECT_EQ(run(m, all_leaves(0, 0) + store).divergence.splits, 0u);
}

// ---- how many units there are

TEST(provisioning, idle_spsimd_units_become_simd_units) {
  machine_config m;
  m.divergence = divergence_kind::pws;
  m.n_simd = 4;
  m.spsimd_per_simd = 3;
  m.reuse_idle_spsimd = true;
  const struct {
    uint32_t used, simds;
  } cases[] = {{0, 16}, {1, 8}, {2, 5}, {3, 4}};  // PWS paper, Eq. 2; its example is |S_B| = 1
  for (const auto& c : cases) {
    m.split_points = c.used;
    EXPECT_EQ(models::provisioned(m).n_simd, c.simds) << c.used;
    EXPECT_EQ(models::provisioned(m).spsimd_per_simd, c.used);
  }
  m.divergence = divergence_kind::none;
  EXPECT_EQ(models::provisioned(m).n_simd, 4u);
}

TEST(provisioning, units_designated_as_spsimd) {
  machine_config m;
  m.divergence = divergence_kind::pws;
  m.n_simd = 16;
  m.spsimd_per_simd = 3;
  m.designate_spsimd = true;
  EXPECT_EQ(models::provisioned(m).n_simd, 4u);  // PWS paper, Fig. 10c: 4 SIMD units and 12 SpSIMD units of 16
}

}  // namespace
}  // namespace pws::test::split_semantics_test
