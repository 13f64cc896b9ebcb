// What the build has chosen of the unit's parameters: apart from the unit, so that who reads a machine's description
// needs no more.
#include "rtl/wrapper/spsimd_rtl.h"

namespace pws::rtl {

unsigned spsimd_rtl::stages() {
  return PWS_RTL_STAGES;
}
unsigned spsimd_rtl::handover_registers() {
  return PWS_RTL_HANDOVER;
}

}  // namespace pws::rtl
