// SPDX-License-Identifier: Apache-2.0
// Decoder of the vector ALU: an instruction's two dwords to its control. Combinational.
//
// VOP1, VOP2, VOPC, their SDWA, DPP and VOP3 forms, and VOP3's own instructions (GCN3 ISA, chapter 13). An instruction that is
// not known, that no GCN3 has (reserved fields, a register pair that is none) or whose semantics this unit does not
// have (integer clamp but of additions) is not supported. The second dword counts only where the first asks for it.
module valu_decoder (
  input  logic            en_i,      // 0: nothing is computed, all outputs are 0
  input  logic [63:0]     instr_i,   // the first dword in the low half
  output valu_pkg::ctrl_t ctrl_o
);

  localparam logic [8:0] FieldVcc     = 9'd106;
  localparam logic [8:0] FieldM0      = 9'd124;
  localparam logic [8:0] FieldNone125 = 9'd125;
  localparam logic [8:0] FieldSdwa    = 9'd249;
  localparam logic [8:0] FieldDpp     = 9'd250;
  localparam logic [8:0] FieldLds     = 9'd254;
  localparam logic [8:0] FieldLiteral = 9'd255;

  // A scalar register, or a pair of them, that can be named.
  function automatic logic scalar_ok(input logic [6:0] field, input logic pair);
    scalar_ok = {2'b0, field} != FieldNone125 && !(pair && (field[0] || {2'b0, field} == FieldM0));
  endfunction

  // quad_perm, row_shl, row_shr and row_ror by 1 to 15, the wave's shifts and rotations by 1, mirrors, broadcasts.
  function automatic logic dpp_ok(input logic [8:0] control);
    if (!control[8]) dpp_ok = 1'b1;
    else if (control < 9'h130) dpp_ok = control[3:0] != 4'd0;
    else if (control < 9'h140) dpp_ok = control[1:0] == 2'd0;
    else dpp_ok = control < 9'h144;
  endfunction

  // A source that can be named, SDWA's and DPP's marks excepted.
  function automatic logic source_ok(input logic [8:0] field, input logic pair);
    if (field[8]) source_ok = !(pair && field[7:0] == 8'hff);
    else if (!field[7]) source_ok = scalar_ok(field[6:0], pair);
    else begin
      source_ok = !(field >= 9'd209 && field <= 9'd239) && field != FieldSdwa && field != FieldDpp &&
                  field != FieldLds;
    end
  endfunction

  logic [31:0] w, x;
  assign w = instr_i[31:0];
  assign x = instr_i[63:32];

  // --- Encoding, native format and opcode ---

  logic              is_vector, is_vop3, is_sdwa, is_dpp, moves_parts;
  valu_pkg::format_e native;
  logic [9:0]        opcode;

  always_comb begin
    is_vop3   = '0;
    is_vector = '0;
    native    = valu_pkg::FormatVop1;
    opcode    = '0;
    if (en_i) begin
      is_vop3   = w[31:26] == 6'h34;
      is_vector = !w[31] || is_vop3;
      if (is_vop3) begin
        if (w[25:24] == 2'd0) begin
          native = valu_pkg::FormatVopC;
          opcode = w[25:16];
        end
        else if (w[25:22] == 4'b0100) begin
          native = valu_pkg::FormatVop2;
          opcode = {4'd0, w[21:16]};
        end
        else if (w[25:16] < 10'h1c0) begin
          native = valu_pkg::FormatVop1;
          opcode = w[25:16] - 10'h140;
        end
        else begin
          native = valu_pkg::FormatVop3;
          opcode = w[25:16];
        end
      end
      else if (w[30:25] == 6'h3f) begin
        native = valu_pkg::FormatVop1;
        opcode = {2'd0, w[16:9]};
      end
      else if (w[30:25] == 6'h3e) begin
        native = valu_pkg::FormatVopC;
        opcode = {2'd0, w[24:17]};
      end
      else begin
        native = valu_pkg::FormatVop2;
        opcode = {4'd0, w[30:25]};
      end
    end
  end

  valu_pkg::row_t row;
  valu_rows u_rows (
    .en_i,
    .format_i(native),
    .opcode_i(opcode),
    .row_o   (row)
  );

  // --- Sources ---

  logic       wide0, wide1, wide2, any_literal;
  logic [8:0] src0, src1, src2, vsrc1, old_vdst;
  logic [7:0] vdst;
  logic       old_is_last, old_for_sdwa, literal_is_factor;

  assign is_sdwa = !is_vop3 && w[8:0] == FieldSdwa;
  assign is_dpp  = !is_vop3 && w[8:0] == FieldDpp;
  assign moves_parts = is_sdwa || is_dpp;
  assign wide0   = valu_pkg::is_wide(row.type0);
  assign wide1   = valu_pkg::is_wide(row.type1);
  assign wide2   = valu_pkg::is_wide(row.type2);
  assign vsrc1   = {1'b1, w[16:9]};
  assign vdst    = is_vop3 ? w[7:0] : w[24:17];
  assign old_vdst     = {1'b1, vdst};
  assign old_is_last  = row.reads_dst;
  assign literal_is_factor = opcode == 10'h017 || opcode == 10'h024;  // v_madmk_f32, v_madmk_f16
  assign old_for_sdwa = is_sdwa && row.writes_vdst && x[10:8] < 3'd6 && x[12:11] == 2'd2;

  always_comb begin
    src0 = '0;
    src1 = '0;
    src2 = '0;
    if (en_i) begin
      // A source that there is not is the constant 0.
      src0 = 9'd128;
      src1 = 9'd128;
      src2 = 9'd128;
      if (row.n_src >= 2'd1) src0 = is_vop3 ? x[8:0] : moves_parts ? {1'b1, x[7:0]} : w[8:0];
      if (row.n_src >= 2'd2) src1 = is_vop3 ? x[17:9] : vsrc1;
      if (is_vop3 && (row.n_src == 2'd3 || row.reads_mask)) src2 = x[26:18];
      // v_madmk: a * literal + b; v_madak: a * b + literal.
      if (row.literal_k) begin
        src1 = literal_is_factor ? FieldLiteral : vsrc1;
        src2 = literal_is_factor ? vsrc1 : FieldLiteral;
      end
      if (old_is_last || old_for_sdwa) src2 = old_vdst;
    end
  end

  assign any_literal = !is_vop3 && (src0 == FieldLiteral || row.literal_k);

  // --- What must not be ---

  // v_cndmask_b32 has signs in VOP3, but sign extensions in SDWA, and neither in DPP.
  logic [2:0] float_src, neg, abs;
  logic       mask_is_src2, clamp, fields_ok, dst_ok, modifiers_ok;
  assign float_src    = moves_parts && row.reads_mask ? 3'b000 : row.float_src;
  assign mask_is_src2 = is_vop3 && row.reads_mask;

  always_comb begin
    neg   = 3'b000;
    abs   = 3'b000;
    clamp = 1'b0;
    if (en_i) begin
      if (is_vop3) begin
        neg   = x[31:29];
        abs   = row.carry_out ? 3'b000 : w[10:8];  // the carry's destination is in their place
        clamp = w[15];
      end
      else if (is_sdwa) begin
        neg   = {1'b0, x[28], x[20]};
        abs   = {1'b0, x[29], x[21]};
        clamp = x[13];
      end
      else if (is_dpp) begin
        neg   = {1'b0, x[22], x[20]};
        abs   = {1'b0, x[23], x[21]};
      end
      for (int unsigned k = 0; k < 3; k++) begin
        if (2'(k) >= row.n_src) begin
          neg[k] = 1'b0;
          abs[k] = 1'b0;
        end
      end
    end
  end

  always_comb begin
    fields_ok = '0;
    if (en_i) begin
      fields_ok = source_ok(src0, wide0) && source_ok(src1, wide1) &&
                  source_ok(src2, wide2 || mask_is_src2) && !(mask_is_src2 && src2[8]);
      if (is_vop3 && (src0 == FieldLiteral || src1 == FieldLiteral || src2 == FieldLiteral)) fields_ok = 1'b0;
      // In e32, SDWA's and DPP's marks count where there is no source too.
      // Compares and what has no SDWA have no DPP either.
      if (moves_parts && row.no_sdwa) fields_ok = 1'b0;
      if (is_dpp && (row.compare || !dpp_ok(x[16:8]))) fields_ok = 1'b0;
      if (is_vop3 && row.no_vop3) fields_ok = 1'b0;
      if (row.relative_src && !src0[8]) fields_ok = 1'b0;
      // The lane is a scalar's value, and so is what is written to it.
      if (row.access == valu_pkg::AccessReadLane && src1[8]) fields_ok = 1'b0;
      if (row.access == valu_pkg::AccessWriteLane && (src0[8] || src1[8])) fields_ok = 1'b0;
    end
  end

  always_comb begin
    dst_ok = '0;
    if (en_i) begin
      dst_ok = 1'b1;
      if (row.writes_scalar && (vdst[7] || !scalar_ok(vdst[6:0], 1'b0))) dst_ok = 1'b0;
      if (row.compare && is_vop3 && (vdst[7] || !scalar_ok(vdst[6:0], 1'b1))) dst_ok = 1'b0;
      if (row.carry_out && is_vop3 && !scalar_ok(w[14:8], 1'b1)) dst_ok = 1'b0;
      if (row.writes_vdst && row.wide && vdst == 8'hff) dst_ok = 1'b0;
    end
  end

  always_comb begin
    modifiers_ok = '0;
    if (en_i) begin
      modifiers_ok = ((neg | abs) & ~float_src) == 3'b000;
      if (is_vop3) begin
        if (x[28:27] != 2'd0 && (!row.float_dst || row.reads_mask)) modifiers_ok = 1'b0;
        if (clamp && row.reads_mask) modifiers_ok = 1'b0;
      end
      if (clamp && row.writes_vdst && !row.float_dst && row.access == valu_pkg::AccessNone && !row.relative_src && !row.relative_dst &&
          !(is_vop3 && row.saturates)) begin
        modifiers_ok = 1'b0;
      end
      if (is_sdwa) begin
        if (x[18:16] == 3'd7 || (x[19] && float_src[0])) modifiers_ok = 1'b0;
        if (row.n_src == 2'd2 && (x[26:24] == 3'd7 || (x[27] && float_src[1]))) modifiers_ok = 1'b0;
        if (!row.compare && (x[10:8] == 3'd7 || x[12:11] == 2'd3)) modifiers_ok = 1'b0;
      end
    end
  end

  // --- Result ---

  always_comb begin
    ctrl_o           = '0;
    if (en_i) begin
      ctrl_o.supported = is_vector && row.known && fields_ok && dst_ok && modifiers_ok;
      ctrl_o.length    = is_vop3 || moves_parts || any_literal ? 2'd2 : 2'd1;
      ctrl_o.rate      = row.rate;
      ctrl_o.exec_unit = row.exec_unit;
      ctrl_o.op        = row.op;
      ctrl_o.float_op  = row.float_op;
      ctrl_o.is_signed = row.is_signed;
      ctrl_o.size      = row.size;
      ctrl_o.relation  = opcode[3:0];
      ctrl_o.src0      = src0;
      ctrl_o.src1      = src1;
      ctrl_o.src2      = src2;
      ctrl_o.type0     = row.type0;
      ctrl_o.type1     = row.type1;
      ctrl_o.type2     = mask_is_src2 ? valu_pkg::Operand64 : row.type2;
      ctrl_o.literal   = x;
      ctrl_o.neg       = neg;
      ctrl_o.abs       = abs;
      ctrl_o.omod      = is_vop3 ? x[28:27] : 2'd0;
      ctrl_o.clamp     = clamp;
      ctrl_o.sel0      = is_sdwa ? x[18:16] : 3'd6;
      ctrl_o.sext0     = is_sdwa && x[19];
      ctrl_o.sel1      = is_sdwa && row.n_src == 2'd2 ? x[26:24] : 3'd6;
      ctrl_o.sext1     = is_sdwa && row.n_src == 2'd2 && x[27];
      ctrl_o.dst_sel    = is_sdwa && !row.compare ? x[10:8] : 3'd6;
      ctrl_o.dst_unused = is_sdwa && !row.compare ? x[12:11] : 2'd0;

      if (is_dpp) begin
        ctrl_o.dpp.on         = 1'b1;
        ctrl_o.dpp.ctrl       = x[16:8];
        ctrl_o.dpp.bound_ctrl = x[19];
        ctrl_o.dpp.bank_mask  = x[27:24];
        ctrl_o.dpp.row_mask   = x[31:28];
      end

      ctrl_o.writes_vdst = row.writes_vdst && !row.compare;
      ctrl_o.vdst        = vdst;
      ctrl_o.relative_src = row.relative_src;
      ctrl_o.relative_dst = row.relative_dst;
      ctrl_o.wide        = row.wide;
      ctrl_o.writes_sdst = row.writes_scalar || row.compare || row.carry_out;
      ctrl_o.sdst_wide   = !row.writes_scalar;
      if (row.writes_scalar || (row.compare && is_vop3)) ctrl_o.sdst = vdst[6:0];
      else if (row.carry_out && is_vop3) ctrl_o.sdst = w[14:8];
      else ctrl_o.sdst = FieldVcc[6:0];
      ctrl_o.writes_exec = row.writes_exec;

      ctrl_o.reads_mask   = row.reads_mask || row.implicit_vcc;
      ctrl_o.mask_is_src2 = mask_is_src2;
      ctrl_o.access       = row.access;
    end
  end

endmodule
