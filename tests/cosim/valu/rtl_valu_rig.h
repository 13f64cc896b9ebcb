// SPDX-License-Identifier: Apache-2.0
// rtl_valu for one Verilated variant; included by one source file per variant.
#pragma once

#include <cstring>
#include <stdexcept>

#include "models/isa/code/source_field.h"
#include "models/isa/opcode_row.h"
#include "tests/cosim/valu/random_source.h"
#include "tests/cosim/valu/rtl_valu.h"

namespace pws::cosim {

template <class Model, unsigned Lanes, unsigned Stages>
class rtl_valu_rig final : public rtl_valu {
 public:
  rtl_valu_rig() : model_(std::make_unique<Model>()) {
    model_->rst_ni = 0;
    step();
    model_->rst_ni = 1;
    model_->eval();
  }
  ~rtl_valu_rig() override { model_->final(); }

  unsigned lanes() const override { return Lanes; }
  unsigned stages() const override { return Stages; }

  bool supports(const uint32_t (&words)[2]) override {
    model_->start_i = 1;
    model_->mode_i = 0;
    model_->instr_i = words[0] | uint64_t{words[1]} << 32;
    model_->eval();
    const bool supported = model_->supported_o != 0;
    model_->start_i = 0;
    return supported;
  }

  void idle_cycle() override {
    model_->start_i = 0;
    disturb_inputs();
    model_->eval();
    expect_quiet();
    step();
  }

  valu_outcome run(const uint32_t (&words)[2], isa::wave_state& s) override {
    valu_outcome out;
    Model& m = *model_;
    m.start_i = 1;
    m.instr_i = words[0] | uint64_t{words[1]} << 32;
    m.active_i = s.active();
    m.mode_i = s.mode;
    m.vcc_i = s.vcc();
    m.m0_i = s.scalar[isa::m0];
    m.eval();
    out.unsupported = m.unsupported_o != 0;
    out.cycles_of_a_pass = 1u << m.rate_o;
    out.length = m.length_o;
    if (out.unsupported) {
      expect_quiet();
      step();
      idle_cycle();
      return out;
    }
    m.ssrc0_i = scalar(s, m.src0_o, m.type0_o);
    m.ssrc1_i = scalar(s, m.src1_o, m.type1_o);
    m.ssrc2_i = scalar(s, m.src2_o, m.type2_o);
    for (;;) {
      const bool begins = out.cycles == 0 || m.busy_o != 0;
      if (begins) {
        if (out.waited != 0) throw std::logic_error("busy_o is wrong");
        ++out.cycles;
        read_registers(s);
      } else {
        ++out.waited;
        disturb_registers();
      }
      m.eval();
      if (m.unsupported_o != 0) throw std::logic_error("unsupported after the start");
      write_registers(s, out);
      const bool done = m.done_o != 0;
      if (out.cycles == 1 && m.start_i != 0 && m.busy_o != 0) throw std::logic_error("busy_o is wrong");
      if (m.sdst_we_o != 0) {
        if (!done) throw std::logic_error("scalar result before the last cycle");
        write_scalars(s);
      }
      step();
      m.start_i = 0;
      disturb_inputs();
      m.eval();
      if (done) break;
      if (out.cycles + out.waited > 1000) throw std::logic_error("the instruction does not end");
    }
    expect_quiet();
    return out;
  }

 private:
  // The clock's edge; it falls with the next inputs, which are evaluated then.
  void step() {
    model_->clk_i = 1;
    model_->eval();
    model_->clk_i = 0;
  }

  // Whatever comes after the start cycle, the instruction must not see it.
  void disturb_inputs() {
    Model& m = *model_;
    m.instr_i = random_.next();
    m.active_i = random_.next();
    m.mode_i = random_.word();
    m.vcc_i = random_.next();
    m.m0_i = random_.word();
    m.ssrc0_i = random_.next();
    m.ssrc1_i = random_.next();
    m.ssrc2_i = random_.next();
  }

  void expect_quiet() {
    const Model& m = *model_;
    if (m.busy_o != 0 || m.done_o != 0 || any(m.vrf_we_o) || m.sdst_we_o != 0 || m.exec_we_o != 0)
      throw std::logic_error("the unit works without an instruction");
  }
  template <class Port>
  static bool any(const Port& mask) {
    return mask != 0;
  }

