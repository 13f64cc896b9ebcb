// SPDX-License-Identifier: Apache-2.0
// One SWF context: scalar registers (scalar_registers.sv), SCC, MODE, PC, and what predictable wavefront splitting adds:
// split mask (SpM), parent register and child stack (PWS paper, Fig. 4).
//
// Written from five sides: the load port (data from memory, results of instructions that this unit does not execute), the
// hand-over from another unit's context or the dispatcher, the scalar and the vector ALU's results, and
// the split control. The front end's scoreboard keeps them from writing the same register in the same cycle.
module swf_context #(
    parameter int unsigned StackDepth = 64,
    parameter int unsigned SpSimds    = 63,                      // of the SIMD unit: S
    parameter int unsigned HandOver   = 16,                      // scalar registers that are handed over in a cycle
    localparam int unsigned IdWidth    = $clog2(SpSimds + 2),    // of an SpSIMDID, 0 is none
    localparam int unsigned DepthWidth = $clog2(StackDepth + 1)
) (
    input  logic                      clk_i,
    input  logic                      rst_ni,
    input  logic                      is_simd_unit_i,    // a wavefront's own context has no parent

    // Load port: a pair of scalar registers, and its halves that are written
    input  logic [1:0]                load_we_i,
    input  logic [5:0]                load_pair_i,
    input  logic [63:0]               load_words_i,
    input  logic                      load_status_i,   // SCC, MODE and TRAPSTS are written too
    input  logic                      load_scc_i,
    input  logic [31:0]               load_mode_i,
    input  logic [31:0]               load_trapsts_i,
    // An SWF begins here (begin_i), or goes on in place of this context's, which has ended (take_over_i).
    input  logic                      begin_i,
    input  logic                      take_over_i,
    input  logic [63:0]               begin_pc_i,
    input  logic [63:0]               begin_spm_i,
    input  logic [63:0]               begin_launched_i,  // work-items of the wavefront
    input  logic [IdWidth-1:0]        begin_parent_i,
    input  logic [31:0]               begin_hw_id_i,
    input  logic [31:0]               begin_gpr_alloc_i,
    input  logic [31:0]               begin_lds_alloc_i,

    // Results of the scalar ALU
    input  logic                      salu_we_i,
    input  logic [6:0]                salu_index_i,
    input  logic                      salu_wide_i,
    input  logic [63:0]               salu_data_i,
    input  logic                      salu_scc_we_i,
    input  logic                      salu_scc_i,
    input  logic                      salu_exec_we_i,
    input  logic [63:0]               salu_exec_i,
    input  logic                      salu_m0_we_i,
    input  logic [31:0]               salu_m0_i,
    input  logic                      salu_mode_we_i,
    input  logic [31:0]               salu_mode_i,
    input  logic                      salu_trapsts_we_i,
    input  logic [31:0]               salu_trapsts_i,
    // ... and of the vector ALU: masks and single lanes
    input  logic                      valu_we_i,
    input  logic [6:0]                valu_index_i,
    input  logic                      valu_wide_i,
    input  logic [63:0]               valu_data_i,
    input  logic                      valu_exec_we_i,

    input  logic                      pc_we_i,
    input  logic [63:0]               pc_i,

    // Splitting
    input  logic                      spm_we_i,
    input  logic [63:0]               spm_i,
    input  logic                      push_i,
    input  logic [IdWidth-1:0]        push_id_i,
    input  logic                      pop_i,
    input  logic                      wait_child_i,
    input  logic                      wait_parent_i,
    input  logic                      join_i,          // the SWF on top of the child stack comes back
    input  logic [63:0]               join_spm_i,
    input  logic [63:0]               join_em_i,
    input  logic [SpSimds+1:0]        drop_i,          // SWFs of this context that have ended before their merge, by SpSIMDID
    input  logic                      leave_i,         // this SWF has been joined, or has ended

    // Hand-over of the scalar registers (scalar_registers.sv): to another context from this cycle on, and from one
    input  logic                      give_i,
    output logic                      handover_valid_o,
    output logic [32*HandOver-1:0]    handover_row_o,
    input  logic                      handover_valid_i,
    input  logic [32*HandOver-1:0]    handover_row_i,
    output logic                      ready_o,         // they are there

    // Two registers at a time, as pairs; 0 where read_i is 0
    input  logic                      read_i,
    input  logic [5:0]                raddr0_i,
    input  logic [5:0]                raddr1_i,
    output logic [63:0]               rdata0_o,
    output logic [63:0]               rdata1_o,

    output logic [63:0]               em_o,
    output logic [63:0]               spm_o,
    output logic [63:0]               vcc_o,
    output logic [31:0]               m0_o,
    output logic                      scc_o,
    output logic [31:0]               mode_o,
    output logic [31:0]               trapsts_o,
    output logic [31:0]               hw_id_o,
    output logic [31:0]               gpr_alloc_o,
    output logic [31:0]               lds_alloc_o,
    output logic [63:0]               launched_o,
    output logic [63:0]               pc_o,
    output logic [IdWidth-1:0]        parent_o,
    output logic [DepthWidth-1:0]     depth_o,
    output logic [IdWidth-1:0]        top_o,           // of the child stack; 0 if it is empty
    output spsimd_pkg::swf_status_e   status_o
);

  // ---- Scalar registers. Those of an SWF come from another unit's context, a wavefront's from the dispatcher.
  scalar_registers #(
      .HandOver(HandOver)
  ) u_registers (
      .clk_i,
      .rst_ni,
      .read_i,
      .raddr0_i,
      .raddr1_i,
      .rdata0_o,
      .rdata1_o,
      .salu_we_i,
      .salu_index_i,
      .salu_wide_i,
      .salu_data_i,
      .salu_exec_we_i,
      .salu_exec_i,
      .salu_m0_we_i,
      .salu_m0_i,
      .valu_we_i,
      .valu_index_i,
      .valu_wide_i,
      .valu_data_i,
      .valu_exec_we_i,
      .join_i,
      .join_em_i,
      .load_we_i,
      .load_pair_i,
      .load_words_i,
      .give_i,
      .handover_valid_o,
      .handover_row_o,
      .expect_i(take_over_i || begin_i),
      .leave_i,
      .handover_valid_i,
      .handover_row_i,
      .ready_o,
      .em_o,
      .vcc_o,
      .m0_o
  );

  // ---- Status registers
  logic        scc_q;
  logic [31:0] mode_q, trapsts_q, hw_id_q, gpr_alloc_q, lds_alloc_q;
  logic [63:0] pc_q, launched_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      scc_q       <= 1'b0;
      mode_q      <= '0;
      trapsts_q   <= '0;
      hw_id_q     <= '0;
      gpr_alloc_q <= '0;
      lds_alloc_q <= '0;
      pc_q        <= '0;
      launched_q  <= '0;
    end else begin
      if (load_status_i) begin
        scc_q     <= load_scc_i;
        mode_q    <= load_mode_i;
        trapsts_q <= load_trapsts_i;
      end
      if (begin_i || take_over_i) begin
        hw_id_q     <= begin_hw_id_i;
        gpr_alloc_q <= begin_gpr_alloc_i;
        lds_alloc_q <= begin_lds_alloc_i;
        launched_q  <= begin_launched_i;
      end
      if (salu_scc_we_i) scc_q <= salu_scc_i;
      if (salu_mode_we_i) mode_q <= salu_mode_i;
      if (salu_trapsts_we_i) trapsts_q <= salu_trapsts_i;
      if (begin_i || take_over_i) pc_q <= begin_pc_i;
      else if (pc_we_i) pc_q <= pc_i;
    end
  end

  // ---- Splitting
  split_registers #(
      .StackDepth(StackDepth),
      .SpSimds   (SpSimds)
  ) u_split (
      .clk_i,
      .rst_ni,
      .begin_i,
      .take_over_i,
      .begin_spm_i,
      .begin_parent_i,
      .spm_we_i,
      .spm_i,
      .push_i,
      .push_id_i,
      .pop_i,
      .wait_child_i,
      .wait_parent_i,
      .join_i,
      .join_spm_i,
      .drop_i,
      .leave_i,
      .spm_o,
      .parent_o,
      .depth_o,
      .top_o,
      .status_o
  );

  assign scc_o       = scc_q;
  assign mode_o      = mode_q;
  assign trapsts_o   = trapsts_q;
  assign hw_id_o     = hw_id_q;
  assign gpr_alloc_o = gpr_alloc_q;
  assign lds_alloc_o = lds_alloc_q;
  assign launched_o  = launched_q;
  assign pc_o        = pc_q;

