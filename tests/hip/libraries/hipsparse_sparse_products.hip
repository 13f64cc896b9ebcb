// needs: hipsparse/hipsparse.h libhipsparse-dev librocsparse-dev
// flags: -std=c++17 -lhipsparse
// Products and sums of two sparse matrices, by each of hipSPARSE's interfaces.
#include "sparse.h"

SPARSE_CALL(csrgeam2_bufferSizeExt)
SPARSE_CALL(csrgeam2)
SPARSE_CALL(csrgemm)
SPARSE_CALL(csrgemm2_bufferSizeExt)
SPARSE_CALL(csrgemm2)

namespace {

// alpha * a * b + beta * d, or alpha * a + beta * d: by rows, sorted, with every place that an operand reaches.
template <class T>
matrix<T> combined(T alpha, const matrix<T>& a, const matrix<T>* b, T beta, const matrix<T>* d, int base) {
  const int columns = b != nullptr ? b->columns : a.columns;
  matrix<T> c(a.rows, columns, base);
  for (int r = 0; r < a.rows; ++r) {
    std::vector<T> sum(columns);
    std::vector<bool> in(columns);
    const auto put = [&](int column, T v) {
      sum[column] += v;
      in[column] = true;
    };
    for (int k = a.begin[r] - a.base; k < a.begin[r + 1] - a.base; ++k) {
      const int through = a.column[k] - a.base;
      if (b == nullptr) {
        put(through, alpha * a.value[k]);
        continue;
      }
      for (int j = b->begin[through] - b->base; j < b->begin[through + 1] - b->base; ++j)
        put(b->column[j] - b->base, alpha * a.value[k] * b->value[j]);
    }
    if (d != nullptr)
      for (int k = d->begin[r] - d->base; k < d->begin[r + 1] - d->base; ++k)
        put(d->column[k] - d->base, beta * d->value[k]);
    for (int column = 0; column < columns; ++column)
      if (in[column]) c.add(column, sum[column]);
    c.end_row();
  }
  return c;
}
template <class T>
void check_matrix(const device_copy<int>& begin, const device_copy<int>& column, const device_copy<T>& value,
                  const matrix<T>& want) {
  EQUAL(begin.read(), want.begin);
  EQUAL(column.read(), want.column);
  SAME_NUMBERS(value.read(), want.value);
}

template <class T>
void check_gemm(int rows, int inner, int columns, int each, bool with_product, bool with_sum) {
  const int bases[4] = {0, 1, 0, 1};
  const matrix<T> a = random_matrix<T>(1, rows, inner, bases[0], each);
  const matrix<T> b = random_matrix<T>(2, inner, columns, bases[1], each);
  const matrix<T> d = random_matrix<T>(3, rows, columns, bases[2], each);
  const T alpha = T(2), beta = T(-1);
  const T* alpha_or_none = with_product ? &alpha : nullptr;
  const T* beta_or_none = with_sum ? &beta : nullptr;
  const matrix<T> want = with_product ? combined(alpha, a, &b, beta, with_sum ? &d : nullptr, bases[3])
                                      : combined(beta, d, static_cast<const matrix<T>*>(nullptr), beta,
                                                 static_cast<const matrix<T>*>(nullptr), bases[3]);
  const device_matrix<T> da(a), db(b), dd(d);
  handle h;
  description about_a(bases[0]), about_b(bases[1]), about_d(bases[2]), about_c(bases[3]);
  csrgemm2Info_t info;
  SPARSE(hipsparseCreateCsrgemm2Info(&info));
  size_t bytes = 0;
  SPARSE(csrgemm2_bufferSizeExt<T>(h, rows, columns, inner, lib(alpha_or_none), about_a, a.count(), da.begin.get(),
                                   da.column.get(), about_b, b.count(), db.begin.get(), db.column.get(),
                                   lib(beta_or_none), about_d, d.count(), dd.begin.get(), dd.column.get(), info,
                                   &bytes));
  const device_copy<char> buffer(bytes);
  const device_copy<int> begin(static_cast<size_t>(rows) + 1);
  int count = -1;
  SPARSE(hipsparseXcsrgemm2Nnz(h, rows, columns, inner, about_a, a.count(), da.begin.get(), da.column.get(), about_b,
                               b.count(), db.begin.get(), db.column.get(), about_d, d.count(), dd.begin.get(),
                               dd.column.get(), about_c, begin.get(), &count, info, buffer.get()));
  SAME(count, want.count());
  const device_copy<int> column(static_cast<size_t>(count));
  const device_copy<T> value(static_cast<size_t>(count));
  SPARSE(csrgemm2<T>(h, rows, columns, inner, lib(alpha_or_none), about_a, a.count(), lib(da.value.get()),
                     da.begin.get(), da.column.get(), about_b, b.count(), lib(db.value.get()), db.begin.get(),
                     db.column.get(), lib(beta_or_none), about_d, d.count(), lib(dd.value.get()), dd.begin.get(),
                     dd.column.get(), about_c, lib(value.get()), begin.get(), column.get(), info, buffer.get()));
  check_matrix(begin, column, value, want);
  SPARSE(hipsparseDestroyCsrgemm2Info(info));
}
template <class T>
void check_geam(int rows, int columns) {
  const matrix<T> a = random_matrix<T>(1, rows, columns, 1), b = random_matrix<T>(2, rows, columns, 0);
  const T alpha = T(2), beta = T(-3);
  const matrix<T> want = combined(alpha, a, static_cast<const matrix<T>*>(nullptr), beta, &b, 1);
  const device_matrix<T> da(a), db(b);
  handle h;
  description about_a(1), about_b(0), about_c(1);
  const device_copy<int> begin(static_cast<size_t>(rows) + 1);
  size_t bytes = 0;
  SPARSE(csrgeam2_bufferSizeExt<T>(h, rows, columns, lib(&alpha), about_a, a.count(), lib(da.value.get()),
                                   da.begin.get(), da.column.get(), lib(&beta), about_b, b.count(), lib(db.value.get()),
                                   db.begin.get(), db.column.get(), about_c, lib(static_cast<const T*>(nullptr)),
                                   begin.get(), nullptr, &bytes));
  const device_copy<char> buffer(bytes);
  int count = -1;
  SPARSE(hipsparseXcsrgeam2Nnz(h, rows, columns, about_a, a.count(), da.begin.get(), da.column.get(), about_b,
                               b.count(), db.begin.get(), db.column.get(), about_c, begin.get(), &count, buffer.get()));
  SAME(count, want.count());
  const device_copy<int> column(static_cast<size_t>(count));
  const device_copy<T> value(static_cast<size_t>(count));
  SPARSE(csrgeam2<T>(h, rows, columns, lib(&alpha), about_a, a.count(), lib(da.value.get()), da.begin.get(),
                     da.column.get(), lib(&beta), about_b, b.count(), lib(db.value.get()), db.begin.get(),
                     db.column.get(), about_c, lib(value.get()), begin.get(), column.get(), buffer.get()));
  check_matrix(begin, column, value, want);
}

}  // namespace

