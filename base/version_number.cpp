#include "base/version.h"

namespace pws {

std::string version_number() {
  return PWS_VERSION;
}

}  // namespace pws
