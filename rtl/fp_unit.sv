// SPDX-License-Identifier: Apache-2.0
// A floating-point unit of a work-item's lane, of single, double or half precision: every instruction of the format but
// transcendentals of single precision (valu_trans) and cube maps (valu_cube). Double precision has what has a double among
// its operands, single precision the conversions from and to halves.
//
// What needs no rounding is done in fp_sources, which also says what the multiplier, the adders and the rounders have to
// do: fp_flow. Roots and reciprocals are those of fp_roots, or fp_root.
//
// A pipeline of `Stages` stages: a result is there Stages - 1 cycles after its sources, in every cycle one. With one
// stage it is combinational. (ISA document, chapter 12; MODE: 3.6)
module fp_unit #(
  parameter int unsigned Field    = 8,    // bits of the exponent field: 8, of double precision 11, of half precision 5,
  parameter int unsigned Exp      = 10,   // of the exponent: 10, 13, 8
  parameter int unsigned Sig      = 24,   // and of the significand: 24, 53, 11
  parameter int unsigned DivScale = 64,   // v_div_scale, v_div_fmas: by 2 to this power; 0: the format has neither
  parameter bit          Roots    = 1'b1, // 0: without roots and reciprocals, of which single precision's are valu_trans'
  parameter int unsigned Stages   = 1     // up to fpu_pkg::MaxStages
) (
  input  logic                  clk_i,
  input  logic                  en_i,          // 0: nothing is computed, all outputs are 0
  input  valu_pkg::float_op_e   op_i,
  input  logic [3:0]            relation_i,    // FpuCmp: low four bits of the VOPC opcode
  input  logic [Field+Sig-1:0]  a_i,           // sources, neg and abs applied
  input  logic [Field+Sig-1:0]  b_i,
  input  logic [Field+Sig-1:0]  c_i,
  input  logic                  flag_i,        // the lane's bit of the mask that is read
  input  fpu_pkg::result_mode_t mode_i,
  input  fpu_pkg::result_mode_t other_mode_i,  // conversions: of halves for single precision, of singles for double precision
  output logic [Field+Sig-1:0]  result_o,
  output logic                  flag_o
);

  fpu_pkg::flow_t       flow;
  logic [Field+Sig-1:0] other;
  logic [Exp+Sig+3:0]   a, b, addend, x, y;
  logic [Exp+Sig+2:0]   exact, root_exact;
  logic                 exact_inf, root, inverse, root_inf;
  fp_sources #(.Field(Field), .Exp(Exp), .Sig(Sig), .DivScale(DivScale)) u_sources (
    .en_i, .op_i, .relation_i, .a_i, .b_i, .c_i, .flag_i, .mode_i, .other_mode_i, .flow_o(flow), .other_o(other),
    .a_o(a), .b_o(b), .addend_o(addend), .exact_o(exact), .exact_inf_o(exact_inf), .x_o(x), .y_o(y),
    .root_o(root), .inverse_o(inverse)
  );

  if (!Roots) begin : gen_no_roots
    assign root_exact = '0;
    assign root_inf   = 1'b0;

    logic unused_root;
    assign unused_root = root ^ inverse;
  end
  else if (Sig == 11) begin : gen_half_roots
    // Rounded to nearest once. The reciprocal of a root is that of the root rounded to single precision in the reference
    // model: with a half's few significands it makes no difference.
    fp_root #(.Exp(Exp), .Sig(Sig), .Stages(Stages)) u_root (
      .clk_i, .root_i(root), .inverse_i(inverse), .x_i(a), .exact_o(root_exact), .inf_o(root_inf)
    );
  end
  else begin : gen_roots
    fp_roots #(.Field(Field), .Exp(Exp), .Sig(Sig), .Stages(Stages)) u_roots (
      .clk_i, .root_i(root), .inverse_i(inverse), .x_i(a), .round_i(mode_i.round), .exact_o(root_exact), .inf_o(root_inf)
    );
  end

  fp_flow #(.Field(Field), .Exp(Exp), .Sig(Sig), .DivScale(DivScale), .Stages(Stages)) u_flow (
    .clk_i, .flow_i(flow), .other_i(other), .a_i(a), .b_i(b), .addend_i(addend), .exact_i(exact), .exact_inf_i(exact_inf),
    .x_i(x), .y_i(y), .root_i(root_exact), .root_inf_i(root_inf), .result_o, .flag_o
  );

endmodule
