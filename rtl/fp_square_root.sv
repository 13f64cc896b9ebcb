// SPDX-License-Identifier: Apache-2.0
// The square root as an exact result: a bit of the root after the other, with one more than the significand has for the
// guard. What remains is sticky.
//
// The steps are spread over the first stages of a pipeline of `Stages` stages: a result is there after as many cycles as
// fpu_pkg::stage_of_step says of the last step. With one stage it is combinational. (ISA document, chapter 12, V_SQRT_F64)
module fp_square_root #(
  parameter int unsigned Exp    = 13,  // bits of the exponent
  parameter int unsigned Sig    = 53,  // and of the significand
  parameter int unsigned Stages = 1,
  parameter int unsigned Before = 0,   // what the pipeline does before and after the steps, in steps' time
  parameter int unsigned After  = 0
) (
  input  logic               clk_i,
  input  logic               en_i,    // 0: nothing is computed, all outputs are 0
  input  logic [Exp+Sig+3:0] x_i,     // fpu_pkg::number_t, in the format's widths; not below zero
  output logic [Exp+Sig+2:0] exact_o, // fpu_pkg::exact_t
  output logic               inf_o
);

  localparam int unsigned Steps = Sig + 1;
  localparam int unsigned Final = fpu_pkg::stage_of_step(Stages, Steps - 1, Steps, Before, After);

  `include "fp_number.svh"

  number_t        x;
  logic           en_last, sign_last, inf_last;
  logic [Exp-1:0] exp_last;  // half of the exponent, rounded down
  assign x = x_i;
  fp_cut #(.Width(Exp + 3), .Count(Final)) u_beside (
    .clk_i, .d_i({en_i, x.sign, x.inf, x.exp[Exp-1], x.exp[Exp-1:1]}), .q_o({en_last, sign_last, inf_last, exp_last})
  );

  for (genvar s = 0; s <= Final; s++) begin : gen_stage
    localparam int unsigned First = fpu_pkg::steps_before(Stages, s, Steps, Before, After);
    localparam int unsigned End   = fpu_pkg::steps_before(Stages, s + 1, Steps, Before, After);
    logic             en;
    logic [2*Sig+1:0] radicand_from, radicand;    // the significand, doubled where the exponent is odd, and zeros: two
    logic [Sig+2:0]   remainder_from, remainder;  // bits a step; at most twice the root, and the next two bits
    logic [Sig:0]     root_from, root;
    logic [Sig+2:0]   trial;
    if (s == 0) begin : gen_begin
      assign en             = en_i;
      assign remainder_from = '0;
      assign root_from      = '0;
      always_comb begin
        radicand_from = '0;
        if (en) radicand_from = x.exp[0] ? {x.sig, {(Sig + 2){1'b0}}} : {1'b0, x.sig, {(Sig + 1){1'b0}}};
      end
    end
    else begin : gen_cut
      fp_cut #(.Width(4 * Sig + 7)) u_cut (
        .clk_i,
        .d_i  ({gen_stage[s-1].en, gen_stage[s-1].radicand, gen_stage[s-1].remainder, gen_stage[s-1].root}),
        .q_o  ({en, radicand_from, remainder_from, root_from})
      );
    end
    always_comb begin
      radicand  = '0;
      root      = '0;
      remainder = '0;
      trial     = '0;
      if (en) begin
        radicand  = radicand_from;
        root      = root_from;
        remainder = remainder_from;
        for (int unsigned k = First; k < End; k++) begin
          remainder = {remainder[Sig:0], radicand[2*Sig+1:2*Sig]};
          radicand  = radicand << 2;
          trial     = {root, 2'b01};
          root      = root << 1;
          if (remainder >= trial) begin
            remainder = remainder - trial;
            root[0]   = 1'b1;
          end
        end
      end
    end
  end

  logic [Sig:0]   root_last;
  logic [Sig+2:0] remainder_last;
  assign root_last      = gen_stage[Final].root;
  assign remainder_last = gen_stage[Final].remainder;
  always_comb begin
    exact_o = '0;
    inf_o   = '0;
    if (en_last) begin
      exact_o = {sign_last, exp_last, root_last, remainder_last != '0};
      inf_o   = inf_last;
    end
  end

  logic unused_x;
  assign unused_x = x.zero ^ x.nan;

endmodule
