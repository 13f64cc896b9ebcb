// SPDX-License-Identifier: Apache-2.0
// Properties of the VOPC opcodes (GCN3 ISA, chapter 13, table "VOPC"): relations of floats and of integers of 16, 32
// and 64 bits, and class tests. Combinational. The relation itself is in the opcode's low bits.
module valu_rows_vopc (
  input  logic           en_i,  // 0: nothing is computed, all outputs are 0
  input  logic [9:0]     opcode_i,
  output valu_pkg::row_t row_o
);

  logic of_half, of_single, of_double;

  always_comb begin
    row_o     = '0;
    of_half   = 1'b0;
    of_single = 1'b0;
    of_double = 1'b0;
    if (en_i) begin
      row_o.known       = 1'b1;
      row_o.exec_unit   = valu_pkg::UnitCompare;
      row_o.op          = valu_pkg::OpCmp;
      row_o.is_signed   = !opcode_i[3];
      row_o.size        = valu_pkg::Size32;
      row_o.n_src       = 2'd2;
      row_o.compare     = 1'b1;
      row_o.writes_exec = opcode_i[4];
      row_o.float_op    = valu_pkg::FpuCmp;
      unique case (opcode_i[9:4])
        6'h01: begin  // v_cmp_class, v_cmpx_class; the classes are a number of 16 or 32 bits
          row_o.known       = opcode_i[3:0] <= 4'd5;
          row_o.writes_exec = opcode_i[0];
          row_o.float_op    = valu_pkg::FpuCmpClass;
          of_single         = opcode_i[2:1] == 2'd0;
          of_double         = opcode_i[2:1] == 2'd1;
          of_half           = opcode_i[2:1] == 2'd2;
        end
        6'h02, 6'h03: of_half = 1'b1;
        6'h04, 6'h05: of_single = 1'b1;
        6'h06, 6'h07: of_double = 1'b1;
        6'h0a, 6'h0b: begin
          row_o.size  = valu_pkg::Size16;
          row_o.type0 = valu_pkg::Operand16;
          row_o.type1 = valu_pkg::Operand16;
        end
        6'h0c, 6'h0d: row_o.size = valu_pkg::Size32;
        6'h0e, 6'h0f: begin
          row_o.size    = valu_pkg::Size64;
          row_o.type0   = opcode_i[3] ? valu_pkg::Operand64 : valu_pkg::OperandI64;
          row_o.type1   = row_o.type0;
          row_o.no_sdwa = 1'b1;
        end
        default: row_o.known = 1'b0;
      endcase

      if (of_half || of_single || of_double) row_o.float_src = row_o.float_op == valu_pkg::FpuCmp ? 3'b011 : 3'b001;
      if (of_single) row_o.exec_unit = valu_pkg::UnitFloat;
      if (of_half) begin
        row_o.exec_unit = valu_pkg::UnitHalf;
        row_o.size      = valu_pkg::Size16;
        row_o.type0     = valu_pkg::Operand16;
        row_o.type1     = valu_pkg::Operand16;
      end
      if (of_double) begin
        row_o.exec_unit = valu_pkg::UnitDouble;
        row_o.rate      = valu_pkg::RateHalf;
        row_o.type0     = valu_pkg::OperandF64;
        row_o.type1     = row_o.float_op == valu_pkg::FpuCmp ? valu_pkg::OperandF64 : valu_pkg::Operand32;
        row_o.no_sdwa   = 1'b1;
      end
    end
  end

endmodule
