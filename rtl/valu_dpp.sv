// SPDX-License-Identifier: Apache-2.0
// DPP: moves source 0 between the work-items of a row of 16, as valu_dpp_select says. Combinational.
module valu_dpp (
  input  logic          en_i,      // 0: the row as it is
  input  logic [79:0]   select_i,
  input  logic [1023:0] row_i,     // per work-item 64 bits: the register, above it the next one
  input  logic [31:0]   edge_i,    // the work-item of another row
  output logic [1023:0] row_o
);

  always_comb begin
    row_o = row_i;
    if (en_i) begin
      for (int unsigned k = 0; k < 16; k++) begin
        row_o[64*k +: 64] = '0;
        if (select_i[5*k + 4]) row_o[64*k +: 32] = select_i[5*k] ? '0 : edge_i;
        else row_o[64*k +: 32] = row_i[{select_i[5*k +: 4], 6'd0} +: 32];
      end
    end
  end

endmodule
