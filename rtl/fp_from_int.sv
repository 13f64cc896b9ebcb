// SPDX-License-Identifier: Apache-2.0
// A whole number times a power of two, as an exact result: magnitude * 2^scale.
//
// Combinational. (ISA document, chapter 12, V_CVT_F32_U32 and others)
module fp_from_int #(
  parameter int unsigned Whole = 32,  // bits of the whole number,
  parameter int unsigned Exp   = 10,  // of the exponent
  parameter int unsigned Sig   = 24   // and of the significand
) (
  input  logic               en_i,      // 0: nothing is computed, all outputs are 0
  input  logic               sign_i,
  input  logic [Whole-1:0]   magnitude_i,
  input  logic [Exp-1:0]     scale_i,   // signed
  output logic [Exp+Sig+2:0] exact_o    // fpu_pkg::exact_t, in the format's widths
);

  localparam int unsigned Stages = $clog2(Whole);

  logic [Whole-1:0]     normal;
  logic [Whole+Sig+1:0] wide;  // at least guard and sticky are there
  logic [Stages-1:0]    lead;

  fp_normalise #(.Width(Whole), .Stages(Stages)) u_normalise (
    .en_i,
    .value_i(magnitude_i),
    .value_o(normal),
    .count_o(lead)
  );

  always_comb begin
    wide    = '0;
    exact_o = '0;
    if (en_i) begin
      wide    = {normal, {(Sig + 2){1'b0}}};
      exact_o = {sign_i, Exp'(Whole - 1) + scale_i - Exp'(lead), wide[Whole+Sig+1:Whole+2], wide[Whole+1],
                 wide[Whole:0] != '0};
    end
  end

endmodule
