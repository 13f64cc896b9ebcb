// a * b + c exactly, up to what rounding needs to know. The product is for the last step of a division as well.
//
// With registers behind the product and behind the sum where these are asked for; without, combinational. Sums lie in a
// frame of 76 bits: the product in [49:2], the addend, by its exponent, from [75:52] downwards. An addend further up
// leaves the product in its place, where it still is below the last bit that counts; of one further down a sticky bit
// remains. (ISA document, chapter 12, V_FMA_F32)
module fp_fma #(
  parameter int unsigned CutProduct = 0,  // 1: registers behind the product, beside it the addend in its place
  parameter int unsigned CutSum     = 0   // 1: registers behind the sum, before its first bit comes to the top
) (
  input  logic             clk_i,
  input  logic             en_i,           // 0: nothing is computed, all outputs are 0
  input  fpu_pkg::number_t a_i,
  input  fpu_pkg::number_t b_i,
  input  fpu_pkg::number_t c_i,
  input  logic [1:0]       round_i,        // for the sign of an exact zero
  output fpu_pkg::exact_t  sum_o,
  output logic             inf_o,          // infinity, of the sum's sign
  output logic             nan_o,          // a source is a NaN, or the operation is invalid
  output logic [47:0]      product_o,      // its lowest bit weighs 2^(product_exp_o - 46)
  output logic [9:0]       product_exp_o,
  output logic             product_sign_o
);

  // What is known before the sum, and goes past it.
  typedef struct packed {
    logic       en;
    logic       product_sign;
    logic [9:0] product_exp;
    logic [9:0] exp;        // of the frame
    logic       sticky;     // of what goes beyond it
    logic       subtract;
    logic       zero_sign;  // of an exact zero
    logic       inf;
    logic       inf_sign;
    logic       nan;
  } beside_t;

  // ---- The product, and the addend in its place
  beside_t     beside;
  logic [47:0] product;
  logic        product_zero, product_inf;
  logic        addend_leads;  // the addend is at the top of the frame
  logic [9:0]  distance;      // from there down to its place
  logic [6:0]  shift;
  logic [75:0] addend;
  logic [6:0]  below;         // places by which the addend goes beyond the frame
  logic [23:0] lost;

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
      product             = a_i.sig * b_i.sig;
      product_zero        = a_i.zero | b_i.zero;
      product_inf         = a_i.inf | b_i.inf;
      beside.en           = 1'b1;
      beside.product_exp  = a_i.exp + b_i.exp;
      beside.product_sign = a_i.sign ^ b_i.sign;
      distance     = beside.product_exp + 10'd27 - c_i.exp;
      addend_leads = (distance[9] | product_zero) & ~c_i.zero;
      shift        = addend_leads ? 7'd0 : (distance > 10'd76) ? 7'd76 : distance[6:0];
      addend       = {c_i.sig, 52'd0} >> shift;
      below        = (shift > 7'd52) ? shift - 7'd52 : 7'd0;
      lost         = c_i.sig & ~(24'hffffff << below);
      beside.exp       = addend_leads ? c_i.exp : beside.product_exp + 10'd27;
      beside.sticky    = lost != '0;
      beside.subtract  = beside.product_sign ^ c_i.sign;
      beside.zero_sign = round_i == fpu_pkg::RoundDown;
      beside.inf       = product_inf | c_i.inf;
      beside.inf_sign  = product_inf ? beside.product_sign : c_i.sign;
      beside.nan       = a_i.nan | b_i.nan | (product_zero & product_inf) | c_i.nan |
                         (product_inf & c_i.inf & beside.subtract);
    end
  end

  beside_t     beside_1;
  logic [47:0] product_1;
  logic [75:0] addend_1;
  fp_cut #(.Width($bits(beside)), .Count(CutProduct)) u_beside_1 (.clk_i, .d_i(beside), .q_o(beside_1));
  fp_cut #(.Width(48), .Count(CutProduct)) u_product_1 (.clk_i, .d_i(product), .q_o(product_1));
  fp_cut #(.Width(76), .Count(CutProduct)) u_addend_1 (.clk_i, .d_i(addend), .q_o(addend_1));

  // ---- The sum. Both differences at once: the other one is there when the first turns out to be negative.
  logic [76:0] difference;
  logic [75:0] reverse;
  logic        negative;
  logic [75:0] magnitude;

  always_comb begin
    difference = '0;
    reverse    = '0;
    negative   = '0;
    magnitude  = '0;
    if (beside_1.en) begin
      // An addend that has lost bits is smaller than the product, so that the difference is not negative then.
      difference = beside_1.subtract ? {27'd0, product_1, 2'b00} - {1'b0, addend_1} - {76'd0, beside_1.sticky}
                                     : {27'd0, product_1, 2'b00} + {1'b0, addend_1};
      negative   = beside_1.subtract & difference[76];
      reverse    = addend_1 - {26'd0, product_1, 2'b00};
      magnitude  = negative ? reverse : difference[75:0];
    end
  end

  beside_t     beside_2;
  logic        negative_2;
  logic [75:0] magnitude_2;
  fp_cut #(.Width($bits(beside)), .Count(CutSum)) u_beside_2 (.clk_i, .d_i(beside_1), .q_o(beside_2));
  fp_cut #(.Width(48), .Count(CutSum)) u_product_2 (.clk_i, .d_i(product_1), .q_o(product_o));
  fp_cut #(.Width(77), .Count(CutSum)) u_magnitude_2 (
    .clk_i, .d_i({negative, magnitude}), .q_o({negative_2, magnitude_2})
  );
  assign product_exp_o  = beside_2.product_exp;
  assign product_sign_o = beside_2.product_sign;

  // ---- The sum's first bit: among the upper 64, as nearly always, or among the rest.
  logic        in_upper;
  logic [5:0]  upper_lead;
  logic [3:0]  rest_lead;
  logic [63:0] upper_normal;
  logic [11:0] rest_normal;
  logic [75:0] normal;
  logic [6:0]  lead;
  assign in_upper = magnitude_2[75:12] != '0;

  fp_normalise #(.Width(64), .Stages(6)) u_normalise_upper (
    .en_i   (beside_2.en & in_upper),
    .value_i(magnitude_2[75:12]),
    .value_o(upper_normal),
    .count_o(upper_lead)
  );
  fp_normalise #(.Width(12), .Stages(4)) u_normalise_rest (
    .en_i   (beside_2.en & ~in_upper),
    .value_i(magnitude_2[11:0]),
    .value_o(rest_normal),
    .count_o(rest_lead)
  );

  always_comb begin
    normal = '0;
    lead   = '0;
    if (beside_2.en) begin
      if (in_upper) begin
        lead   = {1'b0, upper_lead};
        normal = {upper_normal, 12'd0} | ({64'd0, magnitude_2[11:0]} << upper_lead);
      end else begin
        lead   = {3'b100, rest_lead};
        normal = {rest_normal, 64'd0};
      end
    end
  end

  always_comb begin
    nan_o = '0;
    inf_o = '0;
    sum_o = '0;
    if (beside_2.en) begin
      nan_o        = beside_2.nan;
      inf_o        = beside_2.inf;
      sum_o.sign   = beside_2.product_sign ^ negative_2;
      sum_o.exp    = beside_2.exp - {3'd0, lead};
      sum_o.sig    = normal[75:52];
      sum_o.guard  = normal[51];
      sum_o.sticky = (normal[50:0] != '0) | beside_2.sticky;
      if (magnitude_2 == '0 & beside_2.subtract) sum_o.sign = beside_2.zero_sign;
      if (beside_2.inf) sum_o.sign = beside_2.inf_sign;
    end
  end

endmodule
