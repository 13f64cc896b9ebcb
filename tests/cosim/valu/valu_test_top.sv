// SPDX-License-Identifier: Apache-2.0
// The vector ALU, its control (valu_control.sv) and its lanes (valu_pass.sv), with structs unpacked into ports of their own, so
// that a test need not know their layout.
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

  valu_pkg::ctrl_t       ctrl;
  valu_pkg::lane_instr_t instr;
  valu_pkg::mask_result_t result;
  logic [5:0]            first;
  logic [Lanes-1:0]      computed, mask, flags;
  logic [31:0]           one_value, edge_kept;
  logic                  dpp, unused_pass_last;  // the lanes compute in each of a pass's cycles
  logic [5*Lanes-1:0]    select;
  logic [6*Lanes/16-1:0] edge_item;

  valu_control #(.Lanes(Lanes), .Stages(Stages)) u_control (
    .*, .refused_i(1'b0), .ctrl_o(ctrl), .pass_instr_o(instr), .pass_first_o(first), .pass_computed_o(computed),
    .pass_mask_o(mask), .pass_last_o(unused_pass_last), .pass_dpp_o(dpp), .pass_select_o(select), .pass_edge_item_o(edge_item),
    .pass_edge_kept_o(edge_kept), .pass_first_src_i(vrf_rdata0_i[31:0]), .pass_last_src_i(vrf_rdata0_i[64*Lanes-64 +: 32]),
    .pass_flags_i(flags), .one_value_i(one_value), .result_o(result)
  );
  valu_pass #(.Lanes(Lanes), .Stages(Stages)) u_pass (
    .*, .instr_i(instr), .first_i(first), .computed_i(computed), .mask_i(mask), .dpp_i(dpp), .select_i(select),
    .edge_item_i(edge_item), .edge_read_i(vrf_edge_re_o), .edge_rdata_i(vrf_edge_rdata_i), .edge_kept_i(edge_kept),
    .flags_o(flags), .one_value_o(one_value)
  );

  assign {sdst_we_o, sdst_o, sdst_wide_o, sdst_data_o, exec_we_o} = result;
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
