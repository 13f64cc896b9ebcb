// SPDX-License-Identifier: Apache-2.0
// Reduces an argument in turns to a quarter turn, for sine and cosine. Combinational.
//
// The sine of a turn's part: of its half, mirrored at the quarter; the cosine is that of a quarter turn less. Everything is
// exact but what a small argument of a cosine has below 2^-32, and `place_o` of a sine. Beyond 256 turns the argument
// counts as zero (GCN3 ISA, V_SIN_F32).
module valu_trans_turn (
  input  logic             en_i,    // 0: nothing is computed, all outputs are 0
  input  logic             cos_i,
  input  fpu_pkg::number_t x_i,     // finite
  output logic             sign_o,
  output logic             zero_o,  // the result is 0
  output logic             one_o,   // ... is 1
  output logic [30:0]      sig_o,   // the reduced argument: bit 30, which is set, has the weight 2^exp
  output logic [9:0]       exp_o,
  output logic [29:0]      place_o  // the same in units of 2^-32
);

  localparam logic [31:0] Quarter = 32'h4000_0000;

  logic        whole, first_quarter, second;
  logic [9:0]  down;
  logic [31:0] turn, half, place;
  always_comb begin
    whole         = '0;
    first_quarter = '0;
    second        = '0;
    down          = '0;
    turn          = '0;
    half          = '0;
    place         = '0;
    sign_o        = '0;
    if (en_i) begin
      whole         = x_i.zero || $signed(x_i.exp) >= 10'sd8;
      first_quarter = $signed(x_i.exp) < -10'sd2;  // below 1/4
      down          = -10'd1 - x_i.exp;  // of a number below 1: how far its first bit is below 1/2
      if (whole) turn = '0;
      else if (!x_i.exp[9]) turn = {x_i.sig, 8'd0} << (x_i.exp[3:0] + 4'd1);
      else if (down < 10'd32) turn = {x_i.sig, 8'd0} >> down[4:0];
      if (cos_i) begin
        half   = turn[31] ? -turn : turn;
        second = half > Quarter;
        place  = Quarter - (second ? {1'b1, 31'd0} - half : half);
        sign_o = second;
      end
      else begin
        second = turn[31];
        half   = {1'b0, turn[30:0]};
        place  = half > Quarter ? {1'b1, 31'd0} - half : half;
        sign_o = x_i.sign ^ second;
      end
    end
  end

  logic [30:0] normalised;
  logic [4:0]  lead;
  fp_normalise #(
    .Width (31),
    .Stages(5)
  ) u_normalise (
    .en_i   (en_i),
    .value_i(place[30:0]),
    .value_o(normalised),
    .count_o(lead)
  );

  always_comb begin
    zero_o  = '0;
    one_o   = '0;
    sig_o   = '0;
    exp_o   = '0;
    place_o = '0;
    if (en_i) begin
      one_o   = place == Quarter;
      zero_o  = cos_i || !first_quarter ? place == '0 : whole;
      sig_o   = normalised;
      exp_o   = -10'd2 - {5'd0, lead};
      place_o = place[29:0];
      // The argument of a sine below a quarter is the number itself, with all of its bits.
      if (!cos_i && first_quarter) begin
        sig_o = {x_i.sig, 7'd0};
        exp_o = x_i.exp;
      end
    end
  end

  logic unused_nan;
  assign unused_nan = ^{x_i.inf, x_i.nan, place[31]};

endmodule
