// A whole number times a power of two, as an exact result: magnitude * 2^scale.
//
// Combinational. (ISA document, chapter 12, V_CVT_F32_U32 and others)
module fp_from_int (
  input  logic             sign_i,
  input  logic [31:0]      magnitude_i,
  input  logic [9:0]       scale_i,   // signed
  output fpu_pkg::exact_t  exact_o
);

  logic [31:0] normal;
  logic [4:0]  lead;

  fp_normalise #(.Width(32), .Stages(5)) u_normalise (
    .value_i(magnitude_i),
    .value_o(normal),
    .count_o(lead)
  );

  assign exact_o.sign   = sign_i;
  assign exact_o.exp    = 10'd31 + scale_i - {5'd0, lead};
  assign exact_o.sig    = normal[31:8];
  assign exact_o.guard  = normal[7];
  assign exact_o.sticky = normal[6:0] != '0;

endmodule
