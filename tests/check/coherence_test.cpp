// SPDX-License-Identifier: Apache-2.0
// Stale lines, by sequences of events.
#include "models/check/coherence/coherence.h"

#include <gmock/gmock.h>

#include "tests/check/collected.h"

namespace pws::check::coherence_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using kind = cached_access::kind;

class caches_of_two_units : public testing::Test {
 protected:
  caches_of_two_units() { begin(); }
  void begin() {
    caches_.launch_begins();
    site s;
    s.launch = 1;
    a_ = caches_.path_started(s);
    s.workgroup = 1;
    b_ = caches_.path_started(s);  // in the same compute unit
    s.workgroup = 2;
    s.cu = 1;
    c_ = caches_.path_started(s);  // in another
  }
  void go(uint32_t path, uint64_t pc, kind k, uint64_t address, uint32_t bytes = 4, bool scalar = false) {
    uint64_t at[64] = {address};
    cached_access a;
    a.does = k;
    a.scalar = scalar;
    a.bytes = bytes;
    a.pc = pc;
    a.mask = 1;
    a.address = at;
    caches_.access(path, a);
  }
  void load(uint32_t p, uint64_t pc, uint64_t at, uint32_t bytes = 4) { go(p, pc, kind::load, at, bytes); }
  void store(uint32_t p, uint64_t pc, uint64_t at, uint32_t bytes = 4) { go(p, pc, kind::store, at, bytes); }
  void s_load(uint32_t p, uint64_t pc, uint64_t at, uint32_t bytes = 4) { go(p, pc, kind::load, at, bytes, true); }
  void s_store(uint32_t p, uint64_t pc, uint64_t at) { go(p, pc, kind::store, at, 4, true); }
  std::vector<std::string> found() const { return sink_.places(); }

  collected sink_;
  coherence caches_{sink_, 2};
  uint32_t a_ = 0, b_ = 0, c_ = 0;
};

using vector_cache = caches_of_two_units;
using scalar_cache = caches_of_two_units;
using instruction_cache = caches_of_two_units;

TEST_F(vector_cache, may_hold_what_another_compute_unit_has_overwritten) {
  load(a_, 0x10, 0x1000);
  store(c_, 0x20, 0x1000);
  load(b_, 0x30, 0x1000);
  ASSERT_THAT(found(), ElementsAre("stale_vector_line 30 20"));
  const finding& f = sink_.all[0];
  EXPECT_EQ(f.what,
            "4 bytes of a line that this compute unit's vector cache may hold are loaded, and another compute unit has "
            "written them since");
  EXPECT_THAT(f.mend, testing::HasSubstr("buffer_wbinvl1"));
  EXPECT_EQ(f.other->cu, 1);
  EXPECT_EQ(f.address, 0x1000u);
}

TEST_F(vector_cache, holds_whole_lines_but_bytes_are_old_one_by_one) {
  load(a_, 0x10, 0x1000);
  store(c_, 0x20, 0x103c);
  load(a_, 0x30, 0x1000);
  load(a_, 0x34, 0x1038);
  EXPECT_THAT(found(), IsEmpty());
  store(c_, 0x24, 0x1002, 1);
  load(a_, 0x38, 0x1000, 2);
  load(a_, 0x3c, 0x1003, 1);
  EXPECT_THAT(found(), IsEmpty());
  load(a_, 0x40, 0x103c);
  load(a_, 0x44, 0x1002, 1);
  EXPECT_THAT(found(), ElementsAre("stale_vector_line 40 20", "stale_vector_line 44 24"));
}

