// SPDX-License-Identifier: Apache-2.0
// Minimum, maximum and median of two or three numbers, by their bit patterns as integers: denormals count in every mode
// and -0 is below +0. A NaN loses against a number; in IEEE mode a signalling one wins, made quiet.
//
// Combinational. (ISA document, chapter 12, V_MIN_F32, V_MAX3_F32, V_MED3_F32)
module fp_minmax #(
  parameter int unsigned Field = 8,  // bits of the exponent field
  parameter int unsigned Sig   = 24  // and of the significand
) (
  input  logic                 en_i,       // 0: nothing is computed, all outputs are 0
  input  logic [Field+Sig-1:0] a_i,
  input  logic [Field+Sig-1:0] b_i,
  input  logic [Field+Sig-1:0] c_i,
  input  logic                 ieee_i,
  input  logic                 largest_i,  // maximum instead of minimum; no median then
  output logic [Field+Sig-1:0] of_two_o,
  output logic [Field+Sig-1:0] of_three_o,
  output logic [Field+Sig-1:0] median_o
);

  localparam int unsigned Sign = Field + Sig - 1;
  localparam logic [Sign:0]   Quiet    = {{(Field + 1){1'b0}}, 1'b1, {(Sig - 2){1'b0}}};
  localparam logic [Sign-1:0] Infinity = {{Field{1'b1}}, {(Sig - 1){1'b0}}};

  function automatic logic is_nan(logic [Sign-1:0] magnitude);
    is_nan = magnitude > Infinity;
  endfunction

  // Orders patterns: sign and magnitude to an unsigned number.
  function automatic logic [Sign:0] key(logic [Sign:0] x);
    key = x ^ {1'b1, {Sign{x[Sign]}}};
  endfunction

  function automatic logic [Sign:0] pick(logic [Sign:0] a, logic [Sign:0] b, logic first, logic ieee);
    pick = first ? a : b;
    if (is_nan(b[Sign-1:0])) pick = a;
    if (is_nan(a[Sign-1:0])) pick = b;
    if (ieee & is_nan(b[Sign-1:0]) & ~b[Sig-2]) pick = b | Quiet;
    if (ieee & is_nan(a[Sign-1:0]) & ~a[Sig-2]) pick = a | Quiet;
  endfunction

  logic a_below_b, a_above_b, of_two_first, of_three_first;
  // The larger of the smaller of a and b, and of the smaller of c and the larger of a and b.
  logic [Sign:0] low, high, upper;

  always_comb begin
    a_below_b      = '0;
    a_above_b      = '0;
    of_two_first   = '0;
    of_two_o       = '0;
    of_three_first = '0;
    of_three_o     = '0;
    low            = '0;
    high           = '0;
    upper          = '0;
    median_o       = '0;
    if (en_i) begin
      a_below_b    = key(a_i) < key(b_i);
      a_above_b    = key(a_i) > key(b_i);
      of_two_first = largest_i ? a_above_b : a_below_b;
      of_two_o     = pick(a_i, b_i, of_two_first, ieee_i);
      of_three_first = largest_i ? key(of_two_o) > key(c_i) : key(of_two_o) < key(c_i);
      of_three_o     = pick(of_two_o, c_i, of_three_first, ieee_i);
      low   = a_below_b ? a_i : b_i;
      high  = a_below_b ? b_i : a_i;
      upper = (key(high) < key(c_i)) ? high : c_i;
      median_o = (key(low) > key(upper)) ? low : upper;
      if (is_nan(a_i[Sign-1:0]) | is_nan(b_i[Sign-1:0]) | is_nan(c_i[Sign-1:0])) median_o = of_three_o;
    end
  end

endmodule
