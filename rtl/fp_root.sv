// SPDX-License-Identifier: Apache-2.0
// Reciprocal, square root or reciprocal square root as an exact result: a bit at a time, what is left is sticky.
//
// One recurrence serves all three. The result q is the largest with q m <= 2, q^2 <= m or q^2 m <= 4, where m is the
// significand, doubled for the root of an odd power of two: in step i the bit of weight 2^-i is set if what is left, w,
// allows for it. q^2 m grows by 2^-i (2 q m + 2^-i m), and w is kept times 2^i. What it grows by in the next step is
// found beside the comparison for either bit: 2^-(i+1) m less, or three times that more.
//
// A pipeline of `Stages` stages, over which the steps are spread: a result is there Stages - 1 cycles after its source,
// in every cycle one. With one stage it is combinational. (ISA document, chapter 12, V_RCP_F32, V_SQRT_F32, V_RSQ_F16)
module fp_root #(
  parameter int unsigned Exp    = 10,  // bits of the exponent
  parameter int unsigned Sig    = 24,  // and of the significand
  parameter int unsigned Stages = 1,
  parameter int unsigned Before = 1,   // what the pipeline does before and after the steps, in steps' time
  parameter int unsigned After  = 2
) (
  input  logic               clk_i,
  input  logic               root_i,     // with neither, nothing is computed, and all outputs are 0
  input  logic               inverse_i,  // the reciprocal, with root_i of the root
  input  logic [Exp+Sig+3:0] x_i,        // fpu_pkg::number_t, in the format's widths; a root's is not below zero
  output logic [Exp+Sig+2:0] exact_o,    // fpu_pkg::exact_t; a sig of zero is zero
  output logic               inf_o       // infinity, of exact_o's sign
);

  localparam int unsigned Steps = Sig + 1;      // the last one finds the guard
  localparam int unsigned Point = 2 * Sig - 1;  // bits after the point
  localparam int unsigned Wide  = Point + 9;

  `include "fp_number.svh"
  // What goes past the steps.
  typedef struct packed {
    logic           en;
    logic           sign;
    logic           inf;   // the result is infinity,
    logic           zero;  // zero
    logic           one;   // or a power of two that the steps do not make
    logic [Exp-1:0] exp;
  } beside_t;

  number_t        x;
  beside_t        beside, beside_last;
  logic [Exp-1:0] half_exp;
  logic [Sig:0]   m;  // with Sig - 1 bits after the point
  assign x = x_i;

  always_comb begin
    beside   = '0;
    half_exp = '0;
    m        = '0;
    if (root_i | inverse_i) begin
      half_exp    = root_i ? {x.exp[Exp-1], x.exp[Exp-1:1]} : x.exp;  // rounded down
      m           = (root_i & x.exp[0]) ? {x.sig, 1'b0} : {1'b0, x.sig};
      beside.en   = 1'b1;
      beside.sign = x.sign;
      beside.inf  = inverse_i ? x.zero : x.inf;
      beside.zero = inverse_i & x.inf;
      beside.one  = inverse_i & (m == {2'b01, {(Sig - 1){1'b0}}});
      // Reciprocals are made twice as large.
      beside.exp = inverse_i ? -half_exp - {{(Exp - 1){1'b0}}, ~beside.one} : half_exp;
    end
  end
  fp_cut #(.Width($bits(beside)), .Count(Stages - 1)) u_beside (.clk_i, .d_i(beside), .q_o(beside_last));

  logic [Sig:0]    q_last;
  logic [Wide-1:0] left_last;
  for (genvar s = 0; s < Stages; s++) begin : gen_stage
    localparam int unsigned First = fpu_pkg::steps_before(Stages, s, Steps, Before, After);
    localparam int unsigned End   = fpu_pkg::steps_before(Stages, s + 1, Steps, Before, After);
    logic            root, inverse;
    logic [Sig:0]    factor;
    logic [Wide-1:0] left_from, grows_from;
    logic [Sig:0]    q_from;
    logic [Wide-1:0] factor_1, factor_3;  // the factor that q^2 has, and three times that
    logic [Wide-1:0] left, grows;
    logic [Sig:0]    q;
    if (s == 0) begin : gen_begin
      assign root       = root_i;
      assign inverse    = inverse_i;
      assign factor     = m;
      assign grows_from = factor_1;
      assign q_from     = '0;
      always_comb begin
        left_from = '0;
        if (inverse) left_from = (root ? Wide'(4) : Wide'(2)) << Point;
        else if (root) left_from = Wide'(factor) << Sig;
      end
    end
    else begin : gen_cut
      fp_cut #(.Width(2 + 2 * (Sig + 1) + 2 * Wide)) u_cut (
        .clk_i,
        .d_i  ({gen_stage[s-1].root, gen_stage[s-1].inverse, gen_stage[s-1].factor, gen_stage[s-1].left,
                gen_stage[s-1].grows, gen_stage[s-1].q}),
        .q_o  ({root, inverse, factor, left_from, grows_from, q_from})
      );
    end
    always_comb begin
      factor_1 = '0;
      factor_3 = '0;
      if (root | inverse) factor_1 = inverse ? Wide'(factor) << Sig : Wide'(1) << Point;
      if (root) factor_3 = factor_1 + (factor_1 << 1);
    end
    always_comb begin
      left  = '0;
      grows = '0;
      q     = '0;
      if (root | inverse) begin
        left  = left_from;
        grows = grows_from;
        q     = q_from;
        for (int unsigned i = First; i < End; i++) begin
          if (left >= grows) begin
            left     = left - grows;
            q[Sig-i] = 1'b1;
            if (root) grows = grows + (factor_3 >> (i + 1));
          end
          else if (root) grows = grows - (factor_1 >> (i + 1));
          left = left << 1;
        end
      end
    end
  end
  assign left_last = gen_stage[Stages-1].left;
  assign q_last    = gen_stage[Stages-1].q;

  always_comb begin
    exact_o = '0;
    inf_o   = '0;
    if (beside_last.en) begin
      inf_o   = beside_last.inf;
      exact_o = {beside_last.sign, beside_last.exp, q_last, left_last != '0};
      if (beside_last.one) exact_o = {beside_last.sign, beside_last.exp, 1'b1, {(Sig + 1){1'b0}}};
      if (beside_last.zero) exact_o = {beside_last.sign, {(Exp + Sig + 2){1'b0}}};
    end
  end

  logic unused_nan;
  assign unused_nan = x.nan;

endmodule
