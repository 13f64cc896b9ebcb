// needs: rocprim/rocprim.hpp librocprim-dev
// flags: -std=c++17 -Wno-pass-failed
// whole: built
// rocPRIM's functions for a block and for a wavefront, by each of their algorithms: sums and scans, sorts, histograms,
// exchanges, flags, differences, shuffles, loads and stores.
#include "primitives.h"

namespace {

constexpr unsigned blocks = 3;

template <unsigned Size, unsigned Items>
struct form {
  static constexpr unsigned size = Size, items = Items, tile = Size * Items;
};
// Blocks of one wavefront, of several, and of parts of wavefronts.
#ifdef WHOLE
using forms = types<form<64, 7>, form<100, 3>, form<256, 4>, form<1024, 1>>;
using full_forms = types<form<64, 7>, form<256, 4>, form<1024, 1>>;
#else
using forms = types<form<64, 1>, form<100, 3>, form<256, 4>>;
using full_forms = types<form<64, 1>, form<256, 4>>;
#endif

template <class T>
struct plus {
  __host__ __device__ T operator()(T a, T b) const { return static_cast<T>(a + b); }
};

// The block's numbers, those of a work-item side by side.
template <class F, class T>
__device__ void load(const T* in, T (&x)[F::items]) {
  for (unsigned k = 0; k < F::items; ++k) x[k] = in[blockIdx.x * F::tile + threadIdx.x * F::items + k];
}
template <class F, class T>
__device__ void store(T* out, const T (&x)[F::items]) {
  for (unsigned k = 0; k < F::items; ++k) out[blockIdx.x * F::tile + threadIdx.x * F::items + k] = x[k];
}

template <class F, rocprim::block_reduce_algorithm Algorithm, class T>
__global__ void reduce(const T* in, T* out, unsigned valid) {
  using reduction = rocprim::block_reduce<T, F::size, Algorithm>;
  __shared__ typename reduction::storage_type storage;
  T x[F::items], sum;
  load<F>(in, x);
  reduction().reduce(x, sum, storage, plus<T>());
  if (threadIdx.x == 0) out[2 * blockIdx.x] = sum;
  __syncthreads();
  reduction().reduce(x[0], sum, valid, storage, plus<T>());
  if (threadIdx.x == 0) out[2 * blockIdx.x + 1] = sum;
}
template <class F, rocprim::block_scan_algorithm Algorithm, class T>
__global__ void scan(const T* in, T* inclusive, T* exclusive, T* sums) {
  using scan_type = rocprim::block_scan<T, F::size, Algorithm>;
  __shared__ typename scan_type::storage_type storage;
  T x[F::items], y[F::items], sum;
  load<F>(in, x);
  scan_type().inclusive_scan(x, y, sum, storage, plus<T>());
  store<F>(inclusive, y);
  __syncthreads();
  scan_type().exclusive_scan(x, y, static_cast<T>(5), storage, plus<T>());
  store<F>(exclusive, y);
  if (threadIdx.x == F::size - 1) sums[blockIdx.x] = sum;
}

template <class F, class T, class Check>
void in_blocks(const std::vector<T>& x, Check check) {
  for (unsigned b = 0; b < blocks; ++b) check(std::vector<T>(x.begin() + b * F::tile, x.begin() + (b + 1) * F::tile));
}

template <class F, rocprim::block_reduce_algorithm Algorithm, class T>
void check_reduce() {
  const std::vector<T> x = summands<T>(blocks * F::tile);
  for (const unsigned valid : {1u, F::size / 2, F::size - 1, F::size}) {
    const device_copy<T> in(x), out(size_t{2 * blocks});
    reduce<F, Algorithm><<<blocks, F::size>>>(in.get(), out.get(), valid);
    OK(hipGetLastError());
    std::vector<T> want;
    in_blocks<F>(x, [&](const std::vector<T>& tile) {
      T all = 0, some = 0;
      for (const T v : tile) all = plus<T>()(all, v);
      for (unsigned t = 0; t < valid; ++t) some = plus<T>()(some, tile[t * F::items]);
      want.push_back(all);
      want.push_back(some);
    });
    EQUAL(out.read(), want);
  }
}
template <class F, rocprim::block_scan_algorithm Algorithm, class T>
void check_scan() {
  const std::vector<T> x = summands<T>(blocks * F::tile);
  const device_copy<T> in(x), inclusive(x.size()), exclusive(x.size()), sums(size_t{blocks});
  scan<F, Algorithm><<<blocks, F::size>>>(in.get(), inclusive.get(), exclusive.get(), sums.get());
  OK(hipGetLastError());
  std::vector<T> up_to, before, all;
  in_blocks<F>(x, [&](const std::vector<T>& tile) {
    T sum = 0;
    for (const T v : tile) {
      before.push_back(plus<T>()(sum, 5));
      sum = plus<T>()(sum, v);
      up_to.push_back(sum);
    }
    all.push_back(sum);
  });
  EQUAL(inclusive.read(), up_to);
  EQUAL(exclusive.read(), before);
  EQUAL(sums.read(), all);
}
// Calls `check` with each form and type.
template <class Forms, class Check>
void in_all_forms(Check check) {
  for_each(Forms(), [&](auto f) { for_each(numbers(), [&](auto t) { check(f, t); }); });
}

}  // namespace

