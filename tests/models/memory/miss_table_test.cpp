// SPDX-License-Identifier: Apache-2.0
#include "models/memory/miss_table.h"

#include <gmock/gmock.h>

namespace pws::test::miss_table_test {
namespace {

using models::miss_table;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using payload = tlm::tlm_generic_payload;

std::vector<const payload*> waiters(const miss_table::miss& m) {
  std::vector<const payload*> all;
  for (payload* t = m.head; t != nullptr; t = models::info(*t).next_waiter) all.push_back(t);
  return all;
}

TEST(miss_table, is_full_with_as_many_lines_as_it_has_entries) {
  miss_table t(2);
  EXPECT_FALSE(t.full());
  t.add(5);
  EXPECT_FALSE(t.full());
  t.add(6);
  EXPECT_TRUE(t.full());
  EXPECT_EQ(t.size(), 2u);
  t.take(5);
  EXPECT_FALSE(t.full());
  EXPECT_EQ(t.size(), 1u);
}

TEST(miss_table, finds_and_takes_by_line) {
  miss_table t(3);
  for (const uint64_t line : {uint64_t{0}, uint64_t{7}, ~uint64_t{0}}) t.add(line).dirty = line == 7;
  EXPECT_EQ(t.find(1), nullptr);
  ASSERT_NE(t.find(0), nullptr);
  EXPECT_EQ(t.find(0)->line, 0u);
  EXPECT_FALSE(t.take(0).dirty);
  EXPECT_EQ(t.find(0), nullptr);
  EXPECT_TRUE(t.take(7).dirty);
  EXPECT_EQ(t.take(~uint64_t{0}).line, ~uint64_t{0});
  EXPECT_EQ(t.size(), 0u);
}

TEST(miss_table, what_is_added_is_new) {
  miss_table t(1);
  t.add(7).dirty = true;
  t.take(7);
  const miss_table::miss& m = t.add(7);
  EXPECT_FALSE(m.dirty);
  EXPECT_EQ(m.primary, nullptr);
  EXPECT_THAT(waiters(m), IsEmpty());
}

TEST(miss_table, waiters_stay_in_order) {
  models::transaction_pool pool;
  payload* p[4];
  for (payload*& t : p) t = pool.acquire(tlm::TLM_READ_COMMAND, 0, nullptr, 64);
  models::info(*p[1]).next_waiter = p[3];  // left over from a list before
  miss_table t(2);
  t.add(5);
  t.add(6);
  miss_table::append(*t.find(5), *p[2]);
  miss_table::append(*t.find(6), *p[3]);
  miss_table::append(*t.find(5), *p[0]);
  miss_table::append(*t.find(5), *p[1]);
  EXPECT_THAT(waiters(t.take(5)), ElementsAre(p[2], p[0], p[1]));
  EXPECT_THAT(waiters(*t.find(6)), ElementsAre(p[3]));
  for (payload* each : p) each->release();
}

TEST(transaction_pool, hands_out_what_came_back) {
  models::transaction_pool pool;
  payload* first = pool.acquire(tlm::TLM_READ_COMMAND, 64, nullptr, 64);
  payload* second = pool.acquire(tlm::TLM_WRITE_COMMAND, 128, nullptr, 16);
  EXPECT_NE(first, second);
  EXPECT_EQ(pool.in_flight(), 2u);
  first->set_response_status(tlm::TLM_OK_RESPONSE);
  first->set_dmi_allowed(true);
  first->release();
  EXPECT_EQ(pool.in_flight(), 1u);
  payload* again = pool.acquire(tlm::TLM_WRITE_COMMAND, 192, nullptr, 32);
  EXPECT_EQ(again, first);
  EXPECT_TRUE(again->is_write());
  EXPECT_EQ(again->get_address(), 192u);
  EXPECT_EQ(again->get_data_length(), 32u);
  EXPECT_EQ(again->get_streaming_width(), 32u);
  EXPECT_EQ(again->get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE);
  EXPECT_FALSE(again->is_dmi_allowed());
  EXPECT_EQ(second->get_address(), 128u);
  again->release();
  second->release();
  EXPECT_EQ(pool.in_flight(), 0u);
}

}  // namespace
}  // namespace pws::test::miss_table_test
