// A whole number times a power of two, as an exact result: magnitude * 2^scale.
//
// Combinational. (ISA document, chapter 12, V_CVT_F32_U32 and others)
module fp_from_int (
  input  logic             en_i,      // 0: nothing is computed, all outputs are 0
  input  logic             sign_i,
  input  logic [31:0]      magnitude_i,
  input  logic [9:0]       scale_i,   // signed
  output fpu_pkg::exact_t  exact_o
);

  logic [31:0] normal;
  logic [4:0]  lead;

  fp_normalise #(.Width(32), .Stages(5)) u_normalise (
    .en_i,
    .value_i(magnitude_i),
    .value_o(normal),
    .count_o(lead)
  );

  always_comb begin
    exact_o = '0;
    if (en_i) begin
      exact_o.sign   = sign_i;
      exact_o.exp    = 10'd31 + scale_i - {5'd0, lead};
      exact_o.sig    = normal[31:8];
      exact_o.guard  = normal[7];
      exact_o.sticky = normal[6:0] != '0;
    end
  end

endmodule
