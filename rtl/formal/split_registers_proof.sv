// SPDX-License-Identifier: Apache-2.0
// The assertions of split_registers.sv hold in every state that it can reach, whatever its inputs are, as long as the unit and
// the machine keep to what is assumed here, and to the one thing that split_registers.sv assumes itself: that a new SWF is not on
// the stack already. (Yosys, by induction: formal.sh)
module split_registers_proof #(
    parameter int unsigned StackDepth = 4,
    parameter int unsigned SpSimds    = 3,
    localparam int unsigned IdWidth    = $clog2(SpSimds + 2),
    localparam int unsigned DepthWidth = $clog2(StackDepth + 1)
) (
    input  logic                    clk_i,
    input  logic                    rst_ni,
    input  logic                    begin_i,
    input  logic                    take_over_i,
    input  logic [63:0]             begin_spm_i,
    input  logic [IdWidth-1:0]      begin_parent_i,
    input  spsimd_pkg::split_step_t step_i,
    input  logic [63:0]             spm_i,
    input  logic [IdWidth-1:0]      push_id_i,
    input  logic                    join_i,
    input  logic [63:0]             join_spm_i,
    input  logic [SpSimds+1:0]      drop_i,
    input  logic                    leave_i
);

  logic [63:0]             spm_o;
  logic [IdWidth-1:0]      parent_o, top_o;
  logic [DepthWidth-1:0]   depth_o;
  spsimd_pkg::swf_status_e status_o;

  split_registers #(
      .StackDepth(StackDepth),
      .SpSimds   (SpSimds)
  ) u_registers (
      .*
  );

  // The first cycle is a reset.
  logic started = 1'b0;
  always_ff @(posedge clk_i) started <= 1'b1;

  logic running, waits;
  assign running = status_o == spsimd_pkg::SwfRunning;
  assign waits   = status_o == spsimd_pkg::SwfWaitChild || step_i.wait_child;

  always_comb begin
    assume (rst_ni == started);
    // An instruction issues in an SWF that runs, and is one thing: a split, a merge of one of three kinds, or neither.
    assume (32'(step_i.push) + 32'(step_i.pop) + 32'(step_i.wait_child) + 32'(step_i.wait_parent) <= 1);
    if (step_i.push || step_i.pop || step_i.wait_child || step_i.wait_parent) assume (running);
    // A split with a full stack is the program's error, which stops the machine.
    if (step_i.push) assume (depth_o != DepthWidth'(StackDepth));
    if (step_i.push) assume (push_id_i == '0 || (push_id_i >= 2 && push_id_i <= IdWidth'(SpSimds + 1)));
    // What split_control says of a merge.
    if (step_i.pop) assume (depth_o != '0 && top_o == '0);
    if (step_i.wait_child) assume (top_o != '0);
    if (step_i.wait_parent) assume (depth_o == '0);
    // Only the SWF on top, which is waited for, comes back, and one that comes back has not ended.
    if (join_i) assume (waits && top_o != '0 && !drop_i[top_o]);
    // SpSIMDIDs begin with 2. An SWF begins where there is none, goes on where one runs, leaves where one is.
    assume (drop_i[1:0] == '0);
    if (begin_i) assume (status_o == spsimd_pkg::SwfIdle && !leave_i);
    if (take_over_i) assume (running && !step_i.push && !step_i.pop && !step_i.wait_child && !step_i.wait_parent && !join_i);
    if (leave_i) assume (status_o != spsimd_pkg::SwfIdle && !join_i);
    if (status_o == spsimd_pkg::SwfIdle) assume (!join_i && !take_over_i && drop_i == '0);
  end

endmodule
