// SPDX-License-Identifier: Apache-2.0
// The last touch to a quotient: sign, and the special cases of n / d.
//
// Combinational. A quotient that is a NaN although neither operand is special comes from steps on an overflowed
// estimate: infinity. (ISA document, chapter 12, V_DIV_FIXUP_F32)
module fp_div_fixup #(
  parameter int unsigned Field      = 8,   // bits of the exponent field
  parameter int unsigned Sig        = 24,  // and of the significand
  parameter bit          Underflows = 1    // exponents far enough apart make the quotient zero, whatever it is
) (
  input  logic                 en_i,        // 0: nothing is computed, all outputs are 0
  input  logic [Field+Sig-2:0] quotient_i,  // magnitude
  input  logic [Field+Sig-1:0] d_i,
  input  logic [Field+Sig-1:0] n_i,
  input  logic                 flush_i,     // denormals count as zero
  output logic [Field+Sig-1:0] result_o
);

  localparam int unsigned Sign = Field + Sig - 1;
  localparam int unsigned Bias = (1 << (Field - 1)) - 1;
  localparam logic [Sign:0]   Quiet    = {{(Field + 1){1'b0}}, 1'b1, {(Sig - 2){1'b0}}};
  localparam logic [Sign-1:0] Infinity = {{Field{1'b1}}, {(Sig - 1){1'b0}}};

  logic             sign;
  logic [Field+1:0] field_difference;
  logic             underflows;
  logic             d_zero, n_zero, d_inf, n_inf;

  always_comb begin
    sign             = '0;
    field_difference = '0;
    underflows       = '0;
    d_zero           = '0;
    n_zero           = '0;
    d_inf            = '0;
    n_inf            = '0;
    result_o         = '0;
    if (en_i) begin
      sign             = d_i[Sign] ^ n_i[Sign];
      field_difference = {2'b00, d_i[Sign-1:Sig-1]} - {2'b00, n_i[Sign-1:Sig-1]};
      underflows       = Underflows & ~field_difference[Field+1] & (field_difference > (Field + 2)'(Bias + Sig - 1));
      d_zero = (d_i[Sign-1:Sig-1] == '0) & (flush_i | (d_i[Sig-2:0] == '0));
      n_zero = (n_i[Sign-1:Sig-1] == '0) & (flush_i | (n_i[Sig-2:0] == '0));
      d_inf  = d_i[Sign-1:0] == Infinity;
      n_inf  = n_i[Sign-1:0] == Infinity;
      result_o = {sign, quotient_i};
      if (quotient_i > Infinity) result_o = {sign, Infinity};
      if (underflows | d_inf | n_zero) result_o = {sign, {Sign{1'b0}}};
      if (d_zero | n_inf) result_o = {sign, Infinity};
      if ((d_zero & n_zero) | (d_inf & n_inf)) result_o = {1'b1, Infinity} | Quiet;
      if (d_i[Sign-1:0] > Infinity) result_o = d_i | Quiet;
      if (n_i[Sign-1:0] > Infinity) result_o = n_i | Quiet;
    end
  end

endmodule
