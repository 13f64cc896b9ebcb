// SPDX-License-Identifier: Apache-2.0
// Vector ALU of an SpSIMD unit: its control (valu_control.sv) and its lanes (valu_pass.sv).
//
// Its ports and their timing are those of valu_control.sv, with the vector registers' data.
module spsimd_valu #(
  parameter int unsigned Lanes  = 16,  // 16 or 64
  parameter int unsigned Stages = 1    // up to fpu_pkg::MaxStages
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                start_i,
  input  logic [63:0]         instr_i,     // first dword in the low half
  input  logic [63:0]         active_i,    // EM & SpM
  input  logic [31:0]         mode_i,      // HW_REG_MODE
  input  logic [63:0]         vcc_i,
  input  logic [31:0]         m0_i,

  // Scalar operands of instr_i: registers and constants, as ctrl_o's source fields and types say. A lane mask that a
  // VOP3 instruction reads is source 2.
  output valu_pkg::ctrl_t     ctrl_o,
  input  logic [63:0]         ssrc0_i,
  input  logic [63:0]         ssrc1_i,
  input  logic [63:0]         ssrc2_i,

  // Vector registers of the work-items of pass `vrf_pass_o`; per lane 64 bits: the register, above it the next one.
  // A source that is no vector register reads v0.
  output logic [1:0]          vrf_pass_o,
  output logic [7:0]          vrf_raddr0_o,
  output logic [7:0]          vrf_raddr1_o,
  output logic [7:0]          vrf_raddr2_o,
  input  logic [64*Lanes-1:0] vrf_rdata0_i,
  input  logic [64*Lanes-1:0] vrf_rdata1_i,
  input  logic [64*Lanes-1:0] vrf_rdata2_i,
  output logic [1:0]          vrf_wpass_o,
  // DPP with 16 lanes: source 0 of one work-item of another pass
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
  output logic                exec_we_o,   // sdst_data_o goes to EXEC as well

  output logic                busy_o,
  output logic                done_o,
  output logic                unsupported_o
);

  valu_pkg::ctrl_t  pass_ctrl;
  fpu_pkg::op_e     pass_fpu_op;
  logic [9:0]       pass_mode;
  logic [5:0]       pass_first;
  logic [63:0]      pass_ssrc0, pass_ssrc1, pass_ssrc2;
  logic [Lanes-1:0] pass_computed, pass_mask, pass_flags;
  logic [31:0]      one_value;
  logic             pass_dpp;
  logic [5*Lanes-1:0] pass_select;
  logic [6*Lanes/16-1:0] pass_edge_item;
  logic [31:0]      pass_edge_kept;
  logic             unused_pass_last;  // the lanes compute in each of a pass's cycles

  valu_control #(
    .Lanes (Lanes),
    .Stages(Stages)
  ) u_control (
    .clk_i,
    .rst_ni,
    .start_i,
    .refused_i(1'b0),
    .instr_i,
    .active_i,
    .mode_i,
    .vcc_i,
    .m0_i,
    .ctrl_o,
    .ssrc0_i,
    .ssrc1_i,
    .ssrc2_i,
    .vrf_pass_o,
    .vrf_raddr0_o,
    .vrf_raddr1_o,
    .vrf_raddr2_o,
    .vrf_wpass_o,
    .vrf_we_o,
    .vrf_edge_re_o,
    .vrf_edge_item_o,
    .vrf_wide_o,
    .vrf_waddr_o,
    .pass_ctrl_o    (pass_ctrl),
    .pass_fpu_op_o  (pass_fpu_op),
    .pass_mode_o    (pass_mode),
    .pass_first_o   (pass_first),
    .pass_ssrc0_o   (pass_ssrc0),
    .pass_ssrc1_o   (pass_ssrc1),
    .pass_ssrc2_o   (pass_ssrc2),
    .pass_computed_o(pass_computed),
    .pass_mask_o    (pass_mask),
    .pass_last_o    (unused_pass_last),
    .pass_dpp_o     (pass_dpp),
    .pass_select_o  (pass_select),
    .pass_edge_item_o(pass_edge_item),
    .pass_edge_kept_o(pass_edge_kept),
    .pass_first_src_i(vrf_rdata0_i[31:0]),
    .pass_last_src_i(vrf_rdata0_i[64*Lanes-64 +: 32]),
    .pass_flags_i   (pass_flags),
    .one_value_i    (one_value),
    .sdst_we_o,
    .sdst_o,
    .sdst_wide_o,
    .sdst_data_o,
    .exec_we_o,
    .busy_o,
    .done_o,
    .unsupported_o
  );

  valu_pass #(
    .Lanes (Lanes),
    .Stages(Stages)
  ) u_pass (
    .clk_i,
    .ctrl_i      (pass_ctrl),
    .fpu_op_i    (pass_fpu_op),
    .mode_i      (pass_mode),
    .first_i     (pass_first),
    .ssrc0_i     (pass_ssrc0),
    .ssrc1_i     (pass_ssrc1),
    .ssrc2_i     (pass_ssrc2),
    .computed_i  (pass_computed),
    .mask_i      (pass_mask),
    .vrf_rdata0_i,
    .vrf_rdata1_i,
    .vrf_rdata2_i,
    .dpp_i       (pass_dpp),
    .select_i    (pass_select),
    .edge_item_i (pass_edge_item),
    .edge_read_i (vrf_edge_re_o),
    .edge_rdata_i(vrf_edge_rdata_i),
    .edge_kept_i (pass_edge_kept),
    .vrf_wdata_o,
    .flags_o     (pass_flags),
    .one_value_o (one_value)
  );

endmodule
