// SPDX-License-Identifier: Apache-2.0
// Properties of the opcodes that only VOP3 has (GCN3 ISA, chapter 13, table "VOP3"). Combinational.
module valu_rows_vop3 (
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
      row_o.n_src       = opcode_i < 10'h280 ? 2'd3 : 2'd2;
      row_o.writes_vdst = 1'b1;
      fpu_op_o          = fpu_pkg::FpuCndmask;
      unique case (opcode_i)
        // Floats
        10'h1c0, 10'h1c1, 10'h1cb, 10'h1d0, 10'h1d3, 10'h1d6, 10'h1de: begin
          row_o.float_src = 3'b111;
          row_o.float_dst = 1'b1;
          unique case (opcode_i)
            10'h1c0: fpu_op_o = fpu_pkg::FpuMadLegacy;
            10'h1c1: fpu_op_o = fpu_pkg::FpuMad;
            10'h1cb: fpu_op_o = fpu_pkg::FpuFma;
            10'h1d0: fpu_op_o = fpu_pkg::FpuMin3;
            10'h1d3: fpu_op_o = fpu_pkg::FpuMax3;
            10'h1d6: fpu_op_o = fpu_pkg::FpuMed3;
            default: fpu_op_o = fpu_pkg::FpuDivFixup;
          endcase
        end
        10'h1e0: begin  // v_div_scale_f32
          fpu_op_o        = fpu_pkg::FpuDivScale;
          row_o.float_src = 3'b111;
          row_o.float_dst = 1'b1;
          row_o.carry_out = 1'b1;
        end
        10'h1e2: begin  // v_div_fmas_f32
          fpu_op_o           = fpu_pkg::FpuDivFmas;
          row_o.float_src    = 3'b111;
          row_o.float_dst    = 1'b1;
          row_o.implicit_vcc = 1'b1;
        end
        10'h1dd: begin  // v_cvt_pk_u8_f32
          fpu_op_o        = fpu_pkg::FpuCvtPkU8F32;
          row_o.float_src = 3'b001;
        end
        10'h1f0: begin  // v_cvt_pkaccum_u8_f32
          fpu_op_o        = fpu_pkg::FpuCvtPkU8F32;
          row_o.float_src = 3'b001;
          row_o.n_src     = 2'd2;
          row_o.reads_dst = 1'b1;
        end
        10'h288: begin
          fpu_op_o        = fpu_pkg::FpuLdexp;
          row_o.float_src = 3'b001;
          row_o.float_dst = 1'b1;
        end
        10'h296: begin
          fpu_op_o        = fpu_pkg::FpuCvtPkrtzF16F32;
          row_o.float_src = 3'b011;
        end

        // Half precision
        10'h1ea, 10'h1ee, 10'h1ef: begin
          row_o.exec_unit = valu_pkg::UnitHalf;
          row_o.size      = valu_pkg::Size16;
          row_o.type0     = valu_pkg::Operand16;
          row_o.type1     = valu_pkg::Operand16;
          row_o.type2     = valu_pkg::Operand16;
          row_o.float_src = 3'b111;
          row_o.float_dst = 1'b1;
          unique case (opcode_i)
            10'h1ea: fpu_op_o = fpu_pkg::FpuMad;
            10'h1ee: fpu_op_o = fpu_pkg::FpuFma;
            default: fpu_op_o = fpu_pkg::FpuDivFixup;
          endcase
        end

        // Double precision
        10'h1cc, 10'h1df, 10'h1e1, 10'h1e3, 10'h280, 10'h281, 10'h282, 10'h283, 10'h284, 10'h292: begin
          row_o.exec_unit = valu_pkg::UnitDouble;
          row_o.rate      = valu_pkg::RateHalf;
          row_o.type0     = valu_pkg::OperandF64;
          row_o.type1     = valu_pkg::OperandF64;
          row_o.type2     = valu_pkg::OperandF64;
          row_o.float_src = row_o.n_src == 2'd3 ? 3'b111 : 3'b011;
          row_o.float_dst = 1'b1;
          row_o.wide      = 1'b1;
          row_o.no_sdwa   = 1'b1;
          unique case (opcode_i)
            10'h1cc: fpu_op_o = fpu_pkg::FpuFma;
            10'h1df: fpu_op_o = fpu_pkg::FpuDivFixup;
            10'h1e1: begin
              fpu_op_o        = fpu_pkg::FpuDivScale;
              row_o.carry_out = 1'b1;
            end
            10'h1e3: begin
              fpu_op_o           = fpu_pkg::FpuDivFmas;
              row_o.implicit_vcc = 1'b1;
            end
            10'h280: fpu_op_o = fpu_pkg::FpuAdd;
            10'h281: fpu_op_o = fpu_pkg::FpuMul;
            10'h282: fpu_op_o = fpu_pkg::FpuMin;
            10'h283: fpu_op_o = fpu_pkg::FpuMax;
            default: begin  // v_ldexp_f64, v_trig_preop_f64
              fpu_op_o        = opcode_i == 10'h284 ? fpu_pkg::FpuLdexp : fpu_pkg::FpuTrigPreop;
              row_o.type1     = valu_pkg::Operand32;
              row_o.float_src = 3'b001;
            end
          endcase
        end

        // Products
        10'h1c2, 10'h1c3: begin
          row_o.exec_unit = valu_pkg::UnitMul;
          row_o.op        = valu_pkg::OpMad24;
          row_o.is_signed = !opcode_i[0];
        end
        10'h1eb, 10'h1ec: begin
          row_o.exec_unit = valu_pkg::UnitMul;
          row_o.op        = valu_pkg::OpMad16;
          row_o.size      = valu_pkg::Size16;
          row_o.type0     = valu_pkg::Operand16;
          row_o.type1     = valu_pkg::Operand16;
          row_o.type2     = valu_pkg::Operand16;
        end
        10'h1e8, 10'h1e9: begin
          row_o.exec_unit = valu_pkg::UnitMul;
          row_o.op        = valu_pkg::OpMad64;
          row_o.is_signed = opcode_i[0];
          row_o.type2     = opcode_i[0] ? valu_pkg::OperandI64 : valu_pkg::Operand64;
          row_o.wide      = 1'b1;
          row_o.carry_out = 1'b1;
          row_o.rate      = valu_pkg::RateHalf;
        end
        10'h285: begin
          row_o.exec_unit = valu_pkg::UnitMul;
          row_o.op        = valu_pkg::OpMulLo;
          row_o.rate      = valu_pkg::RateHalf;
        end
        10'h286, 10'h287: begin
          row_o.exec_unit = valu_pkg::UnitMul;
          row_o.op        = valu_pkg::OpMulHi;
          row_o.is_signed = opcode_i[0];
          row_o.rate      = valu_pkg::RateHalf;
        end

        // Shifts and bit fields
        10'h28f, 10'h290, 10'h291: begin
          row_o.exec_unit = valu_pkg::UnitShift;
          row_o.op        = opcode_i[3:0] == 4'hf ? valu_pkg::OpLshl :
                            opcode_i[0] ? valu_pkg::OpAshr : valu_pkg::OpLshr;
          row_o.size      = valu_pkg::Size64;
          row_o.type1     = opcode_i[1:0] == 2'd1 ? valu_pkg::OperandI64 : valu_pkg::Operand64;
          row_o.wide      = 1'b1;
          row_o.rate      = valu_pkg::RateHalf;
        end
        10'h1c8, 10'h1c9: begin
          row_o.exec_unit = valu_pkg::UnitShift;
          row_o.op        = valu_pkg::OpBfe;
          row_o.is_signed = opcode_i[0];
        end
        10'h1ce: begin
          row_o.exec_unit = valu_pkg::UnitShift;
          row_o.op        = valu_pkg::OpAlignBit;
        end
        10'h1cf: begin
          row_o.exec_unit = valu_pkg::UnitShift;
          row_o.op        = valu_pkg::OpAlignByte;
        end
        10'h293: begin
          row_o.exec_unit = valu_pkg::UnitShift;
          row_o.op        = valu_pkg::OpBfm;
        end
        10'h1ca: begin
          row_o.exec_unit = valu_pkg::UnitBits;
          row_o.op        = valu_pkg::OpBfi;
        end
        10'h1ed: begin
          row_o.exec_unit = valu_pkg::UnitBits;
          row_o.op        = valu_pkg::OpPerm;
        end
        10'h28b: begin
          row_o.exec_unit = valu_pkg::UnitBits;
          row_o.op        = valu_pkg::OpBcnt;
        end
        10'h28c: begin
          row_o.exec_unit = valu_pkg::UnitBits;
          row_o.op        = valu_pkg::OpMbcntLo;
        end
        10'h28d: begin
          row_o.exec_unit = valu_pkg::UnitBits;
          row_o.op        = valu_pkg::OpMbcntHi;
        end
        10'h297, 10'h298: begin
          row_o.exec_unit = valu_pkg::UnitBits;
          row_o.op        = valu_pkg::OpCvtPk;
          row_o.is_signed = !opcode_i[0];
        end

        // Minimum, maximum and median of three
        10'h1d1, 10'h1d2: begin
          row_o.exec_unit = valu_pkg::UnitCompare;
          row_o.op        = valu_pkg::OpMin3;
          row_o.is_signed = opcode_i[0];
        end
        10'h1d4, 10'h1d5: begin
          row_o.exec_unit = valu_pkg::UnitCompare;
          row_o.op        = valu_pkg::OpMax3;
          row_o.is_signed = !opcode_i[0];
        end
        10'h1d7, 10'h1d8: begin
          row_o.exec_unit = valu_pkg::UnitCompare;
          row_o.op        = valu_pkg::OpMed3;
          row_o.is_signed = opcode_i[0];
        end

        // Bytes and words
        10'h1cd: begin
          row_o.exec_unit = valu_pkg::UnitBytes;
          row_o.op        = valu_pkg::OpLerpU8;
        end
        10'h1d9: begin
          row_o.exec_unit = valu_pkg::UnitBytes;
          row_o.op        = valu_pkg::OpSadU8;
        end
        10'h1da: begin
          row_o.exec_unit = valu_pkg::UnitBytes;
          row_o.op        = valu_pkg::OpSadHiU8;
        end
        10'h1db: begin
          row_o.exec_unit = valu_pkg::UnitBytes;
          row_o.op        = valu_pkg::OpSadU16;
        end
        10'h1dc: begin
          row_o.exec_unit = valu_pkg::UnitBytes;
          row_o.op        = valu_pkg::OpSadU32;
        end
        10'h1e4: begin
          row_o.exec_unit = valu_pkg::UnitBytes;
          row_o.op        = valu_pkg::OpMsadU8;
        end
        10'h1e5, 10'h1e6: begin
          row_o.exec_unit = valu_pkg::UnitBytes;
          row_o.op        = opcode_i[0] ? valu_pkg::OpQsad : valu_pkg::OpMqsad;
          row_o.type0     = valu_pkg::Operand64;
          row_o.type2     = valu_pkg::Operand64;
          row_o.wide      = 1'b1;
          row_o.rate      = valu_pkg::RateHalf;
        end

        // Cube maps
        10'h1c4, 10'h1c5, 10'h1c6, 10'h1c7: begin
          row_o.exec_unit = valu_pkg::UnitCube;
          row_o.float_src = 3'b111;
          row_o.float_dst = 1'b1;
          unique case (opcode_i[1:0])
            2'd0: fpu_op_o = fpu_pkg::FpuCubeId;
            2'd1: fpu_op_o = fpu_pkg::FpuCubeSc;
            2'd2: fpu_op_o = fpu_pkg::FpuCubeTc;
            default: fpu_op_o = fpu_pkg::FpuCubeMa;
          endcase
        end

        // One lane of a register
        10'h289: begin
          row_o.exec_unit     = valu_pkg::UnitBits;
          row_o.access        = valu_pkg::AccessReadLane;
          row_o.writes_vdst   = 1'b0;
          row_o.writes_scalar = 1'b1;
        end
        10'h28a: begin
          row_o.exec_unit = valu_pkg::UnitBits;
          row_o.access    = valu_pkg::AccessWriteLane;
        end
        default: row_o.known = 1'b0;
      endcase
    end
  end

endmodule
