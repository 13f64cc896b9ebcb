// SPDX-License-Identifier: Apache-2.0
// Which stack is in use, for builds with AddressSanitizer. SystemC's threads have stacks of their own, and its library
// tells AddressSanitizer of each change from one to another. For the stack on which sc_start() was called it says that
// there is none. From then on, an exception on that stack would leave marks of frames that are gone, and what comes to
// lie there would be taken for wrong. (SystemC 2.3.4, sc_cor_qt.cpp.)
#include <dlfcn.h>
#include <pthread.h>

#include <cstddef>

namespace {

using start_switch = void (*)(void** save, const void* bottom, size_t bytes);

// The stack that the system gave to this thread of the process.
void find_own_stack(const void*& bottom, size_t& bytes) {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  void* begin = nullptr;
  pthread_attr_getstack(&attributes, &begin, &bytes);
  pthread_attr_destroy(&attributes);
  bottom = begin;
}

}  // namespace

// SystemC's library finds this one in front of the sanitizer's.
extern "C" __attribute__((visibility("default"))) void __sanitizer_start_switch_fiber(void** save, const void* bottom,
                                                                                      size_t bytes) {
  static const auto next = reinterpret_cast<start_switch>(dlsym(RTLD_NEXT, "__sanitizer_start_switch_fiber"));
  if (bytes == 0) find_own_stack(bottom, bytes);
  next(save, bottom, bytes);
}
