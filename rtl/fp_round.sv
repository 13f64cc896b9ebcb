// SPDX-License-Identifier: Apache-2.0
// Rounds an exact result to a number: overflow, denormal results and their flushing included.
//
// Combinational. A flushed result is one that would still be below the smallest normal number if it were rounded with
// an exponent without limits: what the host's SSE unit does, and with it the reference model. A sig of zero is a zero.
// (ISA document, 3.6 "Mode Register", FP_ROUND and FP_DENORM)
module fp_round #(
  parameter int unsigned Field = 8,   // bits of the result's exponent field,
  parameter int unsigned Exp   = 10,  // of the exact exponent
  parameter int unsigned Sig   = 24   // and of the significand
) (
  input  logic                 en_i,     // 0: nothing is computed, all outputs are 0
  input  logic [Exp+Sig+2:0]   exact_i,  // fpu_pkg::exact_t, in the format's widths
  input  logic                 inf_i,    // infinity, of exact_i's sign
  input  logic [1:0]           round_i,
  input  logic                 flush_i,  // denormal results become zero
  output logic [Field+Sig-1:0] result_o
);

  localparam int unsigned Bias   = (1 << (Field - 1)) - 1;
  localparam int unsigned Shift  = $clog2(Sig + 2);
  localparam int unsigned Number = Exp + Sig - 1;  // exponent and fraction, and the exponent's room for overflow

  localparam logic [Field+Sig-2:0] Infinity = {{Field{1'b1}}, {(Sig - 1){1'b0}}};
  localparam logic [Field+Sig-2:0] Largest  = {{(Field - 1){1'b1}}, 1'b0, {(Sig - 1){1'b1}}};

  `include "fp_number.svh"

  exact_t            exact;
  logic [Exp:0]      below;      // how far the exponent lies under that of the smallest normal number
  logic              subnormal;  // it does
  logic [Shift-1:0]  shift;
  logic [Sig:0]      shifted;    // sig and guard in their final places
  logic [Sig:0]      lost;       // what was shifted out, left-aligned
  logic              sticky;
  logic              away;
  logic [Exp-1:0]    base;       // exponent field, less the hidden bit that the significand adds
  logic [Number-1:0] packed_up;  // exponent and fraction after rounding, which carries from one into the other
  logic              tiny;
  logic              overflow;

  assign exact = exact_i;

  always_comb begin
    below     = '0;
    subnormal = '0;
    shift     = '0;
    shifted   = '0;
    lost      = '0;
    sticky    = '0;
    away      = '0;
    base      = '0;
    packed_up = '0;
    overflow  = '0;
    tiny      = '0;
    result_o  = '0;
    if (en_i) begin
      below     = (Exp + 1)'(1) - (Exp + 1)'(Bias) - {exact.exp[Exp-1], exact.exp};
      subnormal = ~below[Exp] & (below != '0);
      shift     = ~subnormal ? '0 : (below > (Exp + 1)'(Sig + 1)) ? Shift'(Sig + 1) : below[Shift-1:0];
      {shifted, lost} = {exact.sig, exact.guard, {(Sig + 1){1'b0}}} >> shift;
      sticky = exact.sticky | (lost != '0);
      away   = fpu_pkg::rounds_away(round_i, exact.sign, shifted[1], shifted[0], sticky);
      base      = subnormal ? '0 : exact.exp + Exp'(Bias - 1);
      packed_up = {base, {(Sig - 1){1'b0}}} + Number'(shifted[Sig:1]) + Number'(away);
      overflow  = packed_up[Number-1:Sig-1] >= Exp'((1 << Field) - 1);
      // Just below the smallest normal number, and it rounds up to it even with all significant bits.
      tiny = subnormal & ~((below == (Exp + 1)'(1)) & (&exact.sig) &
                           fpu_pkg::rounds_away(round_i, exact.sign, 1'b1, exact.guard, exact.sticky));
      result_o = {exact.sign, packed_up[Field+Sig-2:0]};
      if (exact.sig == '0) begin
        result_o = {exact.sign, {(Field + Sig - 1){1'b0}}};
      end else if (overflow) begin
        result_o = {exact.sign, fpu_pkg::overflows_to_infinity(round_i, exact.sign) ? Infinity : Largest};
      end else if (tiny & flush_i) begin
        result_o = {exact.sign, {(Field + Sig - 1){1'b0}}};
      end
      if (inf_i) result_o = {exact.sign, Infinity};
    end
  end

endmodule
