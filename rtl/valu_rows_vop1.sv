// Properties of the VOP1 opcodes (GCN3 ISA, chapter 13, table "VOP1"). Combinational.
module valu_rows_vop1 (
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
      row_o.exec_unit   = valu_pkg::UnitFloat;
      row_o.op          = valu_pkg::OpMov;
      row_o.size        = valu_pkg::Size32;
      row_o.n_src       = 2'd1;
      row_o.writes_vdst = 1'b1;
      fpu_op_o          = fpu_pkg::FpuCndmask;
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