CASE(reductions) {
  in_all_forms<forms>([](auto f, auto t) {
    using F = decltype(f);
    using T = decltype(t);
    check_reduce<F, rocprim::block_reduce_algorithm::using_warp_reduce, T>();
    check_reduce<F, rocprim::block_reduce_algorithm::raking_reduce, T>();
    check_reduce<F, rocprim::block_reduce_algorithm::raking_reduce_commutative_only, T>();
  });
}
CASE(scans) {
  in_all_forms<forms>([](auto f, auto t) {
    using F = decltype(f);
    using T = decltype(t);
    check_scan<F, rocprim::block_scan_algorithm::using_warp_scan, T>();
    check_scan<F, rocprim::block_scan_algorithm::reduce_then_scan, T>();
  });
}

namespace {

template <class F, class T>
__global__ void radix_sort(const T* in, T* up, T* down, unsigned* places) {
  using sort = rocprim::block_radix_sort<T, F::size, F::items, unsigned>;
  __shared__ typename sort::storage_type storage;
  T x[F::items];
  unsigned place[F::items];
  load<F>(in, x);
  for (unsigned k = 0; k < F::items; ++k) place[k] = threadIdx.x * F::items + k;
  sort().sort(x, place, storage);
  store<F>(up, x);
  store<F>(places, place);
  __syncthreads();
  // From that order on: what is equal is turned around, as their places are not.
  load<F>(in, x);
  for (unsigned k = 0; k < F::items; ++k) place[k] = threadIdx.x * F::items + k;
  sort().sort_desc(x, place, storage);
  store<F>(down, x);
  store<F>(places + blocks * F::tile, place);
}
template <class F, class T>
__global__ void bitonic_sort(const T* in, T* out) {
  using sort = rocprim::block_sort<T, F::size>;
  __shared__ typename sort::storage_type storage;
  T x = in[blockIdx.x * F::size + threadIdx.x];
  sort().sort(x, storage, rocprim::greater<T>());
  out[blockIdx.x * F::size + threadIdx.x] = x;
}

template <class F, class T>
void check_sorts(content what) {
  const std::vector<T> x = made<T>(what, blocks * F::tile);
  const device_copy<T> in(x), up(x.size()), down(x.size());
  const device_copy<unsigned> places(2 * x.size());
  radix_sort<F><<<blocks, F::size>>>(in.get(), up.get(), down.get(), places.get());
  OK(hipGetLastError());
  std::vector<T> want_up, want_down;
  std::vector<unsigned> order, order_down;
  in_blocks<F>(x, [&](const std::vector<T>& tile) {
    std::vector<unsigned> p(tile.size());
    for (unsigned i = 0; i < p.size(); ++i) p[i] = i;
    std::vector<unsigned> q = p;
    std::stable_sort(p.begin(), p.end(), [&](unsigned a, unsigned b) { return tile[a] < tile[b]; });
    std::stable_sort(q.begin(), q.end(), [&](unsigned a, unsigned b) { return tile[b] < tile[a]; });
    for (const unsigned i : p) want_up.push_back(tile[i]);
    for (const unsigned i : q) want_down.push_back(tile[i]);
    order.insert(order.end(), p.begin(), p.end());
    order_down.insert(order_down.end(), q.begin(), q.end());
  });
  order.insert(order.end(), order_down.begin(), order_down.end());
  EQUAL(up.read(), want_up);
  EQUAL(down.read(), want_down);
  EQUAL(places.read(), order);
}
template <class F, class T>
void check_bitonic(content what) {
  const std::vector<T> x = made<T>(what, blocks * F::size);
  const device_copy<T> in(x), out(x.size());
  bitonic_sort<F><<<blocks, F::size>>>(in.get(), out.get());
  OK(hipGetLastError());
  std::vector<T> want = x;
  for (unsigned b = 0; b < blocks; ++b)
    std::sort(want.begin() + b * F::size, want.begin() + (b + 1) * F::size, [](T a, T b) { return b < a; });
  EQUAL(out.read(), want);
}

template <class F, rocprim::block_histogram_algorithm Algorithm>
__global__ void histogram(const uint8_t* in, unsigned* out) {
  constexpr unsigned bins = 50;
  using histogram_type = rocprim::block_histogram<uint8_t, F::size, F::items, bins, Algorithm>;
  __shared__ typename histogram_type::storage_type storage;
  __shared__ unsigned counts[bins];
  uint8_t x[F::items];
  load<F>(in, x);
  histogram_type().histogram(x, counts, storage);
  __syncthreads();
  histogram_type().composite(x, counts, storage);
  __syncthreads();
  for (unsigned k = threadIdx.x; k < bins; k += F::size) out[blockIdx.x * bins + k] = counts[k];
}
template <class F, rocprim::block_histogram_algorithm Algorithm>
void check_histogram(bool all_equal) {
  random_source random(6);
  std::vector<uint8_t> x(blocks * F::tile);
  for (uint8_t& v : x) v = static_cast<uint8_t>(all_equal ? 49 : random.below(50));
  const device_copy<uint8_t> in(x);
  const device_copy<unsigned> out(size_t{50 * blocks});
  histogram<F, Algorithm><<<blocks, F::size>>>(in.get(), out.get());
  OK(hipGetLastError());
  std::vector<unsigned> want(50 * blocks);
  // Once, and once more on top.
  for (size_t i = 0; i < x.size(); ++i) want[i / F::tile * 50 + x[i]] += 2;
  EQUAL(out.read(), want);
}

}  // namespace

