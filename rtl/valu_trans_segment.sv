// SPDX-License-Identifier: Apache-2.0
// Quadratic interpolation on a segment of the transcendentals' table, with registers behind the table and behind the slope
// where these are asked for; without, combinational.
//
// c0 + c1 z + c2 z^2, z = d / 2^23; the square is of the upper 15 bits of z. Coefficients are magnitudes: c1 of a falling
// function is negative, and c2 has its sign if `same_i` says so. c1 and c2 count halves of c0's last place. What the
// products have below the last place is cut.
module valu_trans_segment #(
  parameter int unsigned CutTable = 0,  // 1: registers
  parameter int unsigned CutSlope = 0
) (
  input  logic        clk_i,
  input  logic        en_i,       // 0: nothing is computed, all outputs are 0
  input  logic [8:0]  row_i,
  input  logic [22:0] d_i,
  input  logic        falling_i,
  input  logic        same_i,
  output logic [30:0] value_o
);

  logic [30:0] c0;
  logic [24:0] c1;
  logic [16:0] c2;
  valu_trans_table u_table (
    .en_i,
    .row_i,
    .c0_o(c0),
    .c1_o(c1),
    .c2_o(c2)
  );

  logic        en_1, falling_1, same_1;
  logic [22:0] d_1;
  logic [30:0] c0_1;
  logic [24:0] c1_1;
  logic [16:0] c2_1;
  fp_cut #(.Width(99), .Count(CutTable)) u_table_1 (
    .clk_i, .d_i({en_i, falling_i, same_i, d_i, c0, c1, c2}), .q_o({en_1, falling_1, same_1, d_1, c0_1, c1_1, c2_1})
  );

  logic [31:0] square;
  logic [24:0] slope;
  always_comb begin
    square = '0;
    slope  = '0;
    if (en_1) begin
      square = {15'd0, c2_1} * {17'd0, d_1[22:8]};
      slope  = same_1 ? c1_1 + {8'd0, square[31:15]} : c1_1 - {8'd0, square[31:15]};
    end
  end

  logic        en_2, falling_2;
  logic [22:0] d_2;
  logic [30:0] c0_2;
  logic [24:0] slope_2;
  fp_cut #(.Width(81), .Count(CutSlope)) u_slope_2 (
    .clk_i, .d_i({en_1, falling_1, d_1, c0_1, slope}), .q_o({en_2, falling_2, d_2, c0_2, slope_2})
  );

  logic [47:0] rest;
  always_comb begin
    rest    = '0;
    value_o = '0;
    if (en_2) begin
      rest    = {23'd0, slope_2} * {25'd0, d_2};
      value_o = falling_2 ? c0_2 - {7'd0, rest[47:24]} : c0_2 + {7'd0, rest[47:24]};
    end
  end

  logic unused_below;
  assign unused_below = ^{square[14:0], rest[23:0]};

endmodule
