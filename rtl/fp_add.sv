// x + y exactly, up to what rounding needs to know.
//
// Combinational. The smaller magnitude is shifted to the larger one's place and keeps three bits more, the last of them
// sticky. (ISA document, chapter 12, V_ADD_F32)
module fp_add (
  input  logic             en_i,     // 0: nothing is computed, all outputs are 0
  input  fpu_pkg::number_t x_i,
  input  fpu_pkg::number_t y_i,
  input  logic [1:0]       round_i,  // for the sign of an exact zero
  output fpu_pkg::exact_t  sum_o,
  output logic             inf_o,    // infinity, of the sum's sign
  output logic             nan_o     // a source is a NaN, or the operation is invalid
);

  logic        y_larger;
  logic [9:0]  exp, distance;
  logic [23:0] greater, lesser;  // significands
  logic [4:0]  shift;
  logic [26:0] aligned, lost;
  logic        subtract;
  logic [27:0] sum, normal;
  logic [4:0]  lead;

  always_comb begin
    y_larger = '0;
    greater  = '0;
    lesser   = '0;
    exp      = '0;
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
      exp      = y_larger ? y_i.exp : x_i.exp;
      distance = y_larger ? y_i.exp - x_i.exp : x_i.exp - y_i.exp;
      shift    = (distance > 10'd27) ? 5'd27 : distance[4:0];
      {aligned, lost} = {lesser, 30'd0} >> shift;
      subtract = x_i.sign ^ y_i.sign;
      sum = {1'b0, greater, 3'b000} + {1'b0, aligned[26:1], aligned[0] | (lost != '0)};
      if (subtract) sum = {1'b0, greater, 3'b000} - {1'b0, aligned[26:1], aligned[0] | (lost != '0)};
    end
  end

  fp_normalise #(.Width(28), .Stages(5)) u_normalise (
    .en_i,
    .value_i(sum),
    .value_o(normal),
    .count_o(lead)
  );

  always_comb begin
    nan_o = '0;
    inf_o = '0;
    sum_o = '0;
    if (en_i) begin
      nan_o = x_i.nan | y_i.nan | (x_i.inf & y_i.inf & subtract);
      inf_o = x_i.inf | y_i.inf;
      sum_o.sign   = y_larger ? y_i.sign : x_i.sign;
      sum_o.exp    = exp + 10'd1 - {5'd0, lead};
      sum_o.sig    = normal[27:4];
      sum_o.guard  = normal[3];
      sum_o.sticky = normal[2:0] != '0;
      if (sum == '0) sum_o.sign = subtract ? round_i == fpu_pkg::RoundDown : x_i.sign;
    end
  end

endmodule
