// SPDX-License-Identifier: Apache-2.0
// One row per instruction: opcode, mnemonic, operand types, unit and semantics. Decoder, disassembler, executor,
// scoreboard and tests are all driven by it. A VOP1/VOP2/VOPC row gives its VOP3, SDWA and DPP forms too (VOP3 opcode =
// 0x140 + op for VOP1, 0x100 + op for VOP2, op for VOPC).
#pragma once

#include <cstdint>
#include <vector>

#include "models/isa/inst.h"
#include "models/isa/operation.h"

namespace pws::isa {

// How an operand's bits are read: decides register count, inline-constant conversion and source modifiers.
enum class type : uint8_t { none, b16, u16, i16, f16, b32, u32, i32, f32, b64, u64, i64, f64, b96, b128, b256, b512 };

constexpr unsigned dwords_of(type t) {
  switch (t) {
    case type::none:
      return 0;
    case type::b64:
    case type::u64:
    case type::i64:
    case type::f64:
      return 2;
    case type::b96:
      return 3;
    case type::b128:
      return 4;
    case type::b256:
      return 8;
    case type::b512:
      return 16;
    default:
      return 1;
  }
}
constexpr bool is_float(type t) {
  return t == type::f16 || t == type::f32 || t == type::f64;
}

// What a row does beyond reading its sources and writing its destination.
enum row_flag : uint32_t {
  reads_vcc = 1u << 0,     // implicit per-lane VCC in e32; a third scalar source in VOP3 (v_cndmask, v_addc, v_subb)
  implicit_vcc = 1u << 1,  // VCC is read even in VOP3 and is never an operand (v_div_fmas)
  writes_vcc = 1u << 2,    // carry/borrow out: VCC in e32, sdst in VOP3 (v_add_u32, v_div_scale)
  writes_exec = 1u << 3,   // v_cmpx: EXEC as well as the mask; s_*_saveexec: EXEC
  reads_dst = 1u << 4,     // the destination is a source too (v_mac, s_cmov, s_addk)
  ignores_exec = 1u << 5,  // v_readlane, v_writelane, v_readfirstlane
  scalar_dst = 1u << 6,    // a vector instruction whose dst is an SGPR (v_readlane, v_readfirstlane)
  vop3_only = 1u << 7,     // no e32 form although the format's row exists (none in native VOP3 rows)
  no_sdwa = 1u << 8,       // has no SDWA form
  no_dpp = 1u << 9,        // has no DPP form
  no_vop3 = 1u << 10,      // has no VOP3 form (v_madmk, v_madak, v_swap)
  reads_scc = 1u << 11,
  writes_scc = 1u << 12,
  reads_m0 = 1u << 13,
  literal_k = 1u << 14,  // v_madmk/v_madak: a mandatory literal
  no_dst = 1u << 15,     // stores, s_nop, compares to SCC: nothing is written to a register operand
  is_store = 1u << 16,
  is_atomic = 1u << 17,      // memory: returns the old value if glc (or, for DS, by the row's own dst type)
  f32_arith = 1u << 18,      // result depends on MODE's f32 round/denorm: host FP state must match
  f64_arith = 1u << 19,      // ... f64/f16 round/denorm
  double_access = 1u << 20,  // ds_read2/write2
  stride64 = 1u << 21,       // ds_*2st64
  relative_index =
      1u << 22,  // v_movrel*, s_movrel*: register number offset by M0; scoreboard cannot know it, so waits for all
  reads_exec = 1u << 23,  // a scalar instruction that reads EXEC implicitly (s_*_saveexec, s_cbranch_execz)
  writes_m0 = 1u << 24,   // s_set_gpr_idx_*
  samples = 1u << 25,     // MIMG: through a sampler
  four_dsts = 1u << 26    // MIMG: four registers whatever dmask says (image_gather4)
};

// Source types by format:
//   scalar     the register sources in assembly order. SOPK and SOPP immediates are inst::simm and no source.
//   vector     the sources in assembly order; the lane mask of reads_vcc is not among them.
//              v_madmk and v_madak have three.
//   SMEM       src[0] base: b64, or b128 for a buffer resource; src[1] data of a store or atomic.
//              No type: no such operand (s_memtime, s_dcache_inv). The offset is not listed.
//   DS         src[0] address (b32), src[1] first data, src[2] second data
//   FLAT       src[0] address (b64), src[1] data
//   MUBUF, MTBUF
//              src[0] address (b32; the instruction's offen and idxen say whether it is 0, 1 or 2 registers),
//              src[1] data. Resource and scalar offset are not listed; a row whose src[0] is none has no operands
//              (buffer_wbinvl1).
//   MIMG       src[0] address: the most registers that it may have (b32 and up; 9 of image_sample_d are b512), src[1]
//              data of a store. dst and data are b128: dmask says how many of the registers there are. Resource and
//              sampler are not listed.
// dst of an atomic is the type it returns; FLAT, MUBUF and SMEM write it only if glc is set.
// A row without exec is known by name only: decode() refuses it as unimplemented.
struct opcode_row {
  format native;
  uint16_t opcode;
  const char* mnemonic;  // without _e32, _e64, _sdwa, _dpp
  isa::unit unit;
  type dst;  // none if nothing is written. VOPC: b64 (a lane mask)
  type src[3];
  uint32_t flags;
  exec_fn exec;      // the executor of the row's shape
  void (*kernel)();  // the row's own expression as instantiated for that shape; the executor casts it back. May be null
  meaning means = {};
  // MIMG: the most registers of an address.
  unsigned address_registers() const { return src[0] == type::b512 ? 9 : dwords_of(src[0]); }
};

}  // namespace pws::isa
