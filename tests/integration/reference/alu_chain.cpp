// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/reference/alu_chain.h"

#include "tests/integration/reference/case_builder.h"
#include "tests/integration/reference/f32.h"

namespace pws::reference {

std::vector<float> alu_chain(std::vector<float> data, float m, float c, uint32_t steps) {
  for (float& x : data) {
    for (uint32_t step = 0; step < steps; ++step) x = fused(x, m, c);
  }
  return data;
}

kernel_case alu_chain_case(const std::string& name, uint32_t n, uint32_t steps) {
  constexpr float m = 0.99f;
  constexpr float summand = 0.01f;
  const std::vector<float> data = random_f32(111, n);
  kernel_case c = linear_case(name, "alu_chain", "alu_chain", n);
  c.args = {output("data", data, alu_chain(data, m, summand, steps)), scalar("m", m), scalar("c", summand),
            scalar("steps", steps), scalar("n", n)};
  return c;
}

std::vector<case_entry> alu_chain_cases() {
  std::vector<case_entry> cases;
  for (const uint32_t n : case_sizes) {
    const std::string name = "alu_chain_" + std::to_string(n);
    cases.push_back({name, n, [=] { return alu_chain_case(name, n, 30); }});
  }
  // Around the compiler's unrolling by 8.
  for (const uint32_t steps : {0u, 1u, 7u, 8u, 9u, 1000u}) {
    const std::string name = "alu_chain_100_steps_" + std::to_string(steps);
    cases.push_back({name, 100, [=] { return alu_chain_case(name, 100, steps); }});
  }
  return cases;
}

}  // namespace pws::reference
