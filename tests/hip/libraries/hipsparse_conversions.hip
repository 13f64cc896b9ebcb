// needs: hipsparse/hipsparse.h libhipsparse-dev librocsparse-dev
// flags: -std=c++17 -lhipsparse
// hipSPARSE between its formats: coordinates, rows, columns, dense, blocks; and its sorts.
#include <numeric>

#include "sparse.h"

SPARSE_CALL(nnz)
SPARSE_CALL(dense2csr)
SPARSE_CALL(csr2dense)
SPARSE_CALL(csr2csc)
SPARSE_CALL(csr2bsr)
SPARSE_CALL(bsr2csr)
SPARSE_CALL(csru2csr_bufferSizeExt)
SPARSE_CALL(csru2csr)
SPARSE_CALL(csr2csru)
SPARSE_CALL(csr2csr_compress)
SPARSE_CALL(nnz_compress)

namespace {

// Rows, columns, entries of about that many in a row.
struct shape {
  int rows, columns, each;
};
std::vector<shape> shapes() {
  std::vector<shape> all = {{1, 1, 2}, {130, 97, 4}, {1, 500, 200}, {500, 1, 2}, {257, 256, 1}};
  if (whole()) all.insert(all.end(), {{3000, 4000, 40}, {10000, 64, 3}, {64, 10000, 300}});
  return all;
}
template <class Check>
void in_all_shapes(Check check) {
  for (const int base : {0, 1})
    for (const shape& s : shapes()) check(s, base);
}

std::vector<int> permuted(const std::vector<int>& values, const std::vector<int>& order) {
  std::vector<int> v;
  for (const int k : order) v.push_back(values[k]);
  return v;
}
std::vector<int> counting(int n) {
  std::vector<int> v(n);
  std::iota(v.begin(), v.end(), 0);
  return v;
}

}  // namespace

CASE(coordinates_to_rows_and_back) {
  in_all_shapes([](const shape& s, int base) {
    const matrix<float> a = random_matrix<float>(1, s.rows, s.columns, base, s.each);
    const std::vector<int> rows = a.row_of_each();
    handle h;
    const device_copy<int> drows(rows), dbegin(a.begin.size()), again(rows.size());
    SPARSE(hipsparseXcoo2csr(h, drows.get(), a.count(), s.rows, dbegin.get(), index_base(base)));
    EQUAL(dbegin.read(), a.begin);
    SPARSE(hipsparseXcsr2coo(h, dbegin.get(), a.count(), s.rows, again.get(), index_base(base)));
    EQUAL(again.read(), rows);
  });
}
CASE(coordinates_of_nothing) {
  handle h;
  const device_copy<int> none(size_t{0}), begin(size_t{6});
  SPARSE(hipsparseXcoo2csr(h, none.get(), 0, 5, begin.get(), HIPSPARSE_INDEX_BASE_ONE));
  EQUAL(begin.read(), {1, 1, 1, 1, 1, 1});
  SPARSE(hipsparseXcsr2coo(h, begin.get(), 0, 5, none.get(), HIPSPARSE_INDEX_BASE_ONE));
}
CASE(all_entries_in_one_row) {
  for (const int row : {0, 3, 6}) {
    handle h;
    const device_copy<int> rows(std::vector<int>(1000, row)), begin(size_t{8});
    SPARSE(hipsparseXcoo2csr(h, rows.get(), 1000, 7, begin.get(), HIPSPARSE_INDEX_BASE_ZERO));
    std::vector<int> want(8, 0);
    for (int r = row + 1; r < 8; ++r) want[r] = 1000;
    EQUAL(begin.read(), want);
  }
}

