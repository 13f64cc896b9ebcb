// needs: hipsparse/hipsparse.h libhipsparse-dev librocsparse-dev
// flags: -std=c++17 -lhipsparse -Wno-deprecated-declarations
// Products of hipSPARSE: sparse vectors, matrices with vectors and with dense matrices, and blocked and hybrid formats.
// (HIPSPARSE_ORDER_COLUMN is deprecated in the headers of 5.7, and those of 5.2 have no other name.)
#include "sparse.h"

SPARSE_CALL(axpyi)
SPARSE_CALL(doti)
SPARSE_CALL(gthr)
SPARSE_CALL(gthrz)
SPARSE_CALL(sctr)
SPARSE_CALL(csrmv)
SPARSE_CALL(csrmm)
SPARSE_CALL(csrmm2)
SPARSE_CALL(csr2bsr)
SPARSE_CALL(bsrmv)
SPARSE_CALL(csr2hyb)
SPARSE_CALL(hybmv)

namespace {

const hipsparseOperation_t plain = HIPSPARSE_OPERATION_NON_TRANSPOSE;
const hipsparseOperation_t operations[] = {plain, HIPSPARSE_OPERATION_TRANSPOSE,
                                           HIPSPARSE_OPERATION_CONJUGATE_TRANSPOSE};

template <class T>
matrix<T> applied(const matrix<T>& m, hipsparseOperation_t operation) {
  if (operation == plain) return m;
  return m.transposed(operation == HIPSPARSE_OPERATION_CONJUGATE_TRANSPOSE);
}
// alpha * m * x + beta * y; with beta 0 y counts for nothing, whatever it is.
template <class T>
std::vector<T> times(T alpha, const matrix<T>& m, const std::vector<T>& x, T beta, const std::vector<T>& y) {
  std::vector<T> sum(m.rows);
  m.each([&](int r, int c, T v) { sum[r] += v * x[c]; });
  for (int r = 0; r < m.rows; ++r) sum[r] = alpha * sum[r] + (beta == T(0) ? T(0) : beta * y[r]);
  return sum;
}
template <class T>
std::vector<T> not_numbers(size_t count) {
  return std::vector<T>(count, T(std::nanf("")));
}

template <class T>
void check_csrmv(int rows, int columns, int each, int base, hipsparseOperation_t operation, T alpha, T beta,
                 bool shuffled = false) {
  const matrix<T> a = random_matrix<T>(rows + columns, rows, columns, base, each, shuffled);
  const matrix<T> op = applied(a, operation);
  random_source random(3);
  const std::vector<T> x = small_numbers<T>(random, op.columns);
  // In a transposed product the library multiplies y by beta even if that is 0, so a NaN stays.
  const std::vector<T> y =
      beta == T(0) && operation == plain ? not_numbers<T>(op.rows) : small_numbers<T>(random, op.rows);
  const device_matrix<T> d(a);
  const device_copy<T> dx(x), dy(y);
  handle h;
  description about(base);
  SPARSE(csrmv<T>(h, operation, rows, columns, a.count(), lib(&alpha), about, lib(d.value.get()), d.begin.get(),
                  d.column.get(), lib(dx.get()), lib(&beta), lib(dy.get())));
  SAME_NUMBERS(dy.read(), times(alpha, op, x, beta, y));
}
template <class T>
void csrmv_in_all_ways() {
  for (const hipsparseOperation_t operation : operations)
    for (const int base : {0, 1}) {
      check_csrmv<T>(1, 1, 2, base, operation, T(1), T(0));
      check_csrmv<T>(1, 300, 150, base, operation, T(2), T(1));
      check_csrmv<T>(300, 1, 2, base, operation, T(-1), T(0));
      check_csrmv<T>(257, 190, 4, base, operation, T(3), T(-2));
      check_csrmv<T>(130, 130, 4, base, operation, T(1), T(0), true);
      if (whole()) check_csrmv<T>(5000, 3000, 60, base, operation, T(1), T(1));
    }
}

}  // namespace

