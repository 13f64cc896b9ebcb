// SPDX-License-Identifier: Apache-2.0
// The expression language: values, types, the results that C leaves open, and errors.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "platform/config/values/expression.h"

namespace pws::platform::config_expression_test {
namespace {

template <class T>
constexpr element_type type_of() {
  if (std::is_same_v<T, float>) return element_type::f32;
  if (std::is_same_v<T, double>) return element_type::f64;
  if (std::is_same_v<T, int8_t>) return element_type::i8;
  if (std::is_same_v<T, uint8_t>) return element_type::u8;
  if (std::is_same_v<T, int16_t>) return element_type::i16;
  if (std::is_same_v<T, int32_t>) return element_type::i32;
  if (std::is_same_v<T, uint32_t>) return element_type::u32;
  if (std::is_same_v<T, int64_t>) return element_type::i64;
  return element_type::u64;
}

// Names, their values and the evaluation of an expression over them.
class scope {
 public:
  template <class T>
  scope& buffer(const std::string& name, const std::vector<T>& values, element_type type = type_of<T>()) {
    symbols_.push_back({name, type, true, 0, values.size()});
    std::vector<uint8_t> bytes(values.size() * sizeof(T));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    memory_.push_back(std::move(bytes));
    return *this;
  }
  template <class T>
  scope& scalar(const std::string& name, T value) {
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    symbols_.push_back({name, type_of<T>(), false, bits, 0});
    memory_.emplace_back();
    return *this;
  }
  template <class T>
  std::vector<T> all(const std::string& text, uint64_t count, uint64_t first = 0) const {
    const expression e(text, symbols_, type_of<T>(), first + count);
    std::vector<const uint8_t*> pointers;
    for (const auto& m : memory_) pointers.push_back(m.data());
    std::vector<T> out(count);
    e.evaluate(pointers, first, count, reinterpret_cast<uint8_t*>(out.data()));
    return out;
  }
  template <class T>
  T one(const std::string& text) const {
    return all<T>(text, 1)[0];
  }
  std::string error(const std::string& text, element_type type = element_type::f32) const {
    try {
      const expression e(text, symbols_, type, 8);
    } catch (const expression_error& e) {
      return std::to_string(e.position()) + ": " + e.what();
    }
    return "none";
  }

