// SPDX-License-Identifier: Apache-2.0
// The SpSIMD unit without its lanes (spsimd.sv is the whole): contexts of split wavefronts (SWFs), a scalar ALU behind its
// queue (SQ), control of a vector ALU of 64 work-items over `Lanes` lanes behind its own (VQ), and the control of split
// and merge (PWS paper, Fig. 4; thesis, Fig. 4.3).
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
module spsimd_core #(
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

    // ---- Port to the SIMD unit's vector registers, whose data are the lanes'
    output logic [1:0]                    vrf_pass_o,
    output logic [7:0]                    vrf_raddr0_o,
    output logic [7:0]                    vrf_raddr1_o,
    output logic [7:0]                    vrf_raddr2_o,
    output logic [1:0]                    vrf_wpass_o,      // of the results, which are Stages - 1 cycles behind
    output logic [Lanes-1:0]              vrf_we_o,
    output logic                          vrf_edge_re_o,
    output logic [5:0]                    vrf_edge_item_o,
    output logic                          vrf_wide_o,
    output logic [7:0]                    vrf_waddr_o,

    // ---- The lanes (valu_pass.sv)
    output valu_pkg::ctrl_t               pass_ctrl_o,
    output fpu_pkg::op_e                  pass_fpu_op_o,
    output logic [9:0]                    pass_mode_o,
    output logic [5:0]                    pass_first_o,
    output logic [63:0]                   pass_ssrc0_o,
    output logic [63:0]                   pass_ssrc1_o,
    output logic [63:0]                   pass_ssrc2_o,
    output logic [Lanes-1:0]              pass_computed_o,
    output logic [Lanes-1:0]              pass_mask_o,
    // DPP: see valu_control.sv
    output logic                          pass_dpp_o,
    output logic [5*Lanes-1:0]            pass_select_o,
    output logic [6*Lanes/16-1:0]         pass_edge_item_o,
    output logic [31:0]                   pass_edge_kept_o,
    input  logic [31:0]                   pass_first_src_i,
    input  logic [31:0]                   pass_last_src_i,
    output logic                          pass_last_o,
    input  logic [Lanes-1:0]              pass_flags_i,
    input  logic [31:0]                   one_value_i,

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
    output logic [2*Contexts-1:0]         status_o
);

  // ---- Parameters
