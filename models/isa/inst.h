// SPDX-License-Identifier: Apache-2.0
// A decoded instruction: plain data, made once per program address by the decoder (models/isa/code).
#pragma once

#include <cstdint>

namespace pws::isa {

struct wave_state;
struct inst;
struct opcode_row;  // models/isa/opcode_row.h

// Encodings (GCN3 ISA, chapter 13 "Microcode Formats"). sdwa and dpp are VOP1/VOP2/VOPC with an extra dword.
enum class format : uint8_t {
  sop1,
  sop2,
  sopk,
  sopc,
  sopp,
  smem,
  vop1,
  vop2,
  vop3,
  vopc,
  vintrp,
  ds,
  flat,
  mubuf,
  mtbuf,
  mimg
};
// What an encoding has beside its opcode and sources.
enum class encoding_variant : uint8_t { plain, literal, vop3, sdwa, dpp };

// The unit that executes an instruction; what the pipeline schedules by and what latencies are given for.
enum class unit : uint8_t {
  salu,        // scalar ALU, s_setreg and the like
  valu,        // full-rate vector ALU
  valu_trans,  // quarter rate: rcp, rsq, sqrt, exp, log, sin, cos
  valu_f64,    // double precision and 64-bit/32-bit integer multiply
  branch,      // s_branch, s_cbranch_*, s_setpc, s_swappc
  scalar_memory,
  vector_memory,  // FLAT, MUBUF, MTBUF, MIMG
  lds,            // DS
  waitcnt,
  barrier,
  end,       // s_endpgm
  message,   // s_sendmsg, s_trap, s_sethalt
  internal,  // s_nop, s_sleep, s_setprio, icache/dcache maintenance
  split,     // PWS: creates an SWF (models/divergence)
  merge      // PWS: joins it with its parent
};

// What an operand names.
enum class operand_kind : uint8_t {
  none,
  scalar,    // index: 0..127, as in wave_state::scalar (a run of `dwords`)
  vgpr,      // index: row number (a run of `dwords`)
  constant,  // inline constant or literal; value holds its bits, already converted to the operand's type
  vccz,
  execz,
  scc,
};

// A source or destination, decoded.
struct operand {
  operand_kind kind = operand_kind::none;
  uint8_t dwords = 0;  // registers it spans; 16-bit operands span 1
  uint16_t index = 0;
  uint16_t encoded = 0;  // the source field as encoded (9 bits), for the disassembler
  uint64_t value = 0;
};

// Sub-dword addressing (GCN3 ISA 13.?"SDWA") and data-parallel primitives; fields as encoded.
struct sdwa_fields {
  uint8_t dst_sel = 6, dst_unused = 0, src0_sel = 6, src1_sel = 6;
  bool src0_sext = false, src1_sext = false;
};
// Fields of the DPP dword.
struct dpp_fields {
  uint16_t ctrl = 0;
  uint8_t bank_mask = 0xf, row_mask = 0xf;
  bool bound_ctrl = false;
};

using exec_fn = void (*)(wave_state&, const inst&);

struct inst {
  // Executes the instruction on the state. state.pc must already point at the following instruction; branches overwrite
  // it. Throws program_error. For waitcnt, barrier, end, message, sleep, split and merge it does nothing: the machine
  // acts on `unit`.
  exec_fn exec = nullptr;
  void (*kernel)() = nullptr;  // type-erased lane function of the row, called by exec; private to the executors
  const opcode_row* row = nullptr;
  uint64_t pc = 0;       // device byte address
  uint32_t raw[2] = {};  // the dwords; raw[1] valid if dwords == 2
  uint8_t dwords = 1;
  format native = format::sopp;  // the row's format
  encoding_variant variant = encoding_variant::plain;
  isa::unit unit = isa::unit::internal;
  bool writes_exec = false;
  bool reads_exec = false;  // explicitly or as every vector instruction does
  // A scalar source is EXEC (read through wave_state::active()), VCCZ, EXECZ or SCC: not a plain load from
  // wave_state::scalar. False for nearly every instruction, so that executors test it once.
  bool special_src = false;
  operand dst;   // vdst or sdst; a compare's mask (VCC in e32 and SDWA); memory: the loaded or returned value
  operand sdst;  // second destination: carry out (VCC in e32 and SDWA), v_div_scale's flag
  // ALU: in assembly order. A row with reads_vcc has its lane mask after its own sources (VCC in e32, SDWA and DPP).
  // v_madmk, v_madak: the literal stands where assembly has it (src[1], src[2]).
  // Memory: fixed places, kind none where absent: [0] address (SMEM: base or resource, FLAT/MUBUF/DS: VGPRs),
  // [1] data, [2] DS: second data, MUBUF, MIMG: resource, [3] scalar offset (MUBUF: always; SMEM: unless imm_offset);
  // MIMG: sampler. How many address registers an image instruction reads its resource says: src[0] has the most.
  operand src[4];
  uint8_t n_src = 0;  // one past the last source in use
  bool clamp = false;
  uint8_t omod = 0;
  uint8_t neg = 0, abs = 0;  // bit per source
  sdwa_fields sdwa;
  dpp_fields dpp;
  // Scalar and branch
  int32_t simm = 0;     // SOPK/SOPP immediate, sign-extended
  uint64_t target = 0;  // branch target address
  // Memory
  uint32_t offset0 = 0;  // byte offset: SMEM 20 bits, MUBUF 12 bits, DS 16 bits; ds_read2/write2: first 8-bit offset
  uint32_t offset1 = 0;  // ds_read2/write2 (double_access): second 8-bit offset, as encoded
  bool glc = false, slc = false, tfe = false, lds_bit = false, offen = false, idxen = false, gds = false,
       imm_offset = false;
  // Scoreboard: every register read and written, implicit ones (VCC, SCC as special, M0, EXEC, FLAT_SCRATCH) included.
  // A run: first register and count. vgpr runs index rows; scalar runs index wave_state::scalar.
  struct run {
    uint16_t first = 0;
    uint8_t count = 0;
    bool is_vgpr = false;
  };
  static constexpr int max_runs = 8;
  run reads[max_runs], writes[4];
  uint8_t n_reads = 0, n_writes = 0;
  bool reads_scc = false, writes_scc = false;
  bool relative_index = false;  // touches a register that only M0's value names (v_movrel*, s_movrel*): not in the runs
  uint16_t vgpr_end = 0;        // one past the highest VGPR it names; a machine refuses it where that is not allocated

