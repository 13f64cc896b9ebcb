// SPDX-License-Identifier: Apache-2.0
// The sixteen relations of two numbers, and the class of one.
//
// Combinational. Where MODE flushes input denormals, they are equal to zero; the class is that of the bits as they are.
// (ISA document, chapter 12, V_CMP_LT_F32 and others, V_CMP_CLASS_F32)
module fp_compare #(
  parameter int unsigned Field = 8,  // bits of the exponent field
  parameter int unsigned Sig   = 24  // and of the significand
) (
  input  logic                 en_i,        // 0: nothing is computed, all outputs are 0
  input  logic [Field+Sig-1:0] a_i,
  input  logic [Field+Sig-1:0] b_i,
  input  logic                 flush_i,     // denormals count as zero
  input  logic [3:0]           relation_i,  // bits: less, equal, greater, unordered
  input  logic [9:0]           classes_i,   // the mask of classes
  output logic                 holds_o,
  output logic                 in_class_o   // a is in one of them
);

  localparam int unsigned Sign = Field + Sig - 1;
  localparam logic [Sign-1:0] Infinity = {{Field{1'b1}}, {(Sig - 1){1'b0}}};

  function automatic logic [Sign-1:0] flushed(logic [Sign-1:0] magnitude, logic flush);
    flushed = (flush & magnitude[Sign-1:Sig-1] == '0) ? '0 : magnitude;
  endfunction

  logic [Sign-1:0] a, b;
  logic            unordered, equal, less;
  // Classes of numbers by magnitude: infinity, normal, denormal, zero; negative ones from bit 2 up, positive ones from
  // bit 9 down.
  logic [3:0] magnitude_class;

  always_comb begin
    a               = '0;
    b               = '0;
    unordered       = '0;
    equal           = '0;
    less            = '0;
    holds_o         = '0;
    magnitude_class = '0;
    in_class_o      = '0;
    if (en_i) begin
      a         = flushed(a_i[Sign-1:0], flush_i);
      b         = flushed(b_i[Sign-1:0], flush_i);
      unordered = (a > Infinity) | (b > Infinity);
      equal     = (a == b) & ((a_i[Sign] == b_i[Sign]) | (a == '0));
      less      = ~equal & ((a_i[Sign] == b_i[Sign]) ? (a < b) ^ a_i[Sign] : a_i[Sign]);
      holds_o = unordered ? relation_i[3]
                          : (relation_i[0] & less) | (relation_i[1] & equal) | (relation_i[2] & ~less & ~equal);
      magnitude_class = {a_i[Sign-1:0] == Infinity,
                         (a_i[Sign-1:Sig-1] != '0) & (a_i[Sign-1:Sig-1] != '1),
                         (a_i[Sign-1:Sig-1] == '0) & (a_i[Sig-2:0] != '0),
                         a_i[Sign-1:0] == '0};
      in_class_o = a_i[Sign] ? (magnitude_class & {classes_i[2], classes_i[3], classes_i[4], classes_i[5]}) != '0
                             : (magnitude_class & classes_i[9:6]) != '0;
      if (a_i[Sign-1:0] > Infinity) in_class_o = a_i[Sig-2] ? classes_i[1] : classes_i[0];
    end
  end

endmodule
