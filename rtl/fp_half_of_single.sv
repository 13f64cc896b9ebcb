// SPDX-License-Identifier: Apache-2.0
// A single-precision number rounded to half precision. A NaN keeps the upper part of its payload, and becomes quiet.
//
// Combinational. (ISA document, chapter 12, V_CVT_F16_F32, V_CVT_PKRTZ_F16_F32)
module fp_half_of_single (
  input  logic             en_i,       // 0: nothing is computed, all outputs are 0
  input  fpu_pkg::number_t number_i,
  input  logic [1:0]       round_i,
  output logic [15:0]      half_o      // denormals are there
);

  logic [15:0] rounded;
  fp_round #(.Field(5), .Exp(10), .Sig(11)) u_round (
    .en_i, .exact_i({number_i.sign, number_i.exp, number_i.sig[23:12], number_i.sig[11:0] != '0}), .inf_i(number_i.inf),
    .round_i, .flush_i(1'b0), .result_o(rounded)
  );

  always_comb begin
    half_o = '0;
    if (en_i) half_o = number_i.nan ? {number_i.sign, 6'h3f, number_i.sig[21:13]} : rounded;
  end

  logic unused_zero;
  assign unused_zero = number_i.zero;

endmodule
