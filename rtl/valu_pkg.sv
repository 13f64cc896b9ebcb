// SPDX-License-Identifier: Apache-2.0
// Control of the vector ALU: what the decoder says about an instruction, and the operations of the lanes' units.
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
    UnitFloat,    // fp_unit of single precision,
    UnitDouble,   // of double precision
    UnitHalf,     // and of half precision
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

  // Operations of the floating-point units. Operands have the neg and abs modifiers already applied; of v_mac c is the old
  // destination.
  typedef enum logic [6:0] {
    // Arithmetic
    FpuAdd,        // a + b
    FpuSub,        // a - b
    FpuSubRev,     // b - a
    FpuMul,
    FpuMulLegacy,  // zero times anything is zero
    FpuMad,        // a * b + c, the product rounded, denormals flushed: v_mac, v_mad, v_madmk, v_madak
    FpuMadLegacy,
    FpuFma,
    FpuLdexp,      // a * 2^b, b a signed integer
    FpuDivScale,   // flag_o: scaled
    FpuDivFmas,    // flag_i: VCC
    FpuDivFixup,
    // Minimum, maximum, median
    FpuMin,
    FpuMax,
    FpuMin3,
    FpuMax3,
    FpuMed3,
    // Rounding to whole numbers, parts of a number
    FpuTrunc,
    FpuCeil,
    FpuRndne,
    FpuFloor,
    FpuFract,
    FpuFrexpExp,
    FpuFrexpMant,
    // Conversions
    FpuCvtF32I32,
    FpuCvtF32U32,
    FpuCvtU32F32,
    FpuCvtI32F32,
    FpuCvtRpiI32F32,
    FpuCvtFlrI32F32,
    FpuCvtOffF32I4,
    FpuCvtF32Ubyte0,
    FpuCvtF32Ubyte1,
    FpuCvtF32Ubyte2,
    FpuCvtF32Ubyte3,
    FpuCvtPkU8F32,      // c is the old dword
    FpuCvtPkrtzF16F32,
    FpuCvtF16F32,
    FpuCvtF32F16,
    // Moves that take float modifiers
    FpuCndmask,  // flag_i ? b : a
    // Compares: flag_o. The relation is the low four bits of the VOPC opcode, in `relation_i`.
    FpuCmp,
    FpuCmpClass,  // b is the mask of classes
    // Double precision alone
    FpuCvtF64F32,
    FpuCvtF32F64,
    FpuCvtF64I32,
    FpuCvtF64U32,
    FpuCvtI32F64,
    FpuCvtU32F64,
    FpuTrigPreop,  // segment b of 2/pi, for a
    // All precisions; of single precision valu_trans has them
    FpuRcp,
    FpuSqrt,
    FpuRsq,
    // Half precision alone
    FpuCvtF16I16,
    FpuCvtF16U16,
    FpuCvtI16F16,
    FpuCvtU16F16,
    // Transcendentals of single precision (valu_trans)
    FpuExp,  // 2^a
    FpuLog,  // log2 a
    FpuSin,  // a in turns
    FpuCos,
    // Cube maps (valu_cube)
    FpuCubeId,
    FpuCubeSc,
    FpuCubeTc,
    FpuCubeMa
  } float_op_e;

  typedef enum logic [1:0] {
    Size16,
    Size32,
    Size64
  } size_e;

  // Width of a source, and how a constant becomes one: inline integers and literals are extended as the type asks, inline
  // floats are in the format of its width.
  typedef enum logic [2:0] {
    Operand32,    // b32, u32, i32, f32
    Operand64,    // b64, u64: a literal is zero-extended
    OperandI64,   // i64: a literal is sign-extended
    Operand16,    // b16, u16, i16, f16
    OperandF64    // f64: a literal is the upper half
  } operand_e;

  // Whether a source is two registers.
  function automatic logic is_wide(logic [2:0] t);
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
    logic       known;
    unit_e      exec_unit;
    op_e        op;             // of integers,
    float_op_e  float_op;       // of floats
    logic       is_signed;
    size_e      size;
    logic [1:0] n_src;          // sources in the encoding: without a lane mask and the old destination
    operand_e   type0;
    operand_e   type1;
    operand_e   type2;
    logic [2:0] float_src;      // sources that take neg and abs
    logic       float_dst;      // omod and clamp apply
    logic       saturates;      // clamp limits the integer result
    logic       writes_vdst;
    logic       wide;           // ... two registers
    logic       writes_scalar;  // the destination is one scalar register
    logic       compare;        // the destination is a lane mask
    logic       carry_out;      // a lane mask is a second destination
    logic       writes_exec;
    logic       reads_mask;     // a lane mask is read: VCC, in VOP3 the source after the last
    logic       implicit_vcc;   // VCC is read in every encoding
    logic       reads_dst;      // the destination is the last source
    logic       relative_src;   // v_movrel*: M0 is added to the number of source 0,
    logic       relative_dst;   // of the destination
    logic       literal_k;      // v_madmk, v_madak: the literal is a source
    rate_e      rate;
    logic       no_vop3;
    logic       no_sdwa;
    access_e    access;
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
    logic [1:0]  length;        // dwords: 1 or 2
    rate_e       rate;
    unit_e       exec_unit;
    op_e         op;
    float_op_e   float_op;
    logic        is_signed;
    size_e       size;
    logic [3:0]  relation;      // of a compare
    // Sources as encoded: below 128 a scalar register, below 256 a constant or special value (255: the literal), from
    // 256 on a vector register. A source that is the old destination is that vector register.
    logic [8:0]  src0;
    logic [8:0]  src1;
    logic [8:0]  src2;
    operand_e    type0;
    operand_e    type1;
    operand_e    type2;
    logic [31:0] literal;       // of source field 255
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
    logic        wide;          // the result is 64 bits
    logic        writes_sdst;
    logic [6:0]  sdst;
    logic        sdst_wide;     // a lane mask; else one scalar register
    logic        writes_exec;   // the lane mask goes to EXEC as well
    logic        reads_mask;
    logic        mask_is_src2;  // the lane mask read is source 2's value, not VCC
    access_e     access;
  } ctrl_t;

  // What the lanes are given of an instruction, the same for all of them. Scalars lowest, at multiples of 64.
  typedef struct packed {
    logic [9:0]  mode;   // MODE: rounding 3:0, denormals 7:4, DX10_CLAMP 8, IEEE 9
    ctrl_t       ctrl;
    logic [63:0] ssrc0;  // sources that are scalar registers or constants
    logic [63:0] ssrc1;
    logic [63:0] ssrc2;
  } lane_instr_t;

  // A lane mask or a scalar on its way to the scalar registers.
  typedef struct packed {
    logic        we;
    logic [6:0]  index;
    logic        wide;     // a lane mask; else one register
    logic [63:0] data;
    logic        exec_we;  // it goes to EXEC as well
  } mask_result_t;

endpackage
