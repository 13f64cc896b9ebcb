// SPDX-License-Identifier: Apache-2.0
// The double-precision unit of a work-item's lane: every instruction with a double among its operands.
//
// What needs no rounding is done in valu_double_sources, which also says what the multiplier, the adders and the rounders
// have to do: fp_flow. Roots and reciprocals are those of fp_roots.
//
// A pipeline of `Stages` stages: a result is there Stages - 1 cycles after its sources, in every cycle one. With one
// stage it is combinational. (ISA document, chapter 12; MODE: 3.6)
module valu_double #(
  parameter int unsigned Stages = 1,    // up to fpu_pkg::MaxStages
  parameter bit          Roots  = 1'b1  // 0: without roots and reciprocals, for an estimate of the rest
) (
  input  logic         clk_i,
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
  output logic [63:0]  result_o,
  output logic         flag_o
);

  fpu_pkg::flow_t flow;
  logic [63:0]    other;
  logic [69:0]    a, b, addend, x, y;
  logic [68:0]    exact, root_exact;
  logic           exact_inf, root, inverse, root_inf;
  valu_double_sources u_sources (
    .en_i, .op_i, .relation_i, .a_i, .b_i, .c_i, .flag_i, .round_i, .denorm_i, .single_round_i, .single_denorm_i, .ieee_i,
    .dx10_clamp_i, .omod_i, .clamp_i, .flow_o(flow), .other_o(other), .a_o(a), .b_o(b), .addend_o(addend),
    .exact_o(exact), .exact_inf_o(exact_inf), .x_o(x), .y_o(y), .root_o(root), .inverse_o(inverse)
  );

  if (Roots) begin : gen_roots
    fp_roots #(.Field(11), .Exp(13), .Sig(53), .Stages(Stages)) u_roots (
      .clk_i, .root_i(root), .inverse_i(inverse), .x_i(a), .round_i, .exact_o(root_exact), .inf_o(root_inf)
    );
  end
  else begin : gen_no_roots
    assign root_exact = '0;
    assign root_inf   = 1'b0;

    logic unused_root;
    assign unused_root = root ^ inverse;
  end

  fp_flow #(.Field(11), .Exp(13), .Sig(53), .DivScale(128), .Stages(Stages)) u_flow (
    .clk_i, .flow_i(flow), .other_i(other), .a_i(a), .b_i(b), .addend_i(addend), .exact_i(exact), .exact_inf_i(exact_inf),
    .x_i(x), .y_i(y), .root_i(root_exact), .root_inf_i(root_inf), .result_o, .flag_o
  );

endmodule
