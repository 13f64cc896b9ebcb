// SPDX-License-Identifier: Apache-2.0
// Operations of the floating-point units of a work-item's lane: single (valu_float), double (valu_double) and half
// precision (valu_half).
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
    // Double precision alone
    FpuCvtF64F32,
    FpuCvtF32F64,
    FpuCvtF64I32,
    FpuCvtF64U32,
    FpuCvtI32F64,
    FpuCvtU32F64,
    FpuTrigPreop,  // segment b of 2/pi, for a
    // All precisions: valu_trans, valu_double, valu_half
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
  } op_e;

  // MODE's rounding fields (ISA document, 3.6 "Mode Register").
  typedef enum logic [1:0] {RoundNearest, RoundUp, RoundDown, RoundZero} round_e;

  // A source, taken apart: (-1)^sign * sig * 2^(exp - 23). A finite number other than zero has sig[23] set, denormals
  // too, so exp (two's complement) goes down to -149. Infinity and NaN have exp 128. These are single precision's; other
  // formats have the same with their own widths, which the fp_* modules take as parameters.
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

  // What goes through the pipeline beside the numbers (fp_flow): all that is known from the sources.
  typedef struct packed {
    logic       en;
    logic       multiplies;      // what has something to do
    logic       rounds;
    logic       adds;
    logic       div_ends;        // v_div_fmas
    logic       roots;           // a root or a reciprocal goes to the second rounder
    logic       roots_nearest;   // and is rounded to nearest, whatever MODE says
    logic       decided;         // `other` is the result
    logic       takes_second;    // else the second rounder's is, or the first one's
    logic       legacy_zero;     // the product is zero whatever the other factor is
    logic       fract;
    logic       integer_result;  // not to be modified
    logic       flag;            // flag_o
    logic       quotient_large;  // v_div_fmas scales upwards
    logic       flush_inputs;
    logic       flush_results;   // by the rounders ...
    logic       flush_modified;  // ... or, of half precision, before the output modifiers
    logic [1:0] round;
    logic [1:0] denorm;
    logic [1:0] omod;
    logic       clamp;
    logic       ieee;
    logic       dx10_clamp;
  } flow_t;

  // The same of the transcendentals (valu_trans).
  typedef struct packed {
    logic        en;
    logic        exp2;
    logic        log2;
    logic        interpolates;   // these two, sine and cosine
    logic        sign;
    logic [9:0]  exp;            // the weight of the product's or the sum's first bit
    logic        log_adds;       // the logarithm of a power of two,
    logic        log_subtracts;  // of which the product may be subtracted
    logic [7:0]  log_whole;      // magnitude
    logic        log_upper;      // the product is half as large as its bits say
    logic        special;        // `other` is the result
    logic [1:0]  round;
    logic [1:0]  denorm;
    logic [1:0]  omod;
    logic        clamp;
    logic        ieee;
    logic        dx10_clamp;
    logic [31:0] other;
  } trans_t;

  // Places where the pipeline may have registers, in the order of the flow. Of n stages n - 1 places have them.
  typedef enum logic [2:0] {
    CutSources,      // sources unpacked, and done what needs no rounding
    CutProduct,      // the product, beside it the addend in its place
    CutSum,          // the sum of both
    CutFirst,        // its first bit on top, and the first rounding
    CutSecondSum,    // the second sum
    CutSecondNormal  // its first bit on top, or what v_div_fmas takes instead
  } cut_e;
  localparam int unsigned MaxStages = 7;

  // Registers at a place: 0 or 1. Chosen so that the longest stage, which is one of double precision, is as short as it
  // can be.
  function automatic int unsigned cuts_at(input int unsigned stages, input cut_e place);
    logic [5:0] places;
    unique case (stages)
      32'd1:   places = 6'b00_0000;
      32'd2:   places = 6'b00_1000;
      32'd3:   places = 6'b01_0100;
      32'd4:   places = 6'b11_0100;
      32'd5:   places = 6'b11_1100;
      32'd6:   places = 6'b11_1110;
      default: places = 6'b11_1111;
    endcase
    cuts_at = 32'(places[place]);
  endfunction

  // The same for transcendentals.
  typedef enum logic [2:0] {
    TransCutSources,  // the argument reduced
    TransCutTable,    // the coefficients
    TransCutSlope,    // the first multiplication of the interpolation
    TransCutValue,    // the second one
    TransCutProduct,  // the product
    TransCutExact     // the logarithm's sum, the first bit on top
  } trans_cut_e;
  function automatic int unsigned trans_cuts_at(input int unsigned stages, input trans_cut_e place);
    logic [5:0] places;
    unique case (stages)
      32'd1:   places = 6'b00_0000;
      32'd2:   places = 6'b00_1000;
      32'd3:   places = 6'b01_0100;
      32'd4:   places = 6'b10_1010;
      32'd5:   places = 6'b11_1010;
      32'd6:   places = 6'b11_1110;
      default: places = 6'b11_1111;
    endcase
    trans_cuts_at = 32'(places[place]);
  endfunction

  // The stage, from 0, of step `step` of a digit recurrence that is spread evenly over a pipeline, and how many of its
  // `steps` steps the stages before `stage` have done. `ahead` and `behind` are the time in steps of what the pipeline
  // does before and after them.
  function automatic int unsigned stage_of_step(input int unsigned stages, input int unsigned step,
                                                input int unsigned steps, input int unsigned ahead,
                                                input int unsigned behind);
    stage_of_step = (ahead + step) * stages / (ahead + steps + behind);
  endfunction
  function automatic int unsigned steps_before(input int unsigned stages, input int unsigned stage,
                                               input int unsigned steps, input int unsigned ahead,
                                               input int unsigned behind);
    int unsigned done;  // rounded up: a step belongs to the stage in which it begins
    done = (stage * (ahead + steps + behind) + stages - 1) / stages;
    steps_before = (done < ahead) ? 0 : (done - ahead > steps) ? steps : done - ahead;
  endfunction

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
