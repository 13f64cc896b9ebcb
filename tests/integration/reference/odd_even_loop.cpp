// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/reference/odd_even_loop.h"

#include "tests/integration/reference/case_builder.h"

namespace pws::reference {

std::vector<uint32_t> odd_even_loop(std::vector<uint32_t> data, uint32_t iterations) {
  for (size_t t = 0; t < data.size(); ++t) {
    for (uint32_t i = t % 2; i < iterations; ++i) {
      if (i % 2 == 0) continue;
      uint32_t x = data[t];
      for (unsigned k = 0; k < 32; ++k) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
      }
      data[t] = x + 1;
    }
  }
  return data;
}

namespace {

kernel_case make(const std::string& name, uint32_t n, uint32_t iterations) {
  random_source source(121);
  std::vector<uint32_t> data(n);
  for (uint32_t& v : data) v = static_cast<uint32_t>(source.next());
  kernel_case c = linear_case(name, "odd_even_loop", "odd_even_loop", n);
  c.args = {output("data", data, odd_even_loop(data, iterations)), scalar("iterations", iterations), scalar("n", n)};
  return c;
}

}  // namespace

std::vector<case_entry> odd_even_loop_cases() {
  std::vector<case_entry> cases;
  for (const uint32_t n : case_sizes) {
    const std::string name = "odd_even_loop_" + std::to_string(n);
    const uint32_t iterations = n > 5000 ? 4 : 16;
    cases.push_back({name, n, [=] { return make(name, n, iterations); }});
  }
  for (const uint32_t iterations : {2u, 3u}) {
    const std::string name = "odd_even_loop_iterations_" + std::to_string(iterations);
    cases.push_back({name, 64, [=] { return make(name, 64, iterations); }});
  }
  return cases;
}

}  // namespace pws::reference
