// SPDX-License-Identifier: Apache-2.0
// Parameters and ports of the SpSIMD unit, spsimd.sv, and of the unit without its lanes, spsimd_core.sv: what follows their
// modules' names. Each has a few ports more.
//
// Fetch, decode order and scoreboard are the compute unit's front end, which issues at most one scalar and one vector
// instruction per cycle, to different contexts, when their operands are there. Vector registers are the SIMD unit's:
// this unit has a port to them. Memory instructions go elsewhere; what they return comes in by the load port.
//
// Timing, from the cycle t of the issue:
//   scalar  operands are read and the operation is done in t, the result goes through the scalar queue's three stages
//           and is in its register from t + 4 on. The next PC of a branch is at next_pc_o in t. MODE, which nothing
//           waits for, is written at the end of t; so are all effects of split and merge.
//   vector  pass p begins in cycle t + p, its results are in the registers from t + p + Stages on, masks from
//           t + 3 + Stages on; half-rate instructions take two cycles for a pass, quarter-rate ones four.
//   hand-over  of a split's scalar registers to the SWF that it creates: all are there from t + 128 / HandOver + 1 on
//           (scalar_registers.sv).
// An instruction that the unit does not do is answered in t by *_unsupported_o, and changes nothing.
#(
    parameter int unsigned Contexts   = 10,
    parameter int unsigned Lanes      = 16,
    parameter int unsigned SpSimds    = 63,   // of the SIMD unit: S
    parameter int unsigned StackDepth = 64,
    parameter int unsigned Stages     = 1,    // of the lanes' pipeline, up to fpu_pkg::MaxStages
    parameter int unsigned HandOver   = 16,   // scalar registers that are handed over in a cycle: 2, 4, ... 128
    localparam int unsigned IdWidth    = $clog2(SpSimds + 2),
    localparam int unsigned CtxWidth   = Contexts > 1 ? $clog2(Contexts) : 1,
    localparam int unsigned DepthWidth = $clog2(StackDepth + 1)
) (
    input  logic                          clk_i,
    input  logic                          rst_ni,
    input  logic                          is_simd_unit_i,   // constant: its contexts are wavefronts' own, without a parent

    // ---- Scalar issue
    input  logic                          salu_issue_i,
    input  logic [CtxWidth-1:0]           salu_ctx_i,
    input  logic [63:0]                   salu_instr_i,     // first dword low
    input  logic [63:0]                   salu_pc_i,        // of the instruction
    output logic                          salu_unsupported_o,
    output logic [63:0]                   salu_next_pc_o,
    output logic                          salu_retire_o,    // a result is in its register from this cycle on ...
    output logic [CtxWidth-1:0]           salu_retire_ctx_o,

    // ---- Vector issue
    input  logic                          valu_issue_i,
    input  logic [CtxWidth-1:0]           valu_ctx_i,
    input  logic [63:0]                   valu_instr_i,
    input  logic [63:0]                   valu_pc_i,
    output logic                          valu_unsupported_o,
    output logic                          valu_busy_o,
    output logic                          valu_retire_o,
    output logic [CtxWidth-1:0]           valu_retire_ctx_o,

    // ---- Port to the SIMD unit's vector registers: the lanes of one pass, of two consecutive registers
    output logic [1:0]                    vrf_pass_o,
    output logic [7:0]                    vrf_raddr0_o,
    output logic [7:0]                    vrf_raddr1_o,
    output logic [7:0]                    vrf_raddr2_o,
    output logic [1:0]                    vrf_wpass_o,      // of the results, which are Stages - 1 cycles behind
    output logic [Lanes-1:0]              vrf_we_o,
    // DPP with 16 lanes: source 0 of one work-item of another pass
    output logic                          vrf_edge_re_o,
    output logic [5:0]                    vrf_edge_item_o,
    output logic                          vrf_wide_o,
    output logic [7:0]                    vrf_waddr_o,

    // ---- Load port of each context (swf_context.sv)
    input  logic [2*Contexts-1:0]         load_we_i,
    input  logic [6*Contexts-1:0]         load_pair_i,
    input  logic [64*Contexts-1:0]        load_words_i,
    input  logic [Contexts-1:0]           load_status_i,
    input  logic [Contexts-1:0]           load_scc_i,
    input  logic [32*Contexts-1:0]        load_mode_i,
    input  logic [32*Contexts-1:0]        load_trapsts_i,
    input  logic [Contexts-1:0]           begin_i,
    input  logic [Contexts-1:0]           take_over_i,
    input  logic [64*Contexts-1:0]        begin_pc_i,
    input  logic [64*Contexts-1:0]        begin_spm_i,
    input  logic [64*Contexts-1:0]        begin_launched_i,
    input  logic [IdWidth*Contexts-1:0]   begin_parent_i,
    input  logic [32*Contexts-1:0]        begin_hw_id_i,
    input  logic [32*Contexts-1:0]        begin_gpr_alloc_i,
    input  logic [32*Contexts-1:0]        begin_lds_alloc_i,

    // ---- Hand-over of scalar registers, a row in a cycle, between contexts of one ID in units of one SIMD unit. A split
    // that creates an SWF starts one by itself; for an SWF that goes on in its parent's place the machine does. A
    // wavefront's registers come to the SIMD unit in the same way, from the dispatcher.
    input  logic [Contexts-1:0]           give_i,
    output logic [Contexts-1:0]           handover_valid_o,
    output logic [32*HandOver*Contexts-1:0] handover_row_o,
    input  logic [Contexts-1:0]           handover_valid_i,
    input  logic [32*HandOver*Contexts-1:0] handover_row_i,
    output logic [Contexts-1:0]           ready_o,          // the SWF's registers are there: it may issue

    // ---- Splitting. What a split in salu_ctx_i creates, in the cycle of its issue:
    input  logic [SpSimds-1:0]            spsimd_free_i,    // SpSIMD units whose context of that ID is free
    output logic [IdWidth-1:0]            split_child_o,    // 0: none
    output logic [63:0]                   split_child_spm_o,
    // An SWF comes back to the context that waits for it or merges in this cycle; one ended before; this one leaves.
    input  logic [Contexts-1:0]           join_i,
    input  logic [64*Contexts-1:0]        join_spm_i,
    input  logic [64*Contexts-1:0]        join_em_i,
    input  logic [(SpSimds+2)*Contexts-1:0] drop_i,         // of each context the SWFs that have ended, by SpSIMDID
    input  logic [Contexts-1:0]           leave_i,

    // ---- State of the contexts, for waveforms and whoever watches
    output logic [64*Contexts-1:0]        pc_o,
    output logic [64*Contexts-1:0]        em_o,
    output logic [64*Contexts-1:0]        spm_o,
    output logic [Contexts-1:0]           scc_o,
    output logic [32*Contexts-1:0]        mode_o,
    output logic [32*Contexts-1:0]        trapsts_o,
    output logic [IdWidth*Contexts-1:0]   parent_o,
    output logic [DepthWidth*Contexts-1:0] depth_o,
    output logic [IdWidth*Contexts-1:0]   top_o,
    output logic [2*Contexts-1:0]         status_o,