namespace {

template <class T>
void check_transpose(const shape& s, int base, bool numbers) {
  // Columns in any order: rows of the result are in the order of the matrix' rows.
  const matrix<T> a = random_matrix<T>(2, s.rows, s.columns, base, s.each, true), want = a.transposed();
  const device_matrix<T> d(a);
  const device_copy<T> value(a.value.size());
  const device_copy<int> row(a.column.size()), begin(static_cast<size_t>(s.columns) + 1);
  handle h;
  SPARSE(csr2csc<T>(h, s.rows, s.columns, a.count(), lib(d.value.get()), d.begin.get(), d.column.get(),
                    lib(value.get()), row.get(), begin.get(),
                    numbers ? HIPSPARSE_ACTION_NUMERIC : HIPSPARSE_ACTION_SYMBOLIC, index_base(base)));
  EQUAL(begin.read(), want.begin);
  EQUAL(row.read(), want.column);
  if (numbers) EQUAL(value.read(), want.value);
}
template <class T>
void check_dense(const shape& s, int base) {
  const matrix<T> a = random_matrix<T>(3, s.rows, s.columns, base, s.each);
  const int leading = s.rows + 3;
  std::vector<T> dense(static_cast<size_t>(leading) * s.columns, T(77));
  for (int c = 0; c < s.columns; ++c)
    for (int r = 0; r < s.rows; ++r) dense[static_cast<size_t>(c) * leading + r] = T(0);
  a.each([&](int r, int c, T v) { dense[static_cast<size_t>(c) * leading + r] = v; });
  const device_copy<T> d(dense);
  const device_copy<int> in_rows(static_cast<size_t>(s.rows)), in_columns(static_cast<size_t>(s.columns));
  handle h;
  description about(base);
  int count = -1;
  SPARSE(nnz<T>(h, HIPSPARSE_DIRECTION_ROW, s.rows, s.columns, about, lib(d.get()), leading, in_rows.get(), &count));
  SAME(count, a.count());
  SPARSE(
      nnz<T>(h, HIPSPARSE_DIRECTION_COLUMN, s.rows, s.columns, about, lib(d.get()), leading, in_columns.get(), &count));
  SAME(count, a.count());
  std::vector<int> rows(s.rows), columns(s.columns);
  a.each([&](int r, int c, T) {
    ++rows[r];
    ++columns[c];
  });
  EQUAL(in_rows.read(), rows);
  EQUAL(in_columns.read(), columns);
  const device_copy<T> value(a.value.size());
  const device_copy<int> begin(a.begin.size()), column(a.column.size());
  SPARSE(dense2csr<T>(h, s.rows, s.columns, about, lib(d.get()), leading, in_rows.get(), lib(value.get()), begin.get(),
                      column.get()));
  EQUAL(begin.read(), a.begin);
  EQUAL(column.read(), a.column);
  EQUAL(value.read(), a.value);
  const device_copy<T> again(std::vector<T>(dense.size(), T(77)));
  SPARSE(csr2dense<T>(h, s.rows, s.columns, about, lib(value.get()), begin.get(), column.get(), lib(again.get()),
                      leading));
  EQUAL(again.read(), dense);
}

}  // namespace

CASE(rows_to_columns) {
  in_all_shapes([](const shape& s, int base) { check_transpose<float>(s, base, true); });
  check_transpose<c64>({130, 97, 4}, 1, true);
  check_transpose<float>({130, 97, 4}, 0, false);
  if (!whole()) return;
  in_all_shapes([](const shape& s, int base) { check_transpose<double>(s, base, true); });
  in_all_shapes([](const shape& s, int base) { check_transpose<c32>(s, base, true); });
}
CASE(dense_and_back) {
  in_all_shapes([](const shape& s, int base) { check_dense<float>(s, base); });
  check_dense<c64>({130, 97, 4}, 1);
  if (!whole()) return;
  in_all_shapes([](const shape& s, int base) { check_dense<double>(s, base); });
  in_all_shapes([](const shape& s, int base) { check_dense<c32>(s, base); });
}
namespace {

template <class T>
void check_zeros(const std::vector<T>& dense, const std::vector<int>& in_rows) {
  const int rows = static_cast<int>(dense.size());
  std::vector<int> begin{0};
  std::vector<T> value;
  for (int r = 0; r < rows; ++r) {
    begin.push_back(begin[r] + in_rows[r]);
    if (in_rows[r] != 0) value.push_back(dense[r]);
  }
  const device_copy<T> d(dense), dvalue(value.size());
  const device_copy<int> dcounts(in_rows.size()), dbegin(begin.size()), dcolumn(value.size());
  handle h;
  description about(0);
  int count = -1;
  SPARSE(nnz<T>(h, HIPSPARSE_DIRECTION_ROW, rows, 1, about, d.get(), rows, dcounts.get(), &count));
  SAME(count, begin.back());
  EQUAL(dcounts.read(), in_rows);
  SPARSE(dense2csr<T>(h, rows, 1, about, d.get(), rows, dcounts.get(), dvalue.get(), dbegin.get(), dcolumn.get()));
  EQUAL(dbegin.read(), begin);
  EQUAL(dvalue.read(), value);
}

}  // namespace

