// SPDX-License-Identifier: Apache-2.0
// The kernarg segment, hidden arguments included, byte by byte.
#include <gtest/gtest.h>

#include <cstring>

#include "platform/machine/kernel_arguments.h"

namespace pws::platform::hidden_arguments_test {
namespace {

using loader::value_kind;

struct hidden {
  value_kind kind;
  uint32_t size;
  uint64_t value;
};

// A grid of 100 x 7 x 1 in workgroups of 64 x 2 x 1, 48 bytes of dynamic LDS.
kernel_launch request() {
  kernel_launch r;
  r.grid = {100, 7, 1};
  r.workgroup = {64, 2, 1};
  r.dynamic_lds = 48;
  return r;
}

const hidden all_hidden[] = {
    {value_kind::hidden_none, 8, 0},
    {value_kind::hidden_global_offset_x, 8, 0},
    {value_kind::hidden_global_offset_y, 8, 0},
    {value_kind::hidden_global_offset_z, 8, 0},
    {value_kind::hidden_multigrid_sync_arg, 8, 0},
    {value_kind::hidden_block_count_x, 4, 1},
    {value_kind::hidden_block_count_y, 4, 3},
    {value_kind::hidden_block_count_z, 4, 1},
    {value_kind::hidden_group_size_x, 2, 64},
    {value_kind::hidden_group_size_y, 2, 2},
    {value_kind::hidden_group_size_z, 2, 1},
    {value_kind::hidden_remainder_x, 2, 36},
    {value_kind::hidden_remainder_y, 2, 1},
    {value_kind::hidden_remainder_z, 2, 0},
    {value_kind::hidden_grid_dims, 2, 2},
    {value_kind::hidden_private_base, 4, 0x22},
    {value_kind::hidden_shared_base, 4, 0x11},
    {value_kind::hidden_queue_ptr, 8, 0x123456789a},
    {value_kind::hidden_dynamic_lds_size, 4, 48},
};

std::vector<uint8_t> laid_out(const loader::kernel_metadata& k, const kernel_launch& r) {
  return lay_out_arguments(k, r, 0x123456789a, {0x11, 0x22});
}

TEST(hidden_arguments, values) {
  loader::kernel_metadata k;
  uint32_t at = 0;
  for (const hidden& h : all_hidden) {
    at = (at + h.size - 1) / h.size * h.size;
    loader::kernel_argument a;
    a.kind = h.kind;
    a.offset = at;
    a.size = h.size;
    k.arguments.push_back(a);
    at += h.size;
  }
  k.kernarg_segment_size = at;
  const std::vector<uint8_t> bytes = laid_out(k, request());
  ASSERT_GE(bytes.size(), at);
  for (size_t n = 0; n < k.arguments.size(); ++n) {
    uint64_t value = 0;
    std::memcpy(&value, bytes.data() + k.arguments[n].offset, k.arguments[n].size);
    EXPECT_EQ(value, all_hidden[n].value) << loader::to_string(k.arguments[n].kind);
  }
}

// What nothing serves has addresses that no allocation can have, each another.
TEST(hidden_arguments, unserved) {
  uint64_t last = 0;
  for (const unserved_argument& u : unserved_arguments) {
    loader::kernel_metadata k;
    loader::kernel_argument a;
    a.kind = u.kind;
    a.size = 8;
    k.arguments.push_back(a);
    k.kernarg_segment_size = 8;
    uint64_t value = 0;
    std::memcpy(&value, laid_out(k, request()).data(), 8);
    EXPECT_GT(value, last);
    EXPECT_GT(value, uint64_t{1} << 40);
    last = value;
  }
}

TEST(hidden_arguments, served) {
  loader::kernel_metadata k;
  for (const value_kind kind : {value_kind::hidden_hostcall_buffer, value_kind::hidden_heap_v1}) {
    loader::kernel_argument a;
    a.kind = kind;
    a.offset = k.kernarg_segment_size;
    a.size = 8;
    k.arguments.push_back(a);
    k.kernarg_segment_size += 8;
  }
  served_arguments served;
  served.hostcall_buffer = 0x1234567000;
  served.heap = 0x2234567000;
  const std::vector<uint8_t> bytes = lay_out_arguments(k, request(), 0, {}, served);
  uint64_t values[2] = {};
  std::memcpy(values, bytes.data(), sizeof values);
  EXPECT_EQ(values[0], served.hostcall_buffer);
  EXPECT_EQ(values[1], served.heap);
}

TEST(hidden_arguments, blocks_of_local_memory) {
  loader::kernel_metadata k;
  k.group_segment_fixed_size = 100;
  k.kernarg_segment_size = 24;
  for (const uint32_t n : {0u, 1u, 2u}) {
    loader::kernel_argument a;
    a.kind = n == 1 ? value_kind::by_value : value_kind::dynamic_shared_pointer;
    a.pointee_align = n == 2 ? 16 : n == 0 ? 4 : 0;
    a.offset = 8 * n;
    a.size = n == 1 ? 8 : 4;
    k.arguments.push_back(a);
  }
  kernel_launch r = request();
  r.arguments = {{20, 0, 0, 0}, {1, 2, 3, 4, 5, 6, 7, 8}, {7, 0, 0, 0}};
  const std::vector<uint8_t> bytes = laid_out(k, r);
  // Static LDS, 48 bytes of dynamic LDS, 20 bytes from 148, 7 bytes from the next multiple of 16.
  EXPECT_EQ(bytes[0], 148);
  EXPECT_EQ(bytes[15], 8);
  EXPECT_EQ(bytes[16], 176);
  EXPECT_EQ(lds_bytes(k, r), 183u);
  r.arguments[0] = {0xff, 0xff, 0xff, 0xff};
  EXPECT_GT(lds_bytes(k, r), uint64_t{1} << 32);  // no wrapping around: the launch is refused
}

TEST(hidden_arguments, a_kernel_without_arguments_needs_no_segment) {
  EXPECT_TRUE(laid_out({}, request()).empty());
}

}  // namespace
}  // namespace pws::platform::hidden_arguments_test
