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
    input  logic                       clk_i,
    input  logic                       rst_ni,
    input  logic                       is_simd_unit_i,  // a wavefront's own context has no parent

    // Load port: a pair of scalar registers, and its halves that are written
    input  logic [1:0]                 load_we_i,
    input  logic [5:0]                 load_pair_i,
    input  logic [63:0]                load_words_i,
    input  logic                       load_status_i,   // SCC, MODE and TRAPSTS are written too
    input  logic                       load_scc_i,
    input  logic [31:0]                load_mode_i,
    input  logic [31:0]                load_trapsts_i,
    // An SWF begins here (begin_i), or goes on in place of this context's, which has ended (take_over_i).
    input  logic                       begin_i,
    input  logic                       take_over_i,
    input  logic [63:0]                begin_pc_i,
    input  logic [63:0]                begin_spm_i,
    input  logic [63:0]                begin_launched_i,  // work-items of the wavefront
    input  logic [31:0]                begin_hw_id_i,
    input  logic [31:0]                begin_gpr_alloc_i,
    input  logic [31:0]                begin_lds_alloc_i,
    input  logic [IdWidth-1:0]         begin_parent_i,

    // Results from the scalar queue, and of the vector ALU: masks and single lanes
    input  logic                       salu_writes_i,   // they are this context's
    input  spsimd_pkg::scalar_result_t salu_i,
    input  logic                       valu_writes_i,
    input  valu_pkg::mask_result_t     valu_i,

    // What a scalar instruction does at once, in this context if salu_issues_i
    input  logic                       salu_issues_i,
    input  spsimd_pkg::status_result_t salu_at_once_i,
    input  spsimd_pkg::split_step_t    step_i,
    input  logic [63:0]                spm_i,           // of a split, and the child that it makes
    input  logic [IdWidth-1:0]         push_id_i,

    input  logic                       pc_we_i,
    input  logic [63:0]                pc_i,

    input  logic                       join_i,          // the SWF on top of the child stack comes back
    input  logic [63:0]                join_spm_i,
    input  logic [63:0]                join_em_i,
    input  logic [SpSimds+1:0]         drop_i,          // SWFs of this context that have ended before their merge, by SpSIMDID
    input  logic                       leave_i,         // this SWF has been joined, or has ended

    // Hand-over of the scalar registers (scalar_registers.sv): to another context from this cycle on, and from one
    input  logic                       give_i,
    output logic                       handover_valid_o,
    output logic [32*HandOver-1:0]     handover_row_o,
    input  logic                       handover_valid_i,
    input  logic [32*HandOver-1:0]     handover_row_i,
    output logic                       ready_o,         // they are there

    // Two registers at a time, as pairs; 0 where read_i is 0
    input  logic                       read_i,
    input  logic [5:0]                 raddr0_i,
    input  logic [5:0]                 raddr1_i,
    output logic [63:0]                rdata0_o,
    output logic [63:0]                rdata1_o,

    output spsimd_pkg::status_t        status_o,
    output logic [63:0]                launched_o,
    output logic [63:0]                pc_o,
    output logic [63:0]                em_o,            // EXEC as written
    output logic [63:0]                vcc_o,
    output logic [63:0]                spm_o,
    output logic [IdWidth-1:0]         parent_o,
    output logic [DepthWidth-1:0]      depth_o,
    output logic [IdWidth-1:0]         top_o,           // of the child stack; 0 if it is empty
    output spsimd_pkg::swf_status_e    swf_status_o
);

  // ---- Scalar registers. Those of an SWF come from another unit's context, a wavefront's from the dispatcher.
  scalar_registers #(.HandOver(HandOver)) u_registers (.*, .expect_i(take_over_i || begin_i), .m0_o(status_o.m0));

  // ---- Splitting
  spsimd_pkg::split_step_t step;
  assign step = salu_issues_i ? step_i : '0;
  split_registers #(.StackDepth(StackDepth), .SpSimds(SpSimds)) u_split (
      .*, .step_i(step), .status_o(swf_status_o)
  );

  // ---- Status registers
  logic        scc_q;
  logic [31:0] mode_q, trapsts_q, hw_id_q, gpr_alloc_q, lds_alloc_q;
  logic [63:0] pc_q, launched_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {scc_q, mode_q, trapsts_q, hw_id_q, gpr_alloc_q, lds_alloc_q, pc_q, launched_q} <= '0;
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
      if (salu_writes_i && salu_i.scc_we) scc_q <= salu_i.scc;
      if (salu_issues_i && salu_at_once_i.mode_we) mode_q <= salu_at_once_i.mode;
      if (salu_issues_i && salu_at_once_i.trapsts_we) trapsts_q <= salu_at_once_i.trapsts;
      if (begin_i || take_over_i) pc_q <= begin_pc_i;
      else if (pc_we_i) pc_q <= pc_i;
    end
  end

  assign status_o.scc       = scc_q;
  assign status_o.mode      = mode_q;
  assign status_o.trapsts   = trapsts_q;
  assign status_o.hw_id     = hw_id_q;
  assign status_o.gpr_alloc = gpr_alloc_q;
  assign status_o.lds_alloc = lds_alloc_q;
  assign launched_o         = launched_q;
  assign pc_o               = pc_q;

