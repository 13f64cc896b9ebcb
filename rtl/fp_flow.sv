// SPDX-License-Identifier: Apache-2.0
// The flow of a floating-point unit behind its sources: product, first rounding, second sum, second rounding, output
// modifiers. The units of single, double and half precision are made of it.
//
// One multiplier with a wide adder (fp_fma) and a rounder serve products and fused sums, and the rounder conversions and
// scaling as well; a second adder and rounder follow, for sums, for the unfused v_mad after its rounded product, and for
// the last step of divisions. The second rounder also has the roots and reciprocals, which take as many stages.
//
// A pipeline of `Stages` stages: a result is there Stages - 1 cycles after its sources, in every cycle one. With one
// stage it is combinational. (ISA document, chapter 12; MODE: 3.6)
module fp_flow #(
  parameter int unsigned Field    = 8,   // bits of the exponent field,
  parameter int unsigned Exp      = 10,  // of the exponent
  parameter int unsigned Sig      = 24,  // and of the significand
  parameter int unsigned DivScale = 64,  // v_div_fmas scales by 2 to this power; 0: the format has no v_div_fmas
  parameter int unsigned Stages   = 1    // up to fpu_pkg::MaxStages
) (
  input  logic                 clk_i,
  input  fpu_pkg::flow_t       flow_i,
  input  logic [Field+Sig-1:0] other_i,      // the result where no rounder makes it, or else the NaN that it may be
  input  logic [Exp+Sig+3:0]   a_i,          // factors, in the format's widths as all that follow: fpu_pkg::number_t
  input  logic [Exp+Sig+3:0]   b_i,
  input  logic [Exp+Sig+3:0]   addend_i,     // of the fused sum; zero for a product
  input  logic [Exp+Sig+2:0]   exact_i,      // what the first rounder gets where nothing is multiplied: fpu_pkg::exact_t
  input  logic                 exact_inf_i,
  input  logic [Exp+Sig+3:0]   x_i,          // operands of the second adder; x is the product where something is
  input  logic [Exp+Sig+3:0]   y_i,          // multiplied
  input  logic [Exp+Sig+2:0]   root_i,       // comes Stages - 1 cycles after the others
  input  logic                 root_inf_i,
  output logic [Field+Sig-1:0] result_o,
  output logic                 flag_o
);

  // Registers at each place, 0 or 1.
  localparam int unsigned CutSources      = fpu_pkg::cuts_at(fpu_pkg::Cuts, Stages, fpu_pkg::CutSources);
  localparam int unsigned CutProduct      = fpu_pkg::cuts_at(fpu_pkg::Cuts, Stages, fpu_pkg::CutProduct);
  localparam int unsigned CutSum          = fpu_pkg::cuts_at(fpu_pkg::Cuts, Stages, fpu_pkg::CutSum);
  localparam int unsigned CutFirst        = fpu_pkg::cuts_at(fpu_pkg::Cuts, Stages, fpu_pkg::CutFirst);
  localparam int unsigned CutSecondSum    = fpu_pkg::cuts_at(fpu_pkg::Cuts, Stages, fpu_pkg::CutSecondSum);
  localparam int unsigned CutSecondNormal = fpu_pkg::cuts_at(fpu_pkg::Cuts, Stages, fpu_pkg::CutSecondNormal);

  localparam int unsigned Bits     = Field + Sig;
  localparam logic [Bits-1:0] One  = {2'b00, {(Field - 1){1'b1}}, {(Sig - 1){1'b0}}};

  `include "fp_number.svh"
  localparam int unsigned FlowWidth   = $bits(flow_i);
  localparam int unsigned NumberWidth = Exp + Sig + 4;
  localparam int unsigned ExactWidth  = Exp + Sig + 3;

  // ---- Sources
  fpu_pkg::flow_t flow_1;
  number_t        a_1, b_1, addend_1;
  fp_cut #(.Width(FlowWidth), .Count(CutSources)) u_flow_1 (.clk_i, .d_i(flow_i), .q_o(flow_1));
  fp_cut #(.Width(NumberWidth), .Count(CutSources)) u_a_1 (.clk_i, .d_i(a_i), .q_o(a_1));
  fp_cut #(.Width(NumberWidth), .Count(CutSources)) u_b_1 (.clk_i, .d_i(b_i), .q_o(b_1));
  fp_cut #(.Width(NumberWidth), .Count(CutSources)) u_addend_1 (.clk_i, .d_i(addend_i), .q_o(addend_1));

  // ---- The product, or the fused sum, and its first bit
  exact_t           fused;
  logic             fused_inf, fused_nan, product_sign;
  logic [2*Sig-1:0] product;
  logic [Exp-1:0]   product_exp;
  fp_fma #(.Exp(Exp), .Sig(Sig), .CutProduct(CutProduct), .CutSum(CutSum)) u_fma (
    .clk_i, .en_i(flow_1.multiplies), .a_i(a_1), .b_i(b_1), .c_i(addend_1), .round_i(flow_1.mode.round), .sum_o(fused),
    .inf_o(fused_inf), .nan_o(fused_nan), .product_o(product), .product_exp_o(product_exp),
    .product_sign_o(product_sign)
  );

  // What goes past it.
  fpu_pkg::flow_t flow_2;
  exact_t         exact_2;
  logic           exact_inf_2;
  fp_cut #(.Width(FlowWidth), .Count(CutProduct + CutSum)) u_flow_2 (.clk_i, .d_i(flow_1), .q_o(flow_2));
  fp_cut #(.Width(ExactWidth + 1), .Count(CutSources + CutProduct + CutSum)) u_exact_2 (
    .clk_i, .d_i({exact_inf_i, exact_i}), .q_o({exact_inf_2, exact_2})
  );

  // ---- The first rounder
  fpu_pkg::flow_t flow_3;
  exact_t         first_exact;
  logic           first_inf;
  always_comb begin
    flow_3      = flow_2;
    first_exact = exact_2;
    first_inf   = exact_inf_2;
    if (flow_2.multiplies) begin
      flow_3.decided = fused_nan & ~flow_2.legacy_zero;
      first_exact    = fused;
      first_inf      = fused_inf;
    end
  end
  logic [Bits-1:0] first_rounded, first;
  number_t         first_number;
  fp_round #(.Field(Field), .Exp(Exp), .Sig(Sig)) u_round_first (
    .en_i(flow_3.rounds), .exact_i(first_exact), .inf_i(first_inf), .round_i(flow_3.mode.round),
    .flush_i(flow_3.flush_results), .result_o(first_rounded)
  );
  assign first = flow_3.legacy_zero ? '0 : first_rounded;
  fp_unpack #(.Field(Field), .Exp(Exp), .Sig(Sig)) u_unpack_first (
    .en_i(flow_3.multiplies & flow_3.adds), .bits_i(first), .flush_i(flow_3.flush_inputs), .number_o(first_number)
  );

  fpu_pkg::flow_t  flow_4;
  number_t         first_number_4;
  logic [Bits-1:0] first_4;
  fp_cut #(.Width(FlowWidth), .Count(CutFirst)) u_flow_4 (.clk_i, .d_i(flow_3), .q_o(flow_4));
  fp_cut #(.Width(Bits), .Count(CutFirst)) u_first_4 (.clk_i, .d_i(first), .q_o(first_4));
  fp_cut #(.Width(NumberWidth), .Count(CutFirst)) u_first_number_4 (.clk_i, .d_i(first_number), .q_o(first_number_4));

  // ---- The second adder. v_div_fmas has it find c - (a * b + c).
  number_t x_4, y_4, second_x;
  localparam int unsigned BeforeSecond = CutSources + CutProduct + CutSum + CutFirst;
  fp_cut #(.Width(NumberWidth), .Count(BeforeSecond)) u_x_4 (.clk_i, .d_i(x_i), .q_o(x_4));
  fp_cut #(.Width(NumberWidth), .Count(BeforeSecond)) u_y_4 (.clk_i, .d_i(y_i), .q_o(y_4));
  always_comb begin
    second_x = x_4;
    if (flow_4.multiplies) begin
      second_x      = first_number_4;
      second_x.sign = first_number_4.sign ^ flow_4.div_ends;
    end
  end

  exact_t sum;
  logic   sum_inf, sum_nan;
  fp_add #(.Exp(Exp), .Sig(Sig), .CutSum(CutSecondSum)) u_add (
    .clk_i, .en_i(flow_4.adds), .x_i(second_x), .y_i(y_4), .round_i(flow_4.mode.round), .sum_o(sum), .inf_o(sum_inf),
    .nan_o(sum_nan)
  );

  // What goes past it.
  fpu_pkg::flow_t  flow_5;
  logic [Bits-1:0] first_5;
  fp_cut #(.Width(FlowWidth), .Count(CutSecondSum)) u_flow_5 (.clk_i, .d_i(flow_4), .q_o(flow_5));
  fp_cut #(.Width(Bits), .Count(CutSecondSum)) u_first_5 (.clk_i, .d_i(first_4), .q_o(first_5));

  // ---- What v_div_fmas has instead of the sum: the quotient, scaled
  exact_t quotient;
  logic   quotient_inf;
  if (DivScale != 0) begin : gen_division
    logic [NumberWidth-1:0] number_5;
    logic                   product_sign_5;
    logic [Exp-1:0]         product_exp_5;
    logic [2*Sig-1:0]       product_5;
    fp_cut #(.Width(NumberWidth), .Count(CutSecondSum)) u_number_5 (.clk_i, .d_i(first_number_4), .q_o(number_5));
    fp_cut #(.Width(2 * Sig + Exp + 1), .Count(CutFirst + CutSecondSum)) u_product_5 (
      .clk_i, .d_i({product_sign, product_exp, product}), .q_o({product_sign_5, product_exp_5, product_5})
    );
    fp_div_fmas #(.Field(Field), .Exp(Exp), .Sig(Sig), .Scale(DivScale)) u_div_fmas (
      .en_i(flow_5.div_ends), .first_i(number_5), .product_i(product_5), .product_exp_i(product_exp_5),
      .product_sign_i(product_sign_5), .difference_i(sum), .large_i(flow_5.quotient_large),
      .once_i((flow_5.mode.round == fpu_pkg::RoundNearest) & (flow_5.mode.denorm == 2'b11)), .exact_o(quotient),
      .inf_o(quotient_inf)
    );
  end
  else begin : gen_no_division
    assign quotient     = '0;
    assign quotient_inf = 1'b0;

    logic unused_product;
    assign unused_product = ^{product_sign, product_exp, product};
  end

  // ---- The second rounder
  fpu_pkg::flow_t  second_flow, flow_6;
  exact_t          late_exact, late_exact_6, second_exact;
  logic            late_inf, late_inf_6, second_inf;
  logic [1:0]      second_round;
  logic [Bits-1:0] first_6, second;
  always_comb begin
    second_flow = flow_5;
    late_exact  = sum;
    late_inf    = sum_inf;
    if (flow_5.div_ends) begin
      late_exact = quotient;
      late_inf   = quotient_inf;
    end else if (sum_nan) begin
      second_flow.decided = 1'b1;
    end
  end
  fp_cut #(.Width(FlowWidth), .Count(CutSecondNormal)) u_flow_6 (.clk_i, .d_i(second_flow), .q_o(flow_6));
  fp_cut #(.Width(ExactWidth + 1), .Count(CutSecondNormal)) u_exact_6 (
    .clk_i, .d_i({late_inf, late_exact}), .q_o({late_inf_6, late_exact_6})
  );
  fp_cut #(.Width(Bits), .Count(CutSecondNormal)) u_first_6 (.clk_i, .d_i(first_5), .q_o(first_6));

  always_comb begin
    second_exact = late_exact_6;
    second_inf   = late_inf_6;
    second_round = flow_6.mode.round;
    if (flow_6.roots) begin
      second_exact = root_i;
      second_inf   = root_inf_i;
      if (flow_6.roots_nearest) second_round = fpu_pkg::RoundNearest;
    end
  end
  fp_round #(.Field(Field), .Exp(Exp), .Sig(Sig)) u_round_second (
    .en_i(flow_6.adds | flow_6.roots), .exact_i(second_exact), .inf_i(second_inf), .round_i(second_round),
    .flush_i(flow_6.flush_results), .result_o(second)
  );

  // ---- The result
  logic [Bits-1:0] other_6, result, modified;
  fp_cut #(.Width(Bits), .Count(Stages - 1)) u_other_6 (.clk_i, .d_i(other_i), .q_o(other_6));
  always_comb begin
    result = flow_6.takes_second ? second : first_6;
    // A tiny negative number's fraction may round to 1, but is to stay below it.
    if (flow_6.fract & (second == One)) result = One - Bits'(1);
    if (flow_6.decided) result = other_6;
  end
  if (Bits == 16) begin : gen_modify_half
    fp_modify_half u_modify (
      .en_i(flow_6.en & ~flow_6.integer_result), .value_i(result), .mode_i(flow_6.mode), .flush_i(flow_6.flush_modified),
      .result_o(modified)
    );
  end
  else begin : gen_modify
    fp_modify #(.Field(Field), .Sig(Sig)) u_modify (
      .en_i(flow_6.en & ~flow_6.integer_result), .value_i(result), .mode_i(flow_6.mode), .result_o(modified)
    );
  end
  assign result_o = flow_6.integer_result ? result : modified;
  assign flag_o   = flow_6.flag;

  // Places further up have used these.
  logic unused_flow;
  assign unused_flow = ^flow_6;

endmodule