CASE(radix_sorts) {
  in_all_forms<full_forms>([](auto f, auto t) {
    using F = decltype(f);
    using T = decltype(t);
    for (const content what : contents) check_sorts<F, T>(what);
  });
}
CASE(bitonic_sorts) {
  in_all_forms<forms>([](auto f, auto t) {
    using F = decltype(f);
    using T = decltype(t);
    for (const content what : contents) check_bitonic<F, T>(what);
  });
}
CASE(histograms) {
  for_each(full_forms(), [](auto f) {
    using F = decltype(f);
    for (const bool all_equal : {false, true}) {
      check_histogram<F, rocprim::block_histogram_algorithm::using_atomic>(all_equal);
      check_histogram<F, rocprim::block_histogram_algorithm::using_sort>(all_equal);
    }
  });
}

namespace {

struct unlike {
  template <class T>
  __host__ __device__ bool operator()(T a, T b) const {
    return a != b;
  }
};
struct minus {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return static_cast<T>(a - b);
  }
};

// Everything that moves numbers between work-items: results one after the other, each of all blocks.
template <class F, class T>
__global__ void moves(const T* in, T* out) {
  constexpr unsigned all = blocks * F::tile;
  using exchange = rocprim::block_exchange<T, F::size, F::items>;
  using flags = rocprim::block_discontinuity<T, F::size>;
  using difference = rocprim::block_adjacent_difference<T, F::size>;
  using shuffle = rocprim::block_shuffle<T, F::size>;
  using loads = rocprim::block_load<T, F::size, F::items, rocprim::block_load_method::block_load_transpose>;
  using stores = rocprim::block_store<T, F::size, F::items, rocprim::block_store_method::block_store_transpose>;
  __shared__ union {
    typename exchange::storage_type exchange_storage;
    typename flags::storage_type flags_storage;
    typename difference::storage_type difference_storage;
    typename shuffle::storage_type shuffle_storage;
    typename loads::storage_type loads_storage;
    typename stores::storage_type stores_storage;
  } storage;
  T x[F::items], y[F::items];
  bool heads[F::items], tails[F::items];
  load<F>(in, x);
  exchange().blocked_to_striped(x, y, storage.exchange_storage);
  store<F>(out, y);
  __syncthreads();
  exchange().striped_to_blocked(x, y, storage.exchange_storage);
  store<F>(out + all, y);
  __syncthreads();
  flags().flag_heads_and_tails(heads, tails, x, unlike(), storage.flags_storage);
  for (unsigned k = 0; k < F::items; ++k) y[k] = static_cast<T>(heads[k] + 2 * tails[k]);
  store<F>(out + 2 * all, y);
  __syncthreads();
  difference().subtract_left(x, y, minus(), storage.difference_storage);
  store<F>(out + 3 * all, y);
  __syncthreads();
  difference().subtract_right(x, y, minus(), storage.difference_storage);
  store<F>(out + 4 * all, y);
  __syncthreads();
  for (unsigned k = 0; k < F::items; ++k) {
    shuffle().rotate(threadIdx.x, x[k], y[k], 3, storage.shuffle_storage);
    __syncthreads();
  }
  store<F>(out + 5 * all, y);
  loads().load(in + blockIdx.x * F::tile, y, F::tile - 1, static_cast<T>(9), storage.loads_storage);
  __syncthreads();
  stores().store(out + 6 * all + blockIdx.x * F::tile, y, storage.stores_storage);
}
template <class F, class T>
void check_moves() {
  const std::vector<T> x = made<T>(content::few, blocks * F::tile);
  const device_copy<T> in(x), out(7 * x.size());
  moves<F><<<blocks, F::size>>>(in.get(), out.get());
  OK(hipGetLastError());
  std::vector<T> parts[7];
  in_blocks<F>(x, [&](const std::vector<T>& tile) {
    const unsigned n = F::tile;
    const auto blocked = [](unsigned t, unsigned k) { return t * F::items + k; };
    const auto striped = [](unsigned t, unsigned k) { return k * F::size + t; };
    std::vector<T> to_blocked(n);
    for (unsigned t = 0; t < F::size; ++t)
      for (unsigned k = 0; k < F::items; ++k) {
        parts[0].push_back(tile[striped(t, k)]);
        // Number `striped` of the tile is where the work-item has its k-th.
        to_blocked[striped(t, k)] = tile[blocked(t, k)];
        parts[5].push_back(tile[blocked((t + 3) % F::size, k)]);
      }
    parts[1].insert(parts[1].end(), to_blocked.begin(), to_blocked.end());
    for (unsigned i = 0; i < n; ++i) {
      const bool head = i == 0 || tile[i] != tile[i - 1], tail = i + 1 == n || tile[i] != tile[i + 1];
      parts[2].push_back(static_cast<T>(head + 2 * tail));
      parts[3].push_back(i == 0 ? tile[i] : minus()(tile[i], tile[i - 1]));
      parts[4].push_back(i + 1 == n ? tile[i] : minus()(tile[i], tile[i + 1]));
      parts[6].push_back(i + 1 == n ? static_cast<T>(9) : tile[i]);
    }
  });
  std::vector<T> want;
  for (const std::vector<T>& part : parts) want.insert(want.end(), part.begin(), part.end());
  EQUAL(out.read(), want);
}

