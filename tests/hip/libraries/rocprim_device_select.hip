// needs: rocprim/rocprim.hpp librocprim-dev
// flags: -std=c++17 -Wno-pass-failed
// whole: built
// rocPRIM's choices over device memory: runs, unique ones, selections, partitions; histograms; differences, transforms.
#include "primitives.h"

namespace {

struct odd {
  template <class T>
  __host__ __device__ bool operator()(T x) const {
    return (static_cast<int64_t>(x) & 1) != 0;
  }
};
struct third {
  template <class T>
  __host__ __device__ bool operator()(T x) const {
    return static_cast<int64_t>(x) % 3 == 0;
  }
};

template <class T>
struct stretch {
  T value;
  unsigned begin, length;
};
template <class T>
std::vector<stretch<T>> runs_of(const std::vector<T>& x) {
  std::vector<stretch<T>> all;
  for (unsigned i = 0; i < x.size(); ++i) {
    if (i == 0 || x[i] != x[i - 1]) all.push_back({x[i], i, 0});
    ++all.back().length;
  }
  return all;
}
// The first ones of what was written, as many as there are.
template <class T>
std::vector<T> first_of(const device_copy<T>& d, size_t count) {
  std::vector<T> v = d.read();
  EXPECT(count <= v.size());
  v.resize(count);
  return v;
}
template <class Check>
void in_all_ways(Check check) {
  for_each(numbers(), [&](auto t) {
    using T = decltype(t);
    for (const size_t size : sizes())
      for (const content what : {content::few, content::equal, content::ascending}) check(made<T>(what, size));
  });
}

}  // namespace

CASE(runs) {
  in_all_ways([](const auto& x) {
    using T = typename std::decay_t<decltype(x)>::value_type;
    const device_copy<T> in(x), values(x.size());
    const device_copy<unsigned> lengths(x.size()), begins(x.size()), count(size_t{1});
    std::vector<T> value;
    std::vector<unsigned> length, begin_long, length_long;
    for (const stretch<T>& r : runs_of(x)) {
      value.push_back(r.value);
      length.push_back(r.length);
      if (r.length == 1) continue;
      begin_long.push_back(r.begin);
      length_long.push_back(r.length);
    }
    with_storage([&](void* storage, size_t& bytes) {
      return rocprim::run_length_encode(storage, bytes, in.get(), static_cast<unsigned>(x.size()), values.get(),
                                        lengths.get(), count.get());
    });
    EQUAL(count.read(), {static_cast<unsigned>(value.size())});
    EQUAL(first_of(values, value.size()), value);
    EQUAL(first_of(lengths, length.size()), length);
    with_storage([&](void* storage, size_t& bytes) {
      return rocprim::run_length_encode_non_trivial_runs(storage, bytes, in.get(), static_cast<unsigned>(x.size()),
                                                         begins.get(), lengths.get(), count.get());
    });
    EQUAL(count.read(), {static_cast<unsigned>(begin_long.size())});
    EQUAL(first_of(begins, begin_long.size()), begin_long);
    EQUAL(first_of(lengths, length_long.size()), length_long);
  });
}
CASE(unique_ones) {
  in_all_ways([](const auto& x) {
    using T = typename std::decay_t<decltype(x)>::value_type;
    const device_copy<T> in(x), out(x.size());
    const device_copy<unsigned> count(size_t{1});
    with_storage([&](void* storage, size_t& bytes) {
      return rocprim::unique(storage, bytes, in.get(), out.get(), count.get(), x.size());
    });
    std::vector<T> want = x;
    want.erase(std::unique(want.begin(), want.end()), want.end());
    EQUAL(count.read(), {static_cast<unsigned>(want.size())});
    EQUAL(first_of(out, want.size()), want);
  });
}
CASE(selections) {
  in_all_ways([](const auto& x) {
    using T = typename std::decay_t<decltype(x)>::value_type;
    std::vector<uint8_t> flags;
    std::vector<T> want, rest;
    for (const T v : x) {
      flags.push_back(odd()(v));
      (odd()(v) ? want : rest).push_back(v);
    }
    const device_copy<T> in(x), out(x.size()), parted(x.size());
    const device_copy<uint8_t> dflags(flags);
    const device_copy<unsigned> count(size_t{1});
    with_storage([&](void* storage, size_t& bytes) {
      return rocprim::select(storage, bytes, in.get(), dflags.get(), out.get(), count.get(), x.size());
    });
    EQUAL(count.read(), {static_cast<unsigned>(want.size())});
    EQUAL(first_of(out, want.size()), want);
    with_storage([&](void* storage, size_t& bytes) {
      return rocprim::select(storage, bytes, in.get(), out.get(), count.get(), x.size(), odd());
    });
    EQUAL(count.read(), {static_cast<unsigned>(want.size())});
    EQUAL(first_of(out, want.size()), want);
    // What is not chosen comes from the end, backwards.
    with_storage([&](void* storage, size_t& bytes) {
      return rocprim::partition(storage, bytes, in.get(), parted.get(), count.get(), x.size(), odd());
    });
    EQUAL(count.read(), {static_cast<unsigned>(want.size())});
    std::vector<T> both = want;
    both.insert(both.end(), rest.rbegin(), rest.rend());
    EQUAL(parted.read(), both);
  });
}
CASE(three_parts) {
  for (const size_t size : sizes()) {
    const std::vector<int32_t> x = made<int32_t>(content::ascending, size);
    std::vector<int32_t> first, second, rest;
    for (const int32_t v : x) (third()(v) ? first : odd()(v) ? second : rest).push_back(v);
    const device_copy<int32_t> in(x), a(size), b(size), c(size);
    const device_copy<unsigned> counts(size_t{2});
    with_storage([&](void* storage, size_t& bytes) {
      return rocprim::partition_three_way(storage, bytes, in.get(), a.get(), b.get(), c.get(), counts.get(), size,
                                          third(), odd());
    });
    EQUAL(counts.read(), {static_cast<unsigned>(first.size()), static_cast<unsigned>(second.size())});
    EQUAL(first_of(a, first.size()), first);
    EQUAL(first_of(b, second.size()), second);
    EQUAL(first_of(c, rest.size()), rest);
  }
}

