// The square root as an exact result.
//
// Combinational: a bit of the root after the other, with one more than the significand has for the guard. What remains
// is sticky. (ISA document, chapter 12, V_SQRT_F64)
module fp_square_root #(
  parameter int unsigned Exp = 13,  // bits of the exponent
  parameter int unsigned Sig = 53   // and of the significand
) (
  input  logic               en_i,     // 0: nothing is computed, all outputs are 0
  input  logic [Exp+Sig+3:0] x_i,      // fpu_pkg::number_t, in the format's widths
  output logic [Exp+Sig+2:0] exact_o,  // fpu_pkg::exact_t
  output logic               inf_o,
  output logic               nan_o     // the source is a NaN or below zero
);

  typedef struct packed {
    logic           sign;
    logic           zero;
    logic           inf;
    logic           nan;
    logic [Exp-1:0] exp;
    logic [Sig-1:0] sig;
  } number_t;

  number_t          x;
  logic [2*Sig+1:0] radicand;   // the significand, doubled where the exponent is odd, and zeros: two bits a step
  logic [Sig:0]     root;
  logic [Sig+2:0]   remainder;  // at most twice the root, and the next two bits
  logic [Sig+2:0]   trial;

  assign x = x_i;

  always_comb begin
    radicand  = '0;
    root      = '0;
    remainder = '0;
    trial     = '0;
    exact_o   = '0;
    inf_o     = '0;
    nan_o     = '0;
    if (en_i) begin
      radicand = x.exp[0] ? {x.sig, {(Sig + 2){1'b0}}} : {1'b0, x.sig, {(Sig + 1){1'b0}}};
      for (int unsigned k = 0; k < Sig + 1; k++) begin
        remainder = {remainder[Sig:0], radicand[2*Sig+1:2*Sig]};
        radicand  = radicand << 2;
        trial     = {root, 2'b01};
        root      = root << 1;
        if (remainder >= trial) begin
          remainder = remainder - trial;
          root[0]   = 1'b1;
        end
      end
      // Half of the exponent, rounded down.
      exact_o = {x.sign, x.exp[Exp-1], x.exp[Exp-1:1], root[Sig:1], root[0], remainder != '0};
      inf_o   = x.inf;
      nan_o   = x.nan | (x.sign & ~x.zero);
    end
  end

endmodule