// Parts of a wavefront of `Width` lanes.
template <unsigned Width, class T>
__global__ void warps(const T* in, T* out) {
  constexpr unsigned parts = 256 / Width;
  using reduction = rocprim::warp_reduce<T, Width, true>;
  using scan_type = rocprim::warp_scan<T, Width>;
  using sort = rocprim::warp_sort<T, Width>;
  __shared__ typename reduction::storage_type reduction_storage[parts];
  __shared__ typename scan_type::storage_type scan_storage[parts];
  __shared__ typename sort::storage_type sort_storage[parts];
  const unsigned part = threadIdx.x / Width;
  const T x = in[threadIdx.x];
  T y;
  reduction().reduce(x, y, reduction_storage[part], plus<T>());
  out[threadIdx.x] = y;
  scan_type().inclusive_scan(x, y, scan_storage[part], plus<T>());
  out[256 + threadIdx.x] = y;
  scan_type().exclusive_scan(x, y, static_cast<T>(3), scan_storage[part], plus<T>());
  out[512 + threadIdx.x] = y;
  y = x;
  sort().sort(y, sort_storage[part]);
  out[768 + threadIdx.x] = y;
}
template <unsigned Width, class T>
void check_warps() {
  const std::vector<T> x = summands<T>(256);
  const device_copy<T> in(x), out(size_t{1024});
  warps<Width><<<1, 256>>>(in.get(), out.get());
  OK(hipGetLastError());
  std::vector<T> parts[4];
  for (unsigned begin = 0; begin < 256; begin += Width) {
    std::vector<T> part(x.begin() + begin, x.begin() + begin + Width);
    T sum = 0;
    for (const T v : part) {
      parts[2].push_back(plus<T>()(sum, 3));
      sum = plus<T>()(sum, v);
      parts[1].push_back(sum);
    }
    parts[0].insert(parts[0].end(), Width, sum);
    std::sort(part.begin(), part.end());
    parts[3].insert(parts[3].end(), part.begin(), part.end());
  }
  std::vector<T> want;
  for (const std::vector<T>& part : parts) want.insert(want.end(), part.begin(), part.end());
  EQUAL(out.read(), want);
}

}  // namespace

CASE(moving_within_a_block) {
  in_all_forms<full_forms>([](auto f, auto t) { check_moves<decltype(f), decltype(t)>(); });
}
CASE(wavefronts_and_their_parts) {
  for_each(numbers(), [](auto t) {
    using T = decltype(t);
    check_warps<64, T>();
    check_warps<16, T>();
#ifdef WHOLE
    check_warps<32, T>();
    check_warps<4, T>();
    check_warps<2, T>();
#endif
  });
}
// SPDX-License-Identifier: Apache-2.0
