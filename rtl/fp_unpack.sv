// SPDX-License-Identifier: Apache-2.0
// Takes a number apart (fpu_pkg::number_t, in the format's widths); denormals come out normalised, or as zero where
// flushed.
//
// Combinational. (ISA document, 3.6 "Mode Register", FP_DENORM: input denormals)
module fp_unpack #(
  parameter int unsigned Field = 8,   // bits of the exponent field,
  parameter int unsigned Exp   = 10,  // of number_t's exponent
  parameter int unsigned Sig   = 24   // and of its significand
) (
  input  logic                 en_i,     // 0: nothing is computed, all outputs are 0
  input  logic [Field+Sig-1:0] bits_i,
  input  logic                 flush_i,  // denormals count as zero
  output logic [Exp+Sig+3:0]   number_o  // number_t
);

  localparam int unsigned Stages = $clog2(Sig);
  localparam int unsigned Bias   = (1 << (Field - 1)) - 1;

  `include "fp_number.svh"

  logic              field_zero, field_ones, fraction_zero, zero;
  logic [Field-1:0]  field;
  logic [Sig-2:0]    fraction;
  logic [Sig-1:0]    sig;
  logic [Stages-1:0] lead;
  number_t           number;

  assign field    = bits_i[Field+Sig-2:Sig-1];
  assign fraction = bits_i[Sig-2:0];

  always_comb begin
    field_zero    = '0;
    field_ones    = '0;
    fraction_zero = '0;
    zero          = '0;
    if (en_i) begin
      field_zero    = field == '0;
      field_ones    = &field;
      fraction_zero = fraction == '0;
      zero          = field_zero & (fraction_zero | flush_i);
    end
  end

  fp_normalise #(.Width(Sig), .Stages(Stages)) u_normalise (
    .en_i(en_i & field_zero),  // all others have their top bit set
    .value_i({1'b0, fraction}),
    .value_o(sig),
    .count_o(lead)
  );

  always_comb begin
    number = '0;
    if (en_i) begin
      number.sign = bits_i[Field+Sig-1];
      number.zero = zero;
      number.inf  = field_ones & fraction_zero;
      number.nan  = field_ones & ~fraction_zero;
      number.exp  = (field_zero ? Exp'(1) : Exp'(field)) - Exp'(Bias) - Exp'(lead);
      number.sig  = zero ? '0 : field_zero ? sig : {1'b1, fraction};
    end
  end
  assign number_o = number;

endmodule
