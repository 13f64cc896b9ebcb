#include "rtl/wrapper/spsimd_rtl.h"

#include <verilated_vcd_c.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <type_traits>

#include "Vspsimd_core.h"
#include "Vspsimd_core___024root.h"
#include "Vvalu_lane.h"
#include "Vvalu_lane_common.h"
#include "Vvalu_lane_traced.h"
#include "base/waveform/vcd_to_fst.h"

namespace pws::rtl {

namespace {

constexpr unsigned id_bits = 7, depth_bits = 7;
constexpr unsigned pipeline_stages = PWS_RTL_STAGES;
static_assert(pipeline_stages >= 1 && pipeline_stages <= spsimd_rtl::max_stages);
constexpr unsigned row_registers = PWS_RTL_HANDOVER, rows = spsimd_rtl::scalars / row_registers;
static_assert(row_registers >= 2 && rows * row_registers == spsimd_rtl::scalars && (rows & (rows - 1)) == 0);

// A bit field of a wide signal: `width` bits (at most 32) from bit `at`.
template <std::size_t Words>
uint32_t field(const VlWide<Words>& w, unsigned at, unsigned width) {
  const unsigned word = at / 32, shift = at % 32;
  uint64_t v = w[word];
  if (shift + width > 32) v |= uint64_t{w[word + 1]} << 32;
  return static_cast<uint32_t>(v >> shift) & ((1u << width) - 1);
}
template <std::size_t Words>
void set_field(VlWide<Words>& w, unsigned at, unsigned width, uint32_t value) {
  for (unsigned k = 0; k < width; ++k) {
    const uint32_t bit = 1u << ((at + k) % 32);
    uint32_t& word = w[(at + k) / 32];
    word = (value >> k & 1) != 0 ? word | bit : word & ~bit;
  }
}
// Likewise of one that is narrow enough to be a number.
template <class Signal, class = std::enable_if_t<std::is_unsigned_v<Signal>>>
void set_field(Signal& signal, unsigned at, unsigned width, uint32_t value) {
  const uint64_t mask = ((uint64_t{1} << width) - 1) << at;
  signal = static_cast<Signal>((signal & ~mask) | (uint64_t{value} << at & mask));
}
template <std::size_t Words>
void clear(VlWide<Words>& w) {
  std::fill(std::begin(w.m_storage), std::end(w.m_storage), 0);
}
template <class Signal, class = std::enable_if_t<std::is_unsigned_v<Signal>>>
void clear(Signal& signal) {
  signal = 0;
}
template <std::size_t Words>
uint64_t qword(const VlWide<Words>& w, unsigned index) {
  return w[2 * index] | uint64_t{w[2 * index + 1]} << 32;
}
template <std::size_t Words>
void set_qword(VlWide<Words>& w, unsigned index, uint64_t v) {
  w[2 * index] = static_cast<uint32_t>(v);
  w[2 * index + 1] = static_cast<uint32_t>(v >> 32);
}

// What Verilator writes, as VCD or turned into FST. Where its own file cannot write, it waits for itself for ever: it
// prints the error, for which all files are flushed, this one too. Here the first error is kept and the rest of the
// waveform dropped.
class watched_file : public VerilatedVcdFile {
 public:
  bool open(const std::string& name) override {
    if (!is_fst(name)) return VerilatedVcdFile::open(name);
    noting([&] { fst_ = std::make_unique<vcd_to_fst>(name); });
    return error_.empty();
  }
  void close() override {
    if (fst_ == nullptr) return VerilatedVcdFile::close();
    noting([&] { fst_->close(); });
    fst_ = nullptr;
  }
  ssize_t write(const char* bytes, ssize_t length) override {
    if (!error_.empty()) return length;
    if (fst_ != nullptr) {
      noting([&] { fst_->write({bytes, static_cast<size_t>(length)}); });
      return length;
    }
    const ssize_t written = VerilatedVcdFile::write(bytes, length);
    if (written >= 0 || errno == EAGAIN || errno == EINTR) return written;
    error_ = std::strerror(errno);
    return length;
  }
  const std::string& error() const { return error_; }

 private:
  template <class F>
  void noting(F&& f) {
    try {
      f();
    } catch (const std::runtime_error& e) {
      if (error_.empty()) error_ = e.what();
    }
  }
  std::unique_ptr<vcd_to_fst> fst_;
  std::string error_;
};

}  // namespace

namespace {
bool assertions = true;
}

struct spsimd_rtl::implementation {
  // A register and the next one, of each lane.
  using pass_data = std::array<uint32_t, 2 * spsimd_rtl::lanes>;
  // Of a pass.
  struct pass_results {
    pass_data data{};
    unsigned flags = 0;
    uint32_t one_value = 0;
  };

