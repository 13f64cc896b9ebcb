// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/kernel/kernel_bound.h"

#include "base/error.h"
#include "sw/wcet/checked.h"

namespace pws::wcet {

namespace {

uint64_t rounded_up(uint64_t a, uint64_t b) {
  return a / b + (a % b == 0 ? 0 : 1);
}

}  // namespace

uint64_t n_simd_total(uint64_t n_simd, uint64_t s, uint64_t s_b) {
  if (s_b >= s) return n_simd;
  return checked_sum(n_simd, checked_product(s - s_b, n_simd, "N_unused * N_SIMD") / (s_b + 1), "N_SIMD_total");
}

uint64_t e_wf(uint64_t ipet, uint64_t s_b, uint64_t e_s, uint64_t e_m) {
  return checked_sum(ipet, checked_product(s_b, checked_sum(e_s, e_m, "E_WF"), "E_WF"), "E_WF");
}

uint64_t g_parallel(uint64_t n_cu, uint64_t n_simd, uint64_t n_wfc, uint64_t n_wiwf, uint64_t n_wiwg) {
  if (n_wiwg == 0) throw input_error("G_parallel: a workgroup of no work-items (N_WIWG = 0)");
  constexpr const char* pool = "N_CU * N_SIMD_total * N_WFC * N_WIWF";
  return checked_product({n_cu, n_simd, n_wfc, n_wiwf}, pool) / n_wiwg;
}

uint64_t workgroups_of(const std::array<uint32_t, 3>& grid, const std::array<uint32_t, 3>& workgroup) {
  for (const uint32_t n : workgroup)
    if (n == 0) throw input_error("a workgroup of no work-items (N_WIWG = 0)");
  return checked_product(
      {rounded_up(grid[0], workgroup[0]), rounded_up(grid[1], workgroup[1]), rounded_up(grid[2], workgroup[2])},
      "G, the number of workgroups,");
}

uint64_t work_items_of(const std::array<uint32_t, 3>& workgroup) {
  return checked_product({workgroup[0], workgroup[1], workgroup[2]}, "N_WIWG, the work-items of a workgroup,");
}

uint64_t d_s(uint64_t g, uint64_t parallel) {
  if (parallel == 0) throw input_error("D_S: not one workgroup fits on the machine (G_parallel = 0)");
  return rounded_up(g, parallel);
}

uint64_t e_kernel_pws(uint64_t dispatches, uint64_t d, uint64_t wavefront) {
  return checked_product(dispatches, checked_sum(d, wavefront, "E_kernel"), "E_kernel");
}

uint64_t e_kernel_dws(uint64_t dispatches, uint64_t d, uint64_t s, uint64_t wavefront) {
  return e_kernel_pws(dispatches, d, checked_product(checked_sum(s, 1, "E_kernel"), wavefront, "E_kernel"));
}

uint64_t effective_g_parallel(const models::machine_config& machine, const models::workgroup_resources& workgroup) {
  if (workgroup.work_items == 0) throw input_error("a workgroup of no work-items (N_WIWG = 0)");
  return checked_product(machine.n_cu, models::workgroups_per_cu(machine, workgroup), "G_parallel");
}

kernel_bounds bound_kernel(const kernel_bound_inputs& in) {
  if (in.g_parallel && in.reuse_idle_spsimds)
    throw input_error("G_parallel is given, so re-provisioning (Eq. 2) cannot change it");
  const auto dispatch = [&](uint64_t n_simd) {
    kernel_bound b;
    b.n_simd_total = n_simd;
    b.g_parallel = in.g_parallel.value_or(0);
    if (!in.g_parallel) b.g_parallel = g_parallel(in.n_cu, n_simd, in.n_wfc, in.n_wiwf, in.n_wiwg);
    b.d_s = d_s(in.g, b.g_parallel);
    return b;
  };
  kernel_bounds out;
  out.none = dispatch(in.n_simd);
  out.none.e_wf = e_wf(in.ipet_serial, 0, in.e_s, in.e_m);
  out.none.e_kernel = e_kernel_pws(out.none.d_s, in.d, out.none.e_wf);
  out.pws = dispatch(in.reuse_idle_spsimds ? n_simd_total(in.n_simd, in.s, in.s_b) : in.n_simd);
  out.pws.e_wf = e_wf(in.ipet_pruned, in.s_b, in.e_s, in.e_m);
  out.pws.e_kernel = e_kernel_pws(out.pws.d_s, in.d, out.pws.e_wf);
  out.dws = dispatch(in.n_simd);
  out.dws.e_wf = e_wf(in.ipet_serial, in.s, in.e_s, in.e_m);
  out.dws.e_kernel = e_kernel_dws(out.dws.d_s, in.d, in.s, out.dws.e_wf);
  return out;
}

}  // namespace pws::wcet