// A zero of either sign is no entry, NaN is one. The library's kernels take denormal floats for 0, and no doubles.
CASE(what_counts_as_zero) {
  check_zeros<float>({0.0f, -0.0f, 1e-45f, NAN, -1e-39f, INFINITY, 1.2e-38f}, {0, 0, 0, 1, 0, 1, 1});
  check_zeros<double>({0.0, -0.0, 4e-324, NAN, -1e-310, INFINITY, 1e-300}, {0, 0, 1, 1, 1, 1, 1});
}

namespace {

// Sorts coordinates, and says how: by rows (columns within), or by columns.
void check_coosort(const shape& s, int base, bool by_rows, bool stable_alone) {
  random_source random(7);
  const int count = s.rows * s.each;
  std::vector<int> rows(count), columns(count);
  for (int k = 0; k < count; ++k) {
    rows[k] = base + static_cast<int>(stable_alone ? 0 : random.below(s.rows));
    columns[k] = base + static_cast<int>(stable_alone ? 0 : random.below(s.columns));
  }
  std::vector<int> order = counting(count);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    const auto key = [&](int k) {
      return by_rows ? std::make_pair(rows[k], columns[k]) : std::make_pair(columns[k], rows[k]);
    };
    return key(a) < key(b);
  });
  const device_copy<int> drows(rows), dcolumns(columns), dorder(static_cast<size_t>(count));
  handle h;
  size_t bytes = 0;
  SPARSE(hipsparseXcoosort_bufferSizeExt(h, s.rows, s.columns, count, drows.get(), dcolumns.get(), &bytes));
  const device_copy<char> buffer(bytes);
  SPARSE(hipsparseCreateIdentityPermutation(h, count, dorder.get()));
  EQUAL(dorder.read(), counting(count));
  SPARSE((by_rows ? hipsparseXcoosortByRow : hipsparseXcoosortByColumn)(h, s.rows, s.columns, count, drows.get(),
                                                                        dcolumns.get(), dorder.get(), buffer.get()));
  EQUAL(drows.read(), permuted(rows, order));
  EQUAL(dcolumns.read(), permuted(columns, order));
  EQUAL(dorder.read(), order);
}
// Sorts the entries of each row or column.
void check_csrsort(const shape& s, int base, bool columns) {
  const matrix<float> a = random_matrix<float>(4, s.rows, s.columns, base, s.each, true);
  matrix<float> sorted = a;
  std::vector<int> order = counting(a.count());
  for (int r = 0; r < s.rows; ++r)
    std::stable_sort(order.begin() + (a.begin[r] - base), order.begin() + (a.begin[r + 1] - base),
                     [&](int x, int y) { return a.column[x] < a.column[y]; });
  const device_matrix<float> d(a);
  const device_copy<int> dorder(counting(a.count()));
  handle h;
  description about(base);
  size_t bytes = 0;
  // A matrix by columns is its transpose by rows.
  if (columns) {
    SPARSE(hipsparseXcscsort_bufferSizeExt(h, s.columns, s.rows, a.count(), d.begin.get(), d.column.get(), &bytes));
    const device_copy<char> buffer(bytes);
    SPARSE(hipsparseXcscsort(h, s.columns, s.rows, a.count(), about, d.begin.get(), d.column.get(), dorder.get(),
                             buffer.get()));
  } else {
    SPARSE(hipsparseXcsrsort_bufferSizeExt(h, s.rows, s.columns, a.count(), d.begin.get(), d.column.get(), &bytes));
    const device_copy<char> buffer(bytes);
    SPARSE(hipsparseXcsrsort(h, s.rows, s.columns, a.count(), about, d.begin.get(), d.column.get(), dorder.get(),
                             buffer.get()));
  }
  EQUAL(d.column.read(), permuted(a.column, order));
  EQUAL(dorder.read(), order);
}

}  // namespace

