// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/reference/synthetic.h"

#include "tests/integration/reference/case_builder.h"

namespace pws::reference {

std::vector<uint32_t> synthetic(std::vector<uint32_t> data, const std::vector<uint32_t>& table, uint32_t workgroup,
                                const synthetic_shape& shape) {
  constexpr uint32_t steps = 20, shared_path = 8;
  const uint32_t shared_rounds = shape.rounds * (100 - shape.divergent) / 100;
  for (size_t i = 0; i < data.size(); ++i) {
    const auto lane = static_cast<uint32_t>(i % workgroup % 64);
    uint32_t x = data[i];
    const auto work = [&](uint32_t path, uint32_t rounds) {
      for (uint32_t round = 0; round < rounds; ++round)
        for (uint32_t step = 0; step < steps; ++step) {
          if (step * 100 < shape.memory * steps) {
            x += table[64 * round + lane];
          } else {
            x ^= x << (5 + path % 16);
            x += 2 * path + 1;
          }
        }
    };
    work(shared_path, shared_rounds);
    work(lane * shape.paths / 64, shape.rounds - shared_rounds);
    data[i] = x;
  }
  return data;
}

std::vector<case_entry> synthetic_cases() {
  std::vector<case_entry> cases;
  for (const uint32_t n : case_sizes) {
    const std::string name = "synthetic_" + std::to_string(n);
    cases.push_back({name, n, [=] {
                       const synthetic_shape shape;
                       const std::vector<uint32_t> data = random_u32(107, n, ~uint32_t{0});
                       const std::vector<uint32_t> table = random_u32(109, 64 * size_t{shape.rounds}, ~uint32_t{0});
                       kernel_case c = linear_case(name, "synthetic", "synthetic", n);
                       c.args = {output("data", data, synthetic(data, table, c.workgroup[0], shape)),
                                 input("table", table), scalar("n", n)};
                       return c;
                     }});
  }
  return cases;
}

}  // namespace pws::reference
