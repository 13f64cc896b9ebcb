// SPDX-License-Identifier: Apache-2.0
// Shifts a number left until its top bit is set, and counts the places. Of zero the count is meaningless.
//
// Combinational. A stage per bit of the count: Width is more than 2^(Stages - 1) and at most 2^Stages.
module fp_normalise #(
  parameter int unsigned Width  = 24,
  parameter int unsigned Stages = 5
) (
  input  logic              en_i,  // 0: nothing is computed, all outputs are 0
  input  logic [Width-1:0]  value_i,
  output logic [Width-1:0]  value_o,
  output logic [Stages-1:0] count_o
);

  always_comb begin
    value_o = '0;
    count_o = '0;
    if (en_i) begin
      value_o = value_i;
      count_o = '0;
      for (int unsigned k = 0; k < Stages; k++) begin
        if ((value_o >> (Width - (32'd1 << (Stages - 1 - k)))) == '0) begin
          value_o = value_o << (32'd1 << (Stages - 1 - k));
          count_o[Stages-1-k] = 1'b1;
        end
      end
    end
  end

endmodule
