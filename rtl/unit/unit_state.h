// SPDX-License-Identifier: Apache-2.0
// One Verilated unit: spsimd_core and, in place of its 16 lanes, one that is evaluated for each work-item.
#pragma once

#include <verilated_vcd_c.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "Vspsimd_core.h"
#include "Vspsimd_core___024root.h"
#include "Vvalu_lane.h"
#include "Vvalu_lane_common.h"
#include "Vvalu_lane_traced.h"
#include "rtl/unit/signal_fields.h"
#include "rtl/unit/watched_file.h"
#include "rtl/wrapper/spsimd_rtl.h"

namespace pws::rtl {

constexpr unsigned id_bits = 7, depth_bits = 7;
constexpr unsigned contexts = spsimd_rtl::contexts;
constexpr unsigned pipeline_stages = PWS_RTL_STAGES;
static_assert(pipeline_stages >= 1 && pipeline_stages <= spsimd_rtl::max_stages);
constexpr unsigned row_registers = PWS_RTL_HANDOVER, rows = spsimd_rtl::scalars / row_registers;
static_assert(row_registers >= 2 && rows * row_registers == spsimd_rtl::scalars && (rows & (rows - 1)) == 0);
constexpr unsigned cycles_of_a_handover = rows + 1;  // spsimd_rtl::handover_cycles()

// The Verilated modules of one unit, and what is known of them between two edges of the clock.
struct unit_state {
  // A register and the next one, of each lane.
  using pass_data = std::array<uint32_t, 2 * spsimd_rtl::lanes>;
  // What the lanes give for one pass.
  struct pass_results {
    pass_data data{};
    unsigned flags = 0;
    uint32_t one_value = 0;
  };

  unit_state(bool simd_unit, bool assertions) : context(std::make_unique<VerilatedContext>()) {
    context->assertOn(assertions);
    context->traceEverOn(true);  // before the model is made; costs nothing until a file is open
    top = std::make_unique<Vspsimd_core>(context.get(), "spsimd");
    lane = std::make_unique<Vvalu_lane>(context.get(), "lane");
    common_lane = std::make_unique<Vvalu_lane_common>(context.get(), "common_lane");
    root = top->rootp;
#define PWS_IN_CONTEXT(k, signal) &root->spsimd_core__DOT__gen_context__BRA__##k##__KET____DOT__u_context__DOT__##signal
#define PWS_IN_EACH_CONTEXT(signal)                                                                            \
  {PWS_IN_CONTEXT(0, signal), PWS_IN_CONTEXT(1, signal), PWS_IN_CONTEXT(2, signal), PWS_IN_CONTEXT(3, signal), \
   PWS_IN_CONTEXT(4, signal), PWS_IN_CONTEXT(5, signal), PWS_IN_CONTEXT(6, signal), PWS_IN_CONTEXT(7, signal), \
   PWS_IN_CONTEXT(8, signal), PWS_IN_CONTEXT(9, signal)}
    memory = PWS_IN_EACH_CONTEXT(u_registers__DOT__u_memory__DOT__mem_q);
    vcc = PWS_IN_EACH_CONTEXT(u_registers__DOT__vcc_q);
    m0 = PWS_IN_EACH_CONTEXT(u_registers__DOT__m0_q);
    stack = PWS_IN_EACH_CONTEXT(u_split__DOT__stack_q);
#undef PWS_IN_EACH_CONTEXT
#undef PWS_IN_CONTEXT
    top->is_simd_unit_i = simd_unit ? 1 : 0;
    top->rst_ni = 0;
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
    top->clk_i = 0;
    top->rst_ni = 1;
    top->eval();
  }
  ~unit_state() {
    make_current();
    if (vcd) vcd->close();
    for (const auto& l : traced_lanes) l->final();
    lane->final();
    common_lane->final();
    top->final();
  }

  // The thread's context is the last one that was made, or was made current: Verilator takes it for errors, and where
  // models end. That one may be gone.
  void make_current() {
    Verilated::threadContextp(context.get());
  }
  // The outputs that this cycle's inputs give, before its edge.
  void settle() {
    top->clk_i = 0;
    top->eval();
    ++work.evaluations;
    settled = true;
  }

