// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/reference/saxpy.h"

#include <limits>

#include "tests/integration/reference/case_builder.h"
#include "tests/integration/reference/f32.h"

namespace pws::reference {

std::vector<float> saxpy(float a, const std::vector<float>& x, const std::vector<float>& y) {
  std::vector<float> result(x.size());
  for (size_t i = 0; i < x.size(); ++i) result[i] = add(multiply(a, x[i]), y[i]);
  return result;
}

namespace {

kernel_case make(const std::string& name, float a, const std::vector<float>& x, const std::vector<float>& y) {
  const auto n = static_cast<uint32_t>(x.size());
  kernel_case c = linear_case(name, "saxpy", "saxpy", n);
  c.args = {scalar("n", n), scalar("a", a), input("x", x), output("y", y, saxpy(a, x, y))};
  return c;
}

// Denormals as input (x, y) and as intermediate product, overflow of the product that a fused operation would hide.
kernel_case make_denormal(const std::string& name) {
  constexpr float tiny = std::numeric_limits<float>::denorm_min();
  const std::vector<float> x = {tiny, -tiny, 0.5f * FLT_MIN, 0x1p-64f, 0x1p-64f, FLT_MAX, 0x1p-60f, 1.0f, 0.0f};
  const std::vector<float> y = {0.0f, 1.0f, 0.0f, 0.0f, FLT_MIN, -FLT_MAX, tiny, tiny, -tiny};
  return make(name, 0x1p-65f, x, y);
}
kernel_case make_overflow(const std::string& name) {
  return make(name, 2.0f, {FLT_MAX, FLT_MAX, -FLT_MAX, 0.5f * FLT_MAX}, {-FLT_MAX, 0.0f, FLT_MAX, FLT_MAX});
}

}  // namespace

std::vector<case_entry> saxpy_cases() {
  std::vector<case_entry> cases;
  for (const uint32_t n : case_sizes) {
    const std::string name = "saxpy_" + std::to_string(n);
    cases.push_back({name, n, [=] { return make(name, 1.7f, random_f32(21, n), random_f32(22, n)); }});
  }
  cases.push_back({"saxpy_denormal", 9, [] { return make_denormal("saxpy_denormal"); }});
  cases.push_back({"saxpy_overflow", 4, [] { return make_overflow("saxpy_overflow"); }});
  return cases;
}

}  // namespace pws::reference
