// SPDX-License-Identifier: Apache-2.0
// Bounds of launches whose arguments decide what wavefronts do: held against runs, of every shape of launch that ends
// in the middle of something. Each kernel's usual launch has a limit for bound / observed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "platform/run/program/machine_timing.h"
#include "tests/wcet/bounded_launches.h"
#include "tests/wcet/random_bounds.h"

namespace pws::test::known_launches_test {
namespace {

using models::divergence_kind;

struct known_kernel {
  std::string name;
  uint32_t n = 0, m = 0;
  double limit = 1.3;
};

const std::vector<known_kernel> kernels = {
    {"branch_on_argument", 100},    {"count_from_argument", 7},
    {"many_iterations", 130},       {"two_pointers", 21, 3},
    {"neighbours", 512, 70},        {"mirrored", 37, 20},
    {"rows_and_columns", 24},       {"triangle_of_loads", 12, 0, 1.8},
    {"leave_one_by_one", 64, 0, 2}, {"with_data", 40, 3, 30},
    {"with_barriers", 16},          {"walk_along_rims", 37, 7},
    {"fewer_each_time", 20},        {"nest_of_three", 12},
};

loader::program_image known_program(pwscc::split_choice split, uint32_t s) {
  return compile_hip(PWS_SOURCE_DIR "/tests/wcet/known_launches.hip", {"-O3", split, s});
}

bounded_launch launch_of(const known_kernel& k, uint32_t work_items, uint32_t workgroup) {
  bounded_launch l;
  l.kernel = k.name;
  l.n = k.n;
  l.m = k.m;
  l.work_items = work_items;
  l.workgroup = workgroup;
  return l;
}

TEST(known_launches, are_bounded_closely) {
  std::vector<bounded_launch> launches;
  for (const known_kernel& k : kernels) launches.push_back(launch_of(k, 512, 256));
  const auto results = bound_and_run(predictable({1, 2, 4, 16}), known_program(pwscc::split_choice::none, 0), launches);
  ASSERT_EQ(results.size(), kernels.size());
  for (size_t k = 0; k < results.size(); ++k) {
    const bounded_result& r = results[k];
    ASSERT_EQ(r.error + r.refusal, "") << kernels[k].name;
    const double ratio = static_cast<double>(r.bound) / static_cast<double>(r.observed);
    fmt::print("{:<24} {:>10} {:>10} {:>8.3f}\n", kernels[k].name, r.bound, r.observed, ratio);
    EXPECT_GE(r.bound, r.observed) << kernels[k].name;
    EXPECT_LE(ratio, kernels[k].limit) << kernels[k].name;
  }
}

// So much work that the iterations of the innermost loop are not told apart, of the others they are: 52 * 53 / 2 times
// the inner mark and not 64 * 64 times.
TEST(known_launches, of_a_nest_the_outer_loops_are_followed) {
  const bounded_result r = bound_and_run(predictable({1, 2, 4, 16}), known_program(pwscc::split_choice::none, 0),
                                         {launch_of({"nest_of_three", 40}, 512, 256)})
                               .at(0);
  ASSERT_EQ(r.error + r.refusal, "");
  const double ratio = static_cast<double>(r.bound) / static_cast<double>(r.observed);
  EXPECT_GE(r.bound, r.observed);
  EXPECT_GT(ratio, 1.5) << "they have been told apart: take more of them";
  EXPECT_LE(ratio, 3);
}

// What a loop carries stays known where it is computed in the parts of split wavefronts, of which some work-items take
// part in nothing.
TEST(known_launches, are_bounded_closely_in_parts) {
  const auto k =
      std::find_if(kernels.begin(), kernels.end(), [](const auto& x) { return x.name == "walk_along_rims"; });
  ASSERT_NE(k, kernels.end());
  for (const uint32_t s : {1u, 3u, 7u}) {
    const bounded_result r = bound_and_run(predictable({1, 2, 4, 16, divergence_kind::pws, s}),
                                           known_program(pwscc::split_choice::all, s), {launch_of(*k, 512, 256)})
                                 .at(0);
    ASSERT_EQ(r.error + r.refusal, "") << s;
    const double ratio = static_cast<double>(r.bound) / static_cast<double>(r.observed);
    fmt::print("{:<24} {:>10} {:>10} {:>8.3f}  S = {}\n", k->name, r.bound, r.observed, ratio, s);
    EXPECT_GE(r.bound, r.observed) << s;
    EXPECT_LE(ratio, k->limit) << s;
  }
}

// One work-item, wavefronts and workgroups that are not full, arguments at the ends of what there is; more wavefronts
// than are followed one by one; and code that splits.
TEST(known_launches, keep_their_bounds_in_every_shape) {
  struct way {
    divergence_kind scheme = divergence_kind::none;
    pwscc::split_choice split = pwscc::split_choice::none;
    uint32_t s = 0;
  };
  const way ways[] = {{}, {divergence_kind::pws, pwscc::split_choice::all, 1}};
  for (const way& w : ways) {
    std::vector<bounded_launch> launches;
    for (const known_kernel& k : kernels) {
      for (const auto& [items, group] :
           {std::pair{1u, 1u}, {63u, 64u}, {65u, 64u}, {100u, 256u}, {257u, 256u}, {320u, 192u}, {1000u, 250u}})
        launches.push_back(launch_of(k, items, group));
      for (const uint32_t n : {1u, 2u, 63u, 64u, 65u, 66u}) {
        if (n > k.n) continue;  // of loops with marks
        launches.push_back(launch_of(k, 200, 128));
        launches.back().n = n;
      }
      if (k.name == "mirrored" || k.name == "neighbours") {
        launches.push_back(launch_of(k, 130, 64));
        launches.back().m = 0;
        launches.push_back(launch_of(k, 130, 64));
        launches.back().m = 0xffffffff;
      }
    }
    const auto results =
        bound_and_run(predictable({1, 2, 4, 16, w.scheme, w.s}), known_program(w.split, w.s), launches);
    ASSERT_EQ(results.size(), launches.size());
    for (size_t k = 0; k < results.size(); ++k) {
      const std::string what =
          fmt::format("{} n {} m {}, {} work-items in {}, S = {}", launches[k].kernel, launches[k].n, launches[k].m,
                      launches[k].work_items, launches[k].workgroup, w.s);
      EXPECT_EQ(results[k].error + results[k].refusal, "") << what;
      EXPECT_GE(results[k].bound, results[k].observed) << what;
    }
  }
}

// A way to the end, past the barrier. Whether a wavefront takes it is its own choice as the branch goes; with 4096 it
// is nobody's in this launch.
TEST(known_launches, wavefronts_that_may_leave_before_a_barrier) {
  for (const uint32_t stay : {64u, 4096u}) {
    std::string body = fmt::format(
        "  v_cmp_gt_u32 vcc, {:#x}, v0\n  s_cbranch_vccz .Lleaves\n  s_barrier\n  s_branch .Lends\n"
        ".Lleaves:\n  s_cmp_eq_u32 s7, 0\n  s_cbranch_scc1 .Lends\n",
        stay);
    for (unsigned k = 0; k < 2000; ++k) body += "  v_add_u32 v6, vcc, v6, v7\n";
    body += ".Lends:\n";
    assembly_file file;
    file.add_kernel(body);
    const loader::program_image program = assemble(file.text());
    const models::machine_config machine = predictable({1, 2, 4, 16});
    for (const uint32_t workgroup : {128u, 256u}) {
      batch_launch launch;
      launch.kernel = "k0";
      launch.work_items = 512;
      launch.workgroup = workgroup;
      launch.value = 1;
      const batch_report report = run_batch(machine, program, {launch});
      ASSERT_EQ(report.launches.front().error, "");
      const platform::scheme_bound bound = bound_of(program, "k0", machine, platform::timing_of(machine), launch);
      EXPECT_GE(bound.e_kernel, report.launches.front().cycles);
      EXPECT_EQ(bound.wavefront.barriers.ends.empty(), stay == 4096) << workgroup;
    }
  }
}

}  // namespace
}  // namespace pws::test::known_launches_test
