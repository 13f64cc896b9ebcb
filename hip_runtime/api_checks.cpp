// SPDX-License-Identifier: Apache-2.0
#include "hip_runtime/api_checks.h"

#include <fmt/format.h>

namespace pws::hip {

void check_device(int device) {
  const int count = context::instance().device_count();
  if (count == 0) throw failure(hipErrorNoDevice, "there is no device");
  if (device < 0 || device >= count)
    throw failure(hipErrorInvalidDevice,
                  fmt::format("there is no device {}; there {}", device,
                              count == 1 ? "is device 0" : fmt::format("are devices 0 to {}", count - 1)));
}

}  // namespace pws::hip
