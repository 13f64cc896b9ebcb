// SPDX-License-Identifier: Apache-2.0
// Lanes of several stages: each gives what the lane of one stage gives, its stages less one cycles later. Every cycle
// has another operation of a floating-point unit, with operands and modes as they come. Ends with $fatal at the first
// difference.
module stages_tb #(
    parameter int unsigned Cycles = 300000,
    parameter logic [fpu_pkg::MaxStages:1] Lanes = '1  // by their stages; that of one is among them
);

  logic            clk_i = 0, en_i, flag_i;
  valu_pkg::ctrl_t ctrl;
  valu_pkg::lane_instr_t instr_i;
  logic [9:0]      mode;
  logic [5:0]      lane_i;
  logic [63:0]     ssrc1, vsrc0_i, vsrc1_i, vsrc2_i;
  assign instr_i = {mode, ctrl, 64'd0, ssrc1, 64'd0};

  logic [64:0] given[1:fpu_pkg::MaxStages];  // by stages
  logic [fpu_pkg::MaxStages-1:0] lacks;
  for (genvar k = 1; k <= fpu_pkg::MaxStages; k++) begin : gen_lane
    if (!Lanes[k]) assign {given[k], lacks[k-1]} = '0;
    else valu_lane #(.Stages(k)) u_lane (
        .result_o(given[k][63:0]),
        .flag_o  (given[k][64]),
        .lacks_o (lacks[k-1]),
        .*
    );
  end

  // An operand that is a number of the unit's format with an exponent near one, zero, denormal, infinite or anything.
  function automatic logic [63:0] operand(valu_pkg::unit_e exec_unit);
    logic [63:0] bits;
    bits = {$urandom, $urandom};
    if ($urandom_range(3) != 0) begin
      unique case (exec_unit)
        valu_pkg::UnitDouble: bits[62:52] = 11'($urandom_range(1010, 1040));
        valu_pkg::UnitHalf:   bits[14:10] = 5'($urandom_range(9, 21));
        default:              bits[30:23] = 8'($urandom_range(117, 139));
      endcase
    end else if ($urandom_range(1) != 0) begin
      {bits[62:52], bits[30:23]} = $urandom_range(1) != 0 ? '1 : '0;
      if ($urandom_range(1) != 0) {bits[51:0], bits[22:0]} = '0;
    end
    if ($urandom_range(7) == 0) bits = 64'($urandom_range(40)) - 64'd20;
    operand = bits;
  endfunction

  int unsigned unit_choice;
  logic [64:0] expected[0:fpu_pkg::MaxStages-1];  // the last one at 0
  initial begin
    for (int unsigned n = 0; n < Cycles; n++) begin
      en_i   = $urandom_range(15) != 0;
      flag_i = 1'($urandom);
      mode = 10'($urandom);
      lane_i = 6'($urandom);
      ctrl = '0;
      unit_choice = $urandom_range(7);
      unique case (unit_choice)
        0, 1:    ctrl.exec_unit = valu_pkg::UnitFloat;
        2, 3:    ctrl.exec_unit = valu_pkg::UnitDouble;
        4:       ctrl.exec_unit = valu_pkg::UnitHalf;
        5:       ctrl.exec_unit = valu_pkg::UnitTrans;
        6:       ctrl.exec_unit = valu_pkg::UnitCube;
        default: ctrl.exec_unit = valu_pkg::UnitAdd;
      endcase
      ctrl.relation = 4'($urandom);
      ctrl.sel0     = 3'd6;
      ctrl.sel1     = 3'd6;
      ctrl.dst_sel  = $urandom_range(7) == 0 ? 3'($urandom) : 3'd6;
      ctrl.dst_unused = 2'($urandom_range(2));
      ctrl.omod     = 2'($urandom);
      ctrl.clamp    = $urandom_range(3) == 0;
      ctrl.src0     = 9'h100;
      ctrl.src2     = 9'h100;
      ctrl.float_op        = valu_pkg::float_op_e'($urandom_range(32'(valu_pkg::FpuCubeMa)));
      if (ctrl.exec_unit == valu_pkg::UnitTrans) begin
        ctrl.float_op = $urandom_range(1) != 0 ? valu_pkg::float_op_e'($urandom_range(32'(valu_pkg::FpuRsq), 32'(valu_pkg::FpuRcp)))
                                          : valu_pkg::float_op_e'($urandom_range(32'(valu_pkg::FpuCos), 32'(valu_pkg::FpuExp)));
      end
      vsrc0_i = operand(ctrl.exec_unit);
      ssrc1 = operand(ctrl.exec_unit);
      vsrc2_i = operand(ctrl.exec_unit);
      vsrc1_i = '0;
      #1;
      for (int unsigned k = fpu_pkg::MaxStages - 1; k > 0; k--) expected[k] = expected[k-1];
      expected[0] = given[1];
      for (int unsigned k = 2; k <= fpu_pkg::MaxStages; k++) begin
        if (Lanes[k] && n >= k && given[k] !== expected[k-1]) begin
          $fatal(1, "%0d stages: cycle %0d is %h, with one stage it was %h", k, n, given[k], expected[k-1]);
        end
      end
      clk_i = 1;
      #1;
      clk_i = 0;
    end
    if (lacks != '0) $fatal(1, "a lane lacks a unit");
    $display("PASS: %0d cycles of lanes with as many stages as bits of %b say", Cycles, Lanes);
    $finish;
  end

endmodule
