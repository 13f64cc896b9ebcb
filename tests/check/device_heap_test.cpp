// SPDX-License-Identifier: Apache-2.0
// Device memory of the runtime: the limits of what is kept after it was freed, and what is known of freed blocks.
#include "platform/machine/device_heap.h"

#include <gtest/gtest.h>

#include "platform/machine/freed_blocks.h"

namespace pws::device_heap_test {
namespace {

using platform::device_heap;
constexpr uint64_t begin = uint64_t{1} << 32, page = device_heap::alignment, need = page + device_heap::guard;

uint64_t taken(device_heap& h, uint64_t bytes) {
  const auto at = h.allocate(bytes);
  EXPECT_TRUE(at.has_value());
  return at.value_or(0);
}

TEST(device_heap, what_is_retired_is_free_at_once_unless_it_is_kept) {
  device_heap h(begin, 4 * need);
  const uint64_t first = taken(h, 1);
  EXPECT_EQ(first, begin);
  EXPECT_TRUE(h.retire(first));
  EXPECT_EQ(taken(h, page), first);
  h.keep_retired(1 << 20);
  EXPECT_TRUE(h.retire(first));
  EXPECT_FALSE(h.retire(first)) << "twice";
  EXPECT_FALSE(h.release(first)) << "it counts as free";
  EXPECT_EQ(h.used(), 0u);
  EXPECT_EQ(taken(h, page), begin + need);
}

TEST(device_heap, keeps_so_many_blocks_and_no_more) {
  device_heap h(begin, (device_heap::most_kept + 8) * need);
  h.keep_retired(uint64_t{1} << 40);
  const uint64_t first = taken(h, 1);
  EXPECT_TRUE(h.retire(first));
  for (size_t k = 1; k < device_heap::most_kept; ++k) {
    const uint64_t at = taken(h, 1);
    ASSERT_NE(at, first) << k;
    EXPECT_TRUE(h.retire(at));
  }
  const uint64_t another = taken(h, 1);
  EXPECT_NE(another, first) << "4,096 are kept";
  EXPECT_TRUE(h.retire(another));
  EXPECT_EQ(taken(h, 1), first) << "one more has been retired behind it";
}

TEST(device_heap, keeps_so_many_bytes_and_the_last_block_whatever_its_size) {
  device_heap h(begin, 1024 * need);
  h.keep_retired(3 * need);
  std::vector<uint64_t> blocks;
  for (int k = 0; k < 4; ++k) blocks.push_back(taken(h, page));
  for (int k = 0; k < 3; ++k) EXPECT_TRUE(h.retire(blocks[static_cast<size_t>(k)]));
  EXPECT_EQ(taken(h, page), begin + 4 * need) << "exactly as many bytes are kept";
  EXPECT_TRUE(h.retire(blocks[3]));
  EXPECT_EQ(taken(h, page), blocks[0]) << "the oldest has gone";
  const uint64_t large = taken(h, 100 * page);
  EXPECT_TRUE(h.retire(large));
  EXPECT_EQ(taken(h, page), blocks[1]) << "all in front of a large one have gone";
  EXPECT_NE(taken(h, 100 * page), large) << "itself it is kept";
}

TEST(device_heap, gives_kept_places_where_there_is_no_other) {
  device_heap h(begin, 2 * need);
  h.keep_retired(uint64_t{1} << 30);
  const uint64_t first = taken(h, page), second = taken(h, page);
  EXPECT_TRUE(h.retire(second));
  EXPECT_TRUE(h.retire(first));
  EXPECT_EQ(taken(h, page), second) << "the oldest first";
  EXPECT_EQ(taken(h, page), first);
  EXPECT_FALSE(h.allocate(page).has_value());
  EXPECT_FALSE(h.allocate(~uint64_t{0}).has_value());
}

struct small_block {
  uint64_t bytes = 0;
  int name = 0;
};

TEST(freed_blocks, the_oldest_is_forgotten_whatever_its_address) {
  platform::freed_blocks<small_block> freed(3);
  freed.add(0x4000, {64, 1});
  freed.add(0x1000, {64, 2});
  freed.add(0x3000, {64, 3});
  EXPECT_FALSE(freed.has_forgotten());
  ASSERT_NE(freed.at(0x403f), nullptr);
  EXPECT_EQ(freed.at(0x403f)->second.name, 1);
  EXPECT_EQ(freed.at(0x4040), nullptr);
  EXPECT_EQ(freed.at(0xfff), nullptr);
  freed.add(0x2000, {0, 4});
  EXPECT_TRUE(freed.has_forgotten());
  EXPECT_EQ(freed.at(0x4000), nullptr) << "the oldest";
  EXPECT_NE(freed.at(0x1000), nullptr) << "the lowest";
  EXPECT_NE(freed.at(0x2000), nullptr) << "one without bytes is where it begins";
}

TEST(freed_blocks, a_place_that_is_taken_again_is_known_and_not_forgotten) {
  platform::freed_blocks<small_block> freed(2);
  freed.add(0x1000, {0x100, 1});
  freed.taken(0x10ff, 1);
  EXPECT_EQ(freed.at(0x1000), nullptr);
  freed.add(0x1000, {0x100, 2});
  freed.add(0x2000, {0x100, 3});
  EXPECT_FALSE(freed.has_forgotten()) << "what went was taken";
  ASSERT_NE(freed.at(0x1000), nullptr);
  EXPECT_EQ(freed.at(0x1000)->second.name, 2);
  freed.taken(0x1100, 0xf00);
  EXPECT_NE(freed.at(0x1000), nullptr);
  EXPECT_NE(freed.at(0x2000), nullptr);
}

}  // namespace
}  // namespace pws::device_heap_test
