// SPDX-License-Identifier: Apache-2.0
// Value of a scalar source field: a register, a constant, or one of VCCZ, EXECZ and SCC. Combinational.
// (GCN3 ISA, tables "SSRC" and "SRC", inline constants)
module scalar_operand (
    input  logic        en_i,      // 0: nothing is computed, all outputs are 0
    input  logic [7:0]  field_i,   // of a wide type, a register is the pair that begins there
    input  logic [2:0]  type_i,    // valu_pkg::operand_e
    input  logic [31:0] literal_i,
    input  logic [63:0] pair_i,    // of the register file, that holds the register which the field names
    input  logic        vccz_i,
    input  logic [63:0] active_i,  // EM & SpM: what reading EXEC gives
    input  logic        scc_i,
    output logic [63:0] value_o
);

  logic        is_16, is_wide;
  logic [63:0] register;
  logic [63:0] integer_constant;
  logic [63:0] float_constant;
  logic [31:0] single;
  logic [15:0] half;
  logic [63:0] double;

  assign is_16   = type_i == valu_pkg::Operand16;
  assign is_wide = valu_pkg::is_wide(type_i);

  always_comb begin
    register = '0;
    if (en_i) begin
      register = field_i[6:1] == spsimd_pkg::RegExecLo[6:1] ? active_i : pair_i;
      if (!is_wide) register = {32'b0, field_i[0] ? register[63:32] : register[31:0]};
    end
  end

  // 128..192 are 0..64, 193..208 are -1..-16.
  always_comb begin
    integer_constant = '0;
    if (en_i) begin
      if (field_i <= 8'd192) integer_constant = {56'b0, field_i - 8'd128};
      else integer_constant = {56'hff_ffff_ffff_ffff, 8'd192 - field_i};
      if (is_16) integer_constant[63:16] = '0;
      else if (!is_wide) integer_constant[63:32] = '0;
    end
  end

  // 0.5, -0.5, 1, -1, 2, -2, 4, -4, 1/(2 pi)
  always_comb begin
    single         = '0;
    half           = '0;
    double         = '0;
    float_constant = '0;
    if (en_i) begin
      unique case (field_i[3:1])
        3'd0: begin single = 32'h3f00_0000; half = 16'h3800; double = 64'h3fe0_0000_0000_0000; end
        3'd1: begin single = 32'h3f80_0000; half = 16'h3c00; double = 64'h3ff0_0000_0000_0000; end
        3'd2: begin single = 32'h4000_0000; half = 16'h4000; double = 64'h4000_0000_0000_0000; end
        3'd3: begin single = 32'h4080_0000; half = 16'h4400; double = 64'h4010_0000_0000_0000; end
        default: begin single = 32'h3e22_f983; half = 16'h3118; double = 64'h3fc4_5f30_6dc9_c882; end
      endcase
      single[31] = field_i[0];
      half[15]   = field_i[0];
      double[63] = field_i[0];
      float_constant = is_wide ? double : is_16 ? {48'b0, half} : {32'b0, single};
    end
  end

  always_comb begin
    value_o = '0;
    if (en_i) begin
      if (!field_i[7]) value_o = register;
      else if (field_i == 8'd255) begin
        unique case (type_i)
          valu_pkg::Operand16:  value_o = {48'b0, literal_i[15:0]};
          valu_pkg::OperandI64: value_o = {{32{literal_i[31]}}, literal_i};
          valu_pkg::OperandF64: value_o = {literal_i, 32'b0};
          default:                value_o = {32'b0, literal_i};
        endcase
      end
      else if (field_i == 8'd251) value_o = {63'b0, vccz_i};
      else if (field_i == 8'd252) value_o = {63'b0, active_i == '0};
      else if (field_i == 8'd253) value_o = {63'b0, scc_i};
      else if (field_i >= 8'd240) value_o = float_constant;
      else value_o = integer_constant;
    end
  end

endmodule
