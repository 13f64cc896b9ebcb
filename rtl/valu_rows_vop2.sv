// SPDX-License-Identifier: Apache-2.0
// Properties of the VOP2 opcodes (GCN3 ISA, chapter 13, table "VOP2"). Combinational.
module valu_rows_vop2 (
  input  logic           en_i,  // 0: nothing is computed, all outputs are 0
  input  logic [9:0]     opcode_i,
  output valu_pkg::row_t row_o,
  output fpu_pkg::op_e   fpu_op_o
);

  // Two float sources and a float result: the opcodes up to 0x0b and from 0x16 to 0x18, but for the 24-bit products, and
  // those of halves.
  logic is_float, is_half, is_16;
  assign is_half  = (opcode_i >= 10'h01f && opcode_i <= 10'h025) || opcode_i == 10'h02d || opcode_i == 10'h02e ||
                    opcode_i == 10'h033;
  assign is_16    = is_half || opcode_i >= 10'h026;
  assign is_float = is_half || (opcode_i <= 10'h00b && !(opcode_i >= 10'h006 && opcode_i <= 10'h009)) ||
                    (opcode_i >= 10'h016 && opcode_i <= 10'h018);

  always_comb begin
    row_o             = '0;
    fpu_op_o = fpu_pkg::FpuCndmask;
    if (en_i) begin
      row_o.known       = 1'b1;
      row_o.exec_unit   = is_half ? valu_pkg::UnitHalf : valu_pkg::UnitFloat;
      row_o.op          = valu_pkg::OpMov;
      row_o.size        = is_16 ? valu_pkg::Size16 : valu_pkg::Size32;
      row_o.n_src       = 2'd2;
      row_o.type0       = is_16 ? valu_pkg::Operand16 : valu_pkg::Operand32;
      row_o.type1       = row_o.type0;
      row_o.type2       = row_o.type0;
      row_o.writes_vdst = 1'b1;
      row_o.float_src   = {1'b0, {2{is_float}}};
      row_o.float_dst   = is_float;
      fpu_op_o          = fpu_pkg::FpuCndmask;
      unique case (opcode_i)
        10'h000: row_o.reads_mask = 1'b1;  // v_cndmask_b32
        10'h001: fpu_op_o = fpu_pkg::FpuAdd;
        10'h002: fpu_op_o = fpu_pkg::FpuSub;
        10'h003: fpu_op_o = fpu_pkg::FpuSubRev;
        10'h004: fpu_op_o = fpu_pkg::FpuMulLegacy;
        10'h005: fpu_op_o = fpu_pkg::FpuMul;
        10'h006, 10'h008: begin
          row_o.exec_unit = valu_pkg::UnitMul;
          row_o.op        = valu_pkg::OpMul24Lo;
          row_o.is_signed = !opcode_i[3];
        end
        10'h007, 10'h009: begin
          row_o.exec_unit = valu_pkg::UnitMul;
          row_o.op        = valu_pkg::OpMul24Hi;
          row_o.is_signed = !opcode_i[3];
        end
        10'h00a: fpu_op_o = fpu_pkg::FpuMin;
        10'h00b: fpu_op_o = fpu_pkg::FpuMax;
        10'h00c, 10'h00e: begin
          row_o.exec_unit = valu_pkg::UnitCompare;
          row_o.op        = valu_pkg::OpMin;
          row_o.is_signed = !opcode_i[1];
        end
        10'h00d, 10'h00f: begin
          row_o.exec_unit = valu_pkg::UnitCompare;
          row_o.op        = valu_pkg::OpMax;
          row_o.is_signed = !opcode_i[1];
        end
        10'h010: begin
          row_o.exec_unit = valu_pkg::UnitShift;
          row_o.op        = valu_pkg::OpLshr;
        end
        10'h011: begin
          row_o.exec_unit = valu_pkg::UnitShift;
          row_o.op        = valu_pkg::OpAshr;
        end
        10'h012: begin
          row_o.exec_unit = valu_pkg::UnitShift;
          row_o.op        = valu_pkg::OpLshl;
        end
        10'h013: begin
          row_o.exec_unit = valu_pkg::UnitBits;
          row_o.op        = valu_pkg::OpAnd;
        end
        10'h014: begin
          row_o.exec_unit = valu_pkg::UnitBits;
          row_o.op        = valu_pkg::OpOr;
        end
        10'h015: begin
          row_o.exec_unit = valu_pkg::UnitBits;
          row_o.op        = valu_pkg::OpXor;
        end
        10'h016: begin  // v_mac_f32
          fpu_op_o        = fpu_pkg::FpuMad;
          row_o.reads_dst = 1'b1;
        end
        10'h017, 10'h018: begin  // v_madmk_f32, v_madak_f32
          fpu_op_o        = fpu_pkg::FpuMad;
          row_o.n_src     = 2'd3;
          row_o.literal_k = 1'b1;
          row_o.no_vop3   = 1'b1;
          row_o.no_sdwa   = 1'b1;
        end
        10'h019, 10'h01a, 10'h01b: begin
          row_o.exec_unit = valu_pkg::UnitAdd;
          row_o.op        = opcode_i[1:0] == 2'd1 ? valu_pkg::OpAdd :
                            opcode_i[1:0] == 2'd2 ? valu_pkg::OpSub : valu_pkg::OpSubRev;
          row_o.carry_out = 1'b1;
          row_o.saturates = 1'b1;
        end
        10'h01c, 10'h01d, 10'h01e: begin
          row_o.exec_unit  = valu_pkg::UnitAdd;
          row_o.op         = opcode_i[1:0] == 2'd0 ? valu_pkg::OpAddC :
                             opcode_i[1:0] == 2'd1 ? valu_pkg::OpSubB : valu_pkg::OpSubBRev;
          row_o.carry_out  = 1'b1;
          row_o.reads_mask = 1'b1;
        end

        // 16 bits
        10'h026, 10'h027, 10'h028: begin
          row_o.exec_unit = valu_pkg::UnitAdd;
          row_o.op        = opcode_i[1:0] == 2'd2 ? valu_pkg::OpAdd :
                            opcode_i[1:0] == 2'd3 ? valu_pkg::OpSub : valu_pkg::OpSubRev;
          row_o.saturates = 1'b1;
        end
        10'h029: begin
          row_o.exec_unit = valu_pkg::UnitMul;
          row_o.op        = valu_pkg::OpMulLo;
        end
        10'h02a: begin
          row_o.exec_unit = valu_pkg::UnitShift;
          row_o.op        = valu_pkg::OpLshl;
        end
        10'h02b: begin
          row_o.exec_unit = valu_pkg::UnitShift;
          row_o.op        = valu_pkg::OpLshr;
        end
        10'h02c: begin
          row_o.exec_unit = valu_pkg::UnitShift;
          row_o.op        = valu_pkg::OpAshr;
        end
        10'h02f, 10'h030: begin
          row_o.exec_unit = valu_pkg::UnitCompare;
          row_o.op        = valu_pkg::OpMax;
          row_o.is_signed = !opcode_i[0];
        end
        10'h031, 10'h032: begin
          row_o.exec_unit = valu_pkg::UnitCompare;
          row_o.op        = valu_pkg::OpMin;
          row_o.is_signed = !opcode_i[0];
        end

        // Half precision
        10'h01f: fpu_op_o = fpu_pkg::FpuAdd;
        10'h020: fpu_op_o = fpu_pkg::FpuSub;
        10'h021: fpu_op_o = fpu_pkg::FpuSubRev;
        10'h022: fpu_op_o = fpu_pkg::FpuMul;
        10'h023: begin  // v_mac_f16
          fpu_op_o        = fpu_pkg::FpuMad;
          row_o.reads_dst = 1'b1;
        end
        10'h024, 10'h025: begin  // v_madmk_f16, v_madak_f16
          fpu_op_o        = fpu_pkg::FpuMad;
          row_o.n_src     = 2'd3;
          row_o.literal_k = 1'b1;
          row_o.no_vop3   = 1'b1;
          row_o.no_sdwa   = 1'b1;
        end
        10'h02d: fpu_op_o = fpu_pkg::FpuMax;
        10'h02e: fpu_op_o = fpu_pkg::FpuMin;
        10'h033: begin  // v_ldexp_f16
          fpu_op_o        = fpu_pkg::FpuLdexp;
          row_o.float_src = 3'b001;
        end
        default: row_o.known = 1'b0;
      endcase
    end
  end

endmodule
