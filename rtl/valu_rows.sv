// SPDX-License-Identifier: Apache-2.0
// Properties of the vector instructions, by native format and opcode.
//
// Combinational. Opcodes: GCN3 ISA, chapter 13, tables "VOP1", "VOP2", "VOP3" and "VOPC"; operands: chapter 12. What is
// not listed here is unknown: exp, log, sine and cosine of halves, v_mqsad_u32_u8.
module valu_rows (
  input  logic              en_i,  // 0: nothing is computed, all outputs are 0
  input  valu_pkg::format_e format_i,
  input  logic [9:0]        opcode_i,
  output valu_pkg::row_t    row_o
);

  valu_pkg::row_t vop1, vop2, vop3, vopc;
  valu_rows_vop1 u_vop1 (.en_i(en_i && format_i == valu_pkg::FormatVop1), .opcode_i, .row_o(vop1));
  valu_rows_vop2 u_vop2 (.en_i(en_i && format_i == valu_pkg::FormatVop2), .opcode_i, .row_o(vop2));
  valu_rows_vop3 u_vop3 (.en_i(en_i && format_i == valu_pkg::FormatVop3), .opcode_i, .row_o(vop3));
  valu_rows_vopc u_vopc (.en_i(en_i && format_i == valu_pkg::FormatVopC), .opcode_i, .row_o(vopc));
  // A table that does not have the opcode gives 0.
  assign row_o = vop1 | vop2 | vop3 | vopc;

endmodule
