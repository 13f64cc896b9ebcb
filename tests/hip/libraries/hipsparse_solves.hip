// needs: hipsparse/hipsparse.h libhipsparse-dev librocsparse-dev
// flags: -std=c++17 -lhipsparse
// Triangular systems of hipSPARSE, one right side and many, plain and transposed, with a zero on the diagonal reported;
// incomplete factors; tridiagonal systems.
#include "sparse.h"

SPARSE_CALL(csrsv2_bufferSize)
SPARSE_CALL(csrsv2_analysis)
SPARSE_CALL(csrsv2_solve)
SPARSE_CALL(csrsm2_bufferSizeExt)
SPARSE_CALL(csrsm2_analysis)
SPARSE_CALL(csrsm2_solve)
SPARSE_CALL(csrilu02_bufferSize)
SPARSE_CALL(csrilu02_analysis)
SPARSE_CALL(csrilu02)
SPARSE_CALL(csric02_bufferSize)
SPARSE_CALL(csric02_analysis)
SPARSE_CALL(csric02)
SPARSE_CALL(gtsv2_bufferSizeExt)
SPARSE_CALL(gtsv2_nopivot_bufferSizeExt)
SPARSE_CALL(gtsv2)
SPARSE_CALL(gtsv2_nopivot)

namespace {

const hipsparseOperation_t operations[] = {HIPSPARSE_OPERATION_NON_TRANSPOSE, HIPSPARSE_OPERATION_TRANSPOSE,
                                           HIPSPARSE_OPERATION_CONJUGATE_TRANSPOSE};

struct shape {
  bool lower, unit;
  hipsparseOperation_t operation;
};

// A triangle whose diagonal is a power of two, beside what is on the other side and must not be looked at.
template <class T>
matrix<T> triangle(uint32_t seed, int n, int base, bool lower, int each) {
  random_source random(seed);
  matrix<T> m(n, n, base);
  for (int r = 0; r < n; ++r) {
    for (int c = 0; c < n; ++c) {
      const bool inside = lower ? c < r : c > r;
      if (c == r)
        m.add(c, static_cast<T>(static_cast<float>(1 << random.below(2))));
      else if (std::abs(c - r) == 1 ? random.below(3) == 0 : random.below(n) < static_cast<unsigned>(inside ? each : 1))
        m.add(c, small_number<T>(random, 1));
    }
    m.end_row();
  }
  return m;
}
// op(triangle) * x
template <class T>
std::vector<T> times(const matrix<T>& m, const shape& s, const std::vector<T>& x) {
  std::vector<T> y(x.size());
  m.each([&](int r, int c, T v) {
    if (r == c) {
      if (s.unit) v = T(1);
    } else if ((c < r) != s.lower) {
      return;
    }
    if (s.operation == HIPSPARSE_OPERATION_NON_TRANSPOSE)
      y[r] += v * x[c];
    else
      y[c] += (s.operation == HIPSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? conjugate(v) : v) * x[r];
  });
  return y;
}
void describe(hipsparseMatDescr_t d, const shape& s) {
  SPARSE(hipsparseSetMatFillMode(d, s.lower ? HIPSPARSE_FILL_MODE_LOWER : HIPSPARSE_FILL_MODE_UPPER));
  SPARSE(hipsparseSetMatDiagType(d, s.unit ? HIPSPARSE_DIAG_TYPE_UNIT : HIPSPARSE_DIAG_TYPE_NON_UNIT));
}

template <class T>
void check_csrsv(int n, int base, const shape& s) {
  const matrix<T> a = triangle<T>(n, n, base, s.lower, 2);
  random_source random(5);
  const std::vector<T> x = small_numbers<T>(random, n);
  std::vector<T> f = times(a, s, x);
  const T alpha = T(2);
  for (T& v : f) v /= alpha;
  const device_matrix<T> d(a);
  const device_copy<T> df(f), dx(f.size());
  handle h;
  description about(base);
  describe(about, s);
  csrsv2Info_t info;
  SPARSE(hipsparseCreateCsrsv2Info(&info));
  int bytes = 0;
  SPARSE(csrsv2_bufferSize<T>(h, s.operation, n, a.count(), about, lib(d.value.get()), d.begin.get(), d.column.get(),
                              info, &bytes));
  const device_copy<char> buffer(static_cast<size_t>(bytes));
  SPARSE(csrsv2_analysis<T>(h, s.operation, n, a.count(), about, lib(d.value.get()), d.begin.get(), d.column.get(),
                            info, HIPSPARSE_SOLVE_POLICY_USE_LEVEL, buffer.get()));
  SPARSE(csrsv2_solve<T>(h, s.operation, n, a.count(), lib(&alpha), about, lib(d.value.get()), d.begin.get(),
                         d.column.get(), info, lib(df.get()), lib(dx.get()), HIPSPARSE_SOLVE_POLICY_USE_LEVEL,
                         buffer.get()));
  int pivot = 5;
  SPARSE(hipsparseXcsrsv2_zeroPivot(h, info, &pivot));
  SAME(pivot, -1);
  EQUAL(dx.read(), x);
  SPARSE(hipsparseDestroyCsrsv2Info(info));
}

template <class T>
void csrsv_in_all_ways(int n) {
  for (const bool lower : {true, false})
    for (const bool unit : {false, true})
      for (const hipsparseOperation_t operation : operations)
        check_csrsv<T>(n, lower ? 0 : 1, {lower, unit, operation});
}

// A zero on the diagonal of one row, or none at all there.
void check_zero_pivot(int base, bool missing) {
  const int n = 100, zero = 70;
  matrix<float> a(n, n, base);
  for (int r = 0; r < n; ++r) {
    if (r > 0) a.add(r - 1, 1);
    if (r != zero)
      a.add(r, 2);
    else if (!missing)
      a.add(r, 0);
    a.end_row();
  }
  const device_matrix<float> d(a);
  const device_copy<float> df(std::vector<float>(n, 1)), dx(n);
  handle h;
  description about(base);
  describe(about, {true, false, HIPSPARSE_OPERATION_NON_TRANSPOSE});
  csrsv2Info_t info;
  SPARSE(hipsparseCreateCsrsv2Info(&info));
  const auto op = HIPSPARSE_OPERATION_NON_TRANSPOSE;
  const auto policy = HIPSPARSE_SOLVE_POLICY_NO_LEVEL;
  int bytes = 0;
  SPARSE(hipsparseScsrsv2_bufferSize(h, op, n, a.count(), about, d.value.get(), d.begin.get(), d.column.get(), info,
                                     &bytes));
  const device_copy<char> buffer(static_cast<size_t>(bytes));
  SPARSE(hipsparseScsrsv2_analysis(h, op, n, a.count(), about, d.value.get(), d.begin.get(), d.column.get(), info,
                                   policy, buffer.get()));
  int pivot = -1;
  if (missing) {
    RETURNS(HIPSPARSE_STATUS_ZERO_PIVOT, hipsparseXcsrsv2_zeroPivot(h, info, &pivot));
    SAME(pivot, zero + base);
  }
  const float alpha = 1;
  SPARSE(hipsparseScsrsv2_solve(h, op, n, a.count(), &alpha, about, d.value.get(), d.begin.get(), d.column.get(), info,
                                df.get(), dx.get(), policy, buffer.get()));
  RETURNS(HIPSPARSE_STATUS_ZERO_PIVOT, hipsparseXcsrsv2_zeroPivot(h, info, &pivot));
  SAME(pivot, zero + base);
  SPARSE(hipsparseDestroyCsrsv2Info(info));
}

template <class T>
void check_csrsm(int n, int sides, int base, const shape& s, hipsparseOperation_t of_b) {
  const matrix<T> a = triangle<T>(n, n, base, s.lower, 2);
  random_source random(6);
  const bool by_rows = of_b != HIPSPARSE_OPERATION_NON_TRANSPOSE;
  const int leading = (by_rows ? sides : n) + 3;
  std::vector<T> b(static_cast<size_t>(leading) * (by_rows ? n : sides), T(77)), want = b;
  for (int k = 0; k < sides; ++k) {
    const std::vector<T> x = small_numbers<T>(random, n), f = times(a, s, x);
    for (int r = 0; r < n; ++r) {
      const size_t at = by_rows ? static_cast<size_t>(r) * leading + k : static_cast<size_t>(k) * leading + r;
      want[at] = x[r];
      b[at] = f[r];
    }
  }
  const device_matrix<T> d(a);
  const device_copy<T> db(b);
  handle h;
  description about(base);
  describe(about, s);
  csrsm2Info_t info;
  SPARSE(hipsparseCreateCsrsm2Info(&info));
  const T alpha = T(1);
  const auto policy = HIPSPARSE_SOLVE_POLICY_USE_LEVEL;
  size_t bytes = 0;
  SPARSE(csrsm2_bufferSizeExt<T>(h, 0, s.operation, of_b, n, sides, a.count(), lib(&alpha), about, lib(d.value.get()),
                                 d.begin.get(), d.column.get(), lib(db.get()), leading, info, policy, &bytes));
  const device_copy<char> buffer(bytes);
  SPARSE(csrsm2_analysis<T>(h, 0, s.operation, of_b, n, sides, a.count(), lib(&alpha), about, lib(d.value.get()),
                            d.begin.get(), d.column.get(), lib(db.get()), leading, info, policy, buffer.get()));
  SPARSE(csrsm2_solve<T>(h, 0, s.operation, of_b, n, sides, a.count(), lib(&alpha), about, lib(d.value.get()),
                         d.begin.get(), d.column.get(), lib(db.get()), leading, info, policy, buffer.get()));
  int pivot = 5;
  SPARSE(hipsparseXcsrsm2_zeroPivot(h, info, &pivot));
  SAME(pivot, -1);
  EQUAL(db.read(), want);
  SPARSE(hipsparseDestroyCsrsm2Info(info));
}

// With the diagonal far above the rest of its row and column, and, where wanted, symmetric or Hermitian.
template <class T>
matrix<T> dominant(uint32_t seed, int n, int base, bool hermitian) {
  random_source random(seed);
  std::vector<std::vector<T>> dense(n, std::vector<T>(n));
  for (int r = 0; r < n; ++r)
    for (int c = 0; c < r; ++c)
      if (r - c == 1 || random.below(n) < 3) {
        dense[r][c] = small_number<T>(random, 2);
        dense[c][r] = hermitian ? conjugate(dense[r][c]) : small_number<T>(random, 2);
      }
  matrix<T> m(n, n, base);
  for (int r = 0; r < n; ++r) {
    dense[r][r] = T(64.0f + random.below(8));
    for (int c = 0; c < n; ++c)
      if (dense[r][c] != T(0)) m.add(c, dense[r][c]);
    m.end_row();
  }
  return m;
}
// At the same places as the matrix, in the widest type. Row by row, each with those above it.
using wide = std::complex<long double>;
template <class T>
matrix<wide> widened(const matrix<T>& a) {
  matrix<wide> w(a.rows, a.columns, a.base);
  w.begin = a.begin;
  w.column = a.column;
  for (const T& v : a.value) {
    const c64 both(v);
    w.value.push_back(wide(both.real(), both.imag()));
  }
  return w;
}
int place(const matrix<wide>& a, int r, int c) {
  for (int k = a.begin[r] - a.base; k < a.begin[r + 1] - a.base; ++k)
    if (a.column[k] - a.base == c) return k;
  return -1;
}
void factor_lu(matrix<wide>& a) {
  for (int r = 0; r < a.rows; ++r)
    for (int k = a.begin[r] - a.base; k < a.begin[r + 1] - a.base; ++k) {
      const int above = a.column[k] - a.base;
      if (above >= r) break;
      a.value[k] /= a.value[place(a, above, above)];
      for (int j = a.begin[above] - a.base; j < a.begin[above + 1] - a.base; ++j)
        if (const int at = place(a, r, a.column[j] - a.base); a.column[j] - a.base > above && at >= 0)
          a.value[at] -= a.value[k] * a.value[j];
    }
}
// The lower triangle; the upper stays. Of the two factors the library conjugates the row's own, where Cholesky has the
// other: of complex matrices this is no Cholesky factor. (csric0_device.h)
void factor_cholesky(matrix<wide>& a) {
  for (int r = 0; r < a.rows; ++r)
    for (int k = a.begin[r] - a.base; k < a.begin[r + 1] - a.base; ++k) {
      const int c = a.column[k] - a.base;
      if (c > r) break;
      wide sum = a.value[k];
      for (int j = a.begin[c] - a.base; j < a.begin[c + 1] - a.base && a.column[j] - a.base < c; ++j)
        if (const int at = place(a, r, a.column[j] - a.base); at >= 0) sum -= std::conj(a.value[at]) * a.value[j];
      a.value[k] = c == r ? std::sqrt(sum) : sum / a.value[place(a, c, c)];
    }
}
// A pivot is above 50, and a row has less than 20 entries below 4: all steps together add less than 20 roundings of
// numbers up to 72 to an entry, and the errors of the rows above count by less than half.
template <class T>
double rounding() {
  using real = decltype(std::abs(T()));
  return 40 * 72 * static_cast<double>(std::numeric_limits<real>::epsilon());
}
template <class T>
void check_factor(const std::vector<T>& got, const matrix<wide>& want) {
  std::vector<T> rounded;
  for (const wide& v : want.value) {
    if constexpr (is_complex<T>::value)
      rounded.push_back(T(v));
    else
      rounded.push_back(static_cast<T>(v.real()));
  }
  WITHIN(got, rounded, std::vector<double>(got.size(), rounding<T>()));
}

template <class T>
void check_ilu(int n, int base) {
  const matrix<T> a = dominant<T>(n, n, base, false);
  const device_matrix<T> d(a);
  handle h;
  description about(base);
  csrilu02Info_t info;
  SPARSE(hipsparseCreateCsrilu02Info(&info));
  int bytes = 0;
  SPARSE(
      csrilu02_bufferSize<T>(h, n, a.count(), about, lib(d.value.get()), d.begin.get(), d.column.get(), info, &bytes));
  const device_copy<char> buffer(static_cast<size_t>(bytes));
  SPARSE(csrilu02_analysis<T>(h, n, a.count(), about, lib(d.value.get()), d.begin.get(), d.column.get(), info,
                              HIPSPARSE_SOLVE_POLICY_USE_LEVEL, buffer.get()));
  SPARSE(csrilu02<T>(h, n, a.count(), about, lib(d.value.get()), d.begin.get(), d.column.get(), info,
                     HIPSPARSE_SOLVE_POLICY_USE_LEVEL, buffer.get()));
  int pivot = 5;
  SPARSE(hipsparseXcsrilu02_zeroPivot(h, info, &pivot));
  SAME(pivot, -1);
  matrix<wide> want = widened(a);
  factor_lu(want);
  check_factor(d.value.read(), want);
  SPARSE(hipsparseDestroyCsrilu02Info(info));
}
template <class T>
void check_ic(int n, int base) {
  const matrix<T> a = dominant<T>(n, n, base, true);
  const device_matrix<T> d(a);
  handle h;
  description about(base);
  csric02Info_t info;
  SPARSE(hipsparseCreateCsric02Info(&info));
  int bytes = 0;
  SPARSE(
      csric02_bufferSize<T>(h, n, a.count(), about, lib(d.value.get()), d.begin.get(), d.column.get(), info, &bytes));
  const device_copy<char> buffer(static_cast<size_t>(bytes));
  SPARSE(csric02_analysis<T>(h, n, a.count(), about, lib(d.value.get()), d.begin.get(), d.column.get(), info,
                             HIPSPARSE_SOLVE_POLICY_USE_LEVEL, buffer.get()));
  SPARSE(csric02<T>(h, n, a.count(), about, lib(d.value.get()), d.begin.get(), d.column.get(), info,
                    HIPSPARSE_SOLVE_POLICY_USE_LEVEL, buffer.get()));
  int pivot = 5;
  SPARSE(hipsparseXcsric02_zeroPivot(h, info, &pivot));
  SAME(pivot, -1);
  matrix<wide> want = widened(a);
  factor_cholesky(want);
  check_factor(d.value.read(), want);
  SPARSE(hipsparseDestroyCsric02Info(info));
}

// Diagonally dominant, with a solution of small integers: the condition is below 3.
template <class T>
void check_gtsv(int n, int sides, bool pivoting) {
  random_source random(n);
  std::vector<T> below = small_numbers<T>(random, n, 1), above = small_numbers<T>(random, n, 1), diagonal(n, T(8));
  below[0] = above[n - 1] = T(0);
  const int leading = n + 2;
  std::vector<T> b(static_cast<size_t>(leading) * sides, T(77)), want = b;
  for (int k = 0; k < sides; ++k)
    for (int r = 0; r < n; ++r) want[k * leading + r] = small_number<T>(random, 4);
  for (int k = 0; k < sides; ++k)
    for (int r = 0; r < n; ++r) {
      const T* x = &want[k * leading];
      b[k * leading + r] =
          (r > 0 ? below[r] * x[r - 1] : T(0)) + diagonal[r] * x[r] + (r + 1 < n ? above[r] * x[r + 1] : T(0));
    }
  const device_copy<T> dl(below), dd(diagonal), du(above), db(b);
  handle h;
  size_t bytes = 0;
  SPARSE((pivoting ? gtsv2_bufferSizeExt<T> : gtsv2_nopivot_bufferSizeExt<T>)(h, n, sides, lib(dl.get()), lib(dd.get()),
                                                                              lib(du.get()), lib(db.get()), leading,
                                                                              &bytes));
  const device_copy<char> buffer(bytes);
  SPARSE((pivoting ? gtsv2<T> : gtsv2_nopivot<T>)(h, n, sides, lib(dl.get()), lib(dd.get()), lib(du.get()),
                                                  lib(db.get()), leading, buffer.get()));
  using real = decltype(std::abs(T()));
  WITHIN(db.read(), want,
         std::vector<double>(want.size(), 64 * static_cast<double>(std::numeric_limits<real>::epsilon())));
}

}  // namespace

