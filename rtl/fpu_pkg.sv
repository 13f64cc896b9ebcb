// SPDX-License-Identifier: Apache-2.0
// Numbers in the floating-point units of a work-item's lane (fp_unit, valu_trans), what goes through their pipelines, and
// where these are cut.
package fpu_pkg;

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

  // What MODE says of one format, and the instruction's output modifiers.
  typedef struct packed {
    logic [1:0] round;
    logic [1:0] denorm;      // bit 0 keeps denormal inputs, bit 1 keeps denormal results
    logic [1:0] omod;
    logic       clamp;
    logic       ieee;
    logic       dx10_clamp;  // the clamp makes NaN zero
  } result_mode_t;

  // From MODE[9:0]: single precision has fields of its own, half and double precision share theirs.
  function automatic logic [8:0] result_mode(logic [9:0] mode, logic single, logic [1:0] omod, logic clamp);
    result_mode = {single ? mode[1:0] : mode[3:2], single ? mode[5:4] : mode[7:6], omod, clamp, mode[9], mode[8]};
  endfunction

  // What goes through the pipeline beside the numbers (fp_flow): all that is known from the sources.
  typedef struct packed {
    logic         en;
    logic         multiplies;      // what has something to do
    logic         rounds;
    logic         adds;
    logic         div_ends;        // v_div_fmas
    logic         roots;           // a root or a reciprocal goes to the second rounder
    logic         roots_nearest;   // and is rounded to nearest, whatever MODE says
    logic         decided;         // `other` is the result
    logic         takes_second;    // else the second rounder's is, or the first one's
    logic         legacy_zero;     // the product is zero whatever the other factor is
    logic         fract;
    logic         integer_result;  // not to be modified
    logic         flag;            // flag_o
    logic         quotient_large;  // v_div_fmas scales upwards
    logic         flush_inputs;
    logic         flush_results;   // by the rounders ...
    logic         flush_modified;  // ... or, of half precision, before the output modifiers
    result_mode_t mode;
  } flow_t;

  // The same of the transcendentals (valu_trans).
  typedef struct packed {
    logic         en;
    logic         exp2;
    logic         log2;
    logic         interpolates;   // these two, sine and cosine
    logic         sign;
    logic [9:0]   exp;            // the weight of the product's or the sum's first bit
    logic         log_adds;       // the logarithm of a power of two,
    logic         log_subtracts;  // of which the product may be subtracted
    logic [7:0]   log_whole;      // magnitude
    logic         log_upper;      // the product is half as large as its bits say
    logic         special;        // `other` is the result
    result_mode_t mode;           // for the output modifiers
    logic [31:0]  other;
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

  typedef enum logic [2:0] {
    TransCutSources,  // the argument reduced
    TransCutTable,    // the coefficients
    TransCutSlope,    // the first multiplication of the interpolation
    TransCutValue,    // the second one
    TransCutProduct,  // the product
    TransCutExact     // the logarithm's sum, the first bit on top
  } trans_cut_e;

  // The places that have registers in pipelines of seven stages, of six, and so on to one. Chosen so that the longest stage,
  // which is one of double precision, is as short as it can be.
  localparam logic [41:0] Cuts      = 42'b111111_111110_111100_110100_010100_001000_000000;
  localparam logic [41:0] TransCuts = 42'b111111_111110_111010_101010_010100_001000_000000;
  // Registers at a place: 0 or 1.
  function automatic int unsigned cuts_at(input logic [41:0] cuts, input int unsigned stages, input logic [2:0] place);
    cuts_at = 32'(cuts[6'(6 * (stages - 1)) + 6'(place)]);
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
