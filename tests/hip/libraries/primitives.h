// SPDX-License-Identifier: Apache-2.0
// What the programs over rocPRIM share: types, sizes and contents of the input, and the two calls of its functions.
#pragma once

#include <rocprim/rocprim.hpp>
// Which leaves this one out.
#include <rocprim/block/block_shuffle.hpp>

#include "library.h"

namespace primitives {

template <class... T>
struct types {};
template <class... T, class Call>
void for_each(types<T...>, Call call) {
  (call(T()), ...);
}

// Types of keys and numbers.
#ifdef WHOLE
using numbers = types<int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t, float, double>;
#else
using numbers = types<int32_t>;
#endif

// Around a wavefront, a block's tile, several tiles, and, in the whole form, more than a block takes of partial
// results.
inline std::vector<size_t> sizes() {
  std::vector<size_t> all = {0, 1, 63, 64, 65, 255, 257, 2047, 5003};
  if (whole()) all.insert(all.end(), {100003, 600011});
  return all;
}

enum class content { random, equal, ascending, descending, few };
const content contents[] = {content::random, content::equal, content::ascending, content::descending, content::few};

// Integers that fit the type.
template <class T>
std::vector<T> made(content what, size_t count, uint32_t seed = 1) {
  random_source random(seed);
  std::vector<T> v(count);
  for (size_t i = 0; i < count; ++i) {
    const uint32_t bits = what == content::random       ? random.bits()
                          : what == content::equal      ? 42
                          : what == content::ascending  ? static_cast<uint32_t>(i)
                          : what == content::descending ? static_cast<uint32_t>(count - i)
                                                        : random.below(3);
    v[i] =
        static_cast<T>(sizeof(T) == 8 && what == content::random ? static_cast<T>(bits) * 4099 : static_cast<T>(bits));
  }
  return v;
}
// So small that a sum is exact, as far as the type goes.
template <class T>
std::vector<T> summands(size_t count, uint32_t seed = 1) {
  random_source random(seed);
  std::vector<T> v(count);
  for (T& x : v) x = static_cast<T>(random.below(5));
  return v;
}

// Asks how much memory it takes, and calls with that. With more behind it, for what writes past its storage.
template <class Call>
void with_storage(Call call, size_t more = 0) {
  size_t bytes = 0;
  OK(call(nullptr, bytes));
  const device_copy<char> storage(bytes + more);
  OK(call(static_cast<void*>(storage.get()), bytes));
  OK(hipDeviceSynchronize());
}

}  // namespace primitives

using namespace primitives;
