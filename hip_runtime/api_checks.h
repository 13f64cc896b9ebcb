// SPDX-License-Identifier: Apache-2.0
// What functions of the API ask of their arguments. All throw failure.
#pragma once

#include "hip_runtime/context.h"

namespace pws::hip {

// hipErrorNoDevice where the environment hides all, hipErrorInvalidDevice for one that there is not.
void check_device(int device);

// Where a result goes: hipErrorInvalidValue if that is nowhere.
template <class T>
T& result(T* to) {
  require(to != nullptr, hipErrorInvalidValue, "the address for a result is null");
  return *to;
}

}  // namespace pws::hip
