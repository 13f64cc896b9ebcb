// SPDX-License-Identifier: Apache-2.0
#include "sw/loader/hip_version.h"

namespace pws::loader {

std::string hip_version() {
  return PWS_HIP_VERSION;
}

std::string hip_version_option() {
  return "--hip-version=" + hip_version();
}

}  // namespace pws::loader
