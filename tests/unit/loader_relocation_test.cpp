// SPDX-License-Identifier: Apache-2.0
// Each relocation type's formula, stored part and range check, on a hand-made image.
#include <cstring>

#include "sw/loader/relocation.h"
#include "tests/unit/loader_test_support.h"

namespace pws::loader::loader_relocation_test {
namespace {

using testing::HasSubstr;

constexpr uint64_t base = 0x1'2345'6000;

class relocation : public testing::Test {
 protected:
  relocation() {
    segments_.push_back({1, 6, 0, 0x10, 0x20, 0x20, 8});
    segments_.push_back({1, 6, 0, 0x40, 0x10, 0x10, 8});
    symbols_ = {{"", 0, 0, 0, 0, 0},
                {"here", 1, 1, 1, 0x18, 4},
                {"missing", 1, 1, 0, 0, 0},
                {"weak", 1, 2, 0, 0, 0},
                {"fixed", 1, 1, 0xfff1, 0x77, 0}};
  }
  // Applies one relocation to a fresh image and returns the 8 bytes at its place (0xee where nothing was written).
  uint64_t apply(uint32_t type, uint64_t offset, uint32_t symbol_index, int64_t addend, uint64_t at = base) {
    image_.assign(0x50, 0xee);
    elf_relocation r;
    r.offset = offset;
    r.type = type;
    r.symbol = symbol_index;
    r.addend = addend;
    relocate({{nullptr, 0, "f"}, segments_, symbols_, image_, at}, r);
    uint64_t value = 0;
    std::memcpy(&value, image_.data() + offset, sizeof value);
    return value;
  }
  std::vector<elf_segment> segments_;
  std::vector<elf_symbol> symbols_;
  std::vector<uint8_t> image_;
};

TEST_F(relocation, formulas) {
  EXPECT_EQ(apply(0, 0x10, 1, 5), 0xeeeeeeeeeeeeeeee);
  EXPECT_EQ(apply(1, 0x10, 1, 5), 0xeeeeeeee'2345601d);
  EXPECT_EQ(apply(2, 0x10, 1, 5), 0xeeeeeeee'00000001);
  EXPECT_EQ(apply(3, 0x10, 1, 5), 0x1'2345'601d);
  EXPECT_EQ(apply(3, 0x10, 1, -0x19), 0x1'2345'5fff);
  EXPECT_EQ(apply(4, 0x10, 1, 5), 0xeeeeeeee'0000000d);
  EXPECT_EQ(apply(4, 0x20, 1, 0), 0xeeeeeeee'fffffff8);
  EXPECT_EQ(apply(5, 0x20, 1, 0), 0xffffffff'fffffff8);
  EXPECT_EQ(apply(6, 0x10, 1, 0, 0x1000), 0xeeeeeeee'00001018);
  EXPECT_EQ(apply(10, 0x20, 1, 0), 0xeeeeeeee'fffffff8);
  EXPECT_EQ(apply(11, 0x20, 1, 0), 0xeeeeeeee'ffffffff);
  EXPECT_EQ(apply(13, 0x10, 0, 0x40), base + 0x40);
}

TEST_F(relocation, absolute_and_weak_symbols_do_not_move) {
  EXPECT_EQ(apply(3, 0x10, 4, 1), 0x78u);
  EXPECT_EQ(apply(3, 0x10, 3, 1), 1u);
}

TEST_F(relocation, places_at_a_segments_very_edges) {
  EXPECT_EQ(apply(3, 0x28, 4, 0), 0x77u);
  EXPECT_EQ(apply(3, 0x48, 4, 0), 0x77u);
  for (const uint64_t outside : {uint64_t{0}, uint64_t{0x0f}, uint64_t{0x29}, uint64_t{0x30}, uint64_t{0x49},
                                 uint64_t{0x50}, ~uint64_t{0}, ~uint64_t{0} - 7}) {
    EXPECT_THAT(input_error_of([&] { apply(3, outside, 1, 0); }), HasSubstr("outside every segment")) << outside;
  }
}

TEST_F(relocation, errors_name_what_is_wrong) {
  EXPECT_THAT(input_error_of([&] { apply(3, 0x10, 2, 0); }), HasSubstr("unresolved symbol 'missing'"));
  EXPECT_THAT(input_error_of([&] { apply(3, 0x10, 0, 0); }), HasSubstr("names none"));
  EXPECT_THAT(input_error_of([&] { apply(3, 0x10, 5, 0); }), HasSubstr("names symbol 5 of 5"));
  EXPECT_THAT(input_error_of([&] { apply(6, 0x10, 1, 0); }), HasSubstr("does not fit 32 bits"));
  EXPECT_THAT(input_error_of([&] { apply(4, 0x10, 1, int64_t{1} << 31); }), HasSubstr("does not fit 32 bits"));
  for (const uint32_t type : {7u, 8u, 9u, 12u, 14u, 0xffffffffu}) {
    EXPECT_THAT(input_error_of([&] { apply(type, 0x10, 1, 0); }), HasSubstr("cannot be applied by a loader")) << type;
  }
}

}  // namespace
}  // namespace pws::loader::loader_relocation_test
