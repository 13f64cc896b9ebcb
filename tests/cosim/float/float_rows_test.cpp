// SPDX-License-Identifier: Apache-2.0
// Random vectors of every instruction, in every mode and with every modifier, against the reference model, bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>

#include "tests/cosim/float/float_check.h"

namespace pws::rtl_test::float_rows_test {

namespace {

// Vectors per group: PWS_RTL_VECTORS, or 20000.
uint64_t vectors_wanted() {
  const char* text = std::getenv("PWS_RTL_VECTORS");
  if (text == nullptr) return 20000;
  char* end = nullptr;
  const uint64_t n = std::strtoull(text, &end, 10);
  if (end == text || *end != '\0' || n == 0) {
    ADD_FAILURE() << "PWS_RTL_VECTORS is no positive number: " << text;
    return 1;
  }
  return n;
}

class rtl_float : public testing::TestWithParam<const char*> {};

TEST_P(rtl_float, agrees_with_the_reference) {
  std::vector<const float_case*> cases;
  uint64_t seed = 1;
  for (const float_case& c : float_cases())
    if (std::strcmp(c.group, GetParam()) == 0) cases.push_back(&c);
  for (const char* p = GetParam(); *p != '\0'; ++p) seed = 31 * seed + static_cast<unsigned char>(*p);
  random_bits random(seed);
  float_units units;
  const uint64_t wanted = vectors_wanted();
  unsigned shown = 0;
  size_t next = 0;
  for (uint64_t done = 0; done < wanted && shown < 8; done += isa::wave_size) {
    const float_batch batch = random_batch(random, *cases[next++ % cases.size()]);
    for (const std::string& line : differences(batch, run_unit(units, batch), run_reference(batch)))
      if (shown++ < 8) ADD_FAILURE() << line;
  }
}

std::string group_name(const testing::TestParamInfo<const char*>& info) {
  return info.param;
}
INSTANTIATE_TEST_SUITE_P(groups, rtl_float, testing::ValuesIn(float_groups()), group_name);

TEST(rtl_float_cases, name_every_operation) {
  std::set<unsigned> seen;
  for (const float_case& c : float_cases()) seen.insert(static_cast<unsigned>(c.op));
  EXPECT_EQ(seen.size(), fpu_op_count);
  EXPECT_EQ(*seen.rbegin(), fpu_op_count - 1);
}

// The comparison sees a wrong bit of a result, and a wrong flag.
TEST(rtl_float_cases, a_wrong_bit_is_a_difference) {
  random_bits random(7);
  float_units units;
  const float_batch batch = random_batch(random, float_cases().front());
  const float_results reference = run_reference(batch);
  float_results wrong = run_unit(units, batch);
  ASSERT_TRUE(differences(batch, wrong, reference).empty());
  wrong.value[63] ^= 1;
  wrong.flags ^= 2;
  const auto lines = differences(batch, wrong, reference);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_NE(lines[0].find("flag 1, reference"), std::string::npos) << lines[0];
  EXPECT_NE(lines[1].find("v_add_f32 mode"), std::string::npos) << lines[1];
}

}  // namespace

}  // namespace pws::rtl_test::float_rows_test
