// SPDX-License-Identifier: Apache-2.0
// Decoder of the scalar formats SOP1, SOP2, SOPK, SOPC and SOPP: everything that touches no memory, split and merge
// included. Combinational. (GCN3 ISA, chapter 13 "SOP2" to "SOPP", chapter 12.1 to 12.5)
//
// Not here, and answered as not supported: s_cbranch_g_fork, s_cbranch_i_fork and s_cbranch_join, which move four
// registers at once; what the front end does itself (s_nop, s_sleep, s_waitcnt, s_barrier, s_endpgm, messages, cache
// maintenance); and every other format.
module salu_decoder (
    input  logic                    en_i,  // 0: nothing is computed, all outputs are 0
    input  logic [31:0]             instr_i,
    output spsimd_pkg::salu_ctrl_t  ctrl_o
);

  logic [6:0] op2, opc, opp, sdst;
  logic [7:0] op1;
  logic [4:0] opk;
  logic       is_sop1, is_sopc, is_sopp, is_sopk, is_sop2;

  assign op2  = instr_i[29:23];
  assign op1  = instr_i[15:8];
  assign opc  = instr_i[22:16];
  assign opp  = instr_i[22:16];
  assign opk  = instr_i[27:23];
  assign sdst = instr_i[22:16];

  // The longest prefix decides: SOP1, SOPC and SOPP lie in SOPK's space, SOPK in SOP2's.
  assign is_sop1 = instr_i[31:23] == 9'b101111101;
  assign is_sopc = instr_i[31:23] == 9'b101111110;
  assign is_sopp = instr_i[31:23] == 9'b101111111;
  assign is_sopk = instr_i[31:28] == 4'b1011 && !is_sop1 && !is_sopc && !is_sopp;
  assign is_sop2 = instr_i[31:30] == 2'b10 && instr_i[31:28] != 4'b1011;

  logic [5:0] hw_register;
  logic       hw_writable;
  assign hw_register = instr_i[5:0];
  assign hw_writable = hw_register == 6'd1 || hw_register == 6'd3;  // MODE, TRAPSTS

  // The operation in ctrl.op; `wide`: 64 bits all through, `dst64`, `src64`, `src1_64`: only there.
  logic wide, dst64, src64, src1_64, signed64, has_dst, src1_is_dst;
  logic [7:0] ssrc0, ssrc1;

  always_comb begin
    ctrl_o      = '0;
    wide        = '0;
    src1_64     = '0;
    signed64    = '0;
    has_dst     = '0;
    src1_is_dst = '0;
    ssrc0       = '0;
    ssrc1       = '0;
    dst64       = '0;
    src64       = '0;
    if (en_i) begin
      ctrl_o.op   = spsimd_pkg::SaluNothing;
      ctrl_o.branch = spsimd_pkg::BranchNever;
      ctrl_o.supported = 1'b1;
      wide        = 1'b0;
      src1_64     = 1'b1;  // as `wide`, unless said otherwise
      signed64    = 1'b0;
      has_dst     = 1'b1;
      src1_is_dst = 1'b0;
      ssrc0       = instr_i[7:0];
      ssrc1       = instr_i[15:8];

      if (is_sop2) begin
        unique case (op2)
          7'd0: ctrl_o.op = spsimd_pkg::SaluAddU;
          7'd1: ctrl_o.op = spsimd_pkg::SaluSubU;
          7'd2: ctrl_o.op = spsimd_pkg::SaluAddI;
          7'd3: ctrl_o.op = spsimd_pkg::SaluSubI;
          7'd4: ctrl_o.op = spsimd_pkg::SaluAddc;
          7'd5: ctrl_o.op = spsimd_pkg::SaluSubb;
          7'd6: ctrl_o.op = spsimd_pkg::SaluMinI;
          7'd7: ctrl_o.op = spsimd_pkg::SaluMinU;
          7'd8: ctrl_o.op = spsimd_pkg::SaluMaxI;
          7'd9: ctrl_o.op = spsimd_pkg::SaluMaxU;
          7'd10, 7'd11: begin ctrl_o.op = spsimd_pkg::SaluCselect; wide = op2[0]; end
          7'd12, 7'd13: begin ctrl_o.op = spsimd_pkg::SaluAnd; wide = op2[0]; end
          7'd14, 7'd15: begin ctrl_o.op = spsimd_pkg::SaluOr; wide = op2[0]; end
          7'd16, 7'd17: begin ctrl_o.op = spsimd_pkg::SaluXor; wide = op2[0]; end
          7'd18, 7'd19: begin ctrl_o.op = spsimd_pkg::SaluAndn2; wide = op2[0]; end
          7'd20, 7'd21: begin ctrl_o.op = spsimd_pkg::SaluOrn2; wide = op2[0]; end
          7'd22, 7'd23: begin ctrl_o.op = spsimd_pkg::SaluNand; wide = op2[0]; end
          7'd24, 7'd25: begin ctrl_o.op = spsimd_pkg::SaluNor; wide = op2[0]; end
          7'd26, 7'd27: begin ctrl_o.op = spsimd_pkg::SaluXnor; wide = op2[0]; end
          7'd28, 7'd29: begin ctrl_o.op = spsimd_pkg::SaluLshl; wide = op2[0]; src1_64 = 1'b0; end
          7'd30, 7'd31: begin ctrl_o.op = spsimd_pkg::SaluLshr; wide = op2[0]; src1_64 = 1'b0; end
          7'd32: ctrl_o.op = spsimd_pkg::SaluAshr;
          7'd33: begin ctrl_o.op = spsimd_pkg::SaluAshr; wide = 1'b1; src1_64 = 1'b0; signed64 = 1'b1; end
          7'd34, 7'd35: begin ctrl_o.op = spsimd_pkg::SaluBfm; wide = op2[0]; src1_64 = 1'b0; end  // its sources are of 32 bits: below
          7'd36: ctrl_o.op = spsimd_pkg::SaluMul;
          7'd37: ctrl_o.op = spsimd_pkg::SaluBfeU;
          7'd38: ctrl_o.op = spsimd_pkg::SaluBfeI;
          7'd39: begin ctrl_o.op = spsimd_pkg::SaluBfeU; wide = 1'b1; src1_64 = 1'b0; end
          7'd40: begin ctrl_o.op = spsimd_pkg::SaluBfeI; wide = 1'b1; src1_64 = 1'b0; signed64 = 1'b1; end
          7'd42: ctrl_o.op = spsimd_pkg::SaluAbsdiff;
          default: ctrl_o.supported = 1'b0;
        endcase
      end else if (is_sop1) begin
        ssrc1 = '0;
        unique case (op1)
          8'd0, 8'd1: begin ctrl_o.op = spsimd_pkg::SaluMov; wide = op1[0]; end
          8'd2, 8'd3: begin ctrl_o.op = spsimd_pkg::SaluCmov; wide = op1[0]; end
          8'd4, 8'd5: begin ctrl_o.op = spsimd_pkg::SaluNot; wide = op1[0]; end
          8'd6, 8'd7: begin ctrl_o.op = spsimd_pkg::SaluWqm; wide = op1[0]; end
          8'd8, 8'd9: begin ctrl_o.op = spsimd_pkg::SaluBrev; wide = op1[0]; end
          8'd10, 8'd11: begin ctrl_o.op = spsimd_pkg::SaluBcnt0; wide = op1[0]; end
          8'd12, 8'd13: begin ctrl_o.op = spsimd_pkg::SaluBcnt1; wide = op1[0]; end
          8'd14, 8'd15: begin ctrl_o.op = spsimd_pkg::SaluFf0; wide = op1[0]; end
          8'd16, 8'd17: begin ctrl_o.op = spsimd_pkg::SaluFf1; wide = op1[0]; end
          8'd18, 8'd19: begin ctrl_o.op = spsimd_pkg::SaluFlbit; wide = op1[0]; end
          8'd20, 8'd21: begin ctrl_o.op = spsimd_pkg::SaluFlbitI; wide = op1[0]; end
          8'd22: ctrl_o.op = spsimd_pkg::SaluSext8;
          8'd23: ctrl_o.op = spsimd_pkg::SaluSext16;
          8'd24, 8'd25: begin ctrl_o.op = spsimd_pkg::SaluBitset0; wide = op1[0]; src1_is_dst = 1'b1; end
          8'd26, 8'd27: begin ctrl_o.op = spsimd_pkg::SaluBitset1; wide = op1[0]; src1_is_dst = 1'b1; end
          8'd28: begin ctrl_o.op = spsimd_pkg::SaluGetpc; wide = 1'b1; ssrc0 = '0; end  // it has no source
          8'd29: begin ctrl_o.branch = spsimd_pkg::BranchTo; wide = 1'b1; has_dst = 1'b0; end
          8'd30: begin ctrl_o.op = spsimd_pkg::SaluGetpc; ctrl_o.branch = spsimd_pkg::BranchTo; wide = 1'b1; end
          8'd32: begin ctrl_o.op = spsimd_pkg::SaluAndSave; wide = 1'b1; end
          8'd33: begin ctrl_o.op = spsimd_pkg::SaluOrSave; wide = 1'b1; end
          8'd34: begin ctrl_o.op = spsimd_pkg::SaluXorSave; wide = 1'b1; end
          8'd35: begin ctrl_o.op = spsimd_pkg::SaluAndn2Save; wide = 1'b1; end
          8'd36: begin ctrl_o.op = spsimd_pkg::SaluOrn2Save; wide = 1'b1; end
          8'd37: begin ctrl_o.op = spsimd_pkg::SaluNandSave; wide = 1'b1; end
          8'd38: begin ctrl_o.op = spsimd_pkg::SaluNorSave; wide = 1'b1; end
          8'd39: begin ctrl_o.op = spsimd_pkg::SaluXnorSave; wide = 1'b1; end
          8'd40, 8'd41: begin ctrl_o.op = spsimd_pkg::SaluQuadmask; wide = op1[0]; end
          8'd42, 8'd43: begin ctrl_o.op = spsimd_pkg::SaluMov; wide = op1[0]; ctrl_o.relative_src = 1'b1; end
          8'd44, 8'd45: begin ctrl_o.op = spsimd_pkg::SaluMov; wide = op1[0]; ctrl_o.relative_dst = 1'b1; end
          8'd48: ctrl_o.op = spsimd_pkg::SaluAbs;
          8'd50: begin ctrl_o.op = spsimd_pkg::SaluGprIdxIdx; has_dst = 1'b0; end
          default: ctrl_o.supported = 1'b0;
        endcase
      end else if (is_sopk) begin
        // One register, the destination's field, and the immediate.
        ssrc0 = {1'b0, sdst};
        ssrc1 = '0;
        ctrl_o.simm_is_src1 = 1'b1;
        unique case (opk)
          5'd0: begin ctrl_o.op = spsimd_pkg::SaluMov; ctrl_o.simm_is_src0 = 1'b1; end
          5'd1: begin ctrl_o.op = spsimd_pkg::SaluCmov; ctrl_o.simm_is_src0 = 1'b1; end
          5'd2, 5'd8: begin ctrl_o.op = spsimd_pkg::SaluCmpEq; has_dst = 1'b0; ctrl_o.simm_unsigned = opk[3]; end
          5'd3, 5'd9: begin ctrl_o.op = spsimd_pkg::SaluCmpLg; has_dst = 1'b0; ctrl_o.simm_unsigned = opk[3]; end
          5'd4: begin ctrl_o.op = spsimd_pkg::SaluCmpGtI; has_dst = 1'b0; end
          5'd5: begin ctrl_o.op = spsimd_pkg::SaluCmpGeI; has_dst = 1'b0; end
          5'd6: begin ctrl_o.op = spsimd_pkg::SaluCmpLtI; has_dst = 1'b0; end
          5'd7: begin ctrl_o.op = spsimd_pkg::SaluCmpLeI; has_dst = 1'b0; end
          5'd10: begin ctrl_o.op = spsimd_pkg::SaluCmpGtU; has_dst = 1'b0; ctrl_o.simm_unsigned = 1'b1; end
          5'd11: begin ctrl_o.op = spsimd_pkg::SaluCmpGeU; has_dst = 1'b0; ctrl_o.simm_unsigned = 1'b1; end
          5'd12: begin ctrl_o.op = spsimd_pkg::SaluCmpLtU; has_dst = 1'b0; ctrl_o.simm_unsigned = 1'b1; end
          5'd13: begin ctrl_o.op = spsimd_pkg::SaluCmpLeU; has_dst = 1'b0; ctrl_o.simm_unsigned = 1'b1; end
          5'd14: ctrl_o.op = spsimd_pkg::SaluAddI;
          5'd15: ctrl_o.op = spsimd_pkg::SaluMul;
          5'd17: begin  // MODE, TRAPSTS, HW_ID, GPR_ALLOC, LDS_ALLOC; STATUS is of registers that may be under way
            ctrl_o.op = spsimd_pkg::SaluGetreg;
            ctrl_o.supported = hw_register == 6'd1 || (hw_register >= 6'd3 && hw_register <= 6'd6);
          end
          5'd18: begin
            ctrl_o.op = spsimd_pkg::SaluSetreg;
            has_dst = 1'b0;
            ctrl_o.supported = hw_writable;
          end
          5'd20: begin
            ctrl_o.op = spsimd_pkg::SaluSetreg;
            has_dst = 1'b0;
            ssrc0 = 8'd255;
            ctrl_o.supported = hw_writable;
          end
          default: ctrl_o.supported = 1'b0;
        endcase
      end else if (is_sopc) begin
        has_dst = 1'b0;
        unique case (opc)
          7'd0, 7'd6: ctrl_o.op = spsimd_pkg::SaluCmpEq;
          7'd1, 7'd7: ctrl_o.op = spsimd_pkg::SaluCmpLg;
          7'd2: ctrl_o.op = spsimd_pkg::SaluCmpGtI;
          7'd3: ctrl_o.op = spsimd_pkg::SaluCmpGeI;
          7'd4: ctrl_o.op = spsimd_pkg::SaluCmpLtI;
          7'd5: ctrl_o.op = spsimd_pkg::SaluCmpLeI;
          7'd8: ctrl_o.op = spsimd_pkg::SaluCmpGtU;
          7'd9: ctrl_o.op = spsimd_pkg::SaluCmpGeU;
          7'd10: ctrl_o.op = spsimd_pkg::SaluCmpLtU;
          7'd11: ctrl_o.op = spsimd_pkg::SaluCmpLeU;
          7'd12: ctrl_o.op = spsimd_pkg::SaluBitcmp0;
          7'd13: ctrl_o.op = spsimd_pkg::SaluBitcmp1;
          7'd14: begin ctrl_o.op = spsimd_pkg::SaluBitcmp0; wide = 1'b1; src1_64 = 1'b0; end
          7'd15: begin ctrl_o.op = spsimd_pkg::SaluBitcmp1; wide = 1'b1; src1_64 = 1'b0; end
          7'd17: begin ctrl_o.op = spsimd_pkg::SaluGprIdxOn; ssrc1 = '0; end  // the field is an immediate
          7'd18: begin ctrl_o.op = spsimd_pkg::SaluCmpEq; wide = 1'b1; end
          7'd19: begin ctrl_o.op = spsimd_pkg::SaluCmpLg; wide = 1'b1; end
          7'd20: ctrl_o.split = 1'b1;
          7'd21: begin ctrl_o.merge = 1'b1; ssrc0 = '0; ssrc1 = '0; end
          default: ctrl_o.supported = 1'b0;
        endcase
      end else if (is_sopp) begin
        has_dst = 1'b0;
        ssrc0   = '0;
        ssrc1   = '0;
        unique case (opp)
          7'd2: ctrl_o.branch = spsimd_pkg::BranchAlways;
          7'd4: ctrl_o.branch = spsimd_pkg::BranchScc0;
          7'd5: ctrl_o.branch = spsimd_pkg::BranchScc1;
          7'd6: ctrl_o.branch = spsimd_pkg::BranchVccz;
          7'd7: ctrl_o.branch = spsimd_pkg::BranchVccnz;
          7'd8: ctrl_o.branch = spsimd_pkg::BranchExecz;
          7'd9: ctrl_o.branch = spsimd_pkg::BranchExecnz;
          7'd23, 7'd24, 7'd25, 7'd26: ctrl_o.branch = spsimd_pkg::BranchNever;  // no debugger is attached
          7'd28: ctrl_o.op = spsimd_pkg::SaluGprIdxOff;
          7'd29: ctrl_o.op = spsimd_pkg::SaluGprIdxMode;
          default: ctrl_o.supported = 1'b0;
        endcase
      end else begin
        ctrl_o.supported = 1'b0;
        has_dst = 1'b0;
      end

      // Results narrower or wider than what the operation works on: counts are of 32 bits, s_bfm_b64 and s_bitset*_b64
      // take counts of 32.
      dst64 = wide;
      src64 = wide;
      unique case (ctrl_o.op)
        spsimd_pkg::SaluBcnt0, spsimd_pkg::SaluBcnt1, spsimd_pkg::SaluFf0, spsimd_pkg::SaluFf1, spsimd_pkg::SaluFlbit,
        spsimd_pkg::SaluFlbitI: dst64 = 1'b0;
        spsimd_pkg::SaluBfm, spsimd_pkg::SaluBitset0, spsimd_pkg::SaluBitset1: src64 = 1'b0;
        default: ;
      endcase

      if (src1_is_dst) ssrc1 = {1'b0, sdst};
      ctrl_o.wide        = wide;
      ctrl_o.ssrc0       = ssrc0;
      ctrl_o.ssrc1       = ssrc1;
      ctrl_o.type0       = !src64 ? valu_pkg::Operand32 : signed64 ? valu_pkg::OperandI64 : valu_pkg::Operand64;
      ctrl_o.type1       = wide && src1_64 ? valu_pkg::Operand64 : valu_pkg::Operand32;
      ctrl_o.literal     = ssrc0 == 8'd255 || (ssrc1 == 8'd255 && !ctrl_o.simm_is_src1);
      ctrl_o.writes_sdst = has_dst && ctrl_o.supported;
      ctrl_o.wide_sdst   = dst64;
      ctrl_o.sdst        = sdst;
    end
  end

endmodule
