// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/reference/pointer_chase.h"

#include "tests/integration/reference/case_builder.h"

namespace pws::reference {

// Sattolo's shuffle: a random permutation that is a single cycle.
std::vector<uint32_t> random_ring(uint64_t seed, uint32_t nodes, uint32_t stride) {
  random_source source(seed);
  std::vector<uint32_t> next(nodes);
  for (uint32_t i = 0; i < nodes; ++i) next[i] = i;
  for (uint32_t i = nodes; i-- > 1;) std::swap(next[i], next[source.below(i)]);
  std::vector<uint32_t> ring(size_t{nodes} * stride, 0);
  for (uint32_t i = 0; i < nodes; ++i) ring[size_t{i} * stride] = next[i] * stride;
  return ring;
}

uint32_t pointer_chase(const std::vector<uint32_t>& ring, uint32_t start, uint32_t hops) {
  uint32_t p = start;
  for (uint32_t hop = 0; hop < hops; ++hop) p = ring[p];
  return p;
}

namespace {

struct chase {
  uint32_t nodes, stride, hops, workgroup;
};

kernel_case make(const std::string& name, const std::string& kernel, const chase& shape) {
  const std::vector<uint32_t> ring = random_ring(91, shape.nodes, shape.stride);
  const auto n = static_cast<uint32_t>(ring.size());
  const uint32_t start = (shape.nodes - 1) * shape.stride;
  kernel_case c = linear_case(name, "pointer_chase", kernel, shape.workgroup, shape.workgroup);
  c.args = {input("ring", ring),
            output("last", unwritten<uint32_t>(1), std::vector<uint32_t>{pointer_chase(ring, start, shape.hops)}),
            scalar("start", start), scalar("hops", shape.hops)};
  if (kernel == "pointer_chase_lds") {
    c.dynamic_lds = 4 * n;
    c.args.push_back(scalar("n", n));
  }
  return c;
}

}  // namespace

std::vector<case_entry> pointer_chase_cases() {
  constexpr chase everywhere[] = {{1, 1, 3, 1},    {2, 1, 0, 64},       {2, 1, 1, 64},       {63, 1, 63, 64},
                                  {64, 1, 63, 65}, {1000, 1, 999, 256}, {255, 16, 1000, 64}, {4097, 1, 4096, 256}};
  constexpr chase global_only[] = {{100'003, 1, 2000, 64}, {65'536, 16, 2000, 64}};
  std::vector<case_entry> cases;
  const auto add = [&](const std::string& kernel, const chase& shape) {
    const std::string name = kernel + "_" + std::to_string(shape.nodes) + "_stride_" + std::to_string(shape.stride) +
                             "_hops_" + std::to_string(shape.hops);
    cases.push_back({name, shape.workgroup, [=] { return make(name, kernel, shape); }});
  };
  for (const char* kernel : {"pointer_chase", "pointer_chase_scalar", "pointer_chase_lds"}) {
    for (const chase& shape : everywhere) add(kernel, shape);
  }
  for (const char* kernel : {"pointer_chase", "pointer_chase_scalar"}) {
    for (const chase& shape : global_only) add(kernel, shape);
  }
  return cases;
}

}  // namespace pws::reference
