// A number rounded to half precision, denormal results included. A NaN keeps the upper part of its payload.
//
// Combinational. (ISA document, chapter 12, V_CVT_F16_F32, V_CVT_PKRTZ_F16_F32)
module fp_to_half (
  input  logic             en_i,       // 0: nothing is computed, all outputs are 0
  input  fpu_pkg::number_t number_i,
  input  logic [8:0]       payload_i,  // bits [21:13] of the number's pattern
  input  logic [1:0]       round_i,
  output logic [15:0]      half_o
);

  logic [9:0]  below;      // how far the exponent lies under that of the smallest normal half
  logic        subnormal;
  logic [3:0]  shift;
  logic [24:0] shifted;    // significand of 11 bits, guard, and bits that only stick
  logic [11:0] lost;
  logic        away;
  logic [5:0]  base;       // exponent field, less the hidden bit
  logic [15:0] packed_up;
  logic        beyond;

  always_comb begin
    below     = '0;
    subnormal = '0;
    shift     = '0;
    shifted   = '0;
    lost      = '0;
    away      = '0;
    beyond    = '0;
    base      = '0;
    packed_up = '0;
    half_o    = '0;
    if (en_i) begin
      below     = -10'd14 - number_i.exp;
      subnormal = ~below[9] & (below != '0);
      shift     = ~subnormal ? 4'd0 : (below > 10'd12) ? 4'd12 : below[3:0];
      {shifted, lost} = {number_i.sig, 13'd0} >> shift;
      away = fpu_pkg::rounds_away(round_i, number_i.sign, shifted[14], shifted[13],
                                  (shifted[12:0] != '0) | (lost != '0));
      beyond    = ~number_i.exp[9] & (number_i.exp > 10'd15);
      base      = subnormal ? 6'd0 : number_i.exp[5:0] + 6'd14;
      packed_up = {base, 10'd0} + {5'd0, shifted[24:14]} + {15'd0, away};
      half_o = {number_i.sign, packed_up[14:0]};
      if (number_i.zero) begin
        half_o = {number_i.sign, 15'd0};
      end else if (beyond | (packed_up[15:10] >= 6'd31)) begin
        half_o = {number_i.sign, fpu_pkg::overflows_to_infinity(round_i, number_i.sign) ? 15'h7c00 : 15'h7bff};
      end
      if (number_i.inf) half_o = {number_i.sign, 15'h7c00};
      if (number_i.nan) half_o = {number_i.sign, 6'h3f, payload_i};
    end
  end

endmodule
