// a * b + c exactly, up to what rounding needs to know. The product is for the last step of a division as well.
//
// Combinational. Sums lie in a frame of 76 bits: the product in [49:2], the addend, by its exponent, from [75:52]
// downwards. An addend further up leaves the product in its place, where it still is below the last bit that counts; of
// one further down a sticky bit remains. (ISA document, chapter 12, V_FMA_F32)
module fp_fma (
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

  logic        product_zero, product_inf, product_nan;
  logic        addend_leads;  // the addend is at the top of the frame
  logic [9:0]  distance;      // from there down to its place
  logic [6:0]  shift;
  logic [75:0] addend;
  logic [6:0]  below;         // places by which the addend goes beyond the frame
  logic [23:0] lost;
  logic        sticky;
  logic        subtract;
  logic [76:0] difference;
  logic        negative;
  logic [75:0] magnitude, normal;
  logic [6:0]  lead;

  always_comb begin
    product_o      = '0;
    product_exp_o  = '0;
    product_sign_o = '0;
    product_zero   = '0;
    product_inf    = '0;
    product_nan    = '0;
    distance       = '0;
    addend_leads   = '0;
    shift          = '0;
    addend         = '0;
    below          = '0;
    lost           = '0;
    sticky         = '0;
    subtract       = '0;
    difference     = '0;
    negative       = '0;
    magnitude      = '0;
    if (en_i) begin
      product_o      = a_i.sig * b_i.sig;
      product_exp_o  = a_i.exp + b_i.exp;
      product_sign_o = a_i.sign ^ b_i.sign;
      product_zero   = a_i.zero | b_i.zero;
      product_inf    = a_i.inf | b_i.inf;
      product_nan    = a_i.nan | b_i.nan | (product_zero & product_inf);
      distance     = product_exp_o + 10'd27 - c_i.exp;
      addend_leads = (distance[9] | product_zero) & ~c_i.zero;
      shift        = addend_leads ? 7'd0 : (distance > 10'd76) ? 7'd76 : distance[6:0];
      addend       = {c_i.sig, 52'd0} >> shift;
      below        = (shift > 7'd52) ? shift - 7'd52 : 7'd0;
      lost         = c_i.sig & ~(24'hffffff << below);
      sticky       = lost != '0;
      // An addend that has lost bits is smaller than the product, so that the difference is not negative then.
      subtract   = product_sign_o ^ c_i.sign;
      difference = subtract ? {27'd0, product_o, 2'b00} - {1'b0, addend} - {76'd0, sticky}
                            : {27'd0, product_o, 2'b00} + {1'b0, addend};
      negative   = subtract & difference[76];
      magnitude  = negative ? -difference[75:0] : difference[75:0];
    end
  end

  // The sum's first bit: among the upper 64, as nearly always, or among the rest.
  logic        in_upper;
  logic [5:0]  upper_lead;
  logic [3:0]  rest_lead;
  logic [63:0] upper_normal;
  logic [11:0] rest_normal;
  assign in_upper = magnitude[75:12] != '0;

  fp_normalise #(.Width(64), .Stages(6)) u_normalise_upper (
    .en_i   (en_i & in_upper),
    .value_i(magnitude[75:12]),
    .value_o(upper_normal),
    .count_o(upper_lead)
  );
  fp_normalise #(.Width(12), .Stages(4)) u_normalise_rest (
    .en_i   (en_i & ~in_upper),
    .value_i(magnitude[11:0]),
    .value_o(rest_normal),
    .count_o(rest_lead)
  );

  always_comb begin
    normal = '0;
    lead   = '0;
    if (en_i) begin
      if (in_upper) begin
        lead   = {1'b0, upper_lead};
        normal = {upper_normal, 12'd0} | ({64'd0, magnitude[11:0]} << upper_lead);
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
    if (en_i) begin
      nan_o = product_nan | c_i.nan | (product_inf & c_i.inf & subtract);
      inf_o = product_inf | c_i.inf;
      sum_o.sign   = product_sign_o ^ negative;
      sum_o.exp    = (addend_leads ? c_i.exp : product_exp_o + 10'd27) - {3'd0, lead};
      sum_o.sig    = normal[75:52];
      sum_o.guard  = normal[51];
      sum_o.sticky = (normal[50:0] != '0) | sticky;
      if (magnitude == '0 & subtract) sum_o.sign = round_i == fpu_pkg::RoundDown;
      if (c_i.inf) sum_o.sign = c_i.sign;
      if (product_inf) sum_o.sign = product_sign_o;
    end
  end

endmodule
