// SPDX-License-Identifier: Apache-2.0
// Assembly text of operands and of the immediates that have a syntax of their own. Internal to the disassembler.
#pragma once

#include <cstdint>
#include <string>

#include "models/isa/inst.h"
#include "models/isa/opcode_row.h"

namespace pws::isa {

// A run of scalar registers by field value: s0, s[0:1], vcc, exec_lo, ttmp[4:7], m0.
std::string scalar_text(unsigned encoded, unsigned dwords);
std::string vgpr_text(unsigned row, unsigned dwords);

// A 32-bit literal as an operand of type `t`: a number that has an inline encoding is written like that one.
std::string literal_text(uint32_t literal, type t);
// A register, constant or special source; without modifiers. Literals are taken from the instruction's second dword.
std::string operand_text(const inst& i, const operand& o, type t);

// SOPP and SOPK immediates.
std::string waitcnt_text(const inst& i);
std::string sendmsg_text(uint32_t message);
std::string hwreg_text(uint32_t where);
std::string gpr_idx_text(uint32_t mode);
// Decimal up to 64, else hexadecimal.
std::string small_text(uint32_t v);

// DS: the offset of ds_swizzle_b32, with its leading " offset:"; empty for 0.
std::string swizzle_text(uint32_t offset);
// DPP: quad_perm, row, wave and broadcast controls.
std::string dpp_control_text(unsigned ctrl);

// " format:[...]" of an MTBUF instruction; empty for the assembler's default, 8-bit unorm.
std::string buffer_format_text(unsigned data_format, unsigned num_format);

}  // namespace pws::isa
