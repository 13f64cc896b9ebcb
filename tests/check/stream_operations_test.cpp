// SPDX-License-Identifier: Apache-2.0
#include "models/check/streams/stream_operations.h"

#include <gmock/gmock.h>

#include "tests/check/collected.h"

namespace pws::check::stream_operations_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr uint64_t here = 0x100000ff0;  // 16 bytes in front of a page's end

class stream_operations_test : public ::testing::Test {
 protected:
  struct access {
    touch how;
    uint64_t address, bytes;
  };
  // What it comes after; its own clock, and `place` counts up from 1.
  vector_clock run(uint32_t sequence, const vector_clock& after, std::initializer_list<access> all) {
    const operation_id o = begin(sequence, after, all);
    const vector_clock clock = operations_.clock_of(o);
    operations_.ends(o);
    return clock;
  }
  operation_id begin(uint32_t sequence, const vector_clock& after, std::initializer_list<access> all) {
    ++place_;
    const operation_id o = operations_.begins(sequence, after, std::to_string(place_), place_);
    for (const access& a : all) operations_.touches(o, a.how, a.address, a.bytes);
    return o;
  }
  // "rule later earlier address bytes" of each.
  std::vector<std::string> found() const {
    std::vector<std::string> r;
    for (const finding& f : sink_.all)
      r.push_back(std::string(f.rule) + " " + f.host_here + " " + f.host_other + " " +
                  std::to_string(static_cast<int64_t>(f.address - here)) + " " + std::to_string(f.bytes));
    return r;
  }
  static vector_clock both(vector_clock a, const vector_clock& b) {
    a.learn(b);
    return a;
  }

  collected sink_;
  stream_operations operations_{sink_};
  const uint32_t a_ = operations_.add_sequence(), b_ = operations_.add_sequence(), c_ = operations_.add_sequence();
  uint64_t place_ = 0;
};

TEST_F(stream_operations_test, two_writes_that_nothing_orders) {
  run(a_, {}, {{touch::written, here, 64}});
  run(b_, {}, {{touch::written, here + 32, 64}});
  EXPECT_THAT(found(), ElementsAre("unordered_writes 2 1 32 32"));
}

TEST_F(stream_operations_test, over_the_end_of_a_page) {
  run(a_, {}, {{touch::written, here, 32}});
  run(b_, {}, {{touch::read, here + 8, 16}});
  EXPECT_THAT(found(), ElementsAre("unordered_read_write 2 1 8 16"));
}

TEST_F(stream_operations_test, bytes_side_by_side_are_no_meeting) {
  run(a_, {}, {{touch::written, here, 1}, {touch::written, here + 2, 1}});
  run(b_, {}, {{touch::written, here + 1, 1}, {touch::read, here + 3, 100}});
  run(c_, {}, {{touch::read, here + 3, 100}});
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(stream_operations_test, order_by_clocks) {
  const vector_clock first = run(a_, {}, {{touch::written, here, 4}});
  run(b_, first, {{touch::read, here, 4}});
  EXPECT_THAT(found(), IsEmpty());
  run(c_, first, {{touch::written, here, 4}});  // behind the first one, not behind its reader
  EXPECT_THAT(found(), ElementsAre("unordered_read_write 3 2 0 4"));
}

TEST_F(stream_operations_test, what_ends_first_does_not_matter) {
  const operation_id slow = begin(a_, {}, {{touch::written, here, 4}});
  run(b_, {}, {{touch::read, here, 4}});
  operations_.ends(slow);
  EXPECT_THAT(found(), ElementsAre("unordered_read_write 1 2 0 4"));
}

TEST_F(stream_operations_test, an_older_write_is_found_behind_newer_ones) {
  const vector_clock first = run(a_, {}, {{touch::written, here, 8}});
  run(a_, first, {{touch::written, here + 4, 4}});
  run(b_, {}, {{touch::read, here, 4}});
  EXPECT_THAT(found(), ElementsAre("unordered_read_write 3 1 0 4"));
}

TEST_F(stream_operations_test, what_is_superseded_is_not_kept) {
  vector_clock last;
  for (int k = 0; k < 1000; ++k) last = run(a_, last, {{touch::written, here, 64}, {touch::read, here + 64, 64}});
  EXPECT_EQ(operations_.kept(), 1u);
  run(b_, {}, {{touch::written, here + 64, 4}});
  EXPECT_THAT(found(), ElementsAre("unordered_read_write 1001 1000 64 4"));
}

TEST_F(stream_operations_test, readers_do_not_supersede_writers) {
  const vector_clock first = run(a_, {}, {{touch::written, here, 4}});
  const vector_clock second = run(a_, first, {{touch::read, here, 4}});
  run(b_, {}, {{touch::read, here, 4}});
  EXPECT_THAT(found(), ElementsAre("unordered_read_write 3 1 0 4"));
  run(c_, second, {{touch::read, here, 4}});
  EXPECT_EQ(found().size(), 1u);
}

TEST_F(stream_operations_test, atomics_are_no_meeting_among_themselves) {
  run(a_, {}, {{touch::atomic, here, 4}});
  run(b_, {}, {{touch::atomic, here, 4}});
  EXPECT_THAT(found(), IsEmpty());
  run(c_, {}, {{touch::read, here, 4}});
  EXPECT_THAT(found(), ElementsAre("unordered_read_write 3 1 0 4", "unordered_read_write 3 2 0 4"));
}

TEST_F(stream_operations_test, kernels_that_tell_each_other_are_left_out) {
  run(a_, {}, {{touch::written, here, 4}, {touch::atomic, here + 64, 4}});
  run(b_, {}, {{touch::read, here, 4}, {touch::atomic, here + 64, 4}, {touch::heard, here + 64, 4}});
  EXPECT_THAT(found(), IsEmpty());
  run(c_, {}, {{touch::read, here, 4}});
  EXPECT_THAT(found(), ElementsAre("unordered_read_write 3 1 0 4"));
}

TEST_F(stream_operations_test, forgets_what_all_come_after) {
  const vector_clock first = run(a_, {}, {{touch::written, here, 4}}),
                     second = run(b_, {}, {{touch::written, here + 8, 4}});
  operations_.forget_covered(first);
  EXPECT_EQ(operations_.kept(), 1u);
  operations_.forget_covered(both(first, second));
  EXPECT_EQ(operations_.kept(), 0u);
}

TEST_F(stream_operations_test, forgets_memory_that_is_freed) {
  run(a_, {}, {{touch::written, here & ~uint64_t{4095}, 8192}});
  operations_.forget(here & ~uint64_t{4095}, 8192);
  EXPECT_EQ(operations_.kept(), 0u);
  run(b_, {}, {{touch::written, here, 4}});
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(stream_operations_test, the_same_places_are_one_finding) {
  for (int k = 0; k < 3; ++k) {
    operations_.ends([&] {
      const operation_id o = operations_.begins(a_, {}, "x", 7);
      operations_.touches(o, touch::written, here, 4);
      return o;
    }());
    operations_.ends([&] {
      const operation_id o = operations_.begins(b_, {}, "y", 8);
      operations_.touches(o, touch::written, here, 4);
      return o;
    }());
  }
  EXPECT_GE(sink_.count, 3u);
  EXPECT_LE(sink_.all.size(), 2u);  // the one, or the other, came later
}

}  // namespace
}  // namespace pws::check::stream_operations_test
