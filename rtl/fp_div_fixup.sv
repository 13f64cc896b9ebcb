// The last touch to a quotient: sign, and the special cases of n / d.
//
// Combinational. A quotient that is a NaN although neither operand is special comes from steps on an overflowed
// estimate: infinity. (ISA document, chapter 12, V_DIV_FIXUP_F32)
module fp_div_fixup (
  input  logic        en_i,        // 0: nothing is computed, all outputs are 0
  input  logic [30:0] quotient_i,  // magnitude
  input  logic [31:0] d_i,
  input  logic [31:0] n_i,
  input  logic        flush_i,     // denormals count as zero
  output logic [31:0] result_o
);

  logic       sign;
  logic [9:0] field_difference;
  logic       underflows;
  logic       d_zero, n_zero, d_inf, n_inf;

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
      sign             = d_i[31] ^ n_i[31];
      field_difference = {2'b00, n_i[30:23]} - {2'b00, d_i[30:23]};
      underflows       = $signed(field_difference) < -10'sd150;
      d_zero = (d_i[30:23] == '0) & (flush_i | (d_i[22:0] == '0));
      n_zero = (n_i[30:23] == '0) & (flush_i | (n_i[22:0] == '0));
      d_inf  = d_i[30:0] == 31'h7f800000;
      n_inf  = n_i[30:0] == 31'h7f800000;
      result_o = {sign, quotient_i};
      if (quotient_i > 31'h7f800000) result_o = {sign, 31'h7f800000};
      if (underflows | d_inf | n_zero) result_o = {sign, 31'd0};
      if (d_zero | n_inf) result_o = {sign, 31'h7f800000};
      if ((d_zero & n_zero) | (d_inf & n_inf)) result_o = 32'hffc00000;
      if (d_i[30:0] > 31'h7f800000) result_o = d_i | 32'h00400000;
      if (n_i[30:0] > 31'h7f800000) result_o = n_i | 32'h00400000;
    end
  end

endmodule