CASE(csrgemm) {
  check_gemm<float>(70, 50, 90, 3, true, false);
  check_gemm<float>(70, 50, 90, 3, true, true);
  check_gemm<float>(70, 50, 90, 3, false, true);
  if (!whole()) return;
  for (const int each : {1, 4, 12}) {
    check_gemm<float>(300, 400, 257, each, true, true);
    check_gemm<double>(300, 400, 257, each, true, false);
    check_gemm<c32>(300, 400, 257, each, true, true);
    check_gemm<c64>(300, 400, 257, each, false, true);
  }
  // Rows of thousands.
  check_gemm<double>(40, 3000, 20000, 100, true, false);
}
CASE(csrgeam) {
  check_geam<float>(130, 70);
  check_geam<c64>(1, 300);
  if (!whole()) return;
  check_geam<double>(1000, 500);
  check_geam<c32>(1000, 500);
}

namespace {

const hipsparseOperation_t plain = HIPSPARSE_OPERATION_NON_TRANSPOSE;

// The first interface: without a factor and a sum.
template <class T>
void check_first_gemm(int rows, int inner, int columns, int each) {
  const matrix<T> a = random_matrix<T>(1, rows, inner, 0, each), b = random_matrix<T>(2, inner, columns, 1, each);
  const matrix<T> want = combined(T(1), a, &b, T(0), static_cast<const matrix<T>*>(nullptr), 1);
  const device_matrix<T> da(a), db(b);
  handle h;
  description about_a(0), about_b(1), about_c(1);
  const device_copy<int> begin(static_cast<size_t>(rows) + 1);
  int count = -1;
  SPARSE(hipsparseXcsrgemmNnz(h, plain, plain, rows, columns, inner, about_a, a.count(), da.begin.get(),
                              da.column.get(), about_b, b.count(), db.begin.get(), db.column.get(), about_c,
                              begin.get(), &count));
  SAME(count, want.count());
  const device_copy<int> column(static_cast<size_t>(count));
  const device_copy<T> value(static_cast<size_t>(count));
  SPARSE(csrgemm<T>(h, plain, plain, rows, columns, inner, about_a, a.count(), lib(da.value.get()), da.begin.get(),
                    da.column.get(), about_b, b.count(), lib(db.value.get()), db.begin.get(), db.column.get(), about_c,
                    lib(value.get()), begin.get(), column.get()));
  check_matrix(begin, column, value, want);
}

// The calls that take descriptions of everything: sizes first, then the rows, then the product.
template <class T, class I>
void check_described_gemm(int rows, int inner, int columns, int each) {
  const matrix<T> a = random_matrix<T>(1, rows, inner, 0, each), b = random_matrix<T>(2, inner, columns, 0, each);
  const T alpha = T(3), beta = T(0);
  const matrix<T> want = combined(alpha, a, &b, T(0), static_cast<const matrix<T>*>(nullptr), 0);
  const auto as = [](const std::vector<int>& v) { return std::vector<I>(v.begin(), v.end()); };
  const device_copy<I> begin_a(as(a.begin)), column_a(as(a.column)), begin_b(as(b.begin)), column_b(as(b.column));
  const device_copy<T> value_a(a.value), value_b(b.value);
  const device_copy<I> begin(static_cast<size_t>(rows) + 1);
  handle h;
  const auto rows_of = [](int64_t m, int64_t n, int64_t count, I* begin, I* column, T* value) {
    hipsparseSpMatDescr_t made;
    SPARSE(hipsparseCreateCsr(&made, m, n, count, begin, column, value, index_of<I>(), index_of<I>(),
                              HIPSPARSE_INDEX_BASE_ZERO, type_of<T>()));
    return made;
  };
  const hipsparseSpMatDescr_t ma = rows_of(rows, inner, a.count(), begin_a.get(), column_a.get(), value_a.get()),
                              mb = rows_of(inner, columns, b.count(), begin_b.get(), column_b.get(), value_b.get()),
                              mc = rows_of(rows, columns, 0, begin.get(), nullptr, nullptr);
  hipsparseSpGEMMDescr_t product;
  SPARSE(hipsparseSpGEMM_createDescr(&product));
  size_t first = 0, second = 0;
  const auto estimate = [&](void* buffer) {
    SPARSE(hipsparseSpGEMM_workEstimation(h, plain, plain, &alpha, ma, mb, &beta, mc, type_of<T>(),
                                          HIPSPARSE_SPGEMM_DEFAULT, product, &first, buffer));
  };
  const auto compute = [&](void* buffer) {
    SPARSE(hipsparseSpGEMM_compute(h, plain, plain, &alpha, ma, mb, &beta, mc, type_of<T>(), HIPSPARSE_SPGEMM_DEFAULT,
                                   product, &second, buffer));
  };
  estimate(nullptr);
  const device_copy<char> first_buffer(first);
  estimate(first_buffer.get());
  compute(nullptr);
  const device_copy<char> second_buffer(second);
  compute(second_buffer.get());
  int64_t m = 0, n = 0, count = -1;
  SPARSE(hipsparseSpMatGetSize(mc, &m, &n, &count));
  SAME(m, rows);
  SAME(n, columns);
  SAME(count, want.count());
  const device_copy<I> column(static_cast<size_t>(count));
  const device_copy<T> value(static_cast<size_t>(count));
  SPARSE(hipsparseCsrSetPointers(mc, begin.get(), column.get(), value.get()));
  SPARSE(hipsparseSpGEMM_copy(h, plain, plain, &alpha, ma, mb, &beta, mc, type_of<T>(), HIPSPARSE_SPGEMM_DEFAULT,
                              product));
  EQUAL(begin.read(), as(want.begin));
  EQUAL(column.read(), as(want.column));
  SAME_NUMBERS(value.read(), want.value);
  SPARSE(hipsparseSpGEMM_destroyDescr(product));
  for (const hipsparseSpMatDescr_t d : {ma, mb, mc}) SPARSE(hipsparseDestroySpMat(d));
}

}  // namespace

CASE(csrgemm_first_interface) {
  check_first_gemm<float>(70, 50, 90, 3);
  check_first_gemm<c64>(1, 50, 90, 3);
  if (!whole()) return;
  check_first_gemm<double>(300, 400, 257, 12);
  check_first_gemm<c32>(300, 400, 257, 4);
}
CASE(spgemm) {
  check_described_gemm<float, int32_t>(70, 50, 90, 3);
  if (!whole()) return;
  check_described_gemm<double, int32_t>(300, 400, 257, 12);
  check_described_gemm<c32, int32_t>(300, 400, 257, 4);
  check_described_gemm<c64, int32_t>(300, 400, 257, 4);
}
// SPDX-License-Identifier: Apache-2.0
