// SPDX-License-Identifier: Apache-2.0
// What the transcendentals know from their argument alone: its place in the table, by what the table's value is
// multiplied, sign and exponent, and the result of special arguments.
//
// Combinational. 2^x has the whole part of x as its exponent; log2(m 2^k) = k + (m - 1) (log2(m) / (m - 1)) with m in
// [3/4, 3/2); sin(2 pi q) = q (sin(2 pi q) / q), so that both are accurate near zero. Denormals are zero in every MODE.
// (ISA document, chapter 12, V_EXP_F32 and others)
module valu_trans_sources (
  input  logic                  en_i,      // 0: nothing is computed, all outputs are 0
  input  valu_pkg::float_op_e   op_i,
  input  logic [31:0]           a_i,       // neg and abs applied
  input  fpu_pkg::result_mode_t mode_i,    // for the output modifiers
  output fpu_pkg::trans_t       flow_o,
  output logic [8:0]            row_o,     // of the table
  output logic [22:0]           d_o,       // the place in its segment
  output logic [30:0]           factor_o,  // of the table's value
  output fpu_pkg::number_t      number_o,  // the source of roots and reciprocals
  output logic                  root_o,
  output logic                  inverse_o  // the reciprocal, with root_o of the root
);

  logic is_exp, is_log, is_rcp, is_sqrt, is_rsq, is_sin, is_cos;
  assign is_exp    = en_i && op_i == valu_pkg::FpuExp;
  assign is_log    = en_i && op_i == valu_pkg::FpuLog;
  assign is_rcp    = en_i && op_i == valu_pkg::FpuRcp;
  assign is_sqrt   = en_i && op_i == valu_pkg::FpuSqrt;
  assign is_rsq    = en_i && op_i == valu_pkg::FpuRsq;
  assign is_sin    = en_i && op_i == valu_pkg::FpuSin;
  assign is_cos    = en_i && op_i == valu_pkg::FpuCos;
  assign root_o    = is_sqrt | is_rsq;
  assign inverse_o = is_rcp | is_rsq;

  fpu_pkg::number_t a;
  fp_unpack u_unpack (
    .en_i,
    .bits_i  (a_i),
    .flush_i (1'b1),
    .number_o(a)
  );
  assign number_o = a;

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

  always_comb begin
    row_o = '0;
    d_o   = '0;
    if (is_exp) begin
      row_o = {2'b00, exp_fixed[29:23]};
      d_o   = exp_fixed[22:0];
    end
    if (is_log) begin
      row_o = log_upper ? 9'd256 + {3'd0, a.sig[21:16]} : 9'd128 + {2'd0, a.sig[21:15]};
      d_o   = log_upper ? {a.sig[15:0], 7'd0} : {a.sig[14:0], 8'd0};
    end
    if (turns) begin
      row_o = turn_place[29] ? 9'd384 + {2'd0, turn_place[28:22]} : 9'd320 + {3'd0, turn_place[28:23]};
      d_o   = turn_place[29] ? {turn_place[21:0], 1'b0} : turn_place[22:0];
    end
  end
  always_comb begin
    factor_o = '0;
    if (is_log) factor_o = {log_distance, 8'd0};
    if (turns) factor_o = turn_sig;
  end

  // --- Special arguments ---

  localparam logic [31:0] Infinity   = 32'h7f80_0000;
  localparam logic [31:0] DefaultNan = 32'h7fc0_0000;
  logic        special;
  logic [31:0] other;
  always_comb begin
    special = '0;
    other   = '0;
    if (en_i) begin
      if (is_exp) begin
        special = exp_large | a.inf;
        other   = a.sign ? '0 : Infinity;
      end
      else if (is_log) begin
        special = a.zero | a.sign | a.inf;
        other   = a.zero ? {1'b1, Infinity[30:0]} : a.sign ? DefaultNan : Infinity;
      end
      else if (turns) begin
        special = a.inf | turn_one | turn_zero;
        if (a.inf) other = DefaultNan;
        else if (turn_one) other = {turn_sign, 31'h3f80_0000};
      end
      else begin
        special = root_o & a.sign & ~a.zero;
        other   = DefaultNan;
      end
      if (a.nan) begin
        special = 1'b1;
        other   = a_i | 32'h0040_0000;
      end
    end
  end

  logic [9:0] log_whole;
  always_comb begin
    log_whole = '0;
    flow_o    = '0;
    if (en_i) begin
      flow_o.en         = 1'b1;
      flow_o.interpolates = is_exp | is_log | turns;
      flow_o.exp2       = is_exp;
      flow_o.log2       = is_log;
      flow_o.special    = special;
      flow_o.other      = other;
      flow_o.mode       = mode_i;
      if (is_exp) flow_o.exp = {exp_fixed[38], exp_fixed[38:30]};
      if (turns) begin
        flow_o.sign = turn_sign;
        flow_o.exp  = turn_exp + 10'd3;
      end
      if (is_log) begin
        log_whole            = log_k[9] ? -log_k : log_k;
        flow_o.sign          = log_k == '0 ? log_upper : log_k[9];
        flow_o.exp           = log_k == '0 ? 10'd1 - {9'd0, log_upper} : 10'd7;
        flow_o.log_adds      = log_k != '0;
        flow_o.log_whole     = log_whole[7:0];
        flow_o.log_subtracts = log_k[9] ^ log_upper;
        flow_o.log_upper     = log_upper;
      end
    end
  end

  logic unused_log;
  assign unused_log = ^log_whole[9:8];

endmodule
