// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/reference/reduction.h"

#include "tests/integration/reference/case_builder.h"
#include "tests/integration/reference/f32.h"

namespace pws::reference {
namespace {

template <class T, class Add>
std::vector<T> tree(const std::vector<T>& in, uint32_t workgroup, Add plus) {
  std::vector<T> partial;
  for (size_t first = 0; first < in.size(); first += workgroup) {
    std::vector<T> sum(workgroup, T{});
    for (size_t j = 0; j < workgroup && first + j < in.size(); ++j) sum[j] = in[first + j];
    for (uint32_t stride = workgroup / 2; stride > 0; stride /= 2) {
      for (uint32_t j = 0; j < stride; ++j) sum[j] = plus(sum[j], sum[j + stride]);
    }
    partial.push_back(sum[0]);
  }
  return partial;
}

}  // namespace

std::vector<int32_t> reduction(const std::vector<int32_t>& in, uint32_t workgroup) {
  return tree(in, workgroup, [](int32_t a, int32_t b) {
    return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
  });
}

std::vector<float> reduction_f32(const std::vector<float>& in, uint32_t workgroup) {
  return tree(in, workgroup, [](float a, float b) { return add(a, b); });
}

namespace {

kernel_case make_i32(const std::string& name, uint32_t n) {
  random_source source(41);
  std::vector<int32_t> in(n);
  for (int32_t& v : in) v = static_cast<int32_t>(static_cast<uint32_t>(source.next()));
  const std::vector<int32_t> partial = reduction(in, 256);
  kernel_case c = linear_case(name, "reduction", "reduction", n, 256);
  c.args = {input("input", in), output("partial", unwritten<int32_t>(partial.size()), partial), scalar("n", n)};
  return c;
}

kernel_case make_f32(const std::string& name, uint32_t n, uint32_t workgroup) {
  const std::vector<float> in = random_f32(42, n);
  const std::vector<float> partial = reduction_f32(in, workgroup);
  kernel_case c = linear_case(name, "reduction", "reduction_f32", n, workgroup);
  c.dynamic_lds = 4 * workgroup;
  c.args = {input("input", in), output("partial", unwritten<float>(partial.size()), partial), scalar("n", n)};
  return c;
}

}  // namespace

std::vector<case_entry> reduction_cases() {
  std::vector<case_entry> cases;
  for (const uint32_t n : case_sizes) {
    const std::string name = "reduction_" + std::to_string(n);
    cases.push_back({name, round_up(n, 256), [=] { return make_i32(name, n); }});
  }
  for (const uint32_t n : case_sizes) {
    const std::string name = "reduction_f32_" + std::to_string(n);
    cases.push_back({name, round_up(n, 256), [=] { return make_f32(name, n, 256); }});
  }
  for (const uint32_t workgroup : {1u, 2u, 32u, 64u, 128u, 512u, 1024u}) {
    const std::string name = "reduction_f32_4097_by_" + std::to_string(workgroup);
    cases.push_back({name, round_up(4097, workgroup), [=] { return make_f32(name, 4097, workgroup); }});
  }
  return cases;
}

}  // namespace pws::reference