`ifndef SYNTHESIS
  // ---- What has to hold of the context, and what formal/split_registers_proof.sv assumes of the unit and the machine
  // 0, none, and what an SWF can have: from 2 on.
  localparam logic [2**IdWidth-1:0] Ids = (((2**IdWidth)'(1) << (SpSimds + 2)) - (2**IdWidth)'(1)) & ~(2**IdWidth)'(2);
  logic running, idle, splits, waits;
  assign running = status_o == spsimd_pkg::SwfRunning;
  assign idle    = status_o == spsimd_pkg::SwfIdle;
  assign splits  = push_i || pop_i || wait_child_i || wait_parent_i;
  assign waits   = status_o == spsimd_pkg::SwfWaitChild || wait_child_i;

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      // A context is free, or has a parent, a SIMD unit's excepted, and some of the wavefront's work-items.
      free_or_has_a_parent: assert (idle || (parent_o != '0) != is_simd_unit_i);
      has_work_items: assert (idle || (spm_o & launched_o) != '0);
      // Nothing is written for an SWF that has left.
      nothing_written_for_one_that_has_left: assert (!idle || !(salu_we_i || salu_scc_we_i || salu_exec_we_i || salu_m0_we_i || salu_mode_we_i ||
                         salu_trapsts_we_i || valu_we_i || valu_exec_we_i || pc_we_i || spm_we_i));
      // An instruction issues in an SWF that runs, and is one thing.
      one_thing_at_a_time: assert (32'(push_i) + 32'(pop_i) + 32'(wait_child_i) + 32'(wait_parent_i) <= 1);
      splits_while_it_runs: assert (running || !(splits || spm_we_i));
      issues_when_its_registers_are_there: assert (ready_o || !pc_we_i);
      pushes_an_id: assert (!push_i || Ids[push_id_i]);
      // What split_control says of a merge.
      pops_an_empty_entry: assert (!pop_i || (depth_o != '0 && top_o == '0));
      waits_for_a_child: assert (!wait_child_i || top_o != '0);
      waits_for_its_parent: assert (!wait_parent_i || (depth_o == '0 && !is_simd_unit_i));
      // Only the SWF on top, which is waited for, comes back, if it has not ended; it brings back what this one has not.
      comes_back_to_who_waits: assert (!join_i || (waits && top_o != '0 && !drop_i[top_o]));
      brings_back_others_work_items: assert (!join_i || (join_spm_i & spm_o) == '0);
      // An SWF begins where there is none, goes on where one runs, leaves where one is. SpSIMDIDs begin with 2.
      begins_or_goes_on: assert (32'(begin_i) + 32'(take_over_i) <= 1);
      begins_where_none_is: assert (!begin_i || (idle && !leave_i && (begin_parent_i != '0) != is_simd_unit_i));
      goes_on_where_one_runs: assert (!take_over_i || (running && !splits && !join_i));
      leaves_where_one_is: assert (!leave_i || (!idle && !join_i));
      nothing_happens_where_none_is: assert (!idle || !(join_i || take_over_i || drop_i != '0));
      drops_ids: assert (drop_i[1:0] == '0);
      // A register is written from one side at a time.
      one_side_writes_a_register: assert (!(salu_we_i && valu_we_i) || (salu_index_i | 7'(salu_wide_i)) != (valu_index_i | 7'(valu_wide_i)));
      one_side_writes_exec: assert (!(salu_exec_we_i && valu_exec_we_i));
    end
  end
`endif

endmodule
