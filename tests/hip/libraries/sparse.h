// SPDX-License-Identifier: Apache-2.0
// What the programs over hipSPARSE share: sparse matrices on the host and the device, and calls by the type of their
// numbers. Numbers are small integers, so that sums have the same bits in any order.
#pragma once

#include <hipsparse/hipsparse.h>

#include <complex>
#include <type_traits>

#include "library.h"

#define SPARSE(...) RETURNS(HIPSPARSE_STATUS_SUCCESS, __VA_ARGS__)

// name<float> is hipsparseSname, and so on.
#define SPARSE_CALL(name)                                                           \
  template <class T>                                                                \
  constexpr auto name = [] {                                                        \
    if constexpr (std::is_same_v<T, float>) return hipsparseS##name;                \
    if constexpr (std::is_same_v<T, double>) return hipsparseD##name;               \
    if constexpr (std::is_same_v<T, std::complex<float>>) return hipsparseC##name;  \
    if constexpr (std::is_same_v<T, std::complex<double>>) return hipsparseZ##name; \
  }();

namespace sparse {

using c32 = std::complex<float>;
using c64 = std::complex<double>;

// As the library's types.
template <class T>
T* lib(T* p) {
  return p;
}
inline hipComplex* lib(c32* p) {
  return reinterpret_cast<hipComplex*>(p);
}
inline const hipComplex* lib(const c32* p) {
  return reinterpret_cast<const hipComplex*>(p);
}
inline hipDoubleComplex* lib(c64* p) {
  return reinterpret_cast<hipDoubleComplex*>(p);
}
inline const hipDoubleComplex* lib(const c64* p) {
  return reinterpret_cast<const hipDoubleComplex*>(p);
}

template <class T>
struct is_complex : std::false_type {};
template <class R>
struct is_complex<std::complex<R>> : std::true_type {};

// In [-limit, limit], not 0.
template <class T>
T small_number(random_source& random, int limit) {
  const auto one = [&] {
    const int v = static_cast<int>(random.below(2 * limit)) - limit;
    return v >= 0 ? v + 1 : v;
  };
  if constexpr (is_complex<T>::value)
    return T(one(), one());
  else
    return static_cast<T>(one());
}
template <class T>
std::vector<T> small_numbers(random_source& random, size_t count, int limit = 4) {
  std::vector<T> v(count);
  for (T& x : v) x = small_number<T>(random, limit);
  return v;
}
template <class T>
T conjugate(T x) {
  if constexpr (is_complex<T>::value)
    return std::conj(x);
  else
    return x;
}

template <class T>
struct matrix {
  int rows = 0, columns = 0, base = 0;
  std::vector<int> begin{0}, column;  // of each row; both with the base added
  std::vector<T> value;

  int count() const { return static_cast<int>(column.size()); }
  void add(int c, T v) {
    column.push_back(c + base);
    value.push_back(v);
  }
  void end_row() { begin.push_back(base + count()); }
  matrix(int rows, int columns, int base) : rows(rows), columns(columns), base(base), begin{base} {}

  template <class Each>
  void each(Each call) const {
    for (int r = 0; r < rows; ++r)
      for (int k = begin[r] - base; k < begin[r + 1] - base; ++k) call(r, column[k] - base, value[k]);
  }
  // By columns.
  std::vector<T> dense(int leading) const {
    std::vector<T> d(static_cast<size_t>(leading) * columns);
    each([&](int r, int c, T v) { d[static_cast<size_t>(c) * leading + r] += v; });
    return d;
  }
  matrix transposed(bool conjugated = false) const {
    matrix t(columns, rows, base);
    std::vector<std::vector<std::pair<int, T>>> lines(columns);
    each([&](int r, int c, T v) { lines[c].push_back({r, conjugated ? conjugate(v) : v}); });
    for (const auto& line : lines) {
      for (const auto& [c, v] : line) t.add(c, v);
      t.end_row();
    }
    return t;
  }
  std::vector<int> row_of_each() const {
    std::vector<int> all;
    each([&](int r, int, T) { all.push_back(r + base); });
    return all;
  }
};

// Rows of different lengths: every fifth is empty, every 31st has many, others about `each`. Sorted columns, unless
// `shuffled`.
template <class T>
matrix<T> random_matrix(uint32_t seed, int rows, int columns, int base, int each = 4, bool shuffled = false) {
  random_source random(seed);
  matrix<T> m(rows, columns, base);
  for (int r = 0; r < rows; ++r) {
    const int wanted = r % 5 == 3 ? 0 : r % 31 == 7 ? 20 * each : static_cast<int>(random.below(2 * each));
    std::vector<int> in(columns, 0);
    std::vector<int> chosen;
    for (int k = 0; k < wanted && columns > 0; ++k) {
      const int c = static_cast<int>(random.below(columns));
      if (!in[c]) chosen.push_back(c);
      in[c] = 1;
    }
    if (!shuffled) std::sort(chosen.begin(), chosen.end());
    for (const int c : chosen) m.add(c, small_number<T>(random, 4));
    m.end_row();
  }
  return m;
}

template <class T>
struct device_matrix {
  device_copy<int> begin, column;
  device_copy<T> value;
  explicit device_matrix(const matrix<T>& m) : begin(m.begin), column(m.column), value(m.value) {}
};

inline hipsparseIndexBase_t index_base(int base) {
  return base == 1 ? HIPSPARSE_INDEX_BASE_ONE : HIPSPARSE_INDEX_BASE_ZERO;
}

// As numbers: a zero may have either sign.
template <class T>
void same_numbers(int line, const char* what, const std::vector<T>& got, const std::vector<T>& want) {
  compare(line, what, got, want, [](const T& a, const T& b) { return a == b; });
}

template <class T>
constexpr hipDataType type_of() {
  return std::is_same_v<T, float>    ? HIP_R_32F
         : std::is_same_v<T, double> ? HIP_R_64F
         : std::is_same_v<T, c32>    ? HIP_C_32F
                                     : HIP_C_64F;
}
template <class I>
constexpr hipsparseIndexType_t index_of() {
  return sizeof(I) == 4 ? HIPSPARSE_INDEX_32I : HIPSPARSE_INDEX_64I;
}

class handle {
 public:
  handle() { SPARSE(hipsparseCreate(&h_)); }
  ~handle() { static_cast<void>(hipsparseDestroy(h_)); }
  handle(const handle&) = delete;
  handle& operator=(const handle&) = delete;
  operator hipsparseHandle_t() const { return h_; }

 private:
  hipsparseHandle_t h_ = nullptr;
};
class description {
 public:
  explicit description(int base) {
    SPARSE(hipsparseCreateMatDescr(&d_));
    SPARSE(hipsparseSetMatIndexBase(d_, index_base(base)));
  }
  ~description() { static_cast<void>(hipsparseDestroyMatDescr(d_)); }
  description(const description&) = delete;
  description& operator=(const description&) = delete;
  operator hipsparseMatDescr_t() const { return d_; }

 private:
  hipsparseMatDescr_t d_ = nullptr;
};

}  // namespace sparse

using namespace sparse;

#define SAME_NUMBERS(got, ...) same_numbers(__LINE__, #got, got, __VA_ARGS__)
