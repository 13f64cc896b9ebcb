// SPDX-License-Identifier: Apache-2.0
// Control of the vector ALU: decodes an instruction and takes its 64 work-items through the lanes (valu_pass.sv), a pass
// of `Lanes` work-items per cycle; half-rate instructions take two cycles for a pass, quarter-rate ones four.
//
// Timing: `start_i` may be given when `busy_o` is 0; the first pass is in the same cycle and works on the inputs directly.
// Inputs other than the vector registers' data count in that cycle only: later passes use what was held of them. The lanes
// are a pipeline of `Stages` stages. A pass's results, which count in its last cycle if it has several, are written
// Stages - 1 cycles after that one; by then the next instruction may have started. Lane masks and scalars are written with
// the last pass, in the cycle of `done_o`. An instruction that the unit does not do sets
// `unsupported_o` in its start cycle, and nothing else happens: one that valu_decoder does not support, and any while
// MODE.gpr_idx_en is set (GCN3 ISA, "VGPR Indexing"), and one that the unit around refuses.
module valu_control #(
  parameter int unsigned Lanes  = 16,  // 16 or 64
  parameter int unsigned Stages = 1    // of the lanes' pipeline, up to fpu_pkg::MaxStages
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic                   start_i,
  input  logic                   refused_i,        // with it: not an instruction for this unit, whatever its encoding says
  input  logic [63:0]            instr_i,          // first dword in the low half
  input  logic [63:0]            active_i,         // EM & SpM
  input  logic [31:0]            mode_i,           // HW_REG_MODE
  input  logic [63:0]            vcc_i,
  input  logic [31:0]            m0_i,

  // Scalar operands of instr_i: registers and constants, as ctrl_o's source fields and types say. A lane mask that a
  // VOP3 instruction reads is source 2.
  output valu_pkg::ctrl_t        ctrl_o,
  input  logic [63:0]            ssrc0_i,
  input  logic [63:0]            ssrc1_i,
  input  logic [63:0]            ssrc2_i,

  // Vector registers of the work-items of pass `vrf_pass_o`. A source that is no vector register reads v0.
  output logic [1:0]             vrf_pass_o,
  output logic [7:0]             vrf_raddr0_o,
  output logic [7:0]             vrf_raddr1_o,
  output logic [7:0]             vrf_raddr2_o,
  // Results: of the work-items of pass `vrf_wpass_o`.
  output logic [1:0]             vrf_wpass_o,
  output logic [Lanes-1:0]       vrf_we_o,
  output logic                   vrf_edge_re_o,    // DPP: source 0 of this work-item, of another pass, is read too
  output logic [5:0]             vrf_edge_item_o,
  output logic                   vrf_wide_o,
  output logic [7:0]             vrf_waddr_o,

  // The lanes: what they begin in this cycle, and what of results comes out that goes to masks and scalars. Their other
  // results are the vector registers' write data.
  output valu_pkg::lane_instr_t  pass_instr_o,
  output logic [5:0]             pass_first_o,     // number of the first lane's work-item
  output logic [Lanes-1:0]       pass_computed_o,  // lanes that compute
  output logic [Lanes-1:0]       pass_mask_o,      // their bits of the mask that is read
  // DPP: where source 0 of each lane comes from (valu_dpp_select), which work-item of another row each row of 16 needs,
  // which has been kept where it is not read. And source 0 of the first and the last lane, to be kept.
  output logic                   pass_dpp_o,
  output logic [5*Lanes-1:0]     pass_select_o,
  output logic [6*Lanes/16-1:0]  pass_edge_item_o,
  output logic [31:0]            pass_edge_kept_o,
  input  logic [31:0]            pass_first_src_i,
  input  logic [31:0]            pass_last_src_i,
  output logic                   pass_last_o,      // a pass's last cycle, whose results are taken
  input  logic [Lanes-1:0]       pass_flags_i,
  input  logic [31:0]            one_value_i,      // of the one lane that computes

  output valu_pkg::mask_result_t result_o,

  output logic                   busy_o,           // passes are left to begin
  output logic                   done_o,           // the last pass's results come out
  output logic                   unsupported_o
);

  localparam int unsigned Passes   = 64 / Lanes;
  localparam logic [1:0]  LastPass = 2'(Passes - 1);

  // --- The instruction: in its first cycle the inputs, then what was held ---

  valu_pkg::ctrl_t       named, decoded, ctrl;
  valu_pkg::lane_instr_t instr, instr_q;
  logic                  busy_q, accepted, running, last_cycle, last_of_pass;
  logic [1:0]            pass_q, cycle_q;  // cycle_q: of the pass
  logic [63:0]           active, active_q, mask, mask_q;

  valu_decoder u_decoder (.en_i(start_i), .instr_i, .ctrl_o(named));
  valu_relative u_relative (.ctrl_i(named), .m0_i, .ctrl_o(decoded));
  assign ctrl_o        = decoded;
  assign unsupported_o = start_i && !busy_q && (!decoded.supported || mode_i[27] || refused_i);
  assign accepted      = start_i && !busy_q && decoded.supported && !mode_i[27] && !refused_i;
  assign running       = busy_q || accepted;

  always_comb begin
    if (busy_q) begin
      instr  = instr_q;
      active = active_q;
      mask   = mask_q;
    end
    else begin
      instr  = {mode_i[9:0], decoded, ssrc0_i, ssrc1_i, ssrc2_i};
      active = active_i;
      mask   = decoded.mask_is_src2 ? ssrc2_i : vcc_i;
    end
  end
  assign ctrl = instr.ctrl;

  // --- Passes ---

  always_comb begin
    unique case (ctrl.rate)
      valu_pkg::RateHalf:    last_of_pass = cycle_q == 2'd1;
      valu_pkg::RateQuarter: last_of_pass = cycle_q == 2'd3;
      default:               last_of_pass = 1'b1;
    endcase
  end
  assign last_cycle = last_of_pass && pass_q == LastPass;
  assign busy_o     = busy_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q  <= 1'b0;
      pass_q  <= 2'd0;
      cycle_q <= 2'd0;
    end
    else if (running) begin
      busy_q  <= !last_cycle;
      cycle_q <= last_of_pass ? 2'd0 : cycle_q + 2'd1;
      if (last_cycle) pass_q <= 2'd0;
      else if (last_of_pass) pass_q <= pass_q + 2'd1;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      instr_q  <= '0;
      active_q <= '0;
      mask_q   <= '0;
    end
    else if (accepted && !last_cycle) begin
      instr_q  <= instr;
      active_q <= active;
      mask_q   <= mask;
    end
  end

  // --- Access to one lane ---

  // The first active work-item; 0 if there is none.
  function automatic logic [5:0] first_of(input logic [63:0] m);
    first_of = '0;
    for (int unsigned k = 0; k < 64; k++) begin
      if (m[63 - k]) first_of = 6'(63 - k);
    end
  endfunction

  logic [5:0]  one_item;
  logic [63:0] one_item_mask, computed_items, written_items;

  always_comb begin
    one_item       = '0;
    one_item_mask  = '0;
    computed_items = '0;
    if (running) begin
      computed_items = active;
      if (ctrl.access != valu_pkg::AccessNone) begin
        one_item       = ctrl.access == valu_pkg::AccessReadFirstLane ? first_of(active) : instr.ssrc1[5:0];
        one_item_mask  = 64'd1 << one_item;
        computed_items = one_item_mask;
      end
    end
    written_items = ctrl.writes_vdst && last_of_pass ? computed_items : '0;
  end

  // --- Lanes ---

  // What the pass sees of the masks.
  logic [5:0]       first_item;
  logic [Lanes-1:0] pass_computed, pass_written, dpp_computes;

  // There is one pass of 64 lanes, so that the pass is always of 16.
  assign first_item    = {pass_q, 4'd0};
  assign pass_computed = computed_items[first_item +: Lanes] & (ctrl.dpp.on ? dpp_computes : '1);
  assign pass_written  = written_items[first_item +: Lanes] & pass_computed;

  // --- DPP ---

  for (genvar r = 0; r < Lanes / 16; r++) begin : gen_row
    localparam logic [1:0] Row = 2'(r);
    valu_dpp_select u_select (
      .en_i       (running && ctrl.dpp.on),
      .dpp_i      (ctrl.dpp),
      .row_i      (pass_q | Row),
      .active_i   (active),
      .select_o   (pass_select_o[80*r +: 80]),
      .computes_o (dpp_computes[16*r +: 16]),
      .edge_item_o(pass_edge_item_o[6*r +: 6])
    );
  end
  valu_dpp_edge u_edge (
    .clk_i,
    .rst_ni,
    .en_i   (running && ctrl.dpp.on && last_of_pass),
    .dpp_i  (ctrl.dpp),
    .pass_i (pass_q),
    .first_i(pass_first_src_i),
    .last_i (pass_last_src_i),
    .read_o (vrf_edge_re_o),
    .kept_o (pass_edge_kept_o)
  );
  assign pass_dpp_o      = running && ctrl.dpp.on;
  assign vrf_edge_item_o = pass_edge_item_o[5:0];

  assign pass_computed_o = pass_computed;
  assign pass_last_o     = running && last_of_pass;
  assign pass_instr_o    = instr;
  assign pass_first_o    = first_item;
  assign pass_mask_o     = mask[first_item +: Lanes];

  assign vrf_pass_o   = pass_q;
  assign vrf_raddr0_o = running && ctrl.src0[8] ? ctrl.src0[7:0] : '0;
  assign vrf_raddr1_o = running && ctrl.src1[8] ? ctrl.src1[7:0] : '0;
  assign vrf_raddr2_o = running && ctrl.src2[8] ? ctrl.src2[7:0] : '0;

  // --- Results: what is written of a pass, as it comes out of the lanes ---

  typedef struct packed {
    logic             first;  // of the instruction's passes
    logic             last;
    logic [1:0]       pass;
    logic [Lanes-1:0] computed;
    logic [Lanes-1:0] written;
    logic [7:0]       vdst;
    logic             wide;
    logic             writes_sdst;
    logic [6:0]       sdst;
    logic             sdst_wide;
    logic             writes_exec;
  } result_t;
  result_t begun, result;
  logic    comes_out;  // a pass's last cycle

  always_comb begin
    begun             = '0;
    begun.first       = pass_q == 2'd0;
    begun.last        = pass_q == LastPass;
    begun.pass        = pass_q;
    begun.computed    = pass_computed;
    begun.written     = pass_written;
    begun.vdst        = ctrl.vdst;
    begun.wide        = ctrl.wide;
    begun.writes_sdst = ctrl.writes_sdst;
    begun.sdst        = ctrl.sdst;
    begun.sdst_wide   = ctrl.sdst_wide;
    begun.writes_exec = ctrl.writes_exec;
  end

  fp_cut #(.Width($bits(begun)), .Count(Stages - 1)) u_result (.clk_i, .d_i(begun), .q_o(result));
  if (Stages == 1) begin : gen_no_wait
    assign comes_out = pass_last_o;
  end
  else begin : gen_wait
    logic [Stages-2:0] valid;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid <= '0;
      else valid <= (Stages - 1)'({valid, pass_last_o});
    end
    assign comes_out = valid[Stages-2];
  end

  assign done_o      = comes_out && result.last;
  assign vrf_wpass_o = result.pass;
  assign vrf_we_o    = comes_out ? result.written : '0;
  assign vrf_wide_o  = result.wide;
  assign vrf_waddr_o = result.vdst;

  // Lane masks and scalars: gathered pass by pass.
  logic [63:0] gathered_d, gathered_q;
  logic [5:0]  result_first_item;
  assign result_first_item = {result.pass, 4'd0};

  always_comb begin
    gathered_d = result.first ? '0 : gathered_q;
    if (comes_out && result.writes_sdst) begin
      // The flag of a lane that is off is 0.
      if (result.sdst_wide) gathered_d[result_first_item +: Lanes] = pass_flags_i;
      else if (result.computed != '0) gathered_d = {32'd0, one_value_i};
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) gathered_q <= '0;
    else if (comes_out && result.writes_sdst && !result.last) gathered_q <= gathered_d;
  end

  assign result_o.we      = done_o && result.writes_sdst;
  assign result_o.index   = result.sdst;
  assign result_o.wide    = result.sdst_wide;
  assign result_o.data    = gathered_d;
  assign result_o.exec_we = done_o && result.writes_exec;

`ifndef SYNTHESIS
  // Passes follow one another without a gap, and nothing is written but in them.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      one_pass_of_64: assert (Passes == 4 || pass_q == '0);
      idle_at_the_first_pass: assert (busy_q || (pass_q == '0 && cycle_q == '0));
      cycles_of_its_rate: assert (cycle_q == '0 || (ctrl.rate == valu_pkg::RateHalf && !cycle_q[1]) || ctrl.rate == valu_pkg::RateQuarter);
      writes_what_comes_out: assert (comes_out || !(vrf_we_o != '0 || result_o.we || result_o.exec_we));
      masks_at_the_end: assert (!result_o.we || result.last);
      writes_what_it_computes: assert ((written_items & ~computed_items) == '0);
      writes_active_work_items: assert (ctrl.access != valu_pkg::AccessNone || (written_items & ~active) == '0);
    end
  end
`endif

  logic unused_mode;
  assign unused_mode = ^{mode_i[31:28], mode_i[26:10]};

endmodule
