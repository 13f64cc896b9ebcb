// SPDX-License-Identifier: Apache-2.0
#include "tests/models/registers/allocation_count.h"

#include <cstdlib>
#include <new>

namespace {
size_t count = 0;

void* counted(size_t bytes) {
  ++count;
  return std::malloc(bytes == 0 ? 1 : bytes);
}
}  // namespace

// These take the place of the library's in the whole program.
void* operator new(size_t bytes) {
  if (void* p = counted(bytes)) return p;
  throw std::bad_alloc();
}
void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
  return counted(bytes);
}
void operator delete(void* p) noexcept {
  std::free(p);
}
void operator delete(void* p, size_t) noexcept {
  std::free(p);
}

namespace pws::test {

size_t allocation_count() {
  return count;
}

}  // namespace pws::test