CASE(csrsv_float) {
  csrsv_in_all_ways<float>(70);
  csrsv_in_all_ways<float>(1);
  if (whole())
    for (const int n : {63, 64, 65, 300, 1000}) csrsv_in_all_ways<float>(n);
}
CASE(csrsv_other_types) {
  check_csrsv<double>(129, 1, {true, false, HIPSPARSE_OPERATION_TRANSPOSE});
  check_csrsv<c64>(65, 0, {false, false, HIPSPARSE_OPERATION_CONJUGATE_TRANSPOSE});
  if (!whole()) return;
  for (const int n : {1, 64, 200}) {
    csrsv_in_all_ways<double>(n);
    csrsv_in_all_ways<c32>(n);
    csrsv_in_all_ways<c64>(n);
  }
}
CASE(csrsv_zero_pivot) {
  for (const int base : {0, 1})
    for (const bool missing : {true, false}) check_zero_pivot(base, missing);
}
CASE(csrsm) {
  for (const hipsparseOperation_t of_b : {HIPSPARSE_OPERATION_NON_TRANSPOSE, HIPSPARSE_OPERATION_TRANSPOSE})
    for (const bool lower : {true, false}) {
      check_csrsm<float>(70, 5, lower, {lower, false, HIPSPARSE_OPERATION_NON_TRANSPOSE}, of_b);
      if (!whole()) continue;
      for (const hipsparseOperation_t operation : operations)
        for (const int sides : {1, 16, 33, 65}) {
          check_csrsm<double>(130, sides, lower, {lower, true, operation}, of_b);
          check_csrsm<c32>(130, sides, lower, {lower, false, operation}, of_b);
          check_csrsm<c64>(33, sides, lower, {lower, false, operation}, of_b);
        }
    }
}
CASE(ilu) {
  check_ilu<float>(100, 0);
  check_ilu<double>(65, 1);
  if (!whole()) return;
  for (const int n : {1, 2, 63, 64, 300}) {
    check_ilu<float>(n, 1);
    check_ilu<double>(n, 0);
    check_ilu<c32>(n, 1);
    check_ilu<c64>(n, 0);
  }
}
CASE(ic) {
  check_ic<float>(100, 0);
  check_ic<double>(65, 1);
  if (!whole()) return;
  for (const int n : {1, 2, 63, 64, 300}) {
    check_ic<float>(n, 1);
    check_ic<double>(n, 0);
    check_ic<c32>(n, 1);
    check_ic<c64>(n, 0);
  }
}
CASE(gtsv) {
  for (const bool pivoting : {true, false}) {
    check_gtsv<float>(100, 3, pivoting);
    if (!whole()) continue;
    for (const int n : {2, 3, 64, 65, 255, 1000}) {
      check_gtsv<float>(n, 1, pivoting);
      check_gtsv<double>(n, 17, pivoting);
      check_gtsv<c32>(n, 2, pivoting);
      check_gtsv<c64>(n, 2, pivoting);
    }
  }
}
// SPDX-License-Identifier: Apache-2.0
