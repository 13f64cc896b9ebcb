// A number rounded to a whole one, and that as a saturated integer; NaN is 0.
//
// Combinational. Numbers from 2^32 on have no fraction, and of them only `large_o` is told: the caller takes the number
// itself where it wants a floating-point result.
// (ISA document, chapter 12, V_TRUNC_F32, V_CVT_I32_F32 and others)
module fp_to_int (
  input  logic             en_i,        // 0: nothing is computed, all outputs are 0
  input  fpu_pkg::number_t number_i,
  input  logic             nearest_i,   // nearest even
  input  logic             up_i,        // towards +infinity
  input  logic             down_i,      // towards -infinity
  input  logic             half_up_i,   // nearest, halves towards +infinity. With none of the four: towards zero
  input  logic             signed_i,    // of integer_o
  output logic [31:0]      magnitude_o,
  output logic             large_o,
  output logic [31:0]      integer_o
);

  logic        below_half, half, sticky, away;
  logic [5:0]  shift;
  logic [31:0] whole;
  logic [23:0] fraction;

  always_comb begin
    large_o     = '0;
    below_half  = '0;
    shift       = '0;
    whole       = '0;
    fraction    = '0;
    half        = '0;
    sticky      = '0;
    away        = '0;
    magnitude_o = '0;
    integer_o   = '0;
    if (en_i) begin
      // 32 bits before and 24 after the point: exponents from -1 to 31.
      large_o    = number_i.inf | (~number_i.zero & ~number_i.exp[9] & (number_i.exp > 10'd31));
      below_half = number_i.zero | (number_i.exp[9] & (number_i.exp != 10'h3ff));
      shift      = (large_o | below_half) ? 6'd0 : number_i.exp[5:0] + 6'd1;
      {whole, fraction} = {32'd0, below_half ? 24'd0 : number_i.sig} << shift;
      half   = fraction[23];
      sticky = (fraction[22:0] != '0) | (below_half & ~number_i.zero);
      away   = (nearest_i & half & (sticky | whole[0])) | (up_i & ~number_i.sign & (half | sticky)) |
               (down_i & number_i.sign & (half | sticky)) | (half_up_i & half & (sticky | ~number_i.sign));
      magnitude_o = whole + {31'd0, away};
      integer_o = (signed_i & number_i.sign) ? -magnitude_o : magnitude_o;
      if (number_i.nan) begin
        integer_o = '0;
      end else if (signed_i) begin
        if (large_o | magnitude_o[31]) integer_o = number_i.sign ? 32'h80000000 : 32'h7fffffff;
      end else if (number_i.sign) begin
        integer_o = '0;
      end else if (large_o) begin
        integer_o = 32'hffffffff;
      end
    end
  end

endmodule
