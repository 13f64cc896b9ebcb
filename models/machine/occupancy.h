// What a compute unit holds at a time: wavefront contexts, and the workgroups that registers and LDS are enough for.
//
// The machine itself does not compute this: compute_unit::fits tries its allocators. HIP's occupancy and G_parallel of
// the bounds (sw/wcet/kernel/kernel_bound.h) do, and rely on both being the same.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "models/isa/allocation.h"
#include "models/isa/wave_state.h"
#include "models/machine/machine_config.h"

namespace pws::models {

// Work-items of a workgroup, at most (LLVM AMDGPU backend, getMaxFlatWorkGroupSize).
constexpr uint32_t most_work_items = 1024;

// A wavefront that has only few work-items is one all the same.
constexpr uint64_t wavefronts_of(uint64_t work_items) {
  return work_items / isa::wave_size + (work_items % isa::wave_size == 0 ? 0 : 1);
}

// Contexts of a SIMD unit for each wavefront that it can have.
inline uint32_t contexts_per_wavefront(const machine_config& c) {
  switch (traits_of(c.divergence).contexts) {
    case swf_contexts::second_slots:
      return 2;
    case swf_contexts::further_contexts:
    case swf_contexts::formed_warps:
      return isa::wave_size;
    default:
      return 1;
  }
}
// Contexts of a SIMD or SpSIMD unit.
constexpr uint32_t most_contexts_per_unit = 4096;
inline uint32_t contexts_per_unit(const machine_config& c) {
  return c.n_wfc * contexts_per_wavefront(c);
}

// Wavefront contexts of SIMD units: those that workgroups go to, that have a slice of scratch memory each, and a place
// among those that take turns. SWF contexts of SpSIMD units are not among them.
inline uint32_t contexts_of_cu(const machine_config& c) {
  return c.n_simd * c.n_wfc;
}
inline uint64_t contexts_of_machine(const machine_config& c) {
  return uint64_t{c.n_cu} * contexts_of_cu(c);
}

struct workgroup_resources {
  uint64_t work_items = 64;
  uint64_t vgprs = 4;      // of each wavefront
  uint64_t sgprs = 16;     // of each wavefront
  uint64_t lds_bytes = 0;  // static and dynamic
};

// Of `have`, how many times `need`: what is left over of the last granule cannot be had.
constexpr uint64_t times_in(uint64_t have, uint64_t need, uint32_t granule) {
  return need == 0 ? std::numeric_limits<uint64_t>::max() : have / granule / isa::granules_of(need, granule);
}

// Wavefronts of such a workgroup in an empty SIMD unit.
inline uint64_t wavefronts_per_simd(const machine_config& c, const workgroup_resources& w) {
  return std::min({uint64_t{c.n_wfc}, times_in(c.vgprs_per_simd, w.vgprs, isa::vgpr_granule),
                   times_in(c.sgprs_per_simd, w.sgprs, isa::sgpr_granule)});
}

// Such workgroups in an empty compute unit; 0: it does not hold one. A workgroup's wavefronts may lie in its SIMD units
// in any way, and all are equal: so nothing is lost between them. `c`: as provisioned. Divergence scheme dws takes
// contexts and scalar registers for SWFs from the same SIMD units: while a wavefront is split fewer may fit.
inline uint64_t workgroups_per_cu(const machine_config& c, const workgroup_resources& w) {
  if (w.work_items == 0) return 0;
  const uint64_t by_wavefronts = wavefronts_per_simd(c, w) * c.n_simd / wavefronts_of(w.work_items);
  return std::min(by_wavefronts, times_in(uint64_t{c.lds.size_kib} * 1024, w.lds_bytes, isa::lds_granule));
}

}  // namespace pws::models
