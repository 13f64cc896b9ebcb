// SPDX-License-Identifier: Apache-2.0
// A cut through a pipeline: flip-flops where there is one, else wires.
module fp_cut #(
  parameter int unsigned Width = 1,
  parameter int unsigned Count = 1  // flip-flops in a row; 0: none
) (
  input  logic             clk_i,
  input  logic [Width-1:0] d_i,
  output logic [Width-1:0] q_o
);

  if (Count == 0) begin : gen_wires
    assign q_o = d_i;

    logic unused_clk;
    assign unused_clk = clk_i;
  end
  else begin : gen_registers
    logic [Width*Count-1:0] q;  // the newest lowest
    always_ff @(posedge clk_i) q <= (Width*Count)'({q, d_i});
    assign q_o = q[Width*Count-1-:Width];
  end

endmodule
