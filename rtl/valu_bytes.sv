// Distances of bytes, words and dwords added up, and averages of bytes.
//
// Combinational. (GCN3 ISA, V_SAD_*, V_MSAD_U8, V_LERP_U8) Where `en_i` is 0 the result is 0 and nothing is computed.
module valu_bytes (
  input  logic          en_i,
  input  valu_pkg::op_e op_i,
  input  logic [31:0]   a_i,
  input  logic [31:0]   b_i,
  input  logic [31:0]   c_i,
  output logic [31:0]   result_o
);

  function automatic logic [31:0] distance(input logic [31:0] x, input logic [31:0] y);
    distance = x > y ? x - y : y - x;
  endfunction

  // Of the four bytes. Masked: where the reference y is zero, the byte does not count.
  function automatic logic [31:0] byte_distances(input logic [31:0] x, input logic [31:0] y, input logic masked);
    byte_distances = '0;
    for (int unsigned k = 0; k < 4; k++) begin
      if (!(masked && y[8*k +: 8] == 8'd0)) begin
        byte_distances = byte_distances + distance({24'd0, x[8*k +: 8]}, {24'd0, y[8*k +: 8]});
      end
    end
  endfunction

  logic [8:0] average;

  always_comb begin
    average  = '0;
    result_o = '0;
    if (en_i) begin
      unique case (op_i)
        valu_pkg::OpSadU8:   result_o = byte_distances(a_i, b_i, 1'b0) + c_i;
        valu_pkg::OpMsadU8:  result_o = byte_distances(a_i, b_i, 1'b1) + c_i;
        valu_pkg::OpSadHiU8: result_o = (byte_distances(a_i, b_i, 1'b0) << 16) + c_i;
        valu_pkg::OpSadU16: begin
          result_o = distance({16'd0, a_i[15:0]}, {16'd0, b_i[15:0]}) +
                     distance({16'd0, a_i[31:16]}, {16'd0, b_i[31:16]}) + c_i;
        end
        valu_pkg::OpSadU32: result_o = distance(a_i, b_i) + c_i;
        valu_pkg::OpLerpU8: begin
          // The lowest bit of each byte of c rounds up.
          for (int unsigned k = 0; k < 4; k++) begin
            average = {1'b0, a_i[8*k +: 8]} + {1'b0, b_i[8*k +: 8]} + {8'd0, c_i[8*k]};
            result_o[8*k +: 8] = average[8:1];
          end
        end
        default: ;
      endcase
    end
  end

  logic unused_half;
  assign unused_half = average[0];

endmodule
