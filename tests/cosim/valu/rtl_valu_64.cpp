// SPDX-License-Identifier: Apache-2.0
#include "Vvalu_64.h"
#include "tests/cosim/valu/rtl_valu_rig.h"

namespace pws::cosim {

std::unique_ptr<rtl_valu> make_rtl_valu_64() {
  return std::make_unique<rtl_valu_rig<Vvalu_64, 64, 7>>();
}

}  // namespace pws::cosim
