// SPDX-License-Identifier: Apache-2.0
// A number rounded to a whole one, and that as a saturated integer; NaN is 0.
//
// Combinational. Numbers from 2^Whole on have no fraction, and of them only `large_o` is told: the caller takes the
// number itself where it wants a floating-point result.
// (ISA document, chapter 12, V_TRUNC_F32, V_CVT_I32_F32 and others)
module fp_to_int #(
  parameter int unsigned Exp   = 10,  // bits of the exponent,
  parameter int unsigned Sig   = 24,  // of the significand,
  parameter int unsigned Whole = 32,  // of the whole number: as many as the significand and the integer at least
  parameter int unsigned Int   = 32   // and of the integer
) (
  input  logic               en_i,        // 0: nothing is computed, all outputs are 0
  input  logic [Exp+Sig+3:0] number_i,    // fpu_pkg::number_t, in the format's widths
  input  logic               nearest_i,   // nearest even
  input  logic               up_i,        // towards +infinity
  input  logic               down_i,      // towards -infinity
  input  logic               half_up_i,   // nearest, halves towards +infinity. With none of the four: towards zero
  input  logic               signed_i,    // of integer_o
  output logic [Whole-1:0]   magnitude_o,
  output logic               large_o,
  output logic [Int-1:0]     integer_o
);

  localparam int unsigned Shift = $clog2(Whole + 1);

  `include "fp_number.svh"

  number_t          number;
  logic             below_half, half, sticky, away;
  logic [Shift-1:0] shift;
  logic [Whole-1:0] whole;
  logic [Sig-1:0]   fraction;

  assign number = number_i;

  always_comb begin
    large_o     = '0;
    below_half  = '0;
    shift       = '0;
    whole       = '0;
    fraction    = '0;
    half        = '0;
    sticky      = '0;
    away        = '0;
    magnitude_o = '0;
    integer_o   = '0;
    if (en_i) begin
      // Whole bits before and Sig after the point: exponents from -1 to Whole - 1.
      large_o    = number.inf | (~number.zero & ~number.exp[Exp-1] & (number.exp > Exp'(Whole - 1)));
      below_half = number.zero | (number.exp[Exp-1] & (number.exp != '1));
      shift      = (large_o | below_half) ? '0 : number.exp[Shift-1:0] + Shift'(1);
      {whole, fraction} = {{Whole{1'b0}}, below_half ? {Sig{1'b0}} : number.sig} << shift;
      half   = fraction[Sig-1];
      sticky = (fraction[Sig-2:0] != '0) | (below_half & ~number.zero);
      away   = (nearest_i & half & (sticky | whole[0])) | (up_i & ~number.sign & (half | sticky)) |
               (down_i & number.sign & (half | sticky)) | (half_up_i & half & (sticky | ~number.sign));
      magnitude_o = whole + Whole'(away);
      integer_o = (signed_i & number.sign) ? -magnitude_o[Int-1:0] : magnitude_o[Int-1:0];
      if (number.nan) begin
        integer_o = '0;
      end else if (signed_i) begin
        if (large_o | (magnitude_o >> (Int - 1)) != '0) begin
          integer_o = number.sign ? {1'b1, {(Int - 1){1'b0}}} : {1'b0, {(Int - 1){1'b1}}};
        end
      end else if (number.sign) begin
        integer_o = '0;
      end else if (large_o | (magnitude_o >> Int) != '0) begin
        integer_o = '1;
      end
    end
  end

endmodule
