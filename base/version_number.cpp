// SPDX-License-Identifier: Apache-2.0
#include "base/version.h"

namespace pws {

std::string version_number() {
  return PWS_VERSION;
}

}  // namespace pws