CASE(vectors) {
  for (const int base : {0, 1}) {
    handle h;
    random_source random(1);
    std::vector<int> places;
    for (int i = 0; i < 1000; i += 1 + static_cast<int>(random.below(4))) places.push_back(i + base);
    const int count = static_cast<int>(places.size());
    const std::vector<float> x = small_numbers<float>(random, count), y = small_numbers<float>(random, 1000);
    const device_copy<int> at(places);
    const device_copy<float> dx(x);
    const float alpha = 3;
    std::vector<float> sum = y, scattered = y, gathered(count), rest = y;
    float dot = 0;
    for (int k = 0; k < count; ++k) {
      sum[places[k] - base] += alpha * x[k];
      scattered[places[k] - base] = x[k];
      gathered[k] = y[places[k] - base];
      rest[places[k] - base] = 0;
      dot += x[k] * y[places[k] - base];
    }
    const device_copy<float> dsum(y), dscattered(y), dgathered(x), dy(y);
    SPARSE(axpyi<float>(h, count, &alpha, dx.get(), at.get(), dsum.get(), index_base(base)));
    EQUAL(dsum.read(), sum);
    float got = 0;
    SPARSE(doti<float>(h, count, dx.get(), at.get(), dy.get(), &got, index_base(base)));
    SAME(got, dot);
    SPARSE(sctr<float>(h, count, dx.get(), at.get(), dscattered.get(), index_base(base)));
    EQUAL(dscattered.read(), scattered);
    SPARSE(gthr<float>(h, count, dy.get(), dgathered.get(), at.get(), index_base(base)));
    EQUAL(dgathered.read(), gathered);
    const device_copy<float> again(x);
    SPARSE(gthrz<float>(h, count, dy.get(), again.get(), at.get(), index_base(base)));
    EQUAL(again.read(), gathered);
    EQUAL(dy.read(), rest);
    // A rotation by 3, 4: both sides at once.
    const float c = 3, s = 4;
    const device_copy<float> rx(x), ry(y);
    SPARSE(hipsparseSroti(h, count, rx.get(), at.get(), ry.get(), &c, &s, index_base(base)));
    std::vector<float> wx = x, wy = y;
    for (int k = 0; k < count; ++k) {
      float& to = wy[places[k] - base];
      wx[k] = c * x[k] + s * to;
      to = c * to - s * x[k];
    }
    SAME_NUMBERS(rx.read(), wx);
    SAME_NUMBERS(ry.read(), wy);
    // Nothing at all: a sum is left as it was, and not 0.
    SPARSE(axpyi<float>(h, 0, &alpha, dx.get(), at.get(), dsum.get(), index_base(base)));
    EQUAL(dsum.read(), sum);
    SPARSE(doti<float>(h, 0, dx.get(), at.get(), dy.get(), &got, index_base(base)));
    SAME(got, dot);
  }
}
CASE(scalars_in_device_memory) {
  handle h;
  SPARSE(hipsparseSetPointerMode(h, HIPSPARSE_POINTER_MODE_DEVICE));
  const matrix<double> a = random_matrix<double>(9, 100, 100, 0);
  random_source random(3);
  const std::vector<double> x = small_numbers<double>(random, 100), y = small_numbers<double>(random, 100);
  const device_matrix<double> d(a);
  const device_copy<double> dx(x), dy(y), scalars(std::vector<double>{2, -3, 0});
  description about(0);
  SPARSE(hipsparseDcsrmv(h, plain, 100, 100, a.count(), scalars.get(), about, d.value.get(), d.begin.get(),
                         d.column.get(), dx.get(), scalars.get() + 1, dy.get()));
  SAME_NUMBERS(dy.read(), times(2.0, a, x, -3.0, y));
  const device_copy<int> places(std::vector<int>{1, 7, 50});
  SPARSE(hipsparseDdoti(h, 3, dx.get(), places.get(), dx.get(), scalars.get() + 2, HIPSPARSE_INDEX_BASE_ZERO));
  SAME(scalars.read()[2], x[0] * x[1] + x[1] * x[7] + x[2] * x[50]);
}
CASE(csrmv_float) {
  csrmv_in_all_ways<float>();
}
CASE(csrmv_complex) {
  csrmv_in_all_ways<c64>();
}
CASE(csrmv_other_types) {
  if (!whole()) return;
  csrmv_in_all_ways<double>();
  csrmv_in_all_ways<c32>();
}
CASE(csrmv_without_entries) {
  for (const hipsparseOperation_t operation : operations) {
    handle h;
    description about(0);
    const device_copy<int> begin(std::vector<int>(4)), column(size_t{0});
    const device_copy<float> value(size_t{0}), x(std::vector<float>(3, 1)), y(std::vector<float>{1, 2, 3});
    const float alpha = 1, beta = 2;
    SPARSE(hipsparseScsrmv(h, operation, 3, 3, 0, &alpha, about, value.get(), begin.get(), column.get(), x.get(), &beta,
                           y.get()));
    EQUAL(y.read(), {2, 4, 6});
    SPARSE(hipsparseScsrmv(h, operation, 0, 0, 0, &alpha, about, value.get(), begin.get(), column.get(), x.get(), &beta,
                           y.get()));
    EQUAL(y.read(), {2, 4, 6});
  }
}
CASE(csrmv_of_infinities) {
  // 0 of the matrix times infinity is NaN; an infinity where the matrix has no entry is not looked at.
  matrix<float> a(3, 3, 0);
  a.add(0, 0.0f);
  a.end_row();
  a.add(1, 2.0f);
  a.end_row();
  a.add(1, 1.0f);
  a.add(2, -1.0f);
  a.end_row();
  const device_matrix<float> d(a);
  const device_copy<float> x(std::vector<float>{INFINITY, 1, INFINITY}), y(size_t{3});
  const float alpha = 1, beta = 0;
  handle h;
  description about(0);
  SPARSE(hipsparseScsrmv(h, plain, 3, 3, a.count(), &alpha, about, d.value.get(), d.begin.get(), d.column.get(),
                         x.get(), &beta, y.get()));
  const std::vector<float> got = y.read();
  EXPECT(std::isnan(got[0]) && got[1] == 2 && got[2] == -INFINITY);
}

