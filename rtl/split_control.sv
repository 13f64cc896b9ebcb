// SPDX-License-Identifier: Apache-2.0
// What a split or merge does to the context that executes it (PWS paper, 4.1 and Fig. 5). Combinational.
//
// A split with mask m leaves m's work-items here and gives the others to a new SWF on the lowest-numbered SpSIMD unit
// whose context of this ID is free. If a side has no work-item, or no context is free, nothing is created: an empty
// entry goes on the child stack, so that every merge finds its own split's. A merge pops that entry, or waits: for the
// SWF on top of the child stack, or, the stack being empty, for the parent.
module split_control #(
    parameter int unsigned SpSimds = 63,  // SpSIMD units of the SIMD unit, S
    localparam int unsigned IdWidth = $clog2(SpSimds + 2)
) (
    input  logic                    split_i,
    input  logic                    merge_i,
    input  logic [63:0]             mask_i,
    input  logic [63:0]             spm_i,
    input  logic [63:0]             launched_i,
    input  logic                    stack_empty_i,
    input  logic [IdWidth-1:0]      stack_top_i,
    input  logic [SpSimds-1:0]      free_i,   // bit j: the context on SpSIMD unit number j + 2

    output logic [IdWidth-1:0]      child_o,  // its SpSIMDID; 0: no SWF was created
    output logic [63:0]             child_spm_o,
    output logic [63:0]             spm_o,
    output spsimd_pkg::split_step_t step_o
);

  logic               two_sided;
  logic [IdWidth-1:0] lowest_free;

  always_comb begin
    lowest_free = '0;
    if (split_i) begin
      for (int unsigned k = SpSimds; k > 0; k--) if (free_i[k-1]) lowest_free = IdWidth'(k + 1);
    end
  end

  assign two_sided   = (spm_i & launched_i & mask_i) != '0 && (spm_i & launched_i & ~mask_i) != '0;
  assign child_o     = split_i && two_sided ? lowest_free : '0;
  assign child_spm_o = spm_i & ~mask_i;
  assign spm_o       = child_o != '0 ? spm_i & mask_i : spm_i;

  assign step_o.push        = split_i;
  assign step_o.pop         = merge_i && !stack_empty_i && stack_top_i == '0;
  assign step_o.wait_child  = merge_i && !stack_empty_i && stack_top_i != '0;
  assign step_o.wait_parent = merge_i && stack_empty_i;

`ifndef SYNTHESIS
  // No work-item is lost or in two parts, and a merge is exactly one of three things. Proved for all inputs, and
  // checked in each simulation.
  always_comb begin
    if (child_o != '0) begin
      siblings_are_disjoint_and_all: assert ((child_spm_o | spm_o) == spm_i && (child_spm_o & spm_o) == '0);
      the_childs_unit_is_free: assert (free_i[child_o-2]);
    end else begin
      no_child_no_change: assert (spm_o == spm_i);
    end
    a_merge_is_one_of_three: assert (32'(step_o.pop) + 32'(step_o.wait_child) + 32'(step_o.wait_parent) == 32'(merge_i));
  end
`endif

endmodule
