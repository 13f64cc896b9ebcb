// needs: rocprim/rocprim.hpp librocprim-dev
// flags: -std=c++17 -Wno-pass-failed
// whole: built
// rocPRIM's reductions and scans over device memory: of everything, by segments, by keys.
#include "primitives.h"

namespace {

// Wraps around as the device's does.
template <class T>
struct plus {
  __host__ __device__ T operator()(T a, T b) const { return static_cast<T>(a + b); }
};
template <class T>
struct larger {
  __host__ __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};
// Associative, not commutative: the order of the operands shows. Functions x -> a x + b, one after the other.
struct affine {
  uint32_t a, b;
};
std::string text(const affine& f) {
  return std::to_string(f.a) + "x + " + std::to_string(f.b);
}
struct after {
  __host__ __device__ affine operator()(affine f, affine g) const { return {g.a * f.a, g.a * f.b + g.b}; }
};

template <class T, class Op>
std::vector<T> inclusive(const std::vector<T>& x, Op op) {
  std::vector<T> y;
  for (const T& v : x) y.push_back(y.empty() ? v : op(y.back(), v));
  return y;
}
template <class T, class Op>
std::vector<T> exclusive(const std::vector<T>& x, T initial, Op op) {
  std::vector<T> y;
  for (const T& v : x) {
    y.push_back(initial);
    initial = op(initial, v);
  }
  return y;
}

template <class T, class Op>
void check_scan(const std::vector<T>& x, T initial, Op op) {
  const device_copy<T> in(x), out(x.size());
  with_storage([&](void* storage, size_t& bytes) {
    return rocprim::inclusive_scan(storage, bytes, in.get(), out.get(), x.size(), op);
  });
  EQUAL(out.read(), inclusive(x, op));
  with_storage([&](void* storage, size_t& bytes) {
    return rocprim::exclusive_scan(storage, bytes, in.get(), out.get(), initial, x.size(), op);
  });
  EQUAL(out.read(), exclusive(x, initial, op));
}
// Its operands may be in any order.
template <class T, class Op>
void check_reduce(const std::vector<T>& x, T initial, Op op) {
  const device_copy<T> in(x), out(size_t{1});
  with_storage([&](void* storage, size_t& bytes) {
    return rocprim::reduce(storage, bytes, in.get(), out.get(), initial, x.size(), op);
  });
  T want = initial;
  for (const T& v : x) want = op(want, v);
  EQUAL(out.read(), {want});
}

// Begins of segments: empty ones, long ones, several in a wavefront.
std::vector<unsigned> segments(size_t count) {
  random_source random(5);
  std::vector<unsigned> begin{0};
  while (begin.back() < count)
    begin.push_back(
        static_cast<unsigned>(std::min<size_t>(count, begin.back() + (random.below(9) == 0 ? 700 : random.below(20)))));
  begin.push_back(static_cast<unsigned>(count));
  return begin;
}

}  // namespace

CASE(sums) {
  for_each(numbers(), [](auto t) {
    using T = decltype(t);
    for (const size_t size : sizes()) {
      check_scan(summands<T>(size), static_cast<T>(3), plus<T>());
      check_reduce(summands<T>(size), static_cast<T>(3), plus<T>());
    }
  });
}
CASE(maxima) {
  for_each(numbers(), [](auto t) {
    using T = decltype(t);
    for (const content what : contents) {
      check_scan(made<T>(what, 5003), static_cast<T>(7), larger<T>());
      check_reduce(made<T>(what, 5003), static_cast<T>(7), larger<T>());
    }
  });
}
CASE(order_of_operands) {
  for (const size_t size : {1, 2, 65, 5003, 100003}) {
    if (size > 10000 && !whole()) continue;
    random_source random(2);
    std::vector<affine> x(size);
    for (affine& f : x) f = {random.bits() | 1, random.bits()};
    check_scan(x, affine{1, 0}, after());
  }
}
CASE(in_place) {
  const std::vector<int32_t> x = summands<int32_t>(5003);
  const device_copy<int32_t> d(x);
  with_storage([&](void* storage, size_t& bytes) {
    return rocprim::inclusive_scan(storage, bytes, d.get(), d.get(), x.size(), plus<int32_t>());
  });
  EQUAL(d.read(), inclusive(x, plus<int32_t>()));
}
CASE(by_segments) {
  for_each(numbers(), [](auto t) {
    using T = decltype(t);
    for (const size_t size : sizes()) {
      const std::vector<T> x = summands<T>(size);
      const std::vector<unsigned> begin = segments(size);
      const unsigned count = static_cast<unsigned>(begin.size() - 1);
      const device_copy<T> in(x), sums(size_t{count}), out(size);
      const device_copy<unsigned> at(begin);
      with_storage([&](void* storage, size_t& bytes) {
        return rocprim::segmented_reduce(storage, bytes, in.get(), sums.get(), count, at.get(), at.get() + 1, plus<T>(),
                                         static_cast<T>(2));
      });
      std::vector<T> want(count, static_cast<T>(2)), scanned;
      for (unsigned s = 0; s < count; ++s) {
        const std::vector<T> part(x.begin() + begin[s], x.begin() + begin[s + 1]);
        for (const T v : part) want[s] = plus<T>()(want[s], v);
        const std::vector<T> part_scanned = exclusive(part, static_cast<T>(2), plus<T>());
        scanned.insert(scanned.end(), part_scanned.begin(), part_scanned.end());
      }
      EQUAL(sums.read(), want);
      with_storage([&](void* storage, size_t& bytes) {
        return rocprim::segmented_exclusive_scan(storage, bytes, in.get(), out.get(), count, at.get(), at.get() + 1,
                                                 static_cast<T>(2), plus<T>());
      });
      EQUAL(out.read(), scanned);
    }
  });
}
CASE(by_keys) {
  for_each(numbers(), [](auto t) {
    using T = decltype(t);
    for (const size_t size : sizes())
      for (const content what : {content::few, content::equal, content::ascending}) {
        const std::vector<int32_t> keys = made<int32_t>(what, size);
        const std::vector<T> x = summands<T>(size);
        std::vector<int32_t> unique;
        std::vector<T> sums, scanned;
        for (size_t i = 0; i < size; ++i) {
          const bool begins = i == 0 || keys[i] != keys[i - 1];
          if (begins) {
            unique.push_back(keys[i]);
            sums.push_back(x[i]);
          } else {
            sums.back() = plus<T>()(sums.back(), x[i]);
          }
          scanned.push_back(sums.back());
        }
        const device_copy<int32_t> dkeys(keys), dunique(unique.size());
        const device_copy<T> in(x), dsums(sums.size()), out(size);
        const device_copy<unsigned> count(size_t{1});
        with_storage([&](void* storage, size_t& bytes) {
          return rocprim::reduce_by_key(storage, bytes, dkeys.get(), in.get(), static_cast<unsigned>(size),
                                        dunique.get(), dsums.get(), count.get(), plus<T>());
        });
        EQUAL(count.read(), {static_cast<unsigned>(unique.size())});
        EQUAL(dunique.read(), unique);
        EQUAL(dsums.read(), sums);
        with_storage([&](void* storage, size_t& bytes) {
          return rocprim::inclusive_scan_by_key(storage, bytes, dkeys.get(), in.get(), out.get(), size, plus<T>());
        });
        EQUAL(out.read(), scanned);
      }
  });
}
// SPDX-License-Identifier: Apache-2.0
