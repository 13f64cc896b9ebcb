// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/add_loop.h"

#include <array>
#include <ctime>
#include <memory>

namespace pws::bench {

namespace {
constexpr int lanes = 64;
constexpr int registers = 256;

struct alignas(64) register_file {
  float lane[registers][lanes];
};
struct add {
  uint8_t d, a, b;
};

void run(register_file& file, const std::array<add, 4096>& list) {
  for (const add& i : list) {
    float* d = file.lane[i.d];
    const float* a = file.lane[i.a];
    const float* b = file.lane[i.b];
#pragma GCC ivdep
    for (int l = 0; l < lanes; ++l) d[l] = a[l] + b[l];
  }
}
}  // namespace

double add_loop_rate(double seconds) {
  auto file = std::make_unique<register_file>();
  for (auto& r : file->lane)
    for (float& f : r) f = 0;
  std::array<add, 4096> list{};
  uint32_t s = 1;
  const auto next = [&] { return static_cast<uint8_t>((s = s * 1664525 + 1013904223) >> 24); };
  for (add& i : list) i = {next(), next(), next()};
  const std::clock_t began = std::clock();
  double elapsed = 0;
  uint64_t n = 0;
  while (elapsed < seconds) {
    for (int k = 0; k < 64; ++k) run(*file, list);
    n += 64 * list.size();
    elapsed = static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
  }
  return static_cast<double>(n) / elapsed;
}

}  // namespace pws::bench
