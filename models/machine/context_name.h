// SPDX-License-Identifier: Apache-2.0
// What waveform, timeline and messages call a context of a compute unit.
#pragma once

#include <string>

#include "models/machine/ids.h"

namespace pws::models {

// "simd1.wf3"; "simd1.spsimd2.swf3" on an SpSIMD unit; "simd1.wf3.right", the second one of a wavefront;
// "simd1.split12", a further one.
std::string context_name(const machine_config& c, unit_id unit, slot_id slot);

}  // namespace pws::models
