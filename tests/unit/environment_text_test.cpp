// SPDX-License-Identifier: Apache-2.0
// Text of any length reaches the processes below.
#include "platform/config/files/environment_text.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "base/error.h"

namespace pws::test::environment_text_test {
namespace {

using platform::environment_text;
using platform::environment_texts;

constexpr const char* name = "PWSVP_ENVIRONMENT_TEXT_TEST";

class texts : public testing::Test {
 protected:
  ~texts() override { unsetenv(name); }
};

TEST_F(texts, short_ones_are_the_variable) {
  environment_texts given;
  given.set(name, "one\ntwo");
  EXPECT_STREQ(std::getenv(name), "one\ntwo");
  EXPECT_EQ(environment_text(name), "one\ntwo");
}

TEST_F(texts, none) {
  EXPECT_FALSE(environment_text(name));
  environment_texts given;
  given.set(name, "");
  EXPECT_FALSE(environment_text(name));
}

// Linux takes 131,071 bytes with the name.
TEST_F(texts, long_ones_reach_another_process) {
  for (const size_t length : {size_t{98304}, size_t{98305}, size_t{131071}, size_t{131072}, size_t{5} << 20}) {
    std::string text(length, 'x');
    text.front() = 'a';
    text.back() = 'z';
    environment_texts given;
    given.set(name, text);
    EXPECT_EQ(environment_text(name), text) << length;
    EXPECT_EQ(std::system("v=$PWSVP_ENVIRONMENT_TEXT_TEST; case $v in @*) v=$(cat ${v#@}) ;; esac; "
                          "case $v in a*z) exit 0 ;; esac; exit 1"),
              0)
        << length;
  }
}

TEST_F(texts, a_place_where_nothing_is_any_more) {
  {
    environment_texts given;
    given.set(name, std::string(200000, 'x'));
  }
  try {
    environment_text(name);
    FAIL() << "it was found";
  } catch (const input_error& e) {
    EXPECT_NE(std::string(e.what()).find(name), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace pws::test::environment_text_test
