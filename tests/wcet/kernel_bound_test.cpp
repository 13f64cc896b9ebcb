// Equations 2 to 8 of the PWS paper, and what fits in a compute unit.
#include "sw/wcet/kernel_bound.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <random>

#include "base/error.h"
#include "models/context/range_allocator.h"

namespace pws::wcet {
namespace {

using ::testing::HasSubstr;

constexpr uint64_t most = std::numeric_limits<uint64_t>::max();

std::string error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const input_error& e) {
    return e.what();
  }
  return "no error";
}

TEST(kernel_bound, equation_2) {
  EXPECT_EQ(n_simd_total(4, 3, 1), 8U) << "the paper's example";
  EXPECT_EQ(n_simd_total(4, 3, 0), 16U);
  EXPECT_EQ(n_simd_total(4, 3, 2), 4 + 4 / 3U);
  EXPECT_EQ(n_simd_total(4, 3, 3), 4U);
  EXPECT_EQ(n_simd_total(4, 2, 3), 4U) << "three split branches can do with two SWF contexts";
  EXPECT_EQ(n_simd_total(0, 3, 1), 0U);
  EXPECT_EQ(n_simd_total(4, 0, 0), 4U);
  EXPECT_THAT(error_of([] { n_simd_total(most, 3, 1); }), HasSubstr("N_SIMD"));
  // Units are used for something else, not made: SIMD units and theirs together are not more than before.
  for (uint64_t s = 0; s < 8; ++s)
    for (uint64_t s_b = 0; s_b <= s; ++s_b) EXPECT_LE(n_simd_total(4, s, s_b) * (s_b + 1), 4 * (s + 1));
}

TEST(kernel_bound, equation_3) {
  EXPECT_EQ(e_wf(42, 3, 1, 1), 48U);
  EXPECT_EQ(e_wf(42, 0, most, 0), 42U);
  EXPECT_EQ(e_wf(0, 0, 0, 0), 0U);
  EXPECT_THAT(error_of([] { e_wf(most, 1, 1, 0); }), HasSubstr("E_WF"));
  EXPECT_THAT(error_of([] { e_wf(0, 1, most, 1); }), HasSubstr("E_WF"));
  EXPECT_THAT(error_of([] { e_wf(0, 2, most / 2, 1); }), HasSubstr("E_WF"));
}

TEST(kernel_bound, equations_4_and_5) {
  EXPECT_EQ(g_parallel(4, 4, 10, 64, 256), 40U);
  EXPECT_EQ(g_parallel(4, 4, 10, 64, 1024), 10U);
  EXPECT_EQ(g_parallel(4, 4, 10, 64, 300), 34U) << "10240 / 300, rounded down";
  EXPECT_EQ(g_parallel(1, 1, 1, 64, 65), 0U);
  EXPECT_THAT(error_of([] { g_parallel(4, 4, 10, 64, 0); }), HasSubstr("N_WIWG = 0"));
  EXPECT_THAT(error_of([] { g_parallel(most, 2, 1, 1, 1); }), HasSubstr("N_CU"));
  EXPECT_EQ(d_s(40, 40), 1U);
  EXPECT_EQ(d_s(41, 40), 2U);
  EXPECT_EQ(d_s(0, 40), 0U);
  EXPECT_EQ(d_s(most, 1), most);
  EXPECT_EQ(d_s(most, 2), most / 2 + 1) << "no wrap-around";
  EXPECT_THAT(error_of([] { d_s(1, 0); }), HasSubstr("G_parallel = 0"));
}

TEST(kernel_bound, equations_6_and_8) {
  EXPECT_EQ(e_kernel_pws(3, 5, 100), 315U);
  EXPECT_EQ(e_kernel_dws(3, 5, 2, 100), 3 * (5 + 3 * 100U));
  EXPECT_EQ(e_kernel_dws(3, 5, 0, 100), e_kernel_pws(3, 5, 100)) << "S = 0 is no splitting";
  EXPECT_EQ(e_kernel_pws(0, 5, 100), 0U);
  for (const auto& call : std::vector<std::function<void()>>{
           [] { e_kernel_pws(2, 0, most); }, [] { e_kernel_pws(1, 1, most); }, [] { e_kernel_dws(1, 0, most, 1); },
           [] { e_kernel_dws(1, 0, 1, most); }, [] { e_kernel_dws(2, 0, 0, most); }})
    EXPECT_THAT(error_of(call), HasSubstr("E_kernel"));
}

