// How good an LU decomposition is.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace program {

// N. J. Higham, Accuracy and Stability of Numerical Algorithms, theorem 9.3: |l u - a| <= gamma(n) |l| |u| element by
// element, gamma(n) = n e / (1 - n e), whatever the order of the operations; e is 2^-24.
inline bool residual_is_small(const std::vector<float>& lu, const std::vector<float>& a, size_t n) {
  const double gamma = n * 0x1p-24 / (1 - n * 0x1p-24);
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j) {
      double product = 0, magnitude = 0;
      for (size_t k = 0; k <= std::min(i, j); ++k) {
        const double term = (k == i ? 1.0 : double{lu[i * n + k]}) * double{lu[k * n + j]};
        product += term;
        magnitude += std::fabs(term);
      }
      if (!(std::fabs(product - double{a[i * n + j]}) <= gamma * magnitude)) return false;
    }
  return true;
}

}  // namespace program
// SPDX-License-Identifier: Apache-2.0
