// SPDX-License-Identifier: Apache-2.0
// A square root, a reciprocal, or the reciprocal of the rounded square root, as an exact result.
//
// A pipeline of `Stages` stages, over which the steps of both are spread: a result is there Stages - 1 cycles after its
// source, in every cycle one. With one stage it is combinational. (ISA document, chapter 12, V_SQRT_F64, V_RCP_F64,
// V_RSQ_F64)
module fp_roots #(
  parameter int unsigned Field  = 11,  // bits of the exponent field,
  parameter int unsigned Exp    = 13,  // of the exponent
  parameter int unsigned Sig    = 53,  // and of the significand
  parameter int unsigned Stages = 1
) (
  input  logic               clk_i,
  input  logic               root_i,     // with neither, nothing is computed, and all outputs are 0
  input  logic               inverse_i,
  input  logic [Exp+Sig+3:0] x_i,        // fpu_pkg::number_t, in the format's widths; a root's is not below zero
  input  logic [1:0]         round_i,
  output logic [Exp+Sig+2:0] exact_o,    // fpu_pkg::exact_t
  output logic               inf_o       // infinity, of exact_o's sign
);

  // What the pipeline does before the root's steps, between these and the reciprocal's, and after them, in steps' time.
  localparam int unsigned Before  = 2;
  localparam int unsigned Between = 5;
  localparam int unsigned After   = 6;
  localparam int unsigned RootSteps      = Sig + 1;
  localparam int unsigned InverseSteps   = Sig + 2;
  localparam int unsigned AfterRoot      = Between + InverseSteps + After;
  localparam int unsigned BeforeInverse  = Before + RootSteps + Between;
  // The stages of the root's last step and of the reciprocal's first one.
  localparam int unsigned RootStage    = fpu_pkg::stage_of_step(Stages, RootSteps - 1, RootSteps, Before, AfterRoot);
  localparam int unsigned InverseStage = fpu_pkg::stage_of_step(Stages, 0, InverseSteps, BeforeInverse, After);
  localparam int unsigned NumberWidth  = Exp + Sig + 4;

  // ---- The root
  logic [Exp+Sig+2:0] root;
  logic               root_inf;
  fp_square_root #(.Exp(Exp), .Sig(Sig), .Stages(Stages), .Before(Before), .After(AfterRoot)) u_square_root (
    .clk_i, .en_i(root_i), .x_i, .exact_o(root), .inf_o(root_inf)
  );
  logic                   is_root, is_inverse;
  logic [1:0]             round;
  logic [NumberWidth-1:0] x;
  fp_cut #(.Width(NumberWidth + 4), .Count(RootStage)) u_beside_root (
    .clk_i, .d_i({root_i, inverse_i, round_i, x_i}), .q_o({is_root, is_inverse, round, x})
  );

  // ---- Rounded: a root is never denormal.
  logic [Field+Sig-1:0]   rounded;
  logic [NumberWidth-1:0] root_number, source, inverted;
  logic                   inverts;
  fp_round #(.Field(Field), .Exp(Exp), .Sig(Sig)) u_round (
    .en_i(is_root & is_inverse), .exact_i(root), .inf_i(root_inf), .round_i(round), .flush_i(1'b0), .result_o(rounded)
  );
  fp_unpack #(.Field(Field), .Exp(Exp), .Sig(Sig)) u_unpack (
    .en_i(is_root & is_inverse), .bits_i(rounded), .flush_i(1'b0), .number_o(root_number)
  );
  always_comb begin
    source = '0;
    if (is_inverse) source = is_root ? root_number : x;
  end
  fp_cut #(.Width(NumberWidth + 1), .Count(InverseStage - RootStage)) u_source (
    .clk_i, .d_i({is_inverse, source}), .q_o({inverts, inverted})
  );

  // ---- The reciprocal
  logic [Exp+Sig+2:0] inverse;
  logic               inverse_inf;
  fp_reciprocal #(.Exp(Exp), .Sig(Sig), .Stages(Stages), .Before(BeforeInverse), .After(After)) u_reciprocal (
    .clk_i, .en_i(inverts), .x_i(inverted), .exact_o(inverse), .inf_o(inverse_inf)
  );

  logic [Exp+Sig+2:0] root_last;
  logic               root_inf_last, takes_inverse, takes_root;
  fp_cut #(.Width(Exp + Sig + 6), .Count(Stages - 1 - RootStage)) u_root_last (
    .clk_i, .d_i({is_inverse, is_root, root_inf, root}), .q_o({takes_inverse, takes_root, root_inf_last, root_last})
  );
  always_comb begin
    exact_o = '0;
    inf_o   = '0;
    if (takes_inverse) begin
      exact_o = inverse;
      inf_o   = inverse_inf;
    end else if (takes_root) begin
      exact_o = root_last;
      inf_o   = root_inf_last;
    end
  end

endmodule
