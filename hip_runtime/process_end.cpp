// SPDX-License-Identifier: Apache-2.0
#include "hip_runtime/process_end.h"

#include <unistd.h>

// NOLINTBEGIN(bugprone-reserved-identifier): the linker's and the C++ ABI's names
extern "C" {
// The C++ ABI's (Itanium C++ ABI, 3.3.6), by the names that the linker's --wrap gives them.
int __real___cxa_atexit(void (*destructor)(void*), void* object, void* library);
int __real___cxa_thread_atexit(void (*destructor)(void*), void* object, void* library);
extern void* __dso_handle;

int __wrap___cxa_atexit(void (*)(void*), void*, void*) {
  return 0;
}

// The main thread's objects would go before the program's global objects.
int __wrap___cxa_thread_atexit(void (*destructor)(void*), void* object, void* library) {
  return gettid() == getpid() ? 0 : __real___cxa_thread_atexit(destructor, object, library);
}
}
// NOLINTEND(bugprone-reserved-identifier)

namespace pws::hip {

void call_at_exit(void (*function)()) {
  __real___cxa_atexit([](void* f) { reinterpret_cast<void (*)()>(f)(); }, reinterpret_cast<void*>(function),
                      &__dso_handle);
}

}  // namespace pws::hip
