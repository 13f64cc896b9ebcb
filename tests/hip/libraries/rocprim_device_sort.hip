// needs: rocprim/rocprim.hpp librocprim-dev
// flags: -std=c++17 -Wno-pass-failed
// whole: built
// rocPRIM's sorts of device memory: by radix, ascending and descending, of keys and of pairs, by some of the bits, by
// segments; by merging, with an order of one's own. Merges and searches of what is sorted.
#include <numeric>

#include "primitives.h"

template <>
std::string library::text(const rocprim::half& value) {
  return text(static_cast<double>(__half2float(value)));
}
template <>
std::string library::text(const rocprim::bfloat16& value) {
  return text(static_cast<double>(static_cast<float>(value)));
}

namespace {

#ifdef WHOLE
using keys = numbers;
#else
using keys = types<float>;
#endif

template <class T>
constexpr bool is_float =
    std::is_floating_point_v<T> || std::is_same_v<T, rocprim::half> || std::is_same_v<T, rocprim::bfloat16>;

// Numbers in the order of a radix sort. Floats: by the bits, negative ones turned around, so that NaN is beyond
// infinity on its sign's side; and -0 is 0.
template <class T>
uint64_t rank(T x) {
  if constexpr (is_float<T>) {
    using bits = std::conditional_t<sizeof(T) == 2, uint16_t, std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>;
    bits b;
    std::memcpy(&b, &x, sizeof b);
    constexpr bits sign = bits{1} << (8 * sizeof b - 1);
    return b == sign ? sign : (b & sign) != 0 ? static_cast<bits>(~b) : b | sign;
  } else {
    using bits = std::make_unsigned_t<T>;
    return static_cast<bits>(static_cast<bits>(x) ^ (std::is_signed_v<T> ? bits{1} << (8 * sizeof x - 1) : bits{0}));
  }
}
template <class T>
std::vector<T> keys_of(content what, size_t size) {
  std::vector<T> v = made<T>(what, size);
  if constexpr (std::is_floating_point_v<T>)
    if (what == content::random) {
      const T odd[] = {0,
                       -T{0},
                       std::numeric_limits<T>::denorm_min(),
                       -std::numeric_limits<T>::denorm_min(),
                       std::numeric_limits<T>::infinity(),
                       -std::numeric_limits<T>::infinity(),
                       std::numeric_limits<T>::quiet_NaN(),
                       -std::numeric_limits<T>::quiet_NaN(),
                       std::numeric_limits<T>::lowest(),
                       T{-1}};
      for (size_t i = 0; i < size; i += 3) v[i] = odd[i / 3 % (sizeof odd / sizeof *odd)];
    }
  return v;
}
template <class T>
std::vector<T> permuted(const std::vector<T>& v, const std::vector<unsigned>& order) {
  std::vector<T> p;
  for (const unsigned i : order) p.push_back(v[i]);
  return p;
}
std::vector<unsigned> counting(size_t n) {
  std::vector<unsigned> v(n);
  std::iota(v.begin(), v.end(), 0u);
  return v;
}
template <class T>
std::vector<unsigned> sorted_order(const std::vector<T>& keys, bool descending, unsigned from, unsigned to) {
  std::vector<unsigned> order = counting(keys.size());
  const uint64_t mask = (to == 64 ? 0 : uint64_t{1} << to) - (uint64_t{1} << from);
  std::stable_sort(order.begin(), order.end(), [&](unsigned a, unsigned b) {
    const uint64_t x = rank(keys[a]) & mask, y = rank(keys[b]) & mask;
    return descending ? y < x : x < y;
  });
  return order;
}

// With their places, of which equal keys' stay in order; and keys alone.
template <bool Descending, class T>
void check_radix(const std::vector<T>& keys, unsigned from = 0, unsigned to = 8 * sizeof(T)) {
  const std::vector<unsigned> order = sorted_order(keys, Descending, from, to);
  const device_copy<T> in(keys), out(keys.size());
  const device_copy<unsigned> places(counting(keys.size())), sorted(keys.size());
  const size_t size = keys.size();
  with_storage([&](void* storage, size_t& bytes) {
    if constexpr (Descending)
      return rocprim::radix_sort_pairs_desc(storage, bytes, in.get(), out.get(), places.get(), sorted.get(), size, from,
                                            to);
    else
      return rocprim::radix_sort_pairs(storage, bytes, in.get(), out.get(), places.get(), sorted.get(), size, from, to);
  });
  EQUAL(out.read(), permuted(keys, order));
  EQUAL(sorted.read(), order);
  EQUAL(in.read(), keys);
#ifdef WHOLE
  with_storage([&](void* storage, size_t& bytes) {
    if constexpr (Descending)
      return rocprim::radix_sort_keys_desc(storage, bytes, in.get(), out.get(), size, from, to);
    else
      return rocprim::radix_sort_keys(storage, bytes, in.get(), out.get(), size, from, to);
  });
  EQUAL(out.read(), permuted(keys, order));
#endif
}

}  // namespace

