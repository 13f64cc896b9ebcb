// SPDX-License-Identifier: Apache-2.0
// The run time stands on the platform and says its names unqualified.
#pragma once

namespace pws::platform {}

namespace pws::hip {
using namespace platform;
}
