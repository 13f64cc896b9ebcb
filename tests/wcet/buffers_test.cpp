// SPDX-License-Identifier: Apache-2.0
// Accesses that are taken to stay in the buffer that their pointer is of, as pwsvp wcet has them: charged that buffer's
// lines at most, and a run that leaves it is stopped. And LDS accesses by the size of LDS and by the banks that low
// bits name, for which nothing is taken.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/integration/child_process.h"
#include "tests/integration/child_run.h"

namespace pws::test::buffers_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr uint32_t line_bytes = 256;  // of the predictable machine

struct buffer_launch {
  std::string kernel;
  uint32_t n = 1;
  int64_t m = 1;
  uint32_t table_bytes = 400;
  uint32_t work_items = 512;
  std::vector<std::string> set = {};  // further settings
};

struct charged {
  uint64_t lines = 0, passes = 0;
  std::string reason;
};

struct bounded {
  program_result process;
  std::vector<charged> accesses;  // vector memory and LDS, in the code's order
  uint64_t bound = 0, observed = 0;

  // The one whose instruction has that in it; of several the first with the most.
  charged of(const std::string& instruction) const {
    charged most;
    for (size_t k = 0; k < accesses.size(); ++k)
      if (names[k].find(instruction) != std::string::npos &&
          accesses[k].lines + accesses[k].passes > most.lines + most.passes)
        most = accesses[k];
    return most;
  }
  std::vector<std::string> names;
};

bounded bound(const buffer_launch& l) {
  const temporary_file run(".yaml"), report(".json");
  std::ofstream(run.path()) << "machine: " PWS_SOURCE_DIR "/configs/gpu/predictable.yaml\n"
                            << "program: {source: " PWS_SOURCE_DIR "/tests/wcet/buffers.hip, kernel: " << l.kernel
                            << "}\n"
                            << "launch: {grid: [" << l.work_items << "], workgroup: [64]}\n"
                            << "arguments:\n"
                            << "  - {name: data, type: u32, count: " << l.work_items
                            << ", init: {random: {seed: 3, min: 0, max: 4294967295}}}\n"
                            << "  - {name: table, type: u8, count: " << l.table_bytes
                            << ", init: {random: {seed: 4, min: 0, max: 255}}}\n"
                            << "  - {name: n, type: u32, value: " << l.n << "}\n"
                            << "  - {name: m, type: i32, value: " << l.m << "}\n";
  std::vector<std::string> command = {PWS_CLI, "wcet", run.path(), "--observe", "--report", report.path()};
  for (const std::string& s : l.set) command.insert(command.end(), {"--set", s});
  bounded b{run_program(command), {}, 0, 0, {}};
  const std::string text = report.contents();
  if (text.empty()) return b;
  const auto j = nlohmann::json::parse(text);
  for (const auto& a : j.at("accesses")) {
    b.names.push_back(a.at("instruction"));
    b.accesses.push_back({a.at("lines").at("value"), a.at("lds_passes").at("value"), a.at("reason")});
  }
  b.bound = j.at("bounds").at("none").at("E_kernel").at("value");
  b.observed = j.at("observed").at("cycles").at("value");
  return b;
}

uint64_t lines_of(uint64_t bytes) {
  return (bytes + line_bytes - 1) / line_bytes;
}

// Allocations begin at multiples of a line.
TEST(buffers, a_gather_is_charged_the_lines_of_its_table) {
  for (const uint32_t words : {1u, 2u, 63u, 64u, 65u, 100u, 128u, 129u, 1000u, 4095u, 4096u}) {
    const bounded b = bound({"gather", words, 1, words * 4});
    ASSERT_EQ(b.process.exit_code, 0) << words << b.process.out << b.process.err;
    // From 64 lines on lanes are the fewer.
    EXPECT_EQ(b.of("flat_load").lines, std::max<uint64_t>(1, std::min<uint64_t>(64, lines_of(words * 4)))) << words;
    EXPECT_GE(b.bound, b.observed) << words;
  }
}

TEST(buffers, random_places_leave_little_between_bound_and_run) {
  const bounded b = bound({"gather", 4096, 1, 16384});
  ASSERT_EQ(b.process.exit_code, 0) << b.process.err;
  EXPECT_LE(static_cast<double>(b.bound), 2.2 * static_cast<double>(b.observed)) << b.bound << " of " << b.observed;
  // Every line of a table of 2 KiB is asked for by nearly every wavefront: one line too few would show.
  const bounded few = bound({"gather", 512, 1, 2048});
  EXPECT_GE(few.bound, few.observed);
  EXPECT_LE(static_cast<double>(few.bound), 1.2 * static_cast<double>(few.observed)) << few.bound << few.observed;
}