CASE(coordinate_sorts) {
  for (const bool by_rows : {true, false})
    in_all_shapes([&](const shape& s, int base) { check_coosort(s, base, by_rows, false); });
  // Equal keys stay in order.
  for (const bool by_rows : {true, false}) check_coosort({1000, 1000, 3}, 0, by_rows, true);
}
CASE(row_sorts) {
  in_all_shapes([](const shape& s, int base) { check_csrsort(s, base, false); });
}
CASE(column_sorts) {
  in_all_shapes([](const shape& s, int base) { check_csrsort(s, base, true); });
}

namespace {

template <class T>
void check_unsorted_and_back(const shape& s) {
  const matrix<T> a = random_matrix<T>(6, s.rows, s.columns, 0, s.each, true);
  matrix<T> sorted = a.transposed().transposed();
  const device_matrix<T> d(a);
  handle h;
  description about(0);
  csru2csrInfo_t info;
  SPARSE(hipsparseCreateCsru2csrInfo(&info));
  size_t bytes = 0;
  SPARSE(csru2csr_bufferSizeExt<T>(h, s.rows, s.columns, a.count(), lib(d.value.get()), d.begin.get(), d.column.get(),
                                   info, &bytes));
  const device_copy<char> buffer(bytes);
  SPARSE(csru2csr<T>(h, s.rows, s.columns, a.count(), about, lib(d.value.get()), d.begin.get(), d.column.get(), info,
                     buffer.get()));
  EQUAL(d.column.read(), sorted.column);
  EQUAL(d.value.read(), sorted.value);
  SPARSE(csr2csru<T>(h, s.rows, s.columns, a.count(), about, lib(d.value.get()), d.begin.get(), d.column.get(), info,
                     buffer.get()));
  EQUAL(d.column.read(), a.column);
  EQUAL(d.value.read(), a.value);
  SPARSE(hipsparseDestroyCsru2csrInfo(info));
}
template <class T>
void check_blocks(const shape& s, int block, hipsparseDirection_t direction) {
  const matrix<T> a = random_matrix<T>(5, s.rows, s.columns, 1, s.each);
  const int block_rows = (s.rows + block - 1) / block, block_columns = (s.columns + block - 1) / block;
  // Blocks by rows, sorted; within a block by rows or by columns.
  std::vector<int> begin{0}, column;
  std::vector<T> value;
  const std::vector<T> dense = a.dense(s.rows);
  for (int r = 0; r < block_rows; ++r) {
    std::vector<bool> in(block_columns);
    for (int k = r * block; k < std::min(s.rows, (r + 1) * block); ++k)
      for (int j = a.begin[k] - 1; j < a.begin[k + 1] - 1; ++j) in[(a.column[j] - 1) / block] = true;
    for (int c = 0; c < block_columns; ++c) {
      if (!in[c]) continue;
      column.push_back(c);
      for (int k = 0; k < block * block; ++k) {
        const int outer = k / block, inner = k % block;
        const int y = r * block + (direction == HIPSPARSE_DIRECTION_ROW ? outer : inner);
        const int x = c * block + (direction == HIPSPARSE_DIRECTION_ROW ? inner : outer);
        value.push_back(y < s.rows && x < s.columns ? dense[static_cast<size_t>(x) * s.rows + y] : T(0));
      }
    }
    begin.push_back(static_cast<int>(column.size()));
  }
  const device_matrix<T> d(a);
  handle h;
  description about(1), blocked(0);
  const device_copy<int> dbegin(begin.size());
  int count = 0;
  SPARSE(hipsparseXcsr2bsrNnz(h, direction, s.rows, s.columns, about, d.begin.get(), d.column.get(), block, blocked,
                              dbegin.get(), &count));
  SAME(count, static_cast<int>(column.size()));
  const device_copy<int> dcolumn(column.size());
  const device_copy<T> dvalue(value.size());
  SPARSE(csr2bsr<T>(h, direction, s.rows, s.columns, about, lib(d.value.get()), d.begin.get(), d.column.get(), block,
                    blocked, lib(dvalue.get()), dbegin.get(), dcolumn.get()));
  EQUAL(dbegin.read(), begin);
  EQUAL(dcolumn.read(), column);
  EQUAL(dvalue.read(), value);
  // Back: each number of each block, by rows.
  matrix<T> all(block_rows * block, block_columns * block, 1);
  for (int r = 0; r < block_rows; ++r)
    for (int y = 0; y < block; ++y) {
      for (int b = begin[r]; b < begin[r + 1]; ++b)
        for (int x = 0; x < block; ++x)
          all.add(column[b] * block + x, value[static_cast<size_t>(b) * block * block +
                                               (direction == HIPSPARSE_DIRECTION_ROW ? y * block + x : x * block + y)]);
      all.end_row();
    }
  const device_copy<int> abegin(all.begin.size()), acolumn(all.column.size());
  const device_copy<T> avalue(all.value.size());
  SPARSE(bsr2csr<T>(h, direction, block_rows, block_columns, blocked, lib(dvalue.get()), dbegin.get(), dcolumn.get(),
                    block, about, lib(avalue.get()), abegin.get(), acolumn.get()));
  EQUAL(abegin.read(), all.begin);
  EQUAL(acolumn.read(), all.column);
  EQUAL(avalue.read(), all.value);
}
// Leaves out what is not above a limit.
template <class T>
void check_compress(const shape& s, int base, float limit) {
  const matrix<T> a = random_matrix<T>(9, s.rows, s.columns, base, s.each);
  matrix<T> want(s.rows, s.columns, base);
  std::vector<int> in_rows;
  for (int r = 0; r < s.rows; ++r) {
    const int before = want.count();
    for (int k = a.begin[r] - base; k < a.begin[r + 1] - base; ++k)
      if (std::abs(a.value[k]) > limit) want.add(a.column[k] - base, a.value[k]);
    want.end_row();
    in_rows.push_back(want.count() - before);
  }
  const device_matrix<T> d(a);
  const device_copy<int> dcounts(in_rows.size());
  handle h;
  description about(base);
  int count = -1;
  const T tolerance = T(limit);
  if constexpr (is_complex<T>::value)
    return;
  else {
    SPARSE(nnz_compress<T>(h, s.rows, about, d.value.get(), d.begin.get(), dcounts.get(), &count, tolerance));
    SAME(count, want.count());
    EQUAL(dcounts.read(), in_rows);
    const device_copy<int> begin(want.begin.size()), column(want.column.size());
    const device_copy<T> value(want.value.size());
    SPARSE(csr2csr_compress<T>(h, s.rows, s.columns, about, d.value.get(), d.column.get(), d.begin.get(), a.count(),
                               dcounts.get(), value.get(), column.get(), begin.get(), tolerance));
    EQUAL(begin.read(), want.begin);
    EQUAL(column.read(), want.column);
    EQUAL(value.read(), want.value);
  }
}

}  // namespace

