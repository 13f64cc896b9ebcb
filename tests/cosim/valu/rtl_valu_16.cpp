// SPDX-License-Identifier: Apache-2.0
#include "Vvalu_16.h"
#include "tests/cosim/valu/rtl_valu_rig.h"

namespace pws::cosim {

std::unique_ptr<rtl_valu> make_rtl_valu_16() {
  return std::make_unique<rtl_valu_rig<Vvalu_16, 16, 7>>();
}

}  // namespace pws::cosim
