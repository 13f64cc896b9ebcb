// What the quotient of a division step lacks: the sign of a * b + (c - r), rounded to nearest, where r is a * b + c
// rounded. It decides how a quotient scaled down to a denormal rounds where r lies halfway between two denormals.
//
// Combinational. Only its sign is needed, so instead of a third adder there is a comparison with the product. Asked for
// nothing but halfway cases, it relies on what they have in common: r is an odd multiple of 2^-86 below 2^-62, c - r is
// zero or at least 2^-110, and neither overflows. (ISA document, chapter 12, V_DIV_FMAS_F32)
module fp_div_rest (
  input  logic            en_i,            // 0: nothing is computed, all outputs are 0
  input  logic [47:0]     product_i,       // a * b, lowest bit 2^(product_exp_i - 46)
  input  logic [9:0]      product_exp_i,
  input  logic            product_sign_i,
  input  fpu_pkg::exact_t difference_i,    // c - r before rounding; a sig of zero is zero
  output logic            nonzero_o,
  output logic            sign_o
);

  // The difference rounded to 24 bits, and the product with its top bit set; both times 2^(exp - 47).
  logic [24:0] rounded;
  logic [47:0] t, p;
  logic [9:0]  t_exp, p_exp, above;
  logic        t_zero, p_zero;
  // Where the magnitudes may be nearly the same: both times 2^(t_exp - 48), and their difference. (A product with a
  // larger exponent is larger by a place of the difference at least.)
  logic [48:0] p_near;
  logic [49:0] near, near_magnitude;
  logic        is_near;
  logic        exact;  // even a difference of 1 counts
  logic [9:0]  limit;  // the difference rounds to zero up to 2^-150, which is 2^limit here

  always_comb begin
    rounded        = '0;
    t              = '0;
    t_exp          = '0;
    t_zero         = '0;
    p              = '0;
    p_exp          = '0;
    p_zero         = '0;
    above          = '0;
    is_near        = '0;
    p_near         = '0;
    near           = '0;
    near_magnitude = '0;
    limit          = '0;
    exact          = '0;
    nonzero_o      = '0;
    sign_o         = '0;
    if (en_i) begin
      rounded = {1'b0, difference_i.sig} +
                {24'd0, fpu_pkg::rounds_away(fpu_pkg::RoundNearest, 1'b0, difference_i.sig[0], difference_i.guard,
                                             difference_i.sticky)};
      t       = rounded[24] ? {1'b1, 47'd0} : {rounded[23:0], 24'd0};
      t_exp   = difference_i.exp + {9'd0, rounded[24]};
      t_zero  = difference_i.sig == '0;
      p      = product_i[47] ? product_i : {product_i[46:0], 1'b0};
      p_exp  = product_exp_i + {9'd0, product_i[47]};
      p_zero = product_i == '0;
      above   = p_exp - t_exp;
      is_near = (above == 10'h3ff) | (above == 10'd0);
      p_near  = above[0] ? {1'b0, p} : {p, 1'b0};
      near    = {1'b0, p_near} - {1'b0, t, 1'b0};
      near_magnitude = near[49] ? -near : near;
      limit   = -10'd102 - t_exp;
      exact   = limit[9] | (limit > 10'd15);  // beyond 15 it is no halfway case
      nonzero_o = 1'b1;
      sign_o    = difference_i.sign;
      if (p_zero) begin
        nonzero_o = ~t_zero;
      end else if (t_zero) begin
        sign_o    = product_sign_i;
        nonzero_o = ($signed(p_exp) > -10'sd150) | ((p_exp == -10'd150) & (p[46:0] != '0));
      end else if (is_near & (product_sign_i != difference_i.sign)) begin
        sign_o    = near[49] ? difference_i.sign : product_sign_i;
        nonzero_o = exact ? near_magnitude != '0 : near_magnitude > (50'd1 << limit[3:0]);
      end else if ($signed(above) > 10'sd0) begin
        sign_o    = product_sign_i;
      end
    end
  end

endmodule
