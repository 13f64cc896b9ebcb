// SPDX-License-Identifier: Apache-2.0
// Image instructions: loads and stores against the formatted buffer accesses, which have tests of their own; what is
// outside, recorded, wrong or not there.
#include <gtest/gtest.h>

#include "tests/isa/image_fixture.h"

namespace pws::isa::test::memory_image_test {

namespace {

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

}  // namespace pws::isa::test::memory_image_test