namespace {

template <class T>
void check_csrmm(int rows, int columns, int wide, int base, hipsparseOperation_t of_a, hipsparseOperation_t of_b) {
  const matrix<T> a = random_matrix<T>(rows + columns, rows, columns, base);
  const matrix<T> op = applied(a, of_a);
  random_source random(3);
  const bool by_rows = of_b != plain;
  const int leading_b = (by_rows ? wide : op.columns) + 1, leading_c = op.rows + 2;
  const std::vector<T> b = small_numbers<T>(random, static_cast<size_t>(leading_b) * (by_rows ? op.columns : wide));
  const std::vector<T> c = small_numbers<T>(random, static_cast<size_t>(leading_c) * wide);
  const T alpha = T(2), beta = T(-1);
  std::vector<T> want = c;
  for (int k = 0; k < wide; ++k) {
    std::vector<T> x(op.columns), y(op.rows);
    for (int i = 0; i < op.columns; ++i) {
      const T v = by_rows ? b[static_cast<size_t>(i) * leading_b + k] : b[static_cast<size_t>(k) * leading_b + i];
      x[i] = of_b == HIPSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? conjugate(v) : v;
    }
    for (int i = 0; i < op.rows; ++i) y[i] = c[static_cast<size_t>(k) * leading_c + i];
    const std::vector<T> column = times(alpha, op, x, beta, y);
    for (int i = 0; i < op.rows; ++i) want[static_cast<size_t>(k) * leading_c + i] = column[i];
  }
  const device_matrix<T> d(a);
  const device_copy<T> db(b), dc(c);
  handle h;
  description about(base);
  SPARSE(csrmm2<T>(h, of_a, of_b, rows, wide, columns, a.count(), lib(&alpha), about, lib(d.value.get()), d.begin.get(),
                   d.column.get(), lib(db.get()), leading_b, lib(&beta), lib(dc.get()), leading_c));
  SAME_NUMBERS(dc.read(), want);
  if (by_rows) return;
  // The older call, which has no operation for the dense matrix.
  const device_copy<T> again(c);
  SPARSE(csrmm<T>(h, of_a, rows, wide, columns, a.count(), lib(&alpha), about, lib(d.value.get()), d.begin.get(),
                  d.column.get(), lib(db.get()), leading_b, lib(&beta), lib(again.get()), leading_c));
  SAME_NUMBERS(again.read(), want);
}

}  // namespace

CASE(csrmm_float) {
  for (const hipsparseOperation_t of_b : {plain, HIPSPARSE_OPERATION_TRANSPOSE})
    for (const int base : {0, 1}) {
      check_csrmm<float>(130, 97, 1, base, plain, of_b);
      check_csrmm<float>(66, 130, 17, base, plain, of_b);
      if (whole()) check_csrmm<float>(1000, 700, 65, base, plain, of_b);
    }
}
CASE(csrmm_other_types) {
  check_csrmm<c64>(50, 40, 9, 1, plain, HIPSPARSE_OPERATION_CONJUGATE_TRANSPOSE);
  if (!whole()) return;
  for (const hipsparseOperation_t of_b : operations)
    for (const int wide : {1, 8, 33, 130}) {
      check_csrmm<double>(257, 97, wide, 0, plain, of_b);
      check_csrmm<c32>(257, 97, wide, 0, plain, of_b);
      check_csrmm<c64>(257, 97, wide, 1, plain, of_b);
    }
}

