// SPDX-License-Identifier: Apache-2.0
// The memory of one SWF context's scalar registers: 128 / HandOver rows of HandOver registers each. Its ports: two that
// read a pair of registers each, one that reads a row; three that write a register or a pair, one that writes a row. What
// is read is what was there at the last edge.
//
// Rows are read with the edge, as memories do, and a row with M0 or EXEC has those of the flip-flops beside the memory.
module scalar_memory #(
    parameter int unsigned HandOver = 16,                      // registers in a row: 2, 4, ... 128
    localparam int unsigned Rows     = 128 / HandOver,
    localparam int unsigned RowWidth = Rows > 1 ? $clog2(Rows) : 1
) (
    input  logic                   clk_i,

    // Pairs, by half their first register's number; 0 where read_i is 0
    input  logic                   read_i,
    input  logic [5:0]             raddr0_i,
    input  logic [5:0]             raddr1_i,
    output logic [63:0]            rdata0_o,
    output logic [63:0]            rdata1_o,
    // A row, in the next cycle
    input  logic                   row_read_i,
    input  logic [RowWidth-1:0]    row_raddr_i,
    input  logic [31:0]            m0_i,
    input  logic [63:0]            exec_i,
    output logic [32*HandOver-1:0] row_rdata_o,

    input  logic                   row_we_i,
    input  logic [RowWidth-1:0]    row_waddr_i,
    input  logic [32*HandOver-1:0] row_wdata_i,
    // Pairs, from three sides: each half's enable. Where two write the same register the later one counts.
    input  logic [2*3-1:0]         we_i,
    input  logic [6*3-1:0]         waddr_i,
    input  logic [64*3-1:0]        wdata_i
);

  localparam int unsigned Pairs = HandOver / 2;  // in a row
  localparam int unsigned M0 = 124, ExecLo = 126, Width = 32 * HandOver, BitWidth = $clog2(Width);
  localparam logic [RowWidth-1:0] M0Row = RowWidth'(M0 / HandOver), ExecRow = RowWidth'(ExecLo / HandOver);
  localparam logic [Width-1:0] M0Mask   = Width'(32'hffff_ffff) << (32 * (M0 % HandOver));
  localparam logic [Width-1:0] ExecMask = Width'(64'hffff_ffff_ffff_ffff) << (32 * (ExecLo % HandOver));

  logic [Width-1:0] mem_q [Rows] /* verilator public_flat_rd */;  // read by the co-simulation's checker

  // Each pair port's row, and the pair's lowest bit there.
  logic [RowWidth-1:0]   rrow0, rrow1;
  logic [BitWidth-1:0]   rbit0, rbit1;
  logic [RowWidth*3-1:0] wrow;
  logic [BitWidth*3-1:0] wbit;
  assign rrow0 = RowWidth'(32'(raddr0_i) / Pairs);
  assign rrow1 = RowWidth'(32'(raddr1_i) / Pairs);
  assign rbit0 = BitWidth'(64 * (32'(raddr0_i) % Pairs));
  assign rbit1 = BitWidth'(64 * (32'(raddr1_i) % Pairs));
  always_comb begin
    for (int unsigned k = 0; k < 3; k++) begin
      wrow[RowWidth*k+:RowWidth] = RowWidth'(32'(waddr_i[6*k+:6]) / Pairs);
      wbit[BitWidth*k+:BitWidth] = BitWidth'(64 * (32'(waddr_i[6*k+:6]) % Pairs));
    end
  end

  always_ff @(posedge clk_i) begin
    if (row_we_i) mem_q[row_waddr_i] <= row_wdata_i;
    for (int unsigned k = 0; k < 3; k++) begin
      if (we_i[2*k]) mem_q[wrow[RowWidth*k+:RowWidth]][wbit[BitWidth*k+:BitWidth]+:32] <= wdata_i[64*k+:32];
      if (we_i[2*k+1]) mem_q[wrow[RowWidth*k+:RowWidth]][wbit[BitWidth*k+:BitWidth]+32+:32] <= wdata_i[64*k+32+:32];
    end
  end

  always_comb begin
    rdata0_o = '0;
    rdata1_o = '0;
    if (read_i) begin
      rdata0_o = mem_q[rrow0][rbit0+:64];
      rdata1_o = mem_q[rrow1][rbit1+:64];
    end
  end
  // In one expression: a row in a signal of its own would cost a simulation time in every cycle.
  always_ff @(posedge clk_i) begin
    if (row_read_i) begin
      row_rdata_o <= (mem_q[row_raddr_i] & ~(row_raddr_i == M0Row ? M0Mask : '0) & ~(row_raddr_i == ExecRow ? ExecMask : '0)) |
                     (row_raddr_i == M0Row ? Width'(m0_i) << (32 * (M0 % HandOver)) : '0) |
                     (row_raddr_i == ExecRow ? Width'(exec_i) << (32 * (ExecLo % HandOver)) : '0);
    end
  end

endmodule
