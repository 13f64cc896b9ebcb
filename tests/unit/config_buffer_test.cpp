// SPDX-License-Identifier: Apache-2.0
// Initial contents of buffers and conversions of elements.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>

#include "platform/config/files/buffer.h"

namespace pws::platform::config_buffer_test {
namespace {

argument_config buffer(element_type type, uint64_t count, buffer_init init) {
  return {"b", buffer_argument{type, count, std::move(init)}, {}};
}

template <class T>
std::vector<T> contents(element_type type, uint64_t count, buffer_init init) {
  const std::vector<uint8_t> bytes = initial_contents(buffer(type, count, std::move(init)));
  EXPECT_EQ(bytes.size(), count * sizeof(T));
  std::vector<T> values(count);
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

init_number real(double value) {
  return {value, 0};
}
init_number integer(int64_t value) {
  return {0, static_cast<uint64_t>(value)};
}

TEST(config_buffer, poison_is_a_nan_in_both_real_types) {
  const std::vector<uint8_t> bytes = initial_contents(buffer(element_type::u8, 7, poison_init{}));
  EXPECT_EQ(bytes, (std::vector<uint8_t>{0xad, 0xdb, 0xfa, 0x7f, 0xad, 0xdb, 0xfa}));
  EXPECT_TRUE(std::isnan(contents<float>(element_type::f32, 3, poison_init{})[2]));
  EXPECT_TRUE(std::isnan(contents<double>(element_type::f64, 3, poison_init{})[2]));
}

TEST(config_buffer, constant) {
  EXPECT_EQ(contents<int16_t>(element_type::i16, 3, constant_init{0xfffe}), (std::vector<int16_t>{-2, -2, -2}));
  EXPECT_EQ(contents<float>(element_type::f32, 2, constant_init{0x3fc00000}), (std::vector<float>{1.5f, 1.5f}));
}

TEST(config_buffer, ramp) {
  EXPECT_EQ(contents<float>(element_type::f32, 4, ramp_init{real(0.5), real(-0.25)}),
            (std::vector<float>{0.5f, 0.25f, 0, -0.25f}));
  EXPECT_EQ(contents<uint8_t>(element_type::u8, 4, ramp_init{integer(254), integer(1)}),
            (std::vector<uint8_t>{254, 255, 0, 1}));
  EXPECT_EQ(contents<uint32_t>(element_type::u32, 3, ramp_init{integer(1), integer(-1)}),
            (std::vector<uint32_t>{1, 0, 0xffffffff}));
  EXPECT_EQ(
      contents<int64_t>(element_type::i64, 2, ramp_init{integer(std::numeric_limits<int64_t>::max()), integer(1)})[1],
      std::numeric_limits<int64_t>::min());
  // Rounded once per element: adding 0.1f up would drift.
  EXPECT_EQ(contents<float>(element_type::f32, 1001, ramp_init{real(0), real(0.1)})[1000], 100.0f);
}

TEST(config_buffer, split_mix_reference_values) {
  // The generator's published sequence for seed 1234567.
  const uint64_t wanted[] = {6457827717110365317u, 3203168211198807973u, 9817491932198370423u, 4593380528125082431u,
                             16408922859458223821u};
  for (uint64_t k = 0; k < 5; ++k) EXPECT_EQ(split_mix_64(1234567, k), wanted[k]);
}

TEST(config_buffer, random_reals) {
  const auto values = contents<float>(element_type::f32, 100'000, random_init{1, real(-2), real(3)});
  double sum = 0;
  for (const float v : values) {
    ASSERT_GE(v, -2.0f);
    ASSERT_LE(v, 3.0f);
    sum += v;
  }
  EXPECT_NEAR(sum / 100'000, 0.5, 0.02);
  EXPECT_EQ(values, contents<float>(element_type::f32, 100'000, random_init{1, real(-2), real(3)}));
  EXPECT_NE(values, contents<float>(element_type::f32, 100'000, random_init{2, real(-2), real(3)}));
  EXPECT_EQ(contents<float>(element_type::f32, 3, random_init{1, real(-2), real(3)})[2],
            values[2]);  // whatever the count
}

TEST(config_buffer, random_values_never_change) {
  EXPECT_EQ(contents<double>(element_type::f64, 2, random_init{1, real(0), real(1)}),
            (std::vector<double>{0x1.22145bd91204bp-1, 0x1.7dd71b42cb1ddp-1}));
  EXPECT_EQ(contents<int32_t>(element_type::i32, 4, random_init{1, integer(-10), integer(10)}),
            (std::vector<int32_t>{1, 5, 10, -1}));
}

TEST(config_buffer, random_integers_cover_their_range) {
  std::vector<int> seen(5);
  for (const int8_t v : contents<int8_t>(element_type::i8, 5000, random_init{9, integer(-2), integer(2)})) {
    ASSERT_GE(v, -2);
    ASSERT_LE(v, 2);
    ++seen[static_cast<size_t>(v + 2)];
  }
  for (const int n : seen) EXPECT_NEAR(n, 1000, 150);
  EXPECT_EQ(contents<uint64_t>(element_type::u64, 1, random_init{1, integer(0), integer(-1)})[0],
            split_mix_64(1, 0));  // all 2^64
  EXPECT_EQ(contents<int32_t>(element_type::i32, 2, random_init{1, integer(7), integer(7)}),
            (std::vector<int32_t>{7, 7}));
}

TEST(config_buffer, random_over_the_whole_range_of_doubles) {
  const double most = std::numeric_limits<double>::max();
  for (const double v : contents<double>(element_type::f64, 1000, random_init{1, real(-most), real(most)}))
    ASSERT_TRUE(std::isfinite(v));
}

TEST(config_buffer, file_that_changed) {
  const std::string file = testing::TempDir() + "/config_buffer.bin";
  std::ofstream(file, std::ios::binary) << "abcdefgh";
  EXPECT_EQ(contents<uint8_t>(element_type::u8, 8, file_init{file})[7], 'h');
  EXPECT_THROW(initial_contents(buffer(element_type::u8, 9, file_init{file})), input_error);
  EXPECT_THROW(initial_contents(buffer(element_type::u8, 7, file_init{file})), input_error);
  EXPECT_THROW(initial_contents(buffer(element_type::u8, 8, file_init{file + ".none"})), input_error);
}

TEST(config_buffer, scalars_and_structures) {
  EXPECT_EQ(initial_contents({"s", scalar_argument{element_type::i16, 0xfffe}, {}}),
            (std::vector<uint8_t>{0xfe, 0xff}));
  EXPECT_EQ(initial_contents({"s", bytes_argument{{1, 2, 3}}, {}}), (std::vector<uint8_t>{1, 2, 3}));
}

TEST(config_element, f16_round_trip_of_all_values) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const double value = from_f16(static_cast<uint16_t>(bits));
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(from_f16(to_f16(value))));
    } else {
      ASSERT_EQ(to_f16(value), bits);
    }
  }
}

TEST(config_element, f16_rounding) {
  EXPECT_EQ(to_f16(65519.99), 0x7bff);
  EXPECT_EQ(to_f16(65520), 0x7c00);
  EXPECT_EQ(to_f16(-1e300), 0xfc00);
  EXPECT_EQ(to_f16(2049), to_f16(2048));  // ties to even
  EXPECT_EQ(to_f16(2051), to_f16(2052));
  EXPECT_EQ(to_f16(0x1p-25), 0);  // half of the smallest, ties to even
  EXPECT_EQ(to_f16(0x1.0001p-25), 1);
  EXPECT_EQ(to_f16(0x1.ffcp-15 + 0x1p-25), 0x0400);  // carries from the denormals to the normals
  EXPECT_EQ(to_f16(-0.0), 0x8000);
}

// Every f16 from every midpoint between two neighbours: the one with the even last bit.
TEST(config_element, f16_midpoints) {
  for (uint16_t bits = 0; bits < 0x7bff; ++bits) {
    const double middle = (from_f16(bits) + from_f16(static_cast<uint16_t>(bits + 1))) / 2;
    ASSERT_EQ(to_f16(middle), (bits + 1) & ~1);
    ASSERT_EQ(to_f16(std::nextafter(middle, 0)), bits);
    ASSERT_EQ(to_f16(std::nextafter(middle, 1e9)), bits + 1);
  }
}

TEST(config_element, text) {
  EXPECT_EQ(text_of(element_type::i8, 0x80), "-128");
  EXPECT_EQ(text_of(element_type::u64, ~uint64_t{0}), "18446744073709551615");
  EXPECT_EQ(text_of(element_type::f32, 0x3dcccccd), "0.1");
  EXPECT_EQ(text_of(element_type::f16, 0x7e00), "nan");
}

}  // namespace
}  // namespace pws::platform::config_buffer_test
