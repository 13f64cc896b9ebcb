// SPDX-License-Identifier: Apache-2.0
// Integer datapath of one lane: the units side by side, of which one works.
//
// Combinational. Operands come as the instruction reads them; operations of 16 and 32 bits ignore what is above.
module valu_int (
  input  valu_pkg::unit_e exec_unit_i,  // UnitNone and those for floats: nothing is computed
  input  valu_pkg::op_e   op_i,
  input  valu_pkg::size_e size_i,
  input  logic            signed_i,
  input  logic [2:0]      relation_i,
  input  logic            clamp_i,
  input  logic [5:0]      lane_i,
  input  logic [63:0]     a_i,
  input  logic [63:0]     b_i,
  input  logic [63:0]     c_i,
  input  logic            flag_i,       // of the lane mask read: carry or borrow
  output logic [63:0]     result_o,
  output logic            flag_o
);

  logic [31:0] add_result, bits_result, compare_result;
  logic [63:0] mul_result, shift_result, bytes_result;
  logic        add_flag, mul_flag, compare_flag;

  valu_add u_add (
    .en_i    (exec_unit_i == valu_pkg::UnitAdd),
    .op_i,
    .size_i,
    .a_i     (a_i[31:0]),
    .b_i     (b_i[31:0]),
    .flag_i,
    .clamp_i,
    .result_o(add_result),
    .flag_o  (add_flag)
  );
  valu_mul u_mul (
    .en_i    (exec_unit_i == valu_pkg::UnitMul),
    .op_i,
    .size_i,
    .signed_i,
    .a_i     (a_i[31:0]),
    .b_i     (b_i[31:0]),
    .c_i,
    .result_o(mul_result),
    .flag_o  (mul_flag)
  );
  valu_shift u_shift (
    .en_i    (exec_unit_i == valu_pkg::UnitShift),
    .op_i,
    .size_i,
    .signed_i,
    .a_i     (a_i[31:0]),
    .b_i,
    .c_i     (c_i[31:0]),
    .result_o(shift_result)
  );
  valu_bits u_bits (
    .en_i    (exec_unit_i == valu_pkg::UnitBits),
    .op_i,
    .signed_i,
    .a_i     (a_i[31:0]),
    .b_i     (b_i[31:0]),
    .c_i     (c_i[31:0]),
    .lane_i,
    .result_o(bits_result)
  );
  valu_bytes u_bytes (
    .en_i    (exec_unit_i == valu_pkg::UnitBytes),
    .op_i,
    .a_i,
    .b_i     (b_i[31:0]),
    .c_i,
    .result_o(bytes_result)
  );
  valu_compare u_compare (
    .en_i    (exec_unit_i == valu_pkg::UnitCompare),
    .op_i,
    .size_i,
    .signed_i,
    .relation_i,
    .a_i,
    .b_i,
    .c_i     (c_i[31:0]),
    .result_o(compare_result),
    .flag_o  (compare_flag)
  );

  // A unit that does not work gives zero.
  assign result_o = mul_result | shift_result | bytes_result | {32'd0, add_result | bits_result | compare_result};
  assign flag_o   = add_flag || mul_flag || compare_flag;

endmodule