CASE(sorted_and_unsorted_again) {
  check_unsorted_and_back<float>({130, 97, 4});
  if (!whole()) return;
  for (const shape& s : shapes()) {
    check_unsorted_and_back<double>(s);
    check_unsorted_and_back<c32>(s);
    check_unsorted_and_back<c64>(s);
  }
}
CASE(blocks_and_back) {
  for (const hipsparseDirection_t direction : {HIPSPARSE_DIRECTION_ROW, HIPSPARSE_DIRECTION_COLUMN}) {
    check_blocks<float>({130, 97, 4}, 3, direction);
    check_blocks<float>({64, 64, 4}, 16, direction);
    if (!whole()) continue;
    for (const int block : {1, 2, 4, 7, 32, 33, 70}) {
      check_blocks<float>({257, 130, 4}, block, direction);
      check_blocks<double>({257, 130, 4}, block, direction);
      check_blocks<c32>({257, 130, 4}, block, direction);
      check_blocks<c64>({257, 130, 4}, block, direction);
    }
  }
}
CASE(compressed) {
  for (const float limit : {0.0f, 2.0f, 100.0f}) {
    check_compress<float>({130, 97, 4}, 0, limit);
    check_compress<double>({65, 300, 10}, 1, limit);
  }
}
CASE(wrong_use) {
  handle h;
  RETURNS(HIPSPARSE_STATUS_INVALID_VALUE, hipsparseXcoo2csr(h, nullptr, 5, 5, nullptr, HIPSPARSE_INDEX_BASE_ZERO));
  int version = 0;
  SPARSE(hipsparseGetVersion(h, &version));
  EXPECT(version > 0);
}
// SPDX-License-Identifier: Apache-2.0
