// SPDX-License-Identifier: Apache-2.0
// Transcendentals of single precision of a work-item's lane: reciprocal, roots, exp2, log2, sine and cosine of turns.
//
// Reciprocal and roots are found bit by bit (fp_root). The others interpolate in a table (valu_trans_segment), and all but
// exp2 multiply its value. Whatever MODE says, denormals are zero and results are rounded to nearest once.
//
// A pipeline of `Stages` stages: a result is there Stages - 1 cycles after its source, in every cycle one. With one stage
// it is combinational. (ISA document, chapter 12, V_EXP_F32 and others)
module valu_trans #(
  parameter int unsigned Stages = 1  // up to fpu_pkg::MaxStages
) (
  input  logic                  clk_i,
  input  logic                  en_i,    // 0: nothing is computed, all outputs are 0
  input  valu_pkg::float_op_e   op_i,
  input  logic [31:0]           a_i,     // neg and abs applied
  input  fpu_pkg::result_mode_t mode_i,  // for the output modifiers
  output logic [31:0]           result_o
);

  // Registers at each place, 0 or 1.
  localparam int unsigned CutSources = fpu_pkg::cuts_at(fpu_pkg::TransCuts, Stages, fpu_pkg::TransCutSources);
  localparam int unsigned CutTable   = fpu_pkg::cuts_at(fpu_pkg::TransCuts, Stages, fpu_pkg::TransCutTable);
  localparam int unsigned CutSlope   = fpu_pkg::cuts_at(fpu_pkg::TransCuts, Stages, fpu_pkg::TransCutSlope);
  localparam int unsigned CutValue   = fpu_pkg::cuts_at(fpu_pkg::TransCuts, Stages, fpu_pkg::TransCutValue);
  localparam int unsigned CutProduct = fpu_pkg::cuts_at(fpu_pkg::TransCuts, Stages, fpu_pkg::TransCutProduct);
  localparam int unsigned CutExact   = fpu_pkg::cuts_at(fpu_pkg::TransCuts, Stages, fpu_pkg::TransCutExact);

  // ---- The argument
  fpu_pkg::trans_t  flow, flow_1, flow_4, flow_5, flow_6;
  localparam int unsigned FlowWidth = $bits(flow);
  logic [8:0]       row, row_1;
  logic [22:0]      d, d_1;
  logic [30:0]      factor, factor_4;
  fpu_pkg::number_t number;
  logic             root, inverse;
  valu_trans_sources u_sources (
    .en_i, .op_i, .a_i, .mode_i, .flow_o(flow), .row_o(row), .d_o(d), .factor_o(factor), .number_o(number), .root_o(root),
    .inverse_o(inverse)
  );
  fp_cut #(.Width(FlowWidth), .Count(CutSources)) u_flow_1 (.clk_i, .d_i(flow), .q_o(flow_1));
  fp_cut #(.Width(32), .Count(CutSources)) u_place_1 (.clk_i, .d_i({row, d}), .q_o({row_1, d_1}));

  // ---- Reciprocal and roots, in as many stages as all that follows
  fpu_pkg::exact_t of_root;
  logic            root_inf;
  fp_root #(.Exp(10), .Sig(24), .Stages(Stages)) u_root (
    .clk_i, .root_i(root), .inverse_i(inverse), .x_i(number), .exact_o(of_root), .inf_o(root_inf)
  );

  // ---- The table's value, in units of 2^-30 for exp2, 2^-29 for log2, 2^-28 for sine
  logic [30:0] value, value_4;
  valu_trans_segment #(.CutTable(CutTable), .CutSlope(CutSlope)) u_segment (
    .clk_i, .en_i(flow_1.interpolates), .row_i(row_1), .d_i(d_1), .falling_i(~flow_1.exp2), .same_i(~flow_1.log2), .value_o(value)
  );
  fp_cut #(.Width(31), .Count(CutValue)) u_value_4 (.clk_i, .d_i(value), .q_o(value_4));
  fp_cut #(.Width(FlowWidth), .Count(CutTable + CutSlope + CutValue)) u_flow_4 (.clk_i, .d_i(flow_1), .q_o(flow_4));
  fp_cut #(.Width(31), .Count(CutSources + CutTable + CutSlope + CutValue)) u_factor_4 (
    .clk_i, .d_i(factor), .q_o(factor_4)
  );

  // ---- Its product
  logic [61:0] product, product_5;
  always_comb begin
    product = '0;
    if (flow_4.interpolates) product = flow_4.exp2 ? {value_4, 31'd0} : {31'd0, factor_4} * {31'd0, value_4};
  end
  fp_cut #(.Width(62), .Count(CutProduct)) u_product_5 (.clk_i, .d_i(product), .q_o(product_5));
  fp_cut #(.Width(FlowWidth), .Count(CutProduct)) u_flow_5 (.clk_i, .d_i(flow_4), .q_o(flow_5));

  // ---- The logarithm's sum, and the first bit
  logic [61:0] magnitude, normalised;
  logic [47:0] log_cut;  // in units of 2^-40
  logic [47:0] log_sum;
  logic [5:0]  lead;
  always_comb begin
    magnitude = product_5;
    log_cut   = '0;
    log_sum   = '0;
    if (flow_5.log_adds) begin
      log_cut   = flow_5.log_upper ? {7'd0, product_5[61:21]} : {6'd0, product_5[61:20]};
      log_sum   = flow_5.log_subtracts ? {flow_5.log_whole, 40'd0} - log_cut : {flow_5.log_whole, 40'd0} + log_cut;
      magnitude = {log_sum, 14'd0};
    end
  end
  fp_normalise #(.Width(62), .Stages(6)) u_normalise (
    .en_i(flow_5.interpolates), .value_i(magnitude), .value_o(normalised), .count_o(lead)
  );

  fpu_pkg::exact_t of_table, of_table_6, exact;
  always_comb begin
    of_table = '0;
    if (flow_5.interpolates) begin
      of_table.sign   = flow_5.sign;
      of_table.exp    = flow_5.exp - {4'd0, lead};
      of_table.sig    = normalised[61:38];
      of_table.guard  = normalised[37];
      of_table.sticky = normalised[36:0] != '0;
    end
  end
  fp_cut #(.Width(37), .Count(CutExact)) u_of_table_6 (.clk_i, .d_i(of_table), .q_o(of_table_6));
  fp_cut #(.Width(FlowWidth), .Count(CutExact)) u_flow_6 (.clk_i, .d_i(flow_5), .q_o(flow_6));

  // ---- Rounding. What has nothing to do gives 0.
  logic [31:0] rounded, result;
  assign exact = of_root | of_table_6;
  fp_round u_round (
    .en_i    (flow_6.en),
    .exact_i (exact),
    .inf_i   (root_inf),
    .round_i (fpu_pkg::RoundNearest),
    .flush_i (1'b1),
    .result_o(rounded)
  );
  assign result = flow_6.special ? flow_6.other : rounded;
  fp_modify u_modify (.en_i(flow_6.en), .value_i(result), .mode_i(flow_6.mode), .result_o);

  // Places further up have used these.
  logic unused_flow;
  assign unused_flow = ^flow_6;

endmodule
