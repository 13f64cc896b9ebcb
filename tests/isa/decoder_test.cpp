// SPDX-License-Identifier: Apache-2.0
// What decode() fills in, and what it refuses.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/error.h"
#include "models/isa/code/decode.h"
#include "models/isa/code/opcode_table.h"
#include "models/isa/code/program.h"
#include "models/isa/opcode_row.h"
#include "models/isa/wave_state.h"
#include "tests/isa/llvm_tools.h"

namespace pws::isa::test::decoder_test {

namespace {

inst decoded(const words& w, uint64_t pc = 0) {
  return decode(w.data(), static_cast<unsigned>(w.size()), pc);
}

std::string error_of(const words& w) {
  try {
    decoded(w);
  } catch (const program_error& e) {
    return e.what();
  }
  return "accepted";
}

using runs = std::set<std::string>;
runs text(const inst::run* r, unsigned n) {
  runs s;
  for (unsigned k = 0; k < n; ++k)
    s.insert((r[k].is_vgpr ? "v" : "s") + std::to_string(r[k].first) + "+" + std::to_string(r[k].count));
  return s;
}
runs reads(const inst& i) {
  return text(i.reads, i.n_reads);
}
runs writes(const inst& i) {
  return text(i.writes, i.n_writes);
}
const std::string exec_run = "s126+2", vcc_run = "s106+2", m0_run = "s124+1";

// --- The table
// --------------------------------------------------------------------------------------------------------------

TEST(opcode_table, rows_do_not_overlap) {
  std::set<std::pair<format, unsigned>> seen;
  std::set<unsigned> vop3_seen;
  for (const opcode_row* row : all_rows()) {
    EXPECT_TRUE(seen.emplace(row->native, row->opcode).second) << row->mnemonic;
    EXPECT_EQ(find_row(row->native, row->opcode), row) << row->mnemonic;
    if ((row->flags & no_vop3) != 0) continue;
    const unsigned base = row->native == format::vop1 ? 0x140 : row->native == format::vop2 ? 0x100 : 0;
    if (row->native == format::vop1 || row->native == format::vop2 || row->native == format::vopc ||
        row->native == format::vop3) {
      EXPECT_TRUE(vop3_seen.insert(base + row->opcode).second) << row->mnemonic << " in VOP3";
    }
  }
  EXPECT_GT(seen.size(), 700u);
}

TEST(opcode_table, opcodes_fit_their_formats) {
  const auto limit = [](format f) -> unsigned {
    switch (f) {
      case format::sopk:
        return 28;  // above are SOP1, SOPC and SOPP
      case format::sop2:
        return 96;
      case format::vop2:
        return 62;  // above are VOP1 and VOPC
      case format::vop1:
        return 128;
      case format::sopc:
      case format::sopp:
      case format::flat:
      case format::mubuf:
      case format::mimg:
        return 128;
      case format::vop3:
        return 1024;
      default:
        return 256;
    }
  };
  for (const opcode_row* row : all_rows()) {
    EXPECT_LT(row->opcode, limit(row->native)) << row->mnemonic;
    if (row->native == format::vop3) {
      EXPECT_GE(row->opcode, 0x1c0u) << row->mnemonic;
    }
  }
}

TEST(opcode_table, mnemonics_are_unique) {
  std::set<std::string> seen;
  for (const opcode_row* row : all_rows()) EXPECT_TRUE(seen.insert(row->mnemonic).second) << row->mnemonic;
}

TEST(opcode_table, unknown_opcodes_have_no_row) {
  EXPECT_EQ(find_row(format::sop2, 100), nullptr);
  EXPECT_EQ(find_row(format::vop3, 1023), nullptr);
  EXPECT_EQ(find_row(format::vop3, 1024), nullptr);
  EXPECT_EQ(find_row(format::vintrp, 0), nullptr);
}

// --- Fields
// -----------------------------------------------------------------------------------------------------------------

TEST(decoder, sop2_with_literal) {
  const inst i = decoded({0x8004ff7e, 0x12345678}, 0x40);  // s_add_u32 s4, exec_lo, 0x12345678
  EXPECT_STREQ(i.row->mnemonic, "s_add_u32");
  EXPECT_EQ(i.dwords, 2);
  EXPECT_EQ(i.variant, encoding_variant::literal);
  EXPECT_EQ(i.pc, 0x40u);
  EXPECT_EQ(i.src[0].index, exec_lo);
  EXPECT_EQ(i.src[1].kind, operand_kind::constant);
  EXPECT_EQ(i.src[1].value, 0x12345678u);
  EXPECT_TRUE(i.special_src);
  EXPECT_TRUE(i.reads_exec);
  EXPECT_FALSE(i.writes_exec);
  EXPECT_TRUE(i.writes_scc);
  EXPECT_FALSE(i.reads_scc);
  EXPECT_EQ(reads(i), (runs{"s126+1"}));
  EXPECT_EQ(writes(i), (runs{"s4+1"}));
}

TEST(decoder, branch_targets) {
  EXPECT_EQ(decoded({0xbf820000}, 0x100).target, 0x104u);
  EXPECT_EQ(decoded({0xbf88ffff}, 0x100).target, 0x100u);
  EXPECT_EQ(decoded({0xbf827fff}, 0x100).target, 0x104u + 0x1fffc);
  EXPECT_EQ(decoded({0xbf828000}, 0x100000).target, 0x100004u - 0x20000);
  const inst execz = decoded({0xbf880001});
  EXPECT_EQ(execz.unit, unit::branch);
  EXPECT_TRUE(execz.reads_exec);
  EXPECT_EQ(reads(execz), (runs{exec_run}));
  EXPECT_EQ(reads(decoded({0xbf860001})), (runs{vcc_run}));
  EXPECT_TRUE(decoded({0xbf840001}).reads_scc);
}

// STATUS has SCC, EXECZ and VCCZ in it; whoever reads these bits waits for what they are made of.
TEST(decoder, getreg_reads_what_its_bits_are_made_of) {
  const auto getreg = [](uint32_t id, uint32_t offset, uint32_t size) {
    return decoded({0xb88a0000 | (size - 1) << 11 | offset << 6 | id});
  };
  const inst whole = getreg(2, 0, 32);
  EXPECT_STREQ(whole.row->mnemonic, "s_getreg_b32");
  EXPECT_TRUE(whole.reads_scc);
  EXPECT_TRUE(whole.reads_exec);
  EXPECT_EQ(reads(whole), (runs{exec_run, vcc_run}));
  EXPECT_TRUE(getreg(2, 0, 1).reads_scc);
  EXPECT_EQ(reads(getreg(2, 0, 9)), runs{});
  EXPECT_EQ(reads(getreg(2, 9, 1)), (runs{exec_run}));
  EXPECT_EQ(reads(getreg(2, 10, 1)), (runs{vcc_run}));
  EXPECT_FALSE(getreg(2, 9, 2).reads_scc);
  EXPECT_EQ(reads(getreg(2, 11, 21)), runs{});
  for (const uint32_t other : {1u, 3u, 4u, 5u, 6u}) {
    EXPECT_FALSE(getreg(other, 0, 32).reads_scc) << other;
    EXPECT_EQ(reads(getreg(other, 0, 32)), runs{}) << other;
  }
}

TEST(decoder, units_of_machine_instructions) {
  EXPECT_EQ(decoded({0xbf8c0070}).unit, unit::waitcnt);
  EXPECT_EQ(decoded({0xbf8a0000}).unit, unit::barrier);
  EXPECT_EQ(decoded({0xbf810000}).unit, unit::end);
  EXPECT_EQ(decoded({0xbf900001}).unit, unit::message);
  EXPECT_EQ(decoded({0xbf920003}).unit, unit::message);
  EXPECT_EQ(decoded({0xbf800007}).unit, unit::internal);
  EXPECT_EQ(decoded({0xbe802000 | 1 << 16 << 1}).unit, unit::salu);
  const waitcnt_fields w = waitcnt(decoded({0xbf8c0f73}));
  EXPECT_EQ(w.vmcnt, 3);
  EXPECT_EQ(w.expcnt, 7);
  EXPECT_EQ(w.lgkmcnt, 15);
}

TEST(decoder, saveexec_scoreboard) {
  const inst i = decoded({0xbe84206a});  // s_and_saveexec_b64 s[4:5], vcc
  EXPECT_EQ(reads(i), (runs{vcc_run, exec_run}));
  EXPECT_EQ(writes(i), (runs{"s4+2", exec_run}));
  EXPECT_TRUE(i.reads_exec);
  EXPECT_TRUE(i.writes_exec);
  EXPECT_FALSE(i.special_src);
  EXPECT_TRUE(decoded({0xbefe0104}).writes_exec) << "s_mov_b64 exec, s[4:5]";
  EXPECT_TRUE(decoded({0xbeff0004}).writes_exec) << "s_mov_b32 exec_hi, s4";
  EXPECT_FALSE(decoded({0xbefc0004}).writes_exec) << "s_mov_b32 m0, s4";
}

TEST(decoder, implicit_vcc_of_vector_instructions) {
  const inst add = decoded({0x320a0501});  // v_add_u32_e32 v5, vcc, v1, v2
  EXPECT_EQ(add.sdst.index, vcc_lo);
  EXPECT_EQ(add.sdst.dwords, 2);
  EXPECT_EQ(reads(add), (runs{"v1+1", "v2+1", exec_run}));
  EXPECT_EQ(writes(add), (runs{"v5+1", vcc_run}));
  const inst addc = decoded({0x380a0501});  // v_addc_u32_e32 v5, vcc, v1, v2, vcc
  EXPECT_EQ(addc.n_src, 3);
  EXPECT_EQ(addc.src[2].index, vcc_lo);
  EXPECT_EQ(reads(addc), (runs{"v1+1", "v2+1", vcc_run, exec_run}));
  const inst e64 = decoded({0xd11c0c05, 0x00420501});  // v_addc_u32_e64 v5, s[12:13], v1, v2, s[16:17]
  EXPECT_EQ(reads(e64), (runs{"v1+1", "v2+1", "s16+2", exec_run}));
  EXPECT_EQ(writes(e64), (runs{"v5+1", "s12+2"}));
  const inst cmp = decoded({0x7d940501});  // v_cmp_eq_u32_e32 vcc, v1, v2
  EXPECT_EQ(cmp.dst.index, vcc_lo);
  EXPECT_EQ(writes(cmp), (runs{vcc_run}));
  const inst cmpx = decoded({0xd0da0004, 0x00020501});  // v_cmpx_eq_u32_e64 s[4:5], v1, v2
  EXPECT_EQ(writes(cmpx), (runs{"s4+2", exec_run}));
  EXPECT_TRUE(cmpx.writes_exec);
  const inst fmas = decoded({0xd1e20005, 0x040e0501});  // v_div_fmas_f32 v5, v1, v2, v3
  EXPECT_EQ(reads(fmas), (runs{"v1+1", "v2+1", "v3+1", vcc_run, exec_run}));
}

TEST(decoder, destination_that_is_read) {
  EXPECT_EQ(reads(decoded({0x2c0a0501})), (runs{"v1+1", "v2+1", "v5+1", exec_run})) << "v_mac_f32";
  EXPECT_EQ(reads(decoded({0xb7040001})), (runs{"s4+1"})) << "s_addk_i32";
  // v_mov_b32_sdwa v5, v1 dst_sel:BYTE_0 dst_unused:UNUSED_PRESERVE
  EXPECT_EQ(reads(decoded({0x7e0a02f9, 0x00061001})), (runs{"v1+1", "v5+1", exec_run}));
}

TEST(decoder, wide_registers) {
  const inst i = decoded({0xd1cc0005, 0x04220d02});  // v_fma_f64 v[5:6], v[2:3], v[6:7], v[8:9]
  EXPECT_EQ(writes(i), (runs{"v5+2"}));
  EXPECT_EQ(reads(i), (runs{"v2+2", "v6+2", "v8+2", exec_run}));
  const inst load = decoded({0xc00e0202, 0x00000010});  // s_load_dwordx8 s[8:15], s[4:5], 0x10
  EXPECT_EQ(load.unit, unit::scalar_memory);
  EXPECT_EQ(writes(load), (runs{"s8+8"}));
  EXPECT_EQ(reads(load), (runs{"s4+2"}));
  EXPECT_TRUE(load.imm_offset);
  EXPECT_EQ(load.offset0, 0x10u);
  EXPECT_FALSE(load.reads_exec);
}

TEST(decoder, memory_operands_have_fixed_places) {
  const inst store = decoded({0xe0701004, 0x05020900});  // buffer_store_dword v9, v0, s[8:11], s5 offen offset:4
  EXPECT_EQ(store.dst.kind, operand_kind::none);
  EXPECT_EQ(store.src[0].index, 0);
  EXPECT_EQ(store.src[1].index, 9);
  EXPECT_EQ(store.src[2].index, 8);
  EXPECT_EQ(store.src[3].index, 5);
  EXPECT_EQ(store.offset0, 4u);
  EXPECT_TRUE(store.offen);
  EXPECT_EQ(reads(store), (runs{"v0+1", "v9+1", "s8+4", "s5+1", exec_run}));
  EXPECT_EQ(writes(store), runs{});
  const inst load = decoded({0xe0500000, 0x80020900});  // buffer_load_dword v9, off, s[8:11], 0
  EXPECT_EQ(load.src[0].kind, operand_kind::none);
  EXPECT_EQ(load.src[1].kind, operand_kind::none);
  EXPECT_EQ(load.src[3].kind, operand_kind::constant);
  EXPECT_EQ(writes(load), (runs{"v9+1"}));
  // An atomic writes a register only if it returns.
  EXPECT_EQ(writes(decoded({0xdd080000, 0x05000902})), runs{});
  EXPECT_EQ(writes(decoded({0xdd090000, 0x05000902})), (runs{"v5+1"}));
  const inst read2 = decoded({0xd86e0201, 0x05000001});  // ds_read2_b32 v[5:6], v1 offset0:1 offset1:2
  EXPECT_EQ(read2.offset0, 1u);
  EXPECT_EQ(read2.offset1, 2u);
  EXPECT_EQ(writes(read2), (runs{"v5+2"}));
  EXPECT_EQ(reads(read2).count(m0_run), 1u) << "LDS instructions depend on M0's bound";
}

TEST(decoder, constants_take_the_operands_type) {
  EXPECT_EQ(decoded({0xbe8400c1}).src[0].value, 0xffffffffu);
  EXPECT_EQ(decoded({0xbe8401c1}).src[0].value, ~uint64_t{0});
  EXPECT_EQ(decoded({0x3e0a04f8}).src[0].value, 0x3118u) << "f16 1/(2 pi)";
  EXPECT_EQ(decoded({0x3e0a04c1}).src[0].value, 0xffffu) << "f16 operand with an integer: its bits";
  EXPECT_EQ(decoded({0x020a04f8}).src[0].value, 0x3e22f983u);
  EXPECT_EQ(decoded({0x7e0606f8}).src[0].value, 0x3fc45f306dc9c882u) << "f64 1/(2 pi)";
  EXPECT_EQ(decoded({0x7e0606ff, 0x3ff00000}).src[0].value, 0x3ff0000000000000u) << "f64 literal: the high dword";
  EXPECT_EQ(decoded({0x7e0606c1}).src[0].value, ~uint64_t{0});
  EXPECT_EQ(decoded({0x3e0a04ff, 0xabcd1234}).src[0].value, 0x1234u) << "f16 literal: the low half";
  EXPECT_EQ(decoded({0x7dc204ff, 0x80000000}).src[0].value, 0xffffffff80000000u) << "i64 literal: sign-extended";
  EXPECT_EQ(decoded({0x7dd204ff, 0x80000000}).src[0].value, 0x80000000u) << "u64 literal: zero-extended";
}

// --- Refusals
// ---------------------------------------------------------------------------------------------------------------

TEST(decoder, truncated_words) {
  EXPECT_THROW(decode(nullptr, 0, 0), program_error);
  for (const words& w : std::vector<words>{{0x8004ff00},
                                           {0xd1c10000},
                                           {0xc0020002},
                                           {0xd8000000},
                                           {0xdc500000},
                                           {0xe0500000},
                                           {0x7e0a02f9},
                                           {0x7e0a02fa},
                                           {0xba00f801},
                                           {0x2e0a0501}})
    EXPECT_NE(error_of(w).find("truncated"), std::string::npos) << hex(w) << ": " << error_of(w);
}

TEST(decoder, unknown_opcodes_and_encodings) {
  for (const words& w : std::vector<words>{{0x96000000},
                                           {0xbe803f00},
                                           {0xbf160100},
                                           {0xbf9e0000},
                                           {0xbb800000},
                                           {0xc8ff0000, 0},
                                           {0xcc000000, 0},
                                           {0xd3ff0000, 0},
                                           {0xffffffff, 0xffffffff},
                                           {0xfc000000, 0}})
    EXPECT_EQ(error_of(w).rfind("illegal instruction 0x", 0), 0u) << hex(w) << ": " << error_of(w);
}

TEST(decoder, known_but_unimplemented_are_named) {
  EXPECT_NE(error_of({0xd4000000}).find("unimplemented v_interp_p1_f32"), std::string::npos);
  EXPECT_NE(error_of({0xe8040000, 0}).find("unimplemented tbuffer_load_format_d16_x "), std::string::npos);
  EXPECT_NE(error_of({0xbe801f00}).find("unimplemented s_rfe_b64"), std::string::npos);
  EXPECT_NE(error_of({0xc4000000, 0}).find("unimplemented exp"), std::string::npos);
  EXPECT_NE(error_of({0xf0400000, 0}).find("unimplemented image_atomic_swap "), std::string::npos);
  EXPECT_NE(error_of({0xf0940000, 0}).find("unimplemented image_sample_b "), std::string::npos);
  EXPECT_NE(error_of({0xf0010100, 0}).find("image_load with tfe"), std::string::npos);
  EXPECT_NE(error_of({0xf0020100, 0}).find("image_load with lwe"), std::string::npos);
  EXPECT_NE(error_of({0xf0008100, 0}).find("image_load with r128"), std::string::npos);
  EXPECT_NE(error_of({0xf0000100, 0x80000000}).find("image_load with d16"), std::string::npos);
  EXPECT_NE(error_of({0xf0000000, 0}).find("names no component"), std::string::npos);
  EXPECT_NE(error_of({0xf1000300, 0}).find("image_gather4 of several components"), std::string::npos);
  EXPECT_NE(error_of({0xd8010000, 0x00000201}).find("with gds"), std::string::npos);
  EXPECT_NE(error_of({0xe0500000, 0x80820100}).find("with tfe"), std::string::npos);
}

TEST(decoder, reserved_fields) {
  const struct {
    words code;
    const char* why;
  } cases[] = {
      {{0xbe80007d}, "125"},  // s_mov_b32 s0, <reserved>
      {{0xbefd0000}, "125"},  // ... as the destination
      {{0xbe8000d1}, "209"},  // between the integers and the floats
      {{0xbe8000ef}, "239"},
      {{0xbe8000f9}, "249"},  // SDWA in a scalar instruction
      {{0xbe8000fe}, "lds_direct"},
      {{0xbe800101}, "misaligned"},  // s_mov_b64 s[0:1], s[1:2]
      {{0xbe810100}, "misaligned"},
      {{0xbe80017c}, "m0"},                  // s_mov_b64 s[0:1], m0
      {{0xc00a0202, 0}, ""},                 // s_load_dwordx4 s[8:11]: fine
      {{0xc00a0182, 0}, "misaligned"},       // s_load_dwordx4 s[6:9]
      {{0xc0021902, 0}, ""},                 // s100: fine
      {{0xc0121900, 0}, "leaves the file"},  // s_load_dwordx16 s[100:115]
      {{0xc01e0000, 0}, "no such opcode"},
      {{0xdc500004, 0}, "reserved bits"},     // a FLAT offset, which GCN3 has not
      {{0xd1c10000, 0x040206ff}, "literal"},  // VOP3 has none
      {{0xd1c10000, 0x040206f9}, "249"},
      {{0xd1cc00ff, 0x04020502}, "leaves the file"},  // v_fma_f64 v[255:256]
      {{0x7e0a02f9, 0x00070601}, "select 7"},
      {{0x7e0a02f9, 0x00061e01}, "dst_unused 3"},
      {{0x7e0a02fa, 0xff010001}, "DPP control"},  // row_shl:0
      {{0x7e0a02fa, 0xff014401}, "DPP control"},
      {{0x7e0a02f9, 0x00160601}, "sign modifier"},  // v_mov_b32_sdwa v5, -v1
      {{0x020a04f9, 0x060e0601}, "sign extension"},
      {{0xe0500000, 0xff020100}, "literal"},
  };
  for (const auto& c : cases) {
    const std::string e = error_of(c.code);
    if (*c.why == '\0')
      EXPECT_EQ(e, "accepted") << hex(c.code);
    else
      EXPECT_NE(e.find(c.why), std::string::npos) << hex(c.code) << ": " << e;
  }
}

TEST(decoder, disassembly_of_illegal_words) {
  const uint32_t w[] = {0xffffffff, 0};
  EXPECT_EQ(disassemble_words(w, 2, 0), ".long 0xffffffff");
  EXPECT_EQ(disassemble_words(w, 0, 0), "");
  constexpr uint32_t more = 0x01020304;
  const auto text_of = [](uint32_t first, unsigned n) {
    const uint32_t both[] = {first, more};
    EXPECT_EQ(instruction_dwords(both, 1, 0), 1u);
    return disassemble_words(both, n, 0);
  };
  const auto data = [](uint32_t first) { return ".long 0x" + hex({first}); };
  // No such opcodes, in encodings of 64 bits: one each. (LLVM shows the first half as .long, and the second as an
  // instruction.) And in those of 32 bits, with a literal, an SDWA or a DPP dword.
  for (const uint32_t first :
       {0xd1b70001u, 0xc3fc0000u, 0xd8fa0000u, 0xddfc0000u, 0xe1fc0000u, 0xf1fc0000u, 0xc4000000u, 0xbe80ffffu,
        0xbf7f01ffu, 0xbf7fff01u, 0x7e01feffu, 0x7e01fef9u, 0x7e01fefau}) {
    const uint32_t both[] = {first, more};
    EXPECT_EQ(text_of(first, 2), data(first) + ", 0x" + hex({more}));
    EXPECT_EQ(text_of(first, 1), data(first));
    EXPECT_EQ(instruction_dwords(both, 2, 0), 2u) << hex({first});
  }
  // One dword long: no such encodings, interpolation, SOPP, SOPK, SOP1 whose second field is its opcode.
  for (const uint32_t first :
       {0xc8000000u, 0xcc000000u, 0xe4000000u, 0xf4000000u, 0xfc000000u, 0xbffeffffu, 0xd403ffffu, 0xbe00ff01u}) {
    const uint32_t both[] = {first, more};
    EXPECT_EQ(text_of(first, 2), data(first));
    EXPECT_EQ(instruction_dwords(both, 2, 0), 1u) << hex({first});
  }
  const uint32_t unimplemented[] = {0xbe801f02};
  EXPECT_EQ(disassemble_words(unimplemented, 1, 0), "s_rfe_b64 s[2:3]");
}

// --- The program cache
// ------------------------------------------------------------------------------------------------------

TEST(program, decodes_once_and_checks_addresses) {
  const uint32_t code[] = {0x8004ff00, 0x12345678, 0xbf810000, 0xffffffff, 0x8004ff00};
  program p(code, 0x1000, std::size(code));
  EXPECT_EQ(p.begin(), 0x1000u);
  EXPECT_EQ(p.end(), 0x1014u);
  const inst& first = p.at(0x1000);
  EXPECT_EQ(first.pc, 0x1000u);
  EXPECT_EQ(first.dwords, 2);
  EXPECT_EQ(&p.at(0x1000), &first);
  EXPECT_EQ(p.at(0x1008).unit, unit::end);
  EXPECT_THROW(p.at(0x100c), program_error);
  EXPECT_THROW(p.at(0x100c), program_error) << "a refusal is not cached as something else";
  EXPECT_THROW(p.at(0x1010), program_error) << "a literal beyond the end";
  EXPECT_THROW(p.at(0x1014), program_error);
  EXPECT_THROW(p.at(0xffc), program_error);
  EXPECT_THROW(p.at(0), program_error);
  EXPECT_THROW(p.at(~uint64_t{3}), program_error);
  EXPECT_THROW(p.at(0x1002), program_error);
  program empty(nullptr, 0x1000, 0);
  EXPECT_THROW(empty.at(0x1000), program_error);
}

}  // namespace

}  // namespace pws::isa::test::decoder_test
