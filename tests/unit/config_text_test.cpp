// SPDX-License-Identifier: Apache-2.0
// Helpers of messages and text files.
#include <gtest/gtest.h>

#include "platform/config/utf8.h"
#include "platform/config/values/number.h"
#include "platform/config/values/text.h"

namespace pws::platform::config_text_test {
namespace {

TEST(config_text, edit_distance) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("n_cu", "n_uc"), 1u);  // neighbours swapped
  EXPECT_EQ(edit_distance("abc", "abc"), 0u);
}

TEST(config_text, did_you_mean) {
  const std::vector<std::string> keys = {"n_cu", "n_simd", "line_bytes"};
  EXPECT_EQ(did_you_mean("n_cuu", keys), "; did you mean n_cu?");
  EXPECT_EQ(did_you_mean("line", keys), "; did you mean line_bytes?");
  EXPECT_EQ(did_you_mean("banks", keys), "");
  EXPECT_EQ(did_you_mean("", keys), "");
  EXPECT_EQ(did_you_mean(std::string(100'000, 'n'), keys), "");
  EXPECT_EQ(did_you_mean("x", {}), "");
}

TEST(config_text, quoting) {
  EXPECT_EQ(in_quotes("a\nb\x7f"), "'a\\x0ab\\x7f'");
  EXPECT_EQ(in_quotes(std::string(100, 'x')), "'" + std::string(60, 'x') + "...'");
  const std::string umlauts = std::string(59, 'x') + "\xc3\xa4\xc3\xa4";
  EXPECT_EQ(in_quotes(umlauts), "'" + std::string(59, 'x') + "\xc3\xa4...'");  // not cut within a character
  EXPECT_EQ(file_in_quotes("/" + std::string(100, 'd') + "/f\n"),
            "'/" + std::string(100, 'd') + "/f\\x0a'");  // a path is whole
}

TEST(config_text, utf8) {
  const auto bad = [](const std::string& text) {
    const auto found = find_bad_utf8(text);
    return found ? std::to_string(found->line) + ":" + std::to_string(found->column) : "good";
  };
  EXPECT_EQ(bad(""), "good");
  EXPECT_EQ(bad("\t\r\n"), "good");
  EXPECT_EQ(bad("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\xf4\x8f\xbf\xbf"), "good");
  EXPECT_EQ(bad(std::string("ab\nc\0", 5)), "2:2");
  EXPECT_EQ(bad("\x80"), "1:1");              // continuation without a start
  EXPECT_EQ(bad("a\xc3"), "1:2");             // cut off
  EXPECT_EQ(bad("\xc0\x80"), "1:1");          // overlong NUL
  EXPECT_EQ(bad("\xe0\x9f\xbf"), "1:1");      // overlong
  EXPECT_EQ(bad("\xf0\x8f\xbf\xbf"), "1:1");  // overlong
  EXPECT_EQ(bad("\xed\xa0\x80"), "1:1");      // surrogate
  EXPECT_EQ(bad("\xf4\x90\x80\x80"), "1:1");  // beyond U+10FFFF
  EXPECT_EQ(bad("\xff"), "1:1");
}

TEST(config_text, int128_text) {
  EXPECT_EQ(to_text(0), "0");
  EXPECT_EQ(to_text(-(int128{1} << 64)), "-18446744073709551616");
}

TEST(config_text, reals) {
  double value = 0;
  for (const char* bad : {"", "-", ".", "e5", "1e", "1.2.3", "nanx", "0x1p3", "1f", "infinity", "- 1", "1 "}) {
    EXPECT_EQ(parse_real(bad, value), number_status::not_a_number) << bad;
  }
  EXPECT_EQ(parse_real("1e400", value), number_status::too_large);
  EXPECT_EQ(parse_real("-.5e1", value), number_status::ok);
  EXPECT_EQ(value, -5);
  EXPECT_EQ(parse_real("1e-400", value), number_status::ok);
  EXPECT_EQ(value, 0);
  EXPECT_EQ(parse_real("4Ki", value), number_status::ok);
  EXPECT_EQ(value, 4096);
}

}  // namespace
}  // namespace pws::platform::config_text_test