namespace {

template <class T>
void check_blocked(int rows, int columns, int block, hipsparseDirection_t direction, int base) {
  const matrix<T> a = random_matrix<T>(5, rows, columns, base);
  const int block_rows = (rows + block - 1) / block, block_columns = (columns + block - 1) / block;
  random_source random(3);
  const std::vector<T> x = small_numbers<T>(random, static_cast<size_t>(block_columns) * block),
                       y = small_numbers<T>(random, static_cast<size_t>(block_rows) * block);
  const T alpha = T(2), beta = T(3);
  const device_matrix<T> d(a);
  const device_copy<T> dx(x), dy(y);
  handle h;
  description about(base), blocked(0);
  const device_copy<int> begin(static_cast<size_t>(block_rows) + 1);
  int count = 0;
  SPARSE(hipsparseXcsr2bsrNnz(h, direction, rows, columns, about, d.begin.get(), d.column.get(), block, blocked,
                              begin.get(), &count));
  const device_copy<int> column(static_cast<size_t>(count));
  const device_copy<T> value(static_cast<size_t>(count) * block * block);
  SPARSE(csr2bsr<T>(h, direction, rows, columns, about, lib(d.value.get()), d.begin.get(), d.column.get(), block,
                    blocked, lib(value.get()), begin.get(), column.get()));
  SPARSE(bsrmv<T>(h, direction, plain, block_rows, block_columns, count, lib(&alpha), blocked, lib(value.get()),
                  begin.get(), column.get(), block, lib(dx.get()), lib(&beta), lib(dy.get())));
  // Rows that fill the last block have no entry.
  std::vector<T> want = times(alpha, a, x, beta, y);
  for (size_t r = want.size(); r < y.size(); ++r) want.push_back(beta * y[r]);
  SAME_NUMBERS(dy.read(), want);
}
template <class T>
void check_hybrid(int rows, int columns, hipsparseHybPartition_t partition) {
  // As wide as the longest row may not be more than twice the average, and one.
  if (partition == HIPSPARSE_HYB_PARTITION_MAX) rows = 3;
  const matrix<T> a = random_matrix<T>(5, rows, columns, 0);
  random_source random(3);
  const std::vector<T> x = small_numbers<T>(random, columns), y = small_numbers<T>(random, rows);
  const T alpha = T(2), beta = T(3);
  const device_matrix<T> d(a);
  const device_copy<T> dx(x), dy(y);
  handle h;
  description about(0);
  hipsparseHybMat_t hybrid;
  SPARSE(hipsparseCreateHybMat(&hybrid));
  SPARSE(csr2hyb<T>(h, rows, columns, about, lib(d.value.get()), d.begin.get(), d.column.get(), hybrid, 3, partition));
  SPARSE(hybmv<T>(h, plain, lib(&alpha), about, hybrid, lib(dx.get()), lib(&beta), lib(dy.get())));
  SAME_NUMBERS(dy.read(), times(alpha, a, x, beta, y));
  SPARSE(hipsparseDestroyHybMat(hybrid));
}

}  // namespace

CASE(bsrmv_blocks) {
  for (const int block : {2, 5})
    for (const hipsparseDirection_t direction : {HIPSPARSE_DIRECTION_ROW, HIPSPARSE_DIRECTION_COLUMN})
      check_blocked<float>(130, 71, block, direction, 1);
  if (!whole()) return;
  for (int block = 1; block <= 20; ++block)
    for (const hipsparseDirection_t direction : {HIPSPARSE_DIRECTION_ROW, HIPSPARSE_DIRECTION_COLUMN}) {
      check_blocked<double>(257, 130, block, direction, 0);
      check_blocked<c32>(257, 130, block, direction, 0);
      check_blocked<c64>(257, 130, block, direction, 0);
    }
}
CASE(hybmv_partitions) {
  for (const hipsparseHybPartition_t partition :
       {HIPSPARSE_HYB_PARTITION_AUTO, HIPSPARSE_HYB_PARTITION_USER, HIPSPARSE_HYB_PARTITION_MAX}) {
    check_hybrid<float>(130, 300, partition);
    if (!whole()) continue;
    check_hybrid<double>(1000, 300, partition);
    check_hybrid<c32>(1000, 300, partition);
    check_hybrid<c64>(1000, 300, partition);
  }
}

