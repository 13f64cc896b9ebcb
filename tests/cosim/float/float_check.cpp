// SPDX-License-Identifier: Apache-2.0
#include "tests/cosim/float/float_check.h"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>

#include "models/isa/code/decode.h"
#include "models/isa/code/opcode_table.h"
#include "models/isa/host_fp.h"
#include "models/isa/inst.h"
#include "models/isa/opcode_row.h"
#include "tests/cosim/float/number_format.h"

namespace pws::rtl_test {

namespace {

const isa::opcode_row& row_of(const float_case& c) {
  for (const isa::opcode_row& row : isa::vector_rows())
    if (std::strcmp(row.mnemonic, c.mnemonic) == 0) return row;
  fmt::print(stderr, "no vector row {}\n", c.mnemonic);
  std::abort();
}
bool is_compare(const isa::opcode_row& row) {
  return row.native == isa::format::vopc;
}
bool accumulates(const isa::opcode_row& row) {
  return (row.flags & isa::reads_dst) != 0;
}

// Registers of the reference's wavefront: pairs from v2, v4 and v6 as sources, v[8:9] the destination, masks in SGPR
// pairs.
enum : unsigned { first_source = 2, destination = 8, n_registers = 10, mask_in = 10, mask_out = 20 };

// The VOP3 form, less the output modifiers: the decoder refuses them for v_cndmask, which has a clamp in its SDWA form.
std::array<uint32_t, 2> encode(const isa::opcode_row& row, const float_batch& b) {
  const uint32_t base = row.native == isa::format::vop1 ? 0x140 : row.native == isa::format::vop2 ? 0x100 : 0;
  const bool second_destination = (row.flags & isa::writes_vcc) != 0;
  const uint32_t dst = is_compare(row) ? mask_out : destination;
  const uint32_t middle = second_destination ? mask_out : b.abs;
  const uint32_t low = 0xd0000000u | (base + row.opcode) << 16 | middle << 8 | dst;
  uint32_t high = b.neg << 29;
  for (unsigned k = 0; k < 3; ++k) {
    const bool mask = (row.flags & isa::reads_vcc) != 0 && k == 2;
    if (mask)
      high |= mask_in << 18;
    else if (row.src[k] != isa::type::none)
      high |= (256 + first_source + 2 * k) << (9 * k);
  }
  return {low, high};
}

uint64_t modified(uint64_t value, isa::type t, bool absolute, bool negate) {
  if (!isa::is_float(t)) return value;
  const uint64_t sign = t == isa::type::f16 ? 0x8000 : t == isa::type::f32 ? 0x80000000u : uint64_t{1} << 63;
  if (absolute) value &= ~sign;
  return negate ? value ^ sign : value;
}

std::string number_text(uint64_t bits, precision p) {
  return fmt::format("{:x} ({:.17g})", bits, format_of(p).value(bits));
}

void set_pair(isa::vgpr_row* rows, unsigned first, unsigned lane, uint64_t value) {
  rows[first].lane[lane] = static_cast<uint32_t>(value);
  rows[first + 1].lane[lane] = static_cast<uint32_t>(value >> 32);
}

}  // namespace

float_batch random_batch(random_bits& random, const float_case& c) {
  const isa::opcode_row& row = row_of(c);
  float_batch b;
  b.what = &c;
  b.mode = static_cast<uint32_t>(random.next()) & 0x3ff;
  if (random.one_in(2)) b.mode |= 0xf0;  // both kinds of denormals kept, for the corner cases they have
  unsigned with_sign = 0;                // sources that have sign modifiers
  for (unsigned k = 0; k < 3; ++k) with_sign |= isa::is_float(row.src[k]) ? 1u << k : 0;
  if (random.one_in(2)) {
    b.neg = random.below(8) & with_sign;
    b.abs = (row.flags & isa::writes_vcc) != 0 ? 0 : random.below(8) & with_sign;
  }
  if (random.one_in(2) && isa::is_float(row.dst)) b.omod = random.below(4);
  b.clamp = random.one_in(4) && isa::is_float(row.dst);  // of integers it is saturation, which these have not
  b.flags = random.next();
  for (operand_triple& t : b.operands) t = random_operands(random, c.unit, c.sources, c.related);
  return b;
}

float_results run_reference(const float_batch& b) {
  const isa::opcode_row& row = row_of(*b.what);
  isa::vgpr_row registers[n_registers] = {};
  isa::wave_state s;
  s.vgpr = registers;
  s.n_vgprs = n_registers;
  s.mode = b.mode;
  s.set_scalar64(isa::exec_lo, ~uint64_t{0});
  s.set_scalar64(isa::vcc_lo, b.flags);
  s.set_scalar64(mask_in, b.flags);
  for (unsigned l = 0; l < isa::wave_size; ++l) {
    for (unsigned k = 0; k < 3; ++k) set_pair(registers, first_source + 2 * k, l, b.operands[l].value[k]);
    set_pair(registers, destination, l, b.operands[l].value[2]);  // v_mac's third source
  }
  const auto words = encode(row, b);
  isa::inst i = isa::decode(words.data(), 2, 0);
  i.omod = static_cast<uint8_t>(b.omod);
  i.clamp = b.clamp;
  {
    const isa::host_fp_scope scope;
    i.exec(s, i);
  }
  float_results r;
  if (!is_compare(row))
    for (unsigned l = 0; l < isa::wave_size; ++l) {
      r.value[l] = registers[destination].lane[l];
      if (isa::dwords_of(row.dst) == 2) r.value[l] |= uint64_t{registers[destination + 1].lane[l]} << 32;
    }
  if (is_compare(row) || (row.flags & isa::writes_vcc) != 0) r.flags = s.scalar64(mask_out);
  return r;
}

float_results run_unit(float_units& units, const float_batch& b) {
  const isa::opcode_row& row = row_of(*b.what);
  float_results r;
  float_inputs in;
  in.unit = b.what->unit;
  in.op = b.what->op;
  in.relation = b.what->relation;
  in.mode = b.mode;
  in.omod = b.omod;
  in.clamp = b.clamp;
  for (unsigned l = 0; l < isa::wave_size; ++l) {
    uint64_t source[3];
    for (unsigned k = 0; k < 3; ++k) {
      const bool plain = accumulates(row) && k == 2;  // v_mac's destination has no modifiers
      source[k] = plain ? b.operands[l].value[k]
                        : modified(b.operands[l].value[k], row.src[k], (b.abs >> k & 1) != 0, (b.neg >> k & 1) != 0);
    }
    in.a = source[0];
    in.b = source[1];
    in.c = source[2];
    in.flag = (b.flags >> l & 1) != 0;
    const float_outputs out = units.evaluate(in);
    r.value[l] = out.result;
    r.flags |= uint64_t{out.flag} << l;
  }
  return r;
}

std::vector<std::string> differences(const float_batch& b, const float_results& unit, const float_results& reference) {
  std::vector<std::string> lines;
  for (unsigned l = 0; l < isa::wave_size; ++l) {
    const bool unit_flag = (unit.flags >> l & 1) != 0, reference_flag = (reference.flags >> l & 1) != 0;
    if (unit.value[l] == reference.value[l] && unit_flag == reference_flag) continue;
    std::string operands;
    for (const uint64_t v : b.operands[l].value) operands += " " + number_text(v, b.what->unit);
    lines.push_back(fmt::format(
        "{} mode {:03x} (round {}, denormals {}, half round {}, half denormals {}, dx10 {}, ieee {}) neg {} abs {} "
        "omod "
        "{} clamp {} flag {} operands{}: unit {} flag {}, reference {} flag {}",
        b.what->mnemonic, b.mode, b.mode & 3, b.mode >> 4 & 3, b.mode >> 2 & 3, b.mode >> 6 & 3, b.mode >> 8 & 1,
        b.mode >> 9 & 1, b.neg, b.abs, b.omod, b.clamp ? 1 : 0, b.flags >> l & 1, operands,
        number_text(unit.value[l], b.what->unit), unit_flag ? 1 : 0, number_text(reference.value[l], b.what->unit),
        reference_flag ? 1 : 0));
  }
  return lines;
}

}  // namespace pws::rtl_test
