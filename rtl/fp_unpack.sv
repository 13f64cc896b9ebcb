// Takes a single-precision number apart (fpu_pkg::number_t); denormals come out normalised, or as zero where flushed.
//
// Combinational. (ISA document, 3.6 "Mode Register", FP_DENORM: input denormals)
module fp_unpack (
  input  logic             en_i,     // 0: nothing is computed, all outputs are 0
  input  logic [31:0]      bits_i,
  input  logic             flush_i,  // denormals count as zero
  output fpu_pkg::number_t number_o
);

  logic        field_zero, field_ones, fraction_zero, zero;
  logic [23:0] sig;
  logic [4:0]  lead;

  always_comb begin
    field_zero    = '0;
    field_ones    = '0;
    fraction_zero = '0;
    zero          = '0;
    if (en_i) begin
      field_zero    = bits_i[30:23] == 8'h00;
      field_ones    = bits_i[30:23] == 8'hff;
      fraction_zero = bits_i[22:0] == '0;
      zero          = field_zero & (fraction_zero | flush_i);
    end
  end

  fp_normalise #(.Width(24), .Stages(5)) u_normalise (
    .en_i(en_i & field_zero),  // all others have their top bit set
    .value_i({1'b0, bits_i[22:0]}),
    .value_o(sig),
    .count_o(lead)
  );

  always_comb begin
    number_o = '0;
    if (en_i) begin
      number_o.sign = bits_i[31];
      number_o.zero = zero;
      number_o.inf  = field_ones & fraction_zero;
      number_o.nan  = field_ones & ~fraction_zero;
      number_o.exp  = (field_zero ? -10'd126 : {2'b00, bits_i[30:23]} - 10'd127) - {5'd0, lead};
      number_o.sig  = zero ? '0 : field_zero ? sig : {1'b1, bits_i[22:0]};
    end
  end

endmodule
