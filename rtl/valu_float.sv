// The single-precision unit of a work-item's lane: every 32-bit floating-point instruction but transcendentals and
// cube maps.
//
// One multiplier with a wide adder (fp_fma) and a rounder serve products and fused operations, and the rounder
// conversions and scaling as well; a second adder and rounder follow, for sums, for the unfused v_mad_f32 after its
// rounded product, and for the last step of divisions. What needs none of them is done in valu_float_sources.
//
// A pipeline of `Stages` stages: a result is there Stages - 1 cycles after its sources, in every cycle one. With one
// stage it is combinational. (ISA document, chapter 12; MODE: 3.6)
module valu_float #(
  parameter int unsigned Stages = 1  // up to fpu_pkg::MaxStages
) (
  input  logic         clk_i,
  input  logic         en_i,           // 0: nothing is computed, all outputs are 0
  input  fpu_pkg::op_e op_i,
  input  logic [3:0]   relation_i,     // FpuCmp: low four bits of the VOPC opcode
  input  logic [31:0]  a_i,            // sources, neg and abs applied
  input  logic [31:0]  b_i,
  input  logic [31:0]  c_i,
  input  logic         flag_i,         // the lane's bit of the mask that is read
  input  logic [1:0]   round_i,        // MODE[1:0]
  input  logic [1:0]   denorm_i,       // MODE[5:4]: bit 0 keeps denormal inputs, bit 1 keeps denormal results
  input  logic [1:0]   half_denorm_i,  // MODE[7:6]
  input  logic [1:0]   half_round_i,   // MODE[3:2]
  input  logic         ieee_i,
  input  logic         dx10_clamp_i,
  input  logic [1:0]   omod_i,
  input  logic         clamp_i,
  output logic [31:0]  result_o,
  output logic         flag_o
);

  // Registers at each place, 0 or 1.
  localparam int unsigned CutSources      = fpu_pkg::cuts_at(Stages, fpu_pkg::CutSources);
  localparam int unsigned CutProduct      = fpu_pkg::cuts_at(Stages, fpu_pkg::CutProduct);
  localparam int unsigned CutSum          = fpu_pkg::cuts_at(Stages, fpu_pkg::CutSum);
  localparam int unsigned CutFirst        = fpu_pkg::cuts_at(Stages, fpu_pkg::CutFirst);
  localparam int unsigned CutSecondSum    = fpu_pkg::cuts_at(Stages, fpu_pkg::CutSecondSum);
  localparam int unsigned CutSecondNormal = fpu_pkg::cuts_at(Stages, fpu_pkg::CutSecondNormal);

  // ---- Sources
  fpu_pkg::flow_t   flow;
  fpu_pkg::number_t a, b, addend, x, y;
  fpu_pkg::exact_t  exact;
  logic             exact_inf;
  localparam int unsigned FlowWidth   = $bits(flow);
  localparam int unsigned NumberWidth = $bits(a);
  localparam int unsigned ExactWidth  = $bits(exact);
  valu_float_sources u_sources (
    .en_i, .op_i, .relation_i, .a_i, .b_i, .c_i, .flag_i, .round_i, .denorm_i, .half_denorm_i, .half_round_i, .ieee_i,
    .dx10_clamp_i, .omod_i, .clamp_i, .flow_o(flow), .a_o(a), .b_o(b), .addend_o(addend), .exact_o(exact),
    .exact_inf_o(exact_inf), .x_o(x), .y_o(y)
  );

  fpu_pkg::flow_t   flow_1;
  fpu_pkg::number_t a_1, b_1, addend_1;
  fp_cut #(.Width(FlowWidth), .Count(CutSources)) u_flow_1 (.clk_i, .d_i(flow), .q_o(flow_1));
  fp_cut #(.Width(NumberWidth), .Count(CutSources)) u_a_1 (.clk_i, .d_i(a), .q_o(a_1));
  fp_cut #(.Width(NumberWidth), .Count(CutSources)) u_b_1 (.clk_i, .d_i(b), .q_o(b_1));
  fp_cut #(.Width(NumberWidth), .Count(CutSources)) u_addend_1 (.clk_i, .d_i(addend), .q_o(addend_1));

  // ---- The product, or the fused sum, and its first bit
  fpu_pkg::exact_t fused;
  logic            fused_inf, fused_nan, product_sign;
  logic [47:0]     product;
  logic [9:0]      product_exp;
  fp_fma #(.CutProduct(CutProduct), .CutSum(CutSum)) u_fma (
    .clk_i, .en_i(flow_1.multiplies), .a_i(a_1), .b_i(b_1), .c_i(addend_1), .round_i(flow_1.round), .sum_o(fused),
    .inf_o(fused_inf), .nan_o(fused_nan), .product_o(product), .product_exp_o(product_exp),
    .product_sign_o(product_sign)
  );

  // What goes past it.
  fpu_pkg::flow_t  flow_2;
  fpu_pkg::exact_t exact_2;
  logic            exact_inf_2;
  fp_cut #(.Width(FlowWidth), .Count(CutProduct + CutSum)) u_flow_2 (.clk_i, .d_i(flow_1), .q_o(flow_2));
  fp_cut #(.Width(ExactWidth + 1), .Count(CutSources + CutProduct + CutSum)) u_exact_2 (
    .clk_i, .d_i({exact_inf, exact}), .q_o({exact_inf_2, exact_2})
  );

  // ---- The first rounder
  fpu_pkg::flow_t  flow_3;
  fpu_pkg::exact_t first_exact;
  logic            first_inf;
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
  logic [31:0]      first_rounded, first;
  fpu_pkg::number_t first_number;
  fp_round u_round_first (
    .en_i(flow_3.rounds), .exact_i(first_exact), .inf_i(first_inf), .round_i(flow_3.round),
    .flush_i(flow_3.flush_results), .result_o(first_rounded)
  );
  assign first = flow_3.legacy_zero ? '0 : first_rounded;
  fp_unpack u_unpack_first (
    .en_i(flow_3.multiplies & flow_3.adds), .bits_i(first), .flush_i(flow_3.flush_inputs), .number_o(first_number)
  );

  fpu_pkg::flow_t   flow_4;
  fpu_pkg::number_t first_number_4;
  logic [31:0]      first_4;
  fp_cut #(.Width(FlowWidth), .Count(CutFirst)) u_flow_4 (.clk_i, .d_i(flow_3), .q_o(flow_4));
  fp_cut #(.Width(32), .Count(CutFirst)) u_first_4 (.clk_i, .d_i(first), .q_o(first_4));
  fp_cut #(.Width(NumberWidth), .Count(CutFirst)) u_first_number_4 (.clk_i, .d_i(first_number), .q_o(first_number_4));

  // ---- The second adder. v_div_fmas has it find c - (a * b + c).
  fpu_pkg::number_t x_4, y_4, second_x;
  localparam int unsigned BeforeSecond = CutSources + CutProduct + CutSum + CutFirst;
  fp_cut #(.Width(NumberWidth), .Count(BeforeSecond)) u_x_4 (.clk_i, .d_i(x), .q_o(x_4));
  fp_cut #(.Width(NumberWidth), .Count(BeforeSecond)) u_y_4 (.clk_i, .d_i(y), .q_o(y_4));
  always_comb begin
    second_x = x_4;
    if (flow_4.multiplies) begin
      second_x      = first_number_4;
      second_x.sign = first_number_4.sign ^ flow_4.div_ends;
    end
  end

  fpu_pkg::exact_t sum;
  logic            sum_inf, sum_nan;
  fp_add #(.CutSum(CutSecondSum)) u_add (
    .clk_i, .en_i(flow_4.adds), .x_i(second_x), .y_i(y_4), .round_i(flow_4.round), .sum_o(sum), .inf_o(sum_inf),
    .nan_o(sum_nan)
  );

  // What goes past it.
  fpu_pkg::flow_t   flow_5;
  fpu_pkg::number_t first_number_5;
  logic [31:0]      first_5;
  logic             product_sign_5;
  logic [9:0]       product_exp_5;
  logic [47:0]      product_5;
  fp_cut #(.Width(FlowWidth), .Count(CutSecondSum)) u_flow_5 (.clk_i, .d_i(flow_4), .q_o(flow_5));
  fp_cut #(.Width(NumberWidth), .Count(CutSecondSum)) u_number_5 (.clk_i, .d_i(first_number_4), .q_o(first_number_5));
  fp_cut #(.Width(32), .Count(CutSecondSum)) u_first_5 (.clk_i, .d_i(first_4), .q_o(first_5));
  fp_cut #(.Width(59), .Count(CutFirst + CutSecondSum)) u_product_5 (
    .clk_i, .d_i({product_sign, product_exp, product}), .q_o({product_sign_5, product_exp_5, product_5})
  );

  // ---- The second rounder. A quotient scaled down to a denormal is to be rounded once: what the first rounding lost or
  // added is put below its last bit again. (Rounding twice in a direction is rounding once.)
  fpu_pkg::flow_t  second_flow, flow_6;
  fpu_pkg::exact_t second_exact, second_exact_6;
  logic            rest_nonzero, rest_sign, second_inf, second_inf_6;
  logic [31:0]     first_6, second;
  fp_div_rest u_div_rest (
    .en_i(flow_5.div_ends), .product_i(product_5), .product_exp_i(product_exp_5), .product_sign_i(product_sign_5),
    .difference_i(sum), .nonzero_o(rest_nonzero), .sign_o(rest_sign)
  );
  always_comb begin
    second_flow  = flow_5;
    second_exact = sum;
    second_inf   = sum_inf;
    if (flow_5.div_ends) begin
      second_exact.sign   = first_number_5.sign;
      second_exact.exp    = first_number_5.exp + (flow_5.quotient_large ? 10'd64 : -10'd64);
      second_exact.sig    = first_number_5.sig;
      second_exact.guard  = 1'b0;
      second_exact.sticky = 1'b0;
      second_inf          = first_number_5.inf;
      if (rest_nonzero & ~first_number_5.zero & (flow_5.round == fpu_pkg::RoundNearest) & (flow_5.denorm == 2'b11)) begin
        second_exact.sticky = 1'b1;
        if (rest_sign != first_number_5.sign) begin
          second_exact.sig   = first_number_5.sig - 24'd1;
          second_exact.guard = 1'b1;
        end
      end
    end else if (sum_nan) begin
      second_flow.decided = 1'b1;
    end
  end
  fp_cut #(.Width(FlowWidth), .Count(CutSecondNormal)) u_flow_6 (.clk_i, .d_i(second_flow), .q_o(flow_6));
  fp_cut #(.Width(ExactWidth + 1), .Count(CutSecondNormal)) u_exact_6 (
    .clk_i, .d_i({second_inf, second_exact}), .q_o({second_inf_6, second_exact_6})
  );
  fp_cut #(.Width(32), .Count(CutSecondNormal)) u_first_6 (.clk_i, .d_i(first_5), .q_o(first_6));

  fp_round u_round_second (
    .en_i(flow_6.adds), .exact_i(second_exact_6), .inf_i(second_inf_6), .round_i(flow_6.round),
    .flush_i(flow_6.flush_results), .result_o(second)
  );

  // ---- The result
  logic [31:0] result, modified;
  always_comb begin
    result = flow_6.takes_second ? second : first_6;
    // A tiny negative number's fraction may round to 1, but is to stay below it.
    if (flow_6.fract & (second == 32'h3f800000)) result = 32'h3f7fffff;
    if (flow_6.decided) result = flow_6.other;
  end
  fp_modify u_modify (
    .en_i(flow_6.en & ~flow_6.integer_result), .value_i(result), .omod_i(flow_6.omod), .clamp_i(flow_6.clamp),
    .ieee_i(flow_6.ieee), .dx10_clamp_i(flow_6.dx10_clamp), .round_i(flow_6.round), .denorm_i(flow_6.denorm),
    .result_o(modified)
  );
  assign result_o = flow_6.integer_result ? result : modified;
  assign flag_o   = flow_6.flag;

  logic unused_flow;
  assign unused_flow = ^{flow_6, first_number_5};

endmodule
