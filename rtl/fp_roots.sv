// A square root, a reciprocal, or the reciprocal of the rounded square root, as an exact result.
//
// Combinational. (ISA document, chapter 12, V_SQRT_F64, V_RCP_F64, V_RSQ_F64)
module fp_roots #(
  parameter int unsigned Field = 11,  // bits of the exponent field,
  parameter int unsigned Exp   = 13,  // of the exponent
  parameter int unsigned Sig   = 53   // and of the significand
) (
  input  logic               root_i,     // with neither, nothing is computed, and all outputs are 0
  input  logic               inverse_i,
  input  logic [Exp+Sig+3:0] x_i,        // fpu_pkg::number_t, in the format's widths
  input  logic [1:0]         round_i,
  output logic [Exp+Sig+2:0] exact_o,    // fpu_pkg::exact_t
  output logic               inf_o,      // infinity, of exact_o's sign
  output logic               nan_o       // the root's source is a NaN or below zero
);

  logic [Exp+Sig+2:0]   root, inverse;
  logic                 root_inf, inverse_inf;
  logic [Field+Sig-1:0] rounded;
  logic [Exp+Sig+3:0]   root_number, inverted;

  fp_square_root #(.Exp(Exp), .Sig(Sig)) u_square_root (
    .en_i(root_i), .x_i, .exact_o(root), .inf_o(root_inf), .nan_o
  );
  // A root is never denormal.
  fp_round #(.Field(Field), .Exp(Exp), .Sig(Sig)) u_round (
    .en_i(root_i & inverse_i), .exact_i(root), .inf_i(root_inf), .round_i, .flush_i(1'b0), .result_o(rounded)
  );
  fp_unpack #(.Field(Field), .Exp(Exp), .Sig(Sig)) u_unpack (
    .en_i(root_i & inverse_i), .bits_i(rounded), .flush_i(1'b0), .number_o(root_number)
  );
  always_comb begin
    inverted = '0;
    if (inverse_i) inverted = root_i ? root_number : x_i;
  end
  fp_reciprocal #(.Exp(Exp), .Sig(Sig)) u_reciprocal (
    .en_i(inverse_i), .x_i(inverted), .exact_o(inverse), .inf_o(inverse_inf)
  );

  always_comb begin
    exact_o = '0;
    inf_o   = '0;
    if (inverse_i) begin
      exact_o = inverse;
      inf_o   = inverse_inf;
    end else if (root_i) begin
      exact_o = root;
      inf_o   = root_inf;
    end
  end

endmodule
