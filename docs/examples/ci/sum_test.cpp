// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>

#include "image_statistics.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const size_t n = std::strtoul(argv[1], nullptr, 10);
  std::vector<uint8_t> pixels(n);
  uint64_t expected = 0;
  for (size_t i = 0; i < n; ++i) {
    pixels[i] = static_cast<uint8_t>(i * 31);
    expected += pixels[i];
  }
  const uint64_t got = sum(pixels);
  if (got == expected) return 0;
  std::printf("the sum of %zu pixels is %llu, not %llu\n", n, static_cast<unsigned long long>(got),
              static_cast<unsigned long long>(expected));
  return 1;
}