TEST(buffers, without_them_each_lane_may_be_anywhere) {
  buffer_launch l{"gather", 100, 1, 400};
  l.set = {"wcet.buffers=false"};
  const bounded b = bound(l);
  ASSERT_EQ(b.process.exit_code, 0) << b.process.err;
  EXPECT_EQ(b.of("flat_load").lines, 64u);
  EXPECT_THAT(b.of("flat_load").reason, Not(HasSubstr("buffer")));
}

// Two words wide, and a table that ends in the middle of a line, or of a word that nobody may read.
TEST(buffers, the_last_bytes_of_a_table) {
  for (const uint32_t bytes : {8u, 256u, 264u, 512u, 520u}) {
    const bounded b = bound({"pairs", bytes / 8, 1, bytes});
    ASSERT_EQ(b.process.exit_code, 0) << bytes << b.process.err;
    EXPECT_EQ(b.of("flat_load_dwordx2").lines, lines_of(bytes)) << bytes;
    EXPECT_GE(b.bound, b.observed);
  }
}

TEST(buffers, a_pointer_to_one_of_two_is_charged_both) {
  const bounded b = bound({"either_buffer", 100, 1, 400});
  ASSERT_EQ(b.process.exit_code, 0) << b.process.err;
  uint64_t most = 0;
  for (const charged& c : b.accesses)
    if (c.reason.find("in 2 buffers of 2448 bytes together") != std::string::npos) most = std::max(most, c.lines);
  EXPECT_EQ(most, lines_of(2048) + lines_of(400));
  EXPECT_GE(b.bound, b.observed);
}

// What one wavefront's pointer is known to be says nothing of another's.
TEST(buffers, a_pointer_that_is_not_always_known) {
  const bounded b = bound({"by_group", 100, 1, 400});
  ASSERT_EQ(b.process.exit_code, 0) << b.process.out << b.process.err;
  EXPECT_GE(b.bound, b.observed);
}

// What is reckoned of two pointers may lead to either, or anywhere: nothing is known of it.
TEST(buffers, what_is_reckoned_of_two_pointers) {
  for (const char* kernel :
       {"sum_that_is_data", "sum_that_is_the_table", "by_a_distance", "by_the_other_distance", "followed_or_not"}) {
    const bounded b = bound({kernel, 1, 16, 64});
    ASSERT_EQ(b.process.exit_code, 0) << kernel << b.process.out << b.process.err;
    EXPECT_GE(b.bound, b.observed) << kernel;
  }
}

TEST(buffers, each_lanes_scratch_is_its_own) {
  const bounded b = bound({"own_words", 1, 3, 4096});
  ASSERT_EQ(b.process.exit_code, 0) << b.process.out << b.process.err;
  EXPECT_GE(b.bound, b.observed);
  uint64_t most = 0;
  for (const charged& c : b.accesses) most = std::max(most, c.lines);
  EXPECT_EQ(most, 64u);
}

TEST(buffers, bins_ways_and_rows) {
  const bounded bins = bound({"histogram", 256, 1, 1024});
  ASSERT_EQ(bins.process.exit_code, 0) << bins.process.err;
  EXPECT_EQ(bins.of("flat_atomic_add").lines, 4u);
  EXPECT_GE(bins.bound, bins.observed);
  EXPECT_LE(static_cast<double>(bins.bound), 1.5 * static_cast<double>(bins.observed));
  const bounded walk = bound({"walk", 100, 8, 400});
  ASSERT_EQ(walk.process.exit_code, 0) << walk.process.err;
  EXPECT_EQ(walk.of("flat_load").lines, 2u);
  EXPECT_GE(walk.bound, walk.observed);
  // The pointer that goes on is still one to the table, all rows of it.
  for (const uint32_t words : {16u, 256u}) {
    const bounded rows = bound({"rows", 8, words, 8 * words * 4});
    ASSERT_EQ(rows.process.exit_code, 0) << rows.process.err;
    EXPECT_EQ(rows.of("flat_load").lines, lines_of(8 * words * 4));
    EXPECT_GE(rows.bound, rows.observed);
  }
}

// The other argument's allocation lies behind a page that nobody may touch; a distance that leads there is in the
// program's hands all the same.
TEST(buffers, a_run_that_leaves_its_buffer_is_stopped) {
  const bounded inside = bound({"gather_behind", 100, 0, 400});
  EXPECT_EQ(inside.process.exit_code, 0) << inside.process.err;
  // data is in front of the table: 2 KiB, in a page, and a page between.
  const buffer_launch out{"gather_behind", 100, -2048, 400};
  const bounded left = bound(out);
  EXPECT_EQ(left.process.exit_code, 1) << left.process.out;
  EXPECT_THAT(
      left.process.out + left.process.err,
      AllOf(HasSubstr("an access of 4 bytes at 0x"),
            HasSubstr("is outside the buffer that its pointer is of (argument table at 0x"), HasSubstr(", 400 bytes)"),
            HasSubstr("wcet.buffers: false"), HasSubstr("lane"), HasSubstr("flat_load_dword")));
  buffer_launch anywhere = out;
  anywhere.set = {"wcet.buffers=false"};
  const bounded kept = bound(anywhere);
  EXPECT_EQ(kept.process.exit_code, 0) << kept.process.err;
  EXPECT_GE(kept.bound, kept.observed);
}

