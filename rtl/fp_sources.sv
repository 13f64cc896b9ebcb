// SPDX-License-Identifier: Apache-2.0
// What a floating-point unit knows from an instruction's sources alone: what it asks of the multiplier, the adders and
// the rounders (fp_flow) and of the roots, their operands, and the result where none of them has a part in it.
//
// Combinational. Of half precision, denormal sources are flushed before everything else, denormal results after the
// rounding. (ISA document, chapter 12; MODE: 3.6)
module fp_sources #(
  parameter int unsigned Field    = 8,   // bits of the exponent field,
  parameter int unsigned Exp      = 10,  // of the exponent
  parameter int unsigned Sig      = 24,  // and of the significand
  parameter int unsigned DivScale = 64   // v_div_scale scales by 2 to this power; 0: the format has none
) (
  input  logic                  en_i,          // 0: nothing is computed, all outputs are 0
  input  valu_pkg::float_op_e   op_i,
  input  logic [3:0]            relation_i,    // FpuCmp: low four bits of the VOPC opcode
  input  logic [Field+Sig-1:0]  a_i,           // sources, neg and abs applied
  input  logic [Field+Sig-1:0]  b_i,
  input  logic [Field+Sig-1:0]  c_i,
  input  logic                  flag_i,        // the lane's bit of the mask that is read
  input  fpu_pkg::result_mode_t mode_i,
  input  fpu_pkg::result_mode_t other_mode_i,  // conversions: of halves for single precision, of singles for double precision
  output fpu_pkg::flow_t        flow_o,
  output logic [Field+Sig-1:0]  other_o,       // the result where no rounder makes it, or else the NaN that it may be
  output logic [Exp+Sig+3:0]    a_o,           // factors, as all numbers here number_t; a is the root's source too
  output logic [Exp+Sig+3:0]    b_o,
  output logic [Exp+Sig+3:0]    addend_o,      // of the fused sum; zero for a product
  output logic [Exp+Sig+2:0]    exact_o,       // what the first rounder gets where nothing is multiplied: exact_t
  output logic                  exact_inf_o,
  output logic [Exp+Sig+3:0]    x_o,           // operands of the second adder; x is the product where something is
  output logic [Exp+Sig+3:0]    y_o,           // multiplied
  output logic                  root_o,
  output logic                  inverse_o      // the reciprocal, with root_o of the root
);

  localparam bit          Double = Sig == 53, Single = Sig == 24, Half = Sig == 11;
  localparam int unsigned Bits   = Field + Sig;
  localparam int unsigned Int    = Half ? 16 : 32;       // of integers that are converted
  localparam int unsigned Whole  = Double ? Sig : Int;   // of whole numbers
  localparam int unsigned Bias   = (1 << (Field - 1)) - 1;
  localparam int unsigned Far    = Double ? 2200 : Single ? 300 : 64;  // scaling by 2^Far does what any larger power would
  localparam logic [Bits-1:0] Quiet = {{(Field + 1){1'b0}}, 1'b1, {(Sig - 2){1'b0}}};
  localparam logic [Bits-1:0] Nan   = {1'b0, {(Field + 1){1'b1}}, {(Sig - 2){1'b0}}};
  `include "fp_number.svh"

  // What an instruction asks of the units.
  logic flushes;         // denormals are flushed whatever MODE says
  logic as_it_is;        // the result may be a denormal, whatever MODE says
  logic legacy;          // zero times anything is zero
  logic fuses;           // c is added to the exact product
  logic scales;          // the first rounder takes a times a power of two ...
  logic from_int;        // ... or a whole number
  logic roots, inverts;  // the second one a root, or the reciprocal of a or of a's root
  logic is_signed;       // an integer that is converted
  logic foreign;         // a is no number of this format
  logic narrows;         // the result is of the narrower format
  logic integer_result;  // not to be modified
  logic b_used, c_used;  // beside a
  logic multiplies, adds, rounds, to_int, compares, orders, div_scales, div_fixes, div_ends;

  always_comb begin
    {flushes, as_it_is, legacy, fuses, scales, from_int, roots, inverts, is_signed, foreign, narrows} = '0;
    {integer_result, b_used, c_used, multiplies, adds, to_int, compares, orders, div_scales, div_fixes, div_ends} = '0;
    if (en_i) begin
      unique case (op_i)
        valu_pkg::FpuAdd, valu_pkg::FpuSub, valu_pkg::FpuSubRev: {b_used, adds} = '1;
        valu_pkg::FpuMul: {b_used, multiplies} = '1;
        valu_pkg::FpuMulLegacy: {b_used, multiplies, legacy, flushes} = '1;
        valu_pkg::FpuMad: {b_used, c_used, multiplies, adds, flushes} = '1;
        valu_pkg::FpuMadLegacy: {b_used, c_used, multiplies, adds, legacy, flushes} = '1;
        valu_pkg::FpuFma: {b_used, c_used, multiplies, fuses} = '1;
        valu_pkg::FpuLdexp: scales = 1'b1;
        valu_pkg::FpuDivScale: {b_used, c_used, scales, div_scales} = '1;
        valu_pkg::FpuDivFmas: {b_used, c_used, multiplies, fuses, adds, div_ends} = '1;
        valu_pkg::FpuDivFixup: div_fixes = 1'b1;
        valu_pkg::FpuMin, valu_pkg::FpuMax, valu_pkg::FpuMin3, valu_pkg::FpuMax3, valu_pkg::FpuMed3: {orders, as_it_is} = '1;
        valu_pkg::FpuTrunc, valu_pkg::FpuCeil, valu_pkg::FpuRndne, valu_pkg::FpuFloor: {to_int, from_int} = '1;
        valu_pkg::FpuFract: {to_int, adds} = '1;
        valu_pkg::FpuFrexpExp: integer_result = 1'b1;
        valu_pkg::FpuRcp: {inverts, as_it_is} = '1;
        valu_pkg::FpuSqrt: {roots, as_it_is} = '1;
        valu_pkg::FpuRsq: {roots, inverts, as_it_is} = '1;
        valu_pkg::FpuCmp, valu_pkg::FpuCmpClass: compares = 1'b1;
        valu_pkg::FpuCvtI32F32, valu_pkg::FpuCvtI32F64, valu_pkg::FpuCvtI16F16, valu_pkg::FpuCvtRpiI32F32,
        valu_pkg::FpuCvtFlrI32F32: {to_int, integer_result, is_signed} = '1;
        valu_pkg::FpuCvtU32F32, valu_pkg::FpuCvtU32F64, valu_pkg::FpuCvtU16F16, valu_pkg::FpuCvtPkU8F32: {to_int, integer_result} = '1;
        valu_pkg::FpuCvtF32I32, valu_pkg::FpuCvtF64I32, valu_pkg::FpuCvtF16I16: {from_int, foreign, is_signed} = '1;
        valu_pkg::FpuCvtF32U32, valu_pkg::FpuCvtF64U32, valu_pkg::FpuCvtF16U16, valu_pkg::FpuCvtOffF32I4,
        valu_pkg::FpuCvtF32Ubyte0, valu_pkg::FpuCvtF32Ubyte1, valu_pkg::FpuCvtF32Ubyte2, valu_pkg::FpuCvtF32Ubyte3,
        valu_pkg::FpuCvtF32F16, valu_pkg::FpuTrigPreop: {from_int, foreign} = '1;
        // The narrower number has modifiers of its own.
        valu_pkg::FpuCvtF32F64, valu_pkg::FpuCvtF16F32: {narrows, integer_result} = '1;
        valu_pkg::FpuCvtPkrtzF16F32: {b_used, narrows, integer_result} = '1;
        valu_pkg::FpuCvtF64F32, valu_pkg::FpuCndmask: foreign = 1'b1;
        default: ;
      endcase
    end
  end
  assign rounds = multiplies | scales | from_int;

  // Sources. Roots of halves read denormals in every mode.
  logic    flush_inputs;
  number_t a, b, c, addend, x, y;
  assign flush_inputs = flushes | (Double & narrows ? ~other_mode_i.denorm[0] : ~mode_i.denorm[0] & ~(Half & (roots | inverts)));
  fp_unpack #(.Field(Field), .Exp(Exp), .Sig(Sig)) u_unpack_a (
    .en_i(en_i & ~(compares | orders | div_fixes | foreign)), .bits_i(a_i), .flush_i(flush_inputs), .number_o(a)
  );
  fp_unpack #(.Field(Field), .Exp(Exp), .Sig(Sig)) u_unpack_b (.en_i(b_used), .bits_i(b_i), .flush_i(flush_inputs), .number_o(b));
  fp_unpack #(.Field(Field), .Exp(Exp), .Sig(Sig)) u_unpack_c (.en_i(c_used), .bits_i(c_i), .flush_i(flush_inputs), .number_o(c));

  // The first source that is a NaN, made quiet, else the default NaN. v_div_scale's is a.
  logic [Bits-1:0] nan;
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
  logic            relation_holds, in_class;
  logic [Bits-1:0] of_two, of_three, median;
  fp_compare #(.Field(Field), .Sig(Sig)) u_compare (
    .en_i(compares), .a_i, .b_i, .flush_i(flush_inputs), .relation_i, .classes_i(b_i[9:0]), .holds_o(relation_holds),
    .in_class_o(in_class)
  );
  fp_minmax #(.Field(Field), .Sig(Sig)) u_minmax (
    .en_i(orders), .a_i, .b_i, .c_i(Single ? c_i : '0), .ieee_i(mode_i.ieee),
    .largest_i(op_i == valu_pkg::FpuMax | op_i == valu_pkg::FpuMax3), .of_two_o(of_two), .of_three_o(of_three),
    .median_o(median)
  );

  // To and from whole numbers. Conversions that a format has alone are further down.
  logic             whole_large, negative, int_sign, own_sign;
  logic [Whole-1:0] whole, int_magnitude, own_magnitude;
  logic [Int-1:0]   integer_of_a, int_bits;
  logic [Exp-1:0]   own_scale;
  logic             own_whole;  // the whole number is own_magnitude * 2^own_scale
  exact_t           exact_int, exact;
  fp_to_int #(.Exp(Exp), .Sig(Sig), .Whole(Whole), .Int(Int)) u_to_int (
    .en_i(to_int), .number_i(a), .nearest_i(op_i == valu_pkg::FpuRndne), .up_i(op_i == valu_pkg::FpuCeil),
    .down_i(op_i == valu_pkg::FpuFloor | op_i == valu_pkg::FpuFract | (Single & op_i == valu_pkg::FpuCvtFlrI32F32)),
    .half_up_i(Single & op_i == valu_pkg::FpuCvtRpiI32F32), .signed_i(is_signed), .magnitude_o(whole),
    .large_o(whole_large), .integer_o(integer_of_a)
  );
  assign negative = is_signed & a_i[Int-1];
  assign int_bits = negative ? -a_i[Int-1:0] : a_i[Int-1:0];
  always_comb begin
    int_sign      = '0;
    int_magnitude = '0;
    if (en_i) begin
      int_sign      = a_i[Bits-1];
      int_magnitude = whole;
    end
    if (from_int & foreign) begin
      int_sign      = own_whole ? own_sign : negative;
      int_magnitude = own_whole ? own_magnitude : Whole'(int_bits);
    end
  end
  fp_from_int #(.Whole(Whole), .Exp(Exp), .Sig(Sig)) u_from_int (
    .en_i(from_int | (to_int & adds)), .sign_i(int_sign), .magnitude_i(int_magnitude), .scale_i(own_scale),
    .exact_o(exact_int)
  );

  // Division.
  logic            undefined, scale_up, scale_down, scaled_flag;
  logic [Bits-1:0] fixed_up;
  if (DivScale != 0) begin : gen_division
    logic a_is_b, a_is_c;
    // As numbers: infinities and NaNs have significands too.
    assign a_is_b = div_scales & ~a.nan & ~b.nan & ((a.zero & b.zero) | ((a.zero == b.zero) & (a_i == b_i)));
    assign a_is_c = div_scales & ~a.nan & ~c.nan & ((a.zero & c.zero) | ((a.zero == c.zero) & (a_i == c_i)));
    fp_div_scale #(.Field(Field), .Exp(Exp), .Sig(Sig), .Huge(Double ? 768 : 96), .Tiny(Double ? 53 : 23)) u_div_scale (
      .en_i(div_scales), .d_i(b_i[Bits-2:0]), .n_field_i(c_i[Bits-2:Sig-1]), .d_number_i(b), .n_number_i(c),
      .x_is_d_i(a_is_b), .x_is_n_i(a_is_c), .round_i(mode_i.round), .keep_small_i(mode_i.denorm[1]),
      .undefined_o(undefined), .up_o(scale_up), .down_o(scale_down), .flag_o(scaled_flag)
    );
  end
  else begin : gen_no_division
    assign {undefined, scale_up, scale_down, scaled_flag} = '0;
  end
  fp_div_fixup #(.Field(Field), .Sig(Sig), .Underflows(!Half)) u_div_fixup (
    .en_i(div_fixes), .quotient_i(Half & flush_inputs & a_i[Bits-2:Sig-1] == '0 ? '0 : a_i[Bits-2:0]), .d_i(b_i), .n_i(c_i),
    .flush_i(flush_inputs), .result_o(fixed_up)
  );

  // ---- What a format has alone: conversions from and to other formats, and more
  logic            own, own_decided;  // the result is own_result, if own_decided
  logic [Bits-1:0] own_result;
  if (Single) begin : gen_single
    logic [15:0] half_of_a, half_of_b, half_modified;
    logic        half_denormal;
    logic [31:0] byte_mask, packed_byte;
    fp_half_of_single u_half_of_a (
      .en_i(narrows), .number_i(a),
      .round_i(op_i == valu_pkg::FpuCvtF16F32 ? other_mode_i.round : fpu_pkg::RoundZero), .half_o(half_of_a)
    );
    fp_half_of_single u_half_of_b (.en_i(narrows), .number_i(b), .round_i(fpu_pkg::RoundZero), .half_o(half_of_b));
    fp_modify_half u_modify_half (
      .en_i(narrows), .value_i(half_of_a), .mode_i(other_mode_i), .flush_i(~other_mode_i.denorm[1]),
      .result_o(half_modified)
    );
    assign half_denormal = a_i[14:10] == '0;
    assign byte_mask     = 32'hff << {b_i[1:0], 3'b000};
    assign packed_byte   = {24'd0, (integer_of_a > 32'd255) ? 8'hff : integer_of_a[7:0]} << {b_i[1:0], 3'b000};

    always_comb begin
      own_whole     = foreign;
      own_sign      = 1'b0;
      own_magnitude = '0;
      own_scale     = '0;
      if (foreign) unique case (op_i)
        valu_pkg::FpuCvtF32Ubyte0: own_magnitude = {24'd0, a_i[7:0]};
        valu_pkg::FpuCvtF32Ubyte1: own_magnitude = {24'd0, a_i[15:8]};
        valu_pkg::FpuCvtF32Ubyte2: own_magnitude = {24'd0, a_i[23:16]};
        valu_pkg::FpuCvtF32Ubyte3: own_magnitude = {24'd0, a_i[31:24]};
        valu_pkg::FpuCvtOffF32I4: begin
          own_sign      = a_i[3];
          own_magnitude = {28'd0, a_i[3] ? -a_i[3:0] : a_i[3:0]};
          own_scale     = -10'd4;
        end
        valu_pkg::FpuCvtF32F16: begin
          own_sign      = a_i[15];
          own_magnitude = {21'd0, ~half_denormal, (half_denormal & ~other_mode_i.denorm[0]) ? 10'd0 : a_i[9:0]};
          own_scale     = {5'd0, half_denormal ? 5'd1 : a_i[14:10]} - 10'd25;
        end
        default: own_whole = 1'b0;
      endcase
    end
    always_comb begin
      own         = en_i;
      own_decided = 1'b1;
      own_result  = '0;
      if (en_i) unique case (op_i)
        valu_pkg::FpuMin3, valu_pkg::FpuMax3: own_result = of_three;
        valu_pkg::FpuMed3: own_result = median;
        valu_pkg::FpuCvtPkU8F32: own_result = (c_i & ~byte_mask) | packed_byte;
        valu_pkg::FpuCvtPkrtzF16F32: own_result = {half_of_b, half_of_a};
        valu_pkg::FpuCvtF16F32: own_result = {16'd0, half_modified};
        valu_pkg::FpuCvtF32F16: begin
          own_decided = a_i[14:0] >= 15'h7c00;
          own_result  = a_i[14:0] > 15'h7c00 ? {a_i[15], 9'h1ff, a_i[8:0], 13'd0} : {a_i[15], 31'h7f800000};
        end
        valu_pkg::FpuCndmask: own_result = flag_i ? b_i : a_i;
        default: own = 1'b0;
      endcase
    end
  end
  else if (Double) begin : gen_double
    logic        preops;
    logic [63:0] double_of_single;
    logic [31:0] single_of_a, modified_single;
    assign preops = from_int & op_i == valu_pkg::FpuTrigPreop;
    fp_two_over_pi u_two_over_pi (
      .en_i(preops), .field_i(a_i[62:52]), .segment_i(b_i[4:0]), .magnitude_o(own_magnitude), .scale_o(own_scale)
    );
    fp_double_single u_double_single (
      .narrow_i(narrows), .widen_i(op_i == valu_pkg::FpuCvtF64F32 & foreign), .double_i(a), .single_i(a_i[31:0]),
      .round_i(other_mode_i.round), .denorm_i(other_mode_i.denorm), .single_o(single_of_a), .double_o(double_of_single)
    );
    fp_modify u_modify_single (
      .en_i(narrows), .value_i(single_of_a), .mode_i(other_mode_i), .result_o(modified_single)
    );
    assign own_whole   = preops;
    assign own_sign    = 1'b0;
    assign own         = narrows | op_i == valu_pkg::FpuCvtF64F32;
    assign own_decided = 1'b1;
    assign own_result  = double_of_single | {32'd0, modified_single};
  end
  else begin : gen_half
    assign {own_whole, own_sign, own_magnitude, own_scale, own, own_decided, own_result} = '0;
  end

  // ---- Operands of the multiplier, the first rounder and the second adder
  // Adding a zero of the product's sign changes nothing.
  logic [Exp-1:0] scale;
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
      scale = b_i[Exp-1:0];
      if ($signed(b_i[Int-1:0]) > $signed(Int'(Far))) scale = Exp'(Far);
      if ($signed(b_i[Int-1:0]) < -$signed(Int'(Far))) scale = -Exp'(Far);
      if (div_scales) scale = scale_up ? Exp'(DivScale) : -Exp'(DivScale);
      exact       = {a.sign, a.exp + scale, a.sig, 2'b00};
      exact_inf_o = a.inf;
    end
  end
  always_comb begin
    x = '0;
    y = '0;
    if (adds) begin
      x = a;
      y = c_used ? c : b;
      if (op_i == valu_pkg::FpuSub) y.sign = ~b.sign;
      if (op_i == valu_pkg::FpuSubRev) x.sign = ~a.sign;
      if (to_int) begin
        y      = a;
        y.sign = ~a.sign;
        if (~whole_large) begin
          y.zero = whole == '0;
          y.exp  = exact_int.exp;
          y.sig  = exact_int.sig;
        end
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
  logic            decided;
  logic [Bits-1:0] other;
  logic [Int-1:0]  frexp_exp;
  assign frexp_exp = {{(Int - Exp){a.exp[Exp-1]}}, a.exp} + Int'(1);
  assign other_o   = other;
  always_comb begin
    other   = '0;
    decided = 1'b0;
    if (en_i) begin
      other   = nan;
      decided = ~(adds | multiplies | from_int);
      if (compares) other = '0;  // no result but the flag
      if (to_int & integer_result) other = Bits'(integer_of_a);
      unique case (op_i)
        valu_pkg::FpuLdexp, valu_pkg::FpuRcp: decided = a.nan;
        valu_pkg::FpuSqrt, valu_pkg::FpuRsq: decided = a.nan | (a.sign & ~a.zero);
        valu_pkg::FpuDivScale: begin
          decided = undefined | ~(scale_up | scale_down) | a.nan;
          if (~(scale_up | scale_down)) other = a_i;
          if (undefined) other = Nan;
        end
        valu_pkg::FpuDivFixup: other = fixed_up;
        valu_pkg::FpuMin, valu_pkg::FpuMax: other = of_two;
        valu_pkg::FpuTrunc, valu_pkg::FpuCeil, valu_pkg::FpuRndne, valu_pkg::FpuFloor: begin
          decided = a.nan | whole_large;
          if (~a.nan) other = a_i;
        end
        valu_pkg::FpuFrexpExp: other = (a.zero | a.inf | a.nan) ? '0 : Bits'(frexp_exp);
        valu_pkg::FpuFrexpMant: begin
          other = {a.sign, Field'(Bias - 1), a.sig[Sig-2:0]};
          if (a.zero) other = {a.sign, {(Bits - 1){1'b0}}};
          if (a.inf) other = a_i;
          if (a.nan) other = nan;
        end
        default: ;
      endcase
      if (own) begin
        other   = own_result;
        decided = own_decided;
      end
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
      flow_o.roots          = !Single & (roots | inverts);  // valu_trans has those of singles
      flow_o.roots_nearest  = Half;
      flow_o.decided        = decided;
      flow_o.takes_second   = (adds & ~(div_ends & ~flag_i)) | roots | inverts;
      flow_o.legacy_zero    = Single & legacy & (a.zero | b.zero);
      flow_o.fract          = op_i == valu_pkg::FpuFract;
      flow_o.integer_result = integer_result;
      flow_o.flag           = op_i == valu_pkg::FpuCmpClass ? in_class : relation_holds | scaled_flag;
      flow_o.quotient_large = c_i[Bits-2:Sig-1] > Field'(Bias);
      flow_o.flush_inputs   = flush_inputs;
      flow_o.flush_results  = !Half & (flushes | ~mode_i.denorm[1]);
      flow_o.flush_modified = Half & (flushes | (~mode_i.denorm[1] & ~as_it_is));
      flow_o.mode           = mode_i;
    end
  end

  logic unused;
  assign unused = ^{of_three, median, other_mode_i};

endmodule
