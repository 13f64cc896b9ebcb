// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/reference/histogram.h"

#include "tests/integration/reference/case_builder.h"

namespace pws::reference {

std::vector<uint32_t> histogram(const std::vector<uint8_t>& data, std::vector<uint32_t> bins) {
  for (const uint8_t v : data) ++bins[v];
  return bins;
}

namespace {

// grid work-items count the data, each several elements if there are more.
kernel_case make(const std::string& name, const std::vector<uint8_t>& data, uint32_t grid, uint32_t workgroup) {
  const auto n = static_cast<uint32_t>(data.size());
  // Bins do not start at zero, and some are about to wrap around.
  std::vector<uint32_t> bins = random_u32(71, 256, 1000);
  bins[7] = bins[200] = 0xffffffffu;
  kernel_case c = linear_case(name, "histogram", "histogram", grid, workgroup);
  c.args = {input("data", data), output("bins", bins, histogram(data, bins)), scalar("n", n)};
  return c;
}

}  // namespace

std::vector<case_entry> histogram_cases() {
  std::vector<case_entry> cases;
  for (const uint32_t n : case_sizes) {
    const std::string name = "histogram_" + std::to_string(n);
    cases.push_back({name, n, [=] { return make(name, random_u8(72, n, 256), n, 0); }});
  }
  for (const uint32_t workgroup : {1u, 65u, 256u, 1024u}) {
    const std::string name = "histogram_strided_by_" + std::to_string(workgroup);
    const uint32_t grid = round_up(2000, workgroup);
    cases.push_back({name, grid, [=] { return make(name, random_u8(73, 10'007, 256), grid, workgroup); }});
  }
  cases.push_back(
      {"histogram_one_bin", 4097, [] { return make("histogram_one_bin", std::vector<uint8_t>(4097, 200), 4097, 0); }});
  cases.push_back({"histogram_two_bins", 4097, [] {
                     std::vector<uint8_t> data(4097);
                     for (size_t i = 0; i < data.size(); ++i) data[i] = i % 2 == 0 ? 0 : 255;
                     return make("histogram_two_bins", data, 4097, 0);
                   }});
  cases.push_back({"histogram_all_bins", 4096, [] {
                     std::vector<uint8_t> data(4096);
                     for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<uint8_t>(i);
                     return make("histogram_all_bins", data, 4096, 0);
                   }});
  return cases;
}

}  // namespace pws::reference
