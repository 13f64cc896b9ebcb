// SPDX-License-Identifier: Apache-2.0
// Which of a compute unit's vector units run wavefronts and which are reserved for SWFs.
#pragma once

#include "models/machine/machine_config.h"

namespace pws::models {

// The machine that is built for `c`: designate_spsimd and reuse_idle_spsimd turned into numbers of units.
//
// designate_spsimd: of n_simd units n_simd / (S + 1) are SIMD units, the rest their SpSIMD units (PWS paper, Fig. 10c).
// reuse_idle_spsimd: a kernel that needs |S_B| < S SWFs of each wavefront leaves N_unused = S - |S_B| SpSIMD units per
// SIMD unit idle; they become SIMD units with |S_B| SpSIMD units each (PWS paper, Eq. 2):
//     N_SIMD_total = N_SIMD + floor(N_unused * N_SIMD / (|S_B| + 1))
// Each of them has vector registers like any SIMD unit.
machine_config provisioned(machine_config c);

}  // namespace pws::models
