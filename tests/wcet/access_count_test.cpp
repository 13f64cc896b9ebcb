// SPDX-License-Identifier: Apache-2.0
// Counts of lines and LDS passes: what the machine counts for lanes that fit a description is never more than what is
// said of the description, and exactly that where all is known.
#include "sw/wcet/accesses/access_count.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "models/compute_unit/lds_unit.h"
#include "models/compute_unit/memory_interface.h"
#include "tests/wcet/lane_random.h"

namespace pws::test::access_count_test {
namespace {

using wcet::access_count;
using wcet::access_size;

row_words each(uint32_t first, uint32_t step) {
  row_words w;
  for (unsigned l = 0; l < lanes_per_wave; ++l) w[l] = first + step * l;
  return w;
}

uint32_t machine_lines(const row_words& low, const row_words& high, uint64_t lanes, uint32_t bytes, uint32_t line) {
  isa::memory_access a;
  a.mask = lanes;
  a.bytes_per_lane = bytes;
  for (unsigned l = 0; l < lanes_per_wave; ++l) a.address[l] = low[l] | uint64_t{high[l]} << 32;
  models::coalescer c;
  return static_cast<uint32_t>(c.lines(a, static_cast<uint32_t>(__builtin_ctz(line))).size());
}

uint32_t machine_passes(const row_words& offset, uint64_t lanes, uint32_t bytes, uint32_t banks) {
  isa::memory_access a;
  a.mask = lanes;
  a.bytes_per_lane = bytes;
  for (unsigned l = 0; l < lanes_per_wave; ++l) a.address[l] = offset[l];
  models::lds_config config;
  config.banks = banks;
  models::lds_unit unit(config);
  return unit.cycles(a);
}

constexpr uint64_t all = ~uint64_t{0};
const lane_value somewhere{word_set::any()};

uint32_t lines(const lane_value& low, const lane_value& high, uint32_t bytes, uint32_t line, uint64_t lanes = all) {
  return wcet::count_lines(low, high, lanes, {bytes, false}, line).most;
}

TEST(access_count, contiguous_and_strided) {
  const lane_value row(word_set::aligned(8, 0), {}, each(0, 4));
  EXPECT_EQ(lines(row, somewhere, 4, 256), 1u);
  EXPECT_EQ(lines(row, somewhere, 4, 64), 4u);
  EXPECT_EQ(lines(row, somewhere, 4, 64, 0xffff), 1u);
  EXPECT_EQ(lines(row, somewhere, 4, 64, 1), 1u);
  EXPECT_EQ(lines(row, somewhere, 4, 64, 0), 0u);
  EXPECT_EQ(lines({word_set::aligned(2, 0), {}, each(0, 4)}, somewhere, 4, 64), 5u);
  // Three where the row goes past 4 GiB: what begins at 0 again is not where the bytes of the lane before go on.
  EXPECT_EQ(lines({word_set::aligned(0, 0), {}, each(0, 4)}, somewhere, 4, 256), 3u);
  EXPECT_EQ(lines({word_set::aligned(8, 0), {}, each(0, 64)}, somewhere, 4, 64), 64u);
  EXPECT_EQ(lines({word_set::aligned(8, 0), {}, each(0, 8)}, somewhere, 8, 64), 8u);
  EXPECT_EQ(lines({word_set::aligned(8, 0)}, somewhere, 4, 64), 1u);
}

TEST(access_count, unknown_addresses) {
  EXPECT_EQ(lines(lane_value::unknown(), lane_value::unknown(), 4, 64), 128u);
  EXPECT_EQ(lines(lane_value::each_of(word_set::aligned(2, 0)), lane_value::unknown(), 4, 64), 64u);
  EXPECT_EQ(lines(lane_value::each_of(word_set::aligned(2, 0)), lane_value::unknown(), 8, 64), 128u);
  EXPECT_FALSE(wcet::count_lines(lane_value::unknown(), lane_value::unknown(), all, {4, false}, 64).exact_pattern);
  // Anywhere, but within a table of 256 words.
  word_set table{0x1000, 0x3fc, 0, 2};
  EXPECT_EQ(lines(lane_value::each_of(table.reduced()), somewhere, 4, 64), 16u);
}

// One lane: against each place where its access may begin.
TEST(access_count, one_lane_alone) {
  for (const uint32_t line : {4u, 16u, 64u, 256u})
    for (const uint32_t bytes : {1u, 2u, 4u, 8u, 16u})
      for (unsigned known = 0; known <= 9; ++known)
        for (uint32_t residue = 0; residue<(1u << known); residue += known> 6 ? 37 : 1)
          for (const bool aligned : {false, true}) {
            const lane_value low(word_set::aligned(known, residue));
            uint32_t most = 0;
            for (uint32_t at = residue; at < 1024; at += 1u << known)
              if (!aligned || at % bytes == 0) most = std::max(most, (at + bytes - 1) / line - at / line + 1);
            const uint32_t said = wcet::count_lines(low, somewhere, 1, {bytes, aligned}, line).most;
            ASSERT_GE(said, most);
            if (bytes > line) continue;  // of a place no more is known than where it is in a line
            ASSERT_EQ(said, most) << bytes << " bytes at " << residue << " modulo 2^" << known << ", lines of " << line
                                  << ", " << aligned;
          }
}

// A row across an unknown place where the upper half changes: at most one line more.
TEST(access_count, broken_upper_half) {
  lane_numbers lanes;
  for (unsigned l = 0; l < lanes_per_wave; ++l) lanes[l] = l;
  const lane_value high = lane_value::alike(lane_relation::by_keys(lanes, 1), word_set::any());
  EXPECT_EQ(lines({word_set::aligned(2, 0), {}, each(0, 4)}, high, 4, 64), 6u);
}

TEST(access_count, passes) {
  const auto passes = [](const lane_value& v, uint32_t bytes, uint64_t lanes = all) {
    return wcet::count_passes(v, lanes, {bytes, true}, 32).most;
  };
  const word_set dword = word_set::aligned(2, 0);
  EXPECT_EQ(passes({dword, {}, each(0, 4)}, 4), 2u);
  EXPECT_EQ(passes({dword, {}, each(0, 8)}, 4), 4u);
  EXPECT_EQ(passes({dword, {}, each(0, 128)}, 4), 64u);
  EXPECT_EQ(passes({dword, {}, each(0, 132)}, 4), 2u);
  EXPECT_EQ(passes({dword}, 4), 2u);
  EXPECT_EQ(passes({dword, {}, each(0, 8)}, 8), 4u);
  EXPECT_EQ(passes({dword, {}, each(0, 16)}, 16), 8u);
  EXPECT_EQ(passes(lane_value::unknown(), 4), 64u);
  EXPECT_EQ(passes(lane_value::each_of(word_set{0, 1020, 0, 2}.reduced()), 4), 16u);
  EXPECT_EQ(passes(lane_value::unknown(), 4, 1), 1u);
  EXPECT_EQ(passes(lane_value::unknown(), 4, 0), 1u);  // the machine takes one as well
  // Rows that nothing is known of, in a column of its own each: one bank each where a row is a multiple of all banks.
  const auto rows = [&](unsigned known, uint32_t step) {
    return lane_value(word_set::aligned(static_cast<uint8_t>(known), 0), lane_relation::each_its_own(), each(0, step));
  };
  EXPECT_EQ(passes(rows(7, 4), 4), 2u);
  EXPECT_EQ(passes(rows(8, 4), 4), 2u);
  EXPECT_EQ(passes(rows(6, 4), 4), 4u) << "either half of the banks";
  EXPECT_EQ(passes(rows(3, 4), 4), 32u);
  EXPECT_EQ(passes(rows(7, 8), 4), 4u);
  EXPECT_EQ(passes(rows(7, 12), 4), 2u) << "12 is prime to 32 banks but for its 4";
  EXPECT_EQ(passes(rows(7, 128), 4), 64u);
  EXPECT_EQ(passes(rows(7, 8), 8), 4u);
  EXPECT_EQ(passes(rows(7, 4), 4, 1), 1u);
  EXPECT_EQ(wcet::count_passes(rows(7, 4), all, {4, true}, 24).most, 64u) << "no power of two";
  // So many words are there.
  const auto of_size = [&](uint32_t words, uint32_t bytes, uint32_t banks) {
    return wcet::count_passes(lane_value::unknown(), all, {bytes, true}, banks, words).most;
  };
  EXPECT_EQ(of_size(0, 4, 32), 2u);
  EXPECT_EQ(of_size(1, 4, 32), 2u);
  EXPECT_EQ(of_size(32, 4, 32), 2u);
  EXPECT_EQ(of_size(33, 4, 32), 4u);
  EXPECT_EQ(of_size(64, 16, 32), 4u);
  EXPECT_EQ(of_size(1024, 4, 32), 64u);
  EXPECT_EQ(of_size(1025, 4, 32), 64u);
  EXPECT_EQ(of_size(48, 4, 24), 4u);
}

// Two accesses begin in banks of their own, and the last word of one of them is in the other's bank.
TEST(access_count, every_word_of_an_access_is_in_a_bank) {
  row_words at{};
  at[1] = 16;
  const lane_value two(word_set::constant(0), {}, at);
  EXPECT_EQ(machine_passes(at, 3, 8, 3), 2u);
  EXPECT_EQ(wcet::count_passes(two, 3, {8, true}, 3).most, 2u);
  // As far as low bits say which bank: four words in two banks.
  at[1] = 32;
  const lane_value apart(word_set::aligned(4, 0), lane_relation::each_its_own(), {});
  EXPECT_EQ(machine_passes(at, 3, 16, 2), 4u);
  EXPECT_EQ(wcet::count_passes(apart, 3, {16, true}, 2).most, 4u);
}

TEST(access_count, scalar_lines) {
  EXPECT_EQ(wcet::count_scalar_lines(word_set::any(), 4, 64), 1u);
  EXPECT_EQ(wcet::count_scalar_lines(word_set::any(), 8, 64), 2u);
  EXPECT_EQ(wcet::count_scalar_lines(word_set::aligned(3, 0), 8, 64), 1u);
  EXPECT_EQ(wcet::count_scalar_lines(word_set::aligned(6, 0), 64, 64), 1u);
  EXPECT_EQ(wcet::count_scalar_lines(word_set::constant(0x103d), 8, 64), 2u);
  EXPECT_EQ(wcet::count_scalar_lines(word_set::constant(0x1038), 8, 64), 1u);
}

TEST(access_count, never_less_than_the_machine_counts) {
  const char* wanted = std::getenv("PWS_LANE_PROGRAMS");
  const unsigned cases = wanted == nullptr ? 20000 : static_cast<unsigned>(std::atoi(wanted));
  unsigned exact = 0, structured = 0;
  for (unsigned seed = 0; seed < cases; ++seed) {
    random_source r(seed);
    const uint32_t line = 16u << r.below(5);
    const uint32_t sizes[] = {1, 2, 4, 8, 12, 16};
    const uint32_t bytes = sizes[r.below(6)];
    const uint64_t lanes = r.one_in(2) ? all : r.any() | uint64_t{r.any()} << 32;
    const described low = random_lanes(r), high = random_lanes(r);
    const uint64_t active = r.one_in(2) ? lanes : lanes & (r.any() | uint64_t{r.any()} << 32);
    const access_count bound = wcet::count_lines(low.value, high.value, lanes, {bytes, false}, line);
    const uint32_t observed = machine_lines(low.concrete, high.concrete, active, bytes, line);
    ASSERT_GE(bound.most, observed) << "seed " << seed;
    // (Where rows lie across 4 GiB one line more is taken into account.)
    const word_set around = low.value.anywhere();
    const bool apart = !around.wraps() && around.width < 1u << 30 && around.highest() < ~uint32_t{0} - bytes;
    if (low.value.is_known() && high.value.scalar() && apart && active == lanes) {
      ASSERT_EQ(bound.most, observed) << "seed " << seed;
      ++exact;
    }
    structured += lanes == all && bound.most < 64;

    // LDS has few bytes, and accesses are aligned there.
    described offset = random_lanes(r);
    const uint32_t align = bytes == 12 ? 16 : bytes;
    uint64_t valid = active;
    for (unsigned l = 0; l < lanes_per_wave; ++l)
      if (offset.concrete[l] % align != 0 || offset.concrete[l] >= 1u << 20) valid &= ~(uint64_t{1} << l);
    const uint32_t banks = r.one_in(4) ? 1 + r.below(40) : 32;
    const uint32_t words = r.one_in(2) ? ~uint32_t{0} : 1 + r.below(1u << r.below(18));
    for (unsigned l = 0; l < lanes_per_wave; ++l)
      if (uint64_t{offset.concrete[l]} + bytes > uint64_t{words} * 4) valid &= ~(uint64_t{1} << l);
    const access_count passes = wcet::count_passes(offset.value, lanes, {bytes, true}, banks, words);
    const uint32_t taken = machine_passes(offset.concrete, valid, bytes, banks);
    ASSERT_GE(passes.most, taken) << "seed " << seed;
  }
  EXPECT_GT(exact, cases / 1000);
  EXPECT_GT(structured, cases / 20);
}

}  // namespace
}  // namespace pws::test::access_count_test
