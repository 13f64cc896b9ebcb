// SPDX-License-Identifier: Apache-2.0
// The SpSIMD unit without its lanes (spsimd.sv is the whole): contexts of split wavefronts (SWFs), a scalar ALU behind its
// queue (SQ), control of a vector ALU of 64 work-items over `Lanes` lanes behind its own (VQ), and the control of split
// and merge (PWS paper, Fig. 4; thesis, Fig. 4.3). What it does when: spsimd_ports.svh.
module spsimd_core
`include "spsimd_ports.svh"
    // ---- The lanes (valu_pass.sv, valu_control.sv)
    output valu_pkg::lane_instr_t pass_instr_o,
    output logic [5:0]            pass_first_o,
    output logic [Lanes-1:0]      pass_computed_o,
    output logic [Lanes-1:0]      pass_mask_o,
    output logic                  pass_dpp_o,
    output logic [5*Lanes-1:0]    pass_select_o,
    output logic [6*Lanes/16-1:0] pass_edge_item_o,
    output logic [31:0]           pass_edge_kept_o,
    input  logic [31:0]           pass_first_src_i,
    input  logic [31:0]           pass_last_src_i,
    output logic                  pass_last_o,
    input  logic [Lanes-1:0]      pass_flags_i,
    input  logic [31:0]           one_value_i
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

  // ---- Contexts: registers of all of them, and of those that issue, c_ for the scalar side, v_ for the vector side
  logic [64*Contexts-1:0] rdata0, rdata1, vcc, launched;
  logic [32*Contexts-1:0] m0, hw_id, gpr_alloc, lds_alloc;
  spsimd_pkg::status_t    c_status;
  logic [63:0]            c_spm, c_active, v_vcc, v_active;
  logic                   c_vccz, c_scc, v_scc;
  assign c_scc    = scc_o[salu_ctx_i];
  assign c_status = {c_scc, m0[32*salu_ctx_i+:32], mode_o[32*salu_ctx_i+:32], trapsts_o[32*salu_ctx_i+:32],
                     hw_id[32*salu_ctx_i+:32], gpr_alloc[32*salu_ctx_i+:32], lds_alloc[32*salu_ctx_i+:32]};
  assign c_spm    = spm_o[64*salu_ctx_i+:64];
  assign c_active = em_o[64*salu_ctx_i+:64] & c_spm;
  assign c_vccz   = vcc[64*salu_ctx_i+:64] == '0;
  assign v_scc    = scc_o[valu_ctx_i];
  assign v_vcc    = vcc[64*valu_ctx_i+:64];
  assign v_active = em_o[64*valu_ctx_i+:64] & spm_o[64*valu_ctx_i+:64];

  // ---- Scalar decode
  spsimd_pkg::salu_ctrl_t salu_ctrl;
  logic                   salu_go;
  logic [6:0]             salu_field0;  // register number of source 0, M0 added where the instruction says so
  salu_decoder u_salu_decoder (.en_i(salu_issue_i), .instr_i(salu_instr_i[31:0]), .ctrl_o(salu_ctrl));
  assign salu_unsupported_o = salu_issue_i && !salu_ctrl.supported;
  assign salu_go            = salu_issue_i && salu_ctrl.supported;
  assign salu_field0 = salu_ctrl.relative_src ? salu_ctrl.ssrc0[6:0] + c_status.m0[6:0] : salu_ctrl.ssrc0[6:0];

  // ---- Scalar operands
  logic [63:0] salu_value0, salu_value1, salu_a, salu_b, salu_simm;
  scalar_operand u_salu_src0 (
      .en_i(salu_issue_i), .field_i({salu_ctrl.ssrc0[7], salu_field0}), .type_i(salu_ctrl.type0),
      .literal_i(salu_instr_i[63:32]), .pair_i(rdata0[64*salu_ctx_i+:64]), .vccz_i(c_vccz), .active_i(c_active),
      .scc_i(c_scc), .value_o(salu_value0)
  );
  scalar_operand u_salu_src1 (
      .en_i(salu_issue_i), .field_i(salu_ctrl.ssrc1), .type_i(salu_ctrl.type1),
      .literal_i(salu_instr_i[63:32]), .pair_i(rdata1[64*salu_ctx_i+:64]), .vccz_i(c_vccz), .active_i(c_active),
      .scc_i(c_scc), .value_o(salu_value1)
  );
  assign salu_simm = {32'b0, {16{salu_instr_i[15] && !salu_ctrl.simm_unsigned}}, salu_instr_i[15:0]};
  assign salu_a    = salu_ctrl.simm_is_src0 ? salu_simm : salu_value0;
  assign salu_b    = salu_ctrl.simm_is_src1 ? salu_simm : salu_value1;

  // ---- Scalar ALU and branches
  logic [63:0]                following_pc, target;
  logic                       taken;
  spsimd_pkg::scalar_result_t salu_result, result_d, result_q;
  spsimd_pkg::status_result_t salu_at_once;
  assign following_pc = salu_pc_i + (salu_ctrl.literal ? 64'd8 : 64'd4);
  salu u_salu (
      .en_i(salu_go), .op_i(salu_ctrl.op), .wide_i(salu_ctrl.wide), .a_i(salu_a), .b_i(salu_b), .simm_i(salu_instr_i[15:0]),
      .status_i(c_status), .active_i(c_active), .vccz_i(c_vccz), .next_pc_i(following_pc), .result_o(salu_result),
      .at_once_o(salu_at_once)
  );

  always_comb begin
    unique case (salu_ctrl.branch)
      spsimd_pkg::BranchAlways:  taken = 1'b1;
      spsimd_pkg::BranchScc0:    taken = !c_scc;
      spsimd_pkg::BranchScc1:    taken = c_scc;
      spsimd_pkg::BranchVccz:    taken = c_vccz;
      spsimd_pkg::BranchVccnz:   taken = !c_vccz;
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
  logic                result_valid;
  logic [CtxWidth-1:0] result_ctx_q;
  assign result_valid = salu_go && !salu_ctrl.split && !salu_ctrl.merge;
  always_comb begin
    result_d       = salu_result;
    result_d.we    = salu_result.we && salu_ctrl.writes_sdst;
    result_d.index = salu_ctrl.relative_dst ? salu_ctrl.sdst + c_status.m0[6:0] : salu_ctrl.sdst;
    result_d.wide  = salu_ctrl.wide_sdst;
  end
  scalar_queue #(.Contexts(Contexts)) u_scalar_queue (
      .clk_i, .rst_ni, .gone_i(leave_i | take_over_i), .valid_i(result_valid), .ctx_i(salu_ctx_i), .result_i(result_d),
      .ctx_o(result_ctx_q), .result_o(result_q), .retire_o(salu_retire_o), .retire_ctx_o(salu_retire_ctx_o)
  );

  // ---- Split and merge
  spsimd_pkg::split_step_t split_step;
  logic [63:0]             split_spm;
  split_control #(.SpSimds(SpSimds)) u_split_control (
      .split_i(salu_go && salu_ctrl.split), .merge_i(salu_go && salu_ctrl.merge),
      .mask_i({salu_value1[31:0], salu_value0[31:0]}), .spm_i(c_spm), .launched_i(launched[64*salu_ctx_i+:64]),
      .stack_empty_i(depth_o[DepthWidth*salu_ctx_i+:DepthWidth] == '0), .stack_top_i(top_o[IdWidth*salu_ctx_i+:IdWidth]),
      .free_i(spsimd_free_i), .child_o(split_child_o), .child_spm_o(split_child_spm_o), .spm_o(split_spm), .step_o(split_step)
  );

  // ---- Vector operands that are scalars. An instruction reads one scalar register, or a pair, however often (GCN3 ISA, the
  // constant bus): one port.
  valu_pkg::ctrl_t valu_ctrl;
  logic [26:0]     v_fields;
  logic [8:0]      v_types;
  logic [2:0]      v_reads;
  logic [5:0]      v_raddr;
  logic            v_too_many;
  logic [191:0]    ssrc;
  assign v_fields   = {valu_ctrl.src2, valu_ctrl.src1, valu_ctrl.src0};
  assign v_types    = {valu_ctrl.type2, valu_ctrl.type1, valu_ctrl.type0};
  assign v_raddr    = v_reads[0] ? valu_ctrl.src0[6:1] : v_reads[1] ? valu_ctrl.src1[6:1] : valu_ctrl.src2[6:1];
  assign v_too_many = (v_reads[1] && valu_ctrl.src1[6:1] != v_raddr) || (v_reads[2] && valu_ctrl.src2[6:1] != v_raddr);
  for (genvar k = 0; k < 3; k++) begin : gen_valu_src
    assign v_reads[k] = v_fields[9*k+7+:2] == 2'b00;
    scalar_operand u_operand (
        .en_i(valu_issue_i && !v_fields[9*k+8]), .field_i(v_fields[9*k+:8]), .type_i(v_types[3*k+:3]),
        .literal_i(valu_ctrl.literal), .pair_i(rdata0[64*valu_ctx_i+:64]), .vccz_i(v_vcc == '0), .active_i(v_active),
        .scc_i(v_scc), .value_o(ssrc[64*k+:64])
    );
  end

  // ---- Vector ALU
  logic                   valu_done;
  valu_pkg::mask_result_t valu_result;
  // The context of the instruction whose passes begin, and of that whose results come out
  logic [CtxWidth-1:0] valu_ctx_q, valu_ctx, result_valu_ctx;
  logic                valu_left_q, valu_left, result_left;  // its SWF has ended, and may have been replaced
  valu_control #(.Lanes(Lanes), .Stages(Stages)) u_valu (
      .clk_i, .rst_ni, .start_i(valu_issue_i), .refused_i(v_too_many), .instr_i(valu_instr_i), .active_i(v_active),
      .mode_i(mode_o[32*valu_ctx_i+:32]), .vcc_i(v_vcc), .m0_i(m0[32*valu_ctx_i+:32]), .ctrl_o(valu_ctrl),
      .ssrc0_i(ssrc[63:0]), .ssrc1_i(ssrc[127:64]), .ssrc2_i(ssrc[191:128]), .vrf_pass_o, .vrf_raddr0_o, .vrf_raddr1_o,
      .vrf_raddr2_o, .vrf_wpass_o, .vrf_we_o, .vrf_edge_re_o, .vrf_edge_item_o, .vrf_wide_o, .vrf_waddr_o, .pass_instr_o,
      .pass_first_o, .pass_computed_o, .pass_mask_o, .pass_dpp_o, .pass_select_o, .pass_edge_item_o, .pass_edge_kept_o, .pass_first_src_i,
      .pass_last_src_i, .pass_last_o, .pass_flags_i, .one_value_i, .result_o(valu_result), .busy_o(valu_busy_o),
      .done_o(valu_done), .unsupported_o(valu_unsupported_o)
  );

  assign valu_ctx  = valu_issue_i ? valu_ctx_i : valu_ctx_q;
  assign valu_left = (!valu_issue_i && valu_left_q) || leave_i[valu_ctx] || take_over_i[valu_ctx];
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valu_ctx_q        <= '0;
      valu_left_q       <= 1'b0;
      valu_retire_o     <= 1'b0;
      valu_retire_ctx_o <= '0;
    end else begin
      if (valu_issue_i) valu_ctx_q <= valu_ctx_i;
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

  for (genvar k = 0; k < Contexts; k++) begin : gen_context
    logic issues_scalar, issues_vector;
    assign issues_scalar = salu_go && salu_ctx_i == CtxWidth'(k);
    assign issues_vector = valu_issue_i && !valu_unsupported_o && valu_ctx_i == CtxWidth'(k);
    swf_context #(.StackDepth(StackDepth), .SpSimds(SpSimds), .HandOver(HandOver)) u_context (
        .clk_i, .rst_ni, .is_simd_unit_i,
        .load_we_i(load_we_i[2*k+:2]), .load_pair_i(load_pair_i[6*k+:6]), .load_words_i(load_words_i[64*k+:64]),
        .load_status_i(load_status_i[k]), .load_scc_i(load_scc_i[k]), .load_mode_i(load_mode_i[32*k+:32]),
        .load_trapsts_i(load_trapsts_i[32*k+:32]),
        .begin_i(begin_i[k]), .take_over_i(take_over_i[k]),
        .begin_pc_i(begin_pc_i[64*k+:64]), .begin_spm_i(begin_spm_i[64*k+:64]),
        .begin_launched_i(begin_launched_i[64*k+:64]), .begin_hw_id_i(begin_hw_id_i[32*k+:32]),
        .begin_gpr_alloc_i(begin_gpr_alloc_i[32*k+:32]), .begin_lds_alloc_i(begin_lds_alloc_i[32*k+:32]),
        .begin_parent_i(begin_parent_i[IdWidth*k+:IdWidth]),
        .salu_writes_i(result_ctx_q == CtxWidth'(k)), .salu_i(result_q),
        .valu_writes_i(result_valu_ctx == CtxWidth'(k) && !result_left), .valu_i(valu_result),
        .salu_issues_i(issues_scalar), .salu_at_once_i(salu_at_once), .step_i(split_step), .spm_i(split_spm),
        .push_id_i(split_child_o), .pc_we_i(issues_scalar || issues_vector),
        .pc_i(issues_scalar ? salu_next_pc_o : valu_pc_i + (valu_ctrl.length == 2'd2 ? 64'd8 : 64'd4)),
        .join_i(join_i[k]), .join_spm_i(join_spm_i[64*k+:64]), .join_em_i(join_em_i[64*k+:64]),
        .drop_i(drop_i[(SpSimds+2)*k+:SpSimds+2]), .leave_i(leave_i[k]),
        .give_i(give_i[k] || (issues_scalar && split_child_o != '0)),
        .handover_valid_o(handover_valid_o[k]), .handover_row_o(handover_row[32*HandOver*k+:32*HandOver]),
        .handover_valid_i(handover_valid_i[k]), .handover_row_i(handover_row_i[32*HandOver*k+:32*HandOver]),
        .ready_o(ready_o[k]),
        .read_i((salu_issue_i && salu_ctx_i == CtxWidth'(k)) || (valu_issue_i && valu_ctx_i == CtxWidth'(k))),
        .raddr0_i(issues_scalar ? salu_field0[6:1] : v_raddr), .raddr1_i(salu_ctrl.ssrc1[6:1]),
        .rdata0_o(rdata0[64*k+:64]), .rdata1_o(rdata1[64*k+:64]),
        .status_o({scc_o[k], m0[32*k+:32], mode_o[32*k+:32], trapsts_o[32*k+:32], hw_id[32*k+:32], gpr_alloc[32*k+:32],
                   lds_alloc[32*k+:32]}),
        .pc_o(pc_o[64*k+:64]), .em_o(em_o[64*k+:64]), .vcc_o(vcc[64*k+:64]), .launched_o(launched[64*k+:64]),
        .spm_o(spm_o[64*k+:64]), .swf_status_o(status_o[2*k+:2]),
        .parent_o(parent_o[IdWidth*k+:IdWidth]), .depth_o(depth_o[DepthWidth*k+:DepthWidth]), .top_o(top_o[IdWidth*k+:IdWidth])
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
      both_have_work_items: assert (split_child_o == '0 || (split_child_spm_o & launched[64*salu_ctx_i+:64]) != '0 && (split_spm & launched[64*salu_ctx_i+:64]) != '0);
    end
  end
`endif

endmodule
