// SPDX-License-Identifier: Apache-2.0
// Cube maps: the face that a direction (a, b, c) points at, the coordinates on it, and twice its major axis.
//
// Combinational. The major axis is that of the largest magnitude: c before b before a where they are equal; no number is
// larger than NaN or smaller. (GCN3 ISA, V_CUBEID_F32, V_CUBESC_F32, V_CUBETC_F32, V_CUBEMA_F32)
module valu_cube (
  input  logic                  en_i,  // 0: nothing is computed, all outputs are 0
  input  valu_pkg::float_op_e   op_i,
  input  logic [31:0]           a_i,   // neg and abs applied
  input  logic [31:0]           b_i,
  input  logic [31:0]           c_i,
  input  fpu_pkg::result_mode_t mode_i,
  output logic [31:0]           result_o
);

  // A magnitude as it compares: denormals as zero, where they are not kept.
  function automatic logic [30:0] order(input logic [30:0] x, input logic keeps);
    order = !keeps && x[30:23] == '0 ? '0 : x;
  endfunction
  function automatic logic is_nan(input logic [30:0] x);
    is_nan = x > 31'h7f80_0000;
  endfunction

  logic [30:0] a, b, c;
  logic        a_below, b_below, c_below;  // zero
  logic        on_c, on_b;
  logic [31:0] axis, doubled, chosen, result;
  logic [7:0]  exponent;

  always_comb begin
    {a, b, c}                   = '0;
    {a_below, b_below, c_below} = '0;
    on_c                        = '0;
    on_b                        = '0;
    axis                        = '0;
    doubled                     = '0;
    exponent                    = '0;
    chosen                      = '0;
    result                      = '0;
    if (en_i) begin
      a       = order(a_i[30:0], mode_i.denorm[0]);
      b       = order(b_i[30:0], mode_i.denorm[0]);
      c       = order(c_i[30:0], mode_i.denorm[0]);
      a_below = a_i[31] && a != '0 && !is_nan(a_i[30:0]);
      b_below = b_i[31] && b != '0 && !is_nan(b_i[30:0]);
      c_below = c_i[31] && c != '0 && !is_nan(c_i[30:0]);
      on_b    = b >= a && !is_nan(a_i[30:0]) && !is_nan(b_i[30:0]);
      on_c    = c >= a && c >= b && !is_nan(a_i[30:0]) && !is_nan(b_i[30:0]) && !is_nan(c_i[30:0]);
      axis    = on_c ? c_i : on_b ? b_i : a_i;

      // Twice the axis: a denormal's next bit is the exponent's.
      exponent = axis[30:23] + 8'd1;
      doubled  = {axis[31], exponent, axis[22:0]};
      if (axis[30:23] == '0) begin
        doubled = {axis[31], axis[29:0], 1'b0};
        if (!mode_i.denorm[0] || (!mode_i.denorm[1] && !axis[22])) doubled = {axis[31], 31'd0};
      end
      if (axis[30:23] == 8'hfe) begin
        doubled = {axis[31], fpu_pkg::overflows_to_infinity(mode_i.round, axis[31]) ? 31'h7f80_0000 : 31'h7f7f_ffff};
      end
      if (axis[30:23] == 8'hff) doubled = axis;

      unique case (op_i)
        valu_pkg::FpuCubeId: begin
          if (on_c) chosen = c_below ? 32'h40a0_0000 : 32'h4080_0000;       // 5, 4
          else if (on_b) chosen = b_below ? 32'h4040_0000 : 32'h4000_0000;  // 3, 2
          else chosen = a_below ? 32'h3f80_0000 : 32'h0000_0000;            // 1, 0
        end
        valu_pkg::FpuCubeSc: begin
          if (on_c) chosen = a_i ^ {c_below, 31'd0};
          else if (on_b) chosen = a_i;
          else chosen = c_i ^ {!a_below, 31'd0};
        end
        valu_pkg::FpuCubeTc: begin
          if (on_c || !on_b) chosen = b_i ^ 32'h8000_0000;
          else chosen = c_i ^ {b_below, 31'd0};
        end
        default: chosen = doubled;
      endcase
      result = chosen;
      if (is_nan(chosen[30:0])) begin
        if (is_nan(a_i[30:0])) result = a_i | 32'h0040_0000;
        else if (is_nan(b_i[30:0])) result = b_i | 32'h0040_0000;
        else result = c_i | 32'h0040_0000;
      end
    end
  end

  fp_modify u_modify (.en_i, .value_i(result), .mode_i, .result_o);

endmodule
