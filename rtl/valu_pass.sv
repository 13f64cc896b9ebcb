// The lanes of the vector ALU: one pass of an instruction (valu_control.sv). Combinational.
//
// The simulation evaluates the same lane once for each work-item that computes, in place of this module (rtl/wrapper).
module valu_pass #(
  parameter int unsigned Lanes = 16
) (
  input  valu_pkg::ctrl_t     ctrl_i,
  input  fpu_pkg::op_e        fpu_op_i,
  input  logic [9:0]          mode_i,
  input  logic [5:0]          first_i,     // number of the first lane's work-item
  input  logic [63:0]         ssrc0_i,
  input  logic [63:0]         ssrc1_i,
  input  logic [63:0]         ssrc2_i,
  input  logic [Lanes-1:0]    computed_i,  // of the other lanes all results are 0
  input  logic [Lanes-1:0]    mask_i,
  // Vector registers; per lane 64 bits: the register, above it the next one.
  input  logic [64*Lanes-1:0] vrf_rdata0_i,
  input  logic [64*Lanes-1:0] vrf_rdata1_i,
  input  logic [64*Lanes-1:0] vrf_rdata2_i,
  output logic [64*Lanes-1:0] vrf_wdata_o,
  output logic [Lanes-1:0]    flags_o,
  output logic [31:0]         one_value_o  // of an instruction that computes in one lane: its result
);

  logic [Lanes-1:0] unused_lacks;  // they have all units

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    localparam logic [5:0] Number = 6'(l);
    valu_lane u_lane (
      .en_i    (computed_i[l]),
      .ctrl_i,
      .fpu_op_i,
      .mode_i,
      .lane_i  (first_i | Number),
      .ssrc0_i,
      .ssrc1_i,
      .ssrc2_i,
      .vsrc0_i (vrf_rdata0_i[64*l +: 64]),
      .vsrc1_i (vrf_rdata1_i[64*l +: 64]),
      .vsrc2_i (vrf_rdata2_i[64*l +: 64]),
      .flag_i  (mask_i[l]),
      .result_o(vrf_wdata_o[64*l +: 64]),
      .flag_o  (flags_o[l]),
      .lacks_o (unused_lacks[l])
    );
  end

  always_comb begin
    one_value_o = '0;
    for (int unsigned k = 0; k < Lanes; k++) one_value_o = one_value_o | vrf_wdata_o[64*k +: 32];
  end

endmodule