TEST_F(vector_cache, a_line_that_was_not_loaded_before_is_not_old) {
  store(c_, 0x20, 0x1000);
  load(a_, 0x30, 0x1000);
  load(a_, 0x30, 0x1000);
  load(a_, 0x34, 0x1040);
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(vector_cache, is_kept_right_by_its_own_stores) {
  load(a_, 0x10, 0x1000);
  store(b_, 0x20, 0x1000);
  load(a_, 0x30, 0x1000);
  store(c_, 0x24, 0x1004);
  store(a_, 0x28, 0x1004);  // the newest is the own one
  load(a_, 0x34, 0x1004);
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(vector_cache, invalidated_in_the_reader_not_in_the_writer) {
  load(a_, 0x10, 0x1000);
  load(a_, 0x10, 0x1040);
  store(c_, 0x20, 0x1000);
  store(c_, 0x20, 0x1040);
  caches_.vector_invalidated(0);
  load(a_, 0x30, 0x1000);
  EXPECT_THAT(found(), IsEmpty());
  store(c_, 0x24, 0x1000);
  caches_.vector_invalidated(1);
  load(a_, 0x34, 0x1000);
  EXPECT_THAT(found(), ElementsAre("stale_vector_line 34 24"));
}

TEST_F(vector_cache, an_invalidation_before_the_write_does_not_help_if_the_line_is_loaded_between) {
  load(a_, 0x10, 0x1000);
  caches_.vector_invalidated(0);
  load(b_, 0x14, 0x1004);  // the line is there again
  store(c_, 0x20, 0x1000);
  load(a_, 0x30, 0x1000);
  EXPECT_THAT(found(), ElementsAre("stale_vector_line 30 20"));
}

TEST_F(vector_cache, is_passed_by_glc) {
  go(a_, 0x10, kind::past_cache, 0x1000);
  store(c_, 0x20, 0x1000);
  load(a_, 0x30, 0x1000);
  store(c_, 0x24, 0x1000);
  go(a_, 0x34, kind::past_cache, 0x1000);
  EXPECT_THAT(found(), IsEmpty());
  load(a_, 0x38, 0x1000);
  EXPECT_THAT(found(), ElementsAre("stale_vector_line 38 24"));
}

TEST_F(vector_cache, atomics_of_others_make_old_and_own_ones_take_the_line_out) {
  load(a_, 0x10, 0x1000);
  go(c_, 0x20, kind::atomic, 0x1000);
  go(a_, 0x24, kind::atomic, 0x1004);
  load(a_, 0x30, 0x1000);
  EXPECT_THAT(found(), IsEmpty());
  go(c_, 0x28, kind::atomic, 0x1000);
  load(a_, 0x34, 0x1000);
  EXPECT_THAT(found(), ElementsAre("stale_vector_line 34 28"));
}

TEST_F(vector_cache, is_empty_when_a_launch_begins) {
  load(a_, 0x10, 0x1000);
  store(c_, 0x20, 0x1000);
  begin();
  load(a_, 0x30, 0x1000);
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(vector_cache, an_access_that_two_lines_hold) {
  load(a_, 0x10, 0x1030, 4);
  store(c_, 0x20, 0x103c, 4);
  store(c_, 0x24, 0x1040, 4);
  load(a_, 0x30, 0x103c, 8);  // the first line is old, the second was not there
  EXPECT_THAT(found(), ElementsAre("stale_vector_line 30 20"));
}

TEST_F(vector_cache, the_host_writes_while_a_kernel_runs) {
  load(a_, 0x10, 0x1000);
  caches_.host_wrote(0x1003, 2);
  load(a_, 0x30, 0x1000, 2);
  EXPECT_THAT(found(), IsEmpty());
  load(a_, 0x34, 0x1004, 1);
  ASSERT_THAT(found(), ElementsAre("stale_vector_line 34 0"));
  EXPECT_EQ(sink_.all[0].other->launch, 0u);
  EXPECT_THAT(sink_.all[0].what, testing::HasSubstr("the host has"));
}

TEST_F(scalar_cache, does_not_see_vector_stores_of_its_own_compute_unit_either) {
  s_load(a_, 0x10, 0x1000, 16);
  store(a_, 0x20, 0x1008);
  s_load(a_, 0x30, 0x1000, 8);
  EXPECT_THAT(found(), IsEmpty());
  s_load(a_, 0x34, 0x1000, 16);
  ASSERT_THAT(found(), ElementsAre("stale_scalar_line 34 20"));
  EXPECT_THAT(sink_.all[0].mend, testing::HasSubstr("s_dcache_inv"));
  caches_.vector_invalidated(0);
  s_load(a_, 0x38, 0x1008);
  caches_.scalar_invalidated(0);
  s_load(a_, 0x3c, 0x1008);
  EXPECT_THAT(found(), ElementsAre("stale_scalar_line 34 20", "stale_scalar_line 38 20"));
}

TEST_F(scalar_cache, and_the_vector_cache_hold_lines_of_their_own) {
  load(a_, 0x10, 0x1000);
  store(c_, 0x20, 0x1000);
  s_load(a_, 0x30, 0x1000);
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(scalar_cache, keeps_scalar_stores_until_they_are_written_back) {
  s_store(a_, 0x10, 0x1000);
  s_load(b_, 0x14, 0x1000);  // the same cache
  EXPECT_THAT(found(), IsEmpty());
  load(a_, 0x20, 0x1000);
  load(c_, 0x24, 0x1000);
  s_load(c_, 0x28, 0x1000);
  EXPECT_THAT(found(), ElementsAre("scalar_store_not_written_back 20 10", "scalar_store_not_written_back 24 10",
                                   "scalar_store_not_written_back 28 10"));
}

TEST_F(scalar_cache, scalar_stores_that_are_written_back_are_as_others) {
  s_store(a_, 0x10, 0x1000);
  caches_.scalar_written_back(0);
  load(c_, 0x20, 0x1000);
  EXPECT_THAT(found(), IsEmpty());
  s_store(a_, 0x14, 0x1000);
  caches_.scalar_written_back(0);
  load(c_, 0x24, 0x1000);
  EXPECT_THAT(found(), ElementsAre("stale_vector_line 24 14"));
}

TEST_F(scalar_cache, a_store_that_is_never_written_back) {
  s_store(a_, 0x10, 0x1000);
  caches_.scalar_written_back(1);
  s_store(c_, 0x14, 0x1000);
  caches_.scalar_written_back(1);
  caches_.launch_ended();
  EXPECT_THAT(found(), ElementsAre("scalar_store_not_written_back 10 0"));
}

TEST_F(instruction_cache, code_that_the_launch_has_written) {
  caches_.code_at(0x8000, 0x9000);
  caches_.fetched(a_, 0x8010, 8);
  store(a_, 0x10, 0x8014);
  caches_.fetched(a_, 0x8018, 4);
  EXPECT_THAT(found(), IsEmpty());
  caches_.fetched(a_, 0x8010, 8);
  EXPECT_THAT(found(), ElementsAre("stale_instruction_line 8010 10"));
  caches_.instructions_invalidated(0);
  caches_.fetched(a_, 0x8010, 8);
  EXPECT_EQ(sink_.count, 1u);
  caches_.fetched(c_, 0x8014, 4);  // the other compute unit's cache is not invalid
  EXPECT_EQ(sink_.count, 2u);
}

}  // namespace
}  // namespace pws::check::coherence_test