  bool is_memory() const {
    return unit == isa::unit::scalar_memory || unit == isa::unit::vector_memory || unit == isa::unit::lds;
  }
  uint32_t bytes() const { return 4u * dwords; }
};

// The fields of an s_waitcnt (GCN3: vmcnt [3:0], expcnt [6:4], lgkmcnt [11:8]).
struct waitcnt_fields {
  uint8_t vmcnt, expcnt, lgkmcnt;
};
inline waitcnt_fields waitcnt(const inst& i) {
  const auto s = static_cast<uint32_t>(i.simm);
  return {static_cast<uint8_t>(s & 0xf), static_cast<uint8_t>((s >> 4) & 7), static_cast<uint8_t>((s >> 8) & 0xf)};
}

// What MIMG has beside opcode, registers, glc, slc and tfe (GCN3 ISA, chapter 13, "MIMG").
struct image_fields {
  uint8_t dmask;      // the components that are in registers, x in bit 0
  bool unnormalized;  // coordinates of samples are in texels
  bool array;         // da: the last coordinate names a layer, or a cube's face
  bool r128;          // the resource has 4 dwords
  bool lwe;           // one more register tells of textures that are not resident
  bool d16;           // data of 16 bits in registers
};
inline image_fields image_fields_of(const inst& i) {
  const uint32_t w = i.raw[0];
  const auto bit = [w](unsigned n) { return (w >> n & 1) != 0; };
  return {static_cast<uint8_t>(w >> 8 & 0xf), bit(12), bit(14), bit(15), bit(17), i.raw[1] >> 31 != 0};
}

}  // namespace pws::isa
