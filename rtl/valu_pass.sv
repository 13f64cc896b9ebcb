// SPDX-License-Identifier: Apache-2.0
// The lanes of the vector ALU: one pass of an instruction (valu_control.sv). A pipeline of `Stages` stages, with one stage
// combinational.
//
// The simulation evaluates the same lane once for each work-item that computes, in place of this module (rtl/wrapper).
module valu_pass #(
  parameter int unsigned Lanes  = 16,
  parameter int unsigned Stages = 1
) (
  input  logic                  clk_i,
  input  valu_pkg::lane_instr_t instr_i,
  input  logic [5:0]            first_i,      // number of the first lane's work-item
  input  logic [Lanes-1:0]      computed_i,   // of the other lanes all results are 0
  input  logic [Lanes-1:0]      mask_i,
  // Vector registers; per lane 64 bits: the register, above it the next one.
  input  logic [64*Lanes-1:0]   vrf_rdata0_i,
  input  logic [64*Lanes-1:0]   vrf_rdata1_i,
  input  logic [64*Lanes-1:0]   vrf_rdata2_i,
  // DPP (valu_dpp_select): where source 0 of each lane comes from; the edge, with 16 lanes from outside
  input  logic                  dpp_i,
  input  logic [5*Lanes-1:0]    select_i,
  input  logic [6*Lanes/16-1:0] edge_item_i,
  input  logic                  edge_read_i,  // what is read now; else what was kept
  input  logic [31:0]           edge_rdata_i,
  input  logic [31:0]           edge_kept_i,
  output logic [64*Lanes-1:0]   vrf_wdata_o,
  output logic [Lanes-1:0]      flags_o,
  output logic [31:0]           one_value_o   // of an instruction that computes in one lane: its result
);

  logic [Lanes-1:0] unused_lacks;  // they have all units

  logic [64*Lanes-1:0] source0;
  for (genvar r = 0; r < Lanes / 16; r++) begin : gen_row
    logic [31:0] edge_of_row;
    if (Lanes == 16) assign edge_of_row = edge_read_i ? edge_rdata_i : edge_kept_i;
    else assign edge_of_row = vrf_rdata0_i[{edge_item_i[6*r +: 6], 6'd0} +: 32];
    valu_dpp u_dpp (
      .en_i    (dpp_i),
      .select_i(select_i[80*r +: 80]),
      .row_i   (vrf_rdata0_i[1024*r +: 1024]),
      .edge_i  (edge_of_row),
      .row_o   (source0[1024*r +: 1024])
    );
  end

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    localparam logic [5:0] Number = 6'(l);
    valu_lane #(.Stages(Stages)) u_lane (
      .clk_i,
      .en_i    (computed_i[l]),
      .instr_i,
      .lane_i  (first_i | Number),
      .vsrc0_i (source0[64*l +: 64]),
      .vsrc1_i (vrf_rdata1_i[64*l +: 64]),
      .vsrc2_i (vrf_rdata2_i[64*l +: 64]),
      .flag_i  (mask_i[l]),
      .result_o(vrf_wdata_o[64*l +: 64]),
      .flag_o  (flags_o[l]),
      .lacks_o (unused_lacks[l])
    );
  end

  always_comb begin
    one_value_o = '0;
    for (int unsigned k = 0; k < Lanes; k++) one_value_o = one_value_o | vrf_wdata_o[64*k +: 32];
  end

  logic unused_edge;
  assign unused_edge = ^{edge_item_i, edge_read_i, edge_rdata_i, edge_kept_i};

endmodule
