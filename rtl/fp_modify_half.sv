// SPDX-License-Identifier: Apache-2.0
// What happens to a half-precision result: denormals flushed, then the output modifiers: times 2, 4 or 1/2, limited to
// [0, 1].
//
// Combinational. Scaling is for results that flush denormals, outside IEEE mode; a denormal that it makes itself is
// rounded and stays, and -0 becomes +0. (ISA document, 6.2.2 "Output Modifiers")
module fp_modify_half (
  input  logic                  en_i,     // 0: nothing is computed, all outputs are 0
  input  logic [15:0]           value_i,
  input  fpu_pkg::result_mode_t mode_i,
  input  logic                  flush_i,  // a denormal value becomes zero: minima and maxima are no arithmetic, theirs do not
  output logic [15:0]           result_o
);

  logic        scales, nan;
  logic [15:0] flushed, scaled;
  logic [5:0]  field;    // exponent field of the product, plus 1
  logic [10:0] halved;
  logic [11:0] shifted;  // a denormal's product, in units of the smallest one

  always_comb begin
    scales   = '0;
    flushed  = '0;
    nan      = '0;
    field    = '0;
    halved   = '0;
    shifted  = '0;
    scaled   = '0;
    result_o = '0;
    if (en_i) begin
      scales  = ~mode_i.ieee & ~mode_i.denorm[1] & (mode_i.omod != 2'd0);
      flushed = (flush_i & (value_i[14:10] == '0)) ? {value_i[15], 15'd0} : value_i;
      nan     = value_i[14:0] > 15'h7c00;
      field   = {1'b0, value_i[14:10]} + ((mode_i.omod == 2'd1) ? 6'd2 : (mode_i.omod == 2'd2) ? 6'd3 : 6'd0);
      halved  = {1'b0, value_i[14:10] != '0, value_i[9:1]} +
                {10'd0, fpu_pkg::rounds_away(mode_i.round, value_i[15], value_i[1], value_i[0], 1'b0)};
      shifted = (mode_i.omod == 2'd1) ? {1'b0, value_i[9:0], 1'b0} : {value_i[9:0], 2'b00};
      scaled = flushed;
      if (scales & nan) begin
        scaled[9] = 1'b1;
      end else if (scales & (value_i[14:10] != 5'h1f)) begin
        if (value_i[14:10] == '0) begin
          // As a pattern, a denormal or a number with the first exponent is its product.
          scaled = {value_i[15], 3'd0, shifted};
          if (shifted[11]) scaled = {value_i[15], 5'd2, shifted[10:1]};
          if (mode_i.omod == 2'd3) scaled = {value_i[15], 4'd0, halved};
          if (flushed[9:0] == '0 | scaled[14:0] == '0) scaled = '0;
        end else if (field >= 6'd32) begin
          scaled = {value_i[15], fpu_pkg::overflows_to_infinity(mode_i.round, value_i[15]) ? 15'h7c00 : 15'h7bff};
        end else if (field == 6'd1) begin
          scaled = {value_i[15], 4'd0, halved};
        end else begin
          scaled = {value_i[15], field[4:0] - 5'd1, value_i[9:0]};
        end
      end
      result_o = scaled;
      if (mode_i.clamp) begin
        if (nan) begin
          if (mode_i.dx10_clamp) result_o = '0;
        end else if (scaled[15]) begin
          result_o = '0;
        end else if (scaled[14:0] >= 15'h3c00) begin
          result_o = 16'h3c00;
        end
      end
    end
  end

  logic unused_denorm;
  assign unused_denorm = mode_i.denorm[0];

endmodule
