// SPDX-License-Identifier: Apache-2.0
// What predictable wavefront splitting adds to a context: split mask (SpM), parent register, child stack, and whether it
// waits at a merge (PWS paper, Fig. 4 and 4.1). A SIMD unit's contexts have the same registers.
module split_registers #(
    parameter int unsigned StackDepth = 64,
    parameter int unsigned SpSimds    = 63,                      // of the SIMD unit: S
    localparam int unsigned IdWidth    = $clog2(SpSimds + 2),    // of an SpSIMDID, 0 is none
    localparam int unsigned DepthWidth = $clog2(StackDepth + 1)
) (
    input  logic                    clk_i,
    input  logic                    rst_ni,
    input  logic                    begin_i,        // an SWF begins
    input  logic                    take_over_i,    // an SWF goes on in place of this context's, which has ended
    input  logic [63:0]             begin_spm_i,
    input  logic [IdWidth-1:0]      begin_parent_i,
    input  spsimd_pkg::split_step_t step_i,
    input  logic [63:0]             spm_i,          // of a split
    input  logic [IdWidth-1:0]      push_id_i,
    input  logic                    join_i,         // the SWF on top of the child stack comes back
    input  logic [63:0]             join_spm_i,
    input  logic [SpSimds+1:0]      drop_i,         // SWFs of this context that have ended before their merge, by SpSIMDID
    input  logic                    leave_i,        // this SWF has been joined, or has ended
    output logic [63:0]             spm_o,
    output logic [IdWidth-1:0]      parent_o,
    output logic [DepthWidth-1:0]   depth_o,
    output logic [IdWidth-1:0]      top_o,          // of the child stack; 0 if it is empty
    output spsimd_pkg::swf_status_e status_o
);

  logic [63:0]             spm_q;
  logic [IdWidth-1:0]      parent_q;
  // Oldest entry lowest. One vector, for the reason in swf_context.sv.
  logic [IdWidth*StackDepth-1:0] stack_q /* verilator public_flat_rd */;  // read by the checker
  logic [DepthWidth-1:0]   depth_q;
  spsimd_pkg::swf_status_e status_q;

  logic                    empty, drops, dropped_top;
  logic [2**IdWidth-1:0]   dropped;     // by SpSIMDID
  logic [DepthWidth-1:0]   open_depth;  // entries below the topmost one that names an SWF

  assign empty = depth_q == '0;
  assign top_o = empty ? '0 : stack_q[IdWidth*(32'(depth_q) - 1)+:IdWidth];
  // The SWF that is waited for, or would be from this cycle on, will not come any more.
  assign drops       = drop_i != '0;
  assign dropped     = (2**IdWidth)'(drop_i);
  assign dropped_top = drops && (status_q == spsimd_pkg::SwfWaitChild || step_i.wait_child) && dropped[top_o];

  always_comb begin
    open_depth = '0;
    if (take_over_i) begin
      for (int unsigned k = 0; k < StackDepth; k++) begin
        if (DepthWidth'(k) < depth_q && stack_q[IdWidth*k+:IdWidth] != '0 && !dropped[stack_q[IdWidth*k+:IdWidth]]) begin
          open_depth = DepthWidth'(k);
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (drops) begin
      for (int unsigned k = 0; k < StackDepth; k++) begin
        if (dropped[stack_q[IdWidth*k+:IdWidth]]) stack_q[IdWidth*k+:IdWidth] <= '0;
      end
    end
    if (step_i.push) stack_q[IdWidth*32'(depth_q)+:IdWidth] <= push_id_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      spm_q    <= '0;
      parent_q <= '0;
      depth_q  <= '0;
      status_q <= spsimd_pkg::SwfIdle;
    end else if (leave_i) begin
      spm_q    <= '0;
      parent_q <= '0;
      depth_q  <= '0;
      status_q <= spsimd_pkg::SwfIdle;
    end else if (begin_i) begin
      spm_q    <= begin_spm_i;
      parent_q <= begin_parent_i;
      depth_q  <= '0;
      status_q <= spsimd_pkg::SwfRunning;
    end else if (take_over_i) begin
      spm_q    <= begin_spm_i;
      depth_q  <= open_depth;
      status_q <= spsimd_pkg::SwfRunning;
    end else begin
      if (join_i) spm_q <= spm_q | join_spm_i;
      else if (step_i.push) spm_q <= spm_i;

      if (step_i.push) depth_q <= depth_q + 1'b1;
      else if (step_i.pop || join_i || dropped_top) depth_q <= depth_q - 1'b1;

      if (join_i || dropped_top) status_q <= spsimd_pkg::SwfRunning;
      else if (step_i.wait_child) status_q <= spsimd_pkg::SwfWaitChild;
      else if (step_i.wait_parent) status_q <= spsimd_pkg::SwfWaitParent;
    end
  end

`ifndef SYNTHESIS
  // What always holds, if the environment keeps to formal/split_registers_proof.sv: proved, and looked at in each
  // simulation. An SWF that is pushed is not on the stack already.
  logic pushed;
  always_comb begin
    pushed = 1'b0;
    if (step_i.push && push_id_i != '0) begin
      for (int unsigned k = 0; k < StackDepth; k++) begin
        if (DepthWidth'(k) < depth_q && stack_q[IdWidth*k+:IdWidth] == push_id_i) pushed = 1'b1;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
`ifndef FORMAL
      pushed_once: assert (!pushed);
`endif
      no_overflow: assert (32'(depth_q) <= StackDepth);
      no_push_when_full: assert (!(step_i.push && depth_q == DepthWidth'(StackDepth) && !leave_i));
      no_pop_when_empty: assert (!((step_i.pop || join_i || step_i.wait_child) && empty && !leave_i));
      idle_is_empty: assert (status_q != spsimd_pkg::SwfIdle || (empty && spm_q == '0 && parent_q == '0));
      waits_for_a_child: assert (status_q != spsimd_pkg::SwfWaitChild || top_o != '0);
      waits_for_its_parent_with_no_child: assert (status_q != spsimd_pkg::SwfWaitParent || empty);
    end
  end
`endif
`ifdef FORMAL
  logic twice;  // an SWF is in two entries
  always_comb begin
    assume (!pushed);
    twice = 1'b0;
    for (int unsigned k = 1; k < StackDepth; k++) begin
      for (int unsigned j = 0; j < k; j++) begin
        if (DepthWidth'(k) < depth_q && stack_q[IdWidth*k+:IdWidth] != '0 &&
            stack_q[IdWidth*k+:IdWidth] == stack_q[IdWidth*j+:IdWidth]) begin
          twice = 1'b1;
        end
      end
    end
  end
  always_ff @(posedge clk_i) if (rst_ni) in_one_entry: assert (!twice);
`endif

  assign spm_o    = spm_q;
  assign parent_o = parent_q;
  assign depth_o  = depth_q;
  assign status_o = status_q;

endmodule
