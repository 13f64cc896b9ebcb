// SPDX-License-Identifier: Apache-2.0
// What the analysis takes for granted of a launch and is not so: refused by name, or stopped when it runs.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <limits>

#include "base/error.h"
#include "sw/wcet/checked.h"
#include "sw/wcet/kernel/kernel_bound.h"
#include "tests/integration/child_process.h"
#include "tests/integration/child_run.h"

namespace pws::test::refusals_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr uint64_t most = std::numeric_limits<uint64_t>::max();

template <class F>
std::string error_of(F f) {
  try {
    f();
  } catch (const input_error& e) {
    return e.what();
  }
  return "no error";
}

TEST(checked, at_the_boundary) {
  EXPECT_EQ(wcet::checked_sum(most - 1, 1, "x"), most);
  EXPECT_THAT(error_of([] { wcet::checked_sum(most, 1, "the sum of all"); }), HasSubstr("the sum of all does not fit"));
  EXPECT_EQ(wcet::checked_product(most / 5, 5, "x"), most) << "2^64 - 1 is a multiple of 5";
  EXPECT_THAT(error_of([] { wcet::checked_product(most / 5 + 1, 5, "x"); }), HasSubstr("x does not fit in 64 bits"));
  EXPECT_EQ(wcet::checked_product({most, most, 0}, "x"), 0u);
  EXPECT_EQ(wcet::checked_product({3, 5, 17}, "x"), 255u);
  EXPECT_EQ(wcet::checked_sum({most - 3, 1, 2}, "x"), most);
  EXPECT_THAT(error_of([] { wcet::checked_sum({most - 3, 2, 2}, "x"); }), HasSubstr("x does not fit"));
}

TEST(checked, workgroups_of_a_launch) {
  // 2^64 - 1 = (2^32 - 1) * 6700417 * 641.
  EXPECT_EQ(wcet::workgroups_of({4294967295u, 6700417, 641}, {1, 1, 1}), most);
  EXPECT_THAT(error_of([] {
                wcet::workgroups_of({4294967295u, 6700417, 642}, {1, 1, 1});
              }),
              HasSubstr("G, the number of workgroups, does not fit in 64 bits"));
  EXPECT_EQ(wcet::workgroups_of({4294967295u, 4294967295u, 4294967295u}, {4294967295u, 2, 4294967295u}), 2147483648u);
  EXPECT_EQ(wcet::workgroups_of({65, 1, 1}, {64, 1, 1}), 2u);
  EXPECT_THAT(error_of([] { wcet::workgroups_of({1, 1, 1}, {1, 0, 1}); }), HasSubstr("N_WIWG = 0"));
  EXPECT_EQ(wcet::work_items_of({4294967295u, 6700417, 641}), most);
  EXPECT_THAT(error_of([] { wcet::work_items_of({4294967295u, 6700417, 642}); }), HasSubstr("N_WIWG"));
}

// ---- as a user meets them

class refusals : public testing::Test {
 protected:
  // `command` of pwsvp for an assembly kernel with one argument, a buffer of 4096 bytes.
  program_result run(const std::string& command, const std::string& body, const std::string& machine,
                     const std::string& launch = "grid: [64], workgroup: [64]",
                     const std::vector<std::string>& options = {}) {
    std::ofstream(source_.path())
        << ".text\n.globl k\n.p2align 8\n.type k,@function\nk:\n" + body +
               "  s_endpgm\n.size k, .-k\n.rodata\n.p2align 6\n.amdhsa_kernel k\n"
               "  .amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
               "  .amdhsa_next_free_vgpr 16\n  .amdhsa_next_free_sgpr 48\n.end_amdhsa_kernel\n"
               ".amdgpu_metadata\n---\namdhsa.version: [1, 1]\namdhsa.kernels:\n"
               "  - {.name: k, .symbol: k.kd, .kernarg_segment_size: 8, "
               ".kernarg_segment_align: 8, .group_segment_fixed_size: 0, "
               ".private_segment_fixed_size: 0, .wavefront_size: 64, .sgpr_count: 48, "
               ".vgpr_count: 16, .max_flat_workgroup_size: 256, .args: [{.name: out, "
               ".offset: 0, .size: 8, .value_kind: global_buffer, .address_space: "
               "global}]}\n...\n.end_amdgpu_metadata\n";
    std::ofstream(yaml_.path()) << fmt::format(
        "machine: {{base: {}{}}}\nprogram: {{source: {}, kernel: k}}\nlaunch: {{{}}}\narguments:\n- {{name: out, type: "
        "u32, count: 1024}}\n",
        PWS_SOURCE_DIR "/configs/gpu/predictable.yaml", machine, source_.path(), launch);
    std::vector<std::string> arguments{PWS_CLI, command, yaml_.path()};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return run_program(arguments);
  }
  program_result bound_and_run(const std::string& body, const std::string& machine = "") {
    return run("wcet", body, machine, "grid: [64], workgroup: [64]", {"--observe"});
  }

