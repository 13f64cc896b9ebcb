// SPDX-License-Identifier: Apache-2.0
// Kernel descriptors and initial registers: against what the compiler says about its own kernels, and hand-made ones.
#include <gtest/gtest.h>

#include <functional>

#include "base/error.h"
#include "tests/isa/abi_object.h"

namespace pws::isa::test::abi_registers_test {

namespace {

const char* const kernels[] = {"abi_plain", "abi_ids", "abi_scratch", "abi_flat", "abi_recursion"};
constexpr const char* user_sgpr_directives[n_user_sgprs] = {
    "user_sgpr_private_segment_buffer", "user_sgpr_dispatch_ptr", "user_sgpr_queue_ptr",
    "user_sgpr_kernarg_segment_ptr",    "user_sgpr_dispatch_id",  "user_sgpr_flat_scratch_init",
    "user_sgpr_private_segment_size"};

std::vector<uint8_t> empty_descriptor() {
  return std::vector<uint8_t>(kernel_descriptor::size);
}
void put32(std::vector<uint8_t>& d, size_t at, uint32_t v) {
  std::memcpy(&d[at], &v, sizeof v);
}

// A descriptor with everything on: 15 user SGPRs, all ids.
std::vector<uint8_t> full_descriptor() {
  std::vector<uint8_t> d = empty_descriptor();
  put32(d, 48, 5u | 3u << 6);                                   // 24 VGPRs, 32 SGPRs
  put32(d, 52, 1u | 16u << 1 | 7u << 7 | 1u << 10 | 2u << 11);  // scratch, 16 user SGPRs, x, y, z, info, v0..v2
  d[56] = 0x7f;
  return d;
}

wave_launch a_launch() {
  wave_launch l;
  l.entry = 0x1000;
  l.dispatch_packet = 0x1111'2222'3333'4440;
  l.queue = 0x5555'6666'7777'8880;
  l.kernarg = 0x9999'aaaa'bbbb'ccc0;
  l.dispatch_id = 0x0123'4567'89ab'cdef;
  l.workgroup_id = {3, 5, 7};
  l.workgroup_size = {64, 2, 1};
  l.grid_size = {1000, 100, 100};
  l.scratch_backing = 0x12'3456'7000;
  l.scratch_backing_bytes = 0x100000;
  l.scratch_wave_offset = 0x2000;
  l.scratch_bytes_per_lane = 128;
  l.lds_bytes = 0x800;
  return l;
}

struct started {
  std::vector<vgpr_row> vgprs = std::vector<vgpr_row>(256);
  wave_state s;
  started(const kernel_descriptor& d, const wave_launch& l) {
    for (vgpr_row& r : vgprs)
      for (uint32_t& v : r.lane) v = 0xdeadbeef;
    s.vgpr = vgprs.data();
    s.scalar[50] = 1;
    s.scc = true;
    s.split_mask = 5;
    initial_state(d, l, s);
  }
};

}  // namespace

TEST(abi_descriptor, agrees_with_the_compiler) {
  const code_object& o = compile_hip("abi_kernels.hip");
  for (const std::string kernel : kernels) {
    const auto d = kernel_descriptor::parse(descriptor_of(o, kernel), kernel_descriptor::size);
    const auto says = [&](const char* name) { return directive(o, kernel, name); };
    EXPECT_EQ(d.group_segment_bytes, says("group_segment_fixed_size")) << kernel;
    EXPECT_EQ(d.private_segment_bytes, says("private_segment_fixed_size")) << kernel;
    EXPECT_EQ(d.kernarg_bytes, says("kernarg_size")) << kernel;
    EXPECT_EQ(d.user_sgpr_count, says("user_sgpr_count")) << kernel;
    for (unsigned k = 0; k < n_user_sgprs; ++k)
      EXPECT_EQ(d.user_sgprs[k], says(user_sgpr_directives[k]) != 0) << kernel << k;
    // The linker's default, version 4, in which LLVM 16 and later do not say it.
    EXPECT_EQ(d.dynamic_stack, has_directive(o, kernel, "uses_dynamic_stack") && says("uses_dynamic_stack") != 0)
        << kernel;
    EXPECT_EQ(d.uses_scratch, says("system_sgpr_private_segment_wavefront_offset") != 0) << kernel;
    EXPECT_EQ(d.workgroup_id[0], says("system_sgpr_workgroup_id_x") != 0) << kernel;
    EXPECT_EQ(d.workgroup_id[1], says("system_sgpr_workgroup_id_y") != 0) << kernel;
    EXPECT_EQ(d.workgroup_id[2], says("system_sgpr_workgroup_id_z") != 0) << kernel;
    EXPECT_EQ(d.workgroup_info, says("system_sgpr_workgroup_info") != 0) << kernel;
    EXPECT_EQ(d.workitem_ids, says("system_vgpr_workitem_id") + 1) << kernel;
    EXPECT_GE(d.n_vgprs, says("next_free_vgpr")) << kernel;
    EXPECT_LT(d.n_vgprs, says("next_free_vgpr") + 4) << kernel;
    EXPECT_GE(d.n_sgprs, says("next_free_sgpr")) << kernel;
    EXPECT_LT(d.n_sgprs, says("next_free_sgpr") + 6 + 8) << kernel;
    const uint32_t mode = says("float_round_mode_32") | says("float_round_mode_16_64") << 2 |
                          says("float_denorm_mode_32") << 4 | says("float_denorm_mode_16_64") << 6 |
                          says("dx10_clamp") << 8 | says("ieee_mode") << 9;
    EXPECT_EQ(d.mode, mode) << kernel;
    EXPECT_EQ(o.symbols.at(kernel + ".kd") + static_cast<uint64_t>(d.entry_offset), o.symbols.at(kernel)) << kernel;
  }
}

TEST(abi_descriptor, nonsense_is_refused) {
  const std::vector<uint8_t> good = full_descriptor();
  EXPECT_NO_THROW(kernel_descriptor::parse(good.data(), good.size()));
  EXPECT_NO_THROW(kernel_descriptor::parse(empty_descriptor().data(), kernel_descriptor::size));
  EXPECT_THROW(kernel_descriptor::parse(good.data(), 63), input_error);
  EXPECT_THROW(kernel_descriptor::parse(nullptr, 64), input_error);
  const std::function<void(std::vector<uint8_t>&)> faults[] = {
      [](auto& d) { d[12] = 1; },                          // reserved
      [](auto& d) { d[30] = 1; },                          // reserved
      [](auto& d) { d[63] = 1; },                          // reserved
      [](auto& d) { d[16] = 2; },                          // entry offset
      [](auto& d) { put32(d, 44, 1); },                    // rsrc3
      [](auto& d) { put32(d, 48, 14u << 6); },             // 120 SGPRs
      [](auto& d) { put32(d, 48, 1u << 20); },             // privileged
      [](auto& d) { put32(d, 48, 1u << 26); },             // GFX9 and later
      [](auto& d) { put32(d, 52, 1u << 6 | 16u << 1); },   // trap handler
      [](auto& d) { put32(d, 52, 3u << 11 | 16u << 1); },  // work-item id mode 3
      [](auto& d) { put32(d, 52, 14u << 1); },             // fewer user SGPRs than enabled
      [](auto& d) { put32(d, 52, 17u << 1); },             // more than exist
      [](auto& d) { put32(d, 52, 1u << 15 | 16u << 1); },  // LDS size
      [](auto& d) { d[57] = 4; },                          // wavefronts of 32
      [](auto& d) { d[57] = 1; },                          // reserved
  };
  for (const auto& fault : faults) {
    std::vector<uint8_t> d = good;
    fault(d);
    EXPECT_THROW(kernel_descriptor::parse(d.data(), d.size()), input_error);
  }
}

TEST(abi_registers, all_user_and_system_sgprs) {
  const std::vector<uint8_t> bytes = full_descriptor();
  const auto d = kernel_descriptor::parse(bytes.data(), bytes.size());
  EXPECT_EQ(d.n_vgprs, 24u);
  EXPECT_EQ(d.n_sgprs, 32u);
  wave_launch l = a_launch();
  started w(d, l);
  const uint32_t expected[] = {0x34567000, 0x80000012, 0x100000, 0x00e84fac,  // private segment buffer
                               0x33334440, 0x11112222,                        // dispatch packet
                               0x77778880, 0x55556666,                        // queue
                               0xbbbbccc0, 0x9999aaaa,                        // arguments
                               0x89abcdef, 0x01234567,                        // dispatch id
                               0x34567000, 128,                               // flat scratch init
                               128,                                           // private segment size
                               0,                                             // counted but not enabled
                               3,          5,          7,        0x80000002,
                               0x2000};  // workgroup ids, info, scratch offset
  for (unsigned k = 0; k < std::size(expected); ++k) EXPECT_EQ(w.s.scalar[k], expected[k]) << "s" << k;
  EXPECT_EQ(d.index_of(user_sgpr::kernarg_segment_ptr), 8u);
  EXPECT_EQ(d.index_of(user_sgpr::private_segment_size), 14u);
  EXPECT_EQ(w.s.scalar[50], 0u);
  EXPECT_EQ(w.s.scalar[m0], 0x800u);
  EXPECT_EQ(w.s.scalar64(exec_lo), ~uint64_t{0});
  EXPECT_EQ(w.s.split_mask, ~uint64_t{0});
  EXPECT_EQ(w.s.pc, 0x1000u);
  EXPECT_FALSE(w.s.scc);
  EXPECT_EQ(w.s.scratch_base, 0x12'3456'9000u);
  EXPECT_EQ(w.s.n_sgprs, 32u);
  EXPECT_EQ(w.s.n_vgprs, 24u);
  l.wave_in_workgroup = 1;
  started second(d, l);
  EXPECT_EQ(second.s.scalar[19], 2u);  // not the first wavefront
  for (unsigned k = 0; k < wave_size; ++k) {
    EXPECT_EQ(second.vgprs[0].lane[k], k);
    EXPECT_EQ(second.vgprs[1].lane[k], 1u);
    EXPECT_EQ(second.vgprs[2].lane[k], 0u);
    EXPECT_EQ(second.vgprs[3].lane[k], 0xdeadbeef);
  }
}

TEST(abi_registers, only_what_is_enabled) {
  std::vector<uint8_t> bytes = empty_descriptor();
  put32(bytes, 48, 0xc0u << 12 | 1u << 21 | 1u << 23);
  put32(bytes, 52, 4u << 1 | 1u << 9 | 0x41u << 24);
  bytes[56] = 0x08 | 0x02;  // dispatch packet, arguments
  const auto d = kernel_descriptor::parse(bytes.data(), bytes.size());
  started w(d, a_launch());
  const uint32_t expected[] = {0x33334440, 0x11112222, 0xbbbbccc0, 0x9999aaaa, 7, 0, 0};
  for (unsigned k = 0; k < std::size(expected); ++k) EXPECT_EQ(w.s.scalar[k], expected[k]) << "s" << k;
  EXPECT_EQ(w.s.mode, 0xc0u | 0x300u | 0x41u << 12);
  EXPECT_EQ(w.vgprs[0].lane[5], 5u);
  EXPECT_EQ(w.vgprs[1].lane[5], 0xdeadbeef);  // only x is enabled
}

TEST(abi_registers, partial_workgroups_and_wavefronts) {
  const std::vector<uint8_t> bytes = full_descriptor();
  const auto d = kernel_descriptor::parse(bytes.data(), bytes.size());
  wave_launch l = a_launch();
  l.workgroup_size = {16, 8, 2};
  l.grid_size = {40, 11, 3};  // last workgroup: 8 x 3 x 1
  l.workgroup_id = {2, 1, 1};
  EXPECT_EQ(workgroup_extent(l), (wave_launch::dim3{8, 3, 1}));
  EXPECT_EQ(waves_in_workgroup(l), 1u);
  started w(d, l);
  EXPECT_EQ(w.s.scalar64(exec_lo), (uint64_t{1} << 24) - 1);
  EXPECT_EQ(w.s.scalar[19], 0x80000001u);
  for (unsigned k = 0; k < wave_size; ++k) {
    EXPECT_EQ(w.vgprs[0].lane[k], k < 24 ? k % 8 : 0);
    EXPECT_EQ(w.vgprs[1].lane[k], k < 24 ? k / 8 : 0);
    EXPECT_EQ(w.vgprs[2].lane[k], 0u);
  }
  l.workgroup_id = {0, 0, 0};  // 16 x 8 x 2 = 256 work-items
  EXPECT_EQ(waves_in_workgroup(l), 4u);
  l.wave_in_workgroup = 3;
  started last(d, l);
  EXPECT_EQ(last.s.scalar64(exec_lo), ~uint64_t{0});
  EXPECT_EQ(last.vgprs[0].lane[63], 15u);
  EXPECT_EQ(last.vgprs[1].lane[63], 7u);
  EXPECT_EQ(last.vgprs[2].lane[63], 1u);
  EXPECT_EQ(last.vgprs[1].lane[0], 4u);
  l.workgroup_id = {1, 1, 0};  // 16 x 3 x 2 = 96 work-items
  l.wave_in_workgroup = 1;
  started half(d, l);
  EXPECT_EQ(half.s.scalar64(exec_lo), 0xffffffffu);
  EXPECT_EQ(half.vgprs[1].lane[0], 1u);
  EXPECT_EQ(half.vgprs[2].lane[0], 1u);
}

TEST(abi_registers, contradictions_are_refused) {
  const std::vector<uint8_t> bytes = full_descriptor();
  const auto d = kernel_descriptor::parse(bytes.data(), bytes.size());
  const std::function<void(wave_launch&)> faults[] = {
      [](wave_launch& l) { l.workgroup_id[0] = 16; },        // the grid ends before
      [](wave_launch& l) { l.workgroup_size[1] = 0; },       // no work-items
      [](wave_launch& l) { l.grid_size[2] = 0; },            //
      [](wave_launch& l) { l.wave_in_workgroup = 2; },       // the workgroup has 128
      [](wave_launch& l) { l.scratch_wave_offset = 128; },   // not a multiple of 256
      [](wave_launch& l) { l.scratch_bytes_per_lane = 6; },  // not dwords
  };
  for (const auto& fault : faults) {
    wave_launch l = a_launch();
    fault(l);
    EXPECT_THROW(started(d, l), std::invalid_argument);
  }
}

TEST(abi_aql, header_bits) {
  const uint16_t h = packet_header(packet_type::kernel_dispatch, true, fence_scope::agent, fence_scope::system);
  EXPECT_EQ(h, 0x2u | 1u << 8 | 1u << 9 | 2u << 11);
  EXPECT_EQ(type_of(h), packet_type::kernel_dispatch);
}

}  // namespace pws::isa::test::abi_registers_test
