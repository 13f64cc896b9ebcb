// The sixteen relations of two numbers, and the class of one.
//
// Combinational. Where MODE flushes input denormals, they are equal to zero; the class is that of the bits as they are.
// (ISA document, chapter 12, V_CMP_LT_F32 and others, V_CMP_CLASS_F32)
module fp_compare (
  input  logic        en_i,        // 0: nothing is computed, all outputs are 0
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  input  logic        flush_i,     // denormals count as zero
  input  logic [3:0]  relation_i,  // bits: less, equal, greater, unordered
  output logic        holds_o,
  output logic        in_class_o   // a is in one of the classes of the mask b_i[9:0]
);

  function automatic logic [30:0] flushed(logic [30:0] magnitude, logic flush);
    flushed = (flush & magnitude[30:23] == '0) ? 31'd0 : magnitude;
  endfunction

  logic [30:0] a, b;
  logic        unordered, equal, less;
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
      a         = flushed(a_i[30:0], flush_i);
      b         = flushed(b_i[30:0], flush_i);
      unordered = (a > 31'h7f800000) | (b > 31'h7f800000);
      equal     = (a == b) & ((a_i[31] == b_i[31]) | (a == '0));
      less      = ~equal & ((a_i[31] == b_i[31]) ? (a < b) ^ a_i[31] : a_i[31]);
      holds_o = unordered ? relation_i[3]
                          : (relation_i[0] & less) | (relation_i[1] & equal) | (relation_i[2] & ~less & ~equal);
      magnitude_class = {a_i[30:0] == 31'h7f800000,
                         (a_i[30:23] != '0) & (a_i[30:23] != 8'hff),
                         (a_i[30:23] == '0) & (a_i[22:0] != '0),
                         a_i[30:0] == '0};
      in_class_o = a_i[31] ? (magnitude_class & {b_i[2], b_i[3], b_i[4], b_i[5]}) != '0
                           : (magnitude_class & b_i[9:6]) != '0;
      if (a_i[30:0] > 31'h7f800000) in_class_o = a_i[22] ? b_i[1] : b_i[0];
    end
  end

endmodule
