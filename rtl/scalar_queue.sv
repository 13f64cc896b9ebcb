// SPDX-License-Identifier: Apache-2.0
// The scalar queue (SQ): results of the scalar ALU on their way to the registers, in three stages. What stands at result_o
// is written at the end of the cycle; retire_o says in the next one that it is there.
//
// An SWF that ends leaves no result behind: another one may be in its context when it would arrive, or goes on there.
module scalar_queue #(
    parameter int unsigned Contexts = 10,
    localparam int unsigned CtxWidth = Contexts > 1 ? $clog2(Contexts) : 1
) (
    input  logic                       clk_i,
    input  logic                       rst_ni,
    input  logic [Contexts-1:0]        gone_i,  // contexts whose SWF ends, or has ended and is replaced
    input  logic                       valid_i,
    input  logic [CtxWidth-1:0]        ctx_i,
    input  spsimd_pkg::scalar_result_t result_i,
    output logic [CtxWidth-1:0]        ctx_o,
    output spsimd_pkg::scalar_result_t result_o,
    output logic                       retire_o,
    output logic [CtxWidth-1:0]        retire_ctx_o
);

  logic                       valid1_q, valid2_q, valid3_q;
  logic [CtxWidth-1:0]        ctx1_q, ctx2_q, ctx3_q;
  spsimd_pkg::scalar_result_t result1_q, result2_q, result3_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {valid1_q, valid2_q, valid3_q}    <= '0;
      {ctx1_q, ctx2_q, ctx3_q}          <= '0;
      {result1_q, result2_q, result3_q} <= '0;
      retire_o                          <= 1'b0;
      retire_ctx_o                      <= '0;
    end else begin
      valid1_q     <= valid_i && !gone_i[ctx_i];
      valid2_q     <= valid1_q && !gone_i[ctx1_q];
      valid3_q     <= valid2_q && !gone_i[ctx2_q];
      ctx1_q       <= ctx_i;
      ctx2_q       <= ctx1_q;
      ctx3_q       <= ctx2_q;
      result1_q    <= gone_i[ctx_i] ? '0 : result_i;
      result2_q    <= gone_i[ctx1_q] ? '0 : result1_q;
      result3_q    <= gone_i[ctx2_q] ? '0 : result2_q;
      retire_o     <= valid3_q && !gone_i[ctx3_q];
      retire_ctx_o <= ctx3_q;
    end
  end

`ifndef SYNTHESIS
  // What does not stand in the queue writes nothing, and what has left is told of no more.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      what_is_not_there_writes_nothing: assert (valid3_q || !(result3_q.we || result3_q.scc_we || result3_q.exec_we || result3_q.m0_we));
      of_a_context: assert (32'(ctx_i) < Contexts || !valid_i);
    end
  end
`endif

  assign ctx_o    = ctx3_q;
  assign result_o = gone_i[ctx3_q] ? '0 : result3_q;

endmodule