`ifndef YOSYS
  if (Lanes != 16 && Lanes != 64) $fatal(1, "Lanes is 16 or 64: masks and passes are cut for these");
  if (Contexts < 1) $fatal(1, "the unit has at least one context");
  if (SpSimds < 1 || SpSimds > 63) $fatal(1, "a SIMD unit has from 1 to 63 SpSIMD units");
  if (StackDepth < 1) $fatal(1, "the child stack has at least one entry");
  if (Stages < 1 || Stages > fpu_pkg::MaxStages) $fatal(1, "the lanes have from 1 to 7 stages");
  if (HandOver < 2 || HandOver > 128 || (HandOver & (HandOver - 1)) != 0) $fatal(1, "a hand-over moves 2, 4, 8 ... 128 registers a cycle");
`endif

  // ---- Scalar decode
  spsimd_pkg::salu_ctrl_t salu_ctrl;
  logic                   salu_go;
  logic [6:0]             salu_field0;  // register number of source 0, M0 added where the instruction says so

  salu_decoder u_salu_decoder (
      .en_i   (salu_issue_i),
      .instr_i(salu_instr_i[31:0]),
      .ctrl_o (salu_ctrl)
  );
  assign salu_unsupported_o = salu_issue_i && !salu_ctrl.supported;
  assign salu_go            = salu_issue_i && salu_ctrl.supported;

  // ---- Vector decode, within the vector ALU
  valu_pkg::ctrl_t valu_ctrl;

  // ---- Contexts
  logic [64*Contexts-1:0] rdata0, rdata1, vcc, launched;
  logic [32*Contexts-1:0] m0, hw_id, gpr_alloc, lds_alloc;

  // Registers of the contexts that issue: c_ for the scalar side, v_ for the vector side.
  logic [63:0]           c_pair0, c_pair1, c_em, c_spm, c_vcc, c_launched, c_active;
  logic [31:0]           c_m0, c_mode, c_trapsts, c_hw_id, c_gpr_alloc, c_lds_alloc;
  logic                  c_scc, c_empty;
  logic [IdWidth-1:0]    c_top;
  logic [63:0]           v_pair, v_em, v_spm, v_vcc, v_active;
  logic [31:0]           v_mode;
  logic                  v_scc;

  always_comb begin
    c_pair0     = rdata0[64*salu_ctx_i+:64];
    c_pair1     = rdata1[64*salu_ctx_i+:64];
    c_em        = em_o[64*salu_ctx_i+:64];
    c_spm       = spm_o[64*salu_ctx_i+:64];
    c_vcc       = vcc[64*salu_ctx_i+:64];
    c_launched  = launched[64*salu_ctx_i+:64];
    c_m0        = m0[32*salu_ctx_i+:32];
    c_mode      = mode_o[32*salu_ctx_i+:32];
    c_trapsts   = trapsts_o[32*salu_ctx_i+:32];
    c_hw_id     = hw_id[32*salu_ctx_i+:32];
    c_gpr_alloc = gpr_alloc[32*salu_ctx_i+:32];
    c_lds_alloc = lds_alloc[32*salu_ctx_i+:32];
    c_scc       = scc_o[salu_ctx_i];
    c_empty     = depth_o[DepthWidth*salu_ctx_i+:DepthWidth] == '0;
    c_top       = top_o[IdWidth*salu_ctx_i+:IdWidth];
    c_active    = c_em & c_spm;

    v_pair   = rdata0[64*valu_ctx_i+:64];
    v_em     = em_o[64*valu_ctx_i+:64];
    v_spm    = spm_o[64*valu_ctx_i+:64];
    v_vcc    = vcc[64*valu_ctx_i+:64];
    v_mode   = mode_o[32*valu_ctx_i+:32];
    v_scc    = scc_o[valu_ctx_i];
    v_active = v_em & v_spm;
  end

  assign salu_field0 = salu_ctrl.relative_src ? salu_ctrl.ssrc0[6:0] + c_m0[6:0] : salu_ctrl.ssrc0[6:0];

  // A vector instruction reads one scalar register, or a pair, however often (GCN3 ISA, the constant bus): one port.
  logic [5:0] v_raddr;
  logic       v_reads0, v_reads1, v_reads2, v_too_many;
  assign v_reads0   = valu_ctrl.src0[8:7] == 2'b00;
  assign v_reads1   = valu_ctrl.src1[8:7] == 2'b00;
  assign v_reads2   = valu_ctrl.src2[8:7] == 2'b00;
  assign v_raddr    = v_reads0 ? valu_ctrl.src0[6:1] : v_reads1 ? valu_ctrl.src1[6:1] : valu_ctrl.src2[6:1];
  assign v_too_many = (v_reads1 && valu_ctrl.src1[6:1] != v_raddr) || (v_reads2 && valu_ctrl.src2[6:1] != v_raddr);

  // ---- Scalar operands
  logic [63:0] salu_value0, salu_value1, salu_a, salu_b, salu_simm;
  logic [63:0] ssrc0, ssrc1, ssrc2;

  scalar_operand u_salu_src0 (
      .en_i     (salu_issue_i),
      .field_i  ({salu_ctrl.ssrc0[7], salu_field0}),
      .type_i   (salu_ctrl.type0),
      .wide_i   (salu_ctrl.wide0),
      .literal_i(salu_instr_i[63:32]),
      .pair_i   (c_pair0),
      .vccz_i   (c_vcc == '0),
      .active_i (c_active),
      .scc_i    (c_scc),
      .value_o  (salu_value0)
  );
  scalar_operand u_salu_src1 (
      .en_i     (salu_issue_i),
      .field_i  (salu_ctrl.ssrc1),
      .type_i   (salu_ctrl.type1),
      .wide_i   (salu_ctrl.wide1),
      .literal_i(salu_instr_i[63:32]),
      .pair_i   (c_pair1),
      .vccz_i   (c_vcc == '0),
      .active_i (c_active),
      .scc_i    (c_scc),
      .value_o  (salu_value1)
  );

  assign salu_simm = {32'b0, {16{salu_instr_i[15] && !salu_ctrl.simm_unsigned}}, salu_instr_i[15:0]};
  assign salu_a    = salu_ctrl.simm_is_src0 ? salu_simm : salu_value0;
  assign salu_b    = salu_ctrl.simm_is_src1 ? salu_simm : salu_value1;

  scalar_operand u_valu_src0 (
      .en_i     (valu_issue_i && !valu_ctrl.src0[8]),
      .field_i  (valu_ctrl.src0[7:0]),
      .type_i   (valu_ctrl.type0),
      .wide_i   (valu_pkg::is_wide(valu_ctrl.type0)),
      .literal_i(valu_ctrl.literal),
      .pair_i   (v_pair),
      .vccz_i   (v_vcc == '0),
      .active_i (v_active),
      .scc_i    (v_scc),
      .value_o  (ssrc0)
  );
  scalar_operand u_valu_src1 (
      .en_i     (valu_issue_i && !valu_ctrl.src1[8]),
      .field_i  (valu_ctrl.src1[7:0]),
      .type_i   (valu_ctrl.type1),
      .wide_i   (valu_pkg::is_wide(valu_ctrl.type1)),
      .literal_i(valu_ctrl.literal),
      .pair_i   (v_pair),
      .vccz_i   (v_vcc == '0),
      .active_i (v_active),
      .scc_i    (v_scc),
      .value_o  (ssrc1)
  );
  scalar_operand u_valu_src2 (
      .en_i     (valu_issue_i && !valu_ctrl.src2[8]),
      .field_i  (valu_ctrl.src2[7:0]),
      .type_i   (valu_ctrl.type2),
      .wide_i   (valu_pkg::is_wide(valu_ctrl.type2) || valu_ctrl.mask_is_src2),
      .literal_i(valu_ctrl.literal),
      .pair_i   (v_pair),
      .vccz_i   (v_vcc == '0),
      .active_i (v_active),
      .scc_i    (v_scc),
      .value_o  (ssrc2)
  );

  // ---- Scalar ALU and branches
  logic [63:0] following_pc, target;
  logic        taken;
  logic [63:0] salu_result, salu_exec;
  logic        salu_kept, salu_scc, salu_scc_we, salu_exec_we, salu_m0_we, salu_mode_we, salu_trapsts_we;
  logic [31:0] salu_m0, salu_mode, salu_trapsts;

  assign following_pc = salu_pc_i + (salu_ctrl.literal ? 64'd8 : 64'd4);

  salu u_salu (
      .en_i         (salu_go),
      .op_i         (salu_ctrl.op),
      .wide_i       (salu_ctrl.wide),
      .a_i          (salu_a),
      .b_i          (salu_b),
      .simm_i       (salu_instr_i[15:0]),
      .scc_i        (c_scc),
      .active_i     (c_active),
      .m0_i         (c_m0),
      .next_pc_i    (following_pc),
      .mode_i       (c_mode),
      .trapsts_i    (c_trapsts),
      .hw_id_i      (c_hw_id),
      .gpr_alloc_i  (c_gpr_alloc),
      .lds_alloc_i  (c_lds_alloc),
      .vccz_i       (c_vcc == '0),
      .result_o     (salu_result),
      .result_kept_o(salu_kept),
      .scc_o        (salu_scc),
      .scc_we_o     (salu_scc_we),
      .exec_o       (salu_exec),
      .exec_we_o    (salu_exec_we),
      .m0_o         (salu_m0),
      .m0_we_o      (salu_m0_we),
      .mode_o       (salu_mode),
      .mode_we_o    (salu_mode_we),
      .trapsts_o    (salu_trapsts),
      .trapsts_we_o (salu_trapsts_we)
  );

  always_comb begin
    unique case (salu_ctrl.branch)
      spsimd_pkg::BranchAlways:  taken = 1'b1;
      spsimd_pkg::BranchScc0:    taken = !c_scc;
      spsimd_pkg::BranchScc1:    taken = c_scc;
      spsimd_pkg::BranchVccz:    taken = c_vcc == '0;
      spsimd_pkg::BranchVccnz:   taken = c_vcc != '0;
      spsimd_pkg::BranchExecz:   taken = c_active == '0;
      spsimd_pkg::BranchExecnz:  taken = c_active != '0;
      spsimd_pkg::BranchTo:      taken = 1'b1;
      default:                   taken = 1'b0;
    endcase
    target = salu_ctrl.branch == spsimd_pkg::BranchTo ?
        salu_value0 : following_pc + {{46{salu_instr_i[15]}}, salu_instr_i[15:0], 2'b0};
  end
  assign salu_next_pc_o = taken ? target : following_pc;

  // ---- Scalar queue: results on their way to the registers
  spsimd_pkg::scalar_result_t result_d, result_q;
  logic                       result_valid;
  logic [CtxWidth-1:0]        result_ctx_q;

  assign result_valid = salu_go && !salu_ctrl.split && !salu_ctrl.merge;
  always_comb begin
    result_d         = '0;
    result_d.we      = result_valid && salu_ctrl.writes_sdst && !salu_kept;
    result_d.index   = salu_ctrl.relative_dst ? salu_ctrl.sdst + c_m0[6:0] : salu_ctrl.sdst;
    result_d.wide    = salu_ctrl.wide_sdst;
    result_d.data    = salu_result;
    result_d.scc_we  = result_valid && salu_scc_we;
    result_d.scc     = salu_scc;
    result_d.exec_we = result_valid && salu_exec_we;
    result_d.exec    = salu_exec;
    result_d.m0_we   = result_valid && salu_m0_we;
    result_d.m0      = salu_m0;
  end

  scalar_queue #(
      .Contexts(Contexts)
  ) u_scalar_queue (
      .clk_i,
      .rst_ni,
      .gone_i      (leave_i | take_over_i),
      .valid_i     (result_valid),
      .ctx_i       (salu_ctx_i),
      .result_i    (result_d),
      .ctx_o       (result_ctx_q),
      .result_o    (result_q),
      .retire_o    (salu_retire_o),
      .retire_ctx_o(salu_retire_ctx_o)
  );

  // ---- Split and merge
  logic        split_push, merge_pop, merge_wait_child, merge_wait_parent;
  logic [63:0] split_spm;

  split_control #(
      .SpSimds(SpSimds)
  ) u_split_control (
      .split_i      (salu_go && salu_ctrl.split),
      .merge_i      (salu_go && salu_ctrl.merge),
      .mask_i       ({salu_value1[31:0], salu_value0[31:0]}),
      .spm_i        (c_spm),
      .launched_i   (c_launched),
      .stack_empty_i(c_empty),
      .stack_top_i  (c_top),
      .free_i       (spsimd_free_i),
      .child_o      (split_child_o),
      .child_spm_o  (split_child_spm_o),
      .spm_o        (split_spm),
      .push_o       (split_push),
      .pop_o        (merge_pop),
      .wait_child_o (merge_wait_child),
      .wait_parent_o(merge_wait_parent)
  );

  // ---- Vector ALU
  logic                valu_start, valu_done, sdst_we, sdst_wide, sdst_exec_we;
  logic [6:0]          sdst;
  logic [63:0]         sdst_data;
  // The context of the instruction whose passes begin, and of that whose results come out
  logic [CtxWidth-1:0] valu_ctx_q, valu_ctx, result_valu_ctx;
  logic                valu_left_q, valu_left, result_left;  // its SWF has ended, and may have been replaced

  assign valu_start = valu_issue_i;

  valu_control #(
      .Lanes (Lanes),
      .Stages(Stages)
  ) u_valu (
      .clk_i,
      .rst_ni,
      .start_i      (valu_start),
      .refused_i    (v_too_many),
      .instr_i      (valu_instr_i),
      .active_i     (v_active),
      .mode_i       (v_mode),
      .vcc_i        (v_vcc),
      .m0_i         (m0[32*valu_ctx_i+:32]),
      .ctrl_o       (valu_ctrl),
      .ssrc0_i      (ssrc0),
      .ssrc1_i      (ssrc1),
      .ssrc2_i      (ssrc2),
      .vrf_pass_o,
      .vrf_raddr0_o,
      .vrf_raddr1_o,
      .vrf_raddr2_o,
      .vrf_wpass_o,
      .vrf_we_o,
      .vrf_edge_re_o,
      .vrf_edge_item_o,
      .vrf_wide_o,
      .vrf_waddr_o,
      .pass_ctrl_o,
      .pass_fpu_op_o,
      .pass_mode_o,
      .pass_first_o,
      .pass_ssrc0_o,
      .pass_ssrc1_o,
      .pass_ssrc2_o,
      .pass_computed_o,
      .pass_mask_o,
      .pass_dpp_o,
      .pass_select_o,
      .pass_edge_item_o,
      .pass_edge_kept_o,
      .pass_first_src_i,
      .pass_last_src_i,
      .pass_last_o,
      .pass_flags_i,
      .one_value_i,
      .sdst_we_o    (sdst_we),
      .sdst_o       (sdst),
      .sdst_wide_o  (sdst_wide),
      .sdst_data_o  (sdst_data),
      .exec_we_o    (sdst_exec_we),
      .busy_o       (valu_busy_o),
      .done_o       (valu_done),
      .unsupported_o(valu_unsupported_o)
  );

  assign valu_ctx  = valu_start ? valu_ctx_i : valu_ctx_q;
  assign valu_left = (!valu_start && valu_left_q) || leave_i[valu_ctx] || take_over_i[valu_ctx];
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valu_ctx_q        <= '0;
      valu_left_q       <= 1'b0;
      valu_retire_o     <= 1'b0;
      valu_retire_ctx_o <= '0;
    end else begin
      if (valu_start) valu_ctx_q <= valu_ctx_i;
      valu_left_q       <= valu_left;
      valu_retire_o     <= valu_done;
      valu_retire_ctx_o <= result_valu_ctx;
    end
  end

  // Beside the lanes' pipeline. An SWF may leave at any time.
  if (Stages == 1) begin : gen_no_wait
    assign result_valu_ctx = valu_ctx;
    assign result_left     = valu_left;
  end
  else begin : gen_wait
    logic [CtxWidth*(Stages-1)-1:0] ctx_q;  // the youngest lowest
    logic [Stages-2:0]              left_q, left;
    always_comb begin
      for (int unsigned k = 0; k < Stages - 1; k++) begin
        left[k] = left_q[k] || leave_i[ctx_q[CtxWidth*k+:CtxWidth]] || take_over_i[ctx_q[CtxWidth*k+:CtxWidth]];
      end
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        ctx_q  <= '0;
        left_q <= '0;
      end else begin
        ctx_q  <= (CtxWidth * (Stages - 1))'({ctx_q, valu_ctx});
        left_q <= (Stages - 1)'({left, valu_left});
      end
    end
    assign result_valu_ctx = ctx_q[CtxWidth*(Stages-1)-1-:CtxWidth];
    assign result_left     = left[Stages-2];
  end

  // ---- The contexts
  logic [32*HandOver*Contexts-1:0] handover_row;
  always_comb begin
    handover_row_o = '0;
    if (handover_valid_o != '0) handover_row_o = handover_row;
  end

  for (genvar c = 0; c < Contexts; c++) begin : gen_context
    logic issues_scalar, issues_vector, scalar_writes, vector_writes;
    assign issues_scalar = salu_go && salu_ctx_i == CtxWidth'(c);
    assign issues_vector = valu_issue_i && !valu_unsupported_o && valu_ctx_i == CtxWidth'(c);
    assign scalar_writes = result_ctx_q == CtxWidth'(c);
    assign vector_writes = result_valu_ctx == CtxWidth'(c);

    swf_context #(
        .StackDepth(StackDepth),
        .SpSimds   (SpSimds),
        .HandOver  (HandOver)
    ) u_context (
        .clk_i,
        .rst_ni,
        .is_simd_unit_i,
        .load_we_i        (load_we_i[2*c+:2]),
        .load_pair_i      (load_pair_i[6*c+:6]),
        .load_words_i     (load_words_i[64*c+:64]),
        .load_status_i    (load_status_i[c]),
        .load_scc_i       (load_scc_i[c]),
        .load_mode_i      (load_mode_i[32*c+:32]),
        .load_trapsts_i   (load_trapsts_i[32*c+:32]),
        .begin_i          (begin_i[c]),
        .take_over_i      (take_over_i[c]),
        .begin_pc_i       (begin_pc_i[64*c+:64]),
        .begin_spm_i      (begin_spm_i[64*c+:64]),
        .begin_launched_i (begin_launched_i[64*c+:64]),
        .begin_parent_i   (begin_parent_i[IdWidth*c+:IdWidth]),
        .begin_hw_id_i    (begin_hw_id_i[32*c+:32]),
        .begin_gpr_alloc_i(begin_gpr_alloc_i[32*c+:32]),
        .begin_lds_alloc_i(begin_lds_alloc_i[32*c+:32]),

        .salu_we_i        (result_q.we && scalar_writes),
        .salu_index_i     (result_q.index),
        .salu_wide_i      (result_q.wide),
        .salu_data_i      (result_q.data),
        .salu_scc_we_i    (result_q.scc_we && scalar_writes),
        .salu_scc_i       (result_q.scc),
        .salu_exec_we_i   (result_q.exec_we && scalar_writes),
        .salu_exec_i      (result_q.exec),
        .salu_m0_we_i     (result_q.m0_we && scalar_writes),
        .salu_m0_i        (result_q.m0),
        .salu_mode_we_i   (issues_scalar && salu_mode_we),
        .salu_mode_i      (salu_mode),
        .salu_trapsts_we_i(issues_scalar && salu_trapsts_we),
        .salu_trapsts_i   (salu_trapsts),
        .valu_we_i        (sdst_we && vector_writes && !result_left),
        .valu_index_i     (sdst),
        .valu_wide_i      (sdst_wide),
        .valu_data_i      (sdst_data),
        .valu_exec_we_i   (sdst_exec_we && vector_writes && !result_left),

        .pc_we_i          (issues_scalar || issues_vector),
        .pc_i             (issues_scalar ? salu_next_pc_o : valu_pc_i + (valu_ctrl.length == 2'd2 ? 64'd8 : 64'd4)),

        .spm_we_i         (issues_scalar && salu_ctrl.split),
        .spm_i            (split_spm),
        .push_i           (issues_scalar && split_push),
        .push_id_i        (split_child_o),
        .pop_i            (issues_scalar && merge_pop),
        .wait_child_i     (issues_scalar && merge_wait_child),
        .wait_parent_i    (issues_scalar && merge_wait_parent),
        .join_i           (join_i[c]),
        .join_spm_i       (join_spm_i[64*c+:64]),
        .join_em_i        (join_em_i[64*c+:64]),
        .drop_i           (drop_i[(SpSimds+2)*c+:SpSimds+2]),
        .leave_i          (leave_i[c]),

        .give_i           (give_i[c] || (issues_scalar && split_child_o != '0)),
        .handover_valid_o (handover_valid_o[c]),
        .handover_row_o   (handover_row[32*HandOver*c+:32*HandOver]),
        .handover_valid_i (handover_valid_i[c]),
        .handover_row_i   (handover_row_i[32*HandOver*c+:32*HandOver]),
        .ready_o          (ready_o[c]),

        .read_i           ((salu_issue_i && salu_ctx_i == CtxWidth'(c)) || (valu_issue_i && valu_ctx_i == CtxWidth'(c))),
        .raddr0_i         (issues_scalar ? salu_field0[6:1] : v_raddr),
        .raddr1_i         (salu_ctrl.ssrc1[6:1]),
        .rdata0_o         (rdata0[64*c+:64]),
        .rdata1_o         (rdata1[64*c+:64]),

        .em_o             (em_o[64*c+:64]),
        .spm_o            (spm_o[64*c+:64]),
        .vcc_o            (vcc[64*c+:64]),
        .m0_o             (m0[32*c+:32]),
        .scc_o            (scc_o[c]),
        .mode_o           (mode_o[32*c+:32]),
        .trapsts_o        (trapsts_o[32*c+:32]),
        .hw_id_o          (hw_id[32*c+:32]),
        .gpr_alloc_o      (gpr_alloc[32*c+:32]),
        .lds_alloc_o      (lds_alloc[32*c+:32]),
        .launched_o       (launched[64*c+:64]),
        .pc_o             (pc_o[64*c+:64]),
        .parent_o         (parent_o[IdWidth*c+:IdWidth]),
        .depth_o          (depth_o[DepthWidth*c+:DepthWidth]),
        .top_o            (top_o[IdWidth*c+:IdWidth]),
        .status_o         (status_o[2*c+:2])
    );
  end

`ifndef SYNTHESIS
  // ---- Instructions issue in SWFs that run, of different contexts; a split's SWF goes to one unit that is free
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      scalar_issue_in_one_that_runs: assert (!salu_issue_i || (32'(salu_ctx_i) < Contexts && status_o[2*salu_ctx_i+:2] == spsimd_pkg::SwfRunning));
      vector_issue_in_one_that_runs: assert (!valu_issue_i || (32'(valu_ctx_i) < Contexts && status_o[2*valu_ctx_i+:2] == spsimd_pkg::SwfRunning));
      of_different_contexts: assert (!(salu_issue_i && valu_issue_i) || salu_ctx_i != valu_ctx_i);
      not_while_busy: assert (!(valu_issue_i && valu_busy_o));
      the_childs_unit_is_free: assert (split_child_o == '0 || spsimd_free_i[split_child_o-2]);
      siblings_are_disjoint_and_all: assert (split_child_o == '0 || (split_child_spm_o & split_spm) == '0 && (split_child_spm_o | split_spm) == c_spm);
      both_have_work_items: assert (split_child_o == '0 || (split_child_spm_o & c_launched) != '0 && (split_spm & c_launched) != '0);
    end
  end
`endif

endmodule
