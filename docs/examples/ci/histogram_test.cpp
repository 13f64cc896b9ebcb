// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "image_statistics.h"

int main() {
  for (const size_t n : {0u, 1u, 255u, 256u, 257u, 10000u}) {
    std::vector<uint8_t> pixels(n);
    std::array<uint32_t, 256> expected{};
    for (size_t i = 0; i < n; ++i) {
      pixels[i] = static_cast<uint8_t>(i * i / 7);
      ++expected[pixels[i]];
    }
    if (histogram(pixels) != expected) {
      std::printf("the histogram of %zu pixels is wrong\n", n);
      return 1;
    }
  }
}
