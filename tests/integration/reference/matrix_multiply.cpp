// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/reference/matrix_multiply.h"

#include "tests/integration/reference/case_builder.h"

namespace pws::reference {

// Row by row with k outside, so that the host vectorises over columns; each element still sums in order of k.
std::vector<float> matrix_multiply(const std::vector<float>& a, const std::vector<float>& b, uint32_t n) {
  std::vector<float> c(size_t{n} * n, 0.0f);
  for (size_t row = 0; row < n; ++row) {
    float* sum = &c[row * n];
    for (size_t k = 0; k < n; ++k) {
      const float factor = a[row * n + k];
      const float* b_row = &b[k * n];
      for (size_t column = 0; column < n; ++column) sum[column] = sum[column] + factor * b_row[column];
    }
  }
  return c;
}

namespace {

kernel_case make(const std::string& name, const std::string& kernel, uint32_t n) {
  const size_t size = size_t{n} * n;
  const std::vector<float> a = random_f32(31, size);
  const std::vector<float> b = random_f32(32, size);
  kernel_case c;
  c.name = name;
  c.source = "sw/kernels/matrix_multiply.hip";
  c.kernel = kernel;
  c.grid = {round_up(n, 16), round_up(n, 16), 1};
  c.workgroup = {16, 16, 1};
  c.args = {input("a", a), input("b", b), output("c", unwritten<float>(size), matrix_multiply(a, b, n)),
            scalar("n", n)};
  return c;
}

void add_cases(std::vector<case_entry>& cases, const std::string& kernel, const std::vector<uint32_t>& sizes) {
  for (const uint32_t n : sizes) {
    const std::string name = kernel + "_" + std::to_string(n);
    const uint64_t side = round_up(n, 16);
    cases.push_back({name, side * side, [=] { return make(name, kernel, n); }});
  }
}

}  // namespace

std::vector<case_entry> matrix_multiply_cases() {
  std::vector<case_entry> cases;
  add_cases(cases, "matrix_multiply", {1, 2, 8, 15, 16, 17, 31, 33, 63, 64, 65, 316, 1000});
  add_cases(cases, "matrix_multiply_tiled", {16, 32, 64, 320});
  return cases;
}

}  // namespace pws::reference
