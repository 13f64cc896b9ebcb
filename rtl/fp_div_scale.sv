// SPDX-License-Identifier: Apache-2.0
// What v_div_scale_f32 does to its operand x, the divisor or the numerator of a quotient n / d.
//
// Combinational. Whether the quotient is denormal is decided without dividing: only a few quotients
// of significands of that width lie so close to the smallest normal number that rounding reaches it.
// (ISA document, chapter 12, V_DIV_SCALE_F32)
module fp_div_scale #(
  parameter int unsigned Field = 8,    // bits of the exponent field,
  parameter int unsigned Exp   = 10,   // of the exponent
  parameter int unsigned Sig   = 24,   // and of the significand
  parameter int unsigned Huge  = 96,   // difference of exponents from which a quotient may overflow
  parameter int unsigned Tiny  = 23    // exponent field up to which the numerator has too few bits for the residual
) (
  input  logic                 en_i,          // 0: nothing is computed, all outputs are 0
  input  logic [Field+Sig-2:0] d_i,           // magnitude as it is
  input  logic [Field-1:0]     n_field_i,     // exponent field
  input  logic [Exp+Sig+3:0]   d_number_i,    // fpu_pkg::number_t: denormals flushed or not
  input  logic [Exp+Sig+3:0]   n_number_i,
  input  logic                 x_is_d_i,      // equal as numbers
  input  logic                 x_is_n_i,
  input  logic [1:0]           round_i,
  input  logic                 keep_small_i,  // denormal results are kept
  output logic                 undefined_o,   // the result is a NaN
  output logic                 up_o,          // the result is x * 2^64, of double precision 2^128
  output logic                 down_o,        // the result is x * 2^-64; without any of the three, x
  output logic                 flag_o
);

  localparam int unsigned Bias = (1 << (Field - 1)) - 1;
  localparam logic [Exp-1:0]       Lowest          = Exp'(1) - Exp'(Bias);  // of normal numbers
  localparam logic [Field+Sig-2:0] ReciprocalLimit = {{(Field - 2){1'b1}}, 2'b01, {(Sig - 1){1'b0}}};

  `include "fp_number.svh"

  number_t          d_number, n_number;
  logic [Field-1:0] d_field;
  logic [Field+1:0] field_difference;
  logic [Exp-1:0]   exp_difference;
  logic             huge_quotient, tiny_numerator, denormal_divisor, denormal_reciprocal, denormal_quotient;
  logic             away, reaches_normal;

  assign d_number = d_number_i;
  assign n_number = n_number_i;
  assign d_field  = d_i[Field+Sig-2:Sig-1];

  always_comb begin
    field_difference    = '0;
    huge_quotient       = '0;
    tiny_numerator      = '0;
    denormal_divisor    = '0;
    denormal_reciprocal = '0;
    exp_difference      = '0;
    away                = '0;
    reaches_normal      = '0;
    denormal_quotient   = '0;
    undefined_o         = '0;
    flag_o              = '0;
    up_o                = '0;
    down_o              = '0;
    if (en_i) begin
      field_difference    = {2'b00, n_field_i} - {2'b00, d_field};
      huge_quotient       = ~field_difference[Field+1] & (field_difference >= (Field + 2)'(Huge));
      tiny_numerator      = n_field_i <= Field'(Tiny);
      denormal_divisor    = (d_field == '0) & (d_i[Sig-2:0] != '0);
      denormal_reciprocal = ~d_number.nan & (d_i > ReciprocalLimit);
      // Quotients below 2^Lowest that round to it, of single precision: (2 - 2^-23) * 2^-127, halfway between the
      // largest denormal and 2^-126, and (1 - 2^-23 or less) * 2^-126. Results that are flushed have a bit more, and
      // none of the quotients is as close.
      exp_difference = n_number.exp - d_number.exp;
      away           = (round_i == fpu_pkg::RoundUp & n_number.sign == d_number.sign) |
                       (round_i == fpu_pkg::RoundDown & n_number.sign != d_number.sign);
      reaches_normal = 1'b0;
      if (exp_difference == Lowest - Exp'(1)) begin
        reaches_normal = (round_i == fpu_pkg::RoundNearest | away) & (&n_number.sig) &
                         (d_number.sig == {1'b1, {(Sig - 1){1'b0}}});
      end else if (exp_difference == Lowest) begin
        reaches_normal = away & (n_number.sig + Sig'(1) == d_number.sig);
      end
      denormal_quotient = ($signed(exp_difference) < $signed(Lowest)) |
                          ((exp_difference == Lowest) & (n_number.sig < d_number.sig));
      if (reaches_normal & keep_small_i) denormal_quotient = 1'b0;
      if (d_number.inf) denormal_quotient = 1'b1;
      if (n_number.inf | n_number.nan | d_number.nan) denormal_quotient = 1'b0;
      undefined_o = n_number.zero | d_number.zero;
      flag_o      = ~undefined_o & (huge_quotient | (~denormal_divisor & denormal_quotient));
      up_o   = 1'b0;
      down_o = 1'b0;
      if (huge_quotient) begin
        up_o = x_is_d_i;
      end else if (denormal_divisor) begin
        up_o = 1'b1;
      end else if (denormal_reciprocal) begin
        down_o = ~denormal_quotient | x_is_d_i;
      end else if (denormal_quotient) begin
        up_o = x_is_n_i;
      end else begin
        up_o = tiny_numerator;
      end
    end
  end

endmodule
