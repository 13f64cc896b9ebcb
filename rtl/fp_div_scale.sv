// What v_div_scale_f32 does to its operand x, the divisor or the numerator of a quotient n / d.
//
// Combinational. Whether the quotient is denormal is decided without dividing: with significands of 24 bits only a few
// quotients lie so close to the smallest normal number that rounding reaches it.
// (ISA document, chapter 12, V_DIV_SCALE_F32)
module fp_div_scale (
  input  logic             en_i,          // 0: nothing is computed, all outputs are 0
  input  logic [30:0]      d_i,           // magnitude as it is
  input  logic [7:0]       n_field_i,     // exponent field
  input  fpu_pkg::number_t d_number_i,    // denormals flushed or not
  input  fpu_pkg::number_t n_number_i,
  input  logic             x_is_d_i,      // equal as numbers
  input  logic             x_is_n_i,
  input  logic [1:0]       round_i,
  input  logic             keep_small_i,  // denormal results are kept
  output logic             undefined_o,   // the result is a NaN
  output logic             up_o,          // the result is x * 2^64
  output logic             down_o,        // the result is x * 2^-64; without any of the three, x
  output logic             flag_o
);

  logic [9:0] field_difference, exp_difference;
  logic       huge_quotient, tiny_numerator, denormal_divisor, denormal_reciprocal, denormal_quotient;
  logic       away, reaches_normal;

  always_comb begin
    field_difference    = '0;
    huge_quotient       = '0;
    tiny_numerator      = '0;
    denormal_divisor    = '0;
    denormal_reciprocal = '0;
    exp_difference      = '0;
    away                = '0;
    reaches_normal      = '0;
    denormal_quotient   = '0;
    undefined_o         = '0;
    flag_o              = '0;
    up_o                = '0;
    down_o              = '0;
    if (en_i) begin
      field_difference    = {2'b00, n_field_i} - {2'b00, d_i[30:23]};
      huge_quotient       = ~field_difference[9] & (field_difference >= 10'd96);
      tiny_numerator      = n_field_i <= 8'd23;
      denormal_divisor    = (d_i[30:23] == '0) & (d_i[22:0] != '0);
      denormal_reciprocal = ~d_number_i.nan & (d_i[30:0] > 31'h7e800000);  // |d| > 2^126
      // Quotients below 2^-126 that round to it: (2 - 2^-23) * 2^-127, halfway between the largest denormal and 2^-126, and
      // (1 - 2^-23 or less) * 2^-126. Results that are flushed have a bit more, and none of the quotients is as close.
      exp_difference = n_number_i.exp - d_number_i.exp;
      away           = (round_i == fpu_pkg::RoundUp & n_number_i.sign == d_number_i.sign) |
                       (round_i == fpu_pkg::RoundDown & n_number_i.sign != d_number_i.sign);
      reaches_normal = 1'b0;
      if (exp_difference == -10'd127) begin
        reaches_normal = (round_i == fpu_pkg::RoundNearest | away) & (&n_number_i.sig) & (d_number_i.sig == 24'h800000);
      end else if (exp_difference == -10'd126) begin
        reaches_normal = away & (n_number_i.sig + 24'd1 == d_number_i.sig);
      end
      denormal_quotient = ($signed(exp_difference) < -10'sd126) |
                          ((exp_difference == -10'd126) & (n_number_i.sig < d_number_i.sig));
      if (reaches_normal & keep_small_i) denormal_quotient = 1'b0;
      if (d_number_i.inf) denormal_quotient = 1'b1;
      if (n_number_i.inf | n_number_i.nan | d_number_i.nan) denormal_quotient = 1'b0;
      undefined_o = n_number_i.zero | d_number_i.zero;
      flag_o      = ~undefined_o & (huge_quotient | (~denormal_divisor & denormal_quotient));
      up_o   = 1'b0;
      down_o = 1'b0;
      if (huge_quotient) begin
        up_o = x_is_d_i;
      end else if (denormal_divisor) begin
        up_o = 1'b1;
      end else if (denormal_reciprocal) begin
        down_o = ~denormal_quotient | x_is_d_i;
      end else if (denormal_quotient) begin
        up_o = x_is_n_i;
      end else begin
        up_o = tiny_numerator;
      end
    end
  end

endmodule
