// SPDX-License-Identifier: Apache-2.0
// Distances of bytes, words and dwords added up, and averages of bytes.
//
// Combinational. (GCN3 ISA, V_SAD_*, V_MSAD_U8, V_QSAD_PK_U16_U8, V_MQSAD_PK_U16_U8, V_LERP_U8) Where `en_i` is 0 the result is 0 and nothing is computed.
module valu_bytes (
  input  logic          en_i,
  input  valu_pkg::op_e op_i,
  input  logic [63:0]   a_i,  // the upper halves are for sums of a window
  input  logic [31:0]   b_i,
  input  logic [63:0]   c_i,
  output logic [63:0]   result_o
);

  function automatic logic [31:0] distance(input logic [31:0] x, input logic [31:0] y);
    distance = x > y ? x - y : y - x;
  endfunction

  // Differences of the four bytes. Masked: a byte does not count where the reference y is zero.
  function automatic logic [31:0] byte_distances(input logic [31:0] x, input logic [31:0] y, input logic masked);
    byte_distances = '0;
    for (int unsigned k = 0; k < 4; k++) begin
      if (!(masked && y[8*k +: 8] == 8'd0)) begin
        byte_distances = byte_distances + distance({24'd0, x[8*k +: 8]}, {24'd0, y[8*k +: 8]});
      end
    end
  endfunction

  logic [8:0]  average;
  logic [31:0] x, z, window, sum;
  assign x = a_i[31:0];
  assign z = c_i[31:0];

  always_comb begin
    average  = '0;
    window   = '0;
    sum      = '0;
    result_o = '0;
    if (en_i) begin
      unique case (op_i)
        valu_pkg::OpSadU8:   result_o[31:0] = byte_distances(x, b_i, 1'b0) + z;
        valu_pkg::OpMsadU8:  result_o[31:0] = byte_distances(x, b_i, 1'b1) + z;
        valu_pkg::OpSadHiU8: result_o[31:0] = (byte_distances(x, b_i, 1'b0) << 16) + z;
        valu_pkg::OpSadU16: begin
          result_o[31:0] = distance({16'd0, x[15:0]}, {16'd0, b_i[15:0]}) +
                     distance({16'd0, x[31:16]}, {16'd0, b_i[31:16]}) + z;
        end
        valu_pkg::OpSadU32: result_o[31:0] = distance(x, b_i) + z;
        valu_pkg::OpLerpU8: begin
          // The lowest bit of each byte of c rounds up.
          for (int unsigned k = 0; k < 4; k++) begin
            average = {1'b0, x[8*k +: 8]} + {1'b0, b_i[8*k +: 8]} + {8'd0, z[8*k]};
            result_o[8*k +: 8] = average[8:1];
          end
        end
        // Four positions of a window over eight bytes; each sum is a word of its own.
        valu_pkg::OpQsad, valu_pkg::OpMqsad: begin
          for (int unsigned k = 0; k < 4; k++) begin
            window = a_i[8*k +: 32];
            sum    = byte_distances(window, b_i, op_i == valu_pkg::OpMqsad);
            result_o[16*k +: 16] = c_i[16*k +: 16] + sum[15:0];
          end
        end
        default: ;
      endcase
    end
  end

  logic unused_half;
  assign unused_half = ^{average[0], sum[31:16]};

endmodule
