// SPDX-License-Identifier: Apache-2.0
// The unit with parameters other than those of the Verilated build: scalar and vector instructions, a split, its merge and
// the child's return, in the last context, up to the last entry of the child stack. Ends with $fatal at the first
// difference.
module corner_tb #(
    parameter int unsigned Contexts   = 10,
    parameter int unsigned Lanes      = 16,
    parameter int unsigned SpSimds    = 63,
    parameter int unsigned StackDepth = 64,
    parameter int unsigned Stages     = 1,
    parameter int unsigned HandOver   = 16,
    localparam int unsigned IdWidth    = $clog2(SpSimds + 2),
    localparam int unsigned CtxWidth   = Contexts > 1 ? $clog2(Contexts) : 1,
    localparam int unsigned DepthWidth = $clog2(StackDepth + 1),
    localparam int unsigned Rows       = 128 / HandOver
);

  localparam int unsigned C = Contexts - 1;  // the context that works

  logic                     clk_i = 0, rst_ni = 0, is_simd_unit_i = 0;
  logic                     salu_issue_i = 0, valu_issue_i = 0;
  logic [CtxWidth-1:0]      salu_ctx_i = CtxWidth'(C), valu_ctx_i = CtxWidth'(C);
  logic [63:0]              salu_instr_i = 0, salu_pc_i = 64'h1000, valu_instr_i = 0, valu_pc_i = 64'h2000;
  logic [64*Lanes-1:0]      vrf_rdata0_i, vrf_rdata1_i, vrf_rdata2_i, vrf_wdata_o;
  logic [Lanes-1:0]         vrf_we_o;
  logic [1:0]               vrf_pass_o, vrf_wpass_o;
  logic [7:0]               vrf_raddr0_o, vrf_raddr1_o, vrf_raddr2_o, vrf_waddr_o;
  logic                     vrf_edge_re_o;
  logic [5:0]               vrf_edge_item_o;
  logic [31:0]              vrf_edge_rdata_i;
  logic [2*Contexts-1:0]    load_we_i = 0;
  logic [6*Contexts-1:0]    load_pair_i = 0;
  logic [64*Contexts-1:0]   load_words_i = 0;
  logic [32*HandOver*Contexts-1:0] handover_row_i = 0, handover_row_o;
  logic [Contexts-1:0]             give_i = 0, handover_valid_i = 0, handover_valid_o, ready_o;
  logic [Contexts-1:0]      load_status_i = 0, load_scc_i = 0, begin_i = 0, take_over_i = 0, join_i = 0, leave_i = 0;
  logic [32*Contexts-1:0]   load_mode_i = 0, load_trapsts_i = 0, begin_hw_id_i = 0, begin_gpr_alloc_i = 0,
                            begin_lds_alloc_i = 0;
  logic [64*Contexts-1:0]   begin_pc_i = 0, begin_spm_i = 0, begin_launched_i = 0, join_spm_i = 0, join_em_i = 0;
  logic [IdWidth*Contexts-1:0] begin_parent_i = 0;
  logic [(SpSimds+2)*Contexts-1:0] drop_i = 0;
  logic [SpSimds-1:0]       spsimd_free_i = '1;
  logic                     salu_unsupported_o, salu_retire_o, valu_unsupported_o, valu_busy_o, valu_retire_o, vrf_wide_o;
  logic [63:0]              salu_next_pc_o, split_child_spm_o;
  logic [CtxWidth-1:0]      salu_retire_ctx_o, valu_retire_ctx_o;
  logic [IdWidth-1:0]       split_child_o;
  logic [64*Contexts-1:0]   pc_o, em_o, spm_o;
  logic [Contexts-1:0]      scc_o;
  logic [32*Contexts-1:0]   mode_o, trapsts_o;
  logic [IdWidth*Contexts-1:0] parent_o, top_o;
  logic [DepthWidth*Contexts-1:0] depth_o;
  logic [2*Contexts-1:0]    status_o;

  spsimd #(
      .Contexts  (Contexts),
      .Lanes     (Lanes),
      .SpSimds   (SpSimds),
      .StackDepth(StackDepth),
      .Stages    (Stages),
      .HandOver  (HandOver)
  ) u_unit (
      .*
  );

  // v2 is the work-item's number, v3 is 3; what is written goes to `result`.
  logic [31:0] result [64];
  always_comb begin
    for (int unsigned l = 0; l < Lanes; l++) begin
      vrf_rdata0_i[64*l+:64] = vrf_raddr0_o == 8'd2 ? 64'(Lanes * 32'(vrf_pass_o) + l) : 64'd3;
      vrf_rdata1_i[64*l+:64] = vrf_raddr1_o == 8'd2 ? 64'(Lanes * 32'(vrf_pass_o) + l) : 64'd3;
      vrf_rdata2_i[64*l+:64] = 64'd0;
    end
  end
  assign vrf_edge_rdata_i = vrf_raddr0_o == 8'd2 ? 32'(vrf_edge_item_o) : 32'd3;
  always_ff @(posedge clk_i) begin
    for (int unsigned l = 0; l < Lanes; l++) begin
      if (vrf_we_o[l]) result[Lanes*32'(vrf_wpass_o)+l] <= vrf_wdata_o[64*l+:32];
    end
  end

  task automatic require(input logic holds, input string what);
    if (!holds) $fatal(1, "Contexts %0d Lanes %0d SpSimds %0d StackDepth %0d Stages %0d HandOver %0d: %s", Contexts, Lanes, SpSimds, StackDepth, Stages, HandOver, what);
  endtask
  task automatic tick;
    #1 clk_i = 1;
    #1 clk_i = 0;
    salu_issue_i = 0;
    valu_issue_i = 0;
    begin_i = 0;
    load_we_i = 0;
    load_status_i = 0;
    handover_valid_i = 0;
    give_i = 0;
    join_i = 0;
    leave_i = 0;
  endtask
  task automatic scalar(input logic [31:0] instr);
    salu_issue_i = 1;
    salu_instr_i = {32'd0, instr};
    #1 require(!salu_unsupported_o, "a scalar instruction is not supported");
  endtask
  task automatic ticks(input int unsigned n);
    repeat (n) tick();
  endtask

  initial begin
    ticks(2);
    rst_ni = 1;
    begin_i[C] = 1;
    begin_pc_i[64*C+:64] = 64'h1000;
    begin_spm_i[64*C+:64] = '1;
    begin_launched_i[64*C+:64] = '1;
    begin_parent_i[IdWidth*C+:IdWidth] = 1;
    load_status_i[C] = 1;
    tick();
    // Its registers come row by row: their numbers, but for EXEC.
    for (int unsigned r = 0; r < Rows; r++) begin
      require(!ready_o[C], "the registers are there before they have come");
      handover_valid_i[C] = 1;
      for (int unsigned k = 0; k < HandOver; k++) handover_row_i[32*(HandOver*C+k)+:32] = HandOver * r + k < 126 ? HandOver * r + k : 32'h5555_5555;
      tick();
    end
    require(ready_o[C], "the registers have come and are not there");
    require(em_o[64*C+:64] == 64'h5555_5555_5555_5555, "EM is not what was loaded");
    require(status_o[2*C+:2] == 2'd1 && parent_o[IdWidth*C+:IdWidth] == 1, "the SWF has not begun");

    scalar(32'hb001_0005);  // s_movk_i32 s1, 5
    ticks(4);
    require(salu_retire_o && salu_retire_ctx_o == CtxWidth'(C), "no scalar instruction retires");
    scalar(32'h8002_0101);  // s_add_u32 s2, s1, s1
    ticks(4);
    scalar(32'hbf06_8a02);  // s_cmp_eq_u32 s2, 10
    ticks(4);
    require(scc_o[C], "5 + 5 is not 10");

    valu_issue_i = 1;
    valu_instr_i = 64'h0000_0000_3202_0702;  // v_add_u32 v1, vcc, v2, v3
    #1 require(!valu_unsupported_o, "a vector instruction is not supported");
    ticks(64 / Lanes + Stages - 1);
    require(valu_retire_o && valu_retire_ctx_o == CtxWidth'(C) && !valu_busy_o, "the vector instruction does not retire");
    for (int unsigned k = 0; k < 64; k += 2) require(result[k] == k + 3, "a lane's sum is wrong");

    // EXEC's lanes stay, the others are the first child's; every further split is one-sided. Then all of them merge.
    for (int unsigned n = 0; n < StackDepth; n++) begin
      scalar(32'hbf14_7f7e);  // split exec_lo, exec_hi
      require(split_child_o == (n == 0 ? IdWidth'(2) : '0), "the split takes another SpSIMD unit");
      require(n != 0 || split_child_spm_o == 64'haaaa_aaaa_aaaa_aaaa, "the child has other work-items");
      tick();
      require(depth_o[DepthWidth*C+:DepthWidth] == DepthWidth'(n + 1), "the child stack has another depth");
      require(spm_o[64*C+:64] == 64'h5555_5555_5555_5555, "the parent has other work-items");
      if (n == 0) ticks(Rows);  // its registers go to the child
    end
    for (int unsigned n = StackDepth; n > 0; n--) begin
      scalar(32'hbf15_0000);  // merge
      tick();
      require(status_o[2*C+:2] == (n == 1 ? 2'd2 : 2'd1), "the merge does what it should not");
    end
    join_i[C] = 1;
    join_spm_i[64*C+:64] = 64'haaaa_aaaa_aaaa_aaaa;
    join_em_i[64*C+:64] = 64'haaaa_aaaa_0000_0000;
    tick();
    require(status_o[2*C+:2] == 2'd1 && spm_o[64*C+:64] == '1 && depth_o[DepthWidth*C+:DepthWidth] == 0, "the child is not back");
    require(em_o[64*C+:64] == 64'hffff_ffff_5555_5555, "EM is not both sides'");
    // What it would give another context: registers as they were handed over and have been written since.
    give_i[C] = 1;
    for (int unsigned r = 0; r < Rows; r++) begin
      tick();
      require(handover_valid_o[C], "no row is given");
      for (int unsigned k = 0; k < HandOver; k++) begin
        if (HandOver * r + k > 2 && HandOver * r + k < 106) begin
          require(handover_row_o[32*(HandOver*C+k)+:32] == HandOver * r + k, "a row has another register");
        end
        if (HandOver * r + k == 2) require(handover_row_o[32*(HandOver*C+k)+:32] == 10, "a row has an old register");
        if (HandOver * r + k == 126) require(handover_row_o[32*(HandOver*C+k)+:32] == 32'h5555_5555, "a row has another EM");
      end
    end
    tick();
    require(!handover_valid_o[C], "more rows are given than there are");
    // A register from outside: s3, s4 keeps its own.
    load_we_i[2*C+:2] = 2'b10;
    load_pair_i[6*C+:6] = 1;
    load_words_i[64*C+:64] = {32'd77, 32'd1};
    tick();
    scalar(32'h8002_0403);  // s_add_u32 s2, s3, s4
    ticks(4);
    scalar(32'hbf06_ff02);  // s_cmp_eq_u32 s2, 81
    salu_instr_i[63:32] = 81;
    ticks(4);
    require(scc_o[C], "77 + 4 is not 81");
    leave_i[C] = 1;
    tick();
    require(status_o == 0, "the context is not free");
    $display("Contexts %0d Lanes %0d SpSimds %0d StackDepth %0d Stages %0d HandOver %0d: PASS", Contexts, Lanes, SpSimds, StackDepth, Stages, HandOver);
    $finish;
  end

  logic unused_outputs;
  assign unused_outputs = ^{salu_next_pc_o, pc_o, mode_o, trapsts_o, top_o, vrf_wide_o, vrf_waddr_o, vrf_raddr2_o};

endmodule
