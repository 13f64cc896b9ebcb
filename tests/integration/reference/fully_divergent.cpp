// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/reference/fully_divergent.h"

#include "tests/integration/reference/case_builder.h"

namespace pws::reference {

std::vector<uint32_t> fully_divergent(std::vector<uint32_t> data, uint64_t then_mask, uint32_t rounds,
                                      uint32_t workgroup) {
  for (size_t i = 0; i < data.size(); ++i) {
    uint32_t x = data[i];
    const bool then_side = ((then_mask >> (i % workgroup % 64)) & 1) != 0;
    for (uint32_t step = 0; step < 8 * rounds; ++step) {
      if (then_side) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
      } else {
        x ^= x << 5;
        x ^= x >> 9;
        x ^= x << 7;
      }
    }
    data[i] = x;
  }
  return data;
}

kernel_case fully_divergent_case(const std::string& name, uint32_t n, uint64_t then_mask, uint32_t rounds) {
  random_source source(101);
  std::vector<uint32_t> data(n);
  for (uint32_t& v : data) v = static_cast<uint32_t>(source.next());
  kernel_case c = linear_case(name, "fully_divergent", "fully_divergent", n);
  c.args = {output("data", data, fully_divergent(data, then_mask, rounds, c.workgroup[0])),
            scalar("then_mask", then_mask), scalar("rounds", rounds), scalar("n", n)};
  return c;
}

std::vector<case_entry> fully_divergent_cases() {
  struct mask {
    const char* name;
    uint64_t bits;
  };
  constexpr mask masks[] = {{"alternating", 0x5555555555555555},
                            {"then", ~uint64_t{0}},
                            {"else", 0},
                            {"one_lane", uint64_t{1} << 41},
                            {"all_but_one", ~(uint64_t{1} << 63)},
                            {"halves", 0x00000000ffffffff}};
  std::vector<case_entry> cases;
  for (const uint32_t n : case_sizes) {
    for (const mask& m : masks) {
      const std::string name = "fully_divergent_" + std::to_string(n) + "_" + m.name;
      const uint64_t bits = m.bits;
      cases.push_back({name, n, [=] { return fully_divergent_case(name, n, bits, 4); }});
      if (n > 5000) break;
    }
  }
  cases.push_back({"fully_divergent_rounds_0", 64,
                   [] { return fully_divergent_case("fully_divergent_rounds_0", 64, 0x5555555555555555, 0); }});
  return cases;
}

}  // namespace pws::reference
