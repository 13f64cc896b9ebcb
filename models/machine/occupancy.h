// SPDX-License-Identifier: Apache-2.0
// What a compute unit holds at a time: wavefront contexts, and the workgroups that registers and LDS are enough for.
//
// The machine itself does not compute this: compute_unit::fits tries its allocators. HIP's occupancy and G_parallel of
// the bounds (sw/wcet/kernel/kernel_bound.h) do, and rely on both being the same.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>

#include "base/enum_names.h"
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
    case swf_contexts::contexts_in_turn:
    case swf_contexts::formed_warps:
      return isa::wave_size;
    default:
      return 1;
  }
}
// Contexts of a SIMD or SpSIMD unit.
constexpr uint32_t most_contexts_per_unit = 4096;
// Contexts of a SIMD unit of this machine.
inline uint32_t contexts_per_unit(const machine_config& c) {
  return c.n_wfc * contexts_per_wavefront(c);
}

// Wavefront contexts of SIMD units: those that workgroups go to, that have a slice of scratch memory each, and a place
// among those that take turns. SWF contexts of SpSIMD units are not among them.
inline uint32_t contexts_of_cu(const machine_config& c) {
  return c.n_simd * c.n_wfc;
}
// Wavefront contexts of all compute units.
inline uint64_t contexts_of_machine(const machine_config& c) {
  return uint64_t{c.n_cu} * contexts_of_cu(c);
}

// What a workgroup takes.
struct workgroup_resources {
  uint64_t work_items = 64;
  uint64_t vgprs = 4;      // of each wavefront
  uint64_t sgprs = 16;     // of each wavefront
  uint64_t lds_bytes = 0;  // static and dynamic
};

// How often `need` fits in `have`, if each is given out in whole granules.
constexpr uint64_t times_in(uint64_t have, uint64_t need, uint32_t granule) {
  return need == 0 ? std::numeric_limits<uint64_t>::max() : have / granule / isa::granules_of(need, granule);
}

// Wavefronts of such a workgroup in an empty SIMD unit.
inline uint64_t wavefronts_per_simd(const machine_config& c, const workgroup_resources& w) {
  return std::min({uint64_t{c.n_wfc}, times_in(c.vgprs_per_simd, w.vgprs, isa::vgpr_granule),
                   times_in(c.sgprs_per_simd, w.sgprs, isa::sgpr_granule)});
}

// What a compute unit can run out of when it takes workgroups.
enum class cu_resource : uint8_t { contexts, vgprs, sgprs, lds };
constexpr auto enumerators(cu_resource) {
  using e = cu_resource;
  return std::array{named{e::contexts, "contexts"}, named{e::vgprs, "vgprs"}, named{e::sgprs, "sgprs"},
                    named{e::lds, "lds"}};
}

// Such workgroups in an empty compute unit. A workgroup's wavefronts may lie in its SIMD units in any way, and all are
// equal: so nothing is lost between them. Divergence scheme dws takes contexts and scalar registers for SWFs from the
// same SIMD units: while a wavefront is split fewer may fit.
struct occupancy {
  static constexpr uint64_t any_number = std::numeric_limits<uint64_t>::max();

  std::array<uint64_t, 4> allowed{};  // workgroups that each resource is enough for, were there enough of the others
  uint64_t workgroups = 0;            // 0: it does not hold one
  uint64_t wavefronts = 0;            // in the compute unit
  double wavefronts_per_simd = 0;     // on average
  double share = 0;                   // of the contexts

  uint64_t allowed_by(cu_resource r) const { return allowed[static_cast<size_t>(r)]; }  // workgroups, as in `allowed`
  // With more of all resources that limit it, another workgroup might fit.
  bool limited_by(cu_resource r) const { return allowed_by(r) == workgroups; }
};

// `c`: as provisioned. A workgroup without work-items: none fits.
inline occupancy occupancy_of(const machine_config& c, const workgroup_resources& w) {
  occupancy o;
  if (w.work_items == 0) return o;
  const uint64_t waves = wavefronts_of(w.work_items);
  const auto whole = [&](uint64_t per_simd) {
    return per_simd == occupancy::any_number ? per_simd : per_simd * c.n_simd / waves;
  };
  o.allowed = {whole(c.n_wfc), whole(times_in(c.vgprs_per_simd, w.vgprs, isa::vgpr_granule)),
               whole(times_in(c.sgprs_per_simd, w.sgprs, isa::sgpr_granule)),
               times_in(uint64_t{c.lds.size_kib} * 1024, w.lds_bytes, isa::lds_granule)};
  o.workgroups = *std::min_element(o.allowed.begin(), o.allowed.end());
  o.wavefronts = o.workgroups * waves;
  o.wavefronts_per_simd = static_cast<double>(o.wavefronts) / c.n_simd;
  o.share = static_cast<double>(o.wavefronts) / contexts_of_cu(c);
  return o;
}

// As in occupancy; 0: it does not hold one.
inline uint64_t workgroups_per_cu(const machine_config& c, const workgroup_resources& w) {
  return occupancy_of(c, w).workgroups;
}

// What such a workgroup needs and which keys of the machine give too little of it; "" if an empty compute unit holds
// it.
std::string shortage_of(const machine_config& c, const workgroup_resources& w);

}  // namespace pws::models
