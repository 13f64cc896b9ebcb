// SPDX-License-Identifier: Apache-2.0
// The scalar ALU. Combinational; the pipeline around it is in spsimd.sv. (GCN3 ISA, chapter 12.1 to 12.5)
//
// 32-bit operations see zero-extended operands and their result's high half does not count.
module salu (
    input  logic                       en_i,       // 0: nothing is computed, all outputs are 0
    input  spsimd_pkg::salu_op_e       op_i,
    input  logic                       wide_i,     // the operation is of 64 bits
    input  logic [63:0]                a_i,
    input  logic [63:0]                b_i,
    input  logic [15:0]                simm_i,
    input  spsimd_pkg::status_t        status_i,
    input  logic [63:0]                active_i,   // EM & SpM
    input  logic                       vccz_i,
    input  logic [63:0]                next_pc_i,  // of the following instruction
    output spsimd_pkg::scalar_result_t result_o,   // its index and width are the decoder's
    output spsimd_pkg::status_result_t at_once_o
);

  localparam logic [5:0] HwMode = 6'd1, HwStatus = 6'd2, HwTrapsts = 6'd3, HwId = 6'd4, HwGprAlloc = 6'd5;

  logic [31:0] a32, b32;
  assign a32 = a_i[31:0];
  assign b32 = b_i[31:0];

  // ---- Addition: one adder, which subtracts by the complement.
  logic        subtracts, carry_in;
  logic [31:0] addend;
  logic [32:0] sum;
  logic        overflow;
  always_comb begin
    subtracts = '0;
    carry_in  = '0;
    addend    = '0;
    sum       = '0;
    overflow  = '0;
    if (en_i) begin
      subtracts = op_i == spsimd_pkg::SaluSubU || op_i == spsimd_pkg::SaluSubI || op_i == spsimd_pkg::SaluSubb ||
                  op_i == spsimd_pkg::SaluAbsdiff;
      unique case (op_i)
        spsimd_pkg::SaluAddc: carry_in = status_i.scc;
        spsimd_pkg::SaluSubb: carry_in = !status_i.scc;
        default:              carry_in = subtracts;
      endcase
      addend   = subtracts ? ~b32 : b32;
      sum      = {1'b0, a32} + {1'b0, addend} + {32'b0, carry_in};
      overflow = a32[31] == addend[31] && sum[31] != a32[31];
    end
  end

  // ---- Comparison
  logic equal, less_unsigned, less_signed;
  assign equal         = wide_i ? a_i == b_i : a32 == b32;
  assign less_unsigned = a32 < b32;
  assign less_signed   = $signed(a32) < $signed(b32);

  // ---- Bits
  function automatic logic [63:0] reverse(input logic [63:0] v);
    logic [63:0] r;
    for (int unsigned k = 0; k < 64; k++) r[k] = v[63-k];
    reverse = r;
  endfunction

  function automatic logic [6:0] count(input logic [63:0] v);
    logic [6:0] n;
    n = '0;
    for (int unsigned k = 0; k < 64; k++) n = n + {6'b0, v[k]};
    count = n;
  endfunction

  // Number of the lowest set bit, -1 if there is none.
  function automatic logic [31:0] lowest_one(input logic [63:0] v);
    logic [31:0] n;
    n = '1;
    for (int unsigned k = 0; k < 64; k++) if (v[63-k]) n = 32'd63 - 32'(k);
    lowest_one = n;
  endfunction

  // Lowest bit of each quad: set if any bit of the quad is.
  function automatic logic [63:0] quads(input logic [63:0] v);
    logic [63:0] r;
    r = '0;
    for (int unsigned k = 0; k < 16; k++) r[4*k] = |v[4*k+:4];
    quads = r;
  endfunction

  function automatic logic [63:0] quad_mask(input logic [63:0] v);
    logic [63:0] r;
    r = '0;
    for (int unsigned k = 0; k < 16; k++) r[k] = |v[4*k+:4];
    quad_mask = r;
  endfunction

  logic [63:0] all_ones, to_reverse, reversed;
  logic        sign;
  always_comb begin
    all_ones   = '0;
    sign       = '0;
    to_reverse = '0;
    reversed   = '0;
    if (en_i) begin
      all_ones = wide_i ? '1 : 64'h0000_0000_ffff_ffff;
      sign     = wide_i ? a_i[63] : a32[31];
      // What is counted from the top is counted from the bottom of the reverse; s_flbit_i32 looks for the first bit that
      // is not the sign.
      to_reverse = op_i == spsimd_pkg::SaluFlbitI && sign ? ~a_i & all_ones : a_i;
      if (op_i == spsimd_pkg::SaluFlbit || op_i == spsimd_pkg::SaluFlbitI || op_i == spsimd_pkg::SaluBrev) begin
        reversed = reverse(to_reverse);
      end
      if (!wide_i) reversed = {32'b0, reversed[63:32]};
    end
  end

  // ---- Shifts and bit fields
  logic [5:0]  amount;
  logic [64:0] extended;
  logic [63:0] shifted_right;
  logic        fill;
  logic [6:0]  width;
  logic        whole_field;
  logic [63:0] field_mask;
  logic        field_sign;
  always_comb begin
    amount        = '0;
    fill          = '0;
    extended      = '0;
    shifted_right = '0;
    width         = '0;
    whole_field   = '0;
    field_mask    = '0;
    field_sign    = '0;
    if (en_i) begin
      amount = wide_i ? b_i[5:0] : {1'b0, b_i[4:0]};
      fill   = sign && (op_i == spsimd_pkg::SaluAshr || op_i == spsimd_pkg::SaluBfeI);
      extended      = wide_i ? {fill, a_i} : {{33{fill}}, a32};
      extended      = $signed(extended) >>> amount;
      shifted_right = extended[63:0];
      width       = b_i[22:16];
      whole_field = wide_i ? width >= 7'd64 : width >= 7'd32;
      field_mask  = whole_field ? all_ones : (64'd1 << width[5:0]) - 64'd1;
      field_sign  = |(shifted_right & field_mask & ~(field_mask >> 1));
    end
  end

  // ---- Logic. s_*_saveexec combine the source with the lanes that execute.
  logic        saves;
  logic [63:0] other, logical;
  always_comb begin
    saves   = '0;
    other   = '0;
    logical = '0;
    if (en_i) begin
      saves = op_i >= spsimd_pkg::SaluAndSave && op_i <= spsimd_pkg::SaluXnorSave;
      other = saves ? active_i : b_i;
      unique case (op_i)
        spsimd_pkg::SaluAnd, spsimd_pkg::SaluAndSave:     logical = a_i & other;
        spsimd_pkg::SaluOr, spsimd_pkg::SaluOrSave:       logical = a_i | other;
        spsimd_pkg::SaluXor, spsimd_pkg::SaluXorSave:     logical = a_i ^ other;
        spsimd_pkg::SaluAndn2, spsimd_pkg::SaluAndn2Save: logical = a_i & ~other;
        spsimd_pkg::SaluOrn2, spsimd_pkg::SaluOrn2Save:   logical = a_i | ~other;
        spsimd_pkg::SaluNand, spsimd_pkg::SaluNandSave:   logical = ~(a_i & other);
        spsimd_pkg::SaluNor, spsimd_pkg::SaluNorSave:     logical = ~(a_i | other);
        spsimd_pkg::SaluXnor, spsimd_pkg::SaluXnorSave:   logical = ~(a_i ^ other);
        default:                                          logical = '0;
      endcase
    end
  end

  // ---- Hardware registers: simm is number [5:0], offset [10:6], size - 1 [15:11].
  logic [31:0] hw_value, hw_mask, hw_merged, hw_old;
  always_comb begin
    hw_mask   = '0;
    hw_value  = '0;
    hw_old    = '0;
    hw_merged = '0;
    if (en_i) begin
      hw_mask = ({31'b0, 1'b1} << simm_i[15:11] << 1) - 32'd1;
      unique case (simm_i[5:0])
        HwMode:     hw_value = status_i.mode;
        HwStatus:   hw_value = {15'b0, 1'b1, 5'b0, vccz_i, active_i == '0, 8'b0, status_i.scc};
        HwTrapsts:  hw_value = status_i.trapsts;
        HwId:       hw_value = status_i.hw_id;
        HwGprAlloc: hw_value = status_i.gpr_alloc;
        default:    hw_value = status_i.lds_alloc;
      endcase
      hw_old    = simm_i[5:0] == HwMode ? status_i.mode : status_i.trapsts;
      hw_merged = (hw_old & ~(hw_mask << simm_i[10:6])) | ((a32 & hw_mask) << simm_i[10:6]);
    end
  end

  // ---- Result
  logic [63:0] r;
  logic        tests_result;  // SCC: whether it is not 0
  always_comb begin
    r             = '0;
    tests_result  = 1'b0;
    result_o      = '0;
    at_once_o      = '0;
    if (en_i) begin
      result_o.we      = 1'b1;
      result_o.exec    = logical;
      result_o.m0      = status_i.m0;
      at_once_o.mode    = status_i.mode;
      at_once_o.trapsts = hw_merged;
      unique case (op_i)
        spsimd_pkg::SaluMov: r = a_i;
        spsimd_pkg::SaluCmov: begin r = a_i; result_o.we = status_i.scc; end
        spsimd_pkg::SaluCselect: r = status_i.scc ? a_i : b_i;
        spsimd_pkg::SaluNot: begin r = ~a_i & all_ones; tests_result = 1'b1; end
        spsimd_pkg::SaluWqm: begin r = quads(a_i) * 64'd15; tests_result = 1'b1; end
        spsimd_pkg::SaluQuadmask: begin r = quad_mask(a_i); tests_result = 1'b1; end
        spsimd_pkg::SaluBrev: r = reversed;
        spsimd_pkg::SaluBcnt0: begin r = {57'b0, count(~a_i & all_ones)}; tests_result = 1'b1; end
        spsimd_pkg::SaluBcnt1: begin r = {57'b0, count(a_i)}; tests_result = 1'b1; end
        spsimd_pkg::SaluFf0: r = {32'b0, lowest_one(~a_i & all_ones)};
        spsimd_pkg::SaluFf1: r = {32'b0, lowest_one(a_i)};
        spsimd_pkg::SaluFlbit, spsimd_pkg::SaluFlbitI: r = {32'b0, lowest_one(reversed)};
        spsimd_pkg::SaluSext8: r = {32'b0, {24{a_i[7]}}, a_i[7:0]};
        spsimd_pkg::SaluSext16: r = {32'b0, {16{a_i[15]}}, a_i[15:0]};
        spsimd_pkg::SaluBitset0: r = b_i & ~(64'd1 << (wide_i ? a_i[5:0] : {1'b0, a_i[4:0]}));
        spsimd_pkg::SaluBitset1: r = b_i | (64'd1 << (wide_i ? a_i[5:0] : {1'b0, a_i[4:0]}));
        spsimd_pkg::SaluAbs: begin r = {32'b0, a32[31] ? 32'd0 - a32 : a32}; tests_result = 1'b1; end
        spsimd_pkg::SaluAddU, spsimd_pkg::SaluAddc: begin r = {32'b0, sum[31:0]}; {result_o.scc_we, result_o.scc} = {1'b1, sum[32]}; end
        spsimd_pkg::SaluSubU, spsimd_pkg::SaluSubb: begin r = {32'b0, sum[31:0]}; {result_o.scc_we, result_o.scc} = {1'b1, !sum[32]}; end
        spsimd_pkg::SaluAddI, spsimd_pkg::SaluSubI: begin r = {32'b0, sum[31:0]}; {result_o.scc_we, result_o.scc} = {1'b1, overflow}; end
        spsimd_pkg::SaluAbsdiff: begin r = {32'b0, sum[31] ? 32'd0 - sum[31:0] : sum[31:0]}; tests_result = 1'b1; end
        spsimd_pkg::SaluMinI: begin {result_o.scc_we, result_o.scc} = {1'b1, less_signed}; r = result_o.scc ? a_i : b_i; end
        spsimd_pkg::SaluMinU: begin {result_o.scc_we, result_o.scc} = {1'b1, less_unsigned}; r = result_o.scc ? a_i : b_i; end
        spsimd_pkg::SaluMaxI: begin {result_o.scc_we, result_o.scc} = {1'b1, !less_signed && !equal}; r = result_o.scc ? a_i : b_i; end
        spsimd_pkg::SaluMaxU: begin {result_o.scc_we, result_o.scc} = {1'b1, !less_unsigned && !equal}; r = result_o.scc ? a_i : b_i; end
        spsimd_pkg::SaluMul: r = {32'b0, a32 * b32};
        spsimd_pkg::SaluAnd, spsimd_pkg::SaluOr, spsimd_pkg::SaluXor, spsimd_pkg::SaluAndn2, spsimd_pkg::SaluOrn2,
        spsimd_pkg::SaluNand, spsimd_pkg::SaluNor, spsimd_pkg::SaluXnor: begin r = logical & all_ones; tests_result = 1'b1; end
        spsimd_pkg::SaluAndSave, spsimd_pkg::SaluOrSave, spsimd_pkg::SaluXorSave, spsimd_pkg::SaluAndn2Save,
        spsimd_pkg::SaluOrn2Save, spsimd_pkg::SaluNandSave, spsimd_pkg::SaluNorSave, spsimd_pkg::SaluXnorSave: begin
          r = active_i;
          result_o.exec_we = 1'b1;
          {result_o.scc_we, result_o.scc} = {1'b1, logical != '0};
        end
        spsimd_pkg::SaluLshl: begin r = (a_i << amount) & all_ones; tests_result = 1'b1; end
        spsimd_pkg::SaluLshr, spsimd_pkg::SaluAshr: begin r = shifted_right & all_ones; tests_result = 1'b1; end
        spsimd_pkg::SaluBfm: r = ((64'd1 << (wide_i ? a_i[5:0] : {1'b0, a_i[4:0]})) - 64'd1) << amount & all_ones;
        spsimd_pkg::SaluBfeU, spsimd_pkg::SaluBfeI: begin
          r = shifted_right & field_mask;
          if (op_i == spsimd_pkg::SaluBfeI && field_sign) r = r | (~field_mask & all_ones);
          tests_result = 1'b1;
        end
        spsimd_pkg::SaluCmpEq: {result_o.scc_we, result_o.scc} = {1'b1, equal};
        spsimd_pkg::SaluCmpLg: {result_o.scc_we, result_o.scc} = {1'b1, !equal};
        spsimd_pkg::SaluCmpGtI: {result_o.scc_we, result_o.scc} = {1'b1, !less_signed && !equal};
        spsimd_pkg::SaluCmpGeI: {result_o.scc_we, result_o.scc} = {1'b1, !less_signed};
        spsimd_pkg::SaluCmpLtI: {result_o.scc_we, result_o.scc} = {1'b1, less_signed};
        spsimd_pkg::SaluCmpLeI: {result_o.scc_we, result_o.scc} = {1'b1, less_signed || equal};
        spsimd_pkg::SaluCmpGtU: {result_o.scc_we, result_o.scc} = {1'b1, !less_unsigned && !equal};
        spsimd_pkg::SaluCmpGeU: {result_o.scc_we, result_o.scc} = {1'b1, !less_unsigned};
        spsimd_pkg::SaluCmpLtU: {result_o.scc_we, result_o.scc} = {1'b1, less_unsigned};
        spsimd_pkg::SaluCmpLeU: {result_o.scc_we, result_o.scc} = {1'b1, less_unsigned || equal};
        spsimd_pkg::SaluBitcmp0: {result_o.scc_we, result_o.scc} = {1'b1, !a_i[amount]};
        spsimd_pkg::SaluBitcmp1: {result_o.scc_we, result_o.scc} = {1'b1, a_i[amount]};
        spsimd_pkg::SaluGetpc: r = next_pc_i;
        spsimd_pkg::SaluGetreg: r = {32'b0, (hw_value >> simm_i[10:6]) & hw_mask};
        spsimd_pkg::SaluSetreg: begin
          at_once_o.mode = hw_merged;
          at_once_o.mode_we = simm_i[5:0] == HwMode;
          at_once_o.trapsts_we = simm_i[5:0] == HwTrapsts;
        end
        spsimd_pkg::SaluGprIdxIdx: begin result_o.m0_we = 1'b1; result_o.m0 = {status_i.m0[31:8], a_i[7:0]}; end
        spsimd_pkg::SaluGprIdxOn: begin
          result_o.m0_we = 1'b1;
          result_o.m0 = {status_i.m0[31:16], simm_i[11:8], status_i.m0[11:8], a_i[7:0]};
          at_once_o.mode_we = 1'b1;
          at_once_o.mode = status_i.mode | 32'h0800_0000;
        end
        spsimd_pkg::SaluGprIdxMode: begin result_o.m0_we = 1'b1; result_o.m0 = {status_i.m0[31:16], simm_i[3:0], status_i.m0[11:0]}; end
        spsimd_pkg::SaluGprIdxOff: begin at_once_o.mode_we = 1'b1; at_once_o.mode = status_i.mode & ~32'h0800_0000; end
        default: ;
      endcase
      result_o.data = r;
      if (tests_result) {result_o.scc_we, result_o.scc} = {1'b1, r != '0};
    end
  end

endmodule
