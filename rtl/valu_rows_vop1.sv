// SPDX-License-Identifier: Apache-2.0
// Properties of the VOP1 opcodes (GCN3 ISA, chapter 13, table "VOP1"). Combinational.
//
// Rows of double precision and of half precision are alike but for the operation and for what is no float of that width:
// their properties are those of the row's list, and exceptions.
module valu_rows_vop1 (
  input  logic           en_i,  // 0: nothing is computed, all outputs are 0
  input  logic [9:0]     opcode_i,
  output valu_pkg::row_t row_o,
  output fpu_pkg::op_e   fpu_op_o
);

  // Opcodes with a double or a half among their operands; conversions between half and single precision are the
  // single-precision unit's.
  logic is_double, is_half;
  always_comb begin
    is_double = 1'b0;
    is_half   = 1'b0;
    if (en_i) begin
      unique case (opcode_i)
        10'h003, 10'h004, 10'h00f, 10'h010, 10'h015, 10'h016, 10'h017, 10'h018, 10'h019, 10'h01a, 10'h025, 10'h026,
        10'h028, 10'h030, 10'h031, 10'h032: is_double = 1'b1;
        default: is_half = opcode_i >= 10'h039 && opcode_i <= 10'h048 && opcode_i != 10'h040 && opcode_i != 10'h041;
      endcase
    end
  end

  always_comb begin
    row_o             = '0;
    fpu_op_o = fpu_pkg::FpuCndmask;
    if (en_i) begin
      row_o.known       = 1'b1;
      row_o.exec_unit   = valu_pkg::UnitFloat;
      row_o.op          = valu_pkg::OpMov;
      row_o.size        = valu_pkg::Size32;
      row_o.n_src       = 2'd1;
      row_o.writes_vdst = 1'b1;
      fpu_op_o          = fpu_pkg::FpuCndmask;
      if (is_double) begin
        row_o.exec_unit = valu_pkg::UnitDouble;
        row_o.rate      = valu_pkg::RateHalf;
        row_o.type0     = valu_pkg::OperandF64;
        row_o.float_src = 3'b001;
        row_o.float_dst = 1'b1;
        row_o.wide      = 1'b1;
        row_o.no_sdwa   = 1'b1;
      end
      if (is_half) begin
        row_o.exec_unit = valu_pkg::UnitHalf;
        row_o.size      = valu_pkg::Size16;
        row_o.type0     = valu_pkg::Operand16;
        row_o.float_src = 3'b001;
        row_o.float_dst = 1'b1;
      end
      unique case (opcode_i)
        10'h000, 10'h035: begin  // v_nop, v_clrexcp
          row_o.exec_unit   = valu_pkg::UnitNone;
          row_o.n_src       = 2'd0;
          row_o.writes_vdst = 1'b0;
          row_o.no_sdwa     = 1'b1;
        end
        10'h001: row_o.exec_unit = valu_pkg::UnitBits;  // v_mov_b32
        10'h002: begin  // v_readfirstlane_b32
          row_o.exec_unit     = valu_pkg::UnitBits;
          row_o.access        = valu_pkg::AccessReadFirstLane;
          row_o.writes_vdst   = 1'b0;
          row_o.writes_scalar = 1'b1;
          row_o.no_vop3       = 1'b1;
          row_o.no_sdwa       = 1'b1;
        end

        // Conversions
        10'h005: begin
          fpu_op_o        = fpu_pkg::FpuCvtF32I32;
          row_o.float_dst = 1'b1;
        end
        10'h006: begin
          fpu_op_o        = fpu_pkg::FpuCvtF32U32;
          row_o.float_dst = 1'b1;
        end
        10'h007: begin
          fpu_op_o        = fpu_pkg::FpuCvtU32F32;
          row_o.float_src = 3'b001;
        end
        10'h008: begin
          fpu_op_o        = fpu_pkg::FpuCvtI32F32;
          row_o.float_src = 3'b001;
        end
        10'h00a: begin
          fpu_op_o        = fpu_pkg::FpuCvtF16F32;
          row_o.float_src = 3'b001;
          row_o.float_dst = 1'b1;
        end
        10'h00b: begin
          fpu_op_o        = fpu_pkg::FpuCvtF32F16;
          row_o.type0     = valu_pkg::Operand16;
          row_o.float_src = 3'b001;
          row_o.float_dst = 1'b1;
        end
        10'h00c: begin
          fpu_op_o        = fpu_pkg::FpuCvtRpiI32F32;
          row_o.float_src = 3'b001;
        end
        10'h00d: begin
          fpu_op_o        = fpu_pkg::FpuCvtFlrI32F32;
          row_o.float_src = 3'b001;
        end
        10'h00e: begin
          fpu_op_o        = fpu_pkg::FpuCvtOffF32I4;
          row_o.float_dst = 1'b1;
        end
        10'h011: begin
          fpu_op_o        = fpu_pkg::FpuCvtF32Ubyte0;
          row_o.float_dst = 1'b1;
        end
        10'h012: begin
          fpu_op_o        = fpu_pkg::FpuCvtF32Ubyte1;
          row_o.float_dst = 1'b1;
        end
        10'h013: begin
          fpu_op_o        = fpu_pkg::FpuCvtF32Ubyte2;
          row_o.float_dst = 1'b1;
        end
        10'h014: begin
          fpu_op_o        = fpu_pkg::FpuCvtF32Ubyte3;
          row_o.float_dst = 1'b1;
        end

        // Rounding to whole numbers, parts of a number
        10'h01b: begin
          fpu_op_o        = fpu_pkg::FpuFract;
          row_o.float_src = 3'b001;
          row_o.float_dst = 1'b1;
        end
        10'h01c: begin
          fpu_op_o        = fpu_pkg::FpuTrunc;
          row_o.float_src = 3'b001;
          row_o.float_dst = 1'b1;
        end
        10'h01d: begin
          fpu_op_o        = fpu_pkg::FpuCeil;
          row_o.float_src = 3'b001;
          row_o.float_dst = 1'b1;
        end
        10'h01e: begin
          fpu_op_o        = fpu_pkg::FpuRndne;
          row_o.float_src = 3'b001;
          row_o.float_dst = 1'b1;
        end
        10'h01f: begin
          fpu_op_o        = fpu_pkg::FpuFloor;
          row_o.float_src = 3'b001;
          row_o.float_dst = 1'b1;
        end
        10'h033: begin
          fpu_op_o        = fpu_pkg::FpuFrexpExp;
          row_o.float_src = 3'b001;
        end
        10'h034: begin
          fpu_op_o        = fpu_pkg::FpuFrexpMant;
          row_o.float_src = 3'b001;
          row_o.float_dst = 1'b1;
        end

        // Double precision
        10'h003, 10'h015: begin
          fpu_op_o        = opcode_i[4] ? fpu_pkg::FpuCvtU32F64 : fpu_pkg::FpuCvtI32F64;
          row_o.float_dst = 1'b0;
          row_o.wide      = 1'b0;
        end
        10'h004, 10'h016: begin
          fpu_op_o        = opcode_i[4] ? fpu_pkg::FpuCvtF64U32 : fpu_pkg::FpuCvtF64I32;
          row_o.type0     = valu_pkg::Operand32;
          row_o.float_src = 3'b000;
        end
        10'h00f: begin
          fpu_op_o   = fpu_pkg::FpuCvtF32F64;
          row_o.wide = 1'b0;
        end
        10'h010: begin
          fpu_op_o    = fpu_pkg::FpuCvtF64F32;
          row_o.type0 = valu_pkg::Operand32;
        end
        10'h017: fpu_op_o = fpu_pkg::FpuTrunc;
        10'h018: fpu_op_o = fpu_pkg::FpuCeil;
        10'h019: fpu_op_o = fpu_pkg::FpuRndne;
        10'h01a: fpu_op_o = fpu_pkg::FpuFloor;
        10'h025: begin
          fpu_op_o   = fpu_pkg::FpuRcp;
          row_o.rate = valu_pkg::RateQuarter;
        end
        10'h026: begin
          fpu_op_o   = fpu_pkg::FpuRsq;
          row_o.rate = valu_pkg::RateQuarter;
        end
        10'h028: begin
          fpu_op_o   = fpu_pkg::FpuSqrt;
          row_o.rate = valu_pkg::RateQuarter;
        end
        10'h030: begin
          fpu_op_o        = fpu_pkg::FpuFrexpExp;
          row_o.float_dst = 1'b0;
          row_o.wide      = 1'b0;
        end
        10'h031: fpu_op_o = fpu_pkg::FpuFrexpMant;
        10'h032: fpu_op_o = fpu_pkg::FpuFract;

        // Half precision
        10'h039, 10'h03a: begin
          fpu_op_o        = opcode_i[0] ? fpu_pkg::FpuCvtF16U16 : fpu_pkg::FpuCvtF16I16;
          row_o.float_src = 3'b000;
        end
        10'h03b, 10'h03c: begin
          fpu_op_o        = opcode_i[0] ? fpu_pkg::FpuCvtU16F16 : fpu_pkg::FpuCvtI16F16;
          row_o.float_dst = 1'b0;
        end
        10'h03d: begin
          fpu_op_o   = fpu_pkg::FpuRcp;
          row_o.rate = valu_pkg::RateQuarter;
        end
        10'h03e: begin
          fpu_op_o   = fpu_pkg::FpuSqrt;
          row_o.rate = valu_pkg::RateQuarter;
        end
        10'h03f: begin
          fpu_op_o   = fpu_pkg::FpuRsq;
          row_o.rate = valu_pkg::RateQuarter;
        end
        10'h042: fpu_op_o = fpu_pkg::FpuFrexpMant;
        10'h043: begin
          fpu_op_o        = fpu_pkg::FpuFrexpExp;
          row_o.float_dst = 1'b0;
        end
        10'h044: fpu_op_o = fpu_pkg::FpuFloor;
        10'h045: fpu_op_o = fpu_pkg::FpuCeil;
        10'h046: fpu_op_o = fpu_pkg::FpuTrunc;
        10'h047: fpu_op_o = fpu_pkg::FpuRndne;
        10'h048: fpu_op_o = fpu_pkg::FpuFract;
        // Transcendentals
        10'h020, 10'h021, 10'h022, 10'h023, 10'h024, 10'h027, 10'h029, 10'h02a, 10'h04b, 10'h04c: begin
          row_o.exec_unit = valu_pkg::UnitTrans;
          row_o.rate      = valu_pkg::RateQuarter;
          row_o.float_src = 3'b001;
          row_o.float_dst = 1'b1;
          unique case (opcode_i)
            10'h020, 10'h04b: fpu_op_o = fpu_pkg::FpuExp;
            10'h021, 10'h04c: fpu_op_o = fpu_pkg::FpuLog;
            10'h022, 10'h023: fpu_op_o = fpu_pkg::FpuRcp;
            10'h024: fpu_op_o = fpu_pkg::FpuRsq;
            10'h027: fpu_op_o = fpu_pkg::FpuSqrt;
            10'h029: fpu_op_o = fpu_pkg::FpuSin;
            default: fpu_op_o = fpu_pkg::FpuCos;
          endcase
        end

        // Moves from and to a register that M0 names
        10'h036, 10'h037, 10'h038: begin
          row_o.exec_unit    = valu_pkg::UnitBits;
          row_o.relative_src = opcode_i != 10'h036;
          row_o.relative_dst = opcode_i != 10'h037;
          row_o.no_sdwa      = 1'b1;
        end

        // Bits
        10'h02b: begin
          row_o.exec_unit = valu_pkg::UnitBits;
          row_o.op        = valu_pkg::OpNot;
        end
        10'h02c: begin
          row_o.exec_unit = valu_pkg::UnitBits;
          row_o.op        = valu_pkg::OpBrev;
        end
        10'h02d: begin
          row_o.exec_unit = valu_pkg::UnitBits;
          row_o.op        = valu_pkg::OpFfbh;
        end
        10'h02e: begin
          row_o.exec_unit = valu_pkg::UnitBits;
          row_o.op        = valu_pkg::OpFfbl;
        end
        10'h02f: begin
          row_o.exec_unit = valu_pkg::UnitBits;
          row_o.op        = valu_pkg::OpFfbh;
          row_o.is_signed = 1'b1;
        end
        default: row_o.known = 1'b0;
      endcase
    end
  end

endmodule