TEST(kernel_bound, workgroups_in_a_cu) {
  const cu_shape cu;  // 4 SIMD units of 10 contexts, 256 VGPRs, 800 SGPRs; 64 KiB
  const auto fit = [&](uint64_t work_items, uint64_t vgprs, uint64_t sgprs, uint64_t lds) {
    return workgroups_per_cu(cu, {work_items, vgprs, sgprs, lds});
  };
  EXPECT_EQ(fit(64, 4, 16, 0), 40U);
  EXPECT_EQ(fit(1, 4, 16, 0), 40U) << "a context each, however few work-items";
  EXPECT_EQ(fit(65, 4, 16, 0), 20U);
  EXPECT_EQ(fit(1024, 4, 16, 0), 2U) << "16 of 40 contexts";
  EXPECT_EQ(fit(64, 25, 16, 0), 36U) << "28 VGPRs, 9 times";
  EXPECT_EQ(fit(64, 24, 16, 0), 40U);
  EXPECT_EQ(fit(64, 129, 16, 0), 4U);
  EXPECT_EQ(fit(64, 257, 16, 0), 0U);
  EXPECT_EQ(fit(64, 4, 102, 0), 28U) << "112 SGPRs, 7 times";
  EXPECT_EQ(fit(64, 0, 0, 0), 40U);
  EXPECT_EQ(fit(64, 4, 16, 1), 40U);
  EXPECT_EQ(fit(64, 4, 16, 2049), 25U) << "2560 bytes each";
  EXPECT_EQ(fit(64, 4, 16, 65536), 1U);
  EXPECT_EQ(fit(64, 4, 16, 65537), 0U);
  EXPECT_EQ(fit(most, 4, 16, 0), 0U);
  EXPECT_EQ(fit(64, most, 16, 0), 0U);
  EXPECT_THAT(error_of([&] { fit(0, 4, 16, 0); }), HasSubstr("N_WIWG = 0"));
  EXPECT_EQ(effective_g_parallel(4, cu, {1024, 4, 16, 0}), 8U) << "Eq. 4 says 10";
}

// Against allocators as a compute unit has them, filled wavefront by wavefront.
TEST(kernel_bound, workgroups_in_a_cu_by_trial) {
  std::mt19937_64 random(5);
  const auto below = [&](uint64_t n) { return random() % n; };
  uint64_t full = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const cu_shape cu = {1 + below(4), 1 + below(10), 4 * (1 + below(64)), 16 * below(60) + below(16),
                         512 * below(129)};
    const kernel_shape k = {1 + below(1024), below(120), below(110), below(3) == 0 ? 0 : below(20000)};
    std::vector<models::range_allocator> vgprs(cu.n_simd, {static_cast<uint32_t>(cu.vgprs_per_simd), 4});
    std::vector<models::range_allocator> sgprs(cu.n_simd, {static_cast<uint32_t>(cu.sgprs_per_simd), 16});
    std::vector<uint64_t> contexts(cu.n_simd, cu.n_wfc);
    models::range_allocator lds(static_cast<uint32_t>(cu.lds_bytes), 512);
    const auto place = [&] {
      for (size_t s = 0; s < cu.n_simd; ++s) {
        if (contexts[s] == 0) continue;
        models::range_allocator v = vgprs[s], g = sgprs[s];
        if (!v.allocate(static_cast<uint32_t>(k.vgprs)) || !g.allocate(static_cast<uint32_t>(k.sgprs))) continue;
        vgprs[s] = v;
        sgprs[s] = g;
        --contexts[s];
        return true;
      }
      return false;
    };
    uint64_t groups = 0;
    for (bool fits = true; fits;) {
      fits = lds.allocate(static_cast<uint32_t>(k.lds_bytes)).has_value();
      for (uint64_t w = 0; fits && w < (k.work_items + 63) / 64; ++w) fits = place();
      groups += fits ? 1 : 0;
    }
    EXPECT_EQ(workgroups_per_cu(cu, k), groups);
    EXPECT_LE(effective_g_parallel(3, cu, k), g_parallel(3, cu.n_simd, cu.n_wfc, 64, k.work_items));
    full += groups > 1 ? 1 : 0;
  }
  EXPECT_GT(full, 200U);
}

TEST(kernel_bound, all_three_schemes) {
  kernel_bound_inputs in;
  in.s = 3;
  in.e_s = 2;
  in.e_m = 3;
  in.g = 1000;
  in.n_wiwg = 256;
  in.d = 7;
  in.ipet_serial = 500;
  in.ipet_pruned = 300;
  in.s_b = 1;
  kernel_bounds b = bound_kernel(in);
  EXPECT_EQ(b.none.e_kernel, 25 * (7 + 500U));
  EXPECT_EQ(b.pws.e_kernel, 25 * (7 + 300 + 5U));
  EXPECT_EQ(b.dws.e_kernel, 25 * (7 + 4 * (500 + 15U)));
  in.reuse_idle_spsimds = true;
  b = bound_kernel(in);
  EXPECT_EQ(b.pws.n_simd_total, 8U);
  EXPECT_EQ(b.pws.g_parallel, 80U);
  EXPECT_EQ(b.pws.e_kernel, 13 * (7 + 300 + 5U));
  EXPECT_EQ(b.none.d_s, 25U) << "only PWS's idle units are reused";
  EXPECT_EQ(b.dws.d_s, 25U);
  in.g_parallel = 10;
  EXPECT_THAT(error_of([&] { bound_kernel(in); }), HasSubstr("G_parallel"));
  in.reuse_idle_spsimds = false;
  EXPECT_EQ(bound_kernel(in).dws.d_s, 100U);
  in.g_parallel = 0;
  EXPECT_THAT(error_of([&] { bound_kernel(in); }), HasSubstr("G_parallel = 0"));
  in.g_parallel.reset();
  in.n_wiwg = 100000;
  EXPECT_THAT(error_of([&] { bound_kernel(in); }), HasSubstr("G_parallel = 0"));
}

}  // namespace
}  // namespace pws::wcet
