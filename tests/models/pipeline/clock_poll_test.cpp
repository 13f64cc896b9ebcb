// SPDX-License-Identifier: Apache-2.0
// Which loops with a look at the clock only wait.
#include "models/compute_unit/clock_poll.h"

#include <gtest/gtest.h>

#include "models/isa/code/decode.h"
#include "models/isa/inst.h"

namespace pws::test::clock_poll_test {
namespace {

using models::clock_poll;
using finding = clock_poll::finding;

constexpr uint64_t place = 0x1000;

// A wavefront that goes round, ten cycles each time.
struct looper {
  isa::wave_state s;
  std::vector<isa::vgpr_row> rows{4};
  clock_poll poll;
  looper() {
    s.vgpr = rows.data();
    s.n_vgprs = static_cast<uint32_t>(rows.size());
    s.set_scalar64(isa::exec_lo, ~uint64_t{0});
    s.private_aperture = uint64_t{2} << 32;
  }
  // Reads the clock into s[4:5].
  finding read(uint64_t pc = place) {
    s.time += 10;
    const finding f = poll.reads(s, pc);
    s.set_scalar64(4, poll.value());
    return f;
  }
  // What is found in so many rounds; `body` is done after each read.
  template <class F>
  finding rounds(int n, F body) {
    finding found = finding::nothing;
    uint64_t last = 0;
    for (int k = 0; k < n; ++k) {
      const finding f = read();
      if (f != finding::nothing) found = f;
      EXPECT_GE(poll.value(), last) << "the clock has gone back";
      EXPECT_LE(poll.value(), s.time);
      last = poll.value();
      body(k);
    }
    return found;
  }
  void access(const std::vector<uint32_t>& words) {
    poll.accesses(s, isa::decode(words.data(), static_cast<unsigned>(words.size()), 0x2000));
  }
};

const std::vector<uint32_t> flat_load{0xdc500000, 0x01000002};     // flat_load_dword v1, v[2:3]
const std::vector<uint32_t> flat_store{0xdc700000, 0x00000102};    // flat_store_dword v[2:3], v1
const std::vector<uint32_t> flat_add{0xdd080000, 0x00000102};      // flat_atomic_add v[2:3], v1
const std::vector<uint32_t> flat_add_glc{0xdd090000, 0x01000102};  // flat_atomic_add v1, v[2:3], v1 glc

TEST(clock_poll, a_loop_that_does_nothing_waits) {
  looper l;
  EXPECT_EQ(l.rounds(30, [](int) {}), finding::nothing) << "found too early";
  EXPECT_EQ(l.rounds(20, [](int) {}), finding::waits_for_clock);
}
TEST(clock_poll, what_is_made_of_the_clock_may_change) {
  looper l;
  EXPECT_EQ(l.rounds(60,
                     [&](int) {
                       l.s.set_scalar64(6, l.s.scalar64(4) - 77);
                       l.rows[0].lane[5] = l.s.scalar[4];
                     }),
            finding::waits_for_clock);
}
TEST(clock_poll, counts_in_any_register_are_work) {
  for (const int where : {0, 1, 2, 3, 4}) {
    looper l;
    EXPECT_EQ(l.rounds(5000,
                       [&](int k) {
                         const auto n = static_cast<uint32_t>(k);
                         if (where == 0) l.s.scalar[20] = n;
                         if (where == 1) l.rows[3].lane[63] = n;
                         if (where == 2) l.s.scalar[isa::m0] = n;
                         if (where == 3) l.s.mode = n;
                         if (where == 4) l.s.scc = (n & 1) != 0;
                       }),
              finding::nothing)
        << where;
  }
}
TEST(clock_poll, reads_at_two_places_are_no_wait) {
  looper l;
  for (int k = 0; k < 5000; ++k) {
    const uint64_t before = l.s.time;
    EXPECT_EQ(l.read(place), finding::nothing);
    EXPECT_EQ(l.poll.value(), before + 10) << "held";
    EXPECT_EQ(l.read(place + 8), finding::nothing);
  }
}
TEST(clock_poll, what_writes_is_work) {
  looper l;
  EXPECT_EQ(l.rounds(5000, [&](int) { l.access(flat_store); }), finding::nothing);
  looper m;
  EXPECT_EQ(m.rounds(5000, [&](int) { m.access(flat_add); }), finding::nothing);
}
TEST(clock_poll, what_reads_memory_waits_for_memory) {
  looper l;
  EXPECT_EQ(l.rounds(60, [&](int) { l.access(flat_load); }), finding::waits_for_memory);
  looper m;
  EXPECT_EQ(m.rounds(60, [&](int) { m.access(flat_add_glc); }), finding::waits_for_memory);
}
TEST(clock_poll, scratch_is_not_memory) {
  looper l;
  for (uint32_t& high : l.rows[3].lane) high = 2;  // the private aperture
  EXPECT_EQ(l.rounds(60,
                     [&](int) {
                       l.access(flat_store);
                       l.access(flat_load);
                     }),
            finding::waits_for_clock);
  looper m;
  for (uint32_t& high : m.rows[3].lane) high = 2;
  m.rows[3].lane[17] = 1;  // one lane is elsewhere
  EXPECT_EQ(m.rounds(60, [&](int) { m.access(flat_store); }), finding::nothing);
}
TEST(clock_poll, a_wait_that_becomes_work_is_one_no_more) {
  looper l;
  EXPECT_EQ(l.rounds(60, [](int) {}), finding::waits_for_clock);
  EXPECT_EQ(l.read(place + 8), finding::nothing);
  EXPECT_EQ(l.rounds(1000, [&](int k) { l.s.scalar[20] = static_cast<uint32_t>(k); }), finding::nothing);
}
TEST(clock_poll, waiting_is_counted_from_the_first_read) {
  looper l;
  l.s.time = 1000;
  l.rounds(10, [](int) {});
  EXPECT_EQ(l.poll.waited(l.s.time), 90u);
  l.read(place + 8);
  EXPECT_EQ(l.poll.waited(l.s.time), 0u);
}

}  // namespace
}  // namespace pws::test::clock_poll_test
