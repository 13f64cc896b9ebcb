// SPDX-License-Identifier: Apache-2.0
// Memory that repeats a pattern: the same bytes as if they had been written, wherever it begins and ends, and no more
// of the host's memory than is changed.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fstream>
#include <vector>

#include "models/memory/dram.h"

namespace pws::test::repeated_pages_test {
namespace {

using models::repeat_pattern;

class mapping {
 public:
  explicit mapping(uint64_t bytes)
      : bytes_(bytes),
        at_(static_cast<unsigned char*>(
            mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))) {}
  ~mapping() { munmap(at_, bytes_); }
  unsigned char* at(uint64_t k) { return at_ + k; }

 private:
  uint64_t bytes_;
  unsigned char* at_;
};

constexpr uint32_t pattern = 0x7ffadbad;
constexpr uint64_t mib = 1 << 20, page = 4096;

unsigned char byte_of(uint64_t k) {
  return static_cast<unsigned char>(pattern >> (8 * (k % 4)));
}

uint64_t resident_bytes() {
  uint64_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

TEST(repeated_pages, are_as_if_written) {
  const uint64_t total = 4 * mib;
  for (const uint64_t begin : {uint64_t{0}, uint64_t{4}, page - 4, page, page + 256, mib - 4})
    for (const uint64_t bytes : {uint64_t{0}, uint64_t{1}, uint64_t{3}, uint64_t{4}, uint64_t{7}, page, mib - 1, mib,
                                 mib + 1, mib + page - 1, 2 * mib, 2 * mib + 5, 3 * mib}) {
      mapping m(total);
      for (uint64_t k = 0; k < total; k += 512) *m.at(k) = 0x55;
      repeat_pattern(m.at(begin), bytes, pattern);
      uint64_t wrong = 0;
      for (uint64_t k = 0; k < total; ++k) {
        const unsigned char before = k % 512 == 0 ? 0x55 : 0;
        const bool inside = begin <= k && k < begin + bytes;
        wrong += *m.at(k) != (inside ? byte_of(k - begin) : before);
      }
      EXPECT_EQ(wrong, 0u) << bytes << " bytes from " << begin;
    }
}

// What is written stays, and shows nowhere else.
TEST(repeated_pages, each_page_changes_alone) {
  mapping m(4 * mib);
  repeat_pattern(m.at(0), 4 * mib, pattern);
  *m.at(3 * page + 1) = 1;
  for (uint64_t k = 0; k < 4 * mib; ++k) ASSERT_EQ(*m.at(k), k == 3 * page + 1 ? 1 : byte_of(k)) << k;
  repeat_pattern(m.at(0), 4 * mib, 0);
  for (uint64_t k = 0; k < 4 * mib; ++k) ASSERT_EQ(*m.at(k), 0) << k;
}

TEST(repeated_pages, cost_what_is_changed) {
  const uint64_t size = uint64_t{20} << 30;
  mapping m(size);
  const uint64_t before = resident_bytes();
  repeat_pattern(m.at(0), size, pattern);
  for (uint64_t k = 0; k < size; k += size / 64) *m.at(k) = 1;
  EXPECT_EQ(*m.at(size - 1), byte_of(size - 1));
  EXPECT_LT(resident_bytes(), before + 32 * mib);
}

}  // namespace
}  // namespace pws::test::repeated_pages_test
