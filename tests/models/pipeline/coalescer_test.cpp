// SPDX-License-Identifier: Apache-2.0
// Lines that an access touches, each once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/compute_unit/memory_interface.h"

namespace pws::test::coalescer_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr uint32_t line_shift = 6;

isa::memory_access access_of(uint32_t bytes) {
  isa::memory_access a;
  a.where = isa::memory_access::space::global;
  a.bytes_per_lane = bytes;
  return a;
}

TEST(coalescer, lanes_side_by_side) {
  models::coalescer c;
  isa::memory_access a = access_of(4);
  a.mask = ~uint64_t{0};
  for (uint64_t l = 0; l < isa::wave_size; ++l) a.address[l] = 0x1020 + 4 * l;
  EXPECT_THAT(c.lines(a, line_shift), ElementsAre(0x40, 0x41, 0x42, 0x43, 0x44));
}

TEST(coalescer, further_texels_count_each_line_once) {
  models::coalescer c;
  isa::memory_access a = access_of(4);
  a.mask = 0b1;
  a.address[0] = 0x1000;
  a.n_further = 3;
  a.further[0].mask = 0b11;
  a.further[0].address[0] = 0x1004;  // the same line
  a.further[0].address[1] = 0x1040;
  a.further[1].mask = 0;
  a.further[2].mask = 0b10;
  a.further[2].address[1] = 0x2000;
  EXPECT_THAT(c.lines(a, line_shift), ElementsAre(0x40, 0x41, 0x80));
}

// The first texels of all lanes may be of the border.
TEST(coalescer, further_texels_alone) {
  models::coalescer c;
  isa::memory_access a = access_of(16);
  EXPECT_THAT(c.lines(a, line_shift), IsEmpty());
  a.n_further = 1;
  a.further[0].mask = uint64_t{1} << 63;
  a.further[0].address[63] = 0x1000;
  EXPECT_THAT(c.lines(a, line_shift), ElementsAre(0x40));
}

}  // namespace
}  // namespace pws::test::coalescer_test
