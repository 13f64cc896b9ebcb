// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/reference/vector_add.h"

#include <limits>

#include "tests/integration/reference/case_builder.h"
#include "tests/integration/reference/f32.h"

namespace pws::reference {

std::vector<float> vector_add(const std::vector<float>& a, const std::vector<float>& b) {
  std::vector<float> c(a.size());
  for (size_t i = 0; i < a.size(); ++i) c[i] = a[i] > 0.0f ? add(a[i], b[i]) : add(a[i], multiply(-2.0f, b[i]));
  return c;
}

namespace {

struct pattern {
  const char* name;
  bool (*positive)(size_t i);  // whether element i takes the first side
};
constexpr pattern patterns[] = {
    {"then", [](size_t) { return true; }},
    {"else", [](size_t) { return false; }},
    {"one_lane", [](size_t i) { return i % 64 == 37 || i == 0; }},
    {"all_but_one", [](size_t i) { return i % 64 != 63; }},
    {"alternating", [](size_t i) { return i % 2 == 0; }},
};

kernel_case make(const std::string& name, const std::vector<float>& a, const std::vector<float>& b,
                 uint32_t workgroup = 0) {
  const auto n = static_cast<uint32_t>(a.size());
  kernel_case c = linear_case(name, "vector_add", "vector_add", n, workgroup);
  c.args = {input("a", a), input("b", b), output("c", unwritten<float>(n), vector_add(a, b)), scalar("n", n)};
  return c;
}

kernel_case make_pattern(const std::string& name, uint32_t n, const pattern& p) {
  std::vector<float> a = random_f32(11, n, 0.5f, 2.0f);
  for (size_t i = 0; i < n; ++i) {
    if (!p.positive(i)) a[i] = -a[i];
  }
  return make(name, a, random_f32(12, n));
}

// Values at the edges of the format. No element adds infinities of opposite sign: the sign of the NaN that this makes
// is not architecturally interesting and differs from the host's.
kernel_case make_special(const std::string& name) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  constexpr float max = FLT_MAX;
  constexpr float tiny = std::numeric_limits<float>::denorm_min();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> a = {0.0f, -0.0f, -0.0f,   inf,      -inf, nan,   max,
                                -max, -max,  FLT_MIN, -FLT_MIN, 1.0f, -1.0f, 3.0f};
  const std::vector<float> b = {0.0f,     0.0f, tiny,  max, max, 1.0f, max, max, -max, -1.5f * FLT_MIN,
                                -FLT_MIN, tiny, -tiny, nan};
  return make(name, a, b);
}

// The grid is larger than n = 0: no work-item may touch memory.
kernel_case make_empty(const std::string& name) {
  kernel_case c = linear_case(name, "vector_add", "vector_add", 64);
  const std::vector<float> untouched = unwritten<float>(1);
  c.args = {input("a", untouched), input("b", untouched), input("c", untouched), scalar("n", 0u)};
  return c;
}

}  // namespace

std::vector<case_entry> vector_add_cases() {
  std::vector<case_entry> cases;
  for (const uint32_t n : case_sizes) {
    const std::string name = "vector_add_" + std::to_string(n);
    cases.push_back({name, n, [=] { return make(name, random_f32(1, n), random_f32(2, n)); }});
    if (n > 5000) continue;
    for (const pattern& p : patterns) {
      const std::string pattern_name = name + "_" + p.name;
      cases.push_back({pattern_name, n, [=] { return make_pattern(pattern_name, n, p); }});
    }
  }
  for (const uint32_t workgroup : {1u, 65u, 1024u}) {
    const std::string name = "vector_add_4097_by_" + std::to_string(workgroup);
    cases.push_back({name, 4097, [=] { return make(name, random_f32(3, 4097), random_f32(4, 4097), workgroup); }});
  }
  cases.push_back({"vector_add_special", 14, [] { return make_special("vector_add_special"); }});
  cases.push_back({"vector_add_empty", 64, [] { return make_empty("vector_add_empty"); }});
  return cases;
}

}  // namespace pws::reference
