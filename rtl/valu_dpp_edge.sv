// SPDX-License-Identifier: Apache-2.0
// DPP in passes of 16 lanes: the work-item of another row, where the pass before has read it.
//
// A destination may be the source's register, so that what an earlier pass was given is kept, and only what a later pass
// will be given is read: by one port of one work-item. (GCN3 ISA, chapter 6 "DPP")
module valu_dpp_edge (
  input  logic           clk_i,
  input  logic           rst_ni,
  input  logic           en_i,     // a pass of an instruction with DPP, in its last cycle
  input  valu_pkg::dpp_t dpp_i,
  input  logic [1:0]     pass_i,
  input  logic [31:0]    first_i,  // source 0 of the pass's first and last work-item
  input  logic [31:0]    last_i,
  output logic           read_o,   // the edge is read
  output logic [31:0]    kept_o    // else it is this
);

  logic        left;       // from higher numbers: wave_shl, wave_rol
  logic        keeps;
  logic [31:0] kept_q;
  always_comb begin
    left   = '0;
    keeps  = '0;
    read_o = '0;
    if (en_i) begin
      left   = dpp_i.ctrl[8:3] == 6'b100110;
      read_o = left ? pass_i != 2'd3 : dpp_i.ctrl == 9'h13c && pass_i == 2'd0;
      keeps  = left ? pass_i == 2'd0 : dpp_i.ctrl != 9'h143 || pass_i == 2'd1;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) kept_q <= '0;
    else if (keeps) kept_q <= left ? first_i : last_i;
  end
  assign kept_o = kept_q;

  logic unused_dpp;
  assign unused_dpp = ^{dpp_i.on, dpp_i.bound_ctrl, dpp_i.bank_mask, dpp_i.row_mask};

endmodule
