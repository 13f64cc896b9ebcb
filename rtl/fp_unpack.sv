// Takes a single-precision number apart (fpu_pkg::number_t); denormals come out normalised, or as zero where flushed.
//
// Combinational. (ISA document, 3.6 "Mode Register", FP_DENORM: input denormals)
module fp_unpack (
  input  logic [31:0]      bits_i,
  input  logic             flush_i,  // denormals count as zero
  output fpu_pkg::number_t number_o
);

  logic        field_zero, field_ones, fraction_zero, zero;
  logic [23:0] sig;
  logic [4:0]  lead;

  assign field_zero    = bits_i[30:23] == 8'h00;
  assign field_ones    = bits_i[30:23] == 8'hff;
  assign fraction_zero = bits_i[22:0] == '0;
  assign zero          = field_zero & (fraction_zero | flush_i);

  fp_normalise #(.Width(24), .Stages(5)) u_normalise (
    .value_i({~field_zero, bits_i[22:0]}),
    .value_o(sig),
    .count_o(lead)
  );

  assign number_o.sign = bits_i[31];
  assign number_o.zero = zero;
  assign number_o.inf  = field_ones & fraction_zero;
  assign number_o.nan  = field_ones & ~fraction_zero;
  assign number_o.exp  = (field_zero ? -10'd126 : {2'b00, bits_i[30:23]} - 10'd127) - {5'd0, lead};
  assign number_o.sig  = zero ? '0 : sig;

endmodule
