// SPDX-License-Identifier: Apache-2.0
// The list of an instruction's operands against its execution: of every ALU row, in every encoding, what is not among
// the sources has no influence, and what is not among the results stays as it is.
#include "models/isa/operands.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <set>

#include "base/error.h"
#include "models/isa/code/alu_words.h"
#include "models/isa/code/decode.h"
#include "models/isa/code/opcode_table.h"
#include "models/isa/code/source_field.h"
#include "models/isa/host_fp.h"
#include "models/isa/predicates.h"
#include "models/isa/wave_state.h"

namespace pws::isa::test::operands_test {

namespace {

constexpr unsigned vgprs = 64;

inst decoded(uint32_t low, uint32_t high = 0) {
  const uint32_t words[] = {low, high};
  return decode(words, 2, 0);
}

// --- One of each kind ------------------------------------------------------------------------------

std::string text_of(operand_role r) {
  constexpr const char* names[] = {"value", "old", "flag", "kept", "lanes", "selector", "saved"};
  return names[static_cast<unsigned>(r)];
}
std::string text_of(const operand& o) {
  switch (o.kind) {
    case operand_kind::vgpr:
      return "v" + std::to_string(o.index) + (o.dwords > 1 ? "+" + std::to_string(o.dwords) : "");
    case operand_kind::scalar:
      return "s" + std::to_string(o.index) + (o.dwords > 1 ? "+" + std::to_string(o.dwords) : "");
    case operand_kind::constant:
      return std::to_string(static_cast<int64_t>(static_cast<int32_t>(o.value)));
    case operand_kind::scc:
      return "scc";
    case operand_kind::vccz:
      return "vccz";
    case operand_kind::execz:
      return "execz";
    case operand_kind::none:
      break;
  }
  return "none";
}
std::string text_of(const register_part& p) {
  if (p.whole()) return "";
  return "[" + std::to_string(p.first) + "+" + std::to_string(p.bits) + (p.sign_extended ? " signed" : "") + "]";
}
// "value v1, lanes s126+2 -> value v0".
std::string text_of(const inst& i) {
  const operand_list list = operands_of(i);
  std::string t;
  for (const input_operand& in : list.sources)
    t += (t.empty() ? "" : ", ") + text_of(in.role) + " " + text_of(in.from) + text_of(in.part) +
         (in.of_other_lanes ? " of other lanes" : "");
  t += " ->";
  for (const output_operand& out : list.results)
    t += " " + text_of(out.role) + " " + text_of(out.to) + text_of(out.part);
  return t;
}

TEST(operands, of_each_kind_of_instruction) {
  const auto sopk = [](uint32_t op, uint32_t simm) { return decoded(0xb0000000 | op << 23 | 4u << 16 | simm); };
  EXPECT_EQ(text_of(decoded(0x80040605)), "value s5, value s6 -> value s4 flag scc");            // s_add_u32
  EXPECT_EQ(text_of(decoded(0x82040605)), "value s5, value s6, flag scc -> value s4 flag scc");  // s_addc_u32
  EXPECT_EQ(text_of(sopk(14, 0xffff)), "old s4, value -1 -> value s4 flag scc");                 // s_addk_i32
  EXPECT_EQ(text_of(sopk(1, 7)), "value 7, old s4, flag scc -> value s4");                       // s_cmovk_i32
  EXPECT_EQ(text_of(sopk(13, 0xffff)), "value s4, value 65535 -> flag scc");                     // s_cmpk_le_u32
  EXPECT_EQ(text_of(sopk(7, 0xffff)), "value s4, value -1 -> flag scc");                         // s_cmpk_le_i32
  EXPECT_EQ(text_of(sopk(17, hw_status | 9u << 6)), "value execz -> value s4");                  // s_getreg_b32
  EXPECT_EQ(text_of(decoded(0xbe842006)), "value s6+2, value s126+2 -> saved s4+2 value s126+2 flag scc");
  EXPECT_EQ(text_of(decoded(0xbf860000)), "flag s106+2 ->");  // s_cbranch_vccz
  EXPECT_EQ(text_of(decoded(0x38060501)), "value v1, value v2, flag s106+2, lanes s126+2 -> value v3 flag s106+2");
  EXPECT_EQ(text_of(decoded(0x2c060501)), "value v1, value v2, old v3, lanes s126+2 -> value v3");  // v_mac_f32
  EXPECT_EQ(text_of(decoded(0xd1e20000, 0x040e0501)),
            "value v1, value v2, value v3, flag s106+2, lanes s126+2 -> value v0");  // v_div_fmas_f32
  // v_and_b32_sdwa v3, sext(v1) byte 2, v2 word 1, to byte 1, the rest kept
  EXPECT_EQ(text_of(decoded(0x260604f9, 0x050a1101)),
            "value v1[16+8 signed], value v2[16+16], kept v3, lanes s126+2 -> value v3[8+8]");
  // v_mov_b32_dpp v3, v1 row_mirror
  EXPECT_EQ(text_of(decoded(0x7e0602fa, 0xff014001)), "value v1 of other lanes, lanes s126+2 -> value v3");
  EXPECT_EQ(text_of(decoded(0xd28a0003, 0x00000a04)), "value s4, value s5, kept v3 -> value v3");  // v_writelane_b32
  EXPECT_EQ(text_of(decoded(0xd86c0000, 0x03000001)), "value v1, selector s124, lanes s126+2 -> value v3");
}

// --- Against execution -----------------------------------------------------------------------------

struct machine {
  wave_state s;
  std::unique_ptr<vgpr_row[]> rows{new vgpr_row[vgprs]};
  machine() {
    s.vgpr = rows.get();
    s.n_vgprs = vgprs;
    s.n_sgprs = sgpr_limit;
  }
  machine(const machine& o) : s(o.s) {
    std::copy(o.rows.get(), o.rows.get() + vgprs, rows.get());
    s.vgpr = rows.get();
  }
};

machine random_machine(std::mt19937& random) {
  machine m;
  for (uint32_t& r : m.s.scalar) r = static_cast<uint32_t>(random());
  for (unsigned r = 0; r < vgprs; ++r)
    for (uint32_t& lane : m.rows[r].lane) lane = random() % 3 == 0 ? random() % 64 : static_cast<uint32_t>(random());
  m.s.scc = random() % 2 == 0;
  m.s.mode = random() & mode_of_numbers;
  if (random() % 4 == 0) m.s.set_scalar64(exec_lo, ~uint64_t{0});
  return m;
}

// Scalar registers and rows in which a bit may matter, or change.
struct places {
  uint32_t scalar[scalar_count] = {};
  uint32_t vector[vgprs] = {};
  bool scc = false;

