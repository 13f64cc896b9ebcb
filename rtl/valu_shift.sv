// SPDX-License-Identifier: Apache-2.0
// Shifts of 16, 32 and 64 bits, and bit fields.
//
// Combinational. (GCN3 ISA, V_LSHLREV_B32 and its kin, V_BFE_U32, V_BFE_I32, V_BFM_B32, V_ALIGNBIT_B32, V_ALIGNBYTE_B32)
// Everything that goes right is one 64-bit shift right. Where `en_i` is 0 the result is 0 and nothing is computed.
module valu_shift (
  input  logic            en_i,
  input  valu_pkg::op_e   op_i,
  input  valu_pkg::size_e size_i,
  input  logic            signed_i,
  input  logic [31:0]     a_i,
  input  logic [63:0]     b_i,
  input  logic [31:0]     c_i,
  output logic [63:0]     result_o
);

  logic [5:0]         count;
  logic               fill;
  logic [63:0]        from, left;
  logic signed [64:0] right;
  logic [31:0]        mask, field;

  always_comb begin
    count    = '0;
    fill     = 1'b0;
    from     = b_i;
    left     = '0;
    right    = '0;
    mask     = '0;
    field    = '0;
    result_o = '0;
    if (en_i) begin
      // The count of a shift is its first source; of the others, what their definition says.
      unique case (op_i)
        valu_pkg::OpBfe, valu_pkg::OpBfm: count = {1'b0, b_i[4:0]};
        valu_pkg::OpAlignBit:             count = {1'b0, c_i[4:0]};
        valu_pkg::OpAlignByte:            count = {1'b0, c_i[1:0], 3'b000};
        default: begin
          unique case (size_i)
            valu_pkg::Size16: count = {2'b00, a_i[3:0]};
            valu_pkg::Size32: count = {1'b0, a_i[4:0]};
            default:          count = a_i[5:0];
          endcase
        end
      endcase
      // What is shifted right, extended to 64 bits.
      unique case (op_i)
        valu_pkg::OpAlignBit, valu_pkg::OpAlignByte: from = {a_i, b_i[31:0]};
        valu_pkg::OpBfe:                             from = {{32{signed_i && a_i[31]}}, a_i};
        default: begin
          fill = op_i == valu_pkg::OpAshr;
          unique case (size_i)
            valu_pkg::Size16: from = {{48{fill && b_i[15]}}, b_i[15:0]};
            valu_pkg::Size32: from = {{32{fill && b_i[31]}}, b_i[31:0]};
            default:          from = b_i;
          endcase
        end
      endcase
      right = $signed({fill && from[63], from}) >>> count;
      // The field's width, as a mask: of v_bfm it is the first source.
      mask = (32'd1 << (op_i == valu_pkg::OpBfm ? a_i[4:0] : c_i[4:0])) - 32'd1;
      left = (op_i == valu_pkg::OpBfm ? {32'd0, mask} : b_i) << count;
      field = right[31:0] & mask;
      unique case (op_i)
        valu_pkg::OpLshl, valu_pkg::OpBfm: result_o = left;
        valu_pkg::OpBfe: begin
          // The bits above the field are its sign: the field's top bit, found with the mask's.
          result_o = {32'd0, field};
          if (signed_i && (field & ~(mask >> 1)) != 32'd0) result_o[31:0] = field | ~mask;
        end
        default: result_o = right[63:0];
      endcase
      unique case (size_i)
        valu_pkg::Size16: result_o[63:16] = '0;
        valu_pkg::Size32: result_o[63:32] = '0;
        default: ;
      endcase
    end
  end

  logic unused_bits;
  assign unused_bits = ^{right[64], c_i[31:5]};

endmodule
