// SPDX-License-Identifier: Apache-2.0
// One lane of the vector ALU: from what the register file and the scalars give to what is written.
//
// A pipeline of `Stages` stages: results are there Stages - 1 cycles after what they are made of, in every cycle one; with
// one stage it is combinational. Order, as in the ISA (chapter 6 "Vector ALU Operations", chapter 13 "SDWA"): the selected
// part of each source, absolute value, negation, the operation, output modifiers, the selected part of the destination.
//
// Nearly all instructions are of integers and single precision. A simulation may have a lane for these alone, which is
// faster to evaluate, and another one for what that says it lacks.
module valu_lane #(
  parameter int unsigned Stages   = 1,    // up to fpu_pkg::MaxStages
  parameter bit          AllUnits = 1'b1  // 0: without double and half precision, transcendentals and cube maps
) (
  input  logic                  clk_i,
  input  logic                  en_i,     // 0: nothing is computed, results are 0
  input  valu_pkg::lane_instr_t instr_i,
  input  logic [5:0]            lane_i,   // the work-item's number
  input  logic [63:0]           vsrc0_i,  // sources that are vector registers
  input  logic [63:0]           vsrc1_i,
  input  logic [63:0]           vsrc2_i,  // SDWA that preserves the rest: the old destination
  input  logic                  flag_i,   // this work-item's bit of the lane mask read
  output logic [63:0]           result_o,
  output logic                  flag_o,
  output logic                  lacks_o   // the lane does not have the unit that makes the result
);

  // Where a simulation has all lanes side by side: one function for them, instead of each one's code in the caller's.
  /* verilator no_inline_module */

  // SDWA: bytes 0 to 3, words 4 and 5, 6 the whole dword.
  function automatic logic [31:0] part(input logic [31:0] x, input logic [2:0] select, input logic extend);
    logic [15:0] word;
    logic [7:0]  octet;
    word  = select[0] ? x[31:16] : x[15:0];
    octet = x[8 * select[1:0] +: 8];
    if (!select[2])          part = {{24{extend && octet[7]}}, octet};
    else if (select != 3'd6) part = {{16{extend && word[15]}}, word};
    else                     part = x;
  endfunction

  // neg and abs are for floats: the sign bit is that of the source's format.
  function automatic logic [63:0] with_sign(input logic [63:0] x, input valu_pkg::operand_e format,
                                            input logic absolute, input logic negate);
    logic [63:0] top;
    unique case (format)
      valu_pkg::Operand16:  top = 64'h0000_0000_0000_8000;
      valu_pkg::OperandF64: top = 64'h8000_0000_0000_0000;
      default:              top = 64'h0000_0000_8000_0000;
    endcase
    with_sign = (absolute ? x & ~top : x) ^ (negate ? top : 64'd0);
  endfunction

  valu_pkg::ctrl_t ctrl;
  assign ctrl = instr_i.ctrl;

  logic        is_float, is_double, is_half, is_trans, is_cube;
  logic [63:0] src0, src1, src2;
  logic [63:0] src_a, src_b, src_c;  // as the units see them

  always_comb begin
    src0  = '0;
    src1  = '0;
    src2  = '0;
    src_a = '0;
    src_b = '0;
    src_c = '0;
    if (en_i) begin
      src0  = ctrl.src0[8] ? vsrc0_i : instr_i.ssrc0;
      src1  = ctrl.src1[8] ? vsrc1_i : instr_i.ssrc1;
      src2  = ctrl.src2[8] ? vsrc2_i : instr_i.ssrc2;
      src_a = {src0[63:32], part(src0[31:0], ctrl.sel0, ctrl.sext0)};
      src_b = {src1[63:32], part(src1[31:0], ctrl.sel1, ctrl.sext1)};
      src_c = src2;
      src_a = with_sign(src_a, ctrl.type0, ctrl.abs[0], ctrl.neg[0]);
      src_b = with_sign(src_b, ctrl.type1, ctrl.abs[1], ctrl.neg[1]);
      src_c = with_sign(src_c, ctrl.type2, ctrl.abs[2], ctrl.neg[2]);
    end
  end

  valu_pkg::unit_e int_unit;
  always_comb begin
    int_unit = valu_pkg::UnitNone;
    if (en_i) int_unit = ctrl.exec_unit;
  end

  logic [63:0] int_result;
  logic        int_flag;
  valu_int u_int (
    .exec_unit_i(int_unit),
    .op_i       (ctrl.op),
    .size_i     (ctrl.size),
    .signed_i   (ctrl.is_signed),
    .relation_i (ctrl.relation[2:0]),
    .clamp_i    (ctrl.clamp),
    .lane_i,
    .a_i        (src_a),
    .b_i        (src_b),
    .c_i        (src_c),
    .flag_i,
    .result_o   (int_result),
    .flag_o     (int_flag)
  );

  fpu_pkg::result_mode_t single_mode, wide_mode;  // of single precision; of half and double precision
  assign single_mode = fpu_pkg::result_mode(instr_i.mode, 1'b1, ctrl.omod, ctrl.clamp);
  assign wide_mode   = fpu_pkg::result_mode(instr_i.mode, 1'b0, ctrl.omod, ctrl.clamp);

  logic [63:0] double_result;
  logic [31:0] float_result, trans_result, cube_result;
  logic [15:0] half_result;
  logic        float_flag, double_flag, half_flag;
  assign is_float  = en_i && ctrl.exec_unit == valu_pkg::UnitFloat;
  assign is_double = en_i && ctrl.exec_unit == valu_pkg::UnitDouble;
  assign is_half   = en_i && ctrl.exec_unit == valu_pkg::UnitHalf;
  assign is_trans  = en_i && ctrl.exec_unit == valu_pkg::UnitTrans;
  assign is_cube   = en_i && ctrl.exec_unit == valu_pkg::UnitCube;
  fp_unit #(.Field(8), .Exp(10), .Sig(24), .DivScale(64), .Roots(1'b0), .Stages(Stages)) u_float (
    .clk_i, .en_i(is_float), .op_i(ctrl.float_op), .relation_i(ctrl.relation), .a_i(src_a[31:0]), .b_i(src_b[31:0]),
    .c_i(src_c[31:0]), .flag_i, .mode_i(single_mode), .other_mode_i(wide_mode), .result_o(float_result), .flag_o(float_flag)
  );
  if (AllUnits) begin : gen_all_units
    assign lacks_o = 1'b0;
    fp_unit #(.Field(11), .Exp(13), .Sig(53), .DivScale(128), .Roots(1'b1), .Stages(Stages)) u_double (
      .clk_i, .en_i(is_double), .op_i(ctrl.float_op), .relation_i(ctrl.relation), .a_i(src_a), .b_i(src_b), .c_i(src_c),
      .flag_i, .mode_i(wide_mode), .other_mode_i(single_mode), .result_o(double_result), .flag_o(double_flag)
    );
    fp_unit #(.Field(5), .Exp(8), .Sig(11), .DivScale(0), .Roots(1'b1), .Stages(Stages)) u_half (
      .clk_i, .en_i(is_half), .op_i(ctrl.float_op), .relation_i(ctrl.relation), .a_i(src_a[15:0]), .b_i(src_b[15:0]),
      .c_i(src_c[15:0]), .flag_i, .mode_i(wide_mode), .other_mode_i(single_mode), .result_o(half_result), .flag_o(half_flag)
    );
    valu_trans #(.Stages(Stages)) u_trans (
      .clk_i, .en_i(is_trans), .op_i(ctrl.float_op), .a_i(src_a[31:0]), .mode_i(single_mode), .result_o(trans_result)
    );
    valu_cube u_cube (
      .en_i(is_cube), .op_i(ctrl.float_op), .a_i(src_a[31:0]), .b_i(src_b[31:0]), .c_i(src_c[31:0]), .mode_i(single_mode),
      .result_o(cube_result)
    );
  end else begin : gen_common_units
    assign lacks_o       = is_double || is_half || is_trans || is_cube;
    assign double_result = '0;
    assign double_flag   = 1'b0;
    assign half_result   = '0;
    assign half_flag     = 1'b0;
    assign trans_result  = '0;
    assign cube_result   = '0;
  end

  // ---- What comes out of the pipeline, and what of the instruction is needed there. Integers and cube maps are done in
  // the first stage. Of units that have nothing to do the results are 0.
  localparam int unsigned After = Stages - 1;
  logic [63:0] early_result, late_result, whole;
  logic        early_flag, late_flag, late_en;
  logic [31:0] late_old;
  logic [2:0]  late_dst_sel;
  logic [1:0]  late_dst_unused;
  assign early_result = int_result | {32'd0, cube_result};
  assign early_flag   = int_flag;
  fp_cut #(.Width(65), .Count(After)) u_late (
    .clk_i, .d_i({early_flag, early_result}), .q_o({late_flag, late_result})
  );
  fp_cut #(.Width(32), .Count(After)) u_late_old (.clk_i, .d_i(src2[31:0]), .q_o(late_old));
  fp_cut #(.Width(6), .Count(After)) u_late_dst (
    .clk_i, .d_i({en_i, ctrl.dst_sel, ctrl.dst_unused}), .q_o({late_en, late_dst_sel, late_dst_unused})
  );
  assign whole  = late_result | double_result | {32'd0, float_result | trans_result} | {48'd0, half_result};
  assign flag_o = late_flag | float_flag | double_flag | half_flag;

  // SDWA destination: the result's low bits go to one byte or word; the rest is zero, its sign, or what was there.
  logic        negative;
  logic [31:0] place, above, moved;
  always_comb begin
    place    = '0;
    above    = '0;
    moved    = '0;
    negative = 1'b0;
    result_o = whole;
    if (late_en && late_dst_sel < 3'd6) begin
      if (late_dst_sel[2]) begin
        place    = late_dst_sel[0] ? 32'hffff_0000 : 32'h0000_ffff;
        above    = late_dst_sel[0] ? 32'h0000_0000 : 32'hffff_0000;
        moved    = {2{whole[15:0]}} & place;
        negative = whole[15];
      end
      else begin
        place    = 32'h0000_00ff << {late_dst_sel[1:0], 3'b000};
        above    = 32'hffff_ff00 << {late_dst_sel[1:0], 3'b000};
        moved    = {4{whole[7:0]}} & place;
        negative = whole[7];
      end
      unique case (late_dst_unused)
        2'd0:    result_o[31:0] = moved;
        2'd1:    result_o[31:0] = moved | (negative ? above : 32'd0);
        default: result_o[31:0] = moved | (late_old & ~place);
      endcase
    end
  end

  logic unused_ctrl;
  assign unused_ctrl = ^ctrl;

endmodule
