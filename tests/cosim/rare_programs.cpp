// SPDX-License-Identifier: Apache-2.0
#include "tests/cosim/rare_programs.h"

#include <fmt/format.h>

namespace pws::test {

namespace {

// Work-item `one` on one side of a split, all others, as an SWF, on the other: both run `body`.
std::string in_an_swf_of_all_but(unsigned one, const std::string& body) {
  return fmt::format("  s_mov_b64 s[20:21], exec\n  s_lshl_b64 exec, 1, {}\n", one) + split_exec +
         "  s_mov_b64 exec, s[20:21]\n" + body + "  s_mov_b64 exec, s[20:21]\n" + merge;
}

constexpr const char* store = "  flat_store_dwordx4 v[8:9], v[4:7]\n";

}  // namespace

directed_programs moves_between_rows() {
  constexpr const char* controls[] = {"wave_shl:1", "wave_rol:1",   "wave_shr:1",
                                      "wave_ror:1", "row_bcast:15", "row_bcast:31"};
  std::string all = "  v_cvt_f32_u32 v6, v2\n";
  for (const char* c : controls)
    for (const char* bound : {"", " bound_ctrl:0"})
      all += fmt::format(
          "  v_mov_b32_dpp v28, v5 {0} row_mask:0xf bank_mask:0xf{1}\n"
          "  v_mov_b32_dpp v5, v5 {0} row_mask:0xf bank_mask:0xf{1}\n  v_xor_b32 v4, v4, v5\n  v_xor_b32 v4, v4, v28\n"
          "  v_rcp_f32_dpp v29, v6 {0} row_mask:0xf bank_mask:0xf{1}\n"
          "  v_rcp_f32_dpp v6, v6 {0} row_mask:0xf bank_mask:0xf{1}\n  v_xor_b32 v7, v7, v6\n  v_xor_b32 v7, v7, v29\n"
          "  v_xor_b32 v5, v5, v2\n  v_cvt_f32_u32 v6, v2\n",
          c, bound);
  std::vector<std::string> bodies{all + store};
  for (const unsigned one : {5u, 31u, 47u}) bodies.push_back(in_an_swf_of_all_but(one, all) + store);
  directed_programs p = programs_of(bodies, 1);
  p.machine.cosim.spsimds = {1, 2};
  return p;
}

directed_programs deep_child_stacks() {
  enum class ends { nobody, first_side, second_side };
  std::vector<std::string> bodies;
  for (const unsigned open : {0u, 3u, 4u, 5u, 15u, 16u, 17u, 33u, 60u})
    for (const ends who : {ends::nobody, ends::first_side, ends::second_side})
      for (const bool late : {false, true}) {
        const std::string wait = late ? repeated("  s_nop 15\n", 6) : "";
        const std::string work = "  v_add_u32 v4, vcc, 1, v4\n";
        const std::string ending = work + wait + "  s_endpgm\n",
                          going_on = work + (late ? "" : repeated("  s_nop 15\n", 6));
        // The one that ends has splits of its own open too.
        const std::string inner = repeated(split_exec, 2) + repeated(merge, 2);
        bodies.push_back(in_an_swf(repeated(split_exec, open) +
                                   split_if(2, "s[24:25]", "deep" + std::to_string(bodies.size()),
                                            inner + (who == ends::first_side ? ending : going_on),
                                            inner + (who == ends::second_side ? ending : going_on)) +
                                   repeated(merge, open)));
      }
  // Two SWFs of one stack, with entries without an SWF below, between and above them.
  for (const unsigned between : {1u, 5u, 16u, 40u}) {
    const std::string name = std::to_string(bodies.size());
    const std::string inner = repeated(split_exec, between) +
                              split_if(4, "s[26:27]", "inner" + name, "  v_add_u32 v5, vcc, 1, v5\n", "  s_nop 7\n") +
                              repeated(merge, between);
    bodies.push_back(in_an_swf(repeated(split_exec, 3) +
                               split_if(2, "s[24:25]", "outer" + name, inner, repeated("  s_nop 15\n", 12)) +
                               repeated(merge, 3)));
  }
  return programs_of(bodies, 3);
}

directed_programs m0_handed_over() {
  constexpr const char* writers[] = {"  s_mov_b32 m0, 0x1234567\n",
                                     "  s_set_gpr_idx_idx s30\n",
                                     "  s_set_gpr_idx_on s30, 9\n  s_set_gpr_idx_off\n",
                                     "  s_set_gpr_idx_on s30, 6\n  s_set_gpr_idx_mode 3\n  s_set_gpr_idx_off\n",
                                     "  s_set_gpr_idx_mode 12\n",
                                     "  s_mov_b64 vcc, exec\n  v_readfirstlane_b32 m0, v5\n"};
  const std::string reads = "  s_mov_b32 s90, m0\n  v_mov_b32 v4, s90\n";
  std::vector<std::string> bodies;
  for (const char* w : writers)
    for (const unsigned gap : {0u, 3u})
      bodies.push_back(in_an_swf("  s_mov_b32 s30, 0x5a\n" + std::string(w) + repeated("  s_nop 0\n", gap) +
                                 split_if(2, "s[24:25]", std::to_string(bodies.size()), reads, reads)));
  return programs_of(bodies, 2);
}

directed_programs hardware_registers_read() {
  const std::string writers[] = {"  s_cmp_eq_u32 s96, s96\n",
                                 "  s_cmp_lg_u32 s96, s96\n",
                                 "  s_mov_b64 vcc, 0\n",
                                 "  s_mov_b64 exec, 0\n",
                                 "  v_cmp_eq_u32 vcc, v5, v5\n",
                                 "  v_cmp_ne_u32 vcc, v5, v5\n",
                                 "  v_cmpx_ne_u32 vcc, v5, v5\n",
                                 "  v_cmpx_eq_u32 s[92:93], v5, v5\n",
                                 "  s_and_saveexec_b64 s[92:93], 0\n",
                                 "  s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 5\n",
                                 "  s_setreg_imm32_b32 hwreg(HW_REG_TRAPSTS, 0, 9), 0x55\n"};
  std::vector<std::string> bodies;
  for (const std::string& writer : writers)
    for (unsigned gap = 0; gap < 4; ++gap)
      bodies.push_back(
          in_an_swf("  s_mov_b32 s96, 1\n  s_mov_b64 s[94:95], exec\n  s_cmp_lg_u32 s96, 0\n  s_mov_b64 vcc, "
                    "-1\n  s_nop 15\n" +
                    writer + repeated("  s_nop 0\n", gap) +
                    "  s_getreg_b32 s97, hwreg(HW_REG_STATUS)\n  s_getreg_b32 s98, hwreg(HW_REG_MODE)\n"
                    "  s_getreg_b32 s99, hwreg(HW_REG_TRAPSTS)\n  s_getreg_b32 s92, hwreg(HW_REG_HW_ID)\n"
                    "  s_getreg_b32 s93, hwreg(HW_REG_GPR_ALLOC)\n  s_getreg_b32 s91, hwreg(HW_REG_LDS_ALLOC)\n"
                    "  s_mov_b64 exec, s[94:95]\n"
                    "  s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 0\n  s_lshl_b32 s98, s98, 8\n"
                    "  s_xor_b32 s97, s97, s98\n  s_lshl_b32 s99, s99, 20\n  s_xor_b32 s97, s97, s99\n"
                    "  s_xor_b32 s97, s97, s92\n  s_xor_b32 s97, s97, s93\n  s_xor_b32 s97, s97, s91\n"
                    "  v_mov_b32 v4, s97\n"));
  return programs_of(bodies, 1);
}

directed_programs high_vector_registers() {
  constexpr unsigned numbers[] = {33, 63, 64, 100, 127, 128, 200, 254, 255};
  std::string body;
  for (const unsigned v : numbers) body += fmt::format("  v_mov_b32 v{0}, {0}\n  v_add_u32 v{0}, vcc, v{0}, v2\n", v);
  for (const unsigned v : numbers)
    body += fmt::format(
        "  v_mad_u32_u24 v4, v{0}, v5, v4\n  v_mad_u32_u24 v4, v5, v{0}, v4\n  v_mad_u32_u24 v4, v5, v5, v{0}\n"
        "  v_mad_u32_u24 v6, v{0}, v{1}, v{2}\n  v_xor_b32 v{0}, v4, v{0}\n  v_xor_b32 v7, v6, v7\n",
        v, v == 255 ? 64 : 255, v == 128 ? 33 : 128);
  body +=
      "  v_lshlrev_b64 v[254:255], 3, v[254:255]\n  v_xor_b32 v7, v254, v7\n  v_xor_b32 v7, v255, v7\n"
      "  s_mov_b32 m0, 100\n  v_movrels_b32 v5, v28\n  v_movreld_b32 v28, v4\n  v_xor_b32 v5, v5, v128\n"
      "  s_mov_b32 m0, -1\n";
  return programs_of({in_an_swf(body)}, 1, 256);
}

std::string two_scalars(unsigned other, unsigned source) {
  constexpr unsigned v5 = 256 + 5;  // v_mad_f32 v4, in VOP3, which assemblers refuse
  const unsigned src1 = source == 1 ? other : v5, src2 = source == 2 ? other : v5;
  return fmt::format("  .long 0xd1c10004, {:#x}\n", 90u | src1 << 9 | src2 << 18);
}

directed_programs left_to_the_model() {
  std::vector<std::string> bodies;
  for (const unsigned which : {1u, 2u, 4u, 8u, 9u})  // src0, src1, src2, dst, which of them M0 moves
    bodies.push_back(in_an_swf(
        fmt::format("  s_mov_b32 s30, 1\n  s_set_gpr_idx_on s30, {}\n  v_mov_b32 v4, v5\n  v_add_u32 v5, vcc, v4, v6\n"
                    "  v_mad_u32_u24 v4, v5, v6, v5\n  s_set_gpr_idx_off\n  v_xor_b32 v4, v4, v5\n  s_mov_b32 m0, -1\n",
                    which)));
  const std::string values =
      "  s_mov_b32 s90, 1.0\n  s_mov_b32 s91, 2.0\n  s_mov_b32 s92, 4.0\n  v_cvt_f32_u32 v5, v2\n";
  for (const unsigned source : {1u, 2u})
    bodies.push_back(in_the_swf_alone(values + two_scalars(92, source), "alone" + std::to_string(source)));
  return programs_of(bodies, 1);
}

bool is_left_to_the_model(const std::string& name) {
  if (name.find(" in VGPR indexing mode") != std::string::npos) return true;
  for (const char* with_two_scalars_or_status : {"v_mad_f32", "v_mad_u32_u24", "s_getreg_b32"})
    if (name == with_two_scalars_or_status) return true;
  return false;
}

}  // namespace pws::test
