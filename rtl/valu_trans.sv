// Transcendentals of single precision of a work-item's lane: reciprocal, roots, exp2, log2, sine and cosine of turns.
//
// Combinational. Reciprocal and roots are found bit by bit (fp_root). The others interpolate in a table
// (valu_trans_segment): 2^x has the whole part of x as its exponent; log2(m 2^k) = k + (m - 1) (log2(m) / (m - 1)) with
// m in [3/4, 3/2); sin(2 pi q) = q (sin(2 pi q) / q), so that both are accurate near zero. Whatever MODE says, denormals
// are zero and results are rounded to nearest once. (ISA document, chapter 12, V_EXP_F32 and others)
module valu_trans (
  input  logic         en_i,          // 0: nothing is computed, all outputs are 0
  input  fpu_pkg::op_e op_i,
  input  logic [31:0]  a_i,           // neg and abs applied
  input  logic [1:0]   round_i,       // MODE, for the output modifiers
  input  logic [1:0]   denorm_i,
  input  logic         ieee_i,
  input  logic         dx10_clamp_i,
  input  logic [1:0]   omod_i,
  input  logic         clamp_i,
  output logic [31:0]  result_o
);

  logic is_exp, is_log, is_rcp, is_sqrt, is_rsq, is_sin, is_cos;
  assign is_exp  = en_i && op_i == fpu_pkg::FpuExp;
  assign is_log  = en_i && op_i == fpu_pkg::FpuLog;
  assign is_rcp  = en_i && op_i == fpu_pkg::FpuRcp;
  assign is_sqrt = en_i && op_i == fpu_pkg::FpuSqrt;
  assign is_rsq  = en_i && op_i == fpu_pkg::FpuRsq;
  assign is_sin  = en_i && op_i == fpu_pkg::FpuSin;
  assign is_cos  = en_i && op_i == fpu_pkg::FpuCos;

  fpu_pkg::number_t a;
  fp_unpack u_unpack (
    .en_i,
    .bits_i  (a_i),
    .flush_i (1'b1),
    .number_o(a)
  );

  // --- Reciprocal and roots ---

  logic             exact_power;  // its reciprocal, or reciprocal root, is a power of two
  logic [23:0]      root_sig;
  logic             root_guard, root_sticky;
  logic [9:0]       half_exp;
  fpu_pkg::exact_t  of_root;
  fp_root u_root (
    .en_i     (is_rcp | is_sqrt | is_rsq),
    .inverse_i(is_rcp | is_rsq),
    .root_i   (is_sqrt | is_rsq),
    .sig_i    (a.sig),
    .double_i (a.exp[0] & ~is_rcp),
    .sig_o    (root_sig),
    .guard_o  (root_guard),
    .sticky_o (root_sticky)
  );
  always_comb begin
    exact_power = '0;
    half_exp    = '0;
    of_root     = '0;
    if (is_rcp | is_sqrt | is_rsq) begin
      exact_power    = ~is_sqrt & (a.sig[22:0] == '0) & ~(is_rsq & a.exp[0]);
      half_exp       = is_rcp ? a.exp : {a.exp[9], a.exp[9:1]};  // rounded down
      of_root.sign   = a.sign;
      of_root.sig    = exact_power ? 24'h80_0000 : root_sig;
      of_root.guard  = ~exact_power & root_guard;
      of_root.sticky = ~exact_power & root_sticky;
      of_root.exp    = is_sqrt ? half_exp : -half_exp - {9'd0, ~exact_power};
    end
  end

  // --- exp2: the argument in units of 2^-30, rounded down ---

  logic        exp_large;  // 128 and more
  logic [9:0]  exp_shift;
  logic [36:0] exp_magnitude;
  logic        exp_lost;
  logic [38:0] exp_fixed;
  always_comb begin
    exp_large     = '0;
    exp_shift     = '0;
    exp_magnitude = '0;
    exp_lost      = '0;
    exp_fixed     = '0;
    if (is_exp) begin
      exp_large = $signed(a.exp) >= 10'sd7;
      exp_shift = 10'd6 - a.exp;
      if (exp_shift < 10'd37) exp_magnitude = {a.sig, 13'd0} >> exp_shift[5:0];
      exp_lost = exp_shift >= 10'd37 ? a.sig != '0 : (exp_magnitude << exp_shift[5:0]) != {a.sig, 13'd0};
      exp_fixed = {2'd0, exp_magnitude};
      if (a.sign) exp_fixed = -(exp_fixed + {38'd0, exp_lost});
    end
  end

  // --- log2: m 2^k ---

  logic        log_upper;  // m is below 1
  logic [9:0]  log_k;
  logic [22:0] log_distance;  // |m - 1| in units of 2^-23, or 2^-24 below 1
  always_comb begin
    log_upper    = '0;
    log_k        = '0;
    log_distance = '0;
    if (is_log) begin
      log_upper    = a.sig[22];
      log_k        = a.exp + {9'd0, log_upper};
      log_distance = log_upper ? -a.sig[22:0] : a.sig[22:0];
    end
  end

  // --- Sine and cosine ---

  logic        turns, turn_sign, turn_zero, turn_one;
  logic [30:0] turn_sig;
  logic [9:0]  turn_exp;
  logic [29:0] turn_place;
  assign turns = is_sin | is_cos;
  valu_trans_turn u_turn (
    .en_i   (turns),
    .cos_i  (is_cos),
    .x_i    (a),
    .sign_o (turn_sign),
    .zero_o (turn_zero),
    .one_o  (turn_one),
    .sig_o  (turn_sig),
    .exp_o  (turn_exp),
    .place_o(turn_place)
  );

  // --- The table: rows from 0 exp2, from 128 log2, from 320 sine ---

  logic [8:0]  row;
  logic [22:0] d;
  logic [30:0] value;  // in units of 2^-30 for exp2, 2^-29 for log2, 2^-28 for sine
  always_comb begin
    row = '0;
    d   = '0;
    if (is_exp) begin
      row = {2'b00, exp_fixed[29:23]};
      d   = exp_fixed[22:0];
    end
    if (is_log) begin
      row = log_upper ? 9'd256 + {3'd0, a.sig[21:16]} : 9'd128 + {2'd0, a.sig[21:15]};
      d   = log_upper ? {a.sig[15:0], 7'd0} : {a.sig[14:0], 8'd0};
    end
    if (turns) begin
      row = turn_place[29] ? 9'd384 + {2'd0, turn_place[28:22]} : 9'd320 + {3'd0, turn_place[28:23]};
      d   = turn_place[29] ? {turn_place[21:0], 1'b0} : turn_place[22:0];
    end
  end
  valu_trans_segment u_segment (
    .en_i     (is_exp | is_log | turns),
    .row_i    (row),
    .d_i      (d),
    .falling_i(~is_exp),
    .same_i   (~is_log),
    .value_o  (value)
  );

  // --- Products with the table's value; the logarithm's sum ---

  logic [61:0] product, magnitude, normalised;
  logic [9:0]  top_exp;  // the weight of the magnitude's first bit
  logic [9:0]  log_whole;
  logic [47:0] log_cut;  // in units of 2^-40
  logic [47:0] log_sum;
  logic [5:0]  lead;
  always_comb begin
    product   = '0;
    magnitude = '0;
    top_exp   = '0;
    log_whole = '0;
    log_cut   = '0;
    log_sum   = '0;
    if (is_log | turns) begin
      product   = {31'd0, is_log ? {log_distance, 8'd0} : turn_sig} * {31'd0, value};
      magnitude = product;
      top_exp   = is_log ? 10'd1 - {9'd0, log_upper} : turn_exp + 10'd3;
      if (is_log && log_k != '0) begin
        log_whole = log_k[9] ? -log_k : log_k;
        log_cut   = log_upper ? {7'd0, product[61:21]} : {6'd0, product[61:20]};
        log_sum   = log_k[9] ^ log_upper ? {log_whole[7:0], 40'd0} - log_cut : {log_whole[7:0], 40'd0} + log_cut;
        magnitude = {log_sum, 14'd0};
        top_exp   = 10'd7;
      end
    end
  end
  fp_normalise #(
    .Width (62),
    .Stages(6)
  ) u_normalise (
    .en_i   (is_log | turns),
    .value_i(magnitude),
    .value_o(normalised),
    .count_o(lead)
  );

  // --- Rounding ---

  fpu_pkg::exact_t exact;
  logic [31:0]     rounded;
  always_comb begin
    exact = of_root;
    if (is_exp) begin
      exact.sign   = 1'b0;
      exact.exp    = {exp_fixed[38], exp_fixed[38:30]};
      exact.sig    = value[30:7];
      exact.guard  = value[6];
      exact.sticky = value[5:0] != '0;
    end
    if (is_log | turns) begin
      exact.sign   = turns ? turn_sign : log_k == '0 ? log_upper : log_k[9];
      exact.exp    = top_exp - {4'd0, lead};
      exact.sig    = normalised[61:38];
      exact.guard  = normalised[37];
      exact.sticky = normalised[36:0] != '0;
    end
  end
  fp_round u_round (
    .en_i,
    .exact_i (exact),
    .inf_i   (1'b0),
    .round_i (fpu_pkg::RoundNearest),
    .flush_i (1'b1),
    .result_o(rounded)
  );

  // --- Special arguments ---

  localparam logic [31:0] Infinity = 32'h7f80_0000;
  localparam logic [31:0] DefaultNan = 32'h7fc0_0000;
  logic [31:0] result;
  always_comb begin
    result = '0;
    if (en_i) begin
      result = rounded;
      if (is_exp) begin
        if (exp_large | a.inf) result = a.sign ? '0 : Infinity;
      end
      else if (is_log) begin
        if (a.zero) result = {1'b1, Infinity[30:0]};
        else if (a.sign) result = DefaultNan;
        else if (a.inf) result = Infinity;
      end
      else if (turns) begin
        if (a.inf) result = DefaultNan;
        else if (turn_one) result = {turn_sign, 31'h3f80_0000};
        else if (turn_zero) result = '0;
      end
      else if (is_rcp) begin
        if (a.zero) result = {a.sign, Infinity[30:0]};
        else if (a.inf) result = {a.sign, 31'd0};
      end
      else if (a.zero) result = {a.sign, is_rsq ? Infinity[30:0] : 31'd0};
      else if (a.sign) result = DefaultNan;
      else if (a.inf) result = is_rsq ? '0 : Infinity;
      if (a.nan) result = a_i | 32'h0040_0000;
    end
  end

  fp_modify u_modify (
    .en_i,
    .value_i (result),
    .omod_i,
    .clamp_i,
    .ieee_i,
    .dx10_clamp_i,
    .round_i,
    .denorm_i,
    .result_o
  );

  logic unused_log;
  assign unused_log = ^log_whole[9:8];

endmodule