  void clear_inputs() {
    Vspsimd_core& t = *top;
    t.salu_issue_i = 0;
    t.valu_issue_i = 0;
    clear(t.load_we_i);
    t.load_status_i = 0;
    t.handover_valid_i = 0;
    t.give_i = 0;
    t.begin_i = t.take_over_i = t.join_i = t.leave_i = 0;
    if (drops) clear(t.drop_i);
    drops = false;
    pending = false;
  }

  void set_start(unsigned c, const spsimd_rtl::start& s) {
    Vspsimd_core& t = *top;
    set_qword(t.begin_pc_i, c, s.pc);
    set_qword(t.begin_spm_i, c, s.spm);
    set_qword(t.begin_launched_i, c, s.launched);
    set_field(t.begin_parent_i, id_bits * c, id_bits, s.parent);
    t.begin_hw_id_i[c] = s.hw_id;
    t.begin_gpr_alloc_i[c] = s.gpr_alloc;
    t.begin_lds_alloc_i[c] = s.lds_alloc;
    pending = true;
    handing_over = cycles_of_a_handover + 1;
  }

  // What load() has left to write, a pair of registers in each cycle.
  struct to_load {
    std::array<uint32_t, spsimd_rtl::scalars> words{};
    std::array<uint64_t, 2> which{};
    bool any() const { return (which[0] | which[1]) != 0; }
  };
  void drop_loads(unsigned c) {
    loads[c].which = {};
    loading &= ~(1u << c);
  }
  void load_pairs() {
    Vspsimd_core& t = *top;
    for (unsigned m = loading; m != 0; m &= m - 1) {
      const auto c = static_cast<unsigned>(__builtin_ctz(m));
      to_load& l = loads[c];
      const unsigned half = l.which[0] != 0 ? 0 : 1;
      const unsigned first = static_cast<unsigned>(__builtin_ctzll(l.which[half])) & ~1u;
      set_field(t.load_pair_i, 6 * c, 6, (64 * half + first) / 2);
      set_field(t.load_we_i, 2 * c, 2, l.which[half] >> first & 3);
      for (unsigned k = 0; k < 2; ++k) t.load_words_i[2 * c + k] = l.words[64 * half + first + k];
      l.which[half] &= ~(uint64_t{3} << first);
      if (!l.any()) loading &= ~(1u << c);
    }
  }

  // The lanes' part of this cycle: what they read and compute. They are evaluated at once, and what comes of it is held
  // back as long as their pipeline takes.
  void compute(vrf_port& vrf) {
    const unsigned pass = top->vrf_pass_o;
    vrf.read(0, top->vrf_raddr0_o, pass, sources[0].data());
    give_ends_of_source(sources[0][0], sources[0][2 * (spsimd_rtl::lanes - 1)]);
    // A half- or quarter-rate pass has several cycles, and what the lanes compute is taken in the last.
    if (top->pass_last_o == 0) return;
    vrf.read(1, top->vrf_raddr1_o, pass, sources[1].data());
    vrf.read(2, top->vrf_raddr2_o, pass, sources[2].data());
    if (top->pass_dpp_o != 0) move_source(vrf);
    pass_results& to = pipeline[newest];
    to.flags = 0;
    to.one_value = 0;
    if (traced_lanes.empty()) {
      if (!compute_lanes(*common_lane, to)) compute_lanes(*lane, to);
    } else {
      for (unsigned k = 0; k < spsimd_rtl::lanes; ++k) {
        traced_lanes[k]->instr_i = top->pass_instr_o;
        compute_lane(*traced_lanes[k], k, (top->pass_computed_o >> k & 1) != 0, to);
      }
    }
  }
  // Source 0 of the first and the last lane, as the register's port has it: in every cycle, whether the unit wants it
  // or not.
  void give_ends_of_source(uint32_t first, uint32_t last) {
    top->pass_first_src_i = first;
    top->pass_last_src_i = last;
  }
  // A cycle without a pass: nothing is read, and what is there is no register's value.
  void read_nothing() {
    constexpr uint32_t nothing = 0xdeadbeef;
    give_ends_of_source(nothing, nothing);
  }
  // What comes out of the lanes in this cycle.
  const pass_results& come_out() const {
    return pipeline[(newest + 1) % pipeline_stages];
  }
  void give_results() {
    top->pass_flags_i = static_cast<uint16_t>(come_out().flags);
    top->one_value_i = come_out().one_value;
  }

