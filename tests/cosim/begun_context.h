// SPDX-License-Identifier: Apache-2.0
// An SWF in a context of the unit alone, with its scalar registers handed over as a machine does: a row in each cycle
// after that in which it begins.
#pragma once

#include "rtl/wrapper/spsimd_rtl.h"

namespace pws::test {

inline void begin_with(rtl::spsimd_rtl& unit, unsigned context, const rtl::spsimd_rtl::start& start,
                       const uint32_t* scalar, const rtl::spsimd_rtl::status_registers& status) {
  using rtl::spsimd_rtl;
  unit.begin(context, start);
  unit.load_status(context, status);
  unit.clock(nullptr);
  for (unsigned row = 0; row < spsimd_rtl::handover_rows(); ++row) {
    unit.receive(context, scalar + row * spsimd_rtl::handover_registers());
    unit.clock(nullptr);
  }
}

}  // namespace pws::test
