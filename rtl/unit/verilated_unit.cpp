// SPDX-License-Identifier: Apache-2.0
// The class behind rtl/wrapper/spsimd_rtl.h, and the one function that the shared object has for others.
#include <cstring>
#include <stdexcept>

#include "rtl/unit/unit_state.h"
#include "rtl/wrapper/rtl_library.h"

namespace pws::rtl {

namespace {

bool assertions = true;

class verilated_unit final : public spsimd_rtl {
 public:
  explicit verilated_unit(bool simd_unit) : s_(simd_unit, assertions) {}

  scalar_answer issue_scalar(unsigned c, uint64_t instr, uint64_t pc, uint64_t free_spsimds) override;
  bool issue_vector(unsigned c, uint64_t instr, uint64_t pc, vrf_port& vrf) override;
  void load(unsigned c, const uint32_t* scalar, const std::array<uint64_t, 2>& words,
            const status_registers& s) override;
  void load_status(unsigned c, const status_registers& s) override;
  void receive(unsigned c, const uint32_t* row) override;
  void give(unsigned c) override;
  void begin(unsigned c, const start& s) override;
  void take_over(unsigned c, const start& s) override;
  void join(unsigned c, uint64_t spm, uint64_t em) override;
  void drop(unsigned c, unsigned spsimd_id) override;
  void leave(unsigned c) override;
  retired clock(vrf_port* vrf) override;
  const work_done& work() const override;
  bool vector_busy() const override;
  bool busy() const override;
  unsigned ready() const override;
  unsigned gives() const override;
  const uint32_t* given_row(unsigned c) const override;
  const uint32_t* scalar(unsigned c) const override;
  uint64_t vcc(unsigned c) const override;
  bool scc(unsigned c) const override;
  status_registers status(unsigned c) const override;
  uint64_t pc(unsigned c) const override;
  uint64_t em(unsigned c) const override;
  uint64_t spm(unsigned c) const override;
  unsigned parent(unsigned c) const override;
  unsigned depth(unsigned c) const override;
  unsigned child(unsigned c, unsigned entry) const override;
  unsigned top(unsigned c) const override;
  unsigned state(unsigned c) const override;
  void open_waveform(const std::string& file, uint64_t period_ps, unsigned levels) override;
  void record(bool on) override;
  void close_waveform() override;
  void set_cycle(uint64_t cycle) override;

