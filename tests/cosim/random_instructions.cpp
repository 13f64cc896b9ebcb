// SPDX-License-Identifier: Apache-2.0
#include "tests/cosim/random_instructions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "models/isa/code/alu_words.h"
#include "models/isa/code/decode.h"
#include "models/isa/code/opcode_table.h"
#include "models/isa/code/source_field.h"
#include "models/isa/opcode_row.h"
#include "tests/cosim/valu/stimulus.h"
#include "tests/cosim/valu/supported_rows.h"

namespace pws::test {

namespace {

// Registers of the programs that nothing depends on but values: v4 to v7 are the results, v28 to v31 and s90 to s99
// free.
constexpr unsigned low_free_vgprs[] = {4, 5, 6, 7, 28, 29, 30, 31};
// Vector registers of programs that have all of them: from each quarter of the numbers; random operands name some of
// them.
constexpr unsigned high_free_vgprs[] = {32, 33, 62, 63, 64, 65, 100, 127, 128, 129, 200, 252, 253, 254, 255};
constexpr unsigned first_free_sgpr = 90, last_free_sgpr = 97;  // s[98:99] keeps EXEC
constexpr unsigned most_vgprs = 256, n_sgprs = 100;

bool writes(const isa::inst& i, unsigned first, unsigned last) {
  for (unsigned k = 0; k < i.n_writes; ++k)
    if (!i.writes[k].is_vgpr && i.writes[k].first <= last && i.writes[k].first + i.writes[k].count > first) return true;
  return false;
}

// From all rows, or by group: more than half of the rows are compares.
const isa::opcode_row& random_vector_row(cosim::random_source& random) {
  static const std::vector<const isa::opcode_row*> rows = [] {
    std::vector<const isa::opcode_row*> all;
    for (const isa::opcode_row& r : isa::vector_rows())
      if (cosim::must_support(r)) all.push_back(&r);
    return all;
  }();
  if (random.chance(50)) return *rows[random.below(static_cast<uint32_t>(rows.size()))];
  const std::vector<cosim::row_group>& groups = cosim::supported_groups();
  const cosim::row_group& g = groups[random.below(static_cast<uint32_t>(groups.size()))];
  return cosim::vector_row_named(g.mnemonics[random.below(static_cast<uint32_t>(g.mnemonics.size()))]);
}

// A vector instruction reads one scalar register or pair, however often: the constant bus has one.
bool one_scalar_pair(const isa::inst& i) {
  std::optional<unsigned> pair;
  const bool names_mask = i.variant == isa::encoding_variant::vop3 && (i.row->flags & isa::reads_vcc) != 0;
  for (unsigned k = 0; k < isa::source_count(*i.row) + (names_mask ? 1 : 0); ++k) {
    const isa::operand& o = i.src[k];
    if (o.kind != isa::operand_kind::scalar) continue;
    if (pair && *pair != o.index / 2u) return false;
    pair = o.index / 2u;
  }
  return true;
}

// The model has it with these modifiers: what it lacks it refuses when it executes.
bool has_semantics(const isa::inst& i) {
  static std::vector<isa::vgpr_row> rows(most_vgprs);
  isa::wave_state s{};
  s.vgpr = rows.data();
  s.n_vgprs = most_vgprs;
  s.n_sgprs = n_sgprs;
  s.split_mask = 1;
  s.scalar[isa::exec_lo] = 1;
  try {
    i.exec(s, i);
    return true;
  } catch (const program_error&) {
    return false;
  }
}

}  // namespace

void random_instructions::use_vgprs(unsigned n) {
  if (n == n_vgprs_) return;
  n_vgprs_ = n;
  free_vgprs_.assign(std::begin(low_free_vgprs), std::end(low_free_vgprs));
  if (n > 32) free_vgprs_.insert(free_vgprs_.end(), std::begin(high_free_vgprs), std::end(high_free_vgprs));
}

bool random_instructions::is_free(const isa::inst::run& r) const {
  if (r.is_vgpr) {
    for (unsigned v = r.first; v < unsigned{r.first} + r.count; ++v)
      if (std::find(free_vgprs_.begin(), free_vgprs_.end(), v) == free_vgprs_.end()) return false;
    return true;
  }
  if (r.first >= isa::vcc_lo && r.first + r.count <= isa::vcc_lo + 2u) return true;
  if (r.first == isa::m0 || r.first == isa::exec_lo || r.first == isa::exec_hi) return true;
  return r.first >= first_free_sgpr && r.first + r.count <= last_free_sgpr + 1;
}
bool random_instructions::is_there(const isa::inst::run& r) const {
  return r.is_vgpr ? r.first + r.count <= n_vgprs_ : r.first >= isa::vcc_lo || r.first + r.count <= n_sgprs;
}

const random_instructions::card& random_instructions::deck::top(cosim::random_source& random) {
  constexpr unsigned most_tries = 40;
  if (++tries > most_tries) take();
  if (at % cards.size() == 0 && tries <= 1)
    for (size_t k = cards.size(); k > 1; --k) std::swap(cards[k - 1], cards[random.below(static_cast<uint32_t>(k))]);
  return cards[at % cards.size()];
}

random_instructions::deck random_instructions::all_vectors() {
  deck d;
  for (const isa::opcode_row& r : isa::vector_rows()) {
    if (!cosim::must_support(r)) continue;
    for (const cosim::encoding_kind kind : cosim::encodings_of(r)) {
      d.cards.push_back({&r, kind, false});
      if (kind == cosim::encoding_kind::e32) d.cards.push_back({&r, kind, true});
    }
  }
  return d;
}

// Straight-line rows, each without and with a literal; jumps and what M0 indexes have their own texts.
random_instructions::deck random_instructions::all_scalars() {
  deck d;
  for (const isa::opcode_row& r : isa::scalar_rows())
    if (r.exec != nullptr && r.unit == isa::unit::salu && r.native != isa::format::sopp &&
        std::strstr(r.mnemonic, "gpr_idx") == nullptr && std::strstr(r.mnemonic, "movrel") == nullptr) {
      d.cards.push_back({&r, cosim::encoding_kind::e32, false});
      if (r.native != isa::format::sopk) d.cards.push_back({&r, cosim::encoding_kind::e32, true});
    }
  return d;
}

// An instruction of `wanted`, or of a random row. More than half of the rows are compares; random rows have fewer of
// them.
void random_instructions::vector(const card* wanted, uint32_t (&words)[2]) {
  const isa::opcode_row& row = wanted != nullptr ? *wanted->row : random_vector_row(random_);
  const std::vector<cosim::encoding_kind> kinds = cosim::encodings_of(row);
  const cosim::encoding_kind kind =
      wanted != nullptr ? wanted->kind : kinds[random_.below(static_cast<uint32_t>(kinds.size()))];
  cosim::random_words(row, kind, random_, words);
  // Few rows have 64-bit sources, where a literal is extended.
  if (wanted != nullptr ? wanted->literal
                        : kind == cosim::encoding_kind::e32 && isa::dwords_of(row.src[0]) == 2 && random_.chance(50))
    words[0] = (words[0] & ~0x1ffu) | isa::field::literal;
  // Destinations that may be written.
  const unsigned scalar = random_.chance(20) ? isa::vcc_lo : first_free_sgpr + 2 * random_.below(4);
  const bool scalar_result = row.native == isa::format::vopc || (row.flags & isa::scalar_dst) != 0;
  const unsigned dst = scalar_result ? scalar : free_vgpr();
  if (kind == cosim::encoding_kind::vop3) {
    words[0] = (words[0] & ~0xffu) | dst;
    if ((row.flags & isa::writes_vcc) != 0) words[0] = (words[0] & ~0x7f00u) | scalar << 8;
    // Random operands name few registers; others, where there are more.
    constexpr uint32_t is_vector = 0x100;
    for (unsigned at = 0; at < 27 && n_vgprs_ > 32; at += 9)
      if ((words[1] >> at & is_vector) != 0 && random_.chance(20))
        words[1] = (words[1] & ~(0x1ffu << at)) | (is_vector | free_vgpr()) << at;
  } else if (row.native != isa::format::vopc) {
    words[0] = (words[0] & ~(0xffu << 17)) | dst << 17;
    // DPP in place: what an earlier pass has written is not what a later one is to be given.
    if (kind == cosim::encoding_kind::dpp && random_.chance(30)) words[1] = (words[1] & ~0xffu) | dst;
  }
}

bool random_instructions::scalar(const card& wanted, uint32_t (&words)[2]) {
  const isa::opcode_row& row = *wanted.row;
  const auto source = [&]() -> uint32_t {
    constexpr uint32_t special[] = {106, 107, 124, 126, 127, 251, 252, 253, 255};
    switch (random_.below(7)) {
      case 6:
        return isa::field::literal;
      case 0:
        return random_.one_of(special);
      case 1:
        return 128 + random_.below(81);
      case 2:
        return 240 + random_.below(9);
      default:
        return first_free_sgpr + random_.below(8);
    }
  };
  constexpr uint32_t places[] = {90, 91, 92, 94, 96, 106, 124, 126};
  const uint32_t dst = random_.one_of(places), src1 = source(),
                 src0 = wanted.literal ? uint32_t{isa::field::literal} : source();
  uint32_t simm = random_.word() & 0xffff;
  if (std::strstr(row.mnemonic, "reg") != nullptr) {
    // MODE's ten bits of floating point, or any bits of six registers read. The model reads STATUS for the unit.
    const bool sets = std::strstr(row.mnemonic, "setreg") != nullptr;
    const uint32_t bits = sets ? 10 : 32, offset = random_.below(bits), size = 1 + random_.below(bits - offset);
    simm = (sets ? 1 : 1 + random_.below(6)) | offset << 6 | (size - 1) << 11;
  }
  words[0] = isa::scalar_word(row, dst, src0, src1, simm);
  words[1] = cosim::random_operand(random_);
  return true;
}

// VGPR indexing: the model executes for the unit. M0 moves v4, v28 and more, or in programs with all vector registers
// others, by up to three. M0 stays as it is at times, for splits to come: it is beyond every size of LDS.
std::string random_instructions::indexing_mode() {
  constexpr const char* operations[] = {"v_mov_b32 v{0}, v{1}", "v_add_u32 v{0}, vcc, v{1}, v{0}",
                                        "v_mad_u32_u24 v{0}, v{1}, v{1}, v{0}", "v_xor_b32 v{1}, v{0}, v{1}"};
  const unsigned first = n_vgprs_ > 32 && random_.chance(50) ? 252 : 28;
  std::string text = fmt::format("  s_mov_b32 s{0}, {1}\n  s_set_gpr_idx_on s{0}, {2}\n", first_free_sgpr,
                                 random_.below(4), random_.below(16));
  for (unsigned n = 1 + random_.below(3); n != 0; --n)
    text += "  " + fmt::format(fmt::runtime(random_.one_of(operations)), 4, first) + "\n";
  if (random_.chance(30)) text += fmt::format("  s_set_gpr_idx_mode {}\n", random_.below(16));
  return text + "  s_set_gpr_idx_off\n" + (random_.chance(50) ? "  s_mov_b32 m0, -1\n" : "");
}

// Two scalar registers in a vector instruction, which the unit leaves to the model: v_mad_u32_u24, in VOP3.
std::string random_instructions::two_scalars() {
  const unsigned vector = 256 + free_vgpr(), first = first_free_sgpr + random_.below(8);
  const unsigned other = first_free_sgpr + (first - first_free_sgpr + 2 + random_.below(5)) % 8;
  unsigned src[3] = {first, vector, other};
  if (random_.chance(30)) std::swap(src[1], src[2]);
  if (random_.chance(30)) std::swap(src[0], src[1]);
  return fmt::format("  .long {:#x}, {:#x}\n", 0xd1c30000u | free_vgpr(), src[0] | src[1] << 9 | src[2] << 18);
}

// DPP that reaches another row of 16, in place at times, at full and at quarter rate.
std::string random_instructions::between_rows() {
  constexpr const char* controls[] = {"wave_shl:1", "wave_rol:1",   "wave_shr:1",
                                      "wave_ror:1", "row_bcast:15", "row_bcast:31"};
  const char* const control = random_.one_of(controls);
  const unsigned to = free_vgpr(), from = random_.chance(50) ? to : free_vgpr();
  return fmt::format("  {}_dpp v{}, v{} {} row_mask:0xf bank_mask:0xf{}\n",
                     random_.chance(60) ? "v_mov_b32" : "v_rcp_f32", to, from, control,
                     random_.chance(30) ? " bound_ctrl:0" : "");
}

// Bits of a hardware register. The model reads STATUS for the unit.
std::string random_instructions::hardware_register() {
  constexpr const char* names[] = {"MODE", "STATUS", "TRAPSTS", "HW_ID", "GPR_ALLOC", "LDS_ALLOC"};
  const unsigned offset = random_.below(32), size = 1 + random_.below(32 - offset);
  return fmt::format("  s_getreg_b32 s{}, hwreg(HW_REG_{}, {}, {})\n", first_free_sgpr + random_.below(8),
                     random_.one_of(names), offset, size);
}

// Splits in which all active work-items are on one side, inside one another, around an instruction.
std::string random_instructions::one_sided_splits() {
  const unsigned n = 1 + random_.below(random_.chance(20) ? 16 : 6);
  std::string text;
  for (unsigned k = 0; k < n; ++k) text += "  .long 0xbf147f7e\n";  // split exec_lo, exec_hi
  text += fmt::format("  v_mov_b32 v{}, {:#x}\n", free_vgpr(), cosim::random_operand(random_));
  for (unsigned k = 0; k < n; ++k) text += "  .long 0xbf150000\n";  // merge
  return text;
}

// s_movrel*, v_movrel*: M0 says which register; VGPR indexing is switched on and off. What s_set_gpr_idx_* leave in M0
// stays there at times, for splits to come: it is beyond every size of LDS.
std::string random_instructions::indexed() {
  const auto literal = [&] { return fmt::format("{:#x}", random_.word() | 0x10000); };
  const unsigned source = first_free_sgpr + 2 * random_.below(2);
  if (random_.chance(33)) {
    const bool registers = random_.chance(50);
    return fmt::format("  s_set_gpr_idx_on {}, {}\n{}{}  s_set_gpr_idx_off\n{}",
                       registers ? fmt::format("s{}", source) : literal(), random_.below(16),
                       random_.chance(60) ? fmt::format("  s_set_gpr_idx_idx {}\n",
                                                        registers ? fmt::format("s{}", source + 1) : literal())
                                          : "",
                       random_.chance(50) ? fmt::format("  s_set_gpr_idx_mode {}\n", random_.below(16)) : "",
                       random_.chance(50) ? "  s_mov_b32 m0, -1\n" : "");
  }
  if (random_.chance(50)) {  // v4 to v7 and v28 to v31 are free
    constexpr const char* moves[] = {"v_movrels_b32", "v_movreld_b32", "v_movrelsd_b32"};
    const unsigned which = random_.below(3), index = random_.below(4);
    ++given_[moves[which]];
    const unsigned to = which == 0 ? 4 + random_.below(4) : 4, from = which == 1 ? 28 + random_.below(4) : 28;
    // Assemblers count M0 as a scalar operand, beside which there is no literal.
    const std::string move =
        which == 1 && random_.chance(30)
            ? fmt::format(".long {:#x}, {}", 0x7e000000u | to << 17 | 0x36u << 9 | isa::field::literal, literal())
            : fmt::format("{}{} v{}, v{}", moves[which], random_.chance(60) ? "_e32" : "_e64", to, from);
    return fmt::format("  s_mov_b32 m0, {}\n  {}\n  s_mov_b32 m0, -1\n", index, move);
  }
  const bool wide = random_.chance(50), of_source = random_.chance(50);
  const auto named = [&](unsigned r) { return wide ? fmt::format("s[{}:{}]", r, r + 1) : fmt::format("s{}", r); };
  return fmt::format("  s_mov_b32 m0, {}\n  s_movrel{}_b{} {}, {}\n  s_mov_b32 m0, -1\n",
                     (wide ? 2 : 1) * random_.below(2), of_source ? "s" : "d", wide ? 64 : 32, named(94),
                     of_source || random_.chance(50) ? named(source) : literal());
}

// To the next instruction, whether taken or not; with s_setpc and s_swappc over one.
std::string random_instructions::jump() {
  constexpr const char* branches[] = {"scc0",   "scc1",    "vccz",     "vccnz",           "execz",
                                      "execnz", "cdbgsys", "cdbguser", "cdbgsys_or_user", "cdbgsys_and_user"};
  if (random_.chance(60)) return fmt::format("  s_cbranch_{} 0\n", random_.one_of(branches));
  // s_getpc gives the address of what is behind it: s_add, s_addc, the jump and s_nop are 4 bytes each.
  return fmt::format("  s_getpc_b64 s[96:97]\n  s_add_u32 s96, s96, 16\n  s_addc_u32 s97, s97, 0\n  {}\n  s_nop 0\n",
                     random_.chance(50) ? "s_setpc_b64 s[96:97]" : "s_swappc_b64 s[94:95], s[96:97]");
}

// At times none of the SWF's lanes, or its first, its last, or one that may be another's.
std::string random_instructions::in_few_lanes(std::string text, bool writes_exec) {
  const unsigned how = random_.below(40);
  std::string lanes;
  if (how < 3)
    lanes = "  s_mov_b64 exec, 0\n";
  else if (how < 5)
    lanes = "  s_ff1_i32_b64 s97, exec\n  s_lshl_b64 exec, 1, s97\n";
  else if (how < 7)
    lanes = "  s_flbit_i32_b64 s97, exec\n  s_sub_u32 s97, 63, s97\n  s_lshl_b64 exec, 1, s97\n";
  else if (how < 8)
    lanes = fmt::format("  s_lshl_b64 exec, 1, {}\n", random_.below(64));
  if (lanes.empty() && !writes_exec) return text;
  return "  s_mov_b64 s[98:99], exec\n" + lanes + text + "  s_mov_b64 exec, s[98:99]\n";
}

std::string random_instructions::next() {
  // Operands that make trouble, which results of random instructions seldom are, and modes of floating point.
  if (random_.chance(15)) {
    ++given_["v_mov_b32"];
    return fmt::format("  v_mov_b32 v{}, {:#x}\n", free_vgpr(), cosim::random_operand(random_));
  }
  if (random_.chance(3)) {
    ++given_["s_setreg_imm32_b32"];
    return fmt::format("  s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 10), {:#x}\n", random_.below(1024));
  }
  // A fused product that is exact, and an addend that only sticks: it counts in two modes of rounding.
  if (random_.chance(3)) {
    ++given_["v_fma_f32"];
    const auto few_bits = [&](unsigned exponent) {
      return random_.below(2) << 31 | exponent << 23 | random_.below(8) << 20;
    };
    return fmt::format(
        "  s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), {}\n  v_mov_b32 v28, {:#x}\n  v_mov_b32 v29, {:#x}\n"
        "  v_mov_b32 v30, {:#x}\n  v_fma_f32 v31, v28, v29, v30\n",
        random_.below(4), few_bits(120 + random_.below(16)), few_bits(120 + random_.below(16)),
        few_bits(40 + random_.below(60)));
  }
  if (random_.chance(2)) return indexed();
  if (random_.chance(2)) return jump();
  if (random_.below(400) == 0) return indexing_mode();
  if (random_.below(400) == 0) return two_scalars();
  if (random_.below(400) == 0) return one_sided_splits();
  if (random_.below(150) == 0) return between_rows();
  if (random_.below(400) == 0) return hardware_register();
  for (;;) {
    uint32_t words[2];
    deck* from = nullptr;
    const bool is_vector = random_.chance(70);
    if (is_vector) {
      if (random_.chance(80)) from = &vectors_;
      vector(from == nullptr ? nullptr : &from->top(random_), words);
    } else {
      from = &scalars_;
      if (!scalar(from->top(random_), words)) continue;
    }
    isa::inst i;
    try {
      i = isa::decode(words, 2, 0x1000);
    } catch (const program_error&) {
      continue;  // a field or modifier that must not be
    }
    bool usable = !i.relative_index && i.vgpr_end <= n_vgprs_;
    for (unsigned k = 0; k < i.n_writes; ++k) usable = usable && is_free(i.writes[k]);
    for (unsigned k = 0; k < i.n_reads; ++k) usable = usable && is_there(i.reads[k]);
    if (!usable || (is_vector && !one_scalar_pair(i)) || !has_semantics(i)) continue;
    if (from != nullptr) from->take();
    ++given_[i.row->mnemonic];
    std::string text = fmt::format("  .long {:#x}", words[0]);
    if (i.dwords == 2) text += fmt::format(", {:#x}", words[1]);
    text += "  // " + isa::disassemble(i) + "\n";
    const bool writes_exec = i.writes_exec || writes(i, isa::exec_lo, isa::exec_hi);
    if (is_vector)
      text = in_few_lanes(std::move(text), writes_exec);
    else if (writes_exec)
      text = "  s_mov_b64 s[98:99], exec\n" + text + "  s_mov_b64 exec, s[98:99]\n";
    if (writes(i, isa::m0, isa::m0)) text += "  s_mov_b32 m0, -1\n";
    return text;
  }
}

}  // namespace pws::test
