// SPDX-License-Identifier: Apache-2.0
// The SpSIMD unit: contexts of split wavefronts (SWFs), a scalar ALU behind its queue (SQ), a vector ALU of 64 work-items
// over `Lanes` lanes behind its own (VQ), and the control of split and merge (PWS paper, Fig. 4; thesis, Fig. 4.3). All but
// the lanes is spsimd_core.sv. What it does when: spsimd_ports.svh.
module spsimd
`include "spsimd_ports.svh"
    input  logic [64*Lanes-1:0] vrf_rdata0_i,
    input  logic [64*Lanes-1:0] vrf_rdata1_i,
    input  logic [64*Lanes-1:0] vrf_rdata2_i,
    input  logic [31:0]         vrf_edge_rdata_i,
    output logic [64*Lanes-1:0] vrf_wdata_o
);

  valu_pkg::lane_instr_t pass_instr;
  logic [5:0]            pass_first;
  logic [Lanes-1:0]      pass_computed, pass_mask, pass_flags;
  logic [31:0]           one_value, pass_edge_kept;
  logic                  pass_dpp;
  logic [5*Lanes-1:0]    pass_select;
  logic [6*Lanes/16-1:0] pass_edge_item;
  logic                  unused_pass_last;  // the lanes compute in each of a pass's cycles

  spsimd_core #(
      .Contexts(Contexts), .Lanes(Lanes), .SpSimds(SpSimds), .StackDepth(StackDepth), .Stages(Stages), .HandOver(HandOver)
  ) u_core (
      .*, .pass_instr_o(pass_instr), .pass_first_o(pass_first), .pass_computed_o(pass_computed), .pass_mask_o(pass_mask),
      .pass_dpp_o(pass_dpp), .pass_select_o(pass_select), .pass_edge_item_o(pass_edge_item),
      .pass_edge_kept_o(pass_edge_kept), .pass_first_src_i(vrf_rdata0_i[31:0]),
      .pass_last_src_i(vrf_rdata0_i[64*Lanes-64 +: 32]), .pass_last_o(unused_pass_last), .pass_flags_i(pass_flags),
      .one_value_i(one_value)
  );

  valu_pass #(.Lanes(Lanes), .Stages(Stages)) u_pass (
      .*, .instr_i(pass_instr), .first_i(pass_first), .computed_i(pass_computed), .mask_i(pass_mask), .dpp_i(pass_dpp),
      .select_i(pass_select), .edge_item_i(pass_edge_item), .edge_read_i(vrf_edge_re_o), .edge_rdata_i(vrf_edge_rdata_i),
      .edge_kept_i(pass_edge_kept), .flags_o(pass_flags), .one_value_o(one_value)
  );

endmodule
