// SPDX-License-Identifier: Apache-2.0
// What the half-precision unit knows from an instruction's sources alone: what it asks of the multiplier, the adders and
// the rounders (fp_flow) and of the roots, their operands, and the result where none of them has a part in it.
//
// Combinational. Denormal sources are flushed before everything else, denormal results after the rounding. (ISA
// document, chapter 12; MODE: 3.6)
module valu_half_sources (
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
  output fpu_pkg::flow_t flow_o,
  output logic [15:0]  other_o,       // the result where no rounder makes it, or else the NaN that it may be
  output logic [22:0]  a_o,           // factors, in the format's widths as all that follow; a is the root's source too
  output logic [22:0]  b_o,
  output logic [22:0]  addend_o,      // of the fused sum; zero for a product
  output logic [21:0]  exact_o,       // what the first rounder gets where nothing is multiplied
  output logic         exact_inf_o,
  output logic [22:0]  x_o,           // operands of the second adder; x is the product where something is multiplied
  output logic [22:0]  y_o,
  output logic         root_o,
  output logic         inverse_o      // the reciprocal, with root_o of the root
);

  localparam logic [15:0] Quiet = 16'h0200;
  localparam logic [15:0] Nan   = 16'h7e00;

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
  logic roots, inverts;  // the second one a root, or the reciprocal of a or of a's root
  logic integer_result;  // not to be modified
  logic b_used, c_used;  // beside a
  logic multiplies, adds, rounds, to_int, compares, orders, div_fixes;

  always_comb begin
    {flushes, as_it_is, fuses, scales, from_int, roots, inverts, integer_result} = '0;
    {b_used, c_used, multiplies, adds, to_int, compares, orders, div_fixes} = '0;
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

  assign rounds = multiplies | scales | from_int;

  // Sources. Transcendentals read denormals in every mode.
  logic    flush_inputs;
  number_t a, b, c, addend, x, y;
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
  exact_t      exact_int, exact;
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

  // Division.
  logic [14:0] quotient;
  logic [15:0] fixed_up;
  assign quotient = (flush_inputs & a_i[14:10] == '0) ? '0 : a_i[14:0];
  fp_div_fixup #(.Field(5), .Sig(11), .Underflows(0)) u_div_fixup (
    .en_i(div_fixes), .quotient_i(quotient), .d_i(b_i), .n_i(c_i), .flush_i(flush_inputs), .result_o(fixed_up)
  );

  // ---- Operands of the multiplier, the first rounder and the second adder
  // Adding a zero of the product's sign changes nothing. Scaling by 2^64 does what any larger power of two would.
  logic [7:0] scale;
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
      scale = b_i[7:0];
      if ($signed(b_i) > 16'sd64) scale = 8'd64;
      if ($signed(b_i) < -16'sd64) scale = -8'd64;
      exact       = {a.sign, a.exp + scale, a.sig, 2'b00};
      exact_inf_o = a.inf;
    end
  end
  always_comb begin
    x = '0;
    y = '0;
    if (adds) begin
      x = a;
      y = b;
      unique case (op_i)
        fpu_pkg::FpuSub:    y.sign = ~b.sign;
        fpu_pkg::FpuSubRev: x.sign = ~a.sign;
        fpu_pkg::FpuMad:    y = c;
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
  logic [15:0] other;
  assign other_o = other;
  always_comb begin
    other   = '0;
    decided = 1'b0;
    if (en_i) begin
      other   = nan;
      decided = 1'b1;
      unique case (op_i)
        fpu_pkg::FpuAdd, fpu_pkg::FpuSub, fpu_pkg::FpuSubRev, fpu_pkg::FpuMul, fpu_pkg::FpuFma, fpu_pkg::FpuMad,
        fpu_pkg::FpuFract, fpu_pkg::FpuCvtF16I16, fpu_pkg::FpuCvtF16U16: decided = 1'b0;
        fpu_pkg::FpuLdexp, fpu_pkg::FpuRcp: decided = a.nan;
        fpu_pkg::FpuSqrt, fpu_pkg::FpuRsq: decided = a.nan | (a.sign & ~a.zero);
        fpu_pkg::FpuDivFixup: other = fixed_up;
        fpu_pkg::FpuMin, fpu_pkg::FpuMax: other = of_two;
        fpu_pkg::FpuTrunc, fpu_pkg::FpuCeil, fpu_pkg::FpuRndne, fpu_pkg::FpuFloor: begin
          decided = a.nan | whole_large;
          if (~a.nan) other = a_i;
        end
        fpu_pkg::FpuFrexpExp: other = (a.zero | a.inf | a.nan) ? '0 : {{8{a.exp[7]}}, a.exp} + 16'd1;
        fpu_pkg::FpuFrexpMant: begin
          other = {a.sign, 5'd14, a.sig[9:0]};
          if (a.zero) other = {a.sign, 15'd0};
          if (a.inf) other = a_i;
          if (a.nan) other = nan;
        end
        fpu_pkg::FpuCvtI16F16, fpu_pkg::FpuCvtU16F16: other = integer_of_a;
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
      flow_o.roots          = roots | inverts;
      flow_o.roots_nearest  = 1'b1;
      flow_o.decided        = decided;
      flow_o.takes_second   = adds | roots | inverts;
      flow_o.fract          = op_i == fpu_pkg::FpuFract;
      flow_o.integer_result = integer_result;
      flow_o.flag           = op_i == fpu_pkg::FpuCmpClass ? in_class : relation_holds;
      flow_o.flush_inputs   = flush_inputs;
      flow_o.flush_modified = flushes | (~denorm_i[1] & ~as_it_is);
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
