// Reciprocal, square root and reciprocal square root of a significand, a bit at a time, with what is left as sticky.
//
// Combinational: 25 steps of the same recurrence. The result q is the largest with q m <= 2, q^2 <= m or q^2 m <= 4: in
// step i the bit of weight 2^-i is set if what is left, w, allows for it. q^2 m grows by 2^-i (2 q m + 2^-i m), and w is
// kept times 2^i. A reciprocal of a power of four, or of two, is one, and not made here.
module fp_root (
  input  logic        en_i,       // 0: nothing is computed, all outputs are 0
  input  logic        inverse_i,  // the reciprocal ...
  input  logic        root_i,     // ... of the root
  input  logic [23:0] sig_i,      // in [1, 2), its top bit is set
  input  logic        double_i,   // root_i: of twice that
  output logic [23:0] sig_o,      // in [1, 2): of a reciprocal twice its value
  output logic        guard_o,
  output logic        sticky_o
);

  // 47 bits after the point.
  logic [55:0] m, grows, left, at_q, step;
  logic [24:0] q;

  always_comb begin
    m     = '0;
    grows = '0;
    left  = '0;
    at_q  = '0;
    step  = '0;
    q     = '0;
    if (en_i) begin
      m = {8'd0, sig_i, 24'd0};
      if (double_i) m = m << 1;
      grows = inverse_i ? m : 56'd1 << 47;  // without the reciprocal q itself is squared
      left  = ~inverse_i ? m : root_i ? 56'd4 << 47 : 56'd2 << 47;
      for (int unsigned i = 0; i < 25; i++) begin
        step = root_i ? (at_q << 1) + (grows >> i) : m;
        if (left >= step) begin
          left    = left - step;
          at_q    = at_q + (grows >> i);
          q[24-i] = 1'b1;
        end
        left = left << 1;
      end
    end
    sig_o    = q[24:1];
    guard_o  = q[0];
    sticky_o = left != '0;
  end

endmodule
