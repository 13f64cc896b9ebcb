// SPDX-License-Identifier: Apache-2.0
// Functions of the API that this platform does not have: each says so once by name, and gives hipErrorNotSupported.
// They are declared here without their parameters, which the calling convention does not need: so no HIP header here.
namespace pws::hip {
void note_unsupported(const char* name) noexcept;
}

namespace {
constexpr int not_supported = 801;  // hipErrorNotSupported
}  // namespace

#define PWS_UNSUPPORTED(name)          \
  extern "C" int name() {              \
    pws::hip::note_unsupported(#name); \
    return not_supported;              \
  }

#include "hip_runtime/unsupported.inc"

// For tracing tools, which cannot register with this library: no call has a number.
extern "C" const char* hipApiName(unsigned) {
  return "unknown";
}