`ifndef SYNTHESIS
  // ---- What has to hold of the context, and what formal/split_registers_proof.sv assumes of the unit and the machine
  // 0, none, and what an SWF can have: from 2 on.
  localparam logic [2**IdWidth-1:0] Ids = (((2**IdWidth)'(1) << (SpSimds + 2)) - (2**IdWidth)'(1)) & ~(2**IdWidth)'(2);
  logic running, idle, splits, waits;
  assign running = swf_status_o == spsimd_pkg::SwfRunning;
  assign idle    = swf_status_o == spsimd_pkg::SwfIdle;
  assign splits  = step.push || step.pop || step.wait_child || step.wait_parent;
  assign waits   = swf_status_o == spsimd_pkg::SwfWaitChild || step.wait_child;

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      // A context is free, or has a parent, a SIMD unit's excepted, and some of the wavefront's work-items.
      free_or_has_a_parent: assert (idle || (parent_o != '0) != is_simd_unit_i);
      has_work_items: assert (idle || (spm_o & launched_q) != '0);
      // Nothing is written for an SWF that has left.
      nothing_written_for_one_that_has_left: assert (!idle || !((salu_writes_i && (salu_i.we || salu_i.scc_we || salu_i.exec_we || salu_i.m0_we)) ||
                         (salu_issues_i && (salu_at_once_i.mode_we || salu_at_once_i.trapsts_we)) ||
                         (valu_writes_i && (valu_i.we || valu_i.exec_we)) || pc_we_i || step.push));
      // An instruction issues in an SWF that runs, and is one thing.
      one_thing_at_a_time: assert (32'(step.push) + 32'(step.pop) + 32'(step.wait_child) + 32'(step.wait_parent) <= 1);
      splits_while_it_runs: assert (running || !splits);
      issues_when_its_registers_are_there: assert (ready_o || !pc_we_i);
      pushes_an_id: assert (!step.push || Ids[push_id_i]);
      // What split_control says of a merge.
      pops_an_empty_entry: assert (!step.pop || (depth_o != '0 && top_o == '0));
      waits_for_a_child: assert (!step.wait_child || top_o != '0);
      waits_for_its_parent: assert (!step.wait_parent || (depth_o == '0 && !is_simd_unit_i));
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
      one_side_writes_a_register: assert (!(salu_writes_i && salu_i.we && valu_writes_i && valu_i.we) ||
                         (salu_i.index | 7'(salu_i.wide)) != (valu_i.index | 7'(valu_i.wide)));
      one_side_writes_exec: assert (!(salu_writes_i && salu_i.exec_we && valu_writes_i && valu_i.exec_we));
    end
  end
`endif

endmodule
