// SPDX-License-Identifier: Apache-2.0
// Properties of the VOP2 opcodes (GCN3 ISA, chapter 13, table "VOP2"). Combinational.
module valu_rows_vop2 (
  input  logic           en_i,  // 0: nothing is computed, all outputs are 0
  input  logic [9:0]     opcode_i,
  output valu_pkg::row_t row_o
);

  valu_pkg::unit_e     unit;
  valu_pkg::op_e       op;
  valu_pkg::float_op_e float_op;
  logic                is_signed, is_16, is_float;

  always_comb begin
    row_o     = '0;
    unit      = valu_pkg::UnitNone;
    op        = valu_pkg::OpAdd;
    float_op  = valu_pkg::FpuAdd;
    is_signed = 1'b0;
    is_16     = 1'b0;
    is_float  = 1'b0;
    if (en_i) begin
      row_o.known       = 1'b1;
      row_o.n_src       = 2'd2;
      row_o.writes_vdst = 1'b1;
      op                = valu_pkg::OpMov;
      unique case (opcode_i)
        10'h000: begin {unit, float_op} = {valu_pkg::UnitFloat, valu_pkg::FpuCndmask}; row_o.reads_mask = 1'b1; end
        10'h001: {unit, float_op} = {valu_pkg::UnitFloat, valu_pkg::FpuAdd};
        10'h002: {unit, float_op} = {valu_pkg::UnitFloat, valu_pkg::FpuSub};
        10'h003: {unit, float_op} = {valu_pkg::UnitFloat, valu_pkg::FpuSubRev};
        10'h004: {unit, float_op} = {valu_pkg::UnitFloat, valu_pkg::FpuMulLegacy};
        10'h005: {unit, float_op} = {valu_pkg::UnitFloat, valu_pkg::FpuMul};
        10'h006: {unit, op, is_signed} = {valu_pkg::UnitMul, valu_pkg::OpMul24Lo, 1'b1};
        10'h007: {unit, op, is_signed} = {valu_pkg::UnitMul, valu_pkg::OpMul24Hi, 1'b1};
        10'h008: {unit, op} = {valu_pkg::UnitMul, valu_pkg::OpMul24Lo};
        10'h009: {unit, op} = {valu_pkg::UnitMul, valu_pkg::OpMul24Hi};
        10'h00a: {unit, float_op} = {valu_pkg::UnitFloat, valu_pkg::FpuMin};
        10'h00b: {unit, float_op} = {valu_pkg::UnitFloat, valu_pkg::FpuMax};
        10'h00c: {unit, op, is_signed} = {valu_pkg::UnitCompare, valu_pkg::OpMin, 1'b1};
        10'h00d: {unit, op, is_signed} = {valu_pkg::UnitCompare, valu_pkg::OpMax, 1'b1};
        10'h00e: {unit, op} = {valu_pkg::UnitCompare, valu_pkg::OpMin};
        10'h00f: {unit, op} = {valu_pkg::UnitCompare, valu_pkg::OpMax};
        10'h010: {unit, op} = {valu_pkg::UnitShift, valu_pkg::OpLshr};
        10'h011: {unit, op} = {valu_pkg::UnitShift, valu_pkg::OpAshr};
        10'h012: {unit, op} = {valu_pkg::UnitShift, valu_pkg::OpLshl};
        10'h013: {unit, op} = {valu_pkg::UnitBits, valu_pkg::OpAnd};
        10'h014: {unit, op} = {valu_pkg::UnitBits, valu_pkg::OpOr};
        10'h015: {unit, op} = {valu_pkg::UnitBits, valu_pkg::OpXor};
        10'h016: {unit, float_op, row_o.reads_dst} = {valu_pkg::UnitFloat, valu_pkg::FpuMad, 1'b1};           // v_mac_f32
        10'h017, 10'h018: {unit, float_op, row_o.literal_k} = {valu_pkg::UnitFloat, valu_pkg::FpuMad, 1'b1};  // v_madmk, v_madak
        10'h019: {unit, op, row_o.carry_out} = {valu_pkg::UnitAdd, valu_pkg::OpAdd, 1'b1};
        10'h01a: {unit, op, row_o.carry_out} = {valu_pkg::UnitAdd, valu_pkg::OpSub, 1'b1};
        10'h01b: {unit, op, row_o.carry_out} = {valu_pkg::UnitAdd, valu_pkg::OpSubRev, 1'b1};
        10'h01c: {unit, op, row_o.carry_out, row_o.reads_mask} = {valu_pkg::UnitAdd, valu_pkg::OpAddC, 2'b11};
        10'h01d: {unit, op, row_o.carry_out, row_o.reads_mask} = {valu_pkg::UnitAdd, valu_pkg::OpSubB, 2'b11};
        10'h01e: {unit, op, row_o.carry_out, row_o.reads_mask} = {valu_pkg::UnitAdd, valu_pkg::OpSubBRev, 2'b11};
        // 16 bits
        10'h01f: {unit, float_op} = {valu_pkg::UnitHalf, valu_pkg::FpuAdd};
        10'h020: {unit, float_op} = {valu_pkg::UnitHalf, valu_pkg::FpuSub};
        10'h021: {unit, float_op} = {valu_pkg::UnitHalf, valu_pkg::FpuSubRev};
        10'h022: {unit, float_op} = {valu_pkg::UnitHalf, valu_pkg::FpuMul};
        10'h023: {unit, float_op, row_o.reads_dst} = {valu_pkg::UnitHalf, valu_pkg::FpuMad, 1'b1};
        10'h024, 10'h025: {unit, float_op, row_o.literal_k} = {valu_pkg::UnitHalf, valu_pkg::FpuMad, 1'b1};
        10'h026: {unit, op} = {valu_pkg::UnitAdd, valu_pkg::OpAdd};
        10'h027: {unit, op} = {valu_pkg::UnitAdd, valu_pkg::OpSub};
        10'h028: {unit, op} = {valu_pkg::UnitAdd, valu_pkg::OpSubRev};
        10'h029: {unit, op} = {valu_pkg::UnitMul, valu_pkg::OpMulLo};
        10'h02a: {unit, op} = {valu_pkg::UnitShift, valu_pkg::OpLshl};
        10'h02b: {unit, op} = {valu_pkg::UnitShift, valu_pkg::OpLshr};
        10'h02c: {unit, op} = {valu_pkg::UnitShift, valu_pkg::OpAshr};
        10'h02d: {unit, float_op} = {valu_pkg::UnitHalf, valu_pkg::FpuMax};
        10'h02e: {unit, float_op} = {valu_pkg::UnitHalf, valu_pkg::FpuMin};
        10'h02f: {unit, op} = {valu_pkg::UnitCompare, valu_pkg::OpMax};
        10'h030: {unit, op, is_signed} = {valu_pkg::UnitCompare, valu_pkg::OpMax, 1'b1};
        10'h031: {unit, op} = {valu_pkg::UnitCompare, valu_pkg::OpMin};
        10'h032: {unit, op, is_signed} = {valu_pkg::UnitCompare, valu_pkg::OpMin, 1'b1};
        10'h033: {unit, float_op} = {valu_pkg::UnitHalf, valu_pkg::FpuLdexp};
        default: row_o.known = 1'b0;
      endcase
      is_16           = opcode_i >= 10'h01f;
      is_float        = unit == valu_pkg::UnitFloat || unit == valu_pkg::UnitHalf;
      row_o.exec_unit = unit;
      row_o.op        = op;
      row_o.float_op  = float_op;
      row_o.is_signed = is_signed;
      row_o.size      = is_16 ? valu_pkg::Size16 : valu_pkg::Size32;
      row_o.type0     = is_16 ? valu_pkg::Operand16 : valu_pkg::Operand32;
      row_o.type1     = row_o.type0;
      row_o.type2     = row_o.type0;
      row_o.float_src = {1'b0, is_float && float_op != valu_pkg::FpuLdexp, is_float};
      row_o.float_dst = is_float;
      row_o.saturates = unit == valu_pkg::UnitAdd && !row_o.reads_mask;
      if (row_o.literal_k) begin
        row_o.n_src   = 2'd3;
        row_o.no_vop3 = 1'b1;
        row_o.no_sdwa = 1'b1;
      end
    end
  end

endmodule
