// SPDX-License-Identifier: Apache-2.0
#include "hip_runtime/this_thread.h"

#include <pthread.h>

#include <new>

namespace pws::hip {

namespace {

// No thread_local variable: those are destroyed among the program's own, and in the main thread before all global
// objects. What a key holds goes when all of a thread's variables have gone, and never in the main thread.
pthread_key_t make_key() {
  pthread_key_t key{};
  if (pthread_key_create(&key, [](void* state) { delete static_cast<thread_state*>(state); }) != 0)
    throw std::bad_alloc();
  return key;
}

}  // namespace

thread_state& this_thread() {
  static const pthread_key_t key = make_key();
  void* state = pthread_getspecific(key);
  if (state == nullptr) {
    state = new thread_state;
    if (pthread_setspecific(key, state) != 0) throw std::bad_alloc();
  }
  return *static_cast<thread_state*>(state);
}

}  // namespace pws::hip