  explicit implementation(bool simd_unit) : context(std::make_unique<VerilatedContext>()) {
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
  ~implementation() {
    make_current();
    if (vcd) vcd->close();
    for (const auto& l : traced_lanes) l->final();
    lane->final();
    common_lane->final();
    top->final();
  }

  // The outputs that this cycle's inputs give, before its edge.
  // The thread's context is the last one that was made, or was made current: Verilator takes it for errors, and where
  // models end. That one may be gone.
  void make_current() {
    Verilated::threadContextp(context.get());
  }
  void settle() {
    top->clk_i = 0;
    top->eval();
    ++work.evaluations;
    settled = true;
  }

  // The clock's falling edge alone. Nothing happens at it, so no evaluation is spent on it: Verilator is told that it
  // has seen the clock low. What the unit says in this cycle beside answers to an issue follows from registers alone.
  void fall() {
    root->__Vtrigrprev__TOP__clk_i = 0;
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

  void set_start(unsigned c, const start& s) {
    Vspsimd_core& t = *top;
    set_qword(t.begin_pc_i, c, s.pc);
    set_qword(t.begin_spm_i, c, s.spm);
    set_qword(t.begin_launched_i, c, s.launched);
    set_field(t.begin_parent_i, id_bits * c, id_bits, s.parent);
    t.begin_hw_id_i[c] = s.hw_id;
    t.begin_gpr_alloc_i[c] = s.gpr_alloc;
    t.begin_lds_alloc_i[c] = s.lds_alloc;
    pending = true;
    handing_over = spsimd_rtl::handover_cycles() + 1;
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
    // A half- or quarter-rate pass has several cycles, and what the lanes compute is taken in the last.
    if (top->pass_last_o == 0) return;
    const unsigned pass = top->vrf_pass_o;
    vrf.read(0, top->vrf_raddr0_o, pass, sources[0].data());
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
        give_instruction(*traced_lanes[k]);
        compute_lane(*traced_lanes[k], k, (top->pass_computed_o >> k & 1) != 0, to);
      }
    }
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
    top->pass_first_src_i = sources[0][0];
    top->pass_last_src_i = sources[0][2 * (spsimd_rtl::lanes - 1)];
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
  // are all of them.
  // The work-items that compute. False: the lane does not have the instruction's unit, and nothing is done.
  template <class Lane>
  bool compute_lanes(Lane& l, pass_results& to) {
    give_instruction(l);
    for (unsigned m = top->pass_computed_o; m != 0; m &= m - 1) {
      compute_lane(l, static_cast<unsigned>(__builtin_ctz(m)), true, to);
      if (l.lacks_o != 0) return false;
    }
    return true;
  }
  template <class Lane>
  void give_instruction(Lane& l) {
    l.ctrl_i = top->pass_ctrl_o;
    l.fpu_op_i = top->pass_fpu_op_o;
    l.mode_i = top->pass_mode_o;
    l.ssrc0_i = top->pass_ssrc0_o;
    l.ssrc1_i = top->pass_ssrc1_o;
    l.ssrc2_i = top->pass_ssrc2_o;
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
  std::array<uint32_t, spsimd_rtl::scalars> registers{};  // what scalar() has put together
  std::array<to_load, contexts> loads;
  unsigned loading = 0;  // contexts, by bit
  std::array<const VlWide<(64 * id_bits + 31) / 32>*, contexts> stack{};
  work_done work;
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

spsimd_rtl::spsimd_rtl(bool simd_unit) : p_(std::make_unique<implementation>(simd_unit)) {}
spsimd_rtl::~spsimd_rtl() = default;

spsimd_rtl::scalar_answer spsimd_rtl::issue_scalar(unsigned c, uint64_t instr, uint64_t pc, uint64_t free_spsimds) {
  Vspsimd_core& t = *p_->top;
  t.salu_issue_i = 1;
  t.salu_ctx_i = static_cast<uint8_t>(c);
  t.salu_instr_i = instr;
  t.salu_pc_i = pc;
  t.spsimd_free_i = free_spsimds & ((uint64_t{1} << spsimds) - 1);
  p_->settle();
  scalar_answer a;
  a.supported = t.salu_unsupported_o == 0;
  a.next_pc = t.salu_next_pc_o;
  a.child = t.split_child_o;
  a.child_spm = t.split_child_spm_o;
  if (a.supported) {
    p_->pending = true;
    p_->scalar_in_flight = scalar_latency;
    if (a.child != 0) p_->handing_over = handover_cycles() + 1;
  } else {
    t.salu_issue_i = 0;
  }
  return a;
}

bool spsimd_rtl::issue_vector(unsigned c, uint64_t instr, uint64_t pc, vrf_port& vrf) {
  Vspsimd_core& t = *p_->top;
  t.valu_issue_i = 1;
  t.valu_ctx_i = static_cast<uint8_t>(c);
  t.valu_instr_i = instr;
  t.valu_pc_i = pc;
  p_->settle();
  if (t.valu_unsupported_o != 0) {
    t.valu_issue_i = 0;
    return false;
  }
  p_->compute(vrf);
  p_->pending = true;
  return true;
}

void spsimd_rtl::load(unsigned c, const uint32_t* scalar, const std::array<uint64_t, 2>& words,
                      const status_registers& s) {
  implementation::to_load& l = p_->loads[c];
  for (unsigned half = 0; half < 2; ++half) {
    l.which[half] |= words[half];
    for (uint64_t w = words[half]; w != 0; w &= w - 1) {
      const unsigned k = 64 * half + static_cast<unsigned>(__builtin_ctzll(w));
      l.words[k] = scalar[k];
    }
  }
  if (l.any()) p_->loading |= 1u << c;
  load_status(c, s);
}

void spsimd_rtl::load_status(unsigned c, const status_registers& s) {
  Vspsimd_core& t = *p_->top;
  const auto bit = static_cast<uint16_t>(1u << c);
  t.load_status_i |= bit;
  t.load_scc_i = static_cast<uint16_t>((t.load_scc_i & ~bit) | (s.scc ? bit : 0));
  t.load_mode_i[c] = s.mode;
  t.load_trapsts_i[c] = s.trapsts;
  p_->pending = true;
}

void spsimd_rtl::receive(unsigned c, const uint32_t* row) {
  p_->top->handover_valid_i |= static_cast<uint16_t>(1u << c);
  for (unsigned k = 0; k < row_registers; ++k) p_->top->handover_row_i[row_registers * c + k] = row[k];
  p_->pending = true;
}
void spsimd_rtl::give(unsigned c) {
  p_->top->give_i |= static_cast<uint16_t>(1u << c);
  p_->pending = true;
  p_->handing_over = handover_cycles() + 1;
}

void spsimd_rtl::begin(unsigned c, const start& s) {
  p_->set_start(c, s);
  p_->top->begin_i |= static_cast<uint16_t>(1u << c);
}
void spsimd_rtl::take_over(unsigned c, const start& s) {
  p_->drop_loads(c);
  p_->set_start(c, s);
  p_->top->take_over_i |= static_cast<uint16_t>(1u << c);
}
void spsimd_rtl::join(unsigned c, uint64_t spm, uint64_t em) {
  set_qword(p_->top->join_spm_i, c, spm);
  set_qword(p_->top->join_em_i, c, em);
  p_->top->join_i |= static_cast<uint16_t>(1u << c);
  p_->pending = true;
}
void spsimd_rtl::drop(unsigned c, unsigned spsimd_id) {
  set_field(p_->top->drop_i, (spsimds + 2) * c + spsimd_id, 1, 1);
  p_->drops = true;
  p_->pending = true;
}
void spsimd_rtl::leave(unsigned c) {
  p_->drop_loads(c);
  p_->top->leave_i |= static_cast<uint16_t>(1u << c);
  p_->pending = true;
}

spsimd_rtl::retired spsimd_rtl::clock(vrf_port* vrf) {
  Vspsimd_core& t = *p_->top;
  p_->make_current();
  // A later pass's reads follow from registers alone, which the last edge has settled.
  const bool vector = vrf != nullptr && (t.valu_issue_i != 0 || t.valu_busy_o != 0);
  if (vector && t.valu_issue_i == 0) p_->compute(*vrf);
  if (vector) p_->vector_in_flight = pipeline_stages;
  p_->give_results();
  if (p_->loading != 0) p_->load_pairs();
  if (p_->vcd && p_->recording)
    p_->settle();
  else if (!p_->settled)
    p_->fall();
  // The machine's model changes its state at the beginning of a cycle's slot of time: so does the edge here.
  if (p_->cycle != 0) p_->dump(p_->cycle * p_->period_ps - p_->period_ps / 2);
  if (vrf != nullptr && t.vrf_we_o != 0)
    vrf->write(t.vrf_waddr_o, t.vrf_wide_o != 0, t.vrf_wpass_o, t.vrf_we_o, p_->come_out().data.data());
  t.clk_i = 1;
  t.eval();
  ++p_->work.evaluations;
  p_->settled = false;
  p_->clear_inputs();
  if (p_->scalar_in_flight != 0) --p_->scalar_in_flight;
  if (p_->vector_in_flight != 0) --p_->vector_in_flight;
  if (p_->handing_over != 0) --p_->handing_over;
  p_->newest = (p_->newest + 1) % pipeline_stages;
  p_->dump(p_->cycle * p_->period_ps);
  ++p_->cycle;
  retired r;
  if (t.salu_retire_o != 0) r.scalar = t.salu_retire_ctx_o;
  if (t.valu_retire_o != 0) r.vector = t.valu_retire_ctx_o;
  return r;
}

const spsimd_rtl::work_done& spsimd_rtl::work() const {
  return p_->work;
}

bool spsimd_rtl::vector_busy() const {
  return p_->top->valu_busy_o != 0;
}

bool spsimd_rtl::busy() const {
  const Vspsimd_core& t = *p_->top;
  return p_->pending || p_->scalar_in_flight != 0 || t.valu_busy_o != 0 || p_->vector_in_flight != 0 ||
         p_->handing_over != 0 || p_->loading != 0;
}

unsigned spsimd_rtl::ready() const {
  return p_->top->ready_o;
}
unsigned spsimd_rtl::gives() const {
  return p_->top->handover_valid_o;
}
const uint32_t* spsimd_rtl::given_row(unsigned c) const {
  return &p_->top->handover_row_o[row_registers * c];
}
const uint32_t* spsimd_rtl::scalar(unsigned c) const {
  constexpr unsigned m0 = 124, exec_lo = 126;
  uint32_t* r = p_->registers.data();
  std::memcpy(r, p_->memory[c], sizeof p_->registers);
  const uint64_t em_now = em(c);
  r[m0] = *p_->m0[c];
  r[exec_lo] = static_cast<uint32_t>(em_now);
  r[exec_lo + 1] = static_cast<uint32_t>(em_now >> 32);
  if ((p_->loading >> c & 1) != 0) {
    const implementation::to_load& l = p_->loads[c];
    for (unsigned k = 0; k < scalars; ++k)
      if ((l.which[k / 64] >> (k % 64) & 1) != 0) r[k] = l.words[k];
  }
  return r;
}
uint64_t spsimd_rtl::vcc(unsigned c) const {
  return *p_->vcc[c];
}
bool spsimd_rtl::scc(unsigned c) const {
  return (p_->top->scc_o >> c & 1) != 0;
}
spsimd_rtl::status_registers spsimd_rtl::status(unsigned c) const {
  const Vspsimd_core& t = *p_->top;
  return {scc(c), t.mode_o[c], t.trapsts_o[c]};
}
uint64_t spsimd_rtl::pc(unsigned c) const {
  return qword(p_->top->pc_o, c);
}
uint64_t spsimd_rtl::em(unsigned c) const {
  return qword(p_->top->em_o, c);
}
uint64_t spsimd_rtl::spm(unsigned c) const {
  return qword(p_->top->spm_o, c);
}
unsigned spsimd_rtl::parent(unsigned c) const {
  return field(p_->top->parent_o, id_bits * c, id_bits);
}
unsigned spsimd_rtl::depth(unsigned c) const {
  return field(p_->top->depth_o, depth_bits * c, depth_bits);
}
unsigned spsimd_rtl::child(unsigned c, unsigned entry) const {
  return field(*p_->stack[c], id_bits * entry, id_bits);
}
unsigned spsimd_rtl::top(unsigned c) const {
  return field(p_->top->top_o, id_bits * c, id_bits);
}
unsigned spsimd_rtl::state(unsigned c) const {
  return p_->top->status_o >> (2 * c) & 3;
}

void spsimd_rtl::check_assertions(bool on) {
  assertions = on;
}

void spsimd_rtl::open_waveform(const std::string& file, uint64_t period_ps, unsigned levels) {
  const int shown = levels == 0 ? 99 : static_cast<int>(levels);
  p_->vcd = std::make_unique<VerilatedVcdC>(&p_->vcd_file);
  p_->vcd_name = file;
  p_->period_ps = period_ps;
  p_->top->trace(p_->vcd.get(), shown);
  for (unsigned k = 0; k < lanes; ++k) {
    const std::string name = "lanes.lane" + std::to_string(k);
    p_->traced_lanes.push_back(std::make_unique<Vvalu_lane_traced>(p_->context.get(), name.c_str()));
    p_->traced_lanes.back()->trace(p_->vcd.get(), shown);
  }
  p_->vcd->set_time_unit("1ps");
  p_->vcd->set_time_resolution("1ps");
  p_->vcd->open(file.c_str());
  if (!p_->vcd->isOpen()) throw std::runtime_error("cannot write " + file);
}
// The object stays: at the end of a HIP program Verilator's own lists, from which its destructor takes it, are gone.
void spsimd_rtl::record(bool on) {
  p_->recording = on;
}
void spsimd_rtl::close_waveform() {
  if (!p_->vcd || !p_->vcd->isOpen()) return;
  p_->vcd->close();
  if (const std::string& error = p_->vcd_file.error(); !error.empty())
    throw std::runtime_error(p_->vcd_name + ": cannot be written: " + error);
}
void spsimd_rtl::set_cycle(uint64_t cycle) {
  p_->cycle = cycle;
}

}  // namespace pws::rtl
