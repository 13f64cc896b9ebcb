#include "platform/hip/api_checks.h"

#include <fmt/format.h>

namespace pws::platform::hip {

void check_device(int device) {
  if (!context::instance().device_is_visible()) throw failure(hipErrorNoDevice, "there is no device");
  if (device != 0)
    throw failure(hipErrorInvalidDevice, fmt::format("there is no device {}; there is device 0", device));
}

}  // namespace pws::platform::hip
