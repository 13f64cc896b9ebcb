// SPDX-License-Identifier: Apache-2.0
// x + y exactly, up to what rounding needs to know.
//
// With registers behind the sum where these are asked for; without, combinational. The smaller magnitude is shifted to
// the larger one's place and keeps three bits more, the last of them sticky. (ISA document, chapter 12, V_ADD_F32)
module fp_add #(
  parameter int unsigned Exp    = 10,  // bits of the exponent
  parameter int unsigned Sig    = 24,  // and of the significand
  parameter int unsigned CutSum = 0    // 1: registers behind the sum, before its first bit comes to the top
) (
  input  logic               clk_i,
  input  logic               en_i,     // 0: nothing is computed, all outputs are 0
  input  logic [Exp+Sig+3:0] x_i,      // fpu_pkg::number_t, in the format's widths
  input  logic [Exp+Sig+3:0] y_i,
  input  logic [1:0]         round_i,  // for the sign of an exact zero
  output logic [Exp+Sig+2:0] sum_o,    // fpu_pkg::exact_t
  output logic               inf_o,    // infinity, of the sum's sign
  output logic               nan_o     // a source is a NaN, or the operation is invalid
);

  localparam int unsigned Stages = $clog2(Sig + 4);

  `include "fp_number.svh"
  // What goes past the sum.
  typedef struct packed {
    logic           en;
    logic           sign;
    logic           zero_sign;  // of an exact zero
    logic [Exp-1:0] exp;
    logic           inf;
    logic           nan;
  } beside_t;

  number_t           x, y;
  beside_t           beside;
  logic              y_larger;
  logic [Exp-1:0]    distance;
  logic [Sig-1:0]    greater, lesser;  // significands
  logic [Stages-1:0] shift;
  logic [Sig+2:0]    aligned, lost;
  logic              subtract;
  logic [Sig+3:0]    sum;

  assign x = x_i;
  assign y = y_i;

  always_comb begin
    beside   = '0;
    y_larger = '0;
    greater  = '0;
    lesser   = '0;
    distance = '0;
    shift    = '0;
    aligned  = '0;
    lost     = '0;
    subtract = '0;
    sum      = '0;
    if (en_i) begin
      // A zero's exponent says nothing. Infinities have the largest one.
      y_larger = x.zero | (~y.zero & ({~y.exp[Exp-1], y.exp[Exp-2:0], y.sig} >
                                      {~x.exp[Exp-1], x.exp[Exp-2:0], x.sig}));
      greater  = y_larger ? y.sig : x.sig;
      lesser   = y_larger ? x.sig : y.sig;
      distance = y_larger ? y.exp - x.exp : x.exp - y.exp;
      shift    = (distance > Exp'(Sig + 3)) ? Stages'(Sig + 3) : distance[Stages-1:0];
      {aligned, lost} = {lesser, {(Sig + 6){1'b0}}} >> shift;
      subtract = x.sign ^ y.sign;
      sum = {1'b0, greater, 3'b000} + {1'b0, aligned[Sig+2:1], aligned[0] | (lost != '0)};
      if (subtract) sum = {1'b0, greater, 3'b000} - {1'b0, aligned[Sig+2:1], aligned[0] | (lost != '0)};
      beside.en        = 1'b1;
      beside.sign      = y_larger ? y.sign : x.sign;
      beside.zero_sign = subtract ? round_i == fpu_pkg::RoundDown : x.sign;
      beside.exp       = y_larger ? y.exp : x.exp;
      beside.inf       = x.inf | y.inf;
      beside.nan       = x.nan | y.nan | (x.inf & y.inf & subtract);
    end
  end

  beside_t           beside_1;
  exact_t            exact;
  logic [Sig+3:0]    sum_1, normal;
  logic [Stages-1:0] lead;
  fp_cut #(.Width($bits(beside)), .Count(CutSum)) u_beside (.clk_i, .d_i(beside), .q_o(beside_1));
  fp_cut #(.Width(Sig + 4), .Count(CutSum)) u_sum (.clk_i, .d_i(sum), .q_o(sum_1));

  fp_normalise #(.Width(Sig + 4), .Stages(Stages)) u_normalise (
    .en_i   (beside_1.en),
    .value_i(sum_1),
    .value_o(normal),
    .count_o(lead)
  );

  always_comb begin
    nan_o = '0;
    inf_o = '0;
    exact = '0;
    if (beside_1.en) begin
      nan_o        = beside_1.nan;
      inf_o        = beside_1.inf;
      exact.sign   = beside_1.sign;
      exact.exp    = beside_1.exp + Exp'(1) - Exp'(lead);
      exact.sig    = normal[Sig+3:4];
      exact.guard  = normal[3];
      exact.sticky = normal[2:0] != '0;
      if (sum_1 == '0) exact.sign = beside_1.zero_sign;
    end
  end
  assign sum_o = exact;

endmodule
