// SPDX-License-Identifier: Apache-2.0
// What the check knows of LDS by lines, against what it knows by bytes: whatever changes a byte changes what is known
// of its line.
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

#include "models/check/init/memory_shadow.h"
#include "models/isa/wave_state.h"

namespace pws::check::init::lds_shadow_test {
namespace {

constexpr uint64_t all = ~uint64_t{0};
using offsets = std::array<uint64_t, isa::wave_size>;

// Lane l at first + stride * l.
offsets lanes_from(uint64_t first, uint64_t stride) {
  offsets o{};
  for (size_t l = 0; l < o.size(); ++l) o[l] = first + stride * l;
  return o;
}

TEST(lds_shadow, a_line_is_defined_when_all_of_it_is) {
  lds_shadow s;
  s.begin(1024);
  EXPECT_FALSE(s.defined(lanes_from(0, 4).data(), 0, 4, all));
  s.define(lanes_from(0, 4).data(), 0, 4, all);
  EXPECT_TRUE(s.defined(lanes_from(0, 4).data(), 0, 4, all));
  EXPECT_FALSE(s.defined(lanes_from(0, 4).data(), 4, 4, all)) << "the last lane is in the next line";
  s.define(lanes_from(0, 4).data(), 256, 4, all & ~uint64_t{2});
  EXPECT_FALSE(s.defined(lanes_from(256, 4).data(), 0, 4, all)) << "a lane was off";
  EXPECT_TRUE(s.defined(lanes_from(256, 4).data(), 0, 4, all & ~uint64_t{2}));
}

// A line that was found defined is not any more.
TEST(lds_shadow, something_undefined_comes_back) {
  lds_shadow s;
  s.begin(512);
  for (const uint32_t beyond : {0u, 256u}) s.define(lanes_from(0, 4).data(), beyond, 4, all);
  ASSERT_TRUE(s.defined(lanes_from(0, 4).data(), 256, 4, all));
  const uint8_t bit[] = {0, 0, 0, 0x80};
  s.store(508, 4, bit, 7);
  EXPECT_FALSE(s.defined(lanes_from(0, 4).data(), 256, 4, all));
  EXPECT_TRUE(s.defined(lanes_from(0, 4).data(), 0, 4, all));
  EXPECT_EQ(s.from(508), 7u);
  const uint8_t none[4] = {};
  s.store(508, 4, none, 0);
  EXPECT_TRUE(s.defined(lanes_from(0, 4).data(), 256, 4, all));
  s.store(253, 4, bit, 8);  // its last byte is in the next line
  EXPECT_TRUE(s.defined(lanes_from(0, 4).data(), 0, 4, all));
  EXPECT_FALSE(s.defined(lanes_from(0, 4).data(), 256, 4, all));
}

// Beyond its end, at the end of 32 bits, and where there is none: nothing that could be undefined.
TEST(lds_shadow, what_does_not_exist_is_defined) {
  lds_shadow s;
  s.begin(100);
  EXPECT_TRUE(s.defined(lanes_from(100, 4).data(), 0, 4, all));
  EXPECT_FALSE(s.defined(lanes_from(96, 4).data(), 0, 4, all));
  EXPECT_TRUE(s.defined(lanes_from(0xfffffffc, 0).data(), 0, 16, all));
  EXPECT_FALSE(s.defined(lanes_from(0xfffffffc, 0).data(), 4, 4, all)) << "addresses wrap around";
  s.define(lanes_from(96, 4).data(), 0, 8, all);
  EXPECT_TRUE(s.defined(lanes_from(96, 4).data(), 0, 4, all));
  s.begin(0);
  EXPECT_TRUE(s.defined(lanes_from(0, 4).data(), 0, 16, all));
}

TEST(lds_shadow, agrees_with_bytes) {
  std::mt19937_64 random(1);
  const auto below = [&](uint64_t n) { return random() % n; };
  constexpr uint64_t size = 1500;
  lds_shadow s;
  s.begin(size);
  std::vector<uint8_t> bytes(size, 0xff);
  unsigned defined = 0, undefined = 0;
  for (unsigned n = 0; n < 20000; ++n) {
    const offsets o = lanes_from(4 * below(400), 4 * below(3));
    const auto width = static_cast<uint32_t>(4 << below(3));
    const auto beyond = static_cast<uint32_t>(4 * below(65));
    const uint64_t lanes = below(2) == 0 ? all : random();
    const auto each = [&](auto f) {
      for (size_t l = 0; l < o.size(); ++l)
        for (uint64_t k = 0; k < width; ++k)
          if ((lanes >> l & 1) != 0 && o[l] + beyond + k < size) f(bytes[o[l] + beyond + k]);
    };
    switch (below(4)) {
      case 0:
        s.define(o.data(), beyond, width, lanes);
        each([](uint8_t& b) { b = 0; });
        break;
      case 1: {
        const auto b = static_cast<uint8_t>(below(3));
        s.store(o[0], 1, &b, 1);
        if (o[0] < size) bytes[o[0]] = b;
        break;
      }
      default: {
        uint8_t some = 0;
        each([&](uint8_t b) { some |= b; });
        ASSERT_EQ(s.defined(o.data(), beyond, width, lanes), some == 0) << n;
        ++(some == 0 ? defined : undefined);
      }
    }
  }
  EXPECT_GT(defined, 500u);
  EXPECT_GT(undefined, 500u);
}

}  // namespace
}  // namespace pws::check::init::lds_shadow_test
