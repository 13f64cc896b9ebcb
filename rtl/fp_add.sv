// x + y exactly, up to what rounding needs to know.
//
// With registers behind the sum where these are asked for; without, combinational. The smaller magnitude is shifted to
// the larger one's place and keeps three bits more, the last of them sticky. (ISA document, chapter 12, V_ADD_F32)
module fp_add #(
  parameter int unsigned CutSum = 0  // 1: registers behind the sum, before its first bit comes to the top
) (
  input  logic             clk_i,
  input  logic             en_i,     // 0: nothing is computed, all outputs are 0
  input  fpu_pkg::number_t x_i,
  input  fpu_pkg::number_t y_i,
  input  logic [1:0]       round_i,  // for the sign of an exact zero
  output fpu_pkg::exact_t  sum_o,
  output logic             inf_o,    // infinity, of the sum's sign
  output logic             nan_o     // a source is a NaN, or the operation is invalid
);

  // What goes past the sum.
  typedef struct packed {
    logic       en;
    logic       sign;
    logic       zero_sign;  // of an exact zero
    logic [9:0] exp;
    logic       inf;
    logic       nan;
  } beside_t;

  beside_t     beside;
  logic        y_larger;
  logic [9:0]  distance;
  logic [23:0] greater, lesser;  // significands
  logic [4:0]  shift;
  logic [26:0] aligned, lost;
  logic        subtract;
  logic [27:0] sum;

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
      y_larger = x_i.zero | (~y_i.zero & ({~y_i.exp[9], y_i.exp[8:0], y_i.sig} >
                                          {~x_i.exp[9], x_i.exp[8:0], x_i.sig}));
      greater  = y_larger ? y_i.sig : x_i.sig;
      lesser   = y_larger ? x_i.sig : y_i.sig;
      distance = y_larger ? y_i.exp - x_i.exp : x_i.exp - y_i.exp;
      shift    = (distance > 10'd27) ? 5'd27 : distance[4:0];
      {aligned, lost} = {lesser, 30'd0} >> shift;
      subtract = x_i.sign ^ y_i.sign;
      sum = {1'b0, greater, 3'b000} + {1'b0, aligned[26:1], aligned[0] | (lost != '0)};
      if (subtract) sum = {1'b0, greater, 3'b000} - {1'b0, aligned[26:1], aligned[0] | (lost != '0)};
      beside.en        = 1'b1;
      beside.sign      = y_larger ? y_i.sign : x_i.sign;
      beside.zero_sign = subtract ? round_i == fpu_pkg::RoundDown : x_i.sign;
      beside.exp       = y_larger ? y_i.exp : x_i.exp;
      beside.inf       = x_i.inf | y_i.inf;
      beside.nan       = x_i.nan | y_i.nan | (x_i.inf & y_i.inf & subtract);
    end
  end

  beside_t     beside_1;
  logic [27:0] sum_1, normal;
  logic [4:0]  lead;
  fp_cut #(.Width($bits(beside)), .Count(CutSum)) u_beside (.clk_i, .d_i(beside), .q_o(beside_1));
  fp_cut #(.Width(28), .Count(CutSum)) u_sum (.clk_i, .d_i(sum), .q_o(sum_1));

  fp_normalise #(.Width(28), .Stages(5)) u_normalise (
    .en_i   (beside_1.en),
    .value_i(sum_1),
    .value_o(normal),
    .count_o(lead)
  );

  always_comb begin
    nan_o = '0;
    inf_o = '0;
    sum_o = '0;
    if (beside_1.en) begin
      nan_o        = beside_1.nan;
      inf_o        = beside_1.inf;
      sum_o.sign   = beside_1.sign;
      sum_o.exp    = beside_1.exp + 10'd1 - {5'd0, lead};
      sum_o.sig    = normal[27:4];
      sum_o.guard  = normal[3];
      sum_o.sticky = normal[2:0] != '0;
      if (sum_1 == '0) sum_o.sign = beside_1.zero_sign;
    end
  end

endmodule
