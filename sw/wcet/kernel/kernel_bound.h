// SPDX-License-Identifier: Apache-2.0
// From the WCET of a wavefront to that of a kernel: the equations of the PWS paper's sections 4.2 and 5, by their
// numbers. Times are cycles. What does not fit in 64 bits, and what divides by zero, is an input_error that names the
// symbol.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "models/machine/occupancy.h"

namespace pws::wcet {

// Eq. 2, N_SIMD_total: SIMD units of a CU when idle SpSIMD units run wavefronts too.
//     N_SIMD + floor(N_unused * N_SIMD / (|S_B| + 1)),  N_unused = S - |S_B|
// `n_simd`: N_SIMD, per CU. `s`: S, SpSIMD units per SIMD unit. `s_b`: |S_B|, of which each SIMD unit keeps as many
// SpSIMD units. Several branches can use one SpSIMD unit one after the other, so |S_B| can be above S: none is idle.
uint64_t n_simd_total(uint64_t n_simd, uint64_t s, uint64_t s_b);

// Eq. 3, E_WF: WCET of one wavefront.
//     IPET(C_out) + |S_B| * (e_s + e_m)
// `ipet`: the longest path of the pruned graph. `s_b`: split branches, with loops unrolled. `e_s`, `e_m`: of a split,
// a merge.
uint64_t e_wf(uint64_t ipet, uint64_t s_b, uint64_t e_s, uint64_t e_m);

// Eq. 4, G_parallel: workgroups that run at the same time.
//     floor(N_CU * N_SIMD_total * N_WFC * N_WIWF / N_WIWG)
// `n_wfc`: WF contexts per SIMD unit. `n_wiwf`, `n_wiwg`: work-items of a wavefront and of a workgroup. As printed: the
// GPU is one pool of work-items. On a machine, fewer fit (see effective_g_parallel).
uint64_t g_parallel(uint64_t n_cu, uint64_t n_simd, uint64_t n_wfc, uint64_t n_wiwf, uint64_t n_wiwg);

// G and N_WIWG of a launch, whose sizes are work-items. The workgroups at the grid's edge, which may be smaller, count.
uint64_t workgroups_of(const std::array<uint32_t, 3>& grid, const std::array<uint32_t, 3>& workgroup);
uint64_t work_items_of(const std::array<uint32_t, 3>& workgroup);

// Eq. 5, D_S: times that a set of workgroups is dispatched, ceil(G / G_parallel). `g`: G, workgroups of the launch.
uint64_t d_s(uint64_t g, uint64_t g_parallel);

// Eq. 6, E_kernel with PWS: D_S * (d + E_WF). `d`: from a workgroup's dispatch to its first instruction. Without
// splitting it is the same, with an E_WF for which S = 0.
uint64_t e_kernel_pws(uint64_t d_s, uint64_t d, uint64_t e_wf);

// Eq. 8, E_kernel with DWS, where SWFs may run one after the other: D_S * (d + (S + 1) * E_WF).
uint64_t e_kernel_dws(uint64_t d_s, uint64_t d, uint64_t s, uint64_t e_wf);

// G_parallel that a machine (as provisioned) keeps: N_CU * workgroups_per_cu. Eq. 4 lets workgroups straddle CUs and
// contexts, and has no registers or LDS to run out of; with it, D_S can be too small and E_kernel no bound. This is
// never above Eq. 4. 0: not one workgroup fits.
uint64_t effective_g_parallel(const models::machine_config& machine, const models::workgroup_resources& workgroup);

struct kernel_bound_inputs {
  // Machine.
  uint64_t n_cu = 4, n_simd = 4, n_wfc = 10, n_wiwf = 64;
  uint64_t s = 0;  // S
  uint64_t e_s = 0, e_m = 0;
  bool reuse_idle_spsimds = false;  // Eq. 2, for PWS
  // Launch.
  uint64_t g = 1, n_wiwg = 64;
  uint64_t d = 0;
  // G_parallel of every scheme, if it is known better than by Eq. 4. Not together with reuse_idle_spsimds.
  std::optional<uint64_t> g_parallel;
  // Code.
  uint64_t ipet_serial = 0;  // IPET(C): all sides one after the other
  uint64_t ipet_pruned = 0;  // IPET(C_out)
  uint64_t s_b = 0;          // |S_B| of Select
};

struct kernel_bound {
  uint64_t n_simd_total = 0, g_parallel = 0, d_s = 0;
  uint64_t e_wf = 0, e_kernel = 0;
};

// Lemmas 5.5 and 5.7. No splitting is S = 0. DWS may split at any S branches, so its E_WF has C for C_out and S for
// |S_B| (paper 7.1); and as its SWFs use the wavefronts' own units, nothing is re-provisioned.
struct kernel_bounds {
  kernel_bound none, pws, dws;
};
kernel_bounds bound_kernel(const kernel_bound_inputs& in);

}  // namespace pws::wcet
