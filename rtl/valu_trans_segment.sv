// Quadratic interpolation on a segment of the transcendentals' table. Combinational.
//
// c0 + c1 z + c2 z^2, z = d / 2^23; the square is of the upper 15 bits of z. Coefficients are magnitudes: c1 of a falling
// function is negative, and c2 has its sign if `same_i` says so. c1 and c2 count halves of c0's last place. What the
// products have below the last place is cut.
module valu_trans_segment (
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

  logic [31:0] square;
  logic [24:0] slope;
  logic [47:0] rest;
  always_comb begin
    square  = '0;
    slope   = '0;
    rest    = '0;
    value_o = '0;
    if (en_i) begin
      square  = {15'd0, c2} * {17'd0, d_i[22:8]};
      slope   = same_i ? c1 + {8'd0, square[31:15]} : c1 - {8'd0, square[31:15]};
      rest    = {23'd0, slope} * {25'd0, d_i};
      value_o = falling_i ? c0 - {7'd0, rest[47:24]} : c0 + {7'd0, rest[47:24]};
    end
  end

  logic unused_below;
  assign unused_below = ^{square[14:0], rest[23:0]};

endmodule
