// SPDX-License-Identifier: Apache-2.0
// Equations 2 to 8 of the PWS paper, and how many workgroups a machine holds.
#include "sw/wcet/kernel/kernel_bound.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <random>

#include "base/error.h"

namespace pws::wcet::kernel_bound_test {
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

TEST(kernel_bound, effective_g_parallel) {
  const models::machine_config m;  // 4 CUs
  EXPECT_EQ(effective_g_parallel(m, {1024, 4, 16, 0}), 8U) << "Eq. 4 says 10";
  EXPECT_EQ(effective_g_parallel(m, {64, 4, 16, 1700}), 128U) << "32 in a CU, whose LDS is handed out in 512 bytes";
  EXPECT_EQ(effective_g_parallel(m, {64, 257, 16, 0}), 0U);
  EXPECT_THAT(error_of([&] { effective_g_parallel(m, {0, 4, 16, 0}); }), HasSubstr("N_WIWG = 0"));
  std::mt19937_64 random(5);
  const auto below = [&](uint64_t n) { return static_cast<uint32_t>(random() % n); };
  for (int trial = 0; trial < 2000; ++trial) {
    models::machine_config c;
    c.n_cu = 1 + below(4);
    c.n_simd = 1 + below(4);
    c.n_wfc = 1 + below(10);
    const models::workgroup_resources w{1 + below(1024), below(120), below(110), below(20000)};
    EXPECT_LE(effective_g_parallel(c, w), g_parallel(c.n_cu, c.n_simd, c.n_wfc, 64, w.work_items));
  }
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
}  // namespace pws::wcet::kernel_bound_test