// 16 rows of 64 words, each lane in its own bank of 32; and 64 words, of which a bank has two.
TEST(buffers, lds_by_banks_and_by_size) {
  const bounded columns = bound({"columns_of_lds", 16, 3, 16});
  ASSERT_EQ(columns.process.exit_code, 0) << columns.process.err;
  EXPECT_EQ(columns.of("ds_write").passes, 2u) << columns.of("ds_write").reason;
  EXPECT_EQ(columns.of("ds_read").passes, 2u) << columns.of("ds_read").reason;
  EXPECT_GE(columns.bound, columns.observed);
  const bounded two = bound({"columns_of_two", 16, 3, 16});
  ASSERT_EQ(two.process.exit_code, 0) << two.process.err;
  EXPECT_EQ(two.of("ds_read").passes, 4u) << two.of("ds_read").reason;
  EXPECT_GE(two.bound, two.observed);
  const bounded small = bound({"small_lds", 64, 1, 16});
  ASSERT_EQ(small.process.exit_code, 0) << small.process.err;
  EXPECT_EQ(small.of("ds_add").passes, 4u) << small.of("ds_add").reason;
  EXPECT_GE(small.bound, small.observed);
}

// A table that is larger than what a compare lets through. `lines`: of these numbers' words, wherever they begin.
TEST(compared_numbers, are_charged_the_lines_that_they_can_be_in) {
  struct compared {
    std::string kernel;
    uint32_t n;
    int64_t m;
    uint64_t words;  // that the access can go to
  };
  const std::vector<compared> cases = {
      {"below", 1, 1, 1},          {"below", 64, 1, 64},          {"below", 65, 1, 65},
      {"below", 1000, 1, 1000},    {"not_above", 1, 1, 2},        {"not_above", 64, 1, 65},
      {"from_the_end", 64, 1, 64}, {"from_the_end", 300, 1, 300}, {"the_same", 300, 5, 1},
  };
  for (const compared& c : cases) {
    const bounded b = bound({c.kernel, c.n, c.m, 32768});
    ASSERT_EQ(b.process.exit_code, 0) << c.kernel << b.process.out << b.process.err;
    EXPECT_LE(b.of("flat_load").lines, lines_of(c.words * 4) + 1) << c.kernel << " " << c.n;
    EXPECT_GE(b.of("flat_load").lines, lines_of(c.words * 4)) << c.kernel << " " << c.n;
    EXPECT_GE(b.bound, b.observed) << c.kernel << " " << c.n;
  }
}

TEST(compared_numbers, the_one_next_to_the_limit_is_among_them) {
  const bounded b = bound({"last_two", UINT32_MAX - 2, 1, 32768});
  ASSERT_EQ(b.process.exit_code, 0) << b.process.out << b.process.err;
  ASSERT_EQ(b.accesses.size(), 5u);  // two of arguments, and three of vectors
  EXPECT_EQ(b.accesses[3].lines, 2u) << b.accesses[3].reason;
  EXPECT_GE(b.bound, b.observed);
}

TEST(compared_numbers, say_nothing_of_what_becomes_of_them) {
  const bounded on = bound({"below_and_on", 64, 64, 32768});
  ASSERT_EQ(on.process.exit_code, 0) << on.process.err;
  EXPECT_GE(on.of("flat_load").lines, lines_of(127 * 4));
  EXPECT_GE(on.bound, on.observed);
  // Numbers from -n on, as the compare has it, are half of all numbers.
  const bounded negative = bound({"negative_ones", 700, 1, 32768});
  ASSERT_EQ(negative.process.exit_code, 0) << negative.process.err;
  EXPECT_GE(negative.bound, negative.observed);
  for (const uint32_t n : {16u, 64u, 1000u}) {
    const bounded behind = bound({"behind_the_compare", n, 7, 32768});
    ASSERT_EQ(behind.process.exit_code, 0) << behind.process.err;
    EXPECT_EQ(behind.of("flat_load").lines, 64u) << "the other side, and behind both";
    EXPECT_GE(behind.bound, behind.observed);
  }
}

TEST(compared_numbers, in_lds) {
  for (const uint32_t n : {1u, 32u, 64u, 300u}) {
    const bounded b = bound({"below_in_lds", n, 1, 4096});
    ASSERT_EQ(b.process.exit_code, 0) << b.process.err;
    EXPECT_EQ(b.of("ds_read").passes, 2 * std::min<uint64_t>(32, (n + 31) / 32)) << n << b.of("ds_read").reason;
    EXPECT_GE(b.bound, b.observed);
  }
}

}  // namespace
}  // namespace pws::test::buffers_test
