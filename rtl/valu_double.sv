// The double-precision unit of a work-item's lane: every instruction with a double among its operands.
//
// Combinational. As in valu_float, one multiplier with a wide adder and a rounder serve products and fused sums, the
// rounder conversions, scaling, reciprocals and roots as well, and a second adder and rounder sums and the last step of
// divisions. (ISA document, chapter 12; MODE: 3.6)
module valu_double (
  input  logic         clk_i,
  input  logic         en_i,            // 0: nothing is computed, all outputs are 0
  input  fpu_pkg::op_e op_i,
  input  logic [3:0]   relation_i,      // FpuCmp: low four bits of the VOPC opcode
  input  logic [63:0]  a_i,             // sources, neg and abs applied
  input  logic [63:0]  b_i,
  input  logic [63:0]  c_i,
  input  logic         flag_i,          // the lane's bit of the mask that is read
  input  logic [1:0]   round_i,         // MODE[3:2]
  input  logic [1:0]   denorm_i,        // MODE[7:6]: bit 0 keeps denormal inputs, bit 1 keeps denormal results
  input  logic [1:0]   single_round_i,  // MODE[1:0]: conversions from and to single precision
  input  logic [1:0]   single_denorm_i, // MODE[5:4]
  input  logic         ieee_i,
  input  logic         dx10_clamp_i,
  input  logic [1:0]   omod_i,
  input  logic         clamp_i,
  output logic [63:0]  result_o,
  output logic         flag_o
);

  localparam logic [63:0] Quiet    = 64'h0008_0000_0000_0000;
  localparam logic [63:0] Nan      = 64'h7ff8_0000_0000_0000;
  localparam logic [63:0] One      = 64'h3ff0_0000_0000_0000;
  localparam logic [63:0] BelowOne = 64'h3fef_ffff_ffff_ffff;

  // fpu_pkg's structures, in this format's widths.
  typedef struct packed {
    logic        sign;
    logic        zero;
    logic        inf;
    logic        nan;
    logic [12:0] exp;
    logic [52:0] sig;
  } number_t;
  typedef struct packed {
    logic        sign;
    logic [12:0] exp;
    logic [52:0] sig;
    logic        guard;
    logic        sticky;
  } exact_t;

  // What an instruction asks of the units.
  logic fuses;           // c is added to the exact product
  logic scales;          // the first rounder takes a times a power of two ...
  logic from_int;        // ... or a whole number
  logic roots, inverts;  // ... or a root, or the reciprocal of a or of a's root
  logic to_single;       // the result is of single precision
  logic integer_result;  // not to be modified
  logic b_used, c_used;  // beside a
  logic multiplies, adds, to_int, compares, orders, div_scales, div_fixes, div_ends, from_single, preops;

  always_comb begin
    fuses          = 1'b0;
    scales         = 1'b0;
    from_int       = 1'b0;
    roots          = 1'b0;
    inverts        = 1'b0;
    to_single      = 1'b0;
    integer_result = 1'b0;
    b_used         = 1'b0;
    c_used         = 1'b0;
    multiplies     = 1'b0;
    adds           = 1'b0;
    to_int         = 1'b0;
    compares       = 1'b0;
    orders         = 1'b0;
    div_scales     = 1'b0;
    div_fixes      = 1'b0;
    div_ends       = 1'b0;
    from_single    = 1'b0;
    preops         = 1'b0;
    if (en_i) begin
      unique case (op_i)
        fpu_pkg::FpuAdd: {b_used, adds} = '1;
        fpu_pkg::FpuMul: {b_used, multiplies} = '1;
        fpu_pkg::FpuFma: {b_used, c_used, multiplies, fuses} = '1;
        fpu_pkg::FpuLdexp: scales = 1'b1;
        fpu_pkg::FpuDivScale: {b_used, c_used, scales, div_scales} = '1;
        fpu_pkg::FpuDivFmas: {b_used, c_used, multiplies, fuses, adds, div_ends} = '1;
        fpu_pkg::FpuDivFixup: div_fixes = 1'b1;
        fpu_pkg::FpuMin, fpu_pkg::FpuMax: orders = 1'b1;
        fpu_pkg::FpuTrunc, fpu_pkg::FpuCeil, fpu_pkg::FpuRndne, fpu_pkg::FpuFloor: {to_int, from_int} = '1;
        fpu_pkg::FpuFract: {to_int, adds} = '1;
        fpu_pkg::FpuFrexpExp: integer_result = 1'b1;
        fpu_pkg::FpuCvtI32F64, fpu_pkg::FpuCvtU32F64: {to_int, integer_result} = '1;
        fpu_pkg::FpuCvtF64I32, fpu_pkg::FpuCvtF64U32: from_int = 1'b1;
        fpu_pkg::FpuCvtF32F64: to_single = 1'b1;
        fpu_pkg::FpuCvtF64F32: from_single = 1'b1;
        fpu_pkg::FpuTrigPreop: {from_int, preops} = '1;
        fpu_pkg::FpuRcp: inverts = 1'b1;
        fpu_pkg::FpuSqrt: roots = 1'b1;
        fpu_pkg::FpuRsq: {roots, inverts} = '1;
        fpu_pkg::FpuCmp, fpu_pkg::FpuCmpClass: compares = 1'b1;
        default: ;
      endcase
    end
  end

  // Sources.
  logic    flush_inputs, flush_results;
  number_t a, b, c;
  assign flush_inputs  = to_single ? ~single_denorm_i[0] : ~denorm_i[0];
  assign flush_results = ~denorm_i[1];
  fp_unpack #(.Field(11), .Exp(13), .Sig(53)) u_unpack_a (
    .en_i(en_i & ~(compares | orders | div_fixes)), .bits_i(a_i), .flush_i(flush_inputs), .number_o(a)
  );
  fp_unpack #(.Field(11), .Exp(13), .Sig(53)) u_unpack_b (
    .en_i(b_used), .bits_i(b_i), .flush_i(flush_inputs), .number_o(b)
  );
  fp_unpack #(.Field(11), .Exp(13), .Sig(53)) u_unpack_c (
    .en_i(c_used), .bits_i(c_i), .flush_i(flush_inputs), .number_o(c)
  );

  // The first source that is a NaN, made quiet, else the default NaN. v_div_scale's is a.
  logic [63:0] nan;
  always_comb begin
    nan = '0;
    if (en_i) begin
      nan = Nan;
      if (c.nan & ~div_scales) nan = c_i | Quiet;
      if (b.nan & ~div_scales) nan = b_i | Quiet;
      if (a.nan) nan = a_i | Quiet;
    end
  end

  // Comparing.
  logic        relation_holds, in_class, a_is_b, a_is_c;
  logic [63:0] of_two, of_three, median;
  fp_compare #(.Field(11), .Sig(53)) u_compare (
    .en_i(compares), .a_i, .b_i, .flush_i(flush_inputs), .relation_i, .classes_i(b_i[9:0]), .holds_o(relation_holds),
    .in_class_o(in_class)
  );
  fp_minmax #(.Field(11), .Sig(53)) u_minmax (
    .en_i(orders), .a_i, .b_i, .c_i('0), .ieee_i, .largest_i(op_i == fpu_pkg::FpuMax), .of_two_o(of_two),
    .of_three_o(of_three), .median_o(median)
  );
  always_comb begin
    a_is_b = '0;
    a_is_c = '0;
    if (div_scales) begin
      a_is_b = ~a.nan & ~b.nan & ((a.zero & b.zero) | ((a.zero == b.zero) & (a_i == b_i)));
      a_is_c = ~a.nan & ~c.nan & ((a.zero & c.zero) | ((a.zero == c.zero) & (a_i == c_i)));
    end
  end

  // To and from whole numbers.
  logic        whole_large, int_sign;
  logic [52:0] whole, segment, int_magnitude;
  logic [31:0] integer_of_a;
  logic [12:0] segment_scale;
  exact_t      exact_int;
  fp_to_int #(.Exp(13), .Sig(53), .Whole(53), .Int(32)) u_to_int (
    .en_i(to_int), .number_i(a), .nearest_i(op_i == fpu_pkg::FpuRndne), .up_i(op_i == fpu_pkg::FpuCeil),
    .down_i(op_i == fpu_pkg::FpuFloor | op_i == fpu_pkg::FpuFract), .half_up_i(1'b0),
    .signed_i(op_i != fpu_pkg::FpuCvtU32F64), .magnitude_o(whole), .large_o(whole_large), .integer_o(integer_of_a)
  );
  fp_two_over_pi u_two_over_pi (
    .en_i(preops), .field_i(a_i[62:52]), .segment_i(b_i[4:0]), .magnitude_o(segment), .scale_o(segment_scale)
  );
  always_comb begin
    int_sign      = '0;
    int_magnitude = '0;
    if (en_i) begin
      int_sign      = a_i[63];
      int_magnitude = whole;
    end
    if (from_int) unique case (op_i)
      fpu_pkg::FpuCvtF64I32: begin
        int_sign      = a_i[31];
        int_magnitude = {21'd0, a_i[31] ? -a_i[31:0] : a_i[31:0]};
      end
      fpu_pkg::FpuCvtF64U32: begin
        int_sign      = 1'b0;
        int_magnitude = {21'd0, a_i[31:0]};
      end
      fpu_pkg::FpuTrigPreop: begin
        int_sign      = 1'b0;
        int_magnitude = segment;
      end
      default: ;
    endcase
  end
  fp_from_int #(.Whole(53), .Exp(13), .Sig(53)) u_from_int (
    .en_i(from_int | (to_int & adds)), .sign_i(int_sign), .magnitude_i(int_magnitude), .scale_i(segment_scale),
    .exact_o(exact_int)
  );

  // To and from single precision.
  logic [63:0] double_of_single;
  logic [31:0] single_of_a, modified_single;
  fp_double_single u_double_single (
    .narrow_i(to_single), .widen_i(from_single), .double_i(a), .single_i(a_i[31:0]), .round_i(single_round_i),
    .denorm_i(single_denorm_i), .single_o(single_of_a), .double_o(double_of_single)
  );
  fp_modify u_modify_single (
    .en_i(to_single), .value_i(single_of_a), .omod_i, .clamp_i, .ieee_i, .dx10_clamp_i, .round_i(single_round_i),
    .denorm_i(single_denorm_i), .result_o(modified_single)
  );

  // Division.
  logic        undefined, scale_up, scale_down, scaled_flag, quotient_large;
  logic [63:0] fixed_up;
  fp_div_scale #(.Field(11), .Exp(13), .Sig(53), .Huge(768), .Tiny(53)) u_div_scale (
    .en_i(div_scales), .d_i(b_i[62:0]), .n_field_i(c_i[62:52]), .d_number_i(b), .n_number_i(c), .x_is_d_i(a_is_b),
    .x_is_n_i(a_is_c), .round_i, .keep_small_i(denorm_i[1]), .undefined_o(undefined), .up_o(scale_up),
    .down_o(scale_down), .flag_o(scaled_flag)
  );
  fp_div_fixup #(.Field(11), .Sig(53)) u_div_fixup (
    .en_i(div_fixes), .quotient_i(a_i[62:0]), .d_i(b_i), .n_i(c_i), .flush_i(flush_inputs), .result_o(fixed_up)
  );
  assign quotient_large = c_i[62:52] > 11'd1023;  // v_div_fmas scales upwards

  // The product, or the fused sum. Adding a zero of the product's sign changes nothing.
  number_t      addend;
  exact_t       fused;
  logic         fused_inf, fused_nan, product_sign;
  logic [105:0] product;
  logic [12:0]  product_exp;
  always_comb begin
    addend = '0;
    if (fuses) begin
      addend = c;
    end else if (multiplies) begin
      addend.zero = 1'b1;
      addend.sign = a.sign ^ b.sign;
    end
  end
  fp_fma #(.Exp(13), .Sig(53)) u_fma (
    .clk_i, .en_i(multiplies), .a_i(a), .b_i(b), .c_i(addend), .round_i, .sum_o(fused), .inf_o(fused_inf), .nan_o(fused_nan),
    .product_o(product), .product_exp_o(product_exp), .product_sign_o(product_sign)
  );

  // Roots and reciprocals.
  exact_t root;
  logic   root_inf, root_nan;
  fp_roots #(.Field(11), .Exp(13), .Sig(53)) u_roots (
    .root_i(roots), .inverse_i(inverts), .x_i(a), .round_i, .exact_o(root), .inf_o(root_inf), .nan_o(root_nan)
  );

  // The first rounder. Scaling by 2^2200 does what any larger power of two would.
  exact_t      first_exact;
  logic        first_inf;
  logic [12:0] scale;
  logic [63:0] first;
  always_comb begin
    scale = '0;
    if (scales) begin
      scale = b_i[12:0];
      if ($signed(b_i[31:0]) > 32'sd2200) scale = 13'd2200;
      if ($signed(b_i[31:0]) < -32'sd2200) scale = -13'd2200;
    end
    if (div_scales) scale = scale_up ? 13'd128 : -13'd128;
  end
  always_comb begin
    first_exact = '0;
    first_inf   = 1'b0;
    if (multiplies) begin
      first_exact = fused;
      first_inf   = fused_inf;
    end else if (from_int) begin
      first_exact = exact_int;
    end else if (roots | inverts) begin
      first_exact = root;
      first_inf   = root_inf;
    end else if (scales) begin
      first_exact = {a.sign, a.exp + scale, a.sig, 2'b00};
      first_inf   = a.inf;
    end
  end
  fp_round #(.Field(11), .Exp(13), .Sig(53)) u_round_first (
    .en_i(multiplies | scales | from_int | inverts | roots), .exact_i(first_exact), .inf_i(first_inf), .round_i,
    .flush_i(flush_results), .result_o(first)
  );

  number_t first_number;
  fp_unpack #(.Field(11), .Exp(13), .Sig(53)) u_unpack_first (
    .en_i(div_ends), .bits_i(first), .flush_i(flush_inputs), .number_o(first_number)
  );

  // The second adder. v_div_fmas has it find c - (a * b + c).
  number_t x, y;
  exact_t  sum;
  logic    sum_inf, sum_nan;
  always_comb begin
    x = '0;
    y = '0;
    if (adds) begin
      x = a;
      y = b;
    end
    if (adds & to_int) begin
      y      = a;
      y.sign = ~a.sign;
      if (~whole_large) begin
        y.zero = whole == '0;
        y.exp  = exact_int.exp;
        y.sig  = exact_int.sig;
      end
    end else if (div_ends) begin
      x      = first_number;
      x.sign = ~first_number.sign;
      y      = c;
    end
  end
  fp_add #(.Exp(13), .Sig(53)) u_add (
    .clk_i, .en_i(adds), .x_i(x), .y_i(y), .round_i, .sum_o(sum), .inf_o(sum_inf), .nan_o(sum_nan)
  );

  // The second rounder. A quotient scaled down to a denormal is to be rounded once, as in valu_float.
  exact_t      second_exact;
  logic        rest_nonzero, rest_sign, second_inf;
  logic [63:0] second;
  fp_div_rest #(.Field(11), .Exp(13), .Sig(53)) u_div_rest (
    .en_i(div_ends), .product_i(product), .product_exp_i(product_exp), .product_sign_i(product_sign), .difference_i(sum),
    .nonzero_o(rest_nonzero), .sign_o(rest_sign)
  );
  always_comb begin
    second_exact = '0;
    second_inf   = 1'b0;
    if (adds) begin
      second_exact = sum;
      second_inf   = sum_inf;
    end
    if (div_ends) begin
      second_exact = {first_number.sign, first_number.exp + (quotient_large ? 13'd128 : -13'd128), first_number.sig, 2'b00};
      second_inf   = first_number.inf;
      if (rest_nonzero & ~first_number.zero & (round_i == fpu_pkg::RoundNearest) & (denorm_i == 2'b11)) begin
        second_exact.sticky = 1'b1;
        if (rest_sign != first_number.sign) begin
          second_exact.sig   = first_number.sig - 53'd1;
          second_exact.guard = 1'b1;
        end
      end
    end
  end
  fp_round #(.Field(11), .Exp(13), .Sig(53)) u_round_second (
    .en_i(adds), .exact_i(second_exact), .inf_i(second_inf), .round_i, .flush_i(flush_results), .result_o(second)
  );

  // The result before the modifiers.
  logic [63:0] result, modified;
  always_comb begin
    result = '0;
    if (en_i) unique case (op_i)
      fpu_pkg::FpuAdd: result = sum_nan ? nan : second;
      fpu_pkg::FpuMul, fpu_pkg::FpuFma: result = fused_nan ? nan : first;
      fpu_pkg::FpuLdexp, fpu_pkg::FpuRcp: result = a.nan ? nan : first;
      fpu_pkg::FpuSqrt, fpu_pkg::FpuRsq: result = root_nan ? nan : first;
      fpu_pkg::FpuDivScale: begin
        result = a_i;
        if (scale_up | scale_down) result = a.nan ? nan : first;
        if (undefined) result = Nan;
      end
      fpu_pkg::FpuDivFmas: result = fused_nan ? nan : flag_i ? second : first;
      fpu_pkg::FpuDivFixup: result = fixed_up;
      fpu_pkg::FpuMin, fpu_pkg::FpuMax: result = of_two;
      fpu_pkg::FpuTrunc, fpu_pkg::FpuCeil, fpu_pkg::FpuRndne, fpu_pkg::FpuFloor: begin
        result = a.nan ? nan : whole_large ? a_i : first;
      end
      // A tiny negative number's fraction may round to 1, but is to stay below it.
      fpu_pkg::FpuFract: result = sum_nan ? nan : (second == One) ? BelowOne : second;
      fpu_pkg::FpuFrexpExp: begin
        result = (a.zero | a.inf | a.nan) ? '0 : {32'd0, {{19{a.exp[12]}}, a.exp} + 32'd1};
      end
      fpu_pkg::FpuFrexpMant: begin
        result = {a.sign, 11'd1022, a.sig[51:0]};
        if (a.zero) result = {a.sign, 63'd0};
        if (a.inf) result = a_i;
        if (a.nan) result = nan;
      end
      fpu_pkg::FpuCvtI32F64, fpu_pkg::FpuCvtU32F64: result = {32'd0, integer_of_a};
      fpu_pkg::FpuCvtF64I32, fpu_pkg::FpuCvtF64U32, fpu_pkg::FpuTrigPreop: result = first;
      fpu_pkg::FpuCvtF64F32: result = double_of_single;
      default: ;  // compares have no result but the flag
    endcase
  end
  fp_modify #(.Field(11), .Sig(53)) u_modify (
    .en_i(en_i & ~integer_result & ~to_single), .value_i(result), .omod_i, .clamp_i, .ieee_i, .dx10_clamp_i, .round_i,
    .denorm_i, .result_o(modified)
  );
  assign result_o = to_single ? {32'd0, modified_single} : integer_result ? result : modified;

  always_comb begin
    flag_o = 1'b0;
    if (en_i) unique case (op_i)
      fpu_pkg::FpuDivScale: flag_o = scaled_flag;
      fpu_pkg::FpuCmp:      flag_o = relation_holds;
      fpu_pkg::FpuCmpClass: flag_o = in_class;
      default: ;
    endcase
  end

  logic unused;
  assign unused = ^{of_three, median};

endmodule
