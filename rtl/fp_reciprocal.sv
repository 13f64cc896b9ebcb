// SPDX-License-Identifier: Apache-2.0
// 1 / x as an exact result: long division, a bit of the quotient after the other, with one more than the significand needs
// for quotients below 1 and one for the guard. What remains is sticky.
//
// The steps are spread over the last stages of a pipeline of `Stages` stages. The source comes in the stage that
// fpu_pkg::stage_of_step says of the first step, the result is there in the last stage. With one stage it is
// combinational. (ISA document, chapter 12, V_RCP_F64)
module fp_reciprocal #(
  parameter int unsigned Exp    = 13,  // bits of the exponent
  parameter int unsigned Sig    = 53,  // and of the significand
  parameter int unsigned Stages = 1,
  parameter int unsigned Before = 0,   // what the pipeline does before and after the steps, in steps' time
  parameter int unsigned After  = 0
) (
  input  logic               clk_i,
  input  logic               en_i,     // 0: nothing is computed, all outputs are 0
  input  logic [Exp+Sig+3:0] x_i,      // fpu_pkg::number_t, in the format's widths
  output logic [Exp+Sig+2:0] exact_o,  // fpu_pkg::exact_t
  output logic               inf_o     // infinity, of exact_o's sign
);

  localparam int unsigned Steps = Sig + 2;
  localparam int unsigned Start = fpu_pkg::stage_of_step(Stages, 0, Steps, Before, After);

  `include "fp_number.svh"

  number_t        x;
  logic           en_last, sign_last, zero_last, inf_last;
  logic [Exp-1:0] exp_last;
  assign x = x_i;
  fp_cut #(.Width(Exp + 4), .Count(Stages - 1 - Start)) u_beside (
    .clk_i, .d_i({en_i, x.sign, x.zero, x.inf, x.exp}), .q_o({en_last, sign_last, zero_last, inf_last, exp_last})
  );

  for (genvar s = Start; s < Stages; s++) begin : gen_stage
    localparam int unsigned First = fpu_pkg::steps_before(Stages, s, Steps, Before, After);
    localparam int unsigned End   = fpu_pkg::steps_before(Stages, s + 1, Steps, Before, After);
    logic           en;
    logic [Sig-1:0] divisor;
    logic [Sig+1:0] quotient_from, quotient;  // of 2^(Sig + 1) and the significand: 1, or less with the top bit 0
    logic [Sig:0]   remainder_from, remainder;
    if (s == Start) begin : gen_begin
      assign en             = en_i;
      assign divisor        = x.sig;
      assign quotient_from  = '0;
      assign remainder_from = {2'b01, {(Sig - 1){1'b0}}};
    end
    else begin : gen_cut
      fp_cut #(.Width(3 * Sig + 4)) u_cut (
        .clk_i,
        .d_i  ({gen_stage[s-1].en, gen_stage[s-1].divisor, gen_stage[s-1].quotient, gen_stage[s-1].remainder}),
        .q_o  ({en, divisor, quotient_from, remainder_from})
      );
    end
    always_comb begin
      quotient  = '0;
      remainder = '0;
      if (en) begin
        quotient  = quotient_from;
        remainder = remainder_from;
        for (int unsigned k = First; k < End; k++) begin
          quotient = quotient << 1;
          if (remainder >= {1'b0, divisor}) begin
            remainder   = remainder - {1'b0, divisor};
            quotient[0] = 1'b1;
          end
          remainder = remainder << 1;
        end
      end
    end
  end

  logic [Sig+1:0] quotient_last;
  logic           left;
  assign quotient_last = gen_stage[Stages-1].quotient;
  assign left          = gen_stage[Stages-1].remainder != '0;
  always_comb begin
    exact_o = '0;
    inf_o   = '0;
    if (en_last) begin
      if (quotient_last[Sig+1]) exact_o = {sign_last, -exp_last, quotient_last[Sig+1:1], quotient_last[0] | left};
      else exact_o = {sign_last, -exp_last - Exp'(1), quotient_last[Sig:0], left};
      if (inf_last) exact_o = {sign_last, {(Exp + Sig + 2){1'b0}}};
      inf_o = zero_last;
    end
  end

  logic unused_nan;
  assign unused_nan = x.nan;

endmodule
