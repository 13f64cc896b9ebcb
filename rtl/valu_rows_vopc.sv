// Properties of the VOPC opcodes (GCN3 ISA, chapter 13, table "VOPC"): relations of 32-bit floats, of integers of 16, 32
// and 64 bits, and the class test. Combinational. The relation itself is in the opcode's low bits.
module valu_rows_vopc (
  input  logic           en_i,  // 0: nothing is computed, all outputs are 0
  input  logic [9:0]     opcode_i,
  output valu_pkg::row_t row_o,
  output fpu_pkg::op_e   fpu_op_o
);

  always_comb begin
    row_o             = '0;
    fpu_op_o = fpu_pkg::FpuCndmask;
    if (en_i) begin
      row_o.known       = 1'b1;
      row_o.exec_unit   = valu_pkg::UnitCompare;
      row_o.op          = valu_pkg::OpCmp;
      row_o.is_signed   = !opcode_i[3];
      row_o.size        = valu_pkg::Size32;
      row_o.n_src       = 2'd2;
      row_o.compare     = 1'b1;
      row_o.writes_exec = opcode_i[4];
      fpu_op_o          = fpu_pkg::FpuCmp;
      unique case (opcode_i[9:4])
        6'h01: begin  // v_cmp_class_f32, v_cmpx_class_f32
          row_o.known       = opcode_i[3:1] == 3'd0;
          row_o.exec_unit   = valu_pkg::UnitFloat;
          row_o.writes_exec = opcode_i[0];
          row_o.float_src   = 3'b001;
          fpu_op_o          = fpu_pkg::FpuCmpClass;
        end
        6'h04, 6'h05: begin
          row_o.exec_unit = valu_pkg::UnitFloat;
          row_o.float_src = 3'b011;
        end
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
    end
  end

endmodule
