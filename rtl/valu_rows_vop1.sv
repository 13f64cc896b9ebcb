// SPDX-License-Identifier: Apache-2.0
// Properties of the VOP1 opcodes (GCN3 ISA, chapter 13, table "VOP1"). Combinational.
module valu_rows_vop1 (
  input  logic           en_i,  // 0: nothing is computed, all outputs are 0
  input  logic [9:0]     opcode_i,
  output valu_pkg::row_t row_o
);

  // A source or a result: a float of the unit's format, an integer, or a float of another format.
  localparam logic [1:0] Own = 2'd0, Integer = 2'd1, Other = 2'd2;

  valu_pkg::unit_e     unit;
  valu_pkg::op_e       op;
  valu_pkg::float_op_e float_op;
  logic [1:0]          from, to;
  logic                is_signed, is_root;

  always_comb begin
    row_o     = '0;
    unit      = valu_pkg::UnitNone;
    op        = valu_pkg::OpAdd;
    float_op  = valu_pkg::FpuAdd;
    from      = Own;
    to        = Own;
    is_signed = 1'b0;
    is_root   = 1'b0;
    if (en_i) begin
      row_o.known       = 1'b1;
      row_o.n_src       = 2'd1;
      row_o.writes_vdst = 1'b1;
      op                = valu_pkg::OpMov;
      unique case (opcode_i)
        10'h000, 10'h035: begin  // v_nop, v_clrexcp
          row_o.n_src       = 2'd0;
          row_o.writes_vdst = 1'b0;
          row_o.no_sdwa     = 1'b1;
        end
        10'h001: unit = valu_pkg::UnitBits;  // v_mov_b32
        10'h002: begin  // v_readfirstlane_b32
          unit                = valu_pkg::UnitBits;
          row_o.access        = valu_pkg::AccessReadFirstLane;
          row_o.writes_vdst   = 1'b0;
          row_o.writes_scalar = 1'b1;
          row_o.no_vop3       = 1'b1;
          row_o.no_sdwa       = 1'b1;
        end
        10'h003: {unit, float_op, from, to} = {valu_pkg::UnitDouble, valu_pkg::FpuCvtI32F64, Own, Integer};
        10'h004: {unit, float_op, from, to} = {valu_pkg::UnitDouble, valu_pkg::FpuCvtF64I32, Integer, Own};
        10'h005: {unit, float_op, from, to} = {valu_pkg::UnitFloat, valu_pkg::FpuCvtF32I32, Integer, Own};
        10'h006: {unit, float_op, from, to} = {valu_pkg::UnitFloat, valu_pkg::FpuCvtF32U32, Integer, Own};
        10'h007: {unit, float_op, from, to} = {valu_pkg::UnitFloat, valu_pkg::FpuCvtU32F32, Own, Integer};
        10'h008: {unit, float_op, from, to} = {valu_pkg::UnitFloat, valu_pkg::FpuCvtI32F32, Own, Integer};
        10'h00a: {unit, float_op, from, to} = {valu_pkg::UnitFloat, valu_pkg::FpuCvtF16F32, Own, Other};
        10'h00b: {unit, float_op, from, to} = {valu_pkg::UnitFloat, valu_pkg::FpuCvtF32F16, Other, Own};
        10'h00c: {unit, float_op, from, to} = {valu_pkg::UnitFloat, valu_pkg::FpuCvtRpiI32F32, Own, Integer};
        10'h00d: {unit, float_op, from, to} = {valu_pkg::UnitFloat, valu_pkg::FpuCvtFlrI32F32, Own, Integer};
        10'h00e: {unit, float_op, from, to} = {valu_pkg::UnitFloat, valu_pkg::FpuCvtOffF32I4, Integer, Own};
        10'h00f: {unit, float_op, from, to} = {valu_pkg::UnitDouble, valu_pkg::FpuCvtF32F64, Own, Other};
        10'h010: {unit, float_op, from, to} = {valu_pkg::UnitDouble, valu_pkg::FpuCvtF64F32, Other, Own};
        10'h011: {unit, float_op, from, to} = {valu_pkg::UnitFloat, valu_pkg::FpuCvtF32Ubyte0, Integer, Own};
        10'h012: {unit, float_op, from, to} = {valu_pkg::UnitFloat, valu_pkg::FpuCvtF32Ubyte1, Integer, Own};
        10'h013: {unit, float_op, from, to} = {valu_pkg::UnitFloat, valu_pkg::FpuCvtF32Ubyte2, Integer, Own};
        10'h014: {unit, float_op, from, to} = {valu_pkg::UnitFloat, valu_pkg::FpuCvtF32Ubyte3, Integer, Own};
        10'h015: {unit, float_op, from, to} = {valu_pkg::UnitDouble, valu_pkg::FpuCvtU32F64, Own, Integer};
        10'h016: {unit, float_op, from, to} = {valu_pkg::UnitDouble, valu_pkg::FpuCvtF64U32, Integer, Own};
        10'h017: {unit, float_op} = {valu_pkg::UnitDouble, valu_pkg::FpuTrunc};
        10'h018: {unit, float_op} = {valu_pkg::UnitDouble, valu_pkg::FpuCeil};
        10'h019: {unit, float_op} = {valu_pkg::UnitDouble, valu_pkg::FpuRndne};
        10'h01a: {unit, float_op} = {valu_pkg::UnitDouble, valu_pkg::FpuFloor};
        10'h01b: {unit, float_op} = {valu_pkg::UnitFloat, valu_pkg::FpuFract};
        10'h01c: {unit, float_op} = {valu_pkg::UnitFloat, valu_pkg::FpuTrunc};
        10'h01d: {unit, float_op} = {valu_pkg::UnitFloat, valu_pkg::FpuCeil};
        10'h01e: {unit, float_op} = {valu_pkg::UnitFloat, valu_pkg::FpuRndne};
        10'h01f: {unit, float_op} = {valu_pkg::UnitFloat, valu_pkg::FpuFloor};
        10'h020, 10'h04b: {unit, float_op} = {valu_pkg::UnitTrans, valu_pkg::FpuExp};
        10'h021, 10'h04c: {unit, float_op} = {valu_pkg::UnitTrans, valu_pkg::FpuLog};
        10'h022, 10'h023: {unit, float_op} = {valu_pkg::UnitTrans, valu_pkg::FpuRcp};
        10'h024: {unit, float_op} = {valu_pkg::UnitTrans, valu_pkg::FpuRsq};
        10'h025: {unit, float_op, is_root} = {valu_pkg::UnitDouble, valu_pkg::FpuRcp, 1'b1};
        10'h026: {unit, float_op, is_root} = {valu_pkg::UnitDouble, valu_pkg::FpuRsq, 1'b1};
        10'h027: {unit, float_op} = {valu_pkg::UnitTrans, valu_pkg::FpuSqrt};
        10'h028: {unit, float_op, is_root} = {valu_pkg::UnitDouble, valu_pkg::FpuSqrt, 1'b1};
        10'h029: {unit, float_op} = {valu_pkg::UnitTrans, valu_pkg::FpuSin};
        10'h02a: {unit, float_op} = {valu_pkg::UnitTrans, valu_pkg::FpuCos};
        10'h02b: {unit, op} = {valu_pkg::UnitBits, valu_pkg::OpNot};
        10'h02c: {unit, op} = {valu_pkg::UnitBits, valu_pkg::OpBrev};
        10'h02d: {unit, op} = {valu_pkg::UnitBits, valu_pkg::OpFfbh};
        10'h02e: {unit, op} = {valu_pkg::UnitBits, valu_pkg::OpFfbl};
        10'h02f: {unit, op, is_signed} = {valu_pkg::UnitBits, valu_pkg::OpFfbh, 1'b1};
        10'h030: {unit, float_op, from, to} = {valu_pkg::UnitDouble, valu_pkg::FpuFrexpExp, Own, Integer};
        10'h031: {unit, float_op} = {valu_pkg::UnitDouble, valu_pkg::FpuFrexpMant};
        10'h032: {unit, float_op} = {valu_pkg::UnitDouble, valu_pkg::FpuFract};
        10'h033: {unit, float_op, from, to} = {valu_pkg::UnitFloat, valu_pkg::FpuFrexpExp, Own, Integer};
        10'h034: {unit, float_op} = {valu_pkg::UnitFloat, valu_pkg::FpuFrexpMant};
        10'h036, 10'h037, 10'h038: begin  // v_movreld_b32, v_movrels_b32, v_movrelsd_b32
          unit               = valu_pkg::UnitBits;
          row_o.relative_src = opcode_i != 10'h036;
          row_o.relative_dst = opcode_i != 10'h037;
          row_o.no_sdwa      = 1'b1;
        end
        10'h039: {unit, float_op, from, to} = {valu_pkg::UnitHalf, valu_pkg::FpuCvtF16U16, Integer, Own};
        10'h03a: {unit, float_op, from, to} = {valu_pkg::UnitHalf, valu_pkg::FpuCvtF16I16, Integer, Own};
        10'h03b: {unit, float_op, from, to} = {valu_pkg::UnitHalf, valu_pkg::FpuCvtU16F16, Own, Integer};
        10'h03c: {unit, float_op, from, to} = {valu_pkg::UnitHalf, valu_pkg::FpuCvtI16F16, Own, Integer};
        10'h03d: {unit, float_op, is_root} = {valu_pkg::UnitHalf, valu_pkg::FpuRcp, 1'b1};
        10'h03e: {unit, float_op, is_root} = {valu_pkg::UnitHalf, valu_pkg::FpuSqrt, 1'b1};
        10'h03f: {unit, float_op, is_root} = {valu_pkg::UnitHalf, valu_pkg::FpuRsq, 1'b1};
        10'h042: {unit, float_op} = {valu_pkg::UnitHalf, valu_pkg::FpuFrexpMant};
        10'h043: {unit, float_op, from, to} = {valu_pkg::UnitHalf, valu_pkg::FpuFrexpExp, Own, Integer};
        10'h044: {unit, float_op} = {valu_pkg::UnitHalf, valu_pkg::FpuFloor};
        10'h045: {unit, float_op} = {valu_pkg::UnitHalf, valu_pkg::FpuCeil};
        10'h046: {unit, float_op} = {valu_pkg::UnitHalf, valu_pkg::FpuTrunc};
        10'h047: {unit, float_op} = {valu_pkg::UnitHalf, valu_pkg::FpuRndne};
        10'h048: {unit, float_op} = {valu_pkg::UnitHalf, valu_pkg::FpuFract};
        default: row_o.known = 1'b0;
      endcase
      row_o.exec_unit = unit;
      row_o.op        = op;
      row_o.float_op  = float_op;
      row_o.is_signed = is_signed;
      row_o.size      = valu_pkg::Size32;

      unique case (unit)
        valu_pkg::UnitTrans: row_o.rate = valu_pkg::RateQuarter;
        valu_pkg::UnitDouble: begin
          row_o.rate    = is_root ? valu_pkg::RateQuarter : valu_pkg::RateHalf;
          row_o.type0   = from == Own ? valu_pkg::OperandF64 : valu_pkg::Operand32;
          row_o.wide    = to == Own;
          row_o.no_sdwa = 1'b1;
        end
        valu_pkg::UnitHalf: begin
          row_o.rate  = is_root ? valu_pkg::RateQuarter : valu_pkg::RateFull;
          row_o.size  = valu_pkg::Size16;
          row_o.type0 = valu_pkg::Operand16;
        end
        valu_pkg::UnitFloat: row_o.type0 = from == Other ? valu_pkg::Operand16 : valu_pkg::Operand32;
        default: ;
      endcase
      if (unit != valu_pkg::UnitNone && unit != valu_pkg::UnitBits) begin
        row_o.float_src = {2'b00, from != Integer};
        row_o.float_dst = to != Integer;
      end
    end
  end

endmodule
