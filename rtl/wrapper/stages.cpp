// How many stages the build's lanes have: apart from the unit, so that who reads a machine's description needs no more.
#include "rtl/wrapper/spsimd_rtl.h"

namespace pws::rtl {

unsigned spsimd_rtl::stages() {
  return PWS_RTL_STAGES;
}

}  // namespace pws::rtl