 private:
  const temporary_file source_{".s"}, yaml_{".yaml"};
};

TEST_F(refusals, launches_that_do_not_fit_in_64_bits) {
  const auto wcet = [&](const char* launch) { return run("wcet", "  s_nop 0\n", "", launch); };
  const program_result all = wcet("grid: [4294967295, 4294967295, 4294967295], workgroup: [1, 1, 1]");
  EXPECT_EQ(all.exit_code, 2) << all.out;
  EXPECT_THAT(all.err, HasSubstr("G, the number of workgroups, does not fit in 64 bits"));
  const program_result fits = wcet("grid: [4294967295, 6700417, 641], workgroup: [1, 1, 1]");
  EXPECT_EQ(fits.exit_code, 2) << fits.out;
  EXPECT_THAT(fits.err, HasSubstr("E_kernel does not fit in 64 bits")) << "G does";
  EXPECT_EQ(wcet("grid: [4294967232, 1024, 1], workgroup: [64, 1, 1]").exit_code, 0);
  // The machine does not run it as a small one either.
  const program_result ran =
      run("run", "  s_nop 0\n", "", "grid: [4294967295, 4294967295, 4294967295], workgroup: [1, 1, 1]");
  EXPECT_EQ(ran.exit_code, 1) << ran.out;
  EXPECT_THAT(ran.out + ran.err, HasSubstr("2^64 workgroups or more"));
}

// A split in the first side of another one: two SWFs at the same time.
const std::string nested_splits =
    "  v_and_b32 v1, 1, v0\n  v_and_b32 v2, 2, v0\n  v_cmp_ne_u32 vcc, 0, v1\n  s_and_saveexec_b64 s[20:21], vcc\n"
    "  s_xor_b64 s[20:21], exec, s[20:21]\n  .long 0xbf147f7e\n  s_cbranch_execz .Lelse\n  v_cmp_ne_u32 vcc, 0, v2\n"
    "  s_and_saveexec_b64 s[22:23], vcc\n  s_xor_b64 s[22:23], exec, s[22:23]\n  .long 0xbf147f7e\n"
    "  s_cbranch_execz .Linner\n  v_add_u32 v4, vcc, v4, v4\n.Linner:\n  s_or_saveexec_b64 s[22:23], s[22:23]\n"
    "  s_xor_b64 exec, exec, s[22:23]\n  s_cbranch_execz .Lmet\n  v_add_u32 v5, vcc, v5, v5\n.Lmet:\n"
    "  s_or_b64 exec, exec, s[22:23]\n  .long 0xbf150000\n.Lelse:\n  s_or_saveexec_b64 s[20:21], s[20:21]\n"
    "  s_xor_b64 exec, exec, s[20:21]\n  s_cbranch_execz .Lend\n  v_add_u32 v5, vcc, v5, v5\n.Lend:\n"
    "  s_or_b64 exec, exec, s[20:21]\n  .long 0xbf150000\n";

// split_points says what is re-provisioned; slots are shared by any number of parts.
TEST_F(refusals, split_points_do_not_limit_the_parts) {
  const std::string code = "  s_nop 0\n" + nested_splits;
  for (const auto& [s, points] :
       {std::pair{2, 2}, std::pair{1, 1}, std::pair{3, 2}, std::pair{2, 1}, std::pair{2, 0}}) {
    const program_result fits =
        bound_and_run(code, fmt::format(", divergence: pws, spsimd_per_simd: {}, split_points: {}", s, points));
    EXPECT_EQ(fits.exit_code, 0) << s << ", " << points << fits.out << fits.err;
  }
}

// Arguments count as known numbers.
TEST_F(refusals, kernels_that_write_their_arguments) {
  const program_result r = bound_and_run("  v_mov_b32 v2, s0\n  v_mov_b32 v3, s1\n  flat_store_dword v[2:3], v0\n");
  EXPECT_EQ(r.exit_code, 1) << r.err;
  EXPECT_THAT(r.out + r.err,
              AllOf(HasSubstr("flat_store_dword"), HasSubstr("read-only"), HasSubstr("kernel arguments")));
}

