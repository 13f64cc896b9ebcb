// SPDX-License-Identifier: Apache-2.0
// Pieces in which GCN3 hands out registers and LDS. What is left over of the last piece nobody else can have.
//
// Sources: LLVM AMDGPU backend. gfx8 allocates VGPRs in fours and SGPRs in sixteens (getVGPRAllocGranule,
// getSGPRAllocGranule; descriptors count SGPRs in eights all the same); GFX7 to GFX10 count a workgroup's LDS in 128
// dwords (user guide, "compute_pgm_rsrc2", GRANULATED_LDS_SIZE).
#pragma once

#include <cstdint>

namespace pws::isa {

constexpr uint32_t vgpr_granule = 4;
constexpr uint32_t sgpr_granule = 16;
constexpr uint32_t lds_granule = 512;  // bytes

// Granules that `count` takes.
template <class T>
constexpr T granules_of(T count, uint32_t granule) {
  return count / granule + (count % granule == 0 ? 0 : 1);
}
// What is taken when `count` is asked for.
template <class T>
constexpr T granted(T count, uint32_t granule) {
  return granules_of(count, granule) * granule;
}

}  // namespace pws::isa
