// SPDX-License-Identifier: Apache-2.0
// What a workgroup of a kernel takes of a compute unit.
#pragma once

#include "models/machine/occupancy.h"
#include "sw/loader/code_object.h"

namespace pws::platform {

// For `work_items` in a workgroup and so many bytes of dynamic LDS.
inline models::workgroup_resources resources_of(const loader::kernel& k, uint64_t work_items, uint64_t dynamic_lds) {
  models::workgroup_resources w;
  w.work_items = work_items;
  w.vgprs = k.descriptor.n_vgprs;
  w.sgprs = k.descriptor.n_sgprs;
  w.lds_bytes = k.metadata.group_segment_fixed_size + dynamic_lds;
  return w;
}

}  // namespace pws::platform
