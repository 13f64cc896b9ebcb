// SPDX-License-Identifier: Apache-2.0
// The single-precision unit of a work-item's lane: every 32-bit floating-point instruction but transcendentals and
// cube maps.
//
// What needs no rounding is done in valu_float_sources, which also says what the multiplier, the adders and the rounders
// have to do: fp_flow.
//
// A pipeline of `Stages` stages: a result is there Stages - 1 cycles after its sources, in every cycle one. With one
// stage it is combinational. (ISA document, chapter 12; MODE: 3.6)
module valu_float #(
  parameter int unsigned Stages = 1  // up to fpu_pkg::MaxStages
) (
  input  logic         clk_i,
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
  output logic [31:0]  result_o,
  output logic         flag_o
);

  fpu_pkg::flow_t   flow;
  fpu_pkg::number_t a, b, addend, x, y;
  fpu_pkg::exact_t  exact;
  logic             exact_inf;
  logic [31:0]      other;
  valu_float_sources u_sources (
    .en_i, .op_i, .relation_i, .a_i, .b_i, .c_i, .flag_i, .round_i, .denorm_i, .half_denorm_i, .half_round_i, .ieee_i,
    .dx10_clamp_i, .omod_i, .clamp_i, .flow_o(flow), .other_o(other), .a_o(a), .b_o(b), .addend_o(addend),
    .exact_o(exact), .exact_inf_o(exact_inf), .x_o(x), .y_o(y)
  );

  // Roots and reciprocals are those of valu_trans.
  fp_flow #(.Field(8), .Exp(10), .Sig(24), .DivScale(64), .Stages(Stages)) u_flow (
    .clk_i, .flow_i(flow), .other_i(other), .a_i(a), .b_i(b), .addend_i(addend), .exact_i(exact), .exact_inf_i(exact_inf),
    .x_i(x), .y_i(y), .root_i(37'd0), .root_inf_i(1'b0), .result_o, .flag_o
  );

endmodule
