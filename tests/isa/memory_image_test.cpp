// Image instructions: texels against the formatted buffer accesses, which have tests of their own; address modes and
// filters against tables worked out by hand; what is outside, off, no number or not there.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include "base/error.h"
#include "models/isa/vector/half.h"
#include "tests/isa/memory_fixture.h"
#include "tests/isa/row_coverage.h"

namespace pws::isa::test {

namespace {

const opcode_row& image_row(const std::string& mnemonic) {
  for (const opcode_row& r : image_rows())
    if (mnemonic == r.mnemonic) return r;
  throw std::runtime_error("no row " + mnemonic);
}

enum type_field : uint32_t { d1 = 8, d2, d3, cube, d1_array, d2_array };

struct image {
  uint32_t data_format = 4, numbers = 7;  // one float
  uint32_t type = d2;
  uint32_t width = 4, height = 4, depth = 1, pitch = 64;
  uint32_t first_layer = 0, last_layer = 0;
  uint32_t selection = 4 | 5 << 3 | 6 << 6 | 7 << 9;
  uint64_t base = memory_bench::data;
  uint32_t more_3 = 0, more_6 = 0;

  void put(memory_bench& b) const {
    uint32_t* w = &b.state.scalar[8];
    w[0] = static_cast<uint32_t>(base >> 8);
    w[1] = static_cast<uint32_t>(base >> 40) | data_format << 20 | numbers << 26;
    w[2] = (width - 1) | (height - 1) << 14;
    w[3] = selection | 8u << 20 | type << 28 | more_3;
    w[4] = (depth - 1) | (pitch - 1) << 13;
    w[5] = first_layer | last_layer << 13;
    w[6] = more_6;
    w[7] = 0;
  }
};
struct sampler {
  uint32_t clamp = 2, filter = 0, z_filter = 1;
  bool unnormalized = true;
  uint32_t border = 0;
  uint32_t more_0 = 1u << 28;  // no filters over a cube's edges

