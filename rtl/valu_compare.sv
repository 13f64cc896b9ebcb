// SPDX-License-Identifier: Apache-2.0
// Comparisons of integers of 16, 32 and 64 bits, minimum, maximum and median.
//
// Combinational. (GCN3 ISA, chapter 12, "VOPC Instructions", V_MIN_*, V_MAX_*, V_MED3_*) Where `en_i` is 0 the result is 0
// and nothing is computed.
module valu_compare (
  input  logic            en_i,
  input  valu_pkg::op_e   op_i,
  input  valu_pkg::size_e size_i,
  input  logic            signed_i,
  input  logic [2:0]      relation_i,  // 1 less, 2 equal, 4 greater, together; OpCmp only
  input  logic [63:0]     a_i,
  input  logic [63:0]     b_i,
  input  logic [31:0]     c_i,         // three-source operations have 32 bits
  output logic [31:0]     result_o,
  output logic            flag_o
);

  logic        a_sign, b_sign, a_less_b, b_less_c, a_less_c;
  logic [63:0] x, y;
  logic [31:0] bias;

  always_comb begin
    a_sign   = 1'b0;
    b_sign   = 1'b0;
    a_less_b = 1'b0;
    b_less_c = 1'b0;
    a_less_c = 1'b0;
    x        = '0;
    y        = '0;
    bias     = '0;
    result_o = '0;
    flag_o   = 1'b0;
    if (en_i) begin
      // As unsigned numbers of 64 bits: of signed ones the top bit is turned over.
      unique case (size_i)
        valu_pkg::Size16: begin
          a_sign = signed_i && a_i[15];
          b_sign = signed_i && b_i[15];
          x      = {{48{a_sign}}, a_i[15:0]};
          y      = {{48{b_sign}}, b_i[15:0]};
        end
        valu_pkg::Size32: begin
          a_sign = signed_i && a_i[31];
          b_sign = signed_i && b_i[31];
          x      = {{32{a_sign}}, a_i[31:0]};
          y      = {{32{b_sign}}, b_i[31:0]};
        end
        default: begin
          x = a_i;
          y = b_i;
        end
      endcase
      x[63]    = x[63] ^ signed_i;
      y[63]    = y[63] ^ signed_i;
      a_less_b = x < y;
      bias     = {signed_i, 31'd0};
      unique case (op_i)
        valu_pkg::OpCmp: flag_o = (relation_i[0] && a_less_b) || (relation_i[1] && x == y) ||
                                  (relation_i[2] && x > y);
        valu_pkg::OpMin: result_o = a_less_b ? a_i[31:0] : b_i[31:0];
        valu_pkg::OpMax: result_o = a_less_b ? b_i[31:0] : a_i[31:0];
        default: begin
          b_less_c = (b_i[31:0] ^ bias) < (c_i ^ bias);
          a_less_c = (a_i[31:0] ^ bias) < (c_i ^ bias);
          unique case (op_i)
            valu_pkg::OpMin3: begin
              if (a_less_b) result_o = a_less_c ? a_i[31:0] : c_i;
              else          result_o = b_less_c ? b_i[31:0] : c_i;
            end
            valu_pkg::OpMax3: begin
              if (a_less_b) result_o = b_less_c ? c_i : b_i[31:0];
              else          result_o = a_less_c ? c_i : a_i[31:0];
            end
            default: begin
              // In the middle: of a and b, the one that c is not beyond, else c.
              if (a_less_b) result_o = b_less_c ? b_i[31:0] : a_less_c ? c_i : a_i[31:0];
              else          result_o = a_less_c ? a_i[31:0] : b_less_c ? c_i : b_i[31:0];
            end
          endcase
        end
      endcase
      if (size_i == valu_pkg::Size16) result_o[31:16] = '0;
    end
  end

endmodule
