// SPDX-License-Identifier: Apache-2.0
// Bitwise operations, bit counts, and bytes or words put together anew.
//
// Combinational. (GCN3 ISA, chapter 12) Where `en_i` is 0 the result is 0 and nothing is computed.
module valu_bits (
  input  logic          en_i,
  input  valu_pkg::op_e op_i,
  input  logic          signed_i,
  input  logic [31:0]   a_i,
  input  logic [31:0]   b_i,
  input  logic [31:0]   c_i,
  input  logic [5:0]    lane_i,   // the work-item's number
  output logic [31:0]   result_o
);

  function automatic logic [31:0] reversed(input logic [31:0] x);
    for (int unsigned k = 0; k < 32; k++) reversed[k] = x[31 - k];
  endfunction

  // By halves: adjacent counts are added until one is left.
  function automatic logic [5:0] ones(input logic [31:0] x);
    logic [31:0] n;
    n    = (x & 32'h5555_5555) + ((x >> 1) & 32'h5555_5555);
    n    = (n & 32'h3333_3333) + ((n >> 2) & 32'h3333_3333);
    n    = (n & 32'h0f0f_0f0f) + ((n >> 4) & 32'h0f0f_0f0f);
    n    = n + (n >> 8);
    n    = n + (n >> 16);
    ones = n[5:0];
  endfunction

  // Zeros below the lowest one, all of which x - 1 turns over; all ones where there is no one.
  function automatic logic [31:0] zeros_below(input logic [31:0] x);
    zeros_below = x == 32'd0 ? 32'hffff_ffff : {26'd0, ones(~x & (x - 32'd1))};
  endfunction

  // V_PERM_B32: 0 to 7 a byte of {a, b}; 8 to 11 the sign of byte 1, 3, 5, 7; 12 zero; above, all ones.
  function automatic logic [7:0] selected_byte(input logic [63:0] x, input logic [7:0] select);
    if (select < 8'd8)        selected_byte = x[8 * select[2:0] +: 8];
    else if (select < 8'd12)  selected_byte = {8{x[{select[1:0], 4'hf}]}};
    else if (select == 8'd12) selected_byte = 8'h00;
    else                      selected_byte = 8'hff;
  endfunction

  function automatic logic [15:0] narrow(input logic [31:0] x, input logic is_signed);
    if (!is_signed)                     narrow = x[31:16] != 16'd0 ? 16'hffff : x[15:0];
    else if (x[31:15] == {17{x[31]}}) narrow = x[15:0];
    else                                narrow = {x[31], {15{~x[31]}}};
  endfunction

  // The work-items below this one: bits of a mask of 32 of them.
  logic [31:0] below;

  always_comb begin
    below    = '0;
    result_o = '0;
    if (en_i) begin
      unique case (op_i)
        valu_pkg::OpMov:  result_o = a_i;
        valu_pkg::OpNot:  result_o = ~a_i;
        valu_pkg::OpAnd:  result_o = a_i & b_i;
        valu_pkg::OpOr:   result_o = a_i | b_i;
        valu_pkg::OpXor:  result_o = a_i ^ b_i;
        valu_pkg::OpBfi:  result_o = (a_i & b_i) | (~a_i & c_i);
        valu_pkg::OpBrev: result_o = reversed(a_i);
        // From the top: of a signed number, below the copies of its sign.
        valu_pkg::OpFfbh: result_o = zeros_below(reversed(a_i ^ {32{signed_i && a_i[31]}}));
        valu_pkg::OpFfbl: result_o = zeros_below(a_i);
        valu_pkg::OpBcnt: result_o = {26'd0, ones(a_i)} + b_i;
        valu_pkg::OpMbcntLo: begin
          below    = lane_i[5] ? 32'hffff_ffff : (32'd1 << lane_i[4:0]) - 32'd1;
          result_o = {26'd0, ones(a_i & below)} + b_i;
        end
        valu_pkg::OpMbcntHi: begin
          below    = lane_i[5] ? (32'd1 << lane_i[4:0]) - 32'd1 : 32'd0;
          result_o = {26'd0, ones(a_i & below)} + b_i;
        end
        valu_pkg::OpPerm: begin
          result_o = {selected_byte({a_i, b_i}, c_i[31:24]), selected_byte({a_i, b_i}, c_i[23:16]),
                      selected_byte({a_i, b_i}, c_i[15:8]), selected_byte({a_i, b_i}, c_i[7:0])};
        end
        valu_pkg::OpCvtPk: result_o = {narrow(b_i, signed_i), narrow(a_i, signed_i)};
        default: ;
      endcase
    end
  end

endmodule
