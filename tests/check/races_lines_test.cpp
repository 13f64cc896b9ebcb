// SPDX-License-Identifier: Apache-2.0
// Races: accesses of whole wavefronts, whose lanes are looked at together.
#include <fmt/format.h>

#include "tests/check/races_fixture.h"

namespace pws::check::races_lines_test {
namespace {

using kind = race_access::kind;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class races_of_wavefronts : public races_fixture {
 protected:
  // address(lane) says where.
  template <class F>
  void all_lanes(path_id p, uint64_t pc, kind k, uint32_t bytes, F&& address, bool lds = false,
                 uint64_t mask = ~uint64_t{0}) {
    uint64_t at[64];
    uint32_t data[16][64];
    for (uint64_t l = 0; l < 64; ++l) at[l] = address(l);
    for (auto& row : data)
      for (uint32_t l = 0; l < 64; ++l) row[l] = static_cast<uint32_t>(pc << 8 | l);
    lanes(p, pc, k, bytes, at, data, lds, mask);
  }
  static std::string read_by(const char* pc, uint64_t other) {
    return fmt::format("race_read_write {} {:x}", pc, other);
  }
};

// Memory of which whole lines are read has cells from the first other access on.
TEST_F(races_of_wavefronts, what_was_read_line_by_line_is_remembered_by_word) {
  const path_id a = lone(), b = lone(), c = lone();
  for (const auto& [p, row] : {std::pair{a, 0}, {b, 0}, {b, 1}, {b, 2}, {c, 15}})
    all_lanes(p, 0x10 + 0x10 * p, kind::load, 4, [row = row](uint64_t l) { return 0x10000 + 256 * row + 4 * l; });
  const uint64_t of_a = 0x10 + 0x10 * a, of_b = 0x10 + 0x10 * b, of_c = 0x10 + 0x10 * c;
  const path_id d = lone();
  store(d, 0x100, 0x10000 + 256 * 3);  // nobody has read it
  EXPECT_THAT(found(), IsEmpty());
  store(d, 0x104, 0x100fc);
  store(d, 0x108, 0x10100);
  store(d, 0x10c, 0x10ffc);
  EXPECT_THAT(found(), UnorderedElementsAre(read_by("104", of_a), read_by("104", of_b), read_by("108", of_b),
                                            read_by("10c", of_c)));
}

// Four rows of a tile, in pages of their own: one of them has cells, one is not a line.
TEST_F(races_of_wavefronts, rows_of_a_tile_are_lines_or_words) {
  const path_id a = lone(), b = lone();
  store(a, 0x4, 0x12020);
  const auto address = [](uint64_t l) { return 0x10040 + 0x1000 * (l / 16) + 4 * (l % 16) + (l / 16 == 3 ? 8 : 0); };
  all_lanes(a, 0x10, kind::load, 4, address);
  store(b, 0x20, 0x1003c);  // in front of the line
  store(b, 0x24, 0x10080);  // behind it
  store(b, 0x28, 0x13040);  // in front of what is read of this one
  EXPECT_THAT(found(), IsEmpty());
  store(b, 0x30, 0x10040);
  store(b, 0x34, 0x1107c);
  store(b, 0x38, 0x12060);
  store(b, 0x3c, 0x13084);
  EXPECT_THAT(found(), ElementsAre(read_by("30", 0x10), read_by("34", 0x10), read_by("38", 0x10), read_by("3c", 0x10)));
}

TEST_F(races_of_wavefronts, wide_loads_fill_lines) {
  for (const uint32_t bytes : {8u, 12u, 16u}) {
    const path_id a = lone(), b = lone();
    const uint64_t base = 0x100000 * bytes, pc = 0x1000 * bytes;
    all_lanes(a, pc, kind::load, bytes, [&](uint64_t l) { return base + bytes * l; });
    const size_t before = found().size();
    store(b, pc + 4, base + uint64_t{bytes} * 64);
    EXPECT_EQ(found().size(), before) << bytes;
    store(b, pc + 8, base + uint64_t{bytes} * 64 - 4);
    ASSERT_EQ(found().size(), before + 1) << bytes;
    EXPECT_EQ(found().back(), fmt::format("race_read_write {:x} {:x}", pc + 8, pc));
  }
}

// A line of which not all lanes read.
TEST_F(races_of_wavefronts, what_a_part_of_the_lanes_reads_is_no_line) {
  const path_id a = lone(), b = lone();
  all_lanes(
      a, 0x10, kind::load, 4, [](uint64_t l) { return 0x10000 + 4 * l; }, false, ~uint64_t{0x8000});
  store(b, 0x20, 0x1003c);
  EXPECT_THAT(found(), IsEmpty());
  store(b, 0x24, 0x10038);
  EXPECT_THAT(found(), ElementsAre(read_by("24", 0x10)));
}

// All columns of a tile's row load the same words.
TEST_F(races_of_wavefronts, rows_that_load_the_same_words_are_all_named) {
  const auto g = group();
  const path_id a = wave(g), b = wave(g);
  lds_store(a, 0x10, 0x10c);
  all_lanes(
      b, 0x20, kind::load, 16, [](uint64_t l) { return 0x100 + 16 * (l / 16); }, true);
  ASSERT_THAT(found(), ElementsAre("race_read_write 20 10"));
  EXPECT_EQ(sink_.all[0].here.lanes, 0xffffu);
  lds_store(a, 0x30, 0x130);
  lds_store(a, 0x34, 0x140);
  EXPECT_THAT(found(), ElementsAre("race_read_write 20 10", "race_read_write 30 20"));
}

// One lane in the middle loads something else than the rest of its row.
TEST_F(races_of_wavefronts, a_lane_that_differs_from_its_row_is_looked_at) {
  const auto g = group();
  const path_id a = wave(g), b = wave(g);
  all_lanes(
      a, 0x10, kind::load, 4, [](uint64_t l) { return l == 37 ? 0x800 : 0x100 + 4 * (l / 16); }, true);
  lds_store(b, 0x20, 0x800);
  EXPECT_THAT(found(), ElementsAre(read_by("20", 0x10)));
}

// A store over what the path itself has read, but for some words that others have read too.
TEST_F(races_of_wavefronts, stores_over_own_reads_find_the_others) {
  const auto g = group();
  const path_id a = wave(g), b = wave(g);
  const auto row = [](uint64_t l) { return 4 * l; };
  all_lanes(a, 0x10, kind::load, 4, row, true);
  all_lanes(a, 0x14, kind::store, 4, row, true);
  EXPECT_THAT(found(), IsEmpty());
  barrier(g);
  all_lanes(a, 0x18, kind::load, 4, row, true);
  lds_load(b, 0x20, 4 * 40);
  all_lanes(a, 0x1c, kind::store, 4, row, true);
  ASSERT_THAT(found(), ElementsAre(read_by("1c", 0x20)));
  EXPECT_EQ(sink_.all[0].here.lanes, uint64_t{1} << 40);
}

}  // namespace
}  // namespace pws::check::races_lines_test
