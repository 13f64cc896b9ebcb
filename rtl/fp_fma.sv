// a * b + c exactly, up to what rounding needs to know. The product is for the last step of a division as well.
//
// Combinational. Sums lie in a frame of three significands and four bits: the product, with two bits below it, and the
// addend, by its exponent, from the top of the frame downwards. An addend further up leaves the product in its place,
// where it still is below the last bit that counts; of one further down a sticky bit remains.
// (ISA document, chapter 12, V_FMA_F32)
module fp_fma #(
  parameter int unsigned Exp = 10,  // bits of the exponent: enough for the product's with Sig + 3 to either side
  parameter int unsigned Sig = 24   // and of the significand
) (
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

  typedef struct packed {
    logic           sign;
    logic           zero;
    logic           inf;
    logic           nan;
    logic [Exp-1:0] exp;
    logic [Sig-1:0] sig;
  } number_t;
  typedef struct packed {
    logic           sign;
    logic [Exp-1:0] exp;
    logic [Sig-1:0] sig;
    logic           guard;
    logic           sticky;
  } exact_t;

  number_t          a, b, c;
  exact_t           exact;
  logic             product_zero, product_inf, product_nan;
  logic             addend_leads;  // the addend is at the top of the frame
  logic [Exp-1:0]   distance;      // from there down to its place
  logic [Shift-1:0] shift;
  logic [Frame-1:0] addend;
  logic [Shift-1:0] below;         // places by which the addend goes beyond the frame
  logic [Sig-1:0]   lost;
  logic             sticky;
  logic             subtract;
  logic [Frame:0]   difference;
  logic             negative;
  logic [Frame-1:0] magnitude, normal;
  logic [Shift-1:0] lead;

  assign a = a_i;
  assign b = b_i;
  assign c = c_i;

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
      product_o      = (2 * Sig)'(a.sig) * (2 * Sig)'(b.sig);
      product_exp_o  = a.exp + b.exp;
      product_sign_o = a.sign ^ b.sign;
      product_zero   = a.zero | b.zero;
      product_inf    = a.inf | b.inf;
      product_nan    = a.nan | b.nan | (product_zero & product_inf);
      distance     = product_exp_o + Exp'(Sig + 3) - c.exp;
      addend_leads = (distance[Exp-1] | product_zero) & ~c.zero;
      shift        = addend_leads ? '0 : (distance > Exp'(Frame)) ? Shift'(Frame) : distance[Shift-1:0];
      addend       = {c.sig, {(2 * Sig + 4){1'b0}}} >> shift;
      below        = (shift > Shift'(2 * Sig + 4)) ? shift - Shift'(2 * Sig + 4) : '0;
      lost         = c.sig & ~({Sig{1'b1}} << below);
      sticky       = lost != '0;
      // An addend that has lost bits is smaller than the product, so that the difference is not negative then.
      subtract   = product_sign_o ^ c.sign;
      difference = subtract ? (Frame + 1)'({product_o, 2'b00}) - {1'b0, addend} - (Frame + 1)'(sticky)
                            : (Frame + 1)'({product_o, 2'b00}) + {1'b0, addend};
      negative   = subtract & difference[Frame];
      magnitude  = negative ? -difference[Frame-1:0] : difference[Frame-1:0];
    end
  end

  // The sum's first bit: in the upper part, as nearly always, or in the rest.
  logic                 in_upper;
  logic [Shift-2:0]     upper_lead;
  logic [RestShift-1:0] rest_lead;
  logic [Upper-1:0]     upper_normal;
  logic [Rest-1:0]      rest_normal;
  assign in_upper = magnitude[Frame-1:Rest] != '0;

  fp_normalise #(.Width(Upper), .Stages(Shift - 1)) u_normalise_upper (
    .en_i   (en_i & in_upper),
    .value_i(magnitude[Frame-1:Rest]),
    .value_o(upper_normal),
    .count_o(upper_lead)
  );
  fp_normalise #(.Width(Rest), .Stages(RestShift)) u_normalise_rest (
    .en_i   (en_i & ~in_upper),
    .value_i(magnitude[Rest-1:0]),
    .value_o(rest_normal),
    .count_o(rest_lead)
  );

  always_comb begin
    normal = '0;
    lead   = '0;
    if (en_i) begin
      if (in_upper) begin
        lead   = {1'b0, upper_lead};
        normal = {upper_normal, {Rest{1'b0}}} | (Frame'(magnitude[Rest-1:0]) << upper_lead);
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
    if (en_i) begin
      nan_o = product_nan | c.nan | (product_inf & c.inf & subtract);
      inf_o = product_inf | c.inf;
      exact.sign   = product_sign_o ^ negative;
      exact.exp    = (addend_leads ? c.exp : product_exp_o + Exp'(Sig + 3)) - Exp'(lead);
      exact.sig    = normal[Frame-1:2*Sig+4];
      exact.guard  = normal[2*Sig+3];
      exact.sticky = (normal[2*Sig+2:0] != '0) | sticky;
      if (magnitude == '0 & subtract) exact.sign = round_i == fpu_pkg::RoundDown;
      if (c.inf) exact.sign = c.sign;
      if (product_inf) exact.sign = product_sign_o;
    end
  end
  assign sum_o = exact;

endmodule