 private:
  std::vector<expression_symbol> symbols_;
  std::vector<std::vector<uint8_t>> memory_;
};

constexpr int32_t smallest_i32 = std::numeric_limits<int32_t>::min();

TEST(config_expression, precedence_is_c_s) {
  const scope s;
  EXPECT_EQ(s.one<int32_t>("1 + 2 * 3"), 7);
  EXPECT_EQ(s.one<int32_t>("(1 + 2) * 3"), 9);
  EXPECT_EQ(s.one<int32_t>("10 - 4 - 3"), 3);
  EXPECT_EQ(s.one<int32_t>("100 / 10 / 5 % 3"), 2);
  EXPECT_EQ(s.one<int32_t>("1 << 2 + 1"), 1 << 3);
  EXPECT_EQ(s.one<int32_t>("1 | 6 ^ 3 & 2"), 1 | (6 ^ (3 & 2)));
  EXPECT_EQ(s.one<int32_t>("5 & 4 == 4"), 5 & 1);
  EXPECT_EQ(s.one<int32_t>("1 < 2 == 2 > 1"), 1);
  EXPECT_EQ(s.one<int32_t>("0 && 0 || 1"), 1);
  EXPECT_EQ(s.one<int32_t>("1 || 0 && 0"), 1);
  EXPECT_EQ(s.one<int32_t>("0 ? 1 : 0 ? 2 : 3"), 3);
  EXPECT_EQ(s.one<int32_t>("1 ? 0 ? 4 : 5 : 6"), 5);
  EXPECT_EQ(s.one<int32_t>("- 2 - -3"), 1);
  EXPECT_EQ(s.one<int32_t>("~0 + !0 + !7 + +4"), 4);
  EXPECT_EQ(s.one<int32_t>("-~5"), 6);
  EXPECT_EQ(s.one<int32_t>("3 >= 3 && 2 <= 1 || 4 != 4"), 0);
}

TEST(config_expression, elements_and_index) {
  scope s;
  s.buffer<float>("a", {1, 2, 3, 4}).buffer<int32_t>("p", {3, 2, 1, 0}).scalar<int32_t>("n", 10);
  EXPECT_EQ(s.all<float>("a * 2 + n", 4), (std::vector<float>{12, 14, 16, 18}));
  EXPECT_EQ(s.all<float>("a[p]", 4), (std::vector<float>{4, 3, 2, 1}));
  EXPECT_EQ(s.all<float>("a[p[i]] - a[i]", 4), (std::vector<float>{3, 1, -1, -3}));
  EXPECT_EQ(s.all<int32_t>("i * i", 3, 5), (std::vector<int32_t>{25, 36, 49}));
}

TEST(config_expression, outside_a_buffer_is_zero) {
  scope s;
  s.buffer<float>("a", {1, 2, 3})
      .buffer<int64_t>("far", {std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max(), 1});
  EXPECT_EQ(s.all<float>("a[i - 1] + a[i + 1]", 3), (std::vector<float>{2, 4, 2}));
  EXPECT_EQ(s.all<float>("a[far]", 3), (std::vector<float>{0, 0, 2}));
  EXPECT_EQ(s.one<float>("a[-1] + a[3] + a[0x7fffffffffffffff] + a[0xffffffffffffffff]"), 0);
}

TEST(config_expression, blocks_have_no_seams) {
  scope s;
  std::vector<uint32_t> values(1000);
  for (uint32_t k = 0; k < 1000; ++k) values[k] = k * 7;
  s.buffer<uint32_t>("a", values);
  const auto result = s.all<uint32_t>("a + i", 999, 1);
  for (uint32_t k = 0; k < 999; ++k) ASSERT_EQ(result[k], (k + 1) * 8);
}

TEST(config_expression, float_arithmetic_stays_in_float) {
  scope s;
  s.buffer<float>("a", {16777216.0f}).buffer<float>("b", {0.1f});
  EXPECT_EQ(s.one<float>("a + 1 - a"), 0.0f);
  EXPECT_EQ(s.one<float>("f64(a) + 1 - a"), 1.0f);
  EXPECT_EQ(s.one<float>("b * b"), 0.1f * 0.1f);
  EXPECT_EQ(s.one<float>("b == 0.1"), 1.0f);  // the constant is a float beside a float
  EXPECT_EQ(s.one<float>("f64(b) == 0.1"), 0.0f);
  EXPECT_EQ(s.one<double>("0.1"), 0.1);
  EXPECT_EQ(s.one<double>("0.1f"), static_cast<double>(0.1f));
  EXPECT_EQ(s.one<double>("b + 0.2"), static_cast<double>(0.1f + 0.2f));
  EXPECT_EQ(s.one<float>("f64(0.1) == 0.1"), 1.0f);
  EXPECT_EQ(s.one<float>("1 / 3"), 0.0f);
  EXPECT_EQ(s.one<float>("1 / 3.0"), 1.0f / 3.0f);
}

TEST(config_expression, multiply_and_add_is_not_fused_unless_asked) {
  scope s;
  s.buffer<float>("a", {1.0f + 0x1p-12f});
  EXPECT_EQ(s.one<float>("a * a - 1"), (1.0f + 0x1p-11f) - 1.0f);
  EXPECT_EQ(s.one<float>("fma(a, a, -1)"), 0x1p-11f + 0x1p-24f);
}

TEST(config_expression, integer_promotion) {
  scope s;
  s.buffer<uint8_t>("b", {200}).buffer<int8_t>("c", {-100}).scalar<uint32_t>("u", 1).scalar<int64_t>("l", 1);
  EXPECT_EQ(s.one<int32_t>("b + b"), 400);
  EXPECT_EQ(s.one<uint8_t>("b + b"), 144);
  EXPECT_EQ(s.one<int8_t>("c - 100"), 56);
  EXPECT_EQ(s.one<int32_t>("-1 < u"), 0);  // unsigned, as in C
  EXPECT_EQ(s.one<int32_t>("-1 < l"), 1);
  EXPECT_EQ(s.one<int64_t>("2147483648 + 1"), 2147483649);
  EXPECT_EQ(s.one<int64_t>("1u - 2"), 0xffffffff);
  EXPECT_EQ(s.one<uint64_t>("18446744073709551615"), ~uint64_t{0});
}

// Numbers and i are computed in 64 bits, whatever the buffer holds; beside a stated type they take that type.
TEST(config_expression, plain_integers_are_wide) {
  scope s;
  s.buffer<uint32_t>("u", {0xffffffff}).buffer<int32_t>("n", {std::numeric_limits<int32_t>::max()});
  EXPECT_EQ(s.one<int64_t>("0x7fffffff + 1"), int64_t{1} << 31);
  EXPECT_EQ(s.one<int64_t>("0xffffffff + 1"), int64_t{1} << 32);
  EXPECT_EQ(s.one<uint64_t>("1 << 40"), uint64_t{1} << 40);
  EXPECT_EQ(s.one<uint64_t>("2147483647 + 1"), uint64_t{1} << 31);
  EXPECT_EQ(s.one<int64_t>("65536 * 65536"), int64_t{1} << 32);
  EXPECT_EQ(s.all<uint64_t>("i << 32", 2, 3), (std::vector<uint64_t>{uint64_t{3} << 32, uint64_t{4} << 32}));
  EXPECT_EQ(s.one<int64_t>("(3 > 2) * 65536 * 65536"), int64_t{1} << 32);
  EXPECT_EQ(s.one<int64_t>("-(3 > 2) << 40"), -(int64_t{1} << 40));
  EXPECT_EQ(s.one<int64_t>("max(1, i) << 33"), int64_t{1} << 33);
  EXPECT_EQ(s.one<int64_t>("-9223372036854775807 - 1"), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(s.one<int64_t>("i32(65536 * 65536 + 7)"), 7);  // asked for
  EXPECT_EQ(s.one<int64_t>("u32(65535 * 65537 + 1)"), 0);
  EXPECT_EQ(s.one<int64_t>("(u + 1) / 2"), 0);  // as the kernel does with unsigned
  EXPECT_EQ(s.one<int64_t>("u * 3 >> 1"), 0xfffffffdu >> 1);
  EXPECT_EQ(s.one<int64_t>("(u ^ 0x80000000) + i"), 0x7fffffff);
  EXPECT_EQ(s.one<int64_t>("n + 1 + i"), int64_t{smallest_i32});
  EXPECT_EQ(s.one<int64_t>("n + 4294967296"), (int64_t{1} << 32) + 0x7fffffff);
  EXPECT_EQ(s.one<int64_t>("u & i - 1"), 0xffffffff);
  EXPECT_EQ(s.one<double>("65536 * 65536 + 0.5"), 4294967296.5);
}

TEST(config_expression, integers_of_a_stated_type_wrap) {
  scope s;
  s.scalar<int32_t>("m", std::numeric_limits<int32_t>::max()).scalar<int32_t>("w", smallest_i32);
  EXPECT_EQ(s.one<int32_t>("m + 1"), smallest_i32);
  EXPECT_EQ(s.one<int32_t>("m * m"), 1);
  EXPECT_EQ(s.one<int32_t>("-w"), smallest_i32);
  EXPECT_EQ(s.one<int32_t>("abs(w)"), smallest_i32);
  EXPECT_EQ(s.one<int32_t>("w - 1"), std::numeric_limits<int32_t>::max());
  EXPECT_EQ(s.one<uint64_t>("u64(0) - 1"), ~uint64_t{0});
}

TEST(config_expression, division_by_zero_and_overflow) {
  scope s;
  s.scalar<int32_t>("z", 0).scalar<int32_t>("w", smallest_i32).scalar<uint32_t>("uz", 0);
  EXPECT_EQ(s.one<int32_t>("7 / z"), -1);
  EXPECT_EQ(s.one<int32_t>("7 % z"), 7);
  EXPECT_EQ(s.one<uint32_t>("7 / uz"), 0xffffffffu);
  EXPECT_EQ(s.one<uint32_t>("7 % uz"), 7u);
  EXPECT_EQ(s.one<int32_t>("w / -1"), smallest_i32);
  EXPECT_EQ(s.one<int32_t>("w % -1"), 0);
  EXPECT_EQ(s.one<int32_t>("-7 / 2"), -3);
  EXPECT_EQ(s.one<int32_t>("-7 % 2"), -1);
  EXPECT_EQ(s.one<float>("1.0 / z"), std::numeric_limits<float>::infinity());
  EXPECT_EQ(s.one<float>("-1.0 / z"), -std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(s.one<float>("0.0 / z")));
  EXPECT_TRUE(std::isnan(s.one<float>("1.0 % z")));
  EXPECT_EQ(s.one<float>("-7.5 % 2"), -1.5f);
}

TEST(config_expression, shifts) {
  const scope s;
  EXPECT_EQ(s.one<int32_t>("i32(1) << 31"), smallest_i32);
  EXPECT_EQ(s.one<int32_t>("-8 >> 1"), -4);
  EXPECT_EQ(s.one<uint32_t>("0x80000000 >> 31"), 1u);
  EXPECT_EQ(s.one<int64_t>("i64(1) << 40"), int64_t{1} << 40);
  EXPECT_EQ(s.one<int32_t>("1 << i64(4)"), 16);  // the type is the left operand's
}

TEST(config_expression, real_to_integer_saturates) {
  scope s;
  s.buffer<float>(
      "a", {std::nanf(""), 1e30f, -1e30f, -1.9f, 2147483648.0f, 2147483520.0f, std::numeric_limits<float>::infinity()});
  const int32_t most = std::numeric_limits<int32_t>::max();
  EXPECT_EQ(s.all<int32_t>("a", 7), (std::vector<int32_t>{0, most, smallest_i32, -1, most, 2147483520, most}));
  EXPECT_EQ(s.all<uint32_t>("a", 5), (std::vector<uint32_t>{0, 0xffffffff, 0, 0, 0x80000000}));
  EXPECT_EQ(s.all<int8_t>("a", 4), (std::vector<int8_t>{0, 127, -128, -1}));
  EXPECT_EQ(s.one<uint64_t>("1e30"), ~uint64_t{0});
  EXPECT_EQ(s.one<int64_t>("-1e30"), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(s.one<int32_t>("i32(3000000000.0)"), most);
}

TEST(config_expression, nan) {
  scope s;
  s.buffer<float>("a", {std::nanf(""), 1});
  EXPECT_EQ(s.all<float>("a == a", 2), (std::vector<float>{0, 1}));
  EXPECT_EQ(s.all<float>("a != a", 2), (std::vector<float>{1, 0}));
  EXPECT_EQ(s.all<float>("a < 2 || a >= 2", 2), (std::vector<float>{0, 1}));
  EXPECT_EQ(s.all<float>("!a", 2), (std::vector<float>{0, 0}));
  EXPECT_EQ(s.all<float>("a ? 3 : 4", 2), (std::vector<float>{3, 3}));
  EXPECT_EQ(s.all<float>("min(a, 2) + max(5, a)", 2), (std::vector<float>{7, 6}));
  EXPECT_TRUE(std::isnan(s.one<float>("nan")));
  EXPECT_EQ(s.one<float>("-inf"), -std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(s.one<float>("sqrt(-1)")));
}

TEST(config_expression, denormals_are_kept) {
  scope s;
  s.buffer<float>("a", {1e-40f});
  EXPECT_EQ(s.one<float>("a * 2"), 1e-40f + 1e-40f);
}

TEST(config_expression, functions) {
  scope s;
  s.buffer<float>("a", {-2.5f}).buffer<int32_t>("n", {-9});
  EXPECT_EQ(s.one<float>("abs(a)"), 2.5f);
  EXPECT_EQ(s.one<int32_t>("abs(n)"), 9);
  EXPECT_EQ(s.one<float>("floor(a) * 100 + ceil(a) * 10 + trunc(a)"), -322.0f);
  EXPECT_EQ(s.one<float>("sqrt(abs(n))"), 3.0f);
  EXPECT_EQ(s.one<double>("sqrt(2)"), std::sqrt(2.0));
  EXPECT_EQ(s.one<float>("sqrt(2)"), std::sqrt(2.0f));
  EXPECT_EQ(s.one<int32_t>("min(n, 3) * max(n, 3)"), -27);
  EXPECT_EQ(s.one<float>("exp(1)"), static_cast<float>(std::exp(1.0)));
  EXPECT_EQ(s.one<float>("log(10) + sin(1) + cos(1)"),
            static_cast<float>(std::log(10.0)) + static_cast<float>(std::sin(1.0)) + static_cast<float>(std::cos(1.0)));
  EXPECT_EQ(s.one<float>("pow(2, 0.5)"), static_cast<float>(std::pow(2.0, 0.5)));
  EXPECT_EQ(s.one<int32_t>("u8(300) + i8(200)"), 44 - 56);
  EXPECT_EQ(s.one<float>("f16(2049)"), 2048.0f);
}

// One number for all elements is not bent to be an integer; integers that differ by element wrap, as in C.
TEST(config_expression, numbers_that_are_no_element) {
  const std::vector<expression_symbol> symbols = {{"a", element_type::u8, true, 0, 4},
                                                  {"n", element_type::i32, false, 3, 0}};
  const auto misfit = [&symbols](const char* text, element_type type) {
    return expression(text, symbols, type, 4).misfit().value_or("none");
  };
  using e = element_type;
  EXPECT_EQ(misfit("255", e::u8), "none");
  EXPECT_EQ(misfit("256", e::u8), "256 does not fit u8 (0..255)");
  EXPECT_EQ(misfit("-n", e::u8), "-3 does not fit u8 (0..255)");
  EXPECT_EQ(misfit("-128", e::i8), "none");
  EXPECT_EQ(misfit("n * 0.5", e::i32), "1.5 is no integer, and the buffer holds i32");
  EXPECT_EQ(misfit("n * 0.5 + 0.5", e::i32), "none");
  EXPECT_EQ(misfit("i32(n * 0.5)", e::i32), "none");
  EXPECT_EQ(misfit("u8(300)", e::u8), "none");
  EXPECT_EQ(misfit("nan", e::i32), "nan is no integer, and the buffer holds i32");
  EXPECT_EQ(misfit("inf", e::u64), "inf does not fit u64 (0..18446744073709551615)");
  EXPECT_EQ(misfit("2147483648.0", e::i32), "2147483648 does not fit i32 (-2147483648..2147483647)");
  EXPECT_EQ(misfit("-2147483648.0", e::i32), "none");
  EXPECT_EQ(misfit("0xffffffff", e::i32), "4294967295 does not fit i32 (-2147483648..2147483647)");
  EXPECT_EQ(misfit("0xffffffffffffffff", e::i64),
            "18446744073709551615 does not fit i64 (-9223372036854775808..9223372036854775807)");
  EXPECT_EQ(misfit("18446744073709551616.0", e::u64),
            "18446744073709551616 does not fit u64 (0..18446744073709551615)");
  EXPECT_EQ(misfit("1.5", e::f16), "none");
  EXPECT_EQ(misfit("a + 0.5", e::u8), "none");
  EXPECT_EQ(misfit("i * 300", e::u8), "none");
  EXPECT_EQ(misfit("a[0] * 300", e::u8), "none");
}

// An integer divided by 0 is no element's expected value; what is not looked at may be anything.
TEST(config_expression, integers_divided_by_zero) {
  const std::vector<expression_symbol> symbols = {{"a", element_type::i32, true, 0, 600},
                                                  {"z", element_type::i64, false, 0, 0},
                                                  {"n", element_type::u32, false, 3, 0}};
  std::vector<int32_t> numbers(600);
  for (size_t k = 0; k < numbers.size(); ++k) numbers[k] = static_cast<int32_t>(k) - 300;
  const auto misfit = [&](const char* text, element_type type) {
    const expression e(text, symbols, type, 600);
    const auto constant = e.misfit();
    if (constant) return *constant;
    if (!e.may_misfit()) return std::string("none");
    return e.misfit({reinterpret_cast<const uint8_t*>(numbers.data())}, 0, 600).value_or("none, of all");
  };
  using e = element_type;
  for (const char* text : {"1 / 0", "1 % 0", "7 / (n - 3)", "1 / z", "1.5 + 1 / 0", "i32(1 / 0) * 0", "abs(-(1 / 0))",
                           "a[1 / 0]", "0 ? 5 : 1 / 0", "1 / 0 ? 5 : 6", "1 && 1 / 0", "0 || 1 % 0", "1 / 0 && 0",
                           "min(1 / 0, 3)", "fma(1, 2, 1 / 0)", "~(1 / 0)", "(1 / 0) << 3"})
    for (const e type : {e::i32, e::u8, e::f32, e::f64, e::i64})
      EXPECT_NE(misfit(text, type).find("an integer is divided by 0"), std::string::npos)
          << text << ": " << misfit(text, type);
  for (const char* text :
       {"1 ? 5 : 1 / 0", "0 ? 1 / 0 : 5", "0 && 1 / 0", "1 || 1 % 0", "5 / n", "n % 2", "1 / (z + 1)"})
    EXPECT_EQ(misfit(text, e::i32), "none") << text;
  EXPECT_EQ(misfit("1 / 0.0", e::f32), "none");  // inf
  EXPECT_EQ(misfit("n / 0.0", e::f64), "none");
  for (const char* text :
       {"1000 / a", "1000 % a", "i64(1000) / a", "u32(1000) % a", "1 + 1000 / a * 2", "i < 301 ? 1000 / a : 0"})
    EXPECT_EQ(misfit(text, e::i32), "at i = 300: an integer is divided by 0") << text;
  EXPECT_EQ(misfit("1000 / a", e::f32), "at i = 300: an integer is divided by 0");
  for (const char* text : {"a != 0 ? 1000 / a : 7", "a == 0 ? 7 : 1000 % a", "a && 1000 / a > 5", "!a || 1000 % a",
                           "i == 300 ? 1 : i / a", "1000 / (a | 1)"})
    EXPECT_EQ(misfit(text, e::i32), "none, of all") << text;
  EXPECT_EQ(misfit("i / 2 + i % 3", e::u32), "none, of all");
}

// No shift count is taken modulo anything, and no plain integer loses bits unsaid.
TEST(config_expression, shifts_and_plain_integers_without_result) {
  const std::vector<expression_symbol> symbols = {{"a", element_type::i32, true, 0, 600},
                                                  {"u", element_type::u32, false, 40, 0},
                                                  {"l", element_type::i64, false, uint64_t{1} << 32, 0}};
  const std::vector<int32_t> numbers(600, 1);
  const auto misfit = [&](const char* text, element_type type) {
    const expression e(text, symbols, type, 600);
    const auto constant = e.misfit();
    if (constant) return *constant;
    if (!e.may_misfit()) return std::string("none");
    return e.misfit({reinterpret_cast<const uint8_t*>(numbers.data())}, 0, 600).value_or("none, of all");
  };
  using e = element_type;
  const std::string shift = "a shift by a negative number, or by at least the number of bits of what is shifted";
  for (const char* text : {"1 << 64", "1 << -1", "1 >> 64", "i32(1) << 32", "u << u", "u32(1) >> 32", "1 << l",
                           "i32(1) << l", "u64(1) << 0xffffffffffffffff", "0 ? 1 : 1 << 64"})
    for (const e type : {e::i32, e::u64, e::f32}) EXPECT_EQ(misfit(text, type), shift) << text;
  EXPECT_EQ(misfit("i << 64", e::i32), "at i = 0: " + shift);
  EXPECT_EQ(misfit("1 << i", e::f32).substr(0, 11), "at i = 63: ");
  EXPECT_EQ(misfit("a << i", e::i32), "at i = 32: " + shift);
  EXPECT_EQ(misfit("i < 32 ? a << i : 7", e::i32), "none, of all");
  EXPECT_EQ(misfit("a >> 30 - i", e::i32), "at i = 31: " + shift);

  const std::string wide = "a number leaves the 64 bits of i64; u64(...) makes arithmetic that wraps";
  for (const char* text :
       {"1 << 63", "9223372036854775807 + 1", "-9223372036854775807 - 2", "4294967296 * 4294967296",
        "(-9223372036854775807 - 1) / -1", "-(-9223372036854775807 - 1)", "abs(-9223372036854775807 - 1)"})
    for (const e type : {e::i32, e::u64, e::f64}) EXPECT_EQ(misfit(text, type), wide) << text;
  EXPECT_EQ(misfit("i << 62", e::u64), "at i = 2: " + wide);
  EXPECT_EQ(misfit("i * 0x0040000000000000", e::u64), "at i = 512: " + wide);
  EXPECT_EQ(misfit("u64(1) << 63", e::u64), "none");
  EXPECT_EQ(misfit("u64(9223372036854775807) * 3", e::u64), "none");

  EXPECT_EQ(misfit("65536 * 65536 + i", e::i32),
            "at i = 0: 4294967296 does not fit i32 (-2147483648..2147483647); i32(...) wraps");
  EXPECT_EQ(misfit("65536 * 65536 + i", e::f32), "none, of all");
  EXPECT_EQ(misfit("i", e::u8), "at i = 256: 256 does not fit u8 (0..255); u8(...) wraps");
  EXPECT_EQ(misfit("u8(i)", e::u8), "none");
  EXPECT_EQ(misfit("i - 1", e::u64), "at i = 0: -1 does not fit u64 (0..18446744073709551615); u64(...) wraps");
  EXPECT_EQ(misfit("i", e::i32), "none");
  EXPECT_EQ(misfit("a * 300", e::u8), "none");  // of a stated type

  EXPECT_EQ(misfit("a + i * 10000000", e::i64).substr(0, 61),
            "at i = 215: a number does not fit the i32 beside it; i64(...)");
  EXPECT_EQ(misfit("u + (i << 23)", e::i64).substr(0, 61),
            "at i = 512: a number does not fit the u32 beside it; u64(...)");
  EXPECT_EQ(misfit("i64(a) + i * 10000000", e::i64), "none, of all");
  EXPECT_EQ(misfit("a + i32(i * 10000000)", e::i64), "none, of all");
  EXPECT_EQ(misfit("i < 200 ? a + i * 10000000 : 0", e::i64), "none, of all");
}

// Real numbers that differ by element: each is an integer of the buffer's type, or it is told.
TEST(config_expression, real_elements_that_are_no_integers) {
  const std::vector<expression_symbol> symbols = {{"a", element_type::f32, true, 0, 600}};
  std::vector<float> numbers(600);
  for (size_t k = 0; k < numbers.size(); ++k) numbers[k] = static_cast<float>(k);
  numbers[599] = std::numeric_limits<float>::infinity();
  const auto misfit = [&](const char* text, element_type type, uint64_t first, uint64_t count) {
    const expression e(text, symbols, type, first + count);
    return e.misfit({reinterpret_cast<const uint8_t*>(numbers.data())}, first, count).value_or("none");
  };
  using e = element_type;
  EXPECT_EQ(misfit("a", e::i32, 0, 599), "none");
  EXPECT_EQ(misfit("a", e::i32, 0, 600),
            "at i = 599: inf does not fit i32 (-2147483648..2147483647); i32(...) truncates");
  EXPECT_EQ(misfit("i32(a)", e::i32, 0, 600), "none");
  EXPECT_EQ(misfit("a", e::f64, 0, 600), "none");
  EXPECT_EQ(misfit("a", e::u8, 0, 256), "none");
  EXPECT_EQ(misfit("a", e::u8, 0, 600), "at i = 256: 256 does not fit u8 (0..255); u8(...) truncates");
  EXPECT_EQ(misfit("i / 2.0", e::i32, 0, 1), "none");
  EXPECT_EQ(misfit("i / 2.0", e::i32, 0, 2),
            "at i = 1: 0.5 is no integer, and the buffer holds i32; i32(...) truncates");
  EXPECT_EQ(misfit("i / 2.0", e::i32, 300, 9),
            "at i = 301: 150.5 is no integer, and the buffer holds i32; i32(...) truncates");
  EXPECT_EQ(misfit("i < 500 ? i : 0.5", e::i32, 0, 500), "none");
  EXPECT_EQ(misfit("i < 500 ? i : 0.5", e::i32, 0, 600),
            "at i = 500: 0.5 is no integer, and the buffer holds i32; i32(...) truncates");
  EXPECT_EQ(misfit("1.5", e::i32, 0, 1), "none");  // is for the other misfit()
}

TEST(config_expression, half_precision_buffers) {
  scope s;
  s.buffer<uint16_t>("h", {0x3c00, 0x7c00, 0x0001}, element_type::f16);
  EXPECT_EQ(s.all<float>("h * 2", 3), (std::vector<float>{2, std::numeric_limits<float>::infinity(), 0x1p-23f}));
  const expression e("1 + 1.0 / 2048", {}, element_type::f16, 1);
  uint16_t out = 0;
  e.evaluate({}, 0, 1, reinterpret_cast<uint8_t*>(&out));
  EXPECT_EQ(out, 0x3c00);  // half way, to even
}

TEST(config_expression, which_buffers_are_read) {
  std::vector<expression_symbol> symbols = {{"a", element_type::f32, true, 0, 4},
                                            {"b", element_type::f32, true, 0, 4},
                                            {"n", element_type::i32, false, 1, 0}};
  const expression e("b[i + n] + b[0]", symbols, element_type::f32, 4);
  EXPECT_EQ(e.buffers(), std::vector<size_t>{1});
  EXPECT_TRUE(e.buffers_at_i().empty());
}

// Each function of the reference takes as many operands as it says, and no other name is one.
TEST(config_expression, functions_of_the_reference) {
  scope s;
  s.scalar<float>("x", 0.5f);
  std::string known;
  for (const expression_function& f : expression_functions()) {
    std::string operands = "x";
    for (size_t k = 1; k < f.operands; ++k) operands += ", x";
    EXPECT_NO_THROW(
        expression(f.name + "(" + operands + ")", {{"x", element_type::f32, false, 0, 0}}, element_type::f32, 1))
        << f.name;
    EXPECT_NE(s.error(f.name + "(" + operands + ", x)"), "") << f.name;
    EXPECT_FALSE(f.meaning.empty()) << f.name;
    known += f.name + " ";
  }
  EXPECT_EQ(known,
            "min max abs sqrt floor ceil trunc exp log sin cos pow fma i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64 ");
}

TEST(config_expression, errors_say_where) {
  scope s;
  s.buffer<float>("alpha", {1}).scalar<int32_t>("n", 1);
  EXPECT_EQ(s.error(""), "0: expected a number, a name or '(', got the end");
  EXPECT_EQ(s.error("alpha +"), "7: expected a number, a name or '(', got the end");
  EXPECT_EQ(s.error("(alpha"), "6: expected ')', got the end");
  EXPECT_EQ(s.error("alpha alpha"), "6: expected an operator or the end, got 'alpha'");
  EXPECT_EQ(s.error("1 + alpah"), "4: unknown name 'alpah'; did you mean alpha?");
  EXPECT_EQ(s.error("sqr(2)"), "0: unknown function 'sqr'; did you mean sqrt?");
  EXPECT_EQ(s.error("min(1)"), "0: min() takes 2 operands, not 1");
  EXPECT_EQ(s.error("abs(1, 2)"), "0: abs() takes 1 operand, not 2");
  EXPECT_EQ(s.error("f32()"), "4: expected a number, a name or '(', got ')'");
  EXPECT_EQ(s.error("n[0]"), "1: 'n' is a scalar and has no elements, got '['");
  EXPECT_EQ(s.error("alpha[0.5]"), "6: an index must be an integer");
  EXPECT_EQ(s.error("alpha & 1"), "6: '&' needs integers");
  EXPECT_EQ(s.error("~alpha"), "0: '~' needs an integer");
  EXPECT_EQ(s.error("1 ? 2"), "5: expected ':', got the end");
  EXPECT_EQ(s.error("1 = 2"), "2: unexpected character '='");
  EXPECT_EQ(s.error("1 + \xc3\xa9"), "4: unexpected character '\xc3\xa9'");
  EXPECT_EQ(s.error("12ab"), "0: '12ab' is not a number");
  EXPECT_EQ(s.error("1.2.3"), "0: '1.2.3' is not a number");
  EXPECT_EQ(s.error("99999999999999999999"), "0: 99999999999999999999 is too large");
  EXPECT_EQ(s.error("1e999"), "0: 1e999 is too large");
  EXPECT_EQ(s.error("1e39f"), "0: 1e39f is too large");
  EXPECT_EQ(s.error(std::string(200, '(') + "1"), "50: nested too deeply, got '('");
  EXPECT_EQ(s.error(std::string(70'000, ' ')), "65536: the expression is longer than 65536 characters");
}

TEST(config_expression, random_token_soup_never_crashes) {
  static const std::vector<std::string> tokens = {
      "a",  "n",  "i", "1",    "0",    "2.5", "0xffffffff", "1e10", "nan",  "inf", "+",     "-", "*",  "/",   "%",
      "<<", ">>", "&", "|",    "^",    "~",   "!",          "&&",   "||",   "==",  "<",     "?", ":",  "(",   ")",
      "[",  "]",  ",", "min(", "abs(", "i8(", "u64(",       "f16(", "f64(", "a[",  "sqrt(", "$", "1u", "fma("};
  scope s;
  s.buffer<int32_t>("a", {1, -1, smallest_i32}).scalar<int64_t>("n", std::numeric_limits<int64_t>::min());
  std::mt19937_64 random(3);
  int valid = 0;
  for (int k = 0; k < 50'000; ++k) {
    std::string text;
    for (uint64_t n = 1 + random() % 9; n != 0; --n) text += tokens[random() % tokens.size()] + " ";
    try {
      s.all<int16_t>(text, 4);
      s.all<double>(text, 4);
      ++valid;
    } catch (const expression_error& e) {
      ASSERT_LE(e.position(), text.size());
    }
  }
  EXPECT_GT(valid, 1000);
}

TEST(config_expression, millions_of_elements_are_quick) {
  constexpr size_t n = 4'000'000;
  const std::vector<float> a(n, 1.5f), b(n, 2.0f);
  const expression e("i > 0 ? a[i - 1] * 2 + b : sqrt(a)",
                     {{"a", element_type::f32, true, 0, n}, {"b", element_type::f32, true, 0, n}}, element_type::f32,
                     n);
  std::vector<float> out(n);
  const auto start = std::chrono::steady_clock::now();
  e.evaluate({reinterpret_cast<const uint8_t*>(a.data()), reinterpret_cast<const uint8_t*>(b.data())}, 0, n,
             reinterpret_cast<uint8_t*>(out.data()));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(out[n - 1], 5.0f);
  // 0.1 s alone on a slow core; the rest is for sanitizers and other load.
  EXPECT_LT(seconds.count(), 10.0);
}

}  // namespace
}  // namespace pws::platform::config_expression_test
