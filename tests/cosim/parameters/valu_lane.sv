// SPDX-License-Identifier: Apache-2.0
// A lane that adds, in place of the unit's own (rtl/valu_lane.sv): that one depends on no parameter, and 64 of it would take
// minutes to compile.
module valu_lane #(
  parameter int unsigned Stages = 1
) (
  input  logic                  clk_i,
  input  logic                  en_i,
  input  valu_pkg::lane_instr_t instr_i,
  input  logic [5:0]            lane_i,
  input  logic [63:0]           vsrc0_i,
  input  logic [63:0]           vsrc1_i,
  input  logic [63:0]           vsrc2_i,
  input  logic                  flag_i,
  output logic [63:0]           result_o,
  output logic                  flag_o,
  output logic                  lacks_o
);

  logic [32:0] sum;
  assign sum      = {1'b0, instr_i.ctrl.src0[8] ? vsrc0_i[31:0] : instr_i.ssrc0[31:0]} +
                    {1'b0, instr_i.ctrl.src1[8] ? vsrc1_i[31:0] : instr_i.ssrc1[31:0]};
  fp_cut #(.Width(65), .Count(Stages - 1)) u_late (
    .clk_i, .d_i(en_i ? {sum[32], 32'd0, sum[31:0]} : 65'd0), .q_o({flag_o, result_o})
  );
  assign lacks_o = 1'b0;

  logic unused_inputs;
  assign unused_inputs = ^{instr_i, lane_i, vsrc0_i, vsrc1_i, vsrc2_i, flag_i};

endmodule
