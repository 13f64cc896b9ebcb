// SPDX-License-Identifier: Apache-2.0
// Instructions are counted, and the observer hears of those that it asks for, and of no other but one whose address is
// equal modulo the table.
#include "models/compute_unit/instruction_attention.h"

#include <gmock/gmock.h>

#include <limits>
#include <vector>

namespace pws::test::instruction_attention_test {
namespace {

using models::instruction_attention;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class listener : public models::execution_observer {
 public:
  std::vector<uint64_t> heard;  // addresses
  // What has begun when it hears of one, and when that has.
  std::vector<uint64_t> begun;
  const instruction_attention* attention = nullptr;

 private:
  void wave_started(uint32_t, const models::wf_context&, models::cycle_t) override {}
  void wave_ended(uint32_t, const models::wf_context&, models::cycle_t) override {}
  void issued(uint32_t, const models::wf_context&, const isa::inst&, models::cycle_t) override {}
  void issuing(uint32_t, const models::wf_context&, const isa::inst& i, models::cycle_t) override {
    heard.push_back(i.pc);
    begun.push_back(attention->begun());
  }
};

class attention : public testing::Test {
 protected:
  attention() { heard_.attention = &counts_; }
  // Instructions of a word, one behind another, from `pc` on.
  void issue(uint64_t pc, uint64_t count) {
    for (uint64_t k = 0; k < count; ++k) {
      isa::inst i;
      i.pc = pc + k * sizeof(uint32_t);
      counts_.issues<true>(0, context_, i, 100 + counts_.begun());
    }
  }

  listener heard_;
  instruction_attention counts_{heard_};
  models::wf_context context_;
};

TEST_F(attention, asks_for_nothing_and_hears_nothing) {
  issue(0x1000, 5);
  EXPECT_THAT(heard_.heard, IsEmpty());
  EXPECT_EQ(counts_.begun(), 5u);
  EXPECT_EQ(counts_.latest_pc(), 0x1010u);
  EXPECT_EQ(counts_.latest_at(), 104u);
  EXPECT_EQ(context_.begun, 5u);
  EXPECT_EQ(counts_.quiet(), instruction_attention::most_quiet);
}

TEST_F(attention, from_a_position) {
  counts_.ask_from(3);
  EXPECT_EQ(counts_.quiet(), 3u);
  issue(0x1000, 5);
  EXPECT_THAT(heard_.heard, ElementsAre(0x100c, 0x1010));
  EXPECT_THAT(heard_.begun, ElementsAre(3, 4));
  EXPECT_EQ(counts_.quiet(), 0u);
  counts_.ask_from(models::never);
  issue(0x2000, 1);
  EXPECT_EQ(heard_.heard.size(), 2u);
}

TEST_F(attention, at_addresses) {
  counts_.ask_at({0x1004, 0x100c});
  EXPECT_EQ(counts_.quiet(), 0u);
  issue(0x1000, 5);
  EXPECT_THAT(heard_.heard, ElementsAre(0x1004, 0x100c));
  counts_.ask_at({0x1000});
  issue(0x1000, 5);
  EXPECT_THAT(heard_.heard, ElementsAre(0x1004, 0x100c, 0x1000));
  counts_.ask_at({});
  issue(0x1000, 5);
  EXPECT_EQ(heard_.heard.size(), 3u);
  EXPECT_NE(counts_.quiet(), 0u);
}

// The first and the last word of the address space, and one whose place in the table is taken.
TEST_F(attention, addresses_at_the_ends) {
  constexpr uint64_t last = std::numeric_limits<uint64_t>::max() - 3;
  counts_.ask_at({0, last});
  issue(last, 1);
  issue(0, 1);
  issue(4096 * 4, 1);  // it may hear of this one too
  issue(4, 1);
  ASSERT_GE(heard_.heard.size(), 2u);
  EXPECT_EQ(heard_.heard[0], last);
  EXPECT_EQ(heard_.heard[1], 0u);
  EXPECT_NE(heard_.heard.back(), 4u);
}

TEST_F(attention, quiet_ones_are_counted_together) {
  isa::inst i;
  i.pc = 0x40;
  counts_.have_begun(context_, 100, &i);
  EXPECT_EQ(counts_.begun(), 100u);
  EXPECT_EQ(context_.begun, 100u);
  EXPECT_EQ(counts_.latest_pc(), 0x40u);
  counts_.have_begun(context_, 7, nullptr);
  EXPECT_EQ(counts_.begun(), 107u);
  EXPECT_EQ(counts_.latest_pc(), 0x40u);
  counts_.ask_from(107 + instruction_attention::most_quiet + 1);
  EXPECT_EQ(counts_.quiet(), instruction_attention::most_quiet);
  counts_.ask_from(107);
  EXPECT_EQ(counts_.quiet(), 0u);
  counts_.restart();
  EXPECT_EQ(counts_.begun(), 0u);
  EXPECT_EQ(counts_.latest_pc(), 0u);
  EXPECT_EQ(counts_.quiet(), 107u);
}

TEST_F(attention, always) {
  counts_.ask_always(true);
  EXPECT_EQ(counts_.quiet(), 0u);
  issue(0x1000, 2);
  EXPECT_THAT(heard_.heard, IsEmpty());
  counts_.ask_always(false);
  EXPECT_NE(counts_.quiet(), 0u);
}

}  // namespace
}  // namespace pws::test::instruction_attention_test
