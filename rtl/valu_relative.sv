// SPDX-License-Identifier: Apache-2.0
// v_movrels, v_movreld, v_movrelsd: the registers that M0 names. Combinational.
//
// An index beyond the wavefront's registers is the program's error, and the machine's to report. (GCN3 ISA, V_MOVREL*)
module valu_relative (
  input  valu_pkg::ctrl_t ctrl_i,
  input  logic [31:0]     m0_i,
  output valu_pkg::ctrl_t ctrl_o
);

  always_comb begin
    ctrl_o = ctrl_i;
    if (ctrl_i.relative_src) ctrl_o.src0[7:0] = ctrl_i.src0[7:0] + m0_i[7:0];
    if (ctrl_i.relative_dst) ctrl_o.vdst = ctrl_i.vdst + m0_i[7:0];
  end

  logic unused_m0;
  assign unused_m0 = ^m0_i[31:8];

endmodule
