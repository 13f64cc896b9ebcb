// SPDX-License-Identifier: Apache-2.0
// What the runtime knows of a pointer.
#pragma once

#include "hip_runtime/context.h"

namespace pws::hip {

inline uint64_t address_of(const void* pointer) {
  return reinterpret_cast<uint64_t>(pointer);
}
inline void* pointer_to(uint64_t address) {
  return reinterpret_cast<void*>(address);
}

// What hipPointerGetAttributes tells; false if the pointer is none of the runtime's.
bool describe(context& c, const void* pointer, hipPointerAttribute_t& a);

}  // namespace pws::hip