CASE(radix_sizes) {
  for_each(keys(), [](auto t) {
    using T = decltype(t);
    for (const size_t size : sizes()) {
      check_radix<false>(keys_of<T>(content::random, size));
      check_radix<true>(keys_of<T>(content::random, size));
    }
  });
}
CASE(radix_contents) {
  for_each(keys(), [](auto t) {
    using T = decltype(t);
    for (const content what : contents) {
      check_radix<false>(keys_of<T>(what, 3001));
      check_radix<true>(keys_of<T>(what, 3001));
    }
  });
}
// More than one pass over the blocks' tiles, in every run.
CASE(radix_of_many) {
  for_each(keys(), [](auto t) { check_radix<false>(keys_of<decltype(t)>(content::random, 40009)); });
}
namespace {

// All there are, NaNs too, in no order.
template <class T>
std::vector<T> all_numbers_of_16_bits() {
  std::vector<T> v(65536 + 64);
  for (size_t i = 0; i < v.size(); ++i) {
    const uint16_t bits = static_cast<uint16_t>(i * 40503);
    std::memcpy(&v[i], &bits, sizeof bits);
  }
  return v;
}

}  // namespace

CASE(radix_of_halves) {
  check_radix<false>(all_numbers_of_16_bits<rocprim::half>());
#ifdef WHOLE
  check_radix<true>(all_numbers_of_16_bits<rocprim::half>());
  check_radix<false>(all_numbers_of_16_bits<rocprim::bfloat16>());
  check_radix<true>(all_numbers_of_16_bits<rocprim::bfloat16>());
#endif
}
// With integers only: the library sorts floats by all their bits alone.
CASE(radix_of_some_bits) {
  const std::vector<int32_t> keys = made<int32_t>(content::random, 3001);
  for (const auto& range : {std::pair<unsigned, unsigned>{3, 4}, {4, 17}, {31, 32}, {0, 1}, {7, 32}}) {
    check_radix<false>(keys, range.first, range.second);
#ifdef WHOLE
    check_radix<true>(keys, range.first, range.second);
#endif
  }
}
CASE(radix_by_segments) {
  const std::vector<int32_t> keys = made<int32_t>(content::random, 9001);
  std::vector<unsigned> begin = {0, 0, 1, 3, 66, 66, 400, 1500, 1500, 8999, 9001};
  std::vector<int32_t> want;
  std::vector<unsigned> places;
  const unsigned count = static_cast<unsigned>(begin.size() - 1);
  for (unsigned s = 0; s < count; ++s) {
    const std::vector<int32_t> part(keys.begin() + begin[s], keys.begin() + begin[s + 1]);
    for (const unsigned i : sorted_order(part, false, 0, 32)) {
      want.push_back(part[i]);
      places.push_back(begin[s] + i);
    }
  }
  const device_copy<int32_t> in(keys), out(keys.size());
  const device_copy<unsigned> at(begin), values(counting(keys.size())), sorted(keys.size());
  with_storage([&](void* storage, size_t& bytes) {
    return rocprim::segmented_radix_sort_pairs(storage, bytes, in.get(), out.get(), values.get(), sorted.get(),
                                               static_cast<unsigned>(keys.size()), count, at.get(), at.get() + 1);
  });
  EQUAL(out.read(), want);
  EQUAL(sorted.read(), places);
}
CASE(radix_with_two_buffers) {
  for_each(keys(), [](auto t) {
    using T = decltype(t);
    const std::vector<T> x = keys_of<T>(content::random, 5003);
    const std::vector<unsigned> order = sorted_order(x, false, 0, 8 * sizeof(T));
    const device_copy<T> a(x), b(x.size());
    const device_copy<unsigned> p(counting(x.size())), q(x.size());
    rocprim::double_buffer<T> both(a.get(), b.get());
    rocprim::double_buffer<unsigned> places(p.get(), q.get());
    with_storage([&](void* storage, size_t& bytes) {
      return rocprim::radix_sort_pairs(storage, bytes, both, places, x.size());
    });
    EQUAL((both.current() == a.get() ? a : b).read(), permuted(x, order));
    EQUAL((places.current() == p.get() ? p : q).read(), order);
  });
}

