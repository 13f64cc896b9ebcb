// SPDX-License-Identifier: Apache-2.0
// Bits of storage that a divergence scheme adds to a machine without one, by what they are for. Each scheme says them
// in its own file (storage_of_KIND, divergence_scheme.h). A wavefront without a scheme has one PC, one execute mask,
// one set of scalar registers, one scoreboard with its counters and one instruction buffer.
#pragma once

#include <cstdint>

#include "models/machine/ids.h"
#include "models/machine/machine_config.h"

namespace pws::models {

struct scheme_storage {
  // For a wavefront
  uint64_t paths = 0;        // PCs, masks and stacks of its paths, and what else says where they are
  uint64_t scoreboards = 0;  // results and s_waitcnt counters of further paths, and shadow bits
  uint64_t buffers = 0;      // instruction buffers of further paths
  uint64_t scalars = 0;      // scalar registers of further paths
  // For a SIMD unit, shared by all of its wavefronts
  uint64_t unit = 0;

  uint64_t per_wavefront() const { return paths + scoreboards + buffers + scalars; }
  uint64_t per_simd(const machine_config& c) const { return c.n_wfc * per_wavefront() + unit; }
};

// So many further paths that each have a context: PC, split mask, scoreboard, buffer and scalar registers.
scheme_storage storage_of_contexts(const machine_config& c, uint64_t paths);
// What predictable wavefront splitting adds to a context (PWS paper, Fig. 4): split mask, parent register, and a child
// stack of `splits` entries with its depth. `units`: SpSIMDIDs that there are.
uint64_t bits_of_split_registers(uint64_t units, uint64_t splits);

}  // namespace pws::models
