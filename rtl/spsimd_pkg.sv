// SPDX-License-Identifier: Apache-2.0
// Shared constants and types of the SpSIMD unit: scalar operands, scalar ALU operations, status of an SWF context.
package spsimd_pkg;

  // Scalar registers that are not plain words of the register file (GCN3 ISA, table "SSRC").
  parameter logic [6:0] RegVccLo  = 7'd106;
  parameter logic [6:0] RegM0     = 7'd124;
  parameter logic [6:0] RegExecLo = 7'd126;

  // Operations of the scalar ALU. Where 32- and 64-bit instructions differ in width only they share a name.
  typedef enum logic [6:0] {
    SaluMov, SaluCmov, SaluCselect, SaluNot, SaluWqm, SaluBrev, SaluBcnt0, SaluBcnt1, SaluFf0, SaluFf1, SaluFlbit,
    SaluFlbitI, SaluSext8, SaluSext16, SaluBitset0, SaluBitset1, SaluQuadmask, SaluAbs,
    SaluAddU, SaluAddI, SaluSubU, SaluSubI, SaluAddc, SaluSubb, SaluMinI, SaluMinU, SaluMaxI, SaluMaxU, SaluMul,
    SaluAbsdiff,
    SaluAnd, SaluOr, SaluXor, SaluAndn2, SaluOrn2, SaluNand, SaluNor, SaluXnor,
    SaluLshl, SaluLshr, SaluAshr, SaluBfm, SaluBfeU, SaluBfeI,
    SaluCmpEq, SaluCmpLg, SaluCmpGtI, SaluCmpGeI, SaluCmpLtI, SaluCmpLeI, SaluCmpGtU, SaluCmpGeU, SaluCmpLtU,
    SaluCmpLeU, SaluBitcmp0, SaluBitcmp1,
    SaluAndSave, SaluOrSave, SaluXorSave, SaluAndn2Save, SaluOrn2Save, SaluNandSave, SaluNorSave, SaluXnorSave,
    SaluGetpc, SaluGetreg, SaluSetreg, SaluGprIdxIdx, SaluGprIdxOn, SaluGprIdxMode, SaluGprIdxOff,
    SaluNothing  // branches: the branch unit decides
  } salu_op_e;

  // Where the next PC comes from.
  typedef enum logic [3:0] {
    BranchNever, BranchAlways, BranchScc0, BranchScc1, BranchVccz, BranchVccnz, BranchExecz, BranchExecnz, BranchTo
  } branch_e;

  // A scalar instruction, decoded.
  typedef struct packed {
    logic       supported;
    salu_op_e   op;
    logic       wide;         // the operation is of 64 bits
    logic       literal;      // a second dword follows
    logic [7:0] ssrc0;
    logic [7:0] ssrc1;
    logic [2:0] type0;        // valu_pkg::operand_e
    logic [2:0] type1;
    logic       simm_is_src0;  // SOPK: the immediate in place of a source ...
    logic       simm_is_src1;
    logic       simm_unsigned; // ... zero-extended
    logic       relative_src; // s_movrels: M0 is added to the register's number
    logic       relative_dst;
    logic       writes_sdst;
    logic       wide_sdst;
    logic [6:0] sdst;
    branch_e    branch;
    logic       split;
    logic       merge;
  } salu_ctrl_t;

  // What an SWF context is doing, as far as split and merge are concerned.
  typedef enum logic [1:0] {
    SwfIdle,       // no SWF
    SwfRunning,
    SwfWaitChild,  // at its merge, the SWF on top of its child stack is not there yet
    SwfWaitParent  // at its merge, to be joined by its parent
  } swf_status_e;

  // What a scalar instruction writes, but for MODE and TRAPSTS.
  typedef struct packed {
    logic        we;
    logic [6:0]  index;
    logic        wide;
    logic [63:0] data;
    logic        scc_we;
    logic        scc;
    logic        exec_we;
    logic [63:0] exec;
    logic        m0_we;
    logic [31:0] m0;
  } scalar_result_t;

  // What a scalar instruction writes at once: MODE and TRAPSTS.
  typedef struct packed {
    logic        mode_we;
    logic [31:0] mode;
    logic        trapsts_we;
    logic [31:0] trapsts;
  } status_result_t;

  // What split_control says of a split or merge; a split writes SpM too.
  typedef struct packed {
    logic push;
    logic pop;
    logic wait_child;
    logic wait_parent;
  } split_step_t;

  // A context's registers of 32 bits and SCC.
  typedef struct packed {
    logic        scc;
    logic [31:0] m0;
    logic [31:0] mode;
    logic [31:0] trapsts;
    logic [31:0] hw_id;
    logic [31:0] gpr_alloc;
    logic [31:0] lds_alloc;
  } status_t;

endpackage
