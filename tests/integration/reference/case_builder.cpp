// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/reference/case_builder.h"

namespace pws::reference {

uint64_t random_source::next() {
  state_ += 0x9e3779b97f4a7c15u;
  uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

uint32_t random_source::below(uint32_t limit) {
  return static_cast<uint32_t>(((next() >> 32) * limit) >> 32);
}

float random_source::between(float low, float high) {
  return low + (high - low) * (static_cast<float>(next() >> 41) * 0x1p-23f);
}

std::vector<float> random_f32(uint64_t seed, size_t count, float low, float high) {
  random_source source(seed);
  std::vector<float> values(count);
  for (float& v : values) v = source.between(low, high);
  return values;
}

std::vector<uint32_t> random_u32(uint64_t seed, size_t count, uint32_t limit) {
  random_source source(seed);
  std::vector<uint32_t> values(count);
  for (uint32_t& v : values) v = source.below(limit);
  return values;
}

std::vector<uint8_t> random_u8(uint64_t seed, size_t count, uint32_t limit) {
  random_source source(seed);
  std::vector<uint8_t> values(count);
  for (uint8_t& v : values) v = static_cast<uint8_t>(source.below(limit));
  return values;
}

kernel_case linear_case(std::string name, const std::string& source_stem, std::string kernel, uint32_t n,
                        uint32_t workgroup) {
  kernel_case c;
  c.name = std::move(name);
  c.source = "sw/kernels/" + source_stem + ".hip";
  c.kernel = std::move(kernel);
  c.workgroup[0] = workgroup != 0 ? workgroup : std::min(n, 256u);
  c.grid[0] = round_up(n, c.workgroup[0]);
  return c;
}

}  // namespace pws::reference
