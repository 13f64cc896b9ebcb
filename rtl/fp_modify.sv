// The output modifiers of a single-precision result: times 2, 4 or 1/2, then limited to [0, 1].
//
// Combinational. Scaling is for results that flush denormals, outside IEEE mode; there -0 becomes +0, and nothing has
// to be rounded, since what would have to is flushed. (ISA document, 6.2.2 "Output Modifiers")
module fp_modify (
  input  logic        en_i,          // 0: nothing is computed, all outputs are 0
  input  logic [31:0] value_i,
  input  logic [1:0]  omod_i,
  input  logic        clamp_i,
  input  logic        ieee_i,
  input  logic        dx10_clamp_i,  // the clamp makes NaN zero
  input  logic [1:0]  round_i,
  input  logic [1:0]  denorm_i,      // bit 0: denormal inputs are kept, bit 1: denormal results are
  output logic [31:0] result_o
);

  logic        scales, denormal, nan;
  logic [24:0] shifted;  // a denormal's product, in units of the smallest denormal
  logic [8:0]  field;    // exponent field of a normal number's product, plus 1
  logic [31:0] scaled;

  always_comb begin
    scales   = '0;
    denormal = '0;
    nan      = '0;
    shifted  = '0;
    field    = '0;
    scaled   = '0;
    result_o = '0;
    if (en_i) begin
      scales   = ~ieee_i & ~denorm_i[1] & (omod_i != 2'd0);
      denormal = value_i[30:23] == '0;
      nan      = value_i[30:0] > 31'h7f800000;
      shifted = (omod_i == 2'd2) ? {value_i[22:0], 2'b00} : {1'b0, value_i[22:0], 1'b0};
      field   = {1'b0, value_i[30:23]} + ((omod_i == 2'd1) ? 9'd2 : (omod_i == 2'd2) ? 9'd3 : 9'd0);
      scaled = value_i;
      if (scales) begin
        if (nan) begin
          scaled = value_i | 32'h00400000;
        end else if (value_i[30:23] == 8'hff) begin
          scaled = value_i;
        end else if (denormal) begin
          // Half a denormal is one; twice or four times it may be a normal number.
          scaled = '0;
          if (denorm_i[0] & (omod_i != 2'd3)) begin
            if (shifted[24]) scaled = {value_i[31], 8'd2, shifted[23:1]};
            else if (shifted[23]) scaled = {value_i[31], 8'd1, shifted[22:0]};
          end
        end else if (field >= 9'd256) begin
          scaled = {value_i[31],
                    fpu_pkg::overflows_to_infinity(round_i, value_i[31]) ? 31'h7f800000 : 31'h7f7fffff};
        end else if (field <= 9'd1) begin
          scaled = '0;
        end else begin
          scaled = {value_i[31], field[7:0] - 8'd1, value_i[22:0]};
        end
      end
      result_o = scaled;
      if (clamp_i) begin
        if (nan) begin
          if (dx10_clamp_i) result_o = '0;
        end else if (scaled[31] | (~denorm_i[0] & (scaled[30:23] == '0))) begin
          result_o = '0;
        end else if (scaled >= 32'h3f800000) begin
          result_o = 32'h3f800000;
        end
      end
    end
  end

endmodule