namespace {

template <class I>
std::vector<I> as(const std::vector<int>& values) {
  return std::vector<I>(values.begin(), values.end());
}
// The calls that take descriptions of everything: coordinates, or rows; with a vector, or several.
template <class T, class I>
void check_generic(int rows, int columns, int base, bool coordinates, int wide) {
  const matrix<T> a = random_matrix<T>(8, rows, columns, base);
  random_source random(3);
  const std::vector<T> x = small_numbers<T>(random, static_cast<size_t>(columns) * wide),
                       y = small_numbers<T>(random, static_cast<size_t>(rows) * wide);
  const T alpha = T(2), beta = T(-1);
  const device_copy<I> begin(as<I>(coordinates ? a.row_of_each() : a.begin)), column(as<I>(a.column));
  const device_copy<T> value(a.value), dx(x), dy(y);
  handle h;
  hipsparseSpMatDescr_t m;
  if (coordinates)
    SPARSE(hipsparseCreateCoo(&m, rows, columns, a.count(), begin.get(), column.get(), value.get(), index_of<I>(),
                              index_base(base), type_of<T>()));
  else
    SPARSE(hipsparseCreateCsr(&m, rows, columns, a.count(), begin.get(), column.get(), value.get(), index_of<I>(),
                              index_of<I>(), index_base(base), type_of<T>()));
  size_t bytes = 0;
  if (wide == 1) {
    hipsparseDnVecDescr_t vx, vy;
    SPARSE(hipsparseCreateDnVec(&vx, columns, dx.get(), type_of<T>()));
    SPARSE(hipsparseCreateDnVec(&vy, rows, dy.get(), type_of<T>()));
    SPARSE(
        hipsparseSpMV_bufferSize(h, plain, &alpha, m, vx, &beta, vy, type_of<T>(), HIPSPARSE_MV_ALG_DEFAULT, &bytes));
    const device_copy<char> buffer(bytes);
    SPARSE(hipsparseSpMV(h, plain, &alpha, m, vx, &beta, vy, type_of<T>(), HIPSPARSE_MV_ALG_DEFAULT, buffer.get()));
    SPARSE(hipsparseDestroyDnVec(vx));
    SPARSE(hipsparseDestroyDnVec(vy));
  } else {
    hipsparseDnMatDescr_t mx, my;
    SPARSE(hipsparseCreateDnMat(&mx, columns, wide, columns, dx.get(), type_of<T>(), HIPSPARSE_ORDER_COLUMN));
    SPARSE(hipsparseCreateDnMat(&my, rows, wide, rows, dy.get(), type_of<T>(), HIPSPARSE_ORDER_COLUMN));
    SPARSE(hipsparseSpMM_bufferSize(h, plain, plain, &alpha, m, mx, &beta, my, type_of<T>(), HIPSPARSE_SPMM_ALG_DEFAULT,
                                    &bytes));
    const device_copy<char> buffer(bytes);
    SPARSE(hipsparseSpMM(h, plain, plain, &alpha, m, mx, &beta, my, type_of<T>(), HIPSPARSE_SPMM_ALG_DEFAULT,
                         buffer.get()));
    SPARSE(hipsparseDestroyDnMat(mx));
    SPARSE(hipsparseDestroyDnMat(my));
  }
  std::vector<T> want;
  for (int k = 0; k < wide; ++k) {
    const std::vector<T> part = times(alpha, a, std::vector<T>(x.begin() + k * columns, x.begin() + (k + 1) * columns),
                                      beta, std::vector<T>(y.begin() + k * rows, y.begin() + (k + 1) * rows));
    want.insert(want.end(), part.begin(), part.end());
  }
  SAME_NUMBERS(dy.read(), want);
  SPARSE(hipsparseDestroySpMat(m));
}

}  // namespace

CASE(generic_products) {
  for (const bool coordinates : {false, true})
    for (const int wide : {1, 5}) {
      check_generic<float, int32_t>(130, 97, 0, coordinates, wide);
      if (!whole()) continue;
      for (const int base : {0, 1}) {
        check_generic<double, int64_t>(1000, 700, base, coordinates, wide);
        check_generic<c32, int32_t>(1000, 700, base, coordinates, wide);
        check_generic<c64, int64_t>(1000, 700, base, coordinates, wide);
      }
    }
}
// SPDX-License-Identifier: Apache-2.0