  // DPP, in place of valu_dpp.sv: source 0 of each lane is that of the lane that the unit names (valu_dpp_select.sv).
  void move_source(vrf_port& vrf) {
    const uint32_t edge = top->vrf_edge_re_o != 0 ? vrf.read_edge(top->vrf_raddr0_o, top->vrf_edge_item_o)
                                                  : uint32_t{top->pass_edge_kept_o};
    const pass_data row = sources[0];
    for (unsigned k = 0; k < spsimd_rtl::lanes; ++k) {
      const unsigned select = field(top->pass_select_o, 5 * k, 5);
      sources[0][2 * k] = (select & 16) == 0 ? row[2 * select] : (select & 1) == 0 ? edge : 0;
      sources[0][2 * k + 1] = 0;
    }
  }

  // In place of Lanes lanes side by side (valu_pass.sv) there is one, evaluated for each work-item that computes: a
  // sixteenth of the code, which stays in the cache, and nothing done for work-items that are off. For a waveform there
  // are all of them. False: the lane does not have the instruction's unit, and nothing is done.
  template <class Lane>
  bool compute_lanes(Lane& l, pass_results& to) {
    l.instr_i = top->pass_instr_o;
    for (unsigned m = top->pass_computed_o; m != 0; m &= m - 1) {
      compute_lane(l, static_cast<unsigned>(__builtin_ctz(m)), true, to);
      if (l.lacks_o != 0) return false;
    }
    return true;
  }
  template <class Lane>
  void compute_lane(Lane& l, unsigned k, bool computes, pass_results& to) {
    l.en_i = computes ? 1 : 0;
    l.lane_i = static_cast<uint8_t>(top->pass_first_o | k);
    l.vsrc0_i = pair(sources[0], k);
    l.vsrc1_i = pair(sources[1], k);
    l.vsrc2_i = pair(sources[2], k);
    l.flag_i = top->pass_mask_o >> k & 1;
    l.eval();
    ++work.lanes;
    const uint64_t result = l.result_o;
    to.data[2 * k] = static_cast<uint32_t>(result);
    to.data[2 * k + 1] = static_cast<uint32_t>(result >> 32);
    to.flags |= unsigned{l.flag_o} << k;
    to.one_value |= static_cast<uint32_t>(result);
  }
  void dump(uint64_t time) {
    if (vcd && recording) vcd->dump(time);
  }

  std::unique_ptr<VerilatedContext> context;
  std::unique_ptr<Vspsimd_core> top;
  std::unique_ptr<Vvalu_lane> lane;
  std::unique_ptr<Vvalu_lane_common> common_lane;                // with the units that most instructions need: faster
  std::vector<std::unique_ptr<Vvalu_lane_traced>> traced_lanes;  // for a waveform: all of them, else empty
  Vspsimd_core___024root* root = nullptr;
  static uint64_t pair(const pass_data& d, unsigned lane) {
    return d[2 * lane] | uint64_t{d[2 * lane + 1]} << 32;
  }
  std::array<pass_data, 3> sources{};
  std::array<pass_results, pipeline_stages> pipeline{};
  unsigned newest = 0;
  std::array<const VlUnpacked<std::conditional_t<row_registers == 2, QData, VlWide<row_registers>>, rows>*, contexts>
      memory{};
  std::array<const QData*, contexts> vcc{};
  std::array<const IData*, contexts> m0{};
  mutable std::array<uint32_t, spsimd_rtl::scalars> registers{};  // what scalar() has put together
  std::array<to_load, contexts> loads;
  unsigned loading = 0;  // contexts, by bit
  std::array<const VlWide<(64 * id_bits + 31) / 32>*, contexts> stack{};
  spsimd_rtl::work_done work;
  watched_file vcd_file;
  std::string vcd_name;
  std::unique_ptr<VerilatedVcdC> vcd;  // behind its file, which it closes
  uint64_t period_ps = 0, cycle = 0;
  bool recording = true;          // the waveform
  bool pending = false;           // inputs are set
  bool drops = false;             // drop_i is set
  bool settled = false;           // outputs are those of this cycle's inputs
  unsigned scalar_in_flight = 0;  // cycles until the scalar queue is empty
  unsigned vector_in_flight = 0;  // cycles until the lanes' pipeline is
  unsigned handing_over = 0;      // cycles until every hand-over has come to its end
};

}  // namespace pws::rtl
