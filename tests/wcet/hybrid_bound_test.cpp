// SPDX-License-Identifier: Apache-2.0
// Equations 5.1 and 5.3 to 5.5 of the thesis.
#include "sw/wcet/kernel/hybrid_bound.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <random>

#include "base/error.h"

namespace pws::wcet::hybrid_bound_test {
namespace {

using ::testing::HasSubstr;

constexpr uint64_t most = std::numeric_limits<uint64_t>::max();

std::string error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const input_error& e) {
    return e.what();
  }
  return "no error";
}

// Two slots; the first splits late.
hybrid_inputs example() {
  hybrid_inputs in;
  in.w = 8;
  in.t_wf = 64;
  in.t_wg = 128;
  in.g = 9;
  in.slots = {{{10, 100}, {80, 25}}, {{20, 70}}};
  return in;
}

TEST(hybrid_bound, by_hand) {
  const hybrid_inputs in = example();
  EXPECT_EQ(batches(in), 3U) << "9 workgroups, 4 at a time";
  EXPECT_EQ(l_plus_d(in), 110U);
  EXPECT_EQ(l_kernel(in), 3 * 110U);
  EXPECT_EQ(l_kernel_serialised(in), 3 * (80 + 125U));
}

TEST(hybrid_bound, batches) {
  hybrid_inputs in = example();
  in.g = 8;
  EXPECT_EQ(batches(in), 2U);
  in.g = 0;
  EXPECT_EQ(l_kernel(in), 0U);
  in.t_wg = 512;
  in.g = 5;
  EXPECT_EQ(batches(in), 5U);
  in.t_wg = 300;
  EXPECT_EQ(batches(in), 5U) << "floor(512 / 300) is 1";
}

TEST(hybrid_bound, errors_name_what_is_wrong) {
  const auto with = [](const std::function<void(hybrid_inputs&)>& change, uint64_t (*bound)(const hybrid_inputs&)) {
    hybrid_inputs in = example();
    change(in);
    return error_of([&] { bound(in); });
  };
  for (const auto bound : {l_kernel, l_kernel_serialised}) {
    EXPECT_EQ(with([](hybrid_inputs&) {}, bound), "no error");
    EXPECT_THAT(with([](hybrid_inputs& in) { in.t_wg = 0; }, bound), HasSubstr("T_WG = 0"));
    EXPECT_THAT(with([](hybrid_inputs& in) { in.t_wg = 513; }, bound), HasSubstr("513 work-items does not fit"));
    EXPECT_THAT(with([](hybrid_inputs& in) { in.w = most; }, bound), HasSubstr("W * T_WF"));
    EXPECT_THAT(with([](hybrid_inputs& in) { in.w = 1; }, bound), HasSubstr("W = 1"));
    EXPECT_THAT(with([](hybrid_inputs& in) { in.slots.clear(); }, bound), HasSubstr("no wavefront slot"));
    EXPECT_THAT(with([](hybrid_inputs& in) { in.slots[1].clear(); }, bound), HasSubstr("slot 1"));
    EXPECT_THAT(with([](hybrid_inputs& in) { in.slots[0][0].l_w = most; }, bound), HasSubstr("does not fit in 64"));
    EXPECT_THAT(with([](hybrid_inputs& in) { in.g = most; }, bound), HasSubstr("L_kernel"));
  }
}

TEST(hybrid_bound, one_after_the_other_is_no_shorter) {
  std::mt19937_64 random(3);
  uint64_t serial = 0;
  for (int trial = 0; trial < 500; ++trial) {
    hybrid_inputs in = example();
    in.w = 16;
    in.slots.resize(1 + random() % 16);
    uint64_t longest = 0;
    for (auto& slot : in.slots) {
      slot.resize(1 + random() % 4);
      for (auto& t : slot) t = {random() % 100, random() % 100};
      for (const auto& t : slot) longest = std::max(longest, t.delta + t.l_w);
    }
    EXPECT_EQ(l_kernel(in), batches(in) * longest);
    EXPECT_LE(l_kernel(in), l_kernel_serialised(in));
    serial += l_kernel(in) < l_kernel_serialised(in) ? 1 : 0;
    for (auto& slot : in.slots) slot.resize(1);
    EXPECT_EQ(l_kernel(in), l_kernel_serialised(in)) << "nothing splits";
  }
  EXPECT_GT(serial, 100U);
}

}  // namespace
}  // namespace pws::wcet::hybrid_bound_test
