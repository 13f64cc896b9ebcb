// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/reference/divergent_break.h"

#include "tests/integration/reference/case_builder.h"

namespace pws::reference {

std::vector<uint32_t> divergent_break(const std::vector<uint32_t>& start, uint32_t limit) {
  std::vector<uint32_t> steps;
  steps.reserve(start.size());
  for (uint32_t x : start) {
    uint32_t step = 0;
    while (step < limit && x != 1) {
      x = x % 2 != 0 ? 3 * x + 1 : x / 2;
      ++step;
    }
    steps.push_back(step);
  }
  return steps;
}

namespace {

kernel_case make(const std::string& name, const std::vector<uint32_t>& start, uint32_t limit) {
  const auto n = static_cast<uint32_t>(start.size());
  kernel_case c = linear_case(name, "divergent_break", "divergent_break", n);
  c.args = {input("start", start), output("steps", unwritten<uint32_t>(n), divergent_break(start, limit)),
            scalar("limit", limit), scalar("n", n)};
  return c;
}

}  // namespace

std::vector<case_entry> divergent_break_cases() {
  std::vector<case_entry> cases;
  for (const uint32_t n : case_sizes) {
    const std::string name = "divergent_break_" + std::to_string(n);
    cases.push_back({name, n, [=] { return make(name, random_u32(81, n, 10'000), 400); }});
  }
  const auto add_pattern = [&](const std::string& name, uint32_t limit, uint32_t (*start)(uint32_t i)) {
    cases.push_back({name, 1000, [=] {
                       std::vector<uint32_t> values(1000);
                       for (uint32_t i = 0; i < values.size(); ++i) values[i] = start(i);
                       return make(name, values, limit);
                     }});
  };
  add_pattern("divergent_break_at_once", 400, [](uint32_t) { return 1u; });
  add_pattern("divergent_break_never", 50, [](uint32_t) { return 0u; });
  add_pattern("divergent_break_one_lane", 400, [](uint32_t i) { return i % 64 == 17 ? 27u : 1u; });
  add_pattern("divergent_break_alternating", 400, [](uint32_t i) { return i % 2 == 0 ? 1u : 1024u; });
  add_pattern("divergent_break_wraps", 400, [](uint32_t i) { return 0xffffffffu - i; });
  add_pattern("divergent_break_limit_0", 0, [](uint32_t i) { return i; });
  add_pattern("divergent_break_limit_1", 1, [](uint32_t i) { return i; });
  return cases;
}

}  // namespace pws::reference
