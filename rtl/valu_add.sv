// SPDX-License-Identifier: Apache-2.0
// Additions and subtractions of 16 or 32 bits, with carry or borrow in and out, and unsigned saturation.
//
// Combinational. (GCN3 ISA, V_ADD_U32, V_SUB_U32, V_SUBREV_U32, V_ADDC_U32, V_SUBB_U32, V_SUBBREV_U32 and the 16-bit
// forms) Where `en_i` is 0 the result is 0 and nothing is computed.
module valu_add (
  input  logic            en_i,
  input  valu_pkg::op_e   op_i,
  input  valu_pkg::size_e size_i,
  input  logic [31:0]     a_i,
  input  logic [31:0]     b_i,
  input  logic            flag_i,    // carry or borrow in, where the operation has it
  input  logic            clamp_i,
  output logic [31:0]     result_o,
  output logic            flag_o     // carry or borrow out of the operation's width
);

  logic        subtract, with_flag, is_16;
  logic [31:0] x, y;
  logic [33:0] sum;

  always_comb begin
    subtract  = 1'b0;
    with_flag = 1'b0;
    is_16     = 1'b0;
    x         = '0;
    y         = '0;
    sum       = '0;
    flag_o    = 1'b0;
    result_o  = '0;
    if (en_i) begin
      subtract  = op_i != valu_pkg::OpAdd && op_i != valu_pkg::OpAddC;
      with_flag = op_i == valu_pkg::OpAddC || op_i == valu_pkg::OpSubB || op_i == valu_pkg::OpSubBRev;
      is_16     = size_i == valu_pkg::Size16;
      if (op_i == valu_pkg::OpSubRev || op_i == valu_pkg::OpSubBRev) begin
        x = b_i;
        y = a_i;
      end
      else begin
        x = a_i;
        y = b_i;
      end
      // 16-bit operands in the upper half, so that carries leave at the same place.
      if (is_16) begin
        x = x << 16;
        y = y << 16;
      end
      // x - y - borrow = x + ~y + !borrow, whose carry is the borrow's complement. The lowest bit makes the carry in;
      // 16-bit operations have zeros below, which with y's complement let it through.
      sum    = {1'b0, x, 1'b1} + {1'b0, y ^ {32{subtract}}, (with_flag && flag_i) ^ subtract};
      flag_o = sum[33] ^ subtract;
      result_o = is_16 ? {16'd0, sum[32:17]} : sum[32:1];
      if (clamp_i && flag_o) result_o = subtract ? '0 : is_16 ? 32'h0000_ffff : 32'hffff_ffff;
    end
  end

  logic unused_carry_in;
  assign unused_carry_in = sum[0];

endmodule
