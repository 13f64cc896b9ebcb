// SPDX-License-Identifier: Apache-2.0
// A lane that adds, in place of the unit's own (rtl/valu_lane.sv): that one depends on no parameter, and 64 of it would take
// minutes to compile.
module valu_lane #(
  parameter int unsigned Stages = 1
) (
  input  logic            clk_i,
  input  logic            en_i,
  input  valu_pkg::ctrl_t ctrl_i,
  input  fpu_pkg::op_e    fpu_op_i,
  input  logic [9:0]      mode_i,
  input  logic [5:0]      lane_i,
  input  logic [63:0]     ssrc0_i,
  input  logic [63:0]     ssrc1_i,
  input  logic [63:0]     ssrc2_i,
  input  logic [63:0]     vsrc0_i,
  input  logic [63:0]     vsrc1_i,
  input  logic [63:0]     vsrc2_i,
  input  logic            flag_i,
  output logic [63:0]     result_o,
  output logic            flag_o,
  output logic            lacks_o
);

  logic [32:0] sum;
  assign sum      = {1'b0, ctrl_i.src0[8] ? vsrc0_i[31:0] : ssrc0_i[31:0]} +
                    {1'b0, ctrl_i.src1[8] ? vsrc1_i[31:0] : ssrc1_i[31:0]};
  fp_cut #(.Width(65), .Count(Stages - 1)) u_late (
    .clk_i, .d_i(en_i ? {sum[32], 32'd0, sum[31:0]} : 65'd0), .q_o({flag_o, result_o})
  );
  assign lacks_o = 1'b0;

  logic unused_inputs;
  assign unused_inputs = ^{ctrl_i, fpu_op_i, mode_i, lane_i, ssrc0_i, ssrc1_i, ssrc2_i, vsrc0_i, vsrc1_i, vsrc2_i, flag_i};

endmodule
