// SPDX-License-Identifier: Apache-2.0
// The output modifiers of a single- or double-precision result: times 2, 4 or 1/2, then limited to [0, 1].
//
// Combinational. Scaling is for results that flush denormals, outside IEEE mode; there -0 becomes +0, and nothing has
// to be rounded, since what would have to is flushed. (ISA document, 6.2.2 "Output Modifiers")
module fp_modify #(
  parameter int unsigned Field = 8,  // bits of the exponent field
  parameter int unsigned Sig   = 24  // and of the significand
) (
  input  logic                  en_i,  // 0: nothing is computed, all outputs are 0
  input  logic [Field+Sig-1:0]  value_i,
  input  fpu_pkg::result_mode_t mode_i,
  output logic [Field+Sig-1:0]  result_o
);

  localparam int unsigned Sign = Field + Sig - 1;
  localparam logic [Sign:0]   Quiet    = {{(Field + 1){1'b0}}, 1'b1, {(Sig - 2){1'b0}}};
  localparam logic [Sign-1:0] Infinity = {{Field{1'b1}}, {(Sig - 1){1'b0}}};
  localparam logic [Sign-1:0] Largest  = {{(Field - 1){1'b1}}, 1'b0, {(Sig - 1){1'b1}}};
  localparam logic [Sign:0]   One      = {2'b00, {(Field - 1){1'b1}}, {(Sig - 1){1'b0}}};

  logic             scales, denormal, nan;
  logic [Field-1:0] exponent;
  logic [Sig:0]     shifted;  // a denormal's product, in units of the smallest denormal
  logic [Field:0]   field;    // exponent field of a normal number's product, plus 1
  logic [Sign:0]    scaled;

  assign exponent = value_i[Sign-1:Sig-1];

  always_comb begin
    scales   = '0;
    denormal = '0;
    nan      = '0;
    shifted  = '0;
    field    = '0;
    scaled   = '0;
    result_o = '0;
    if (en_i) begin
      scales   = ~mode_i.ieee & ~mode_i.denorm[1] & (mode_i.omod != 2'd0);
      denormal = exponent == '0;
      nan      = value_i[Sign-1:0] > Infinity;
      shifted = (mode_i.omod == 2'd2) ? {value_i[Sig-2:0], 2'b00} : {1'b0, value_i[Sig-2:0], 1'b0};
      field   = {1'b0, exponent} + (Field + 1)'((mode_i.omod == 2'd1) ? 2 : (mode_i.omod == 2'd2) ? 3 : 0);
      scaled = value_i;
      if (scales) begin
        if (nan) begin
          scaled = value_i | Quiet;
        end else if (exponent == '1) begin
          scaled = value_i;
        end else if (denormal) begin
          // Half a denormal is one; twice or four times it may be a normal number.
          scaled = '0;
          if (mode_i.denorm[0] & (mode_i.omod != 2'd3)) begin
            if (shifted[Sig]) scaled = {value_i[Sign], Field'(2), shifted[Sig-1:1]};
            else if (shifted[Sig-1]) scaled = {value_i[Sign], Field'(1), shifted[Sig-2:0]};
          end
        end else if (field >= (Field + 1)'(1 << Field)) begin
          scaled = {value_i[Sign],
                    fpu_pkg::overflows_to_infinity(mode_i.round, value_i[Sign]) ? Infinity : Largest};
        end else if (field <= (Field + 1)'(1)) begin
          scaled = '0;
        end else begin
          scaled = {value_i[Sign], field[Field-1:0] - Field'(1), value_i[Sig-2:0]};
        end
      end
      result_o = scaled;
      if (mode_i.clamp) begin
        if (nan) begin
          if (mode_i.dx10_clamp) result_o = '0;
        end else if (scaled[Sign] | (~mode_i.denorm[0] & (scaled[Sign-1:Sig-1] == '0))) begin
          result_o = '0;
        end else if (scaled >= One) begin
          result_o = One;
        end
      end
    end
  end

endmodule
