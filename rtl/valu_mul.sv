// SPDX-License-Identifier: Apache-2.0
// Products: of 16, 24 or 32 bits, low or high half, with or without addition.
//
// Combinational; full-rate and half-rate instructions share one multiplier of 33 signed bits. (GCN3 ISA, V_MUL_*, V_MAD_*)
// Where `en_i` is 0 the result is 0 and nothing is computed.
module valu_mul (
  input  logic            en_i,
  input  valu_pkg::op_e   op_i,
  input  valu_pkg::size_e size_i,
  input  logic            signed_i,
  input  logic [31:0]     a_i,
  input  logic [31:0]     b_i,
  input  logic [63:0]     c_i,
  output logic [63:0]     result_o,
  output logic            flag_o     // OpMad64: carry out, or overflow of the signed sum
);

  logic               is_24, adds;
  logic signed [32:0] x, y;
  logic signed [65:0] product;
  logic [64:0]        sum;

  always_comb begin
    is_24    = 1'b0;
    adds     = 1'b0;
    x        = '0;
    y        = '0;
    product  = '0;
    sum      = '0;
    result_o = '0;
    flag_o   = 1'b0;
    if (en_i) begin
      is_24 = op_i == valu_pkg::OpMul24Lo || op_i == valu_pkg::OpMul24Hi || op_i == valu_pkg::OpMad24;
      adds  = op_i == valu_pkg::OpMad24 || op_i == valu_pkg::OpMad16 || op_i == valu_pkg::OpMad64;
      if (is_24) begin
        x = {{9{signed_i && a_i[23]}}, a_i[23:0]};
        y = {{9{signed_i && b_i[23]}}, b_i[23:0]};
      end
      else begin
        x = {signed_i && a_i[31], a_i};
        y = {signed_i && b_i[31], b_i};
      end
      product = x * y;
      sum     = {1'b0, product[63:0]} + {1'b0, adds ? c_i : 64'd0};
      unique case (op_i)
        valu_pkg::OpMul24Hi, valu_pkg::OpMulHi: result_o = {32'd0, product[63:32]};
        valu_pkg::OpMad64:                      result_o = sum[63:0];
        default:                                result_o = {32'd0, sum[31:0]};
      endcase
      if (size_i == valu_pkg::Size16) result_o[31:16] = '0;
      flag_o = signed_i ? (product[63] ^ sum[63]) & (c_i[63] ^ sum[63]) : sum[64];
    end
  end

  // The product of two 32-bit numbers fits in 64 bits, whatever their signs.
  logic unused_product;
  assign unused_product = ^product[65:64];

endmodule
