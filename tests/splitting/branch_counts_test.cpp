// SPDX-License-Identifier: Apache-2.0
// How often branches are uniform, as the machine counts it: kernels whose counts are known, in both fidelities.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/splitting/batch_run.h"

namespace pws::test::branch_counts_test {
namespace {

// The kernel's last branch; the first is that of the common beginning.
struct counts {
  uint64_t all = 0, none = 0, divergent = 0, empty = 0;
  bool operator==(const counts& o) const {
    return all == o.all && none == o.none && divergent == o.divergent && empty == o.empty;
  }
};
std::ostream& operator<<(std::ostream& out, const counts& c) {
  return out << fmt::format("{} all, {} none, {} divergent, {} empty", c.all, c.none, c.divergent, c.empty);
}

counts of(const nlohmann::ordered_json& branch) {
  return {branch["all"], branch["none"], branch["divergent"], branch["empty"]};
}

// hash_of(id) is the id.
constexpr uint32_t hash_is_id = 1u << 16;

nlohmann::ordered_json run(const std::string& body, uint32_t work_items, const models::machine_config& machine) {
  assembly_file file;
  file.add_kernel(body);
  batch_launch l;
  l.kernel = "k0";
  l.work_items = work_items;
  l.mul = hash_is_id;
  models::machine_config counting = machine;
  counting.trace.branch_uniformity = true;
  const batch_report r = run_batch(counting, assemble(file.text()), {l});
  EXPECT_EQ(r.launches.front().error, "");
  return nlohmann::ordered_json::parse(r.branches).at(0);
}

models::machine_config functional() {
  models::machine_config m;
  m.fidelity = models::fidelity::functional;
  return m;
}

// In both fidelities, which agree in everything that is counted.
nlohmann::ordered_json run(const std::string& body, uint32_t work_items = 64) {
  const nlohmann::ordered_json timed = run(body, work_items, models::machine_config{});
  EXPECT_EQ(timed, run(body, work_items, functional()));
  EXPECT_EQ(timed["contradictions"]["value"], 0);
  return timed;
}

counts last_of(const std::string& body, uint32_t work_items = 64) {
  return of(run(body, work_items)["each"].back());
}

std::string if_then(const std::string& compare, const std::string& then = "v_mov_b32 v4, 1",
                    const std::string& name = "L0") {
  return fmt::format(
      "  {}\n  s_and_saveexec_b64 s[20:21], vcc\n  s_cbranch_execz {}\n{}\n{}:\n"
      "  s_or_b64 exec, exec, s[20:21]\n",
      compare, name, then, name);
}

TEST(branch_counts, of_an_if) {
  EXPECT_EQ(last_of(if_then("v_cmp_eq_u32 vcc, 5, v1")), (counts{0, 0, 1, 0})) << "one work-item";
  EXPECT_EQ(last_of(if_then("v_cmp_ne_u32 vcc, 5, v1")), (counts{0, 0, 1, 0})) << "all but one";
  EXPECT_EQ(last_of(if_then("v_cmp_gt_u32 vcc, 64, v1")), (counts{1, 0, 0, 0})) << "all";
  EXPECT_EQ(last_of(if_then("v_cmp_lt_u32 vcc, 64, v1")), (counts{0, 1, 0, 0})) << "none";
}

TEST(branch_counts, skips_are_counted_with_their_branch) {
  const auto skipped = run(if_then("v_cmp_lt_u32 vcc, 64, v1"));
  EXPECT_EQ(skipped["each"].size(), 2u) << "no branch of its own";
  EXPECT_EQ(skipped["each"].back()["skipped"], 1);
  EXPECT_EQ(run(if_then("v_cmp_eq_u32 vcc, 5, v1"))["each"].back()["skipped"], 0);
  const std::string without =
      "  v_cmp_lt_u32 vcc, 64, v1\n  s_and_saveexec_b64 s[20:21], vcc\n  v_mov_b32 v4, 1\n"
      "  s_or_b64 exec, exec, s[20:21]\n";
  const auto missing = run(without);
  EXPECT_EQ(of(missing["each"].back()), (counts{0, 1, 0, 0}));
  EXPECT_FALSE(missing["each"].back().contains("skipped"));
}

// Lanes without a work-item take no side.
TEST(branch_counts, of_the_work_items_that_there_are) {
  EXPECT_EQ(last_of(if_then("v_cmp_gt_u32 vcc, 3, v1"), 3), (counts{1, 0, 0, 0}));
  EXPECT_EQ(last_of(if_then("v_cmp_gt_u32 vcc, 3, v1"), 4), (counts{0, 0, 1, 0}));
  EXPECT_EQ(last_of(if_then("v_cmp_eq_u32 vcc, 0, v1"), 1), (counts{1, 0, 0, 0})) << "one work-item alone";
  EXPECT_EQ(last_of(if_then("v_cmp_gt_u32 vcc, 64, v1"), 96), (counts{1, 1, 0, 0})) << "two wavefronts";
  EXPECT_EQ(last_of("  s_mov_b64 vcc, 7\n  s_cbranch_vccnz L1\nL1:\n", 3), (counts{1, 0, 0, 0}));
}

TEST(branch_counts, of_nested_ifs) {
  const std::string inner = if_then("v_cmp_gt_u32 vcc, 8, v1", "v_mov_b32 v5, 1", "L1");
  const auto shifted = [](std::string text) {  // registers of the inner one
    for (size_t at; (at = text.find("s[20:21]")) != std::string::npos;) text.replace(at, 8, "s[22:23]");
    return text;
  };
  EXPECT_EQ(last_of(if_then("v_cmp_gt_u32 vcc, 8, v1", shifted(inner))), (counts{1, 0, 0, 0}));
  EXPECT_EQ(last_of(if_then("v_cmp_gt_u32 vcc, 9, v1", shifted(inner))), (counts{0, 0, 1, 0}));
  EXPECT_EQ(last_of(if_then("v_cmp_eq_u32 vcc, 9, v1", shifted(inner))), (counts{0, 1, 0, 0}));
  EXPECT_EQ(last_of(if_then("v_cmp_eq_u32 vcc, 99, v1", shifted(inner))), (counts{0, 0, 0, 0})) << "jumped over";
}

TEST(branch_counts, on_a_side_that_nobody_takes) {
  const std::string body =
      "  v_cmp_eq_u32 vcc, 99, v1\n  s_and_saveexec_b64 s[20:21], vcc\n"
      "  v_cmp_eq_u32 vcc, 5, v1\n  s_and_saveexec_b64 s[22:23], vcc\n  v_mov_b32 v4, 1\n"
      "  s_or_b64 exec, exec, s[22:23]\n  s_or_b64 exec, exec, s[20:21]\n";
  const auto r = run(body);
  EXPECT_EQ(of(r["each"].back()), (counts{0, 0, 0, 1}));
  EXPECT_EQ(r["each"].back()["executions"], 0);
  EXPECT_NEAR(r["never_executed"]["value"], 1.0 / 3, 1e-9) << "of three branches";
}

// Work-items go round 1 to 4 times.
TEST(branch_counts, of_a_loop) {
  const std::string body =
      "  v_and_b32 v3, 3, v1\n  v_mov_b32 v12, 0\n  s_mov_b64 s[60:61], exec\nL1:\n  v_add_u32 v12, vcc, 1, v12\n"
      "  v_cmp_gt_u32 vcc, v12, v3\n  s_andn2_b64 exec, exec, vcc\n  s_cbranch_execnz L1\n"
      "  s_mov_b64 exec, s[60:61]\n";
  EXPECT_EQ(last_of(body), (counts{0, 1, 3, 0}));
  EXPECT_EQ(last_of(body, 1), (counts{0, 1, 0, 0})) << "work-item 0 goes round once";
}

TEST(branch_counts, of_both_sides_once) {
  const std::string body =
      "  v_cmp_gt_u32 vcc, 8, v1\n  s_and_saveexec_b64 s[20:21], vcc\n  s_xor_b64 s[20:21], exec, s[20:21]\n"
      "  s_cbranch_execz L1\n  v_mov_b32 v4, 1\nL1:\n  s_or_saveexec_b64 s[22:23], s[20:21]\n"
      "  s_xor_b64 exec, exec, s[22:23]\n  s_cbranch_execz L2\n  v_mov_b32 v4, 2\nL2:\n"
      "  s_or_b64 exec, exec, s[22:23]\n";
  const auto r = run(body);
  EXPECT_EQ(r["each"].size(), 2u) << "the common beginning's, and this one";
  EXPECT_EQ(of(r["each"].back()), (counts{0, 0, 1, 0}));
}

TEST(branch_counts, other_ways_to_narrow) {
  const std::string restore = "  s_mov_b64 exec, s[20:21]\n";
  const std::string saved = "  s_mov_b64 s[20:21], exec\n  v_cmp_gt_u32 vcc, 8, v1\n";
  for (const std::string how :
       {"  s_and_b64 exec, exec, vcc\n", "  s_and_b64 exec, vcc, exec\n", "  s_andn2_b64 exec, exec, vcc\n",
        "  v_cmpx_gt_u32 vcc, 8, v1\n", "  s_and_b64 s[22:23], s[20:21], vcc\n  s_mov_b64 exec, s[22:23]\n",
        "  s_and_b64 s[22:23], exec, vcc\n  s_mov_b64 exec, s[22:23]\n"})
    EXPECT_EQ(last_of(saved + how + restore), (counts{0, 0, 1, 0})) << how;
  EXPECT_EQ(run(saved + restore)["each"].size(), 1u) << "restoring EXEC is no branch";
  EXPECT_EQ(run(saved + "  s_mov_b64 exec, vcc\n" + restore)["each"].size(), 1u) << "EXEC from elsewhere is none";
}

TEST(branch_counts, of_scalar_branches) {
  EXPECT_EQ(last_of("  s_cmp_eq_u32 s7, 0\n  s_cbranch_scc1 L1\nL1:\n"), (counts{1, 0, 0, 0}));
  EXPECT_EQ(last_of("  s_cmp_lg_u32 s7, 0\n  s_cbranch_scc1 L1\nL1:\n"), (counts{0, 1, 0, 0}));
  EXPECT_EQ(last_of("  v_cmp_eq_u32 vcc, 5, v1\n  s_cbranch_vccnz L1\nL1:\n"), (counts{0, 0, 1, 0}));
  EXPECT_EQ(last_of("  v_cmp_gt_u32 vcc, 64, v1\n  s_cbranch_vccz L1\nL1:\n"), (counts{1, 0, 0, 0}));
  EXPECT_EQ(last_of("  v_cmp_eq_u32 vcc, 64, v1\n  s_cbranch_vccz L1\nL1:\n"), (counts{0, 1, 0, 0}));
}

// Paths, not wavefronts, are what branches are counted by.
TEST(branch_counts, of_paths_of_one_work_item) {
  models::machine_config mimd = functional();
  mimd.divergence = models::divergence_kind::mimd;
  const auto r = run(if_then("v_cmp_eq_u32 vcc, 5, v1"), 64, mimd);
  EXPECT_EQ(r["divergent"]["value"], 0.0);
}

TEST(branch_counts, of_called_functions) {
  const std::string body =
      "  s_getpc_b64 s[30:31]\n  s_add_u32 s30, s30, f0-.\n  s_addc_u32 s31, s31, 0\n"
      "  s_swappc_b64 s[34:35], s[30:31]\n  s_branch L9\nf0:\n  v_cmp_eq_u32 vcc, 5, v1\n  s_cbranch_vccnz L1\nL1:\n"
      "  s_setpc_b64 s[34:35]\nL9:\n";
  EXPECT_EQ(last_of(body), (counts{0, 0, 1, 0}));
}

// Every scheme that runs split code counts the same: its paths are the sides that `none` runs one after the other.
TEST(branch_counts, of_random_programs_under_every_scheme) {
  using models::divergence_kind;
  assembly_file file;
  std::vector<batch_launch> launches;
  for (uint64_t seed = 0; seed < 12; ++seed) {
    program_options o;
    o.depth = 3;
    file.add_program(seed, o);
    batch_launch l;
    l.kernel = fmt::format("k{}", seed);
    l.work_items = 128;
    l.mul = 0x9e3779b1;
    launches.push_back(l);
    l.mode = 1;  // all work-items take the same sides
    launches.push_back(l);
  }
  const loader::program_image program = assemble(file.text());
  models::machine_config m = functional();
  m.trace.branch_uniformity = true;
  const auto divergent = [](const batch_report& r) {
    uint64_t n = 0;
    for (const auto& k : nlohmann::ordered_json::parse(r.branches)) {
      EXPECT_EQ(k["contradictions"]["value"], 0);
      for (const auto& b : k["each"]) n += b["divergent"].get<uint64_t>();
    }
    return n;
  };
  const batch_report plain = run_batch(m, program, launches);
  EXPECT_EQ(nlohmann::ordered_json::parse(plain.branches).size(), 12u);
  EXPECT_GT(divergent(plain), 0u);
  models::machine_config timed = m;
  timed.fidelity = models::fidelity::timing;
  EXPECT_EQ(run_batch(timed, program, launches).branches, plain.branches);
  for (const auto scheme : {divergence_kind::pws, divergence_kind::stack, divergence_kind::dpe,
                            divergence_kind::subwarps, divergence_kind::convergence}) {
    models::machine_config c = m;
    c.divergence = scheme;
    if (scheme == divergence_kind::pws) c.spsimd_per_simd = 8;
    EXPECT_EQ(divergent(run_batch(c, program, launches)), divergent(plain)) << models::traits_of(scheme).name;
  }
}

}  // namespace
}  // namespace pws::test::branch_counts_test
