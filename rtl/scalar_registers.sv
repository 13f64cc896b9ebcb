// SPDX-License-Identifier: Apache-2.0
// The scalar registers of one SWF context: a memory, and VCC, M0 and EXEC (EM as written) as flip-flops, which others than
// the scalar operands need in every cycle. VCC, which is written like every other register, is in the memory too. And the
// hand-over of all of them to another unit's context, and from one: a row of HandOver registers in a cycle.
//
// A hand-over that starts in cycle t, with a split or a take-over, reads row r in t + r and has it on the bus, which is
// registers, in t + r + 1, at the end of which the other context writes it. So all are there from t + Rows + 1 on: that is
// the least a split can take (e_s), and a merge at which an SWF goes on in its parent's place (e_m). Each context has its
// own row ports and bus, so that no hand-over waits for another one.
module scalar_registers #(
    parameter int unsigned HandOver = 16,                      // registers that are handed over in a cycle: 2, 4, ... 128
    localparam int unsigned Rows     = 128 / HandOver,
    localparam int unsigned RowWidth = Rows > 1 ? $clog2(Rows) : 1
) (
    input  logic                       clk_i,
    input  logic                       rst_ni,

    // Two pairs, by half their first register's number; 0 where read_i is 0
    input  logic                       read_i,
    input  logic [5:0]                 raddr0_i,
    input  logic [5:0]                 raddr1_i,
    output logic [63:0]                rdata0_o,
    output logic [63:0]                rdata1_o,

    // Results of the scalar ALU, and of the vector ALU: masks and single lanes
    input  logic                       salu_writes_i,  // these registers
    input  spsimd_pkg::scalar_result_t salu_i,
    input  logic                       valu_writes_i,
    input  valu_pkg::mask_result_t     valu_i,
    input  logic                       join_i,         // an SWF comes back: its EM is added
    input  logic [63:0]                join_em_i,

    // Data from outside: a pair, by half its first register's number, and its halves that are written
    input  logic [1:0]                 load_we_i,
    input  logic [5:0]                 load_pair_i,
    input  logic [63:0]                load_words_i,

    // Hand-over to another context, from this cycle on
    input  logic                       give_i,
    output logic                       handover_valid_o,
    output logic [32*HandOver-1:0]     handover_row_o,
    // ... and from one: this context expects rows from the next cycle on, in their order; or none any more
    input  logic                       expect_i,
    input  logic                       leave_i,
    input  logic                       handover_valid_i,
    input  logic [32*HandOver-1:0]     handover_row_i,
    output logic                       ready_o,        // all registers are there

    output logic [63:0]                em_o,
    output logic [63:0]                vcc_o,
    output logic [31:0]                m0_o
);

  localparam int unsigned VccLo = 106, M0 = 124, ExecLo = 126;
  localparam logic [RowWidth-1:0] LastRow = RowWidth'(Rows - 1);

  // ---- Hand-over from another context: rows in their order
  logic                expecting_q;
  logic [RowWidth-1:0] next_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      expecting_q <= 1'b0;
      next_q      <= '0;
    end else if (leave_i || expect_i) begin
      expecting_q <= expect_i;
      next_q      <= '0;
    end else if (handover_valid_i) begin
      expecting_q <= next_q != LastRow;
      next_q      <= next_q + 1'b1;
    end
  end
  assign ready_o = !expecting_q;

  logic salu_we, salu_exec_we, salu_m0_we, valu_we, valu_exec_we;
  assign salu_we      = salu_writes_i && salu_i.we;
  assign salu_exec_we = salu_writes_i && salu_i.exec_we;
  assign salu_m0_we   = salu_writes_i && salu_i.m0_we;
  assign valu_we      = valu_writes_i && valu_i.we;
  assign valu_exec_we = valu_writes_i && valu_i.exec_we;

  // ---- Who writes pairs: the load port, the scalar and the vector ALU. A single register's value stands in both halves.
  logic [2*3-1:0]  we;    // of each half
  logic [6*3-1:0]  pair;
  logic [64*3-1:0] data;
  assign we = {valu_we && (valu_i.wide || valu_i.index[0]), valu_we && !valu_i.index[0],
               salu_we && (salu_i.wide || salu_i.index[0]), salu_we && !salu_i.index[0], load_we_i};
  assign pair = {valu_i.index[6:1], salu_i.index[6:1], load_pair_i};
  assign data = {valu_i.wide ? valu_i.data[63:32] : valu_i.data[31:0], valu_i.data[31:0],
                 salu_i.wide ? salu_i.data[63:32] : salu_i.data[31:0], salu_i.data[31:0], load_words_i};

  // ---- Flip-flops
  logic [63:0] vcc_q /* verilator public_flat_rd */, exec_q;
  logic [31:0] m0_q /* verilator public_flat_rd */;
  always_ff @(posedge clk_i) begin
    if (handover_valid_i) begin
      if (next_q == RowWidth'(VccLo / HandOver)) vcc_q <= handover_row_i[32*(VccLo%HandOver)+:64];
      if (next_q == RowWidth'(M0 / HandOver)) m0_q <= handover_row_i[32*(M0%HandOver)+:32];
      if (next_q == RowWidth'(ExecLo / HandOver)) exec_q <= handover_row_i[32*(ExecLo%HandOver)+:64];
    end
    for (int unsigned k = 0; k < 3; k++) begin
      if (we[2*k]) begin
        if (pair[6*k+:6] == 6'(VccLo / 2)) vcc_q[31:0] <= data[64*k+:32];
        if (pair[6*k+:6] == 6'(M0 / 2)) m0_q <= data[64*k+:32];
        if (pair[6*k+:6] == 6'(ExecLo / 2)) exec_q[31:0] <= data[64*k+:32];
      end
      if (we[2*k+1]) begin
        if (pair[6*k+:6] == 6'(VccLo / 2)) vcc_q[63:32] <= data[64*k+32+:32];
        if (pair[6*k+:6] == 6'(ExecLo / 2)) exec_q[63:32] <= data[64*k+32+:32];
      end
    end
    if (salu_m0_we) m0_q <= salu_i.m0;
    // After the destinations: s_*_saveexec and v_cmpx may name EXEC there too.
    if (salu_exec_we) exec_q <= salu_i.exec;
    if (valu_exec_we) exec_q <= valu_i.data;
    if (join_i) exec_q <= exec_q | join_em_i;
  end

  // ---- Hand-over to another context
  logic                   giving_q;
  logic [RowWidth-1:0]    given_q;
  logic [RowWidth-1:0]    row_raddr;
  assign row_raddr = give_i ? '0 : given_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      giving_q         <= 1'b0;
      given_q          <= '0;
      handover_valid_o <= 1'b0;
    end else begin
      handover_valid_o <= give_i || giving_q;
      if (give_i || giving_q) begin
        giving_q <= row_raddr != LastRow;
        given_q  <= row_raddr + 1'b1;
      end
    end
  end

  // ---- The memory. Its words of M0 and EXEC are not used.
  logic [63:0] pair0, pair1;
  scalar_memory #(
      .HandOver(HandOver)
  ) u_memory (
      .clk_i,
      .read_i,
      .raddr0_i,
      .raddr1_i,
      .rdata0_o   (pair0),
      .rdata1_o   (pair1),
      .row_read_i (give_i || giving_q),
      .row_raddr_i(row_raddr),
      .m0_i       (m0_q),
      .exec_i     (exec_q),
      .row_rdata_o(handover_row_o),
      .row_we_i   (handover_valid_i),
      .row_waddr_i(next_q),
      .row_wdata_i(handover_row_i),
      .we_i       (we),
      .waddr_i    (pair),
      .wdata_i    (data)
  );
  function automatic logic [63:0] with_flip_flops(input logic [5:0] raddr, input logic [63:0] memory);
    unique case (raddr)
      6'(M0 / 2):     with_flip_flops = {memory[63:32], m0_q};
      6'(ExecLo / 2): with_flip_flops = exec_q;
      default:        with_flip_flops = memory;
    endcase
  endfunction
  always_comb begin
    rdata0_o = '0;
    rdata1_o = '0;
    if (read_i) begin
      rdata0_o = with_flip_flops(raddr0_i, pair0);
      rdata1_o = with_flip_flops(raddr1_i, pair1);
    end
  end

  assign em_o  = exec_q;
  assign vcc_o = vcc_q;
  assign m0_o  = m0_q;

`ifndef SYNTHESIS
  logic written;
  assign written = salu_we || salu_exec_we || salu_m0_we || valu_we || valu_exec_we || join_i || load_we_i != '0;
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      // Nothing reads or writes the registers of an SWF until they are there, and none changes that is still to be given.
      nothing_before_they_are_there: assert (ready_o || !(written || read_i || give_i));
      nothing_changes_while_given: assert (!giving_q || !(written || give_i));
      a_row_comes_to_one_that_expects_it: assert (!handover_valid_i || expecting_q);
    end
  end
`endif

endmodule
