// Operations of the single-precision unit of a work-item's lane (valu_float).
//
// Names are those of the GCN3 instructions (ISA document, chapter 12); operands a, b, c are the instruction's sources in
// assembly order, with the neg and abs modifiers already applied. For v_mac_f32 c is the old destination.
package fpu_pkg;

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
    // Transcendentals (valu_trans)
    FpuExp,  // 2^a
    FpuLog,  // log2 a
    FpuRcp,
    FpuSqrt,
    FpuRsq,
    FpuSin,  // a in turns
    FpuCos,
    // Cube maps (valu_cube)
    FpuCubeId,
    FpuCubeSc,
    FpuCubeTc,
    FpuCubeMa
  } op_e;

  // MODE's rounding fields (ISA document, 3.6 "Mode Register").
  typedef enum logic [1:0] {RoundNearest, RoundUp, RoundDown, RoundZero} round_e;

  // A source, taken apart: (-1)^sign * sig * 2^(exp - 23). A finite number other than zero has sig[23] set, denormals
  // too, so exp (two's complement) goes down to -149. Infinity and NaN have exp 128.
  typedef struct packed {
    logic        sign;
    logic        zero;
    logic        inf;
    logic        nan;
    logic [9:0]  exp;
    logic [23:0] sig;
  } number_t;

  // An exact result before rounding: (-1)^sign * (sig + what lies below) * 2^(exp - 23). What lies below sig is 0 if
  // neither bit is set, 1/2 if guard alone is, less if sticky alone is, more if both are.
  typedef struct packed {
    logic        sign;
    logic [9:0]  exp;
    logic [23:0] sig;
    logic        guard;
    logic        sticky;
  } exact_t;

  // Whether rounding goes to the next larger magnitude.
  function automatic logic rounds_away(logic [1:0] round, logic sign, logic lsb, logic guard, logic sticky);
    unique case (round)
      fpu_pkg::RoundNearest: rounds_away = guard & (lsb | sticky);
      fpu_pkg::RoundUp:      rounds_away = ~sign & (guard | sticky);
      fpu_pkg::RoundDown:    rounds_away = sign & (guard | sticky);
      default:               rounds_away = 1'b0;
    endcase
  endfunction

  // Whether a number too large for its format becomes infinity; else it becomes the largest number.
  function automatic logic overflows_to_infinity(logic [1:0] round, logic sign);
    unique case (round)
      fpu_pkg::RoundNearest: overflows_to_infinity = 1'b1;
      fpu_pkg::RoundUp:      overflows_to_infinity = ~sign;
      fpu_pkg::RoundDown:    overflows_to_infinity = sign;
      default:               overflows_to_infinity = 1'b0;
    endcase
  endfunction

endpackage
