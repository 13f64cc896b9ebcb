// SPDX-License-Identifier: Apache-2.0
// Properties of the opcodes that only VOP3 has (GCN3 ISA, chapter 13, table "VOP3"). Combinational.
module valu_rows_vop3 (
  input  logic           en_i,  // 0: nothing is computed, all outputs are 0
  input  logic [9:0]     opcode_i,
  output valu_pkg::row_t row_o
);

  valu_pkg::unit_e     unit;
  valu_pkg::op_e       op;
  valu_pkg::float_op_e float_op;
  logic                is_signed, is_half_rate;

  always_comb begin
    row_o        = '0;
    unit         = valu_pkg::UnitNone;
    op           = valu_pkg::OpAdd;
    float_op     = valu_pkg::FpuAdd;
    is_signed    = 1'b0;
    is_half_rate = 1'b0;
    if (en_i) begin
      row_o.known       = 1'b1;
      row_o.size        = valu_pkg::Size32;
      row_o.n_src       = opcode_i < 10'h280 ? 2'd3 : 2'd2;
      row_o.writes_vdst = 1'b1;
      row_o.float_dst   = 1'b1;
      op                = valu_pkg::OpMov;
      unique case (opcode_i)
        10'h1c0: {unit, float_op} = {valu_pkg::UnitFloat, valu_pkg::FpuMadLegacy};
        10'h1c1: {unit, float_op} = {valu_pkg::UnitFloat, valu_pkg::FpuMad};
        10'h1c2: {unit, op, is_signed} = {valu_pkg::UnitMul, valu_pkg::OpMad24, 1'b1};
        10'h1c3: {unit, op} = {valu_pkg::UnitMul, valu_pkg::OpMad24};
        10'h1c4: {unit, float_op} = {valu_pkg::UnitCube, valu_pkg::FpuCubeId};
        10'h1c5: {unit, float_op} = {valu_pkg::UnitCube, valu_pkg::FpuCubeSc};
        10'h1c6: {unit, float_op} = {valu_pkg::UnitCube, valu_pkg::FpuCubeTc};
        10'h1c7: {unit, float_op} = {valu_pkg::UnitCube, valu_pkg::FpuCubeMa};
        10'h1c8: {unit, op} = {valu_pkg::UnitShift, valu_pkg::OpBfe};
        10'h1c9: {unit, op, is_signed} = {valu_pkg::UnitShift, valu_pkg::OpBfe, 1'b1};
        10'h1ca: {unit, op} = {valu_pkg::UnitBits, valu_pkg::OpBfi};
        10'h1cb: {unit, float_op} = {valu_pkg::UnitFloat, valu_pkg::FpuFma};
        10'h1cc: {unit, float_op} = {valu_pkg::UnitDouble, valu_pkg::FpuFma};
        10'h1cd: {unit, op} = {valu_pkg::UnitBytes, valu_pkg::OpLerpU8};
        10'h1ce: {unit, op} = {valu_pkg::UnitShift, valu_pkg::OpAlignBit};
        10'h1cf: {unit, op} = {valu_pkg::UnitShift, valu_pkg::OpAlignByte};
        10'h1d0: {unit, float_op} = {valu_pkg::UnitFloat, valu_pkg::FpuMin3};
        10'h1d1: {unit, op, is_signed} = {valu_pkg::UnitCompare, valu_pkg::OpMin3, 1'b1};
        10'h1d2: {unit, op} = {valu_pkg::UnitCompare, valu_pkg::OpMin3};
        10'h1d3: {unit, float_op} = {valu_pkg::UnitFloat, valu_pkg::FpuMax3};
        10'h1d4: {unit, op, is_signed} = {valu_pkg::UnitCompare, valu_pkg::OpMax3, 1'b1};
        10'h1d5: {unit, op} = {valu_pkg::UnitCompare, valu_pkg::OpMax3};
        10'h1d6: {unit, float_op} = {valu_pkg::UnitFloat, valu_pkg::FpuMed3};
        10'h1d7: {unit, op, is_signed} = {valu_pkg::UnitCompare, valu_pkg::OpMed3, 1'b1};
        10'h1d8: {unit, op} = {valu_pkg::UnitCompare, valu_pkg::OpMed3};
        10'h1d9: {unit, op} = {valu_pkg::UnitBytes, valu_pkg::OpSadU8};
        10'h1da: {unit, op} = {valu_pkg::UnitBytes, valu_pkg::OpSadHiU8};
        10'h1db: {unit, op} = {valu_pkg::UnitBytes, valu_pkg::OpSadU16};
        10'h1dc: {unit, op} = {valu_pkg::UnitBytes, valu_pkg::OpSadU32};
        10'h1dd: {unit, float_op, row_o.float_dst} = {valu_pkg::UnitFloat, valu_pkg::FpuCvtPkU8F32, 1'b0};
        10'h1de: {unit, float_op} = {valu_pkg::UnitFloat, valu_pkg::FpuDivFixup};
        10'h1df: {unit, float_op} = {valu_pkg::UnitDouble, valu_pkg::FpuDivFixup};
        10'h1e0: {unit, float_op, row_o.carry_out} = {valu_pkg::UnitFloat, valu_pkg::FpuDivScale, 1'b1};
        10'h1e1: {unit, float_op, row_o.carry_out} = {valu_pkg::UnitDouble, valu_pkg::FpuDivScale, 1'b1};
        10'h1e2: {unit, float_op, row_o.implicit_vcc} = {valu_pkg::UnitFloat, valu_pkg::FpuDivFmas, 1'b1};
        10'h1e3: {unit, float_op, row_o.implicit_vcc} = {valu_pkg::UnitDouble, valu_pkg::FpuDivFmas, 1'b1};
        10'h1e4: {unit, op} = {valu_pkg::UnitBytes, valu_pkg::OpMsadU8};
        10'h1e5: {unit, op, row_o.wide} = {valu_pkg::UnitBytes, valu_pkg::OpQsad, 1'b1};
        10'h1e6: {unit, op, row_o.wide} = {valu_pkg::UnitBytes, valu_pkg::OpMqsad, 1'b1};
        10'h1e8: {unit, op, row_o.wide, row_o.carry_out} = {valu_pkg::UnitMul, valu_pkg::OpMad64, 2'b11};
        10'h1e9: {unit, op, row_o.wide, row_o.carry_out, is_signed} = {valu_pkg::UnitMul, valu_pkg::OpMad64, 3'b111};
        10'h1ea: {unit, float_op} = {valu_pkg::UnitHalf, valu_pkg::FpuMad};
        10'h1eb, 10'h1ec: {unit, op} = {valu_pkg::UnitMul, valu_pkg::OpMad16};  // unsigned and signed are the same
        10'h1ed: {unit, op} = {valu_pkg::UnitBits, valu_pkg::OpPerm};
        10'h1ee: {unit, float_op} = {valu_pkg::UnitHalf, valu_pkg::FpuFma};
        10'h1ef: {unit, float_op} = {valu_pkg::UnitHalf, valu_pkg::FpuDivFixup};
        10'h1f0: begin  // v_cvt_pkaccum_u8_f32
          {unit, float_op, row_o.float_dst} = {valu_pkg::UnitFloat, valu_pkg::FpuCvtPkU8F32, 1'b0};
          row_o.n_src     = 2'd2;
          row_o.reads_dst = 1'b1;
        end
        10'h280: {unit, float_op} = {valu_pkg::UnitDouble, valu_pkg::FpuAdd};
        10'h281: {unit, float_op} = {valu_pkg::UnitDouble, valu_pkg::FpuMul};
        10'h282: {unit, float_op} = {valu_pkg::UnitDouble, valu_pkg::FpuMin};
        10'h283: {unit, float_op} = {valu_pkg::UnitDouble, valu_pkg::FpuMax};
        10'h284: {unit, float_op} = {valu_pkg::UnitDouble, valu_pkg::FpuLdexp};
        10'h285: {unit, op, is_half_rate} = {valu_pkg::UnitMul, valu_pkg::OpMulLo, 1'b1};
        10'h286: {unit, op, is_half_rate} = {valu_pkg::UnitMul, valu_pkg::OpMulHi, 1'b1};
        10'h287: {unit, op, is_half_rate, is_signed} = {valu_pkg::UnitMul, valu_pkg::OpMulHi, 2'b11};
        10'h288: {unit, float_op} = {valu_pkg::UnitFloat, valu_pkg::FpuLdexp};
        10'h289: begin  // v_readlane_b32
          unit                = valu_pkg::UnitBits;
          row_o.access        = valu_pkg::AccessReadLane;
          row_o.writes_vdst   = 1'b0;
          row_o.writes_scalar = 1'b1;
        end
        10'h28a: {unit, row_o.access} = {valu_pkg::UnitBits, valu_pkg::AccessWriteLane};
        10'h28b: {unit, op} = {valu_pkg::UnitBits, valu_pkg::OpBcnt};
        10'h28c: {unit, op} = {valu_pkg::UnitBits, valu_pkg::OpMbcntLo};
        10'h28d: {unit, op} = {valu_pkg::UnitBits, valu_pkg::OpMbcntHi};
        10'h28f: {unit, op, row_o.wide} = {valu_pkg::UnitShift, valu_pkg::OpLshl, 1'b1};
        10'h290: {unit, op, row_o.wide} = {valu_pkg::UnitShift, valu_pkg::OpLshr, 1'b1};
        10'h291: {unit, op, row_o.wide} = {valu_pkg::UnitShift, valu_pkg::OpAshr, 1'b1};
        10'h292: {unit, float_op} = {valu_pkg::UnitDouble, valu_pkg::FpuTrigPreop};
        10'h293: {unit, op} = {valu_pkg::UnitShift, valu_pkg::OpBfm};
        10'h296: {unit, float_op, row_o.float_dst} = {valu_pkg::UnitFloat, valu_pkg::FpuCvtPkrtzF16F32, 1'b0};
        10'h297: {unit, op} = {valu_pkg::UnitBits, valu_pkg::OpCvtPk};
        10'h298: {unit, op, is_signed} = {valu_pkg::UnitBits, valu_pkg::OpCvtPk, 1'b1};
        default: row_o.known = 1'b0;
      endcase

      row_o.float_src = row_o.n_src == 2'd3 ? 3'b111 : 3'b011;
      unique case (float_op)  // with an integer as second source, and third
        valu_pkg::FpuLdexp, valu_pkg::FpuTrigPreop, valu_pkg::FpuCvtPkU8F32: row_o.float_src = 3'b001;
        default: ;
      endcase
      unique case (unit)
        valu_pkg::UnitFloat, valu_pkg::UnitCube: ;
        valu_pkg::UnitDouble: begin
          is_half_rate  = 1'b1;
          row_o.type0   = valu_pkg::OperandF64;
          row_o.type1   = row_o.float_src[1] ? valu_pkg::OperandF64 : valu_pkg::Operand32;
          row_o.type2   = valu_pkg::OperandF64;
          row_o.wide    = 1'b1;
          row_o.no_sdwa = 1'b1;
        end
        valu_pkg::UnitHalf: row_o.size = valu_pkg::Size16;
        default: begin
          row_o.float_src = 3'b000;
          row_o.float_dst = 1'b0;
        end
      endcase
      unique case (op)
        valu_pkg::OpMad16: row_o.size = valu_pkg::Size16;
        valu_pkg::OpMad64: row_o.type2 = is_signed ? valu_pkg::OperandI64 : valu_pkg::Operand64;
        valu_pkg::OpQsad, valu_pkg::OpMqsad: {row_o.type0, row_o.type2} = {valu_pkg::Operand64, valu_pkg::Operand64};
        default: ;
      endcase
      if (row_o.size == valu_pkg::Size16) begin
        row_o.type0 = valu_pkg::Operand16;
        row_o.type1 = valu_pkg::Operand16;
        row_o.type2 = valu_pkg::Operand16;
      end
      if (unit == valu_pkg::UnitShift && row_o.wide) begin
        row_o.size  = valu_pkg::Size64;
        row_o.type1 = op == valu_pkg::OpAshr ? valu_pkg::OperandI64 : valu_pkg::Operand64;
      end
      row_o.exec_unit = unit;
      row_o.op        = op;
      row_o.float_op  = float_op;
      row_o.is_signed = is_signed;
      if (is_half_rate || row_o.wide) row_o.rate = valu_pkg::RateHalf;
    end
  end

endmodule