namespace {

// Levels are numbers below and above: a sample in [level[k], level[k + 1]) counts for bin k, others for none.
template <class T>
void check_histogram(const std::vector<T>& x, const std::vector<T>& levels, bool even) {
  const unsigned bins = static_cast<unsigned>(levels.size() - 1);
  std::vector<unsigned> want(bins);
  for (const T v : x)
    for (unsigned k = 0; k < bins; ++k) want[k] += levels[k] <= v && v < levels[k + 1];
  const device_copy<T> in(x), dlevels(levels);
  const device_copy<unsigned> out(size_t{bins});
  with_storage([&](void* storage, size_t& bytes) {
    return even ? rocprim::histogram_even(storage, bytes, in.get(), static_cast<unsigned>(x.size()), out.get(),
                                          bins + 1, levels.front(), levels.back())
                : rocprim::histogram_range(storage, bytes, in.get(), static_cast<unsigned>(x.size()), out.get(),
                                           bins + 1, dlevels.get());
  });
  EQUAL(out.read(), want);
}

}  // namespace

CASE(histograms) {
  for_each(numbers(), [](auto t) {
    using T = decltype(t);
    for (const size_t size : sizes())
      for (const content what : {content::random, content::equal}) {
        std::vector<T> x = made<T>(what, size);
        // Some below, some above.
        for (T& v : x) v = static_cast<T>(std::fmod(static_cast<double>(v), 50.0));
        for (const unsigned bins : {1u, 4u, 32u}) {
          std::vector<T> levels;
          for (unsigned k = 0; k <= bins; ++k) levels.push_back(static_cast<T>(8 + k));
          check_histogram(x, levels, true);
        }
        check_histogram<T>(x, {3, 4, 10, 11, 45, 46}, false);
      }
  });
}
// More bins than a block keeps in LDS.
CASE(histogram_of_many_bins) {
  random_source random(4);
  std::vector<int32_t> x(20011), levels;
  for (int32_t& v : x) v = static_cast<int32_t>(random.below(30000));
  for (int32_t k = 0; k <= 24000; ++k) levels.push_back(k + 100);
  std::vector<unsigned> want(24000);
  for (const int32_t v : x)
    if (v >= 100 && v < 24100) ++want[v - 100];
  const device_copy<int32_t> in(x);
  const device_copy<unsigned> out(want.size());
  with_storage([&](void* storage, size_t& bytes) {
    return rocprim::histogram_even(storage, bytes, in.get(), static_cast<unsigned>(x.size()), out.get(), 24001, 100,
                                   24100);
  });
  EQUAL(out.read(), want);
}
// Three of four channels, each with bins of its own, and rows with a gap behind.
CASE(histogram_of_channels) {
  constexpr unsigned columns = 77, rows = 31, pitch = 100;
  random_source random(4);
  std::vector<uint8_t> x(4 * pitch * rows);
  for (uint8_t& v : x) v = static_cast<uint8_t>(random.below(256));
  const unsigned bins[3] = {256, 16, 2};
  std::vector<unsigned> want[3];
  for (unsigned c = 0; c < 3; ++c) {
    want[c].resize(bins[c]);
    for (unsigned r = 0; r < rows; ++r)
      for (unsigned k = 0; k < columns; ++k) ++want[c][x[4 * (r * pitch + k) + c] * bins[c] / 256];
  }
  const device_copy<uint8_t> in(x);
  const device_copy<unsigned> a(size_t{256}), b(size_t{16}), c(size_t{2});
  unsigned* out[3] = {a.get(), b.get(), c.get()};
  unsigned levels[3] = {257, 17, 3};
  int lower[3] = {0, 0, 0}, upper[3] = {256, 256, 256};
  with_storage([&](void* storage, size_t& bytes) {
    return rocprim::multi_histogram_even<4, 3>(storage, bytes, in.get(), columns, rows, 4 * pitch, out, levels, lower,
                                               upper);
  });
  EQUAL(a.read(), want[0]);
  EQUAL(b.read(), want[1]);
  EQUAL(c.read(), want[2]);
}

