// SPDX-License-Identifier: Apache-2.0
// a * b + c exactly, up to what rounding needs to know. The product is for the last step of a division as well.
//
// With registers behind the product and behind the sum where these are asked for; without, combinational. Sums lie in a
// frame of three significands and four bits: the product, with two bits below it, and the addend, by its exponent, from
// the top of the frame downwards. An addend further up leaves the product in its place, where it still is below the last
// bit that counts; of one further down a sticky bit remains. (ISA document, chapter 12, V_FMA_F32)
module fp_fma #(
  parameter int unsigned Exp        = 10,  // bits of the exponent: enough for the product's with Sig + 3 to either side
  parameter int unsigned Sig        = 24,  // and of the significand
  parameter int unsigned CutProduct = 0,   // 1: registers behind the product, beside it the addend in its place
  parameter int unsigned CutSum     = 0    // 1: registers behind the sum, before its first bit comes to the top
) (
  input  logic               clk_i,
  input  logic               en_i,           // 0: nothing is computed, all outputs are 0
  input  logic [Exp+Sig+3:0] a_i,            // fpu_pkg::number_t, in the format's widths
  input  logic [Exp+Sig+3:0] b_i,
  input  logic [Exp+Sig+3:0] c_i,
  input  logic [1:0]         round_i,        // for the sign of an exact zero
  output logic [Exp+Sig+2:0] sum_o,          // fpu_pkg::exact_t
  output logic               inf_o,          // infinity, of the sum's sign
  output logic               nan_o,          // a source is a NaN, or the operation is invalid
  output logic [2*Sig-1:0]   product_o,      // its lowest bit weighs 2^(product_exp_o - 2 * Sig + 2)
  output logic [Exp-1:0]     product_exp_o,
  output logic               product_sign_o
);

  localparam int unsigned Frame = 3 * Sig + 4;
  localparam int unsigned Shift = $clog2(Frame);
  localparam int unsigned Upper = 1 << (Shift - 1);  // of the frame, in which the sum's first bit nearly always is
  localparam int unsigned Rest  = Frame - Upper;
  localparam int unsigned RestShift = $clog2(Rest);

  `include "fp_number.svh"
  // What is known before the sum, and goes past it.
  typedef struct packed {
    logic           en;
    logic           product_sign;
    logic [Exp-1:0] product_exp;
    logic [Exp-1:0] exp;        // of the frame
    logic           sticky;     // of what goes beyond it
    logic           subtract;
    logic           zero_sign;  // of an exact zero
    logic           inf;
    logic           inf_sign;
    logic           nan;
  } beside_t;

  // ---- The product, and the addend in its place
  number_t          a, b, c;
  beside_t          beside;
  logic [2*Sig-1:0] product;
  logic             product_zero, product_inf;
  logic             addend_leads;  // the addend is at the top of the frame
  logic [Exp-1:0]   distance;      // from there down to its place
  logic [Shift-1:0] shift;
  logic [Frame-1:0] addend;
  logic [Shift-1:0] below;         // places by which the addend goes beyond the frame
  logic [Sig-1:0]   lost;

  assign a = a_i;
  assign b = b_i;
  assign c = c_i;

  always_comb begin
    beside       = '0;
    product      = '0;
    product_zero = '0;
    product_inf  = '0;
    distance     = '0;
    addend_leads = '0;
    shift        = '0;
    addend       = '0;
    below        = '0;
    lost         = '0;
    if (en_i) begin
      product             = (2 * Sig)'(a.sig) * (2 * Sig)'(b.sig);
      product_zero        = a.zero | b.zero;
      product_inf         = a.inf | b.inf;
      beside.en           = 1'b1;
      beside.product_exp  = a.exp + b.exp;
      beside.product_sign = a.sign ^ b.sign;
      distance     = beside.product_exp + Exp'(Sig + 3) - c.exp;
      addend_leads = (distance[Exp-1] | product_zero) & ~c.zero;
      shift        = addend_leads ? '0 : (distance > Exp'(Frame)) ? Shift'(Frame) : distance[Shift-1:0];
      addend       = {c.sig, {(2 * Sig + 4){1'b0}}} >> shift;
      below        = (shift > Shift'(2 * Sig + 4)) ? shift - Shift'(2 * Sig + 4) : '0;
      lost         = c.sig & ~({Sig{1'b1}} << below);
      beside.exp       = addend_leads ? c.exp : beside.product_exp + Exp'(Sig + 3);
      beside.sticky    = lost != '0;
      beside.subtract  = beside.product_sign ^ c.sign;
      beside.zero_sign = round_i == fpu_pkg::RoundDown;
      beside.inf       = product_inf | c.inf;
      beside.inf_sign  = product_inf ? beside.product_sign : c.sign;
      beside.nan       = a.nan | b.nan | (product_zero & product_inf) | c.nan | (product_inf & c.inf & beside.subtract);
    end
  end

  beside_t          beside_1;
  logic [2*Sig-1:0] product_1;
  logic [Frame-1:0] addend_1;
  fp_cut #(.Width($bits(beside)), .Count(CutProduct)) u_beside_1 (.clk_i, .d_i(beside), .q_o(beside_1));
  fp_cut #(.Width(2 * Sig), .Count(CutProduct)) u_product_1 (.clk_i, .d_i(product), .q_o(product_1));
  fp_cut #(.Width(Frame), .Count(CutProduct)) u_addend_1 (.clk_i, .d_i(addend), .q_o(addend_1));

  // ---- The sum. Both differences at once: the other one is there when the first turns out to be negative.
  logic [Frame:0]   difference;
  logic [Frame-1:0] reverse, magnitude;
  logic             negative;

  always_comb begin
    difference = '0;
    reverse    = '0;
    negative   = '0;
    magnitude  = '0;
    if (beside_1.en) begin
      // An addend that has lost bits is smaller than the product, so that the difference is not negative then.
      difference = beside_1.subtract ? (Frame + 1)'({product_1, 2'b00}) - {1'b0, addend_1} - (Frame + 1)'(beside_1.sticky)
                                     : (Frame + 1)'({product_1, 2'b00}) + {1'b0, addend_1};
      negative   = beside_1.subtract & difference[Frame];
      reverse    = addend_1 - Frame'({product_1, 2'b00});
      magnitude  = negative ? reverse : difference[Frame-1:0];
    end
  end

  beside_t          beside_2;
  logic             negative_2;
  logic [Frame-1:0] magnitude_2;
  fp_cut #(.Width($bits(beside)), .Count(CutSum)) u_beside_2 (.clk_i, .d_i(beside_1), .q_o(beside_2));
  fp_cut #(.Width(2 * Sig), .Count(CutSum)) u_product_2 (.clk_i, .d_i(product_1), .q_o(product_o));
  fp_cut #(.Width(Frame + 1), .Count(CutSum)) u_magnitude_2 (
    .clk_i, .d_i({negative, magnitude}), .q_o({negative_2, magnitude_2})
  );
  assign product_exp_o  = beside_2.product_exp;
  assign product_sign_o = beside_2.product_sign;

  // ---- The sum's first bit: in the upper part, as nearly always, or in the rest.
  logic                 in_upper;
  logic [Shift-2:0]     upper_lead;
  logic [RestShift-1:0] rest_lead;
  logic [Upper-1:0]     upper_normal;
  logic [Rest-1:0]      rest_normal;
  logic [Frame-1:0]     normal;
  logic [Shift-1:0]     lead;
  exact_t               exact;
  assign in_upper = magnitude_2[Frame-1:Rest] != '0;

  fp_normalise #(.Width(Upper), .Stages(Shift - 1)) u_normalise_upper (
    .en_i   (beside_2.en & in_upper),
    .value_i(magnitude_2[Frame-1:Rest]),
    .value_o(upper_normal),
    .count_o(upper_lead)
  );
  fp_normalise #(.Width(Rest), .Stages(RestShift)) u_normalise_rest (
    .en_i   (beside_2.en & ~in_upper),
    .value_i(magnitude_2[Rest-1:0]),
    .value_o(rest_normal),
    .count_o(rest_lead)
  );

  always_comb begin
    normal = '0;
    lead   = '0;
    if (beside_2.en) begin
      if (in_upper) begin
        lead   = {1'b0, upper_lead};
        normal = {upper_normal, {Rest{1'b0}}} | (Frame'(magnitude_2[Rest-1:0]) << upper_lead);
      end else begin
        lead   = Shift'(Upper) | Shift'(rest_lead);
        normal = {rest_normal, {Upper{1'b0}}};
      end
    end
  end

  always_comb begin
    nan_o = '0;
    inf_o = '0;
    exact = '0;
    if (beside_2.en) begin
      nan_o        = beside_2.nan;
      inf_o        = beside_2.inf;
      exact.sign   = beside_2.product_sign ^ negative_2;
      exact.exp    = beside_2.exp - Exp'(lead);
      exact.sig    = normal[Frame-1:2*Sig+4];
      exact.guard  = normal[2*Sig+3];
      exact.sticky = (normal[2*Sig+2:0] != '0) | beside_2.sticky;
      if (magnitude_2 == '0 & beside_2.subtract) exact.sign = beside_2.zero_sign;
      if (beside_2.inf) exact.sign = beside_2.inf_sign;
    end
  end
  assign sum_o = exact;

endmodule
