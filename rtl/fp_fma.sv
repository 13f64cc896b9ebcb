// a * b + c exactly, up to what rounding needs to know. The product is for the last step of a division as well.
//
// Combinational. Sums lie in a frame of 76 bits: the product in [49:2], the addend, by its exponent, from [75:52]
// downwards. An addend further up leaves the product in its place, where it still is below the last bit that counts; of
// one further down a sticky bit remains. (ISA document, chapter 12, V_FMA_F32)
module fp_fma (
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
  logic [75:0] addend, lost;
  logic        sticky;
  logic        subtract;
  logic [76:0] difference;
  logic        negative;
  logic [75:0] magnitude, normal;
  logic [6:0]  lead;

  assign product_o      = a_i.sig * b_i.sig;
  assign product_exp_o  = a_i.exp + b_i.exp;
  assign product_sign_o = a_i.sign ^ b_i.sign;
  assign product_zero   = a_i.zero | b_i.zero;
  assign product_inf    = a_i.inf | b_i.inf;
  assign product_nan    = a_i.nan | b_i.nan | (product_zero & product_inf);

  assign distance     = product_exp_o + 10'd27 - c_i.exp;
  assign addend_leads = (distance[9] | product_zero) & ~c_i.zero;
  assign shift        = addend_leads ? 7'd0 : (distance > 10'd76) ? 7'd76 : distance[6:0];
  assign {addend, lost} = {c_i.sig, 128'd0} >> shift;
  assign sticky       = lost != '0;

  // An addend that has lost bits is smaller than the product, so that the difference is not negative then.
  assign subtract   = product_sign_o ^ c_i.sign;
  assign difference = subtract ? {27'd0, product_o, 2'b00} - {1'b0, addend} - {76'd0, sticky}
                               : {27'd0, product_o, 2'b00} + {1'b0, addend};
  assign negative   = subtract & difference[76];
  assign magnitude  = negative ? -difference[75:0] : difference[75:0];

  fp_normalise #(.Width(76), .Stages(7)) u_normalise (
    .value_i(magnitude),
    .value_o(normal),
    .count_o(lead)
  );

  assign nan_o = product_nan | c_i.nan | (product_inf & c_i.inf & subtract);
  assign inf_o = product_inf | c_i.inf;

  always_comb begin
    sum_o.sign   = product_sign_o ^ negative;
    sum_o.exp    = (addend_leads ? c_i.exp : product_exp_o + 10'd27) - {3'd0, lead};
    sum_o.sig    = normal[75:52];
    sum_o.guard  = normal[51];
    sum_o.sticky = (normal[50:0] != '0) | sticky;
    if (magnitude == '0 & subtract) sum_o.sign = round_i == fpu_pkg::RoundDown;
    if (c_i.inf) sum_o.sign = c_i.sign;
    if (product_inf) sum_o.sign = product_sign_o;
  end

endmodule
