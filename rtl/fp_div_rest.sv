// SPDX-License-Identifier: Apache-2.0
// What the quotient of a division step lacks: the sign of a * b + (c - r), rounded to nearest, where r is a * b + c
// rounded. It decides how a quotient scaled down to a denormal rounds where r lies halfway between two denormals.
//
// Combinational. Only its sign is needed, so instead of a third adder there is a comparison with the product. Asked for
// nothing but halfway cases, it relies on what they have in common. Of single precision: r is an odd multiple of 2^-86
// below 2^-62, c - r is zero or at least 2^-110, and neither overflows. Of double precision: 2^-947, 2^-894, 2^-1000.
// (ISA document, chapter 12, V_DIV_FMAS_F32)
module fp_div_rest #(
  parameter int unsigned Field = 8,   // bits of the exponent field,
  parameter int unsigned Exp   = 10,  // of the exponent
  parameter int unsigned Sig   = 24   // and of the significand
) (
  input  logic               en_i,            // 0: nothing is computed, all outputs are 0
  input  logic [2*Sig-1:0]   product_i,       // a * b, lowest bit 2^(product_exp_i - 2 * Sig + 2)
  input  logic [Exp-1:0]     product_exp_i,
  input  logic               product_sign_i,
  input  logic [Exp+Sig+2:0] difference_i,    // c - r before rounding, an fpu_pkg::exact_t; a sig of zero is zero
  output logic               nonzero_o,
  output logic               sign_o
);

  // The smallest denormal is 2^(1 - Least), and half of it rounds to zero.
  localparam int unsigned Least = (1 << (Field - 1)) + Sig - 2;

  `include "fp_number.svh"

  exact_t difference;
  assign difference = difference_i;

  // The difference rounded to Sig bits, and the product with its top bit set; both times 2^(exp - 2 * Sig + 1).
  logic [Sig:0]     rounded;
  logic [2*Sig-1:0] t, p;
  logic [Exp-1:0]   t_exp, p_exp, above;
  logic             t_zero, p_zero;
  // Where the magnitudes may be nearly the same: both times 2^(t_exp - 2 * Sig), and their difference. (A product with a
  // larger exponent is larger by a place of the difference at least.)
  logic [2*Sig:0]   p_near;
  logic [2*Sig+1:0] near, near_magnitude;
  logic             is_near;
  logic             exact;  // even a difference of 1 counts
  logic [Exp-1:0]   limit;  // the difference rounds to zero up to 2^-Least, which is 2^limit here

  always_comb begin
    rounded        = '0;
    t              = '0;
    t_exp          = '0;
    t_zero         = '0;
    p              = '0;
    p_exp          = '0;
    p_zero         = '0;
    above          = '0;
    is_near        = '0;
    p_near         = '0;
    near           = '0;
    near_magnitude = '0;
    limit          = '0;
    exact          = '0;
    nonzero_o      = '0;
    sign_o         = '0;
    if (en_i) begin
      rounded = {1'b0, difference.sig} +
                (Sig + 1)'(fpu_pkg::rounds_away(fpu_pkg::RoundNearest, 1'b0, difference.sig[0], difference.guard,
                                                difference.sticky));
      t       = rounded[Sig] ? {1'b1, {(2 * Sig - 1){1'b0}}} : {rounded[Sig-1:0], {Sig{1'b0}}};
      t_exp   = difference.exp + Exp'(rounded[Sig]);
      t_zero  = difference.sig == '0;
      p      = product_i[2*Sig-1] ? product_i : {product_i[2*Sig-2:0], 1'b0};
      p_exp  = product_exp_i + Exp'(product_i[2*Sig-1]);
      p_zero = product_i == '0;
      above   = p_exp - t_exp;
      is_near = (above == '1) | (above == '0);
      p_near  = above[0] ? {1'b0, p} : {p, 1'b0};
      near    = {1'b0, p_near} - {1'b0, t, 1'b0};
      near_magnitude = near[2*Sig+1] ? -near : near;
      limit   = Exp'(2 * Sig) - Exp'(Least) - t_exp;
      exact   = limit[Exp-1] | (limit > Exp'(31));  // beyond 31 it is no halfway case
      nonzero_o = 1'b1;
      sign_o    = difference.sign;
      if (p_zero) begin
        nonzero_o = ~t_zero;
      end else if (t_zero) begin
        sign_o    = product_sign_i;
        nonzero_o = ($signed(p_exp) > -$signed(Exp'(Least))) |
                    ((p_exp == -Exp'(Least)) & (p[2*Sig-2:0] != '0));
      end else if (is_near & (product_sign_i != difference.sign)) begin
        sign_o    = near[2*Sig+1] ? difference.sign : product_sign_i;
        nonzero_o = exact ? near_magnitude != '0 : near_magnitude > ((2 * Sig + 2)'(1) << limit[4:0]);
      end else if ($signed(above) > $signed(Exp'(0))) begin
        sign_o    = product_sign_i;
      end
    end
  end

endmodule
