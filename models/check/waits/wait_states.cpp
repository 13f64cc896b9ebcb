// SPDX-License-Identifier: Apache-2.0
#include "models/check/waits/wait_states.h"

#include "models/isa/wave_state.h"

namespace pws::check {

// Sources: the table of the ISA document. Two rows have more wait states in LLVM's hazard recogniser for this
// generation than in some editions of the document (s_setreg twice); the larger number is taken.
const std::array<wait_state_rule, 11> wait_state_rules = {{
    {"setreg_getreg", sets_hardware_register, gets_hardware_register, 2,
     "a hardware register is read too soon after s_setreg wrote it"},
    {"setreg_setreg", sets_hardware_register, sets_hardware_register, 2,
     "a hardware register is written too soon after s_setreg wrote it"},
    {"valu_vcc_vccz", valu_writes_scalar, uses_zero_flag, 5,
     "VCCZ is a source too soon after a vector instruction wrote VCC"},
    {"valu_exec_execz", valu_writes_exec, uses_zero_flag, 5,
     "EXECZ is a source too soon after a vector instruction wrote EXEC"},
    {"valu_sgpr_lane_select", valu_writes_scalar, selects_lane, 4,
     "% selects a lane too soon after a vector instruction wrote it"},
    {"valu_vcc_div_fmas", valu_writes_scalar, uses_vcc_of_division, 4,
     "v_div_fmas uses VCC too soon after a vector instruction wrote it"},
    {"valu_sgpr_vmem", valu_writes_scalar, reads_scalar_for_vmem, 5,
     "% is read by vector memory too soon after a vector instruction wrote it"},
    {"salu_m0_message", salu_writes_m0, needs_m0_for_message, 1, "M0 is used too soon after it was written"},
    {"valu_vgpr_dpp", valu_writes_vgpr, is_dpp, 2,
     "% is read across lanes (DPP) too soon after a vector instruction wrote it"},
    {"valu_exec_dpp", valu_writes_exec, is_dpp, 5,
     "lanes exchange values (DPP) too soon after a vector instruction wrote EXEC"},
    {"wide_store_data", stores_wide_data, valu_writes_vgpr, 1, "% is overwritten before the store has read it"},
}};

namespace {

// The first register of a set that the instruction's own runs name.
meeting first_common(const register_set& written, const isa::inst::run* runs, unsigned n, bool vgprs) {
  for (unsigned k = 0; k < n; ++k) {
    if (runs[k].is_vgpr != vgprs || (!vgprs && runs[k].first >= isa::m0)) continue;
    const unsigned base = vgprs ? 0 : register_set::vgprs;
    for (unsigned r = runs[k].first; r < unsigned{runs[k].first} + runs[k].count; ++r) {
      const unsigned bit = base + r;
      if (bit / 64 < written.words.size() && (written.words[bit / 64] >> bit % 64 & 1) != 0) {
        isa::inst::run in;
        in.first = static_cast<uint16_t>(r);
        in.count = 1;
        in.is_vgpr = vgprs;
        return {true, in};
      }
    }
  }
  return {};
}

bool writes_vcc(const instruction_facts& f) {
  isa::inst::run vcc;
  vcc.first = isa::vcc_lo;
  vcc.count = 2;
  return first_common(f.writes, &vcc, 1, false).pair;
}

bool has_source(const instruction_facts& f, isa::operand_kind kind) {
  for (unsigned k = 0; k < f.of->n_src; ++k)
    if (f.of->src[k].kind == kind) return true;
  return false;
}

}  // namespace

uint32_t followers_of(const instruction_facts& first) {
  uint32_t roles = 0;
  for (const wait_state_rule& r : wait_state_rules)
    if ((first.roles & r.first) != 0) roles |= r.second;
  return roles;
}

meeting meet(const wait_state_rule& r, const instruction_facts& first, const instruction_facts& second) {
  switch (r.second) {
    case gets_hardware_register:
    case sets_hardware_register:
      return {first.hardware_register == second.hardware_register};
    case uses_zero_flag:
      if (r.first == valu_writes_exec) return {has_source(second, isa::operand_kind::execz)};
      return {writes_vcc(first) && has_source(second, isa::operand_kind::vccz)};
    case selects_lane:
      return first_common(first.writes, &second.lane_select, 1, false);
    case uses_vcc_of_division:
      return {writes_vcc(first)};
    case reads_scalar_for_vmem:
      return first_common(first.writes, second.of->reads, second.of->n_reads, false);
    case is_dpp:
      if (r.first == valu_writes_exec) return {true};
      return first_common(first.writes, second.of->reads, second.of->n_reads, true);
    case valu_writes_vgpr:
      return first_common(second.writes, &first.store_data, 1, true);
    default:
      return {true};
  }
}

}  // namespace pws::check
