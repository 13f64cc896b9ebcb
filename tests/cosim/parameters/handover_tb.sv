// SPDX-License-Identifier: Apache-2.0
// Two units without their lanes side by side, a SIMD unit and an SpSIMD unit, with nothing between them but wires: a wavefront splits in the
// first, its SWF's scalar registers go to the second, row by row, and are there in the cycle that docs/rtl.md says. Then
// the wavefront ends, and its SWF goes on in its place: the registers go back. Ends with $fatal at the first difference.
module handover_tb #(
    parameter int unsigned HandOver = 16
);

  localparam int unsigned Contexts = 2, SpSimds = 1, Lanes = 16, StackDepth = 2, IdWidth = 2, Rows = 128 / HandOver;
  localparam int unsigned C = 1;  // the context that works

  logic clk = 0, rst_n = 0;

  // Signals of unit 0, the SIMD unit, and of unit 1, an SpSIMD unit.
  logic [1:0]                salu_issue, give_at_the_end, begins, takes_over, leaves, loads_status, unsupported;
  logic [63:0]               instr;
  logic [63:0]               em [2], spm [2], next_pc [2], child_spm [2];
  logic [32*HandOver*Contexts-1:0] row [2];
  logic [Contexts-1:0]       valid [2], ready [2];
  logic [IdWidth-1:0]        child [2];
  logic [32*HandOver-1:0]    dispatched;  // by the dispatcher, to unit 0
  logic                      dispatches;
  logic [63:0]               begin_spm [2];
  logic [3:0]                status [2];

  for (genvar u = 0; u < 2; u++) begin : gen_unit
    logic [64*Contexts-1:0] pc_o, em_o, spm_o;
    spsimd_core #(
        .Contexts(Contexts), .Lanes(Lanes), .SpSimds(SpSimds), .StackDepth(StackDepth), .HandOver(HandOver)
    ) u_unit (
        .clk_i(clk), .rst_ni(rst_n), .is_simd_unit_i(u == 0),
        .salu_issue_i(salu_issue[u]), .salu_ctx_i(1'(C)), .salu_instr_i(instr), .salu_pc_i(64'h1000),
        .salu_unsupported_o(unsupported[u]), .salu_next_pc_o(next_pc[u]), .salu_retire_o(), .salu_retire_ctx_o(),
        .valu_issue_i(1'b0), .valu_ctx_i(1'b0), .valu_instr_i('0), .valu_pc_i('0), .valu_unsupported_o(), .valu_busy_o(),
        .valu_retire_o(), .valu_retire_ctx_o(),
        .vrf_pass_o(), .vrf_raddr0_o(), .vrf_raddr1_o(), .vrf_raddr2_o(), .vrf_wpass_o(), .vrf_we_o(), .vrf_edge_re_o(),
        .vrf_edge_item_o(), .vrf_wide_o(), .vrf_waddr_o(),
        .pass_instr_o(), .pass_first_o(),
        .pass_computed_o(), .pass_mask_o(), .pass_dpp_o(), .pass_select_o(), .pass_edge_item_o(), .pass_edge_kept_o(),
        .pass_first_src_i('0), .pass_last_src_i('0), .pass_last_o(), .pass_flags_i('0), .one_value_i('0),
        .load_we_i('0), .load_pair_i('0), .load_words_i('0),
        .load_status_i({loads_status[u], 1'b0}), .load_scc_i('0), .load_mode_i('0), .load_trapsts_i('0),
        .begin_i({begins[u], 1'b0}), .take_over_i({takes_over[u], 1'b0}), .begin_pc_i({64'h2000, 64'h0}),
        .begin_spm_i({begin_spm[u], 64'h0}), .begin_launched_i({64'hffff_ffff_ffff_ffff, 64'h0}),
        .begin_parent_i(u == 0 ? '0 : {IdWidth'(1), IdWidth'(0)}), .begin_hw_id_i('0), .begin_gpr_alloc_i('0), .begin_lds_alloc_i('0),
        .give_i({give_at_the_end[u], 1'b0}),
        .handover_valid_o(valid[u]), .handover_row_o(row[u]), .handover_valid_i(valid[1-u] | {u == 0 && dispatches, 1'b0}),
        .handover_row_i(u == 0 && dispatches ? {dispatched, (32*HandOver)'(0)} : row[1-u]), .ready_o(ready[u]),
        .spsimd_free_i(1'b1), .split_child_o(child[u]), .split_child_spm_o(child_spm[u]),
        .join_i('0), .join_spm_i('0), .join_em_i('0), .drop_i('0), .leave_i({leaves[u], 1'b0}),
        .pc_o, .em_o, .spm_o, .scc_o(), .mode_o(), .trapsts_o(), .parent_o(), .depth_o(), .top_o(), .status_o(status[u])
    );
    assign em[u]  = em_o[64*C+:64];
    assign spm[u] = spm_o[64*C+:64];
  end

  task automatic require(input logic holds, input string what);
    if (!holds) $fatal(1, "HandOver %0d: %s", HandOver, what);
  endtask
  task automatic tick;
    #1 clk = 1;
    #1 clk = 0;
    {salu_issue, give_at_the_end, begins, takes_over, leaves, loads_status} = '0;
    dispatches = 0;
    #1;
  endtask
  task automatic scalar(input int unsigned u, input logic [31:0] word, input logic [31:0] literal);
    salu_issue[u] = 1;
    instr = {literal, word};
    #1 require(!unsupported[u], "a scalar instruction is not supported");
    repeat (4) tick();
  endtask
  // SCC of `s_cmp_eq_u32 REGISTER, LITERAL` in unit u.
  function automatic logic scc(input int unsigned u);
    scc = u == 0 ? gen_unit[0].u_unit.scc_o[C] : gen_unit[1].u_unit.scc_o[C];
  endfunction
  task automatic holds(input int unsigned u, input int unsigned register, input logic [31:0] value);
    scalar(u, {24'hbf06_ff, 8'(register)}, value);
    require(scc(u), $sformatf("s%0d of unit %0d is not %0d", register, u, value));
  endtask
  // All but s10. The last one is a variable: a loop that is unrolled would have a copy of the tasks for each register.
  int unsigned last = 103, rows = Rows;
  task automatic holds_its_number(input int unsigned u);
    for (int unsigned k = 0; k <= last; k++) if (k != 10) holds(u, k, 1000 + k);
  endtask
  // From the hand-over's first cycle on: all registers are there after Rows + 1 cycles, and no sooner.
  task automatic handed_over(input int unsigned u);
    for (int unsigned k = 0; k <= rows; k++) begin
      tick();
      require(ready[u][C] == (k == Rows), k == Rows ? "the registers are not there" : "the registers are there too soon");
    end
  endtask

  initial begin
    {salu_issue, give_at_the_end, begins, takes_over, leaves, loads_status} = '0;
    {dispatched, dispatches, instr} = '0;
    begin_spm[0] = '1;
    begin_spm[1] = '0;
    repeat (2) tick();
    rst_n = 1;
    // A wavefront begins; the dispatcher gives its registers, their numbers.
    begins[0] = 1;
    loads_status[0] = 1;
    tick();
    for (int unsigned r = 0; r < Rows; r++) begin
      dispatches = 1;
      for (int unsigned k = 0; k < HandOver; k++) dispatched[32*k+:32] = HandOver * r + k < 126 ? 1000 + HandOver * r + k : '1;
      tick();
    end
    require(ready[0][C] && em[0] == '1 && status[0][3:2] == 2'd1, "the wavefront has not begun");
    scalar(0, 32'hbe8a_00ff, 32'd77);         // s_mov_b32 s10, 77
    scalar(0, 32'hbefc_00ff, 32'd5);          // s_mov_b32 m0, 5
    scalar(0, 32'hbeea_00ff, 32'd6);          // s_mov_b32 vcc_lo, 6
    scalar(0, 32'hbefe_00ff, 32'hffff_0000);  // s_mov_b32 exec_lo, 0xffff0000

    // split exec_lo, exec_hi: the SWF begins in the other unit in the same cycle.
    salu_issue[0] = 1;
    instr = 64'h0000_0000_bf14_7f7e;
    #1 require(child[0] == 2 && child_spm[0] == 64'h0000_0000_0000_ffff, "the split creates another SWF");
    begins[1] = 1;
    loads_status[1] = 1;
    begin_spm[1] = child_spm[0];
    handed_over(1);
    require(em[1] == 64'hffff_ffff_ffff_0000 && spm[1] == 64'h0000_0000_0000_ffff, "the SWF has another EM");
    holds(1, 10, 77);
    holds(1, 124, 5);
    holds(1, 106, 6);
    holds_its_number(1);
    // What each writes is its own.
    scalar(1, 32'hbe8a_00ff, 32'd88);         // s_mov_b32 s10, 88
    scalar(1, 32'hbefc_00ff, 32'd9);          // s_mov_b32 m0, 9
    holds(0, 10, 77);
    holds(0, 124, 5);

    // merge: the SWF waits for its parent, which has ended. It goes on there.
    salu_issue[1] = 1;
    instr = 64'h0000_0000_bf15_0000;
    tick();
    require(status[1][3:2] == 2'd3, "the SWF does not wait for its parent");
    give_at_the_end[1] = 1;
    leaves[1] = 1;
    takes_over[0] = 1;
    begin_spm[0] = spm[1];
    handed_over(0);
    require(status[1][3:2] == 2'd0 && status[0][3:2] == 2'd1 && spm[0] == 64'h0000_0000_0000_ffff, "the SWF does not go on");
    holds(0, 10, 88);
    holds(0, 124, 9);
    holds(0, 106, 6);
    holds_its_number(0);
    $display("HandOver %0d: %0d cycles, PASS", HandOver, Rows + 1);
    $finish;
  end

endmodule