 private:
  unit_state s_;
};

spsimd_rtl::scalar_answer verilated_unit::issue_scalar(unsigned c, uint64_t instr, uint64_t pc, uint64_t free_spsimds) {
  Vspsimd_core& t = *s_.top;
  t.salu_issue_i = 1;
  t.salu_ctx_i = static_cast<uint8_t>(c);
  t.salu_instr_i = instr;
  t.salu_pc_i = pc;
  t.spsimd_free_i = free_spsimds & ((uint64_t{1} << spsimds) - 1);
  s_.settle();
  scalar_answer a;
  a.supported = t.salu_unsupported_o == 0;
  a.next_pc = t.salu_next_pc_o;
  a.child = t.split_child_o;
  a.child_spm = t.split_child_spm_o;
  if (a.supported) {
    s_.pending = true;
    s_.scalar_in_flight = scalar_latency;
    if (a.child != 0) s_.handing_over = cycles_of_a_handover + 1;
  } else {
    t.salu_issue_i = 0;
  }
  return a;
}

bool verilated_unit::issue_vector(unsigned c, uint64_t instr, uint64_t pc, vrf_port& vrf) {
  Vspsimd_core& t = *s_.top;
  t.valu_issue_i = 1;
  t.valu_ctx_i = static_cast<uint8_t>(c);
  t.valu_instr_i = instr;
  t.valu_pc_i = pc;
  s_.settle();
  if (t.valu_unsupported_o != 0) {
    t.valu_issue_i = 0;
    return false;
  }
  s_.compute(vrf);
  s_.pending = true;
  return true;
}

void verilated_unit::load(unsigned c, const uint32_t* scalar, const std::array<uint64_t, 2>& words,
                          const status_registers& s) {
  unit_state::to_load& l = s_.loads[c];
  for (unsigned half = 0; half < 2; ++half) {
    l.which[half] |= words[half];
    for (uint64_t w = words[half]; w != 0; w &= w - 1) {
      const unsigned k = 64 * half + static_cast<unsigned>(__builtin_ctzll(w));
      l.words[k] = scalar[k];
    }
  }
  if (l.any()) s_.loading |= 1u << c;
  load_status(c, s);
}

void verilated_unit::load_status(unsigned c, const status_registers& s) {
  Vspsimd_core& t = *s_.top;
  const auto bit = static_cast<uint16_t>(1u << c);
  t.load_status_i |= bit;
  t.load_scc_i = static_cast<uint16_t>((t.load_scc_i & ~bit) | (s.scc ? bit : 0));
  t.load_mode_i[c] = s.mode;
  t.load_trapsts_i[c] = s.trapsts;
  s_.pending = true;
}

void verilated_unit::receive(unsigned c, const uint32_t* row) {
  s_.top->handover_valid_i |= static_cast<uint16_t>(1u << c);
  for (unsigned k = 0; k < row_registers; ++k) s_.top->handover_row_i[row_registers * c + k] = row[k];
  s_.pending = true;
}
void verilated_unit::give(unsigned c) {
  s_.top->give_i |= static_cast<uint16_t>(1u << c);
  s_.pending = true;
  s_.handing_over = cycles_of_a_handover + 1;
}

void verilated_unit::begin(unsigned c, const start& s) {
  s_.set_start(c, s);
  s_.top->begin_i |= static_cast<uint16_t>(1u << c);
}
void verilated_unit::take_over(unsigned c, const start& s) {
  s_.drop_loads(c);
  s_.set_start(c, s);
  s_.top->take_over_i |= static_cast<uint16_t>(1u << c);
}
void verilated_unit::join(unsigned c, uint64_t spm, uint64_t em) {
  set_qword(s_.top->join_spm_i, c, spm);
  set_qword(s_.top->join_em_i, c, em);
  s_.top->join_i |= static_cast<uint16_t>(1u << c);
  s_.pending = true;
}
void verilated_unit::drop(unsigned c, unsigned spsimd_id) {
  set_field(s_.top->drop_i, (spsimds + 2) * c + spsimd_id, 1, 1);
  s_.drops = true;
  s_.pending = true;
}
void verilated_unit::leave(unsigned c) {
  s_.drop_loads(c);
  s_.top->leave_i |= static_cast<uint16_t>(1u << c);
  s_.pending = true;
}

spsimd_rtl::retired verilated_unit::clock(vrf_port* vrf) {
  Vspsimd_core& t = *s_.top;
  s_.make_current();
  // A later pass's reads follow from registers alone, which the last edge has settled.
  const bool vector = vrf != nullptr && (t.valu_issue_i != 0 || t.valu_busy_o != 0);
  if (vector && t.valu_issue_i == 0) s_.compute(*vrf);
  if (vector)
    s_.vector_in_flight = pipeline_stages;
  else
    s_.read_nothing();
  s_.give_results();
  if (s_.loading != 0) s_.load_pairs();
  if (!s_.settled || (s_.vcd && s_.recording)) s_.settle();
  // The machine's model changes its state at the beginning of a cycle's slot of time: so does the edge here.
  if (s_.cycle != 0) s_.dump(s_.cycle * s_.period_ps - s_.period_ps / 2);
  if (vrf != nullptr && t.vrf_we_o != 0)
    vrf->write(t.vrf_waddr_o, t.vrf_wide_o != 0, t.vrf_wpass_o, t.vrf_we_o, s_.come_out().data.data());
  t.clk_i = 1;
  t.eval();
  ++s_.work.evaluations;
  s_.settled = false;
  s_.clear_inputs();
  if (s_.scalar_in_flight != 0) --s_.scalar_in_flight;
  if (s_.vector_in_flight != 0) --s_.vector_in_flight;
  if (s_.handing_over != 0) --s_.handing_over;
  s_.newest = (s_.newest + 1) % pipeline_stages;
  s_.dump(s_.cycle * s_.period_ps);
  ++s_.cycle;
  retired r;
  if (t.salu_retire_o != 0) r.scalar = t.salu_retire_ctx_o;
  if (t.valu_retire_o != 0) r.vector = t.valu_retire_ctx_o;
  return r;
}

const spsimd_rtl::work_done& verilated_unit::work() const {
  return s_.work;
}

bool verilated_unit::vector_busy() const {
  return s_.top->valu_busy_o != 0;
}

bool verilated_unit::busy() const {
  const Vspsimd_core& t = *s_.top;
  return s_.pending || s_.scalar_in_flight != 0 || t.valu_busy_o != 0 || s_.vector_in_flight != 0 ||
         s_.handing_over != 0 || s_.loading != 0;
}

unsigned verilated_unit::ready() const {
  return s_.top->ready_o;
}
unsigned verilated_unit::gives() const {
  return s_.top->handover_valid_o;
}
const uint32_t* verilated_unit::given_row(unsigned c) const {
  return &s_.top->handover_row_o[row_registers * c];
}
const uint32_t* verilated_unit::scalar(unsigned c) const {
  constexpr unsigned m0 = 124, exec_lo = 126;
  uint32_t* r = s_.registers.data();
  std::memcpy(r, s_.memory[c], sizeof s_.registers);
  const uint64_t em_now = em(c);
  r[m0] = *s_.m0[c];
  r[exec_lo] = static_cast<uint32_t>(em_now);
  r[exec_lo + 1] = static_cast<uint32_t>(em_now >> 32);
  if ((s_.loading >> c & 1) != 0) {
    const unit_state::to_load& l = s_.loads[c];
    for (unsigned k = 0; k < scalars; ++k)
      if ((l.which[k / 64] >> (k % 64) & 1) != 0) r[k] = l.words[k];
  }
  return r;
}
uint64_t verilated_unit::vcc(unsigned c) const {
  return *s_.vcc[c];
}
bool verilated_unit::scc(unsigned c) const {
  return (s_.top->scc_o >> c & 1) != 0;
}
spsimd_rtl::status_registers verilated_unit::status(unsigned c) const {
  const Vspsimd_core& t = *s_.top;
  return {scc(c), t.mode_o[c], t.trapsts_o[c]};
}
uint64_t verilated_unit::pc(unsigned c) const {
  return qword(s_.top->pc_o, c);
}
uint64_t verilated_unit::em(unsigned c) const {
  return qword(s_.top->em_o, c);
}
uint64_t verilated_unit::spm(unsigned c) const {
  return qword(s_.top->spm_o, c);
}
unsigned verilated_unit::parent(unsigned c) const {
  return field(s_.top->parent_o, id_bits * c, id_bits);
}
unsigned verilated_unit::depth(unsigned c) const {
  return field(s_.top->depth_o, depth_bits * c, depth_bits);
}
unsigned verilated_unit::child(unsigned c, unsigned entry) const {
  return field(*s_.stack[c], id_bits * entry, id_bits);
}
unsigned verilated_unit::top(unsigned c) const {
  return field(s_.top->top_o, id_bits * c, id_bits);
}
unsigned verilated_unit::state(unsigned c) const {
  return s_.top->status_o >> (2 * c) & 3;
}

void verilated_unit::open_waveform(const std::string& file, uint64_t period_ps, unsigned levels) {
  const int shown = levels == 0 ? 99 : static_cast<int>(levels);
  s_.vcd = std::make_unique<VerilatedVcdC>(&s_.vcd_file);
  s_.vcd_name = file;
  s_.period_ps = period_ps;
  s_.top->trace(s_.vcd.get(), shown);
  for (unsigned k = 0; k < lanes; ++k) {
    const std::string name = "lanes.lane" + std::to_string(k);
    s_.traced_lanes.push_back(std::make_unique<Vvalu_lane_traced>(s_.context.get(), name.c_str()));
    s_.traced_lanes.back()->trace(s_.vcd.get(), shown);
  }
  s_.vcd->set_time_unit("1ps");
  s_.vcd->set_time_resolution("1ps");
  s_.vcd->open(file.c_str());
  if (!s_.vcd->isOpen()) throw std::runtime_error("cannot write " + file);
}
void verilated_unit::record(bool on) {
  s_.recording = on;
}
void verilated_unit::close_waveform() {
  if (!s_.vcd || !s_.vcd->isOpen()) return;
  s_.vcd->close();
  if (const std::string& error = s_.vcd_file.error(); !error.empty())
    throw std::runtime_error(s_.vcd_name + ": cannot be written: " + error);
}
void verilated_unit::set_cycle(uint64_t cycle) {
  s_.cycle = cycle;
}

std::unique_ptr<spsimd_rtl> make(bool simd_unit) {
  return std::make_unique<verilated_unit>(simd_unit);
}
void check_assertions(bool on) {
  assertions = on;
}

}  // namespace

}  // namespace pws::rtl

extern "C" const pws::rtl::rtl_library* pws_rtl_library() {
  using namespace pws::rtl;
  static constexpr rtl_library self{PWS_RTL_INTERFACE, pipeline_stages, row_registers, make, check_assertions};
  return &self;
}