  void put(memory_bench& b) const {
    uint32_t* w = &b.state.scalar[16];
    w[0] = clamp | clamp << 3 | clamp << 6 | (unnormalized ? 1u << 15 : 0) | more_0;
    w[1] = 0xfffu << 12;
    w[2] = filter << 20 | filter << 22 | z_filter << 24;
    w[3] = border << 30;
  }
};

constexpr unsigned result = 40;

// Executes it with its address from v0 on.
void execute(memory_bench& b, const char* mnemonic, uint32_t dmask = 1, bool array = false) {
  const opcode_row& r = image_row(mnemonic);
  note_executed(r);
  b.execute({0xf0000000u | uint32_t{r.opcode} << 18 | dmask << 8 | (array ? 1u << 14 : 0),
             ((r.flags & samples) != 0 ? 4u << 21 : 0) | 2u << 16 | result << 8});
}
void set(memory_bench& b, unsigned row, int lane, float v) {
  b.vgprs[row].lane[lane] = bit_cast<uint32_t>(v);
}
float got(const memory_bench& b, int lane, unsigned row = result) {
  return bit_cast<float>(b.vgprs[row].lane[lane]);
}
void put_float(memory_bench& b, uint32_t index, float v) {
  std::memcpy(b.host(memory_bench::data + 4 * index), &v, sizeof v);
}
// The texel at (x, y, z): x + 10 y + 100 z.
void fill(memory_bench& b, const image& i) {
  const uint32_t planes = std::max(i.depth, i.last_layer + 1);
  for (uint32_t z = 0; z < planes; ++z)
    for (uint32_t y = 0; y < i.height; ++y)
      for (uint32_t x = 0; x < i.width; ++x)
        put_float(b, (z * i.height + y) * i.pitch + x, static_cast<float>(x + 10 * y + 100 * z));
}
std::string refusal(const std::function<void()>& f) {
  try {
    f();
  } catch (const program_error& e) {
    return e.what();
  }
  return "";
}

// ---- loads and stores

TEST(memory_image, loads_give_what_formatted_buffer_loads_give) {
  for (uint32_t data = 1; data <= 14; ++data)
    for (uint32_t numbers : {0u, 1u, 2u, 3u, 4u, 5u, 7u}) {
      if (data == 13) continue;
      const unsigned bytes[] = {0, 1, 2, 2, 4, 4, 4, 4, 4, 4, 4, 8, 8, 12, 16};
      memory_bench a(data), b(data);
      image i{data, numbers, d1, 50};
      i.put(a);
      std::memcpy(&b.state.scalar[8], &a.state.scalar[8], 32);
      b.state.scalar[8] = static_cast<uint32_t>(memory_bench::data);
      b.state.scalar[9] = static_cast<uint32_t>(memory_bench::data >> 32) | bytes[data] << 16;
      b.state.scalar[10] = 50 * bytes[data];
      b.state.scalar[11] = i.selection | numbers << 12 | data << 15;
      for (int l = 0; l < wave_size; ++l) a.vgprs[0].lane[l] = b.vgprs[0].lane[l] = static_cast<uint32_t>(l);
      mubuf_fields f;
      f.data = result;
      f.idxen = true;
      const opcode_row& row = memory_row("buffer_load_format_xyzw");
      if (!refusal([&] { b.execute(encode_mubuf(row, f)); }).empty()) {
        EXPECT_NE(refusal([&] { execute(a, "image_load", 15); }), "");
        continue;
      }
      execute(a, "image_load", 15);
      for (unsigned c = 0; c < 4; ++c)
        for (int l = 0; l < wave_size; ++l)
          EXPECT_EQ(a.vgprs[result + c].lane[l], b.vgprs[result + c].lane[l])
              << "formats " << data << ", " << numbers << ", component " << c << ", lane " << l;
    }
}

TEST(memory_image, stores_do_what_formatted_buffer_stores_do) {
  struct pair {
    uint32_t data, bytes;
    const char* row;
  };
  for (const pair& p : {pair{1, 1, "x"},
                        {2, 2, "x"},
                        {4, 4, "x"},
                        {5, 4, "xy"},
                        {10, 4, "xyzw"},
                        {11, 8, "xy"},
                        {12, 8, "xyzw"},
                        {14, 16, "xyzw"}})
    for (const uint64_t mask : lane_masks()) {
      const uint32_t numbers = p.bytes >= 8 && p.data != 12 ? 4 : p.data == 4 ? 7 : 0;
      memory_bench a(3), b(3);
      image{p.data, numbers, d1, 50}.put(a);
      std::memcpy(&b.state.scalar[8], &a.state.scalar[8], 32);
      b.state.scalar[8] = static_cast<uint32_t>(memory_bench::data);
      b.state.scalar[9] = static_cast<uint32_t>(memory_bench::data >> 32) | p.bytes << 16;
      b.state.scalar[10] = 50 * p.bytes;
      b.state.scalar[11] = 0xfac | numbers << 12 | p.data << 15;
      a.set_mask(mask);
      b.set_mask(mask);
      for (int l = 0; l < wave_size; ++l) a.vgprs[0].lane[l] = b.vgprs[0].lane[l] = static_cast<uint32_t>(63 - l);
      mubuf_fields f;
      f.data = result;
      f.idxen = true;
      b.execute(encode_mubuf(memory_row((std::string("buffer_store_format_") + p.row).c_str()), f));
      execute(a, "image_store", 15);
      EXPECT_EQ(a.storage, b.storage) << "format " << p.data;
    }
}

TEST(memory_image, components_that_are_not_stored_are_zero) {
  memory_bench b;
  image i{14, 7, d1, 4};
  i.put(b);
  b.vgprs[0].lane[0] = 1;
  b.set_mask(1);
  set(b, result, 0, 5);
  set(b, result + 1, 0, 6);
  execute(b, "image_store", 0xa);  // y and w
  float texel[4];
  std::memcpy(texel, b.host(memory_bench::data + 16), 16);
  EXPECT_EQ(texel[0], 0);
  EXPECT_EQ(texel[1], 5);
  EXPECT_EQ(texel[2], 0);
  EXPECT_EQ(texel[3], 6);
}

TEST(memory_image, outside_loads_are_zero_and_stores_are_dropped) {
  for (const uint32_t type : {d1, d2, d3, d2_array}) {
    image i;
    i.type = type;
    i.depth = type == d3 ? 2 : 1;
    i.last_layer = type == d2_array ? 1 : 0;
    i.selection = 4 | 1 << 3;
    memory_bench b, before;
    i.put(b);
    fill(b, i);
    before.storage = b.storage;
    b.set_mask(0xf);
    const bool array = type == d2_array;
    // x, y, z or layer of four lanes: too large, negative, the largest, and just outside in the last coordinate
    const uint32_t bad[4][3] = {
        {4, 0, 0}, {0xffffffff, 0, 0}, {0x7fffffff, 1, 1}, {type == d1 ? 4u : 0u, type == d2 ? 4u : 0u, 2}};
    for (int l = 0; l < 4; ++l)
      for (unsigned c = 0; c < 3; ++c) b.vgprs[c].lane[l] = bad[l][c];
    execute(b, "image_store", 1, array);
    EXPECT_EQ(b.storage, before.storage);
    execute(b, "image_load", 3, array);
    for (int l = 0; l < 4; ++l) {
      EXPECT_EQ(got(b, l), 0) << l;
      EXPECT_EQ(got(b, l, result + 1), 1) << l;  // dst_sel's constants are no memory
    }
  }
}

TEST(memory_image, levels_other_than_zero_are_outside) {
  memory_bench b;
  const image i;
  i.put(b);
  fill(b, i);
  b.set_mask(3);
  for (int l = 0; l < 2; ++l) {
    b.vgprs[0].lane[l] = 2;
    b.vgprs[1].lane[l] = 1;
    b.vgprs[2].lane[l] = static_cast<uint32_t>(l);
  }
  execute(b, "image_load_mip");
  EXPECT_EQ(got(b, 0), 12);
  EXPECT_EQ(got(b, 1), 0);
  set(b, result, 0, 7);
  set(b, result, 1, 8);
  execute(b, "image_store_mip");
  b.vgprs[2].lane[1] = 0;
  execute(b, "image_load_mip");
  EXPECT_EQ(got(b, 1), 7);
}

TEST(memory_image, resinfo) {
  memory_bench b;
  image i{4, 7, d2_array, 5, 6};
  i.first_layer = 2;
  i.last_layer = 4;
  i.put(b);
  b.vgprs[0].lane[0] = 0;
  b.vgprs[0].lane[1] = 1;
  execute(b, "image_get_resinfo", 15, true);
  const uint32_t want[] = {5, 6, 3, 1};
  for (unsigned c = 0; c < 4; ++c) {
    EXPECT_EQ(b.vgprs[result + c].lane[0], want[c]);
    EXPECT_EQ(b.vgprs[result + c].lane[1], 0u);
  }
}

// ---- samples

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

// ---- what is recorded, and what goes wrong

TEST(memory_image, every_texel_of_a_filter_is_recorded) {
  memory_bench b;
  const image i;
  i.put(b);
  sampler s;
  s.filter = 1;
  s.clamp = 6;
  s.put(b);
  b.set_mask(3);
  set(b, 0, 0, 2.0f);
  set(b, 1, 0, 2.0f);
  set(b, 0, 1, 0.0f);  // half of its texels are of the border
  set(b, 1, 1, 2.0f);
  memory_access a;
  a.touches_nothing();
  b.state.access = &a;
  execute(b, "image_sample_lz");
  EXPECT_EQ(a.where, memory_access::space::global);
  EXPECT_EQ(a.bytes_per_lane, 4u);
  EXPECT_TRUE(a.returns_data && !a.is_store);
  ASSERT_EQ(a.n_further, 3u);
  EXPECT_EQ(a.mask, 1u);
  EXPECT_EQ(a.further[0].mask, 3u);
  EXPECT_EQ(a.further[1].mask, 1u);
  EXPECT_EQ(a.further[2].mask, 3u);
  const uint64_t first = memory_bench::data + 64 * 4;
  EXPECT_EQ(a.address[0], first + 4);
  EXPECT_EQ(a.further[0].address[0], first + 8);
  EXPECT_EQ(a.further[2].address[0], first + 256 + 8);
  EXPECT_EQ(a.further[2].address[1], first + 256);
}

TEST(memory_image, texels_outside_of_allocations_name_the_lane) {
  memory_bench b;
  image i;
  i.base = memory_bench::window_base;
  i.put(b);
  b.set_mask(1u << 5);
  b.vgprs[0].lane[5] = b.vgprs[1].lane[5] = 1;
  try {
    execute(b, "image_load");
    FAIL();
  } catch (const program_error& e) {
    EXPECT_EQ(e.lane(), 5);
    EXPECT_NE(std::string(e.what()).find("read of 4 bytes"), std::string::npos) << e.what();
  }
}

TEST(memory_image, what_is_not_there_is_refused_by_name) {
  const auto load = [](image i, bool array = false) {
    memory_bench b;
    i.put(b);
    return refusal([&] { execute(b, "image_load", 1, array); });
  };
  image i;
  i.more_3 = 1u << 16;
  EXPECT_NE(load(i).find("mipmaps"), std::string::npos);
  i = {};
  i.more_3 = 1u << 20;
  EXPECT_NE(load(i).find("tiling index 9"), std::string::npos);
  i = {};
  i.more_6 = 1u << 21;
  EXPECT_NE(load(i).find("compressed"), std::string::npos);
  i = {};
  i.type = 14;
  EXPECT_NE(load(i).find("several samples"), std::string::npos);
  i.type = 0;
  EXPECT_NE(load(i).find("no image"), std::string::npos);
  i = {};
  i.data_format = 13;
  EXPECT_NE(load(i).find("data format 13"), std::string::npos);
  i = {};
  i.pitch = 3;
  EXPECT_NE(load(i).find("pitch"), std::string::npos);
  EXPECT_NE(load({}, true).find("da is 1"), std::string::npos);
  i = {};
  i.type = d2_array;
  EXPECT_NE(load(i).find("da is 0"), std::string::npos);
  i.first_layer = 2;
  EXPECT_NE(load(i, true).find("last layer"), std::string::npos);

  const auto sampled = [](const sampler& s, const image& of = {}) {
    memory_bench b;
    of.put(b);
    s.put(b);
    return refusal([&] { execute(b, "image_sample_lz"); });
  };
  sampler s;
  s.border = 3;
  EXPECT_NE(sampled(s).find("border colour"), std::string::npos);
  s = {};
  s.filter = 2;
  EXPECT_NE(sampled(s).find("anisotropic"), std::string::npos);
  s.filter = 1;
  EXPECT_NE(sampled(s, {4, 4}).find("linear filter of integers"), std::string::npos);
}

TEST(memory_image, addresses_beyond_the_allocated_registers_are_refused) {
  memory_bench b;
  image i;
  i.type = d3;
  i.put(b);
  const opcode_row& r = image_row("image_load");
  const std::string text = refusal([&] {
    b.execute({0xf0000000u | uint32_t{r.opcode} << 18 | 1u << 8, 2u << 16 | result << 8 | (memory_bench::n_vgprs - 1)});
  });
  EXPECT_NE(text.find("v[63:65]"), std::string::npos) << text;
}

}  // namespace

}  // namespace pws::isa::test
