// SPDX-License-Identifier: Apache-2.0
#include "tests/cosim/valu/valu_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "models/isa/code/decode.h"
#include "models/isa/host_fp.h"
#include "models/isa/opcode_row.h"
#include "models/isa/predicates.h"
#include "models/isa/vector/half.h"
#include "tests/cosim/valu/supported_rows.h"

namespace pws::cosim {

namespace {

constexpr unsigned n_rows = 256;
constexpr uint32_t gpr_index_enable = 1u << 27;

// Does models/isa refuse to execute what its decoder accepts? It says so where any lane is active.
bool executes(const isa::inst& i) {
  static std::vector<isa::vgpr_row> rows(n_rows);
  isa::wave_state s;
  s.n_vgprs = n_rows;
  s.vgpr = rows.data();
  s.set_scalar64(isa::exec_lo, ~uint64_t{0});
  try {
    const isa::host_fp_scope fp;
    i.exec(s, i);
  } catch (const program_error&) {
    return false;
  }
  return true;
}

std::string value_text(uint32_t v) {
  return fmt::format("{:08x} ({:.9g})", v, isa::bit_cast<float>(v));
}

}  // namespace

expectation expect(const uint32_t (&words)[2]) {
  expectation e;
  try {
    e.inst = isa::decode(words, 2, 0);
    e.legal = true;
  } catch (const program_error& error) {
    e.refusal = error.what();
    return e;
  }
  const isa::format f = e.inst.native;
  const bool vector =
      f == isa::format::vop1 || f == isa::format::vop2 || f == isa::format::vop3 || f == isa::format::vopc;
  e.supported = vector && must_support(*e.inst.row) && executes(e.inst);
  return e;
}

valu_check::valu_check(rtl_valu& rtl) : rtl_(rtl), model_rows_(n_rows), rtl_rows_(n_rows), old_rows_(n_rows) {
  model_.n_vgprs = n_rows;
  model_.vgpr = model_rows_.data();
}

// The instruction's registers, and the rows after them, which the RTL is shown.
void valu_check::copy_rows(std::vector<isa::vgpr_row>& to, const std::vector<isa::vgpr_row>& from, const isa::inst& i) {
  const auto copy = [&](const isa::operand& o) {
    if (o.kind != isa::operand_kind::vgpr) return;
    for (unsigned row = o.index; row < o.index + 2u && row < n_rows; ++row) to[row] = from[row];
  };
  copy(i.dst);
  for (const isa::operand& o : i.src) copy(o);
}

std::string valu_check::run(const uint32_t (&words)[2]) {
  const expectation e = expect(words);
  const bool supported = e.supported && (model_.mode & gpr_index_enable) == 0;
  isa::inst named = e.inst;  // with the registers that M0 names, which have to be there
  if (e.legal && e.inst.relative_index) {
    const bool of_source = isa::operation_of(e.inst) != isa::operation::move_relative_destination;
    const bool of_destination = isa::operation_of(e.inst) != isa::operation::move_relative_source;
    const unsigned highest = std::max(of_source ? e.inst.src[0].index : 0, of_destination ? e.inst.dst.index : 0);
    if (highest < n_rows) model_.scalar[isa::m0] %= n_rows - highest;
    const auto m0 = static_cast<uint16_t>(model_.scalar[isa::m0]);
    if (of_source) named.src[0].index = static_cast<uint16_t>(named.src[0].index + m0);
    if (of_destination) named.dst.index = static_cast<uint16_t>(named.dst.index + m0);
  }
  if (e.legal) {
    copy_rows(old_rows_, model_rows_, named);
    copy_rows(rtl_rows_, model_rows_, named);
  }
  const isa::wave_state before = model_;
  isa::wave_state on_rtl = model_;
  on_rtl.vgpr = rtl_rows_.data();
  const valu_outcome out = rtl_.run(words, on_rtl);
  if (out.unsupported == supported)
    return fmt::format("{:08x} {:08x} ({}): the RTL {} it, MODE {:08x}\n", words[0], words[1],
                       e.legal ? isa::disassemble(e.inst) : e.refusal, supported ? "does not do" : "does", model_.mode);
  if (!supported) return {};

  ++executed_;
  {
    const isa::host_fp_scope fp;
    e.inst.exec(model_, e.inst);
  }
  std::string text;
  if (std::memcmp(on_rtl.scalar, model_.scalar, sizeof model_.scalar) != 0)
    for (unsigned k = 0; k < isa::scalar_count; ++k)
      if (on_rtl.scalar[k] != model_.scalar[k])
        text += fmt::format("  s{}: was {:08x}, model {:08x}, RTL {:08x}\n", k, before.scalar[k], model_.scalar[k],
                            on_rtl.scalar[k]);
  text += differences(named, out, before);
  copy_rows(rtl_rows_, model_rows_, named);
  for (unsigned row : out.rows) rtl_rows_[row] = model_rows_[row];
  if (text.empty()) return text;
  return fmt::format("{} [{:08x} {:08x}], MODE {:08x}, EXEC {:016x}, SpM {:016x}, VCC {:016x}\n{}",
                     isa::disassemble(e.inst), words[0], words[1], before.mode, before.scalar64(isa::exec_lo),
                     before.split_mask, before.vcc(), text);
}

std::string valu_check::differences(const isa::inst& i, const valu_outcome& out, const isa::wave_state& before) {
  std::string text;
  const unsigned passes = isa::wave_size / rtl_.lanes();
  const isa::unit unit = i.row->unit;
  const unsigned of_a_pass = unit == isa::unit::valu_trans ? 4 : unit == isa::unit::valu_f64 ? 2 : 1;
  const unsigned cycles = of_a_pass * passes;
  if (out.cycles != cycles) text += fmt::format("  {} cycles, not {}\n", out.cycles, cycles);
  if (out.waited != rtl_.stages() - 1) text += fmt::format("  results {} cycles later\n", out.waited);
  if (out.cycles_of_a_pass != of_a_pass) text += fmt::format("  {} cycles a pass\n", out.cycles_of_a_pass);
  if (out.length != i.dwords) text += fmt::format("  length {}, not {}\n", out.length, i.dwords);

  const bool to_vgprs = i.dst.kind == isa::operand_kind::vgpr;
  for (unsigned row : out.rows)
    if (!to_vgprs || row < i.dst.index || row >= unsigned{i.dst.index} + i.dst.dwords)
      return text + fmt::format("  v{} is written\n", row);
  if (!to_vgprs) return text;
  for (unsigned row = i.dst.index; row < unsigned{i.dst.index} + i.dst.dwords; ++row) {
    if (std::memcmp(&rtl_rows_[row], &model_rows_[row], sizeof(isa::vgpr_row)) == 0) continue;
    for (unsigned l = 0; l < isa::wave_size; ++l)
      if (rtl_rows_[row].lane[l] != model_rows_[row].lane[l]) {
        text += lane_report(i, row, l);
        for (unsigned k = 0; k < i.n_src; ++k)
          if (i.src[k].kind == isa::operand_kind::scalar)
            text += fmt::format("    source {}: {}, {:08x}\n", k, value_text(before.scalar[i.src[k].index]),
                                before.scalar[i.src[k].index | 1]);
        break;
      }
  }
  return text;
}

// The first lane that differs, with everything that it read.
std::string valu_check::lane_report(const isa::inst& i, unsigned row, unsigned lane) const {
  std::string text = fmt::format("  v{} lane {}: model {}, RTL {}\n", row, lane,
                                 value_text(model_rows_[row].lane[lane]), value_text(rtl_rows_[row].lane[lane]));
  const auto old_value = [&](const isa::operand& o, const std::string& name) {
    if (o.kind != isa::operand_kind::vgpr) return;
    text += fmt::format("    {}: {}", name, value_text(old_rows_[o.index].lane[lane]));
    if (o.dwords == 2) text += fmt::format(", high {:08x}", old_rows_[o.index + 1u].lane[lane]);
    text += '\n';
  };
  for (unsigned k = 0; k < i.n_src; ++k) {
    old_value(i.src[k], fmt::format("source {}", k));
    if (i.src[k].kind == isa::operand_kind::constant)
      text += fmt::format("    source {}: constant {:x}\n", k, i.src[k].value);
  }
  old_value(i.dst, "old destination");
  return text;
}

}  // namespace pws::cosim
