// SPDX-License-Identifier: Apache-2.0
// What the single-precision unit knows from an instruction's sources alone: what it asks of the multiplier, the adders and
// the rounders (fp_flow), their operands, and the result where none of them has a part in it.
//
// Combinational. (ISA document, chapter 12; MODE: 3.6)
module valu_float_sources (
  input  logic         en_i,           // 0: nothing is computed, all outputs are 0
  input  fpu_pkg::op_e op_i,
  input  logic [3:0]   relation_i,     // FpuCmp: low four bits of the VOPC opcode
  input  logic [31:0]  a_i,            // sources, neg and abs applied
  input  logic [31:0]  b_i,
  input  logic [31:0]  c_i,
  input  logic         flag_i,         // the lane's bit of the mask that is read
  input  logic [1:0]   round_i,        // MODE[1:0]
  input  logic [1:0]   denorm_i,       // MODE[5:4]: bit 0 keeps denormal inputs, bit 1 keeps denormal results
  input  logic [1:0]   half_denorm_i,  // MODE[7:6]
  input  logic [1:0]   half_round_i,   // MODE[3:2]
  input  logic         ieee_i,
  input  logic         dx10_clamp_i,
  input  logic [1:0]   omod_i,
  input  logic         clamp_i,
  output fpu_pkg::flow_t   flow_o,
  output logic [31:0]      other_o,    // the result where no rounder makes it, or else the NaN that it may be
  output fpu_pkg::number_t a_o,        // factors
  output fpu_pkg::number_t b_o,
  output fpu_pkg::number_t addend_o,   // of the fused sum; zero for a product
  output fpu_pkg::exact_t  exact_o,    // what the first rounder gets where nothing is multiplied
  output logic             exact_inf_o,
  output fpu_pkg::number_t x_o,        // operands of the second adder; x is the product where something is multiplied
  output fpu_pkg::number_t y_o
);

  // What an instruction asks of the units.
  logic flushes;         // denormals are flushed whatever MODE says
  logic legacy;          // zero times anything is zero
  logic fuses;           // c is added to the exact product
  logic scales;          // the first rounder takes a times a power of two ...
  logic from_int;        // ... or a whole number
  logic nan_of_b, nan_of_c;  // sources whose NaN the result may be, beside a
  logic integer_result;  // not to be modified
  // Units that have something to do.
  logic        a_used, b_used, c_used, multiplies, adds, rounds, to_int, whole_again, compares, orders, div_scales,
               div_fixes, div_ends, to_half;

  always_comb begin
    {flushes, legacy, fuses, scales, from_int, nan_of_b, nan_of_c, integer_result} = '0;
    {a_used, b_used, c_used, multiplies, adds, to_int, compares, orders} = '0;
    {div_scales, div_fixes, div_ends, to_half} = '0;
    if (en_i) begin
      unique case (op_i)
        fpu_pkg::FpuAdd, fpu_pkg::FpuSub, fpu_pkg::FpuSubRev: {a_used, b_used, nan_of_b, adds} = '1;
        fpu_pkg::FpuMul: {a_used, b_used, nan_of_b, multiplies} = '1;
        fpu_pkg::FpuMulLegacy: {a_used, b_used, nan_of_b, multiplies, legacy, flushes} = '1;
        fpu_pkg::FpuMad: {a_used, b_used, c_used, nan_of_b, nan_of_c, multiplies, adds, flushes} = '1;
        fpu_pkg::FpuMadLegacy: {a_used, b_used, c_used, nan_of_b, nan_of_c, multiplies, adds, legacy, flushes} = '1;
        fpu_pkg::FpuFma: {a_used, b_used, c_used, nan_of_b, nan_of_c, multiplies, fuses} = '1;
        fpu_pkg::FpuDivFmas: {a_used, b_used, c_used, nan_of_b, nan_of_c, multiplies, fuses, adds, div_ends} = '1;
        fpu_pkg::FpuLdexp: {a_used, scales} = '1;
        fpu_pkg::FpuDivScale: {a_used, b_used, c_used, scales, div_scales} = '1;
        fpu_pkg::FpuDivFixup: div_fixes = 1'b1;
        fpu_pkg::FpuMin, fpu_pkg::FpuMax, fpu_pkg::FpuMin3, fpu_pkg::FpuMax3, fpu_pkg::FpuMed3: orders = 1'b1;
        fpu_pkg::FpuTrunc, fpu_pkg::FpuCeil, fpu_pkg::FpuRndne, fpu_pkg::FpuFloor: {a_used, to_int, from_int} = '1;
        fpu_pkg::FpuFract: {a_used, to_int, adds} = '1;
        fpu_pkg::FpuFrexpExp: {a_used, integer_result} = '1;
        fpu_pkg::FpuFrexpMant: a_used = 1'b1;
        fpu_pkg::FpuCvtF32I32, fpu_pkg::FpuCvtF32U32, fpu_pkg::FpuCvtOffF32I4, fpu_pkg::FpuCvtF32Ubyte0,
        fpu_pkg::FpuCvtF32Ubyte1, fpu_pkg::FpuCvtF32Ubyte2, fpu_pkg::FpuCvtF32Ubyte3, fpu_pkg::FpuCvtF32F16: begin
          from_int = 1'b1;
        end
        fpu_pkg::FpuCvtU32F32, fpu_pkg::FpuCvtI32F32, fpu_pkg::FpuCvtRpiI32F32, fpu_pkg::FpuCvtFlrI32F32,
        fpu_pkg::FpuCvtPkU8F32: {a_used, to_int, integer_result} = '1;
        // The half has modifiers of its own.
        fpu_pkg::FpuCvtPkrtzF16F32, fpu_pkg::FpuCvtF16F32: {a_used, b_used, to_half, integer_result} = '1;
        fpu_pkg::FpuCmp, fpu_pkg::FpuCmpClass: compares = 1'b1;
        default: ;
      endcase
    end
  end
  assign rounds      = multiplies | scales | from_int;
  assign whole_again = from_int | (to_int & adds);

  // Sources.
  logic             flush_inputs, flush_results;
  fpu_pkg::number_t a, b, c;

  assign flush_inputs  = flushes | ~denorm_i[0];
  assign flush_results = flushes | ~denorm_i[1];
  fp_unpack u_unpack_a (.en_i(a_used), .bits_i(a_i), .flush_i(flush_inputs), .number_o(a));
  fp_unpack u_unpack_b (.en_i(b_used), .bits_i(b_i), .flush_i(flush_inputs), .number_o(b));
  fp_unpack u_unpack_c (.en_i(c_used), .bits_i(c_i), .flush_i(flush_inputs), .number_o(c));

  // The first source that is a NaN, made quiet, else the default NaN.
  logic [31:0] nan;
  always_comb begin
    nan = 32'h7fc00000;
    if (nan_of_c & c.nan) nan = c_i | 32'h00400000;
    if (nan_of_b & b.nan) nan = b_i | 32'h00400000;
    if (a.nan) nan = a_i | 32'h00400000;
  end

  // Comparing.
  logic        relation_holds, in_class, a_is_b, a_is_c;
  logic [31:0] of_two, of_three, median;
  fp_compare u_compare (
    .en_i(compares), .a_i, .b_i, .flush_i(flush_inputs), .relation_i, .classes_i(b_i[9:0]),
    .holds_o(relation_holds), .in_class_o(in_class)
  );
  fp_minmax u_minmax (
    .en_i(orders), .a_i, .b_i, .c_i, .ieee_i,
    .largest_i(op_i == fpu_pkg::FpuMax | op_i == fpu_pkg::FpuMax3),
    .of_two_o(of_two), .of_three_o(of_three), .median_o(median)
  );
  // As numbers: infinities and NaNs have significands too.
  assign a_is_b = ~a.nan & ~b.nan & ((a.zero & b.zero) | ((a.zero == b.zero) & (a_i == b_i)));
  assign a_is_c = ~a.nan & ~c.nan & ((a.zero & c.zero) | ((a.zero == c.zero) & (a_i == c_i)));

  // To and from whole numbers.
  logic        whole_large, int_sign;
  logic [31:0] whole, integer_of_a, int_magnitude;
  logic [9:0]  int_scale;
  fp_to_int u_to_int (
    .en_i(to_int),
    .number_i(a),
    .nearest_i(op_i == fpu_pkg::FpuRndne),
    .up_i(op_i == fpu_pkg::FpuCeil),
    .down_i(op_i == fpu_pkg::FpuFloor | op_i == fpu_pkg::FpuFract | op_i == fpu_pkg::FpuCvtFlrI32F32),
    .half_up_i(op_i == fpu_pkg::FpuCvtRpiI32F32),
    .signed_i(op_i != fpu_pkg::FpuCvtU32F32 & op_i != fpu_pkg::FpuCvtPkU8F32),
    .magnitude_o(whole),
    .large_o(whole_large),
    .integer_o(integer_of_a)
  );

  logic half_denormal;
  assign half_denormal = a_i[14:10] == '0;
  always_comb begin
    int_sign      = a_i[31];
    int_magnitude = whole;
    int_scale     = '0;
    unique case (op_i)
      fpu_pkg::FpuCvtF32I32: int_magnitude = a_i[31] ? -a_i : a_i;
      fpu_pkg::FpuCvtF32U32: begin
        int_sign      = 1'b0;
        int_magnitude = a_i;
      end
      fpu_pkg::FpuCvtF32Ubyte0, fpu_pkg::FpuCvtF32Ubyte1, fpu_pkg::FpuCvtF32Ubyte2, fpu_pkg::FpuCvtF32Ubyte3: begin
        int_sign = 1'b0;
        unique case (op_i)
          fpu_pkg::FpuCvtF32Ubyte0: int_magnitude = {24'd0, a_i[7:0]};
          fpu_pkg::FpuCvtF32Ubyte1: int_magnitude = {24'd0, a_i[15:8]};
          fpu_pkg::FpuCvtF32Ubyte2: int_magnitude = {24'd0, a_i[23:16]};
          default:                  int_magnitude = {24'd0, a_i[31:24]};
        endcase
      end
      fpu_pkg::FpuCvtOffF32I4: begin
        int_sign      = a_i[3];
        int_magnitude = {28'd0, a_i[3] ? -a_i[3:0] : a_i[3:0]};
        int_scale     = -10'd4;
      end
      fpu_pkg::FpuCvtF32F16: begin
        int_sign      = a_i[15];
        int_magnitude = {21'd0, ~half_denormal, (half_denormal & ~half_denorm_i[0]) ? 10'd0 : a_i[9:0]};
        int_scale     = {5'd0, half_denormal ? 5'd1 : a_i[14:10]} - 10'd25;
      end
      default: ;
    endcase
  end

  fpu_pkg::exact_t exact_int;
  fp_from_int u_from_int (
    .en_i(whole_again), .sign_i(int_sign), .magnitude_i(int_magnitude), .scale_i(int_scale), .exact_o(exact_int)
  );

  // Division.
  logic        undefined, scale_up, scale_down, scaled_flag;
  logic [31:0] fixed_up;
  fp_div_scale u_div_scale (
    .en_i(div_scales), .d_i(b_i[30:0]), .n_field_i(c_i[30:23]), .d_number_i(b), .n_number_i(c), .x_is_d_i(a_is_b), .x_is_n_i(a_is_c),
    .round_i, .keep_small_i(denorm_i[1]), .undefined_o(undefined), .up_o(scale_up), .down_o(scale_down),
    .flag_o(scaled_flag)
  );
  fp_div_fixup u_div_fixup (
    .en_i(div_fixes), .quotient_i(a_i[30:0]), .d_i(b_i), .n_i(c_i), .flush_i(flush_inputs), .result_o(fixed_up)
  );

  // Half precision.
  logic [15:0] half_of_a, half_of_b, half_modified;
  logic        half_is_inf, half_is_nan;
  fp_half_of_single u_half_of_a (
    .en_i(to_half), .number_i(a), .round_i(op_i == fpu_pkg::FpuCvtF16F32 ? half_round_i : fpu_pkg::RoundZero),
    .half_o(half_of_a)
  );
  fp_half_of_single u_half_of_b (.en_i(to_half), .number_i(b), .round_i(fpu_pkg::RoundZero), .half_o(half_of_b));
  fp_modify_half u_modify_half (
    .en_i(to_half), .value_i(half_of_a), .omod_i, .clamp_i, .ieee_i, .dx10_clamp_i, .round_i(half_round_i),
    .keep_denormals_i(half_denorm_i[1]), .flush_i(~half_denorm_i[1]), .result_o(half_modified)
  );
  assign half_is_inf = a_i[14:0] == 15'h7c00;
  assign half_is_nan = a_i[14:0] > 15'h7c00;

  // ---- Operands of the multiplier, the first rounder and the second adder
  // Adding a zero of the product's sign changes nothing. Scaling by 2^300 does what any larger power of two would.
  logic [9:0] scale;
  always_comb begin
    a_o      = a;
    b_o      = b;
    addend_o = c;
    if (~fuses) begin
      addend_o      = '0;
      addend_o.zero = 1'b1;
      addend_o.sign = a.sign ^ b.sign;
    end
    scale = b_i[9:0];
    if ($signed(b_i) > 32'sd300) scale = 10'd300;
    if ($signed(b_i) < -32'sd300) scale = -10'd300;
    if (op_i == fpu_pkg::FpuDivScale) scale = scale_up ? 10'd64 : -10'd64;
    exact_o     = exact_int;
    exact_inf_o = 1'b0;
    if (scales) begin
      exact_o.sign   = a.sign;
      exact_o.exp    = a.exp + scale;
      exact_o.sig    = a.sig;
      exact_o.guard  = 1'b0;
      exact_o.sticky = 1'b0;
      exact_inf_o    = a.inf;
    end
    x_o = a;
    y_o = b;
    unique case (op_i)
      fpu_pkg::FpuSub:    y_o.sign = ~b.sign;
      fpu_pkg::FpuSubRev: x_o.sign = ~a.sign;
      fpu_pkg::FpuFract: begin
        y_o      = a;
        y_o.sign = ~a.sign;
        if (~whole_large) begin
          y_o.zero = whole == '0;
          y_o.exp  = exact_int.exp;
          y_o.sig  = exact_int.sig;
        end
      end
      fpu_pkg::FpuMad, fpu_pkg::FpuMadLegacy, fpu_pkg::FpuDivFmas: y_o = c;
      default: ;
    endcase
  end

  // ---- The result, where no rounder makes it; else the NaN that it may be
  logic        decided;
  logic [31:0] other, byte_mask, packed_byte;
  assign other_o     = other;
  assign byte_mask   = 32'hff << {b_i[1:0], 3'b000};
  assign packed_byte = {24'd0, (integer_of_a > 32'd255) ? 8'hff : integer_of_a[7:0]} << {b_i[1:0], 3'b000};
  always_comb begin
    other   = '0;
    decided = '0;
    if (en_i) begin
      other   = nan;
      decided = 1'b1;
      unique case (op_i)
        fpu_pkg::FpuAdd, fpu_pkg::FpuSub, fpu_pkg::FpuSubRev, fpu_pkg::FpuMul, fpu_pkg::FpuMulLegacy, fpu_pkg::FpuFma,
        fpu_pkg::FpuMad, fpu_pkg::FpuMadLegacy, fpu_pkg::FpuFract, fpu_pkg::FpuDivFmas: decided = 1'b0;
        fpu_pkg::FpuLdexp: decided = a.nan;
        fpu_pkg::FpuDivScale: begin
          decided = undefined | ~(scale_up | scale_down) | a.nan;
          if (~(scale_up | scale_down)) other = a_i;
          if (undefined) other = 32'h7fc00000;
        end
        fpu_pkg::FpuDivFixup: other = fixed_up;
        fpu_pkg::FpuMin, fpu_pkg::FpuMax: other = of_two;
        fpu_pkg::FpuMin3, fpu_pkg::FpuMax3: other = of_three;
        fpu_pkg::FpuMed3: other = median;
        fpu_pkg::FpuTrunc, fpu_pkg::FpuCeil, fpu_pkg::FpuRndne, fpu_pkg::FpuFloor: begin
          decided = a.nan | whole_large;
          if (~a.nan) other = a_i;
        end
        fpu_pkg::FpuFrexpExp: begin
          other = (a.zero | a.inf | a.nan) ? '0 : {{22{a.exp[9]}}, a.exp} + 32'd1;
        end
        fpu_pkg::FpuFrexpMant: begin
          other = {a.sign, 8'd126, a.sig[22:0]};
          if (a.zero) other = {a.sign, 31'd0};
          if (a.inf) other = a_i;
          if (a.nan) other = nan;
        end
        fpu_pkg::FpuCvtF32I32, fpu_pkg::FpuCvtF32U32, fpu_pkg::FpuCvtOffF32I4, fpu_pkg::FpuCvtF32Ubyte0,
        fpu_pkg::FpuCvtF32Ubyte1, fpu_pkg::FpuCvtF32Ubyte2, fpu_pkg::FpuCvtF32Ubyte3: decided = 1'b0;
        fpu_pkg::FpuCvtU32F32, fpu_pkg::FpuCvtI32F32, fpu_pkg::FpuCvtRpiI32F32, fpu_pkg::FpuCvtFlrI32F32: begin
          other = integer_of_a;
        end
        fpu_pkg::FpuCvtPkU8F32: other = (c_i & ~byte_mask) | packed_byte;
        fpu_pkg::FpuCvtPkrtzF16F32: other = {half_of_b, half_of_a};
        fpu_pkg::FpuCvtF16F32: other = {16'd0, half_modified};
        fpu_pkg::FpuCvtF32F16: begin
          decided = half_is_inf | half_is_nan;
          other   = half_is_nan ? {a_i[15], 9'h1ff, a_i[8:0], 13'd0} : {a_i[15], 31'h7f800000};
        end
        fpu_pkg::FpuCndmask: other = flag_i ? b_i : a_i;
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
      flow_o.decided        = decided;
      flow_o.takes_second   = adds & ~(div_ends & ~flag_i);
      flow_o.legacy_zero    = legacy & (a.zero | b.zero);
      flow_o.fract          = op_i == fpu_pkg::FpuFract;
      flow_o.integer_result = integer_result;
      flow_o.flag           = op_i == fpu_pkg::FpuCmpClass ? in_class : relation_holds | scaled_flag;
      flow_o.quotient_large = c_i[30:23] > 8'd127;
      flow_o.flush_inputs   = flush_inputs;
      flow_o.flush_results  = flush_results;
      flow_o.round          = round_i;
      flow_o.denorm         = denorm_i;
      flow_o.omod           = omod_i;
      flow_o.clamp          = clamp_i;
      flow_o.ieee           = ieee_i;
      flow_o.dx10_clamp     = dx10_clamp_i;
    end
  end

endmodule