namespace {

struct minus {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return static_cast<T>(a - b);
  }
};
struct twice {
  template <class T>
  __host__ __device__ T operator()(T a) const {
    return static_cast<T>(a + a);
  }
};

}  // namespace

CASE(differences_and_transforms) {
  for_each(numbers(), [](auto t) {
    using T = decltype(t);
    for (const size_t size : sizes()) {
      const std::vector<T> x = summands<T>(size);
      std::vector<T> left = x, right = x, doubled, difference;
      for (size_t i = 1; i < size; ++i) {
        left[i] = minus()(x[i], x[i - 1]);
        right[i - 1] = minus()(x[i - 1], x[i]);
      }
      for (size_t i = 0; i < size; ++i) {
        doubled.push_back(twice()(x[i]));
        difference.push_back(minus()(x[i], doubled[i]));
      }
      const device_copy<T> in(x), out(size), other(size);
      with_storage([&](void* storage, size_t& bytes) {
        return rocprim::adjacent_difference(storage, bytes, in.get(), out.get(), size, minus());
      });
      EQUAL(out.read(), left);
      with_storage([&](void* storage, size_t& bytes) {
        return rocprim::adjacent_difference_right(storage, bytes, in.get(), out.get(), size, minus());
      });
      EQUAL(out.read(), right);
      OK(rocprim::transform(in.get(), out.get(), size, twice()));
      EQUAL(out.read(), doubled);
      OK(rocprim::transform(in.get(), out.get(), other.get(), size, minus()));
      EQUAL(other.read(), difference);
      with_storage([&](void* storage, size_t& bytes) {
        return rocprim::adjacent_difference_inplace(storage, bytes, in.get(), size, minus());
      });
      EQUAL(in.read(), left);
    }
  });
}
// SPDX-License-Identifier: Apache-2.0
