// SPDX-License-Identifier: Apache-2.0
// Bits of 2/pi for the argument reduction of sine and cosine: segment number `segment_i` of 53 bits, counted from the
// bit of x's exponent, with its weight.
//
// Combinational. (ISA document, chapter 12, V_TRIG_PREOP_F64)
module fp_two_over_pi (
  input  logic        en_i,         // 0: nothing is computed, all outputs are 0
  input  logic [10:0] field_i,      // x's exponent field
  input  logic [4:0]  segment_i,
  output logic [52:0] magnitude_o,
  output logic [12:0] scale_o       // signed: the segment is magnitude_o * 2^scale_o
);

  // The first 1201 bits of the fraction of 2/pi; zeros after them.
  localparam logic [1215:0] TwoOverPi = {
    64'ha2f9836e4e441529, 64'hfc2757d1f534ddc0, 64'hdb6295993c439041, 64'hfe5163abdebbc561, 64'hb7246e3a424dd2e0,
    64'h06492eea09d1921c, 64'hfe1deb1cb129a73e, 64'he88235f52ebb4484, 64'he99c7026b45f7e41, 64'h3991d639835339f4,
    64'h9c845f8bbdf9283b, 64'h1ff897ffde05980f, 64'hef2f118b5a0a6d1f, 64'h6d367ecf27cb09b7, 64'h4f463f669e5fea2d,
    64'h7527bac7ebe5f17b, 64'h3d0739f78a5292ea, 64'h6bfb5fb11f8d5d08, 64'h56033046fc7b0000};

  logic [11:0] shift;

  always_comb begin
    shift       = '0;
    magnitude_o = '0;
    scale_o     = '0;
    if (en_i) begin
      shift = {7'd0, segment_i} * 12'd53;
      if (field_i > 11'd1077) shift = shift + {1'b0, field_i - 11'd1077};
      magnitude_o = 53'((TwoOverPi << shift) >> 1163);
      scale_o     = -13'd53 - {1'b0, shift} + ((field_i >= 11'd1968) ? 13'd128 : 13'd0);
    end
  end

endmodule
