// SPDX-License-Identifier: Apache-2.0
// The thesis's kernel WCET from times of each wavefront slot and each of its splits (T 5.3, Eq. 5.1 and 5.3 to 5.5).
// Times are cycles. What does not fit in 64 bits, and what divides by zero, is an input_error that names the symbol.
#pragma once

#include <cstdint>
#include <vector>

namespace pws::wcet {

struct hybrid_inputs {
  uint64_t w = 0;      // W: wavefront slots of the GPU
  uint64_t t_wf = 64;  // T_WF: work-items of a wavefront
  uint64_t t_wg = 0;   // T_WG: work-items of a workgroup
  uint64_t g = 0;      // G: workgroups of the launch

  // Split j of a slot; the launch wavefront is j = 0.
  struct split_time {
    uint64_t delta = 0;  // delta_i^j: from the start of the batch to the first instruction
    uint64_t l_w = 0;    // L_w_i^j: WCET of the slot's part of the kernel
  };
  // By i and j. Slots that run nothing are left out, and so are splits that are not made: at most W slots, with at
  // most S + 1 times each, S being the longest's.
  std::vector<std::vector<split_time>> slots;
};

// Eq. 5.1, B: batches that workgroups run in, ceil(G / floor(W * T_WF / T_WG)).
uint64_t batches(const hybrid_inputs& in);

// Eq. 5.3, L + D: the largest delta_i^j + L_w_i^j. The sum is made first, as a late split has less left to do.
uint64_t l_plus_d(const hybrid_inputs& in);

// Eq. 5.4, L_kernel: B * max(delta_i^j + L_w_i^j), where splits run in parallel.
uint64_t l_kernel(const hybrid_inputs& in);

// Eq. 5.5, L_kernel where they need not: B * max(delta_i^j + sum of the L_w_i^j of the slot's splits).
uint64_t l_kernel_serialised(const hybrid_inputs& in);

}  // namespace pws::wcet
