// SPDX-License-Identifier: Apache-2.0
// Between double and single precision: a double rounded, and a single-precision number as a double. A NaN keeps what
// both formats have of its payload, and becomes quiet.
//
// Combinational. MODE's single-precision fields rule both. (ISA document, chapter 12, V_CVT_F32_F64, V_CVT_F64_F32)
module fp_double_single (
  input  logic        narrow_i,     // with neither, nothing is computed, and all outputs are 0
  input  logic        widen_i,
  input  logic [69:0] double_i,     // fpu_pkg::number_t, in double precision's widths
  input  logic [31:0] single_i,
  input  logic [1:0]  round_i,
  input  logic [1:0]  denorm_i,     // bit 0: denormal inputs are kept, bit 1: denormal results are
  output logic [31:0] single_o,
  output logic [63:0] double_o
);

  localparam int unsigned Exp = 13, Sig = 53;
  `include "fp_number.svh"

  number_t          from;
  fpu_pkg::number_t single;
  logic [31:0]      rounded;

  assign from = double_i;

  fp_round #(.Field(8), .Exp(13), .Sig(24)) u_round (
    .en_i(narrow_i), .exact_i({from.sign, from.exp, from.sig[52:28], from.sig[27:0] != '0}), .inf_i(from.inf),
    .round_i, .flush_i(~denorm_i[1]), .result_o(rounded)
  );
  fp_unpack u_unpack (.en_i(widen_i), .bits_i(single_i), .flush_i(~denorm_i[0]), .number_o(single));

  always_comb begin
    single_o = '0;
    double_o = '0;
    if (narrow_i) single_o = from.nan ? {from.sign, 9'h1ff, from.sig[50:29]} : rounded;
    if (widen_i) begin
      double_o = {single.sign, {single.exp[9], single.exp} + 11'd1023, single.sig[22:0], 29'd0};
      if (single.zero) double_o = {single.sign, 63'd0};
      if (single.inf) double_o = {single.sign, 11'h7ff, 52'd0};
      if (single.nan) double_o = {single.sign, 12'hfff, single.sig[21:0], 29'd0};
    end
  end

  logic unused;
  assign unused = from.zero ^ single.sig[23];

endmodule
