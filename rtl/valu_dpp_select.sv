// SPDX-License-Identifier: Apache-2.0
// DPP: from which work-item each of a row of 16 has its source 0, and which of them compute. Combinational.
//
// A source is in the same row or is the edge: the one work-item of another row that wave shifts and broadcasts need. One
// that is off, or is none, gives 0, and its reader computes only with bound_ctrl. (GCN3 ISA, chapter 6 "DPP")
module valu_dpp_select (
  input  logic           en_i,        // 0: nothing is computed, all outputs are 0
  input  valu_pkg::dpp_t dpp_i,
  input  logic [1:0]     row_i,       // work-items 16 * row_i and up
  input  logic [63:0]    active_i,
  output logic [79:0]    select_o,    // five bits for each: 0 to 15 of the row, 16 the edge, 31 zero
  output logic [15:0]    computes_o,
  output logic [5:0]     edge_item_o  // number of the edge's work-item
);

  localparam logic [4:0] Edge = 5'd16;
  localparam logic [4:0] Zero = 5'd31;

  logic [8:0] ctrl;
  assign ctrl = dpp_i.ctrl;

  logic       edge_ok;  // there is one, and it is on
  logic       there;
  logic [3:0] l;
  logic [4:0] source, moved;
  always_comb begin
    select_o    = '0;
    computes_o  = '0;
    edge_item_o = '0;
    edge_ok     = '0;
    there       = '0;
    l           = '0;
    source      = '0;
    moved       = '0;
    if (en_i) begin
      unique case (ctrl)
        9'h130: begin  // wave_shl
          edge_item_o = {row_i + 2'd1, 4'd0};
          edge_ok     = row_i != 2'd3;
        end
        9'h134: begin  // wave_rol
          edge_item_o = {row_i + 2'd1, 4'd0};
          edge_ok     = 1'b1;
        end
        9'h138, 9'h142: begin  // wave_shr, row_bcast15
          edge_item_o = {row_i - 2'd1, 4'd15};
          edge_ok     = row_i != 2'd0;
        end
        9'h13c: begin  // wave_ror
          edge_item_o = {row_i - 2'd1, 4'd15};
          edge_ok     = 1'b1;
        end
        9'h143: begin  // row_bcast31
          edge_item_o = 6'd31;
          edge_ok     = row_i[1];
        end
        default: ;
      endcase
      edge_ok = edge_ok && active_i[edge_item_o];
      for (int unsigned k = 0; k < 16; k++) begin
        l      = 4'(k);
        moved  = ctrl[4] ? {1'b0, l} - {1'b0, ctrl[3:0]} : {1'b0, l} + {1'b0, ctrl[3:0]};
        source = Zero;
        if (!ctrl[8]) source = {1'b0, l[3:2], ctrl[{1'b0, l[1:0], 1'b0} +: 2]};  // quad_perm
        else begin
          unique case (ctrl[6:4])
            3'd0, 3'd1: if (!moved[4]) source = moved;  // row_shl, row_shr
            3'd2: source = {1'b0, l - ctrl[3:0]};       // row_ror
            3'd3: begin                                 // the wave's shifts and rotations
              if (ctrl[3]) source = l == 4'd0 ? Edge : {1'b0, l - 4'd1};
              else source = l == 4'd15 ? Edge : {1'b0, l + 4'd1};
            end
            default: begin  // row_mirror, row_half_mirror, broadcasts
              if (ctrl[1]) source = Edge;
              else source = {1'b0, ctrl[0] ? {l[3], ~l[2:0]} : ~l};
            end
          endcase
        end
        there = source == Edge ? edge_ok : source != Zero && active_i[{row_i, source[3:0]}];
        select_o[5*k +: 5] = there ? source : Zero;
        computes_o[k] = active_i[{row_i, l}] && dpp_i.row_mask[row_i] && dpp_i.bank_mask[l[3:2]] &&
                        (there || dpp_i.bound_ctrl);
      end
    end
  end

  logic unused_on;
  assign unused_on = dpp_i.on;

endmodule
