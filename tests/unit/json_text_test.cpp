// SPDX-License-Identifier: Apache-2.0
// JSON that is written member by member is what a tree of the same values is written as.
#include "base/output/json_text.h"

#include <gtest/gtest.h>

#include <limits>
#include <sstream>
#include <vector>

#include "base/output/json_file.h"

namespace pws::platform::json_text_test {
namespace {

template <class T>
std::string written(const T& value) {
  std::string text;
  json_text to(text);
  {
    const json_text::scope one = to.object();
    to.add("v", value, "of it");
  }
  return text;
}

template <class T>
std::string of_tree(const T& value) {
  return nlohmann::ordered_json{{"v", {{"value", value}, {"unit", "of it"}}}}.dump();
}

TEST(json_text, numbers) {
  using d = std::numeric_limits<double>;
  for (const double v : {0.0,
                         -0.0,
                         1.0,
                         -1.0,
                         0.1,
                         -2.5,
                         100.0,
                         1e14,
                         999'999'999'999'999.0,
                         1e15,
                         -1e15,
                         1e16,
                         123456789012345678.0,
                         1e22,
                         1e300,
                         1e-7,
                         1.0 / 3,
                         d::min(),
                         d::max(),
                         d::denorm_min(),
                         d::epsilon(),
                         d::infinity(),
                         -d::infinity(),
                         d::quiet_NaN()})
    EXPECT_EQ(written(v), of_tree(v));
  for (const float v : {0.0f, 0.5f, 3.0f, 16777216.0f}) EXPECT_EQ(written(v), of_tree(v));
  for (const uint64_t v : {uint64_t{0}, ~uint64_t{0}}) EXPECT_EQ(written(v), of_tree(v));
  EXPECT_EQ(written(std::numeric_limits<int64_t>::min()), of_tree(std::numeric_limits<int64_t>::min()));
  EXPECT_EQ(written(true), of_tree(true));
}

TEST(json_text, texts) {
  for (const char* v : {"", "plain, with blanks ~!", "a \"quoted\" one", "back\\slash", "line\nbreak", "\x01\x1f",
                        "\x7f", "caf\xc3\xa9", "kernel<int*>(std::array<float, 4> const&)"})
    EXPECT_EQ(written(std::string(v)), of_tree(std::string(v)));
  EXPECT_EQ(written("not a letter: \xff"), "{\"v\":{\"value\":\"not a letter: \xef\xbf\xbd\",\"unit\":\"of it\"}}");
}

TEST(json_text, lists_and_trees) {
  const std::vector<uint32_t> list{1, 2, 3};
  EXPECT_EQ(written(list), of_tree(list));
  EXPECT_EQ(written(nlohmann::ordered_json{{"b", 1}, {"a", nullptr}}),
            of_tree(nlohmann::ordered_json{{"b", 1}, {"a", nullptr}}));
}

// Lists of any length, also longer than what is put out at a time, and elements that are longer than that.
TEST(json_file, long_lists) {
  for (const size_t element : {size_t{1}, size_t{1000}, size_t{600'000}})
    for (const size_t n : {0, 1, 2, 3, 700}) {
      if (element * n > 3'000'000) continue;
      std::ostringstream out;
      size_t k = 0;
      put_json(out,
               {{"before", {{"list", nlohmann::ordered_json::array()}}},
                {"list", nlohmann::ordered_json::array()},
                {"behind", 1}},
               "list", [&](std::string& text) {
                 if (k == n) return false;
                 text += '"' + std::string(element, static_cast<char>('a' + k++ % 26)) + '"';
                 return true;
               });
      std::string expected = "{\n  \"before\": {\n    \"list\": []\n  },\n  \"list\": [";
      for (size_t m = 0; m < n; ++m)
        expected += (m == 0 ? "\n    \"" : ",\n    \"") + std::string(element, static_cast<char>('a' + m % 26)) + '"';
      expected += n == 0 ? "],\n  \"behind\": 1\n}\n" : "\n  ],\n  \"behind\": 1\n}\n";
      EXPECT_TRUE(out.str() == expected) << n << " of " << element << ": " << out.str().substr(0, 200);
    }
}

}  // namespace
}  // namespace pws::platform::json_text_test
