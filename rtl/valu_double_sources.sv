// SPDX-License-Identifier: Apache-2.0
// What the double-precision unit knows from an instruction's sources alone: what it asks of the multiplier, the adders and
// the rounders (fp_flow) and of the roots, their operands, and the result where none of them has a part in it.
//
// Combinational. (ISA document, chapter 12; MODE: 3.6)
module valu_double_sources (
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
  output fpu_pkg::flow_t flow_o,
  output logic [63:0]  other_o,         // the result where no rounder makes it, or else the NaN that it may be
  output logic [69:0]  a_o,             // factors, in the format's widths as all that follow; a is the root's source too
  output logic [69:0]  b_o,
  output logic [69:0]  addend_o,        // of the fused sum; zero for a product
  output logic [68:0]  exact_o,         // what the first rounder gets where nothing is multiplied
  output logic         exact_inf_o,
  output logic [69:0]  x_o,             // operands of the second adder; x is the product where something is multiplied
  output logic [69:0]  y_o,
  output logic         root_o,
  output logic         inverse_o        // the reciprocal, with root_o of the root
);

  localparam logic [63:0] Quiet = 64'h0008_0000_0000_0000;
  localparam logic [63:0] Nan   = 64'h7ff8_0000_0000_0000;

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
  logic roots, inverts;  // the second one a root, or the reciprocal of a or of a's root
  logic to_single;       // the result is of single precision
  logic integer_result;  // not to be modified
  logic b_used, c_used;  // beside a
  logic multiplies, adds, rounds, to_int, compares, orders, div_scales, div_fixes, div_ends, from_single, preops;

  always_comb begin
    {fuses, scales, from_int, roots, inverts, to_single, integer_result, b_used, c_used} = '0;
    {multiplies, adds, to_int, compares, orders, div_scales, div_fixes, div_ends, from_single, preops} = '0;
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

  assign rounds = multiplies | scales | from_int;

  // Sources.
  logic    flush_inputs;
  number_t a, b, c, addend, x, y;
  assign flush_inputs = to_single ? ~single_denorm_i[0] : ~denorm_i[0];
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
  exact_t      exact_int, exact;
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
  logic        undefined, scale_up, scale_down, scaled_flag;
  logic [63:0] fixed_up;
  fp_div_scale #(.Field(11), .Exp(13), .Sig(53), .Huge(768), .Tiny(53)) u_div_scale (
    .en_i(div_scales), .d_i(b_i[62:0]), .n_field_i(c_i[62:52]), .d_number_i(b), .n_number_i(c), .x_is_d_i(a_is_b),
    .x_is_n_i(a_is_c), .round_i, .keep_small_i(denorm_i[1]), .undefined_o(undefined), .up_o(scale_up),
    .down_o(scale_down), .flag_o(scaled_flag)
  );
  fp_div_fixup #(.Field(11), .Sig(53)) u_div_fixup (
    .en_i(div_fixes), .quotient_i(a_i[62:0]), .d_i(b_i), .n_i(c_i), .flush_i(flush_inputs), .result_o(fixed_up)
  );

  // ---- Operands of the multiplier, the first rounder and the second adder
  // Adding a zero of the product's sign changes nothing. Scaling by 2^2200 does what any larger power of two would.
  logic [12:0] scale;
  always_comb begin
    addend      = '0;
    scale       = '0;
    exact       = '0;
    exact_inf_o = 1'b0;
    if (fuses) begin
      addend = c;
    end else if (multiplies) begin
      addend.zero = 1'b1;
      addend.sign = a.sign ^ b.sign;
    end
    if (from_int) begin
      exact = exact_int;
    end else if (scales) begin
      scale = b_i[12:0];
      if ($signed(b_i[31:0]) > 32'sd2200) scale = 13'd2200;
      if ($signed(b_i[31:0]) < -32'sd2200) scale = -13'd2200;
      if (div_scales) scale = scale_up ? 13'd128 : -13'd128;
      exact       = {a.sign, a.exp + scale, a.sig, 2'b00};
      exact_inf_o = a.inf;
    end
  end
  always_comb begin
    x = '0;
    y = '0;
    if (adds) begin
      x = a;
      y = div_ends ? c : b;
    end
    if (adds & to_int) begin
      y      = a;
      y.sign = ~a.sign;
      if (~whole_large) begin
        y.zero = whole == '0;
        y.exp  = exact_int.exp;
        y.sig  = exact_int.sig;
      end
    end
  end
  assign a_o       = a;
  assign b_o       = b;
  assign addend_o  = addend;
  assign exact_o   = exact;
  assign x_o       = x;
  assign y_o       = y;
  assign root_o    = roots;
  assign inverse_o = inverts;

  // ---- The result, where no rounder makes it; else the NaN that it may be
  logic        decided;
  logic [63:0] other;
  assign other_o = other;
  always_comb begin
    other   = '0;
    decided = 1'b0;
    if (en_i) begin
      other   = nan;
      decided = 1'b1;
      unique case (op_i)
        fpu_pkg::FpuAdd, fpu_pkg::FpuMul, fpu_pkg::FpuFma, fpu_pkg::FpuDivFmas, fpu_pkg::FpuFract, fpu_pkg::FpuCvtF64I32,
        fpu_pkg::FpuCvtF64U32, fpu_pkg::FpuTrigPreop: decided = 1'b0;
        fpu_pkg::FpuLdexp, fpu_pkg::FpuRcp: decided = a.nan;
        fpu_pkg::FpuSqrt, fpu_pkg::FpuRsq: decided = a.nan | (a.sign & ~a.zero);
        fpu_pkg::FpuDivScale: begin
          decided = undefined | ~(scale_up | scale_down) | a.nan;
          if (~(scale_up | scale_down)) other = a_i;
          if (undefined) other = Nan;
        end
        fpu_pkg::FpuDivFixup: other = fixed_up;
        fpu_pkg::FpuMin, fpu_pkg::FpuMax: other = of_two;
        fpu_pkg::FpuTrunc, fpu_pkg::FpuCeil, fpu_pkg::FpuRndne, fpu_pkg::FpuFloor: begin
          decided = a.nan | whole_large;
          if (~a.nan) other = a_i;
        end
        fpu_pkg::FpuFrexpExp: begin
          other = (a.zero | a.inf | a.nan) ? '0 : {32'd0, {{19{a.exp[12]}}, a.exp} + 32'd1};
        end
        fpu_pkg::FpuFrexpMant: begin
          other = {a.sign, 11'd1022, a.sig[51:0]};
          if (a.zero) other = {a.sign, 63'd0};
          if (a.inf) other = a_i;
          if (a.nan) other = nan;
        end
        fpu_pkg::FpuCvtI32F64, fpu_pkg::FpuCvtU32F64: other = {32'd0, integer_of_a};
        fpu_pkg::FpuCvtF64F32: other = double_of_single;
        fpu_pkg::FpuCvtF32F64: other = {32'd0, modified_single};
        default: other = '0;  // compares have no result but the flag
      endcase
    end
  end

  always_comb begin
    flow_o = '0;
    if (en_i) begin
      flow_o.en             = 1'b1;
      flow_o.multiplies     = multiplies;
      flow_o.rounds         = rounds;
      flow_o.adds           = adds;
      flow_o.div_ends       = div_ends;
      flow_o.roots          = roots | inverts;
      flow_o.decided        = decided;
      flow_o.takes_second   = (adds & ~(div_ends & ~flag_i)) | roots | inverts;
      flow_o.fract          = op_i == fpu_pkg::FpuFract;
      flow_o.integer_result = integer_result | to_single;  // the single has had its modifiers
      flow_o.flag           = op_i == fpu_pkg::FpuCmpClass ? in_class : relation_holds | scaled_flag;
      flow_o.quotient_large = c_i[62:52] > 11'd1023;
      flow_o.flush_inputs   = flush_inputs;
      flow_o.flush_results  = ~denorm_i[1];
      flow_o.round          = round_i;
      flow_o.denorm         = denorm_i;
      flow_o.omod           = omod_i;
      flow_o.clamp          = clamp_i;
      flow_o.ieee           = ieee_i;
      flow_o.dx10_clamp     = dx10_clamp_i;
    end
  end

  logic unused;
  assign unused = ^{of_three, median};

endmodule