  void add(const operand& o, const register_part& part) {
    if (o.kind == operand_kind::scc) scc = true;
    if (o.kind == operand_kind::vccz) scalar[vcc_lo] = scalar[vcc_lo + 1] = ~0u;
    if (o.kind == operand_kind::execz) scalar[exec_lo] = scalar[exec_hi] = ~0u;
    for (unsigned d = 0; d < o.dwords; ++d) {
      if (o.kind == operand_kind::scalar) scalar[(o.index + d) % scalar_count] |= part.mask();
      if (o.kind == operand_kind::vgpr && o.index + d < vgprs) vector[o.index + d] |= part.mask();
    }
  }
};
places sources_of(const inst& i) {
  places p;
  for (const input_operand& in : operands_of(i).sources) p.add(in.from, in.part);
  return p;
}
places results_of(const inst& i) {
  places p;
  for (const output_operand& out : operands_of(i).results)
    p.add(out.to, out.rest == other_bits::kept ? out.part : register_part{});
  return p;
}

void disturb(machine& m, const places& keep, std::mt19937& random) {
  for (unsigned r = 0; r < scalar_count; ++r) m.s.scalar[r] ^= static_cast<uint32_t>(random()) & ~keep.scalar[r];
  for (unsigned r = 0; r < vgprs; ++r)
    for (uint32_t& lane : m.rows[r].lane) lane ^= static_cast<uint32_t>(random()) & ~keep.vector[r];
  if (!keep.scc) m.s.scc = !m.s.scc;
}

// What has been written anywhere but there, or is not the same there.
std::string compare(const machine& before, const machine& a, const machine& b, const machine& disturbed,
                    const places& to, uint64_t active, bool any_lane) {
  for (unsigned r = 0; r < scalar_count; ++r) {
    if (((a.s.scalar[r] ^ before.s.scalar[r]) & ~to.scalar[r]) != 0) return "changes s" + std::to_string(r);
    if (((a.s.scalar[r] ^ b.s.scalar[r]) & to.scalar[r]) != 0) return "another result in s" + std::to_string(r);
  }
  for (unsigned r = 0; r < vgprs; ++r)
    for (unsigned l = 0; l < wave_size; ++l) {
      const uint32_t was = before.rows[r].lane[l], x = a.rows[r].lane[l], y = b.rows[r].lane[l];
      if (((x ^ was) & ~to.vector[r]) != 0) return "changes v" + std::to_string(r);
      const bool stays = x == was && y == disturbed.rows[r].lane[l];  // not active, or DPP keeps it
      const bool on = any_lane || (active >> l & 1) != 0;
      if (!on && !stays) return "changes an inactive lane of v" + std::to_string(r);
      if (((x ^ y) & to.vector[r]) != 0 && !stays) return "another result in v" + std::to_string(r);
    }
  if (!to.scc && a.s.scc != before.s.scc) return "changes SCC";
  if (to.scc && a.s.scc != b.s.scc) return "another SCC";
  return {};
}

// Bits of MODE that do not matter to it are others in `disturbed`.
std::string compare_mode(const inst& i, const machine& before, const machine& a, const machine& b) {
  const uint32_t written = operands_of(i).mode_written;
  if (((a.s.mode ^ before.s.mode) & ~written) != 0) return "changes MODE";
  return ((a.s.mode ^ b.s.mode) & written) != 0 ? "another MODE" : "";
}

// True if it could be executed.
bool hold_against_execution(const inst& i, const machine& m, std::mt19937& random) {
  const index_by_m0 index = indexed_by_m0(i, m.s.mode, m.s.scalar[m0]);
  const inst named = in_place(i, index);
  machine a = m, disturbed = m;
  places matters = sources_of(named);
  matters.scalar[m0] |= index.looked_at;
  disturb(disturbed, matters, random);
  disturbed.s.mode ^= static_cast<uint32_t>(random()) & (mode_of_numbers | mode_indexing) & ~operands_of(i).mode_read;
  machine b = disturbed;
  const host_fp_scope floating_point;
  try {
    i.exec(a.s, i);
    i.exec(b.s, i);
  } catch (const program_error&) {
    return false;
  }
  const bool any_lane = (i.row->flags & ignores_exec) != 0;
  const std::string wrong = compare(m, a, b, disturbed, results_of(named), m.s.active(), any_lane);
  EXPECT_EQ(wrong + compare_mode(i, m, a, b), "") << disassemble(i) << ": " << text_of(named);
  return true;
}

vector_fields random_fields(const opcode_row& row, vector_encoding encoding, std::mt19937& random) {
  vector_fields f = plain_fields(row);
  f.dst = random() % 32;
  f.sdst = 2 * (random() % 20);
  for (unsigned k = 0; k < source_count(row); ++k) {
    const bool vector = (encoding == vector_encoding::e32 && k > 0) || encoding > vector_encoding::vop3;
    if (!wants_scalar(row, k)) f.src[k] = vector || random() % 3 != 0 ? 256 + random() % 32 : 2 * (random() % 20);
  }
  if ((row.flags & reads_vcc) != 0) f.src[source_count(row)] = 2 * (random() % 20);
  f.dst_sel = random() % 7;
  f.dst_unused = random() % 3;
  for (unsigned& sel : f.sel) sel = random() % 7;
  constexpr unsigned controls[] = {0x1b, 0x101, 0x113, 0x12f, 0x130, 0x138, 0x140, 0x141, 0x142, 0x143};
  f.dpp_ctrl = controls[random() % std::size(controls)];
  f.row_mask = random() % 16;
  f.bank_mask = random() % 16;
  f.bound_ctrl = random() % 2 == 0;
  return f;
}

// Rows whose execution depends on more than registers, or changes it.
bool is_of_registers(const opcode_row& row) {
  return row.exec != nullptr && row.unit == unit::salu && row.means.does != operation::get_hardware_register &&
         row.means.does != operation::set_hardware_register;
}

TEST(operands, nothing_else_matters_to_an_instruction) {
  std::mt19937 random(1999);
  std::set<std::string> unseen;
  for (const opcode_row* row : all_rows()) {
    const bool vector = row->exec != nullptr && row->native >= format::vop1 && row->native <= format::vopc;
    if (!vector && !(is_of_registers(*row) && row->native <= format::sopp)) continue;
    const std::vector<vector_encoding> encodings =
        vector ? encodings_of(*row) : std::vector<vector_encoding>{vector_encoding::e32};
    for (const vector_encoding encoding : encodings) {
      unsigned executed = 0;
      for (unsigned round = 0; round < 12; ++round) {
        machine m = random_machine(random);
        // Registers by M0 that are mostly there; VGPR indexing, which lane accesses, SDWA and DPP do not have.
        m.s.scalar[m0] = random() % 4 != 0 ? random() % 16 | (random() % 16) << 12 : static_cast<uint32_t>(random());
        if (!vector || row->means.does == operation::move_relative_source ||
            row->means.does == operation::move_relative_destination || row->means.does == operation::move_relative_both)
          m.s.scalar[m0] &= 0xf;
        else if (round % 4 == 0 && encoding < vector_encoding::sdwa)
          m.s.mode |= mode_indexing;
        uint32_t words[2] = {};
        if (vector)
          encode_vector(*row, encoding, random_fields(*row, encoding, random), words);
        else
          words[0] =
              scalar_word(*row, 2 * (random() % 40), 2 * (random() % 40), 2 * (random() % 40), random() & 0xffff);
        try {
          executed += hold_against_execution(decode(words, 2, 0), m, random) ? 1 : 0;
        } catch (const program_error&) {
          // No such operands.
        }
      }
      if (executed == 0) unseen.insert(std::string(row->mnemonic) + " " + std::to_string(static_cast<int>(encoding)));
    }
  }
  for (const std::string& row : unseen) ADD_FAILURE() << row << " was never executed";
}

TEST(operands, bits_of_mode) {
  const auto read = [](uint32_t low, uint32_t high = 0) { return operands_of(decoded(low, high)).mode_read; };
  const auto written = [](uint32_t low) { return operands_of(decoded(low)).mode_written; };
  const uint32_t modifiers = mode_dx10_clamp | mode_ieee;
  EXPECT_EQ(read(0x02060501), mode_of_f32 | modifiers | mode_indexing);          // v_add_f32
  EXPECT_EQ(read(0x3e060501), mode_of_f64_and_f16 | modifiers | mode_indexing);  // v_add_f16
  EXPECT_EQ(read(0x7e061501), mode_of_numbers | mode_indexing);                  // v_cvt_f16_f32
  EXPECT_EQ(read(0x26060501), mode_indexing);                                    // v_and_b32
  EXPECT_EQ(read(0x80040605), 0u);                                               // s_add_u32
  EXPECT_EQ(read(0xd82a0000, 0x00000201), mode_of_f32);                          // ds_add_f32
  EXPECT_EQ(read(0xb8840000 | hw_mode | 4u << 6 | 3u << 11), mode_denormals);    // s_getreg_b32
  EXPECT_EQ(written(0xb9040000 | hw_mode | 3u << 11), mode_rounding);            // s_setreg_b32
  EXPECT_EQ(written(0xb9040000 | hw_trapsts | 3u << 11), 0u);
  EXPECT_EQ(written(0xbf9c0000), mode_indexing);      // s_set_gpr_idx_off
  EXPECT_EQ(written(0xbe802e00), mode_branch_stack);  // s_cbranch_join
}

TEST(operands, by_m0) {
  const inst move = decoded(0x7e006f01);  // v_movrels_b32 v0, v1
  EXPECT_EQ(in_place(move, indexed_by_m0(move, 0, 3)).src[0].index, 4);
  EXPECT_EQ(in_place(move, indexed_by_m0(move, 0, ~0u)).src[0].index, no_register);
  const inst scalar = decoded(0xbe842a05);  // s_movrels_b32 s4, s5
  EXPECT_EQ(in_place(scalar, indexed_by_m0(scalar, 0, ~0u)).src[0].index, 4);
  EXPECT_EQ(in_place(scalar, indexed_by_m0(scalar, 0, static_cast<uint32_t>(-6))).src[0].index, no_register);
  const inst add = decoded(0x02060501);  // v_add_f32 v3, v1, v2
  EXPECT_EQ(indexed_by_m0(add, 0, 0xf005).operands, 0);
  const inst moved = in_place(add, indexed_by_m0(add, mode_indexing, 0xa005));  // src1 and dst
  EXPECT_EQ(text_of(moved), "value v1, value v7, lanes s126+2 -> value v8");
}

}  // namespace

}  // namespace pws::isa::test::operands_test
