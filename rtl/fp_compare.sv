// The sixteen relations of two numbers, and the class of one.
//
// Combinational. Where MODE flushes input denormals, they are equal to zero; the class is that of the bits as they are.
// (ISA document, chapter 12, V_CMP_LT_F32 and others, V_CMP_CLASS_F32)
module fp_compare (
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

  assign a         = flushed(a_i[30:0], flush_i);
  assign b         = flushed(b_i[30:0], flush_i);
  assign unordered = (a > 31'h7f800000) | (b > 31'h7f800000);
  assign equal     = (a == b) & ((a_i[31] == b_i[31]) | (a == '0));
  assign less      = ~equal & ((a_i[31] == b_i[31]) ? (a < b) ^ a_i[31] : a_i[31]);

  assign holds_o = unordered ? relation_i[3]
                             : (relation_i[0] & less) | (relation_i[1] & equal) | (relation_i[2] & ~less & ~equal);

  // Classes of numbers by magnitude: infinity, normal, denormal, zero; negative ones from bit 2 up, positive ones from
  // bit 9 down.
  logic [3:0] magnitude_class;
  assign magnitude_class = {a_i[30:0] == 31'h7f800000,
                            (a_i[30:23] != '0) & (a_i[30:23] != 8'hff),
                            (a_i[30:23] == '0) & (a_i[22:0] != '0),
                            a_i[30:0] == '0};
  always_comb begin
    in_class_o = a_i[31] ? (magnitude_class & {b_i[2], b_i[3], b_i[4], b_i[5]}) != '0
                         : (magnitude_class & b_i[9:6]) != '0;
    if (a_i[30:0] > 31'h7f800000) in_class_o = a_i[22] ? b_i[1] : b_i[0];
  end


endmodule
