// SPDX-License-Identifier: Apache-2.0
// Samples and gathers of images: address modes and filters against tables worked out by hand; levels, layers and faces;
// coordinates that are no numbers.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/isa/image_fixture.h"

namespace pws::isa::test::image_sample_test {

namespace {

// Point samples of four texels 0 to 3 at -6.5, -5.5, ... 9.5; -1 is the border, opaque white here.
TEST(memory_image, address_modes_of_points) {
  const int want[8][17] = {{1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1},  // wrap
                           {1, 2, 3, 3, 2, 1, 0, 0, 1, 2, 3, 3, 2, 1, 0, 0, 1},  // mirror
                           {0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3, 3},  // last texel
                           {3, 3, 3, 3, 3, 2, 1, 0, 1, 2, 3, 3, 3, 3, 3, 3, 3},  // mirror once
                           {0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3, 3},  // half border
                           {3, 3, 3, 3, 3, 2, 1, 0, 1, 2, 3, 3, 3, 3, 3, 3, 3},  // mirror once, half border
                           {-1, -1, -1, -1, -1, -1, -1, 0, 1, 2, 3, -1, -1, -1, -1, -1, -1},
                           {-1, -1, -1, 3, 3, 2, 1, 0, 1, 2, 3, -1, -1, -1, -1, -1, -1}};
  for (uint32_t mode = 0; mode < 8; ++mode)
    for (const bool unnormalized : {true, false}) {
      memory_bench b;
      image i;
      i.type = d1;
      i.put(b);
      fill(b, i);
      sampler s;
      s.clamp = mode;
      s.border = 2;
      s.unnormalized = unnormalized;
      s.put(b);
      for (int k = 0; k < 17; ++k) {
        const float u = static_cast<float>(k) - 6.5f;
        set(b, 0, k, unnormalized ? u : u / 4);
      }
      execute(b, "image_sample_lz");
      for (int k = 0; k < 17; ++k) {
        int expected = want[mode][k];
        // Mirrored once, with a border: 6.5, 5.5 and 4.5 beyond the mirror are outside.
        if (mode == 7 && k < 3) expected = -1;
        if (mode == 7 && (k == 3 || k == 4)) expected = k == 3 ? 3 : 2;
        if (mode == 7 && (k == 5 || k == 6)) expected = k == 5 ? 1 : 0;
        if ((mode == 3 || mode == 5) && k < 7) expected = std::min(3, 6 - k);
        EXPECT_EQ(got(b, k), expected < 0 ? 1.0f : static_cast<float>(expected))
            << "mode " << mode << " at " << k - 6.5;
      }
    }
}

TEST(memory_image, linear_filters_have_8_bits_of_fraction) {
  memory_bench b;
  image i;
  i.type = d1;
  i.put(b);
  put_float(b, 0, 0);
  put_float(b, 1, 256);
  put_float(b, 2, 512);
  put_float(b, 3, 768);
  sampler s;
  s.filter = 1;
  s.clamp = 6;
  s.border = 1;
  s.put(b);
  const float at[] = {0.5f, 1.0f, 1.5f, 1.5f + 1.0f / 256, 1.5f + 0.49f / 256, 1.5f + 0.51f / 256, 3.75f, 4.25f, 0.0f};
  const float want[] = {0, 128, 256, 257, 256, 257, 576, 192, 0};
  for (int k = 0; k < 9; ++k) set(b, 0, k, at[k]);
  execute(b, "image_sample_lz");
  for (int k = 0; k < 9; ++k) EXPECT_EQ(got(b, k), want[k]) << at[k];
}

TEST(memory_image, half_border_filters_reach_half_the_border) {
  memory_bench b;
  image i;
  i.type = d1;
  i.put(b);
  for (uint32_t k = 0; k < 4; ++k) put_float(b, k, 8);
  sampler s;
  s.filter = 1;
  s.clamp = 4;
  s.put(b);
  const float at[] = {0.5f, 0.25f, 0.0f, -5.0f, 4.0f, 1e20f};
  const float want[] = {8, 6, 4, 4, 4, 4};
  for (int k = 0; k < 6; ++k) set(b, 0, k, at[k]);
  execute(b, "image_sample_lz");
  for (int k = 0; k < 6; ++k) EXPECT_EQ(got(b, k), want[k]) << at[k];
}

TEST(memory_image, filters_of_two_and_three_axes) {
  for (const uint32_t type : {d2, d3}) {
    memory_bench b;
    image i;
    i.type = type;
    i.depth = type == d3 ? 4 : 1;
    i.put(b);
    fill(b, i);
    sampler s;
    s.filter = 1;
    s.z_filter = 2;
    s.put(b);
    set(b, 0, 0, 1.75f);
    set(b, 1, 0, 2.25f);
    set(b, 2, 0, 1.5f + 0.125f);
    for (const char* m : {"image_sample_lz", "image_sample"}) {
      execute(b, m);
      // The texels are linear in all coordinates, so the filter gives what is between them.
      EXPECT_FLOAT_EQ(got(b, 0), 1.25f + 17.5f + (type == d3 ? 112.5f : 0)) << m;
    }
  }
}

TEST(memory_image, levels_and_derivatives_of_samples) {
  memory_bench b;
  const image i;
  i.put(b);
  fill(b, i);
  sampler().put(b);
  set(b, 0, 0, 2.5f);
  set(b, 1, 0, 1.5f);
  set(b, 2, 0, 5.0f);
  execute(b, "image_sample_l");
  EXPECT_EQ(got(b, 0), 12);
  for (unsigned k = 0; k < 4; ++k) set(b, k, 0, 3);  // derivatives come first
  set(b, 4, 0, 3.5f);
  set(b, 5, 0, 0.5f);
  execute(b, "image_sample_d");
  EXPECT_EQ(got(b, 0), 3);
  // The minifying filter is linear, the other one is not.
  b.state.scalar[18] |= 1u << 22;
  set(b, 0, 0, 2.0f);
  set(b, 1, 0, 1.5f);
  set(b, 2, 0, 1.0f);
  execute(b, "image_sample_l");
  EXPECT_EQ(got(b, 0), 11.5f);
  set(b, 2, 0, -1.0f);
  execute(b, "image_sample_l");
  EXPECT_EQ(got(b, 0), 12);
  EXPECT_NE(refusal([&] { execute(b, "image_sample"); }).find("level of detail made of derivatives"),
            std::string::npos);
}

TEST(memory_image, layers_are_the_nearest_that_there_is) {
  memory_bench b;
  image i;
  i.type = d2_array;
  i.first_layer = 1;
  i.last_layer = 3;
  i.put(b);
  fill(b, i);
  sampler().put(b);
  const float layer[] = {0, 0.5f, 1.5f, 2.4f, -7, 100, NAN};
  const float want[] = {111, 111, 311, 311, 111, 311, 111};
  for (int k = 0; k < 7; ++k) {
    set(b, 0, k, 1.5f);
    set(b, 1, k, 1.5f);
    set(b, 2, k, layer[k]);
  }
  execute(b, "image_sample_lz", 1, true);
  for (int k = 0; k < 7; ++k) EXPECT_EQ(got(b, k), want[k]) << layer[k];
}

TEST(memory_image, faces_of_cubes) {
  memory_bench b;
  image i;
  i.type = cube;
  i.last_layer = 11;
  i.put(b);
  fill(b, i);
  sampler s;
  s.unnormalized = false;
  s.put(b);
  for (int k = 0; k < 12; ++k) {
    set(b, 0, k, 0.4f);
    set(b, 1, k, 0.9f);
    set(b, 2, k, static_cast<float>(k / 6 * 8 + k % 6));
  }
  execute(b, "image_sample_lz", 1, true);
  for (int k = 0; k < 12; ++k) EXPECT_EQ(got(b, k), static_cast<float>(31 + 100 * k));
  s.filter = 1;
  s.more_0 = 0;
  s.put(b);
  EXPECT_NE(refusal([&] { execute(b, "image_sample_lz", 1, true); }).find("cube's edge"), std::string::npos);
}

TEST(memory_image, coordinates_that_are_no_numbers_or_far_away) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (const uint32_t filter : {0u, 1u})
    for (const uint32_t mode : {0u, 1u, 2u, 6u}) {
      memory_bench b;
      image i;
      i.type = d1;
      i.put(b);
      for (uint32_t k = 0; k < 4; ++k) put_float(b, k, 5);
      sampler s;
      s.filter = filter;
      s.clamp = mode;
      s.put(b);
      const float at[] = {infinity, -infinity, 1e38f, -1e38f, 1e9f, NAN};
      for (int k = 0; k < 6; ++k) set(b, 0, k, at[k]);
      execute(b, "image_sample_lz");
      for (int k = 0; k < 5; ++k) EXPECT_EQ(got(b, k), mode == 6 ? 0 : 5) << at[k];
      EXPECT_EQ(got(b, 5), mode == 6 && filter == 1 ? 2.5f : 5.0f);
    }
}

TEST(memory_image, gathers) {
  memory_bench b;
  const image i;
  i.put(b);
  fill(b, i);
  sampler().put(b);
  set(b, 0, 0, 2.0f);
  set(b, 1, 0, 1.0f);
  set(b, 2, 0, 0.0f);
  for (const char* m : {"image_gather4_lz", "image_gather4_l", "image_gather4"}) {
    execute(b, m);
    const float want[] = {11, 12, 2, 1};
    for (unsigned k = 0; k < 4; ++k) EXPECT_EQ(got(b, 0, result + k), want[k]) << m;
  }
}

TEST(memory_image, lanes_that_are_off_keep_what_they_have) {
  for (const uint64_t mask : lane_masks()) {
    memory_bench b, before;
    const image i;
    i.put(b);
    sampler().put(b);
    b.set_mask(mask);
    before.vgprs = b.vgprs;
    execute(b, "image_sample_lz", 15);
    for (unsigned c = 0; c < 4; ++c)
      for (int l = 0; l < wave_size; ++l)
        if ((mask >> l & 1) == 0) {
          EXPECT_EQ(b.vgprs[result + c].lane[l], before.vgprs[result + c].lane[l]);
        }
  }
}

TEST(memory_image, srgb) {
  memory_bench b;
  image i{10, 9, d1, 4};
  i.put(b);
  const uint8_t texel[4] = {0, 10, 128, 128};
  std::memcpy(b.host(memory_bench::data), texel, 4);
  b.vgprs[0].lane[0] = 0;
  b.set_mask(1);
  execute(b, "image_load", 15);
  EXPECT_EQ(got(b, 0), 0);
  EXPECT_NEAR(got(b, 0, result + 1), 10 / 255.0 / 12.92, 1e-8);
  EXPECT_NEAR(got(b, 0, result + 2), 0.2158605, 1e-6);
  EXPECT_FLOAT_EQ(got(b, 0, result + 3), 128 / 255.0f);  // w is linear
  EXPECT_NE(refusal([&] { execute(b, "image_store", 15); }).find("sRGB"), std::string::npos);
}

}  // namespace

}  // namespace pws::isa::test::image_sample_test
