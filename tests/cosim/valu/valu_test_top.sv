// SPDX-License-Identifier: Apache-2.0
// The vector ALU with its control unpacked into ports of their own, so that a test need not know the struct's layout.
module valu_test_top #(
  parameter int unsigned Lanes  = 16,
  parameter int unsigned Stages = 7
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                start_i,
  input  logic [63:0]         instr_i,
  input  logic [63:0]         active_i,
  input  logic [31:0]         mode_i,
  input  logic [63:0]         vcc_i,
  input  logic [31:0]         m0_i,
  input  logic [63:0]         ssrc0_i,
  input  logic [63:0]         ssrc1_i,
  input  logic [63:0]         ssrc2_i,
  output logic                supported_o,
  output logic [1:0]          length_o,
  output logic [1:0]          rate_o,
  output logic [8:0]          src0_o,
  output logic [8:0]          src1_o,
  output logic [8:0]          src2_o,
  output logic [2:0]          type0_o,
  output logic [2:0]          type1_o,
  output logic [2:0]          type2_o,
  output logic [31:0]         literal_o,
  output logic [1:0]          vrf_pass_o,
  output logic [7:0]          vrf_raddr0_o,
  output logic [7:0]          vrf_raddr1_o,
  output logic [7:0]          vrf_raddr2_o,
  input  logic [64*Lanes-1:0] vrf_rdata0_i,
  input  logic [64*Lanes-1:0] vrf_rdata1_i,
  input  logic [64*Lanes-1:0] vrf_rdata2_i,
  output logic [1:0]          vrf_wpass_o,
  output logic                vrf_edge_re_o,
  output logic [5:0]          vrf_edge_item_o,
  input  logic [31:0]         vrf_edge_rdata_i,
  output logic [Lanes-1:0]    vrf_we_o,
  output logic                vrf_wide_o,
  output logic [7:0]          vrf_waddr_o,
  output logic [64*Lanes-1:0] vrf_wdata_o,
  output logic                sdst_we_o,
  output logic [6:0]          sdst_o,
  output logic                sdst_wide_o,
  output logic [63:0]         sdst_data_o,
  output logic                exec_we_o,
  output logic                busy_o,
  output logic                done_o,
  output logic                unsupported_o
);

  valu_pkg::ctrl_t ctrl;

  spsimd_valu #(
    .Lanes (Lanes),
    .Stages(Stages)
  ) u_valu (
    .ctrl_o(ctrl),
    .*
  );

  assign supported_o = ctrl.supported;
  assign length_o    = ctrl.length;
  assign rate_o      = ctrl.rate;
  assign src0_o      = ctrl.src0;
  assign src1_o      = ctrl.src1;
  assign src2_o      = ctrl.src2;
  assign type0_o     = ctrl.type0;
  assign type1_o     = ctrl.type1;
  assign type2_o     = ctrl.type2;
  assign literal_o   = ctrl.literal;

  logic unused_ctrl;
  assign unused_ctrl = ^ctrl;

endmodule