namespace {

// An order of one's own: by the last digit alone, so that many are equal.
struct last_digit {
  template <class T>
  __host__ __device__ bool operator()(T a, T b) const {
    return static_cast<int>(a) % 10 < static_cast<int>(b) % 10;
  }
};

}  // namespace

CASE(merge_sorts) {
  for_each(numbers(), [](auto t) {
    using T = decltype(t);
    for (const size_t size : sizes())
      for (const content what : {content::few, content::descending}) {
        const std::vector<T> keys = made<T>(what, size);
        std::vector<unsigned> order = counting(size);
        std::stable_sort(order.begin(), order.end(),
                         [&](unsigned a, unsigned b) { return last_digit()(keys[a], keys[b]); });
        const device_copy<T> in(keys), out(size);
        const device_copy<unsigned> places(counting(size)), sorted(size);
        with_storage([&](void* storage, size_t& bytes) {
          return rocprim::merge_sort(storage, bytes, in.get(), out.get(), places.get(), sorted.get(), size,
                                     last_digit());
        });
        EQUAL(out.read(), permuted(keys, order));
        EQUAL(sorted.read(), order);
      }
  });
}
CASE(merges) {
  const std::pair<size_t, size_t> pairs[] = {{0, 0}, {0, 5}, {5, 0}, {1, 1}, {64, 65}, {3001, 40}, {2048, 2048}};
  for (const auto& pair : pairs) {
    const size_t first = pair.first, second = pair.second;
    std::vector<int32_t> a = made<int32_t>(content::few, first, 1), b = made<int32_t>(content::few, second, 2);
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    std::vector<int32_t> want(first + second);
    std::merge(a.begin(), a.end(), b.begin(), b.end(), want.begin());
    const device_copy<int32_t> da(a), db(b), out(want.size());
    // The kernel that parts the work writes a block of indices, however few the storage is for.
    with_storage(
        [&](void* storage, size_t& bytes) {
          return rocprim::merge(storage, bytes, da.get(), db.get(), out.get(), first, second);
        },
        4096);
    EQUAL(out.read(), want);
  }
}
CASE(searches) {
  for (const size_t size : {0, 1, 2, 255, 3001}) {
    std::vector<int32_t> hay = made<int32_t>(content::random, size);
    for (int32_t& x : hay) x %= 1000;
    std::sort(hay.begin(), hay.end());
    const std::vector<int32_t> needles = [] {
      std::vector<int32_t> v = made<int32_t>(content::random, 777, 5);
      for (int32_t& x : v) x %= 1100;
      return v;
    }();
    std::vector<unsigned> lower, upper;
    std::vector<uint8_t> found;
    for (const int32_t x : needles) {
      lower.push_back(static_cast<unsigned>(std::lower_bound(hay.begin(), hay.end(), x) - hay.begin()));
      upper.push_back(static_cast<unsigned>(std::upper_bound(hay.begin(), hay.end(), x) - hay.begin()));
      found.push_back(lower.back() != upper.back());
    }
    const device_copy<int32_t> dhay(hay), dneedles(needles);
    const device_copy<unsigned> out(needles.size());
    const device_copy<uint8_t> bits(needles.size());
    with_storage([&](void* storage, size_t& bytes) {
      return rocprim::lower_bound(storage, bytes, dhay.get(), dneedles.get(), out.get(), size, needles.size());
    });
    EQUAL(out.read(), lower);
    with_storage([&](void* storage, size_t& bytes) {
      return rocprim::upper_bound(storage, bytes, dhay.get(), dneedles.get(), out.get(), size, needles.size());
    });
    EQUAL(out.read(), upper);
    with_storage([&](void* storage, size_t& bytes) {
      return rocprim::binary_search(storage, bytes, dhay.get(), dneedles.get(), bits.get(), size, needles.size());
    });
    EQUAL(bits.read(), found);
  }
}
// SPDX-License-Identifier: Apache-2.0
