// The half-precision unit of a work-item's lane: arithmetic, comparisons and conversions of halves. (Conversions between
// half and single precision are valu_float's.)
//
// Combinational. As in valu_float, a multiplier with a wide adder and a rounder serve products, fused sums, conversions
// and scaling, and a second adder and rounder sums and the unfused v_mad_f16. Denormal sources are flushed before
// everything else, denormal results after the rounding. (ISA document, chapter 12; MODE: 3.6)
module valu_half (
  input  logic         clk_i,
  input  logic         en_i,          // 0: nothing is computed, all outputs are 0
  input  fpu_pkg::op_e op_i,
  input  logic [3:0]   relation_i,    // FpuCmp: low four bits of the VOPC opcode
  input  logic [15:0]  a_i,           // sources, neg and abs applied
  input  logic [15:0]  b_i,
  input  logic [15:0]  c_i,
  input  logic [1:0]   round_i,       // MODE[3:2]
  input  logic [1:0]   denorm_i,      // MODE[7:6]: bit 0 keeps denormal inputs, bit 1 keeps denormal results
  input  logic         ieee_i,
  input  logic         dx10_clamp_i,
  input  logic [1:0]   omod_i,
  input  logic         clamp_i,
  output logic [15:0]  result_o,
  output logic         flag_o
);

  localparam logic [15:0] Quiet    = 16'h0200;
  localparam logic [15:0] Nan      = 16'h7e00;
  localparam logic [15:0] One      = 16'h3c00;
  localparam logic [15:0] BelowOne = 16'h3bff;

  // fpu_pkg's structures, in this format's widths.
  typedef struct packed {
    logic        sign;
    logic        zero;
    logic        inf;
    logic        nan;
    logic [7:0]  exp;
    logic [10:0] sig;
  } number_t;
  typedef struct packed {
    logic        sign;
    logic [7:0]  exp;
    logic [10:0] sig;
    logic        guard;
    logic        sticky;
  } exact_t;

  // What an instruction asks of the units.
  logic flushes;         // denormals are flushed whatever MODE says
  logic as_it_is;        // the result may be a denormal, whatever MODE says
  logic fuses;           // c is added to the exact product
  logic scales;          // the first rounder takes a times a power of two ...
  logic from_int;        // ... or a whole number
  logic roots, inverts;  // ... or a root, or the reciprocal of a or of a's root
  logic integer_result;  // not to be modified
  logic b_used, c_used;  // beside a
  logic multiplies, adds, to_int, compares, orders, div_fixes;

  always_comb begin
    flushes        = 1'b0;
    as_it_is       = 1'b0;
    fuses          = 1'b0;
    scales         = 1'b0;
    from_int       = 1'b0;
    roots          = 1'b0;
    inverts        = 1'b0;
    integer_result = 1'b0;
    b_used         = 1'b0;
    c_used         = 1'b0;
    multiplies     = 1'b0;
    adds           = 1'b0;
    to_int         = 1'b0;
    compares       = 1'b0;
    orders         = 1'b0;
    div_fixes      = 1'b0;
    if (en_i) begin
      unique case (op_i)
        fpu_pkg::FpuAdd, fpu_pkg::FpuSub, fpu_pkg::FpuSubRev: {b_used, adds} = '1;
        fpu_pkg::FpuMul: {b_used, multiplies} = '1;
        fpu_pkg::FpuMad: {b_used, c_used, multiplies, adds, flushes} = '1;
        fpu_pkg::FpuFma: {b_used, c_used, multiplies, fuses} = '1;
        fpu_pkg::FpuLdexp: scales = 1'b1;
        fpu_pkg::FpuDivFixup: div_fixes = 1'b1;
        fpu_pkg::FpuMin, fpu_pkg::FpuMax: {orders, as_it_is} = '1;
        fpu_pkg::FpuTrunc, fpu_pkg::FpuCeil, fpu_pkg::FpuRndne, fpu_pkg::FpuFloor: {to_int, from_int} = '1;
        fpu_pkg::FpuFract: {to_int, adds} = '1;
        fpu_pkg::FpuFrexpExp: integer_result = 1'b1;
        fpu_pkg::FpuCvtI16F16, fpu_pkg::FpuCvtU16F16: {to_int, integer_result} = '1;
        fpu_pkg::FpuCvtF16I16, fpu_pkg::FpuCvtF16U16: from_int = 1'b1;
        fpu_pkg::FpuRcp: {inverts, as_it_is} = '1;
        fpu_pkg::FpuSqrt: {roots, as_it_is} = '1;
        fpu_pkg::FpuRsq: {roots, inverts, as_it_is} = '1;
        fpu_pkg::FpuCmp, fpu_pkg::FpuCmpClass: compares = 1'b1;
        default: ;
      endcase
    end
  end

  // Sources. Transcendentals read denormals in every mode.
  logic    flush_inputs;
  number_t a, b, c;
  assign flush_inputs = flushes | (~denorm_i[0] & ~(roots | inverts));
  fp_unpack #(.Field(5), .Exp(8), .Sig(11)) u_unpack_a (
    .en_i(en_i & ~(compares | orders | div_fixes)), .bits_i(a_i), .flush_i(flush_inputs), .number_o(a)
  );
  fp_unpack #(.Field(5), .Exp(8), .Sig(11)) u_unpack_b (
    .en_i(b_used), .bits_i(b_i), .flush_i(flush_inputs), .number_o(b)
  );
  fp_unpack #(.Field(5), .Exp(8), .Sig(11)) u_unpack_c (
    .en_i(c_used), .bits_i(c_i), .flush_i(flush_inputs), .number_o(c)
  );

  // The first source that is a NaN, made quiet, else the default NaN.
  logic [15:0] nan;
  always_comb begin
    nan = '0;
    if (en_i) begin
      nan = Nan;
      if (c.nan) nan = c_i | Quiet;
      if (b.nan) nan = b_i | Quiet;
      if (a.nan) nan = a_i | Quiet;
    end
  end

  // Comparing.
  logic        relation_holds, in_class;
  logic [15:0] of_two, of_three, median;
  fp_compare #(.Field(5), .Sig(11)) u_compare (
    .en_i(compares), .a_i, .b_i, .flush_i(flush_inputs), .relation_i, .classes_i(b_i[9:0]), .holds_o(relation_holds),
    .in_class_o(in_class)
  );
  fp_minmax #(.Field(5), .Sig(11)) u_minmax (
    .en_i(orders), .a_i, .b_i, .c_i('0), .ieee_i, .largest_i(op_i == fpu_pkg::FpuMax), .of_two_o(of_two),
    .of_three_o(of_three), .median_o(median)
  );

  // To and from whole numbers.
  logic        whole_large, int_sign;
  logic [15:0] whole, integer_of_a, int_magnitude;
  exact_t      exact_int;
  fp_to_int #(.Exp(8), .Sig(11), .Whole(16), .Int(16)) u_to_int (
    .en_i(to_int), .number_i(a), .nearest_i(op_i == fpu_pkg::FpuRndne), .up_i(op_i == fpu_pkg::FpuCeil),
    .down_i(op_i == fpu_pkg::FpuFloor | op_i == fpu_pkg::FpuFract), .half_up_i(1'b0),
    .signed_i(op_i != fpu_pkg::FpuCvtU16F16), .magnitude_o(whole), .large_o(whole_large), .integer_o(integer_of_a)
  );
  always_comb begin
    int_sign      = '0;
    int_magnitude = '0;
    if (en_i) begin
      int_sign      = a_i[15];
      int_magnitude = whole;
    end
    if (op_i == fpu_pkg::FpuCvtF16I16) int_magnitude = a_i[15] ? -a_i : a_i;
    if (op_i == fpu_pkg::FpuCvtF16U16) begin
      int_sign      = 1'b0;
      int_magnitude = a_i;
    end
  end
  fp_from_int #(.Whole(16), .Exp(8), .Sig(11)) u_from_int (
    .en_i(from_int | (to_int & adds)), .sign_i(int_sign), .magnitude_i(int_magnitude), .scale_i('0), .exact_o(exact_int)
  );

  // The product, or the fused sum. Adding a zero of the product's sign changes nothing.
  number_t     addend;
  exact_t      fused;
  logic        fused_inf, fused_nan, product_sign;
  logic [21:0] product;
  logic [7:0]  product_exp;
  always_comb begin
    addend = '0;
    if (fuses) begin
      addend = c;
    end else if (multiplies) begin
      addend.zero = 1'b1;
      addend.sign = a.sign ^ b.sign;
    end
  end
  fp_fma #(.Exp(8), .Sig(11)) u_fma (
    .clk_i, .en_i(multiplies), .a_i(a), .b_i(b), .c_i(addend), .round_i, .sum_o(fused), .inf_o(fused_inf), .nan_o(fused_nan),
    .product_o(product), .product_exp_o(product_exp), .product_sign_o(product_sign)
  );

  // Roots and reciprocals, rounded to nearest: in the width of single precision, so that the reciprocal of a root is
  // one of the root rounded to that.
  fpu_pkg::exact_t root;
  logic            root_inf, root_nan;
  fp_roots #(.Field(8), .Exp(10), .Sig(24)) u_roots (
    .root_i(roots), .inverse_i(inverts), .x_i({a.sign, a.zero, a.inf, a.nan, {2{a.exp[7]}}, a.exp, a.sig, 13'd0}),
    .round_i(fpu_pkg::RoundNearest), .exact_o(root), .inf_o(root_inf), .nan_o(root_nan)
  );

  // The first rounder. Scaling by 2^64 does what any larger power of two would.
  exact_t      first_exact;
  logic        first_inf;
  logic [7:0]  scale;
  logic [1:0]  first_round;
  logic [15:0] first;
  always_comb begin
    scale = b_i[7:0];
    if ($signed(b_i) > 16'sd64) scale = 8'd64;
    if ($signed(b_i) < -16'sd64) scale = -8'd64;
  end
  always_comb begin
    first_exact = '0;
    first_inf   = 1'b0;
    first_round = round_i;
    if (multiplies) begin
      first_exact = fused;
      first_inf   = fused_inf;
    end else if (from_int) begin
      first_exact = exact_int;
    end else if (roots | inverts) begin
      first_exact = {root.sign, root.exp[7:0], root.sig[23:12], (root.sig[11:0] != '0) | root.guard | root.sticky};
      first_inf   = root_inf;
      first_round = fpu_pkg::RoundNearest;
    end else if (scales) begin
      first_exact = {a.sign, a.exp + scale, a.sig, 2'b00};
      first_inf   = a.inf;
    end
  end
  fp_round #(.Field(5), .Exp(8), .Sig(11)) u_round_first (
    .en_i(multiplies | scales | from_int | roots | inverts), .exact_i(first_exact), .inf_i(first_inf),
    .round_i(first_round), .flush_i(1'b0), .result_o(first)
  );

  number_t first_number;
  fp_unpack #(.Field(5), .Exp(8), .Sig(11)) u_unpack_first (
    .en_i(multiplies & adds), .bits_i(first), .flush_i(1'b1), .number_o(first_number)
  );

  // The second adder and rounder.
  number_t     x, y;
  exact_t      sum;
  logic        sum_inf, sum_nan;
  logic [15:0] second;
  always_comb begin
    x = '0;
    y = '0;
    if (adds) begin
      x = a;
      y = b;
    end
    if (adds) unique case (op_i)
      fpu_pkg::FpuSub:    y.sign = ~b.sign;
      fpu_pkg::FpuSubRev: x.sign = ~a.sign;
      fpu_pkg::FpuMad: begin
        x = first_number;
        y = c;
      end
      fpu_pkg::FpuFract: begin
        y      = a;
        y.sign = ~a.sign;
        if (~whole_large) begin
          y.zero = whole == '0;
          y.exp  = exact_int.exp;
          y.sig  = exact_int.sig;
        end
      end
      default: ;
    endcase
  end
  fp_add #(.Exp(8), .Sig(11)) u_add (
    .clk_i, .en_i(adds), .x_i(x), .y_i(y), .round_i, .sum_o(sum), .inf_o(sum_inf), .nan_o(sum_nan)
  );
  fp_round #(.Field(5), .Exp(8), .Sig(11)) u_round_second (
    .en_i(adds), .exact_i(sum), .inf_i(sum_inf), .round_i, .flush_i(1'b0), .result_o(second)
  );

  // Division.
  logic [14:0] quotient;
  logic [15:0] fixed_up;
  assign quotient = (flush_inputs & a_i[14:10] == '0) ? '0 : a_i[14:0];
  fp_div_fixup #(.Field(5), .Sig(11), .Underflows(0)) u_div_fixup (
    .en_i(div_fixes), .quotient_i(quotient), .d_i(b_i), .n_i(c_i), .flush_i(flush_inputs), .result_o(fixed_up)
  );

  // The result before the modifiers.
  logic [15:0] result, modified;
  always_comb begin
    result = '0;
    if (en_i) unique case (op_i)
      fpu_pkg::FpuAdd, fpu_pkg::FpuSub, fpu_pkg::FpuSubRev: result = sum_nan ? nan : second;
      fpu_pkg::FpuMul, fpu_pkg::FpuFma: result = fused_nan ? nan : first;
      fpu_pkg::FpuMad: begin
        result = (fused_nan | sum_nan) ? nan : (second[14:10] == '0) ? {second[15], 15'd0} : second;
      end
      fpu_pkg::FpuLdexp, fpu_pkg::FpuRcp: result = a.nan ? nan : first;
      fpu_pkg::FpuSqrt, fpu_pkg::FpuRsq: result = root_nan ? nan : first;
      fpu_pkg::FpuDivFixup: result = fixed_up;
      fpu_pkg::FpuMin, fpu_pkg::FpuMax: result = of_two;
      fpu_pkg::FpuTrunc, fpu_pkg::FpuCeil, fpu_pkg::FpuRndne, fpu_pkg::FpuFloor: begin
        result = a.nan ? nan : whole_large ? a_i : first;
      end
      // A tiny negative number's fraction may round to 1, but is to stay below it.
      fpu_pkg::FpuFract: result = sum_nan ? nan : (second == One) ? BelowOne : second;
      fpu_pkg::FpuFrexpExp: result = (a.zero | a.inf | a.nan) ? '0 : {{8{a.exp[7]}}, a.exp} + 16'd1;
      fpu_pkg::FpuFrexpMant: begin
        result = {a.sign, 5'd14, a.sig[9:0]};
        if (a.zero) result = {a.sign, 15'd0};
        if (a.inf) result = a_i;
        if (a.nan) result = nan;
      end
      fpu_pkg::FpuCvtI16F16, fpu_pkg::FpuCvtU16F16: result = integer_of_a;
      fpu_pkg::FpuCvtF16I16, fpu_pkg::FpuCvtF16U16: result = first;
      default: ;  // compares have no result but the flag
    endcase
  end
  fp_modify_half u_modify (
    .en_i(en_i & ~integer_result), .value_i(result), .omod_i, .clamp_i, .ieee_i, .dx10_clamp_i, .round_i,
    .keep_denormals_i(denorm_i[1]), .flush_i(~denorm_i[1] & ~as_it_is), .result_o(modified)
  );
  assign result_o = integer_result ? result : modified;

  always_comb begin
    flag_o = 1'b0;
    if (en_i && op_i == fpu_pkg::FpuCmp) flag_o = relation_holds;
    if (en_i && op_i == fpu_pkg::FpuCmpClass) flag_o = in_class;
  end

  logic unused;
  assign unused = ^{of_three, median, product, product_exp, product_sign, root.exp[9:8]};

endmodule
