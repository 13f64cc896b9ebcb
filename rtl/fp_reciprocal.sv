// 1 / x as an exact result.
//
// Combinational: long division, a bit of the quotient after the other, with one more than the significand needs for
// quotients below 1 and one for the guard. What remains is sticky. (ISA document, chapter 12, V_RCP_F64)
module fp_reciprocal #(
  parameter int unsigned Exp = 13,  // bits of the exponent
  parameter int unsigned Sig = 53   // and of the significand
) (
  input  logic               en_i,     // 0: nothing is computed, all outputs are 0
  input  logic [Exp+Sig+3:0] x_i,      // fpu_pkg::number_t, in the format's widths
  output logic [Exp+Sig+2:0] exact_o,  // fpu_pkg::exact_t
  output logic               inf_o     // infinity, of exact_o's sign
);

  typedef struct packed {
    logic           sign;
    logic           zero;
    logic           inf;
    logic           nan;
    logic [Exp-1:0] exp;
    logic [Sig-1:0] sig;
  } number_t;

  number_t        x;
  logic [Sig+1:0] quotient;  // of 2^(Sig + 1) and the significand: 1, or less than 1 with the top bit 0
  logic [Sig:0]   remainder;

  assign x = x_i;

  always_comb begin
    quotient  = '0;
    remainder = '0;
    exact_o   = '0;
    inf_o     = '0;
    if (en_i) begin
      remainder = {2'b01, {(Sig - 1){1'b0}}};
      for (int unsigned k = 0; k < Sig + 2; k++) begin
        quotient = quotient << 1;
        if (remainder >= {1'b0, x.sig}) begin
          remainder   = remainder - {1'b0, x.sig};
          quotient[0] = 1'b1;
        end
        remainder = remainder << 1;
      end
      if (quotient[Sig+1]) exact_o = {x.sign, -x.exp, quotient[Sig+1:2], quotient[1], quotient[0] | remainder != '0};
      else exact_o = {x.sign, -x.exp - Exp'(1), quotient[Sig:1], quotient[0], remainder != '0};
      if (x.inf) exact_o = {x.sign, {(Exp + Sig + 2){1'b0}}};
      inf_o = x.zero;
    end
  end

  logic unused_nan;
  assign unused_nan = x.nan;

endmodule