// Nor do kernels write their code, which is analysed as it was loaded.
TEST_F(refusals, kernels_that_write_their_code) {
  const program_result r = bound_and_run(
      "  s_nop 0\n  s_getpc_b64 s[4:5]\n.Lhere:\n  s_add_u32 s4, s4, .Lplace-.Lhere\n  s_addc_u32 s5, s5, 0\n"
      "  v_mov_b32 v2, s4\n  v_mov_b32 v3, s5\n  v_mov_b32 v4, 0xbf8e007f\n  flat_store_dword v[2:3], v4\n"
      "  s_waitcnt vmcnt(0)\n  s_icache_inv\n.Lplace:\n" +
      [] {
        std::string nops;
        for (int k = 0; k < 64; ++k) nops += "  s_nop 0\n";
        return nops;
      }());
  EXPECT_EQ(r.exit_code, 1) << r.out << r.err;
  EXPECT_THAT(r.out + r.err,
              AllOf(HasSubstr("flat_store_dword"), HasSubstr("read-only"), HasSubstr("code of program")));
}

// EXEC becomes empty, or VCC zero, by an instruction that does not name it first: behind the branch come loads.
TEST_F(refusals, no_special_register_is_taken_for_what_it_was) {
  const std::string loads =
      "  s_mov_b64 exec, -1\n  s_load_dwordx2 s[4:5], s[0:1], 0x0\n  s_waitcnt lgkmcnt(0)\n  v_mov_b32 v10, s4\n"
      "  v_mov_b32 v11, s5\n" +
      [] {
        std::string all;
        for (int k = 0; k < 8; ++k) all += "  flat_load_dword v12, v[10:11]\n";
        return all;
      }() +
      "  s_waitcnt vmcnt(0) & lgkmcnt(0)\n";
  const std::string zeros = "  v_mov_b32 v2, 0\n  v_mov_b32 v3, 0\n  v_mov_b32 v6, v0\n";
  const auto follows = [&](const std::string& body, const std::string& branch) {
    const program_result r = bound_and_run(zeros + body + "  " + branch + " .Lloads\n  s_endpgm\n.Lloads:\n" + loads);
    EXPECT_EQ(r.exit_code, 0) << body << r.out << r.err;
    EXPECT_THAT(r.out, HasSubstr("bound / observed")) << body;
  };
  for (const char* body :
       {"  v_add_u32 v4, exec, v2, v2\n", "  v_sub_u32 v4, exec, v2, v2\n", "  v_addc_u32 v4, exec, v2, v2, s[20:21]\n",
        "  v_mad_u64_u32 v[4:5], exec, v2, v2, v[2:3]\n", "  v_mad_i64_i32 v[4:5], exec, v2, v2, v[2:3]\n",
        "  v_cmp_ne_u32 exec, v2, v2\n",
        "  v_readfirstlane_b32 s20, v2\n  s_mov_b32 exec_lo, s20\n  v_readlane_b32 exec_hi, v2, s20\n"})
    follows(std::string("  s_mov_b64 s[20:21], 0\n") + body, "s_cbranch_execz");
  // v2 is compared in place of v1: M0 has the distance.
  follows(
      "  v_mov_b32 v1, 1\n  s_mov_b32 s20, 1\n  s_set_gpr_idx_on s20, 1\n  v_cmp_ne_u32 vcc, v1, v2\n"
      "  s_set_gpr_idx_off\n",
      "s_cbranch_vccz");
  follows(
      "  v_mov_b32 v1, 1\n  s_mov_b32 m0, 0x1001\n  s_setreg_imm32_b32 hwreg(HW_REG_MODE, 27, 1), 1\n"
      "  v_cmp_ne_u32 vcc, v1, v2\n  s_setreg_imm32_b32 hwreg(HW_REG_MODE, 27, 1), 0\n",
      "s_cbranch_vccz");
}

TEST_F(refusals, instructions_without_a_time) {
  const auto refused = [&](const char* body) {
    const program_result r = run("wcet", std::string("  s_nop 0\n") + body, "");
    EXPECT_EQ(r.exit_code, 2) << body << r.out;
    return r.err;
  };
  EXPECT_THAT(refused("  s_getpc_b64 s[4:5]\n  s_setpc_b64 s[4:5]\n"), HasSubstr("s_setpc_b64"));
  EXPECT_THAT(refused("  s_cbranch_g_fork s[4:5], s[6:7]\n"), HasSubstr("s_cbranch_g_fork"));
  EXPECT_THAT(refused("  s_cbranch_join s4\n"), HasSubstr("s_cbranch_join"));
  EXPECT_THAT(refused("  s_setvskip s4, s5\n"), HasSubstr("s_setvskip"));
  EXPECT_THAT(refused("  s_rfe_b64 s[4:5]\n"), HasSubstr("s_rfe_b64"));
  EXPECT_THAT(refused("  ds_read_b32 v1, v0 gds\n"), HasSubstr("gds"));
}

}  // namespace
}  // namespace pws::test::refusals_test
