// SPDX-License-Identifier: Apache-2.0
// The last step of a division: the quotient, rounded, times a power of two, as an exact result.
//
// Combinational. One scaled down to a denormal is to be rounded once: what the first rounding lost or added is put below
// its last bit again. (Rounding twice in a direction is rounding once.) (ISA document, chapter 12, V_DIV_FMAS_F32)
module fp_div_fmas #(
  parameter int unsigned Field = 8,   // bits of the exponent field,
  parameter int unsigned Exp   = 10,  // of the exponent
  parameter int unsigned Sig   = 24,  // and of the significand
  parameter int unsigned Scale = 64   // the power of two
) (
  input  logic               en_i,            // 0: nothing is computed, all outputs are 0
  input  logic [Exp+Sig+3:0] first_i,         // a * b + c, rounded: fpu_pkg::number_t, in the format's widths
  input  logic [2*Sig-1:0]   product_i,       // a * b, lowest bit 2^(product_exp_i - 2 * Sig + 2)
  input  logic [Exp-1:0]     product_exp_i,
  input  logic               product_sign_i,
  input  logic [Exp+Sig+2:0] difference_i,    // c - first_i before rounding: fpu_pkg::exact_t
  input  logic               large_i,         // scaled upwards
  input  logic               once_i,          // it matters that it is rounded once: to nearest, with denormals
  output logic [Exp+Sig+2:0] exact_o,
  output logic               inf_o            // infinity, of exact_o's sign
);

  `include "fp_number.svh"

  number_t first;
  exact_t  exact;
  logic    rest_nonzero, rest_sign;
  assign first = first_i;

  fp_div_rest #(.Field(Field), .Exp(Exp), .Sig(Sig)) u_rest (
    .en_i, .product_i, .product_exp_i, .product_sign_i, .difference_i, .nonzero_o(rest_nonzero), .sign_o(rest_sign)
  );

  always_comb begin
    exact = '0;
    inf_o = '0;
    if (en_i) begin
      exact.sign = first.sign;
      exact.exp  = large_i ? first.exp + Exp'(Scale) : first.exp - Exp'(Scale);
      exact.sig  = first.sig;
      inf_o      = first.inf;
      if (rest_nonzero & ~first.zero & once_i) begin
        exact.sticky = 1'b1;
        if (rest_sign != first.sign) begin
          exact.sig   = first.sig - Sig'(1);
          exact.guard = 1'b1;
        end
      end
    end
  end
  assign exact_o = exact;

  logic unused_nan;
  assign unused_nan = first.nan;

endmodule
