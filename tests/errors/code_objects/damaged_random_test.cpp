// SPDX-License-Identifier: Apache-2.0
// Randomly damaged code objects and bundles. Whatever happens to the bytes, the loader answers or throws input_error;
// run under the sanitizers this also shows that it never reads or writes where it should not.
#include <random>

#include "tests/unit/loader_test_support.h"

namespace pws::loader::damaged_random_test {
namespace {

constexpr int variants = 2000;

struct outcome {
  int accepted = 0;
  int refused = 0;
};

outcome read_damaged(const std::vector<uint8_t>& whole, uint32_t seed) {
  std::mt19937 random(seed);
  const auto below = [&random](uint64_t n) { return static_cast<size_t>(random() % n); };
  // Values that lengths and offsets go wrong with.
  const uint64_t extremes[] = {0,
                               1,
                               7,
                               whole.size() - 1,
                               whole.size(),
                               whole.size() + 1,
                               0x7fffffff,
                               0xffffffff,
                               uint64_t{1} << 63,
                               ~uint64_t{0} - 7,
                               ~uint64_t{0}};
  outcome out;
  for (int i = 0; i < variants; ++i) {
    std::vector<uint8_t> bytes = whole;
    const size_t changes = 1 + below(8);
    for (size_t n = 0; n < changes; ++n) {
      if (below(4) == 0) {
        const uint64_t value = extremes[below(std::size(extremes))];
        const size_t width = below(2) == 0 ? 4 : 8;
        const size_t at = below(bytes.size() / 4 - 1) * 4;
        std::memcpy(bytes.data() + at, &value, width);
      } else {
        bytes[below(bytes.size())] ^= static_cast<uint8_t>(1u << below(8));
      }
    }
    if (below(8) == 0) bytes.resize(below(bytes.size()) + 1);
    bytes.shrink_to_fit();
    try {
      const program_image p = read_program(bytes, "damaged");
      for (const image& im : p.load(0x10000)) {
        for (const symbol& s : im.symbols) im.at(s.address);
      }
      p.find_kernel("small");
      ++out.accepted;
    } catch (const input_error& e) {
      EXPECT_NE(std::string(e.what()), "");
      ++out.refused;
    }
  }
  return out;
}

TEST(randomly_damaged, code_objects) {
  const outcome o = read_damaged(compiled("small.s"), 1);
  EXPECT_EQ(o.accepted + o.refused, variants);
  // Both happen: some bytes are padding or data, and some matter.
  EXPECT_GT(o.accepted, variants / 20);
  EXPECT_GT(o.refused, variants / 20);
  RecordProperty("accepted", o.accepted);
}

// The note and the tables make up most of a file with many kernels.
TEST(randomly_damaged, code_objects_with_many_kernels) {
  const outcome o = read_damaged(compiled("kernels.hip"), 2);
  EXPECT_EQ(o.accepted + o.refused, variants);
  EXPECT_EQ(o.accepted, 0);  // it has no kernel "small", so what is not found damaged is refused too
}

TEST(randomly_damaged, bundles) {
  const std::vector<uint8_t> code = compiled("small.s");
  const std::string id = "hipv4-amdgcn-amd-amdhsa--gfx803";
  const std::string magic = "__CLANG_OFFLOAD_BUNDLE__";
  std::vector<uint8_t> bytes(magic.begin(), magic.end());
  for (const uint64_t v : {uint64_t{1}, uint64_t{56 + id.size()}, uint64_t{code.size()}, uint64_t{id.size()}}) {
    for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<uint8_t>(v >> (8 * i)));
  }
  bytes.insert(bytes.end(), id.begin(), id.end());
  bytes.insert(bytes.end(), code.begin(), code.end());
  const outcome o = read_damaged(bytes, 3);
  EXPECT_EQ(o.accepted + o.refused, variants);
  EXPECT_GT(o.accepted, variants / 20);
  EXPECT_GT(o.refused, variants / 20);
}

}  // namespace
}  // namespace pws::loader::damaged_random_test
