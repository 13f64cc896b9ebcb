// SPDX-License-Identifier: Apache-2.0
// Control of the vector ALU: what the decoder says about an instruction, and the operations of the integer units.
//
// Names of operations are those of the GCN3 instructions (ISA document, chapter 12); a, b, c are an instruction's sources
// in assembly order.
package valu_pkg;

  // The part of a lane that makes the result.
  typedef enum logic [3:0] {
    UnitNone,     // v_nop
    UnitAdd,      // valu_add
    UnitMul,      // valu_mul
    UnitShift,    // valu_shift
    UnitBits,     // valu_bits
    UnitBytes,    // valu_bytes
    UnitCompare,  // valu_compare
    UnitFloat,    // valu_float
    UnitDouble,   // valu_double
    UnitHalf,     // valu_half
    UnitTrans,    // transcendentals of single precision
    UnitCube      // v_cube
  } unit_e;

  typedef enum logic [5:0] {
    // UnitAdd. 16 or 32 bits; flag: carry or borrow
    OpAdd,
    OpSub,
    OpSubRev,  // b - a
    OpAddC,
    OpSubB,
    OpSubBRev,
    // UnitMul
    OpMul24Lo,  // of the low 24 bits
    OpMul24Hi,
    OpMad24,
    OpMulLo,  // 16 or 32 bits
    OpMulHi,
    OpMad16,
    OpMad64,  // 32 x 32 + 64; flag: unsigned carry or signed overflow
    // UnitShift. 16, 32 or 64 bits, the count first
    OpLshl,
    OpLshr,
    OpAshr,
    OpBfe,
    OpBfm,
    OpAlignBit,
    OpAlignByte,
    // UnitBits
    OpMov,
    OpNot,
    OpAnd,
    OpOr,
    OpXor,
    OpBfi,
    OpBrev,
    OpFfbh,
    OpFfbl,
    OpBcnt,
    OpMbcntLo,
    OpMbcntHi,
    OpPerm,
    OpCvtPk,  // two 32-bit numbers saturated to 16 bits
    // UnitBytes
    OpSadU8,
    OpSadHiU8,
    OpSadU16,
    OpSadU32,
    OpMsadU8,
    OpQsad,  // four sums of 16 bits
    OpMqsad,
    OpLerpU8,
    // UnitCompare. 16, 32 or 64 bits
    OpCmp,  // flag: `relation`, the low three bits of the VOPC opcode
    OpMin,
    OpMax,
    OpMin3,
    OpMax3,
    OpMed3
  } op_e;

  typedef enum logic [1:0] {
    Size16,
    Size32,
    Size64
  } size_e;

  // Width of a source, and how it reads a constant; the values are those of spsimd_pkg::operand_e.
  typedef enum logic [2:0] {
    Operand32,
    Operand64,   // a literal is zero-extended
    OperandI64,  // a literal is sign-extended
    Operand16,
    OperandF64   // a literal is the upper half
  } operand_e;

  // Whether a source is two registers.
  function automatic logic is_wide(operand_e t);
    is_wide = t == valu_pkg::Operand64 || t == valu_pkg::OperandI64 || t == valu_pkg::OperandF64;
  endfunction

  // Instructions that move data between one lane and a scalar register, whatever EXEC is (v_readfirstlane: by EXEC).
  typedef enum logic [1:0] {
    AccessNone,
    AccessReadLane,       // lane: source 1
    AccessWriteLane,      // lane: source 1
    AccessReadFirstLane
  } access_e;

  // Cycles that a pass takes: 1, 2 or 4.
  typedef enum logic [1:0] {
    RateFull,
    RateHalf,
    RateQuarter
  } rate_e;

  // Formats that have opcodes of their own.
  typedef enum logic [1:0] {
    FormatVop1,
    FormatVop2,
    FormatVop3,
    FormatVopC
  } format_e;

  // An opcode's properties in all of its encodings (valu_rows).
  typedef struct packed {
    logic     known;
    unit_e    exec_unit;
    op_e      op;
    logic     is_signed;
    size_e    size;
    logic [1:0] n_src;        // sources in the encoding: without a lane mask and the old destination
    operand_e type0;
    operand_e type1;
    operand_e type2;
    logic [2:0] float_src;    // sources that take neg and abs
    logic     float_dst;      // omod and clamp apply
    logic     saturates;      // clamp limits the integer result
    logic     writes_vdst;
    logic     wide;           // ... two registers
    logic     writes_scalar;  // the destination is one scalar register
    logic     compare;        // the destination is a lane mask
    logic     carry_out;      // a lane mask is a second destination
    logic     writes_exec;
    logic     reads_mask;     // a lane mask is read: VCC, in VOP3 the source after the last
    logic     implicit_vcc;   // VCC is read in every encoding
    logic     reads_dst;      // the destination is the last source
    logic     relative_src;   // v_movrel*: M0 is added to the number of source 0,
    logic     relative_dst;   // of the destination
    logic     literal_k;      // v_madmk, v_madak: the literal is a source
    rate_e    rate;
    logic     no_vop3;
    logic     no_sdwa;
    access_e  access;
  } row_t;

  // What a DPP dword says (valu_dpp_select).
  typedef struct packed {
    logic       on;
    logic [8:0] ctrl;
    logic       bound_ctrl;
    logic [3:0] bank_mask;
    logic [3:0] row_mask;
  } dpp_t;

  // An instruction, decoded (valu_decoder). Where `supported` is 0, nothing else has a meaning.
  typedef struct packed {
    logic        supported;
    logic [1:0]  length;      // dwords: 1 or 2
    rate_e       rate;
    unit_e       exec_unit;
    op_e         op;
    logic        is_signed;
    size_e       size;
    logic [3:0]  relation;    // of a compare
    // Sources as encoded: below 128 a scalar register, below 256 a constant or special value (255: the literal), from
    // 256 on a vector register. A source that is the old destination is that vector register.
    logic [8:0]  src0;
    logic [8:0]  src1;
    logic [8:0]  src2;
    operand_e    type0;
    operand_e    type1;
    operand_e    type2;
    logic [31:0] literal;     // of source field 255
    logic [2:0]  neg;
    logic [2:0]  abs;
    logic [1:0]  omod;
    logic        clamp;
    // SDWA; without it all selects are 6, the whole dword
    logic [2:0]  sel0;
    logic        sext0;
    logic [2:0]  sel1;
    logic        sext1;
    logic [2:0]  dst_sel;
    logic [1:0]  dst_unused;
    dpp_t        dpp;
    logic        writes_vdst;
    logic [7:0]  vdst;
    logic        relative_src;
    logic        relative_dst;
    logic        wide;        // the result is 64 bits
    logic        writes_sdst;
    logic [6:0]  sdst;
    logic        sdst_wide;   // a lane mask; else one scalar register
    logic        writes_exec; // the lane mask goes to EXEC as well
    logic        reads_mask;
    logic        mask_is_src2;  // the lane mask read is source 2's value, not VCC
    access_e     access;
  } ctrl_t;

endpackage