  // What a register file gives for a source field.
  uint64_t scalar(const isa::wave_state& s, unsigned encoded, unsigned type_code) {
    namespace f = isa::field;
    constexpr isa::type types[] = {isa::type::b32, isa::type::u64, isa::type::i64, isa::type::b16, isa::type::f64};
    const isa::type t = types[type_code];
    const bool wide = isa::dwords_of(t) == 2;
    if (encoded >= f::vgpr) return random_.next();
    if (encoded < f::scalar_end) {
      if (wide && (encoded & 1) != 0) throw std::logic_error("a pair of scalar registers that is none");
      const bool is_exec = encoded / 2 == isa::exec_lo / 2;  // reads as EM & SpM
      const uint64_t pair = is_exec ? s.active() : s.scalar64(encoded & ~1u);
      return wide ? pair : static_cast<uint32_t>(pair >> (32 * (encoded & 1))) | random_.next() << 32;
    }
    if (isa::is_inline_constant(encoded)) return isa::inline_constant(encoded, t);
    switch (encoded) {
      case f::vccz:
        return s.vcc() == 0 ? 1 : 0;
      case f::execz:
        return s.active() == 0 ? 1 : 0;
      case f::scc:
        return s.scc ? 1 : 0;
      case f::literal:
        return isa::literal_constant(model_->literal_o, t);
      default:
        throw std::logic_error("a source field that is reserved");
    }
  }

  template <class Port>
  void read_port(const isa::wave_state& s, unsigned first, unsigned row, Port& port) {
    for (unsigned l = 0; l < Lanes; ++l) {
      port[2 * l] = s.vgpr[row].lane[first + l];
      port[2 * l + 1] = row < 255 ? s.vgpr[row + 1].lane[first + l] : random_.word();
    }
  }
  void read_registers(const isa::wave_state& s) {
    Model& m = *model_;
    const unsigned first = m.vrf_pass_o * Lanes;
    if (first >= isa::wave_size) throw std::logic_error("a pass beyond the last");
    read_port(s, first, m.vrf_raddr0_o, m.vrf_rdata0_i);
    read_port(s, first, m.vrf_raddr1_o, m.vrf_rdata1_i);
    read_port(s, first, m.vrf_raddr2_o, m.vrf_rdata2_i);
    m.vrf_edge_rdata_i = random_.word();
    if (Lanes == 16 && m.vrf_edge_re_o != 0) m.vrf_edge_rdata_i = s.vgpr[m.vrf_raddr0_o].lane[m.vrf_edge_item_o];
  }
  void disturb_registers() {
    for (unsigned l = 0; l < 2 * Lanes; ++l) {
      model_->vrf_rdata0_i[l] = random_.word();
      model_->vrf_rdata1_i[l] = random_.word();
      model_->vrf_rdata2_i[l] = random_.word();
    }
  }
  void write_registers(isa::wave_state& s, valu_outcome& out) {
    const Model& m = *model_;
    const uint64_t lanes = m.vrf_we_o;
    if (lanes == 0) return;
    const unsigned first = m.vrf_wpass_o * Lanes;
    const unsigned n = m.vrf_wide_o != 0 ? 2 : 1;
    if (m.vrf_waddr_o + n > 256) throw std::logic_error("a write beyond the last vector register");
    for (unsigned k = 0; k < n; ++k) {
      out.rows.push_back(m.vrf_waddr_o + k);
      for (unsigned l = 0; l < Lanes; ++l)
        if ((lanes >> l & 1) != 0) s.vgpr[m.vrf_waddr_o + k].lane[first + l] = m.vrf_wdata_o[2 * l + k];
    }
  }
  void write_scalars(isa::wave_state& s) {
    const Model& m = *model_;
    if (m.sdst_wide_o != 0) {
      if ((m.sdst_o & 1) != 0) throw std::logic_error("a lane mask to an odd register");
      s.set_scalar64(m.sdst_o, m.sdst_data_o);
    } else {
      s.scalar[m.sdst_o] = static_cast<uint32_t>(m.sdst_data_o);
    }
    if (m.exec_we_o != 0) s.set_scalar64(isa::exec_lo, m.sdst_data_o);
  }

  std::unique_ptr<Model> model_;
  random_source random_{0x5eed};
};

}  // namespace pws::cosim
