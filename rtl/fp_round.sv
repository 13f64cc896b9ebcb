// Rounds an exact result to single precision: overflow, denormal results and their flushing included.
//
// Combinational. A flushed result is one that would still be below the smallest normal number if it were rounded with
// an exponent without limits: what the host's SSE unit does, and with it the reference model. A sig of zero is a zero.
// (ISA document, 3.6 "Mode Register", FP_ROUND and FP_DENORM)
module fp_round (
  input  logic            en_i,     // 0: nothing is computed, all outputs are 0
  input  fpu_pkg::exact_t exact_i,
  input  logic            inf_i,    // infinity, of exact_i's sign
  input  logic [1:0]      round_i,
  input  logic            flush_i,  // denormal results become zero
  output logic [31:0]     result_o
);

  logic [10:0] below;      // how far the exponent lies under that of the smallest normal number
  logic        subnormal;  // it does
  logic [4:0]  shift;
  logic [24:0] shifted;    // sig and guard in their final places
  logic [24:0] lost;       // what was shifted out, left-aligned
  logic        sticky;
  logic        away;
  logic [9:0]  base;       // exponent field, less the hidden bit that the significand adds
  logic [32:0] packed_up;  // exponent and fraction after rounding, which carries from one into the other
  logic        tiny;
  logic        overflow;

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
      below     = -11'd126 - {exact_i.exp[9], exact_i.exp};
      subnormal = ~below[10] & (below != '0);
      shift     = ~subnormal ? 5'd0 : (below > 11'd25) ? 5'd25 : below[4:0];
      {shifted, lost} = {exact_i.sig, exact_i.guard, 25'd0} >> shift;
      sticky = exact_i.sticky | (lost != '0);
      away   = fpu_pkg::rounds_away(round_i, exact_i.sign, shifted[1], shifted[0], sticky);
      base      = subnormal ? 10'd0 : exact_i.exp + 10'd126;
      packed_up = {base, 23'd0} + {9'd0, shifted[24:1]} + {32'd0, away};
      overflow  = packed_up[32:23] >= 10'd255;
      // Just below the smallest normal number, and it rounds up to it even with 24 significant bits.
      tiny = subnormal & ~((below == 11'd1) & (&exact_i.sig) &
                           fpu_pkg::rounds_away(round_i, exact_i.sign, 1'b1, exact_i.guard, exact_i.sticky));
      result_o = {exact_i.sign, packed_up[30:0]};
      if (exact_i.sig == '0) begin
        result_o = {exact_i.sign, 31'd0};
      end else if (overflow) begin
        result_o = {exact_i.sign, fpu_pkg::overflows_to_infinity(round_i, exact_i.sign) ? 31'h7f800000 : 31'h7f7fffff};
      end else if (tiny & flush_i) begin
        result_o = {exact_i.sign, 31'd0};
      end
      if (inf_i) result_o = {exact_i.sign, 31'h7f800000};
    end
  end

endmodule
