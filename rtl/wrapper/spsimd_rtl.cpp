#include "rtl/wrapper/spsimd_rtl.h"

#include <verilated_vcd_c.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "Vspsimd.h"
#include "Vspsimd___024root.h"

namespace pws::rtl {

namespace {

constexpr unsigned id_bits = 7, depth_bits = 7;

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
template <std::size_t Words>
uint64_t qword(const VlWide<Words>& w, unsigned index) {
  return w[2 * index] | uint64_t{w[2 * index + 1]} << 32;
}
template <std::size_t Words>
void set_qword(VlWide<Words>& w, unsigned index, uint64_t v) {
  w[2 * index] = static_cast<uint32_t>(v);
  w[2 * index + 1] = static_cast<uint32_t>(v >> 32);
}

// Where Verilator's own file cannot write, it waits for itself for ever: it prints the error, for which all files are
// flushed, this one too. Here the first error is kept and the rest of the waveform dropped.
class watched_file : public VerilatedVcdFile {
 public:
  ssize_t write(const char* bytes, ssize_t length) override {
    if (error_ != 0) return length;
    const ssize_t written = VerilatedVcdFile::write(bytes, length);
    if (written >= 0 || errno == EAGAIN || errno == EINTR) return written;
    error_ = errno;
    return length;
  }
  int error() const { return error_; }

 private:
  int error_ = 0;
};

}  // namespace

struct spsimd_rtl::implementation {
  implementation() : context(std::make_unique<VerilatedContext>()) {
    context->traceEverOn(true);  // before the model is made; costs nothing until a file is open
    top = std::make_unique<Vspsimd>(context.get(), "spsimd");
    root = top->rootp;
#define PWS_IN_CONTEXT(k, signal) &root->spsimd__DOT__gen_context__BRA__##k##__KET____DOT__u_context__DOT__##signal[0]
#define PWS_IN_EACH_CONTEXT(signal)                                                                            \
  {PWS_IN_CONTEXT(0, signal), PWS_IN_CONTEXT(1, signal), PWS_IN_CONTEXT(2, signal), PWS_IN_CONTEXT(3, signal), \
   PWS_IN_CONTEXT(4, signal), PWS_IN_CONTEXT(5, signal), PWS_IN_CONTEXT(6, signal), PWS_IN_CONTEXT(7, signal), \
   PWS_IN_CONTEXT(8, signal), PWS_IN_CONTEXT(9, signal)}
    srf = PWS_IN_EACH_CONTEXT(srf_q);
    stack = PWS_IN_EACH_CONTEXT(u_split__DOT__stack_q);
#undef PWS_IN_EACH_CONTEXT
#undef PWS_IN_CONTEXT
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
    if (vcd) vcd->close();
    top->final();
  }

  void clear_inputs() {
    Vspsimd& t = *top;
    t.salu_issue_i = 0;
    t.valu_issue_i = 0;
    for (unsigned w = 0; w < 4 * contexts; ++w) t.load_we_i[w] = 0;
    t.load_status_i = 0;
    t.begin_i = t.take_over_i = t.join_i = t.drop_i = t.leave_i = 0;
    pending = false;
  }

  void set_start(unsigned c, const start& s) {
    Vspsimd& t = *top;
    set_qword(t.begin_pc_i, c, s.pc);
    set_qword(t.begin_spm_i, c, s.spm);
    set_qword(t.begin_launched_i, c, s.launched);
    set_field(t.begin_parent_i, id_bits * c, id_bits, s.parent);
    t.begin_hw_id_i[c] = s.hw_id;
    t.begin_gpr_alloc_i[c] = s.gpr_alloc;
    t.begin_lds_alloc_i[c] = s.lds_alloc;
    pending = true;
  }

  // Gives the vector ALU what it reads in this cycle.
  void serve_reads(vrf_port& vrf) {
    const unsigned pass = top->vrf_pass_o;
    vrf.read(0, top->vrf_raddr0_o, pass, &top->vrf_rdata0_i[0]);
    vrf.read(1, top->vrf_raddr1_o, pass, &top->vrf_rdata1_i[0]);
    vrf.read(2, top->vrf_raddr2_o, pass, &top->vrf_rdata2_i[0]);
  }
  void dump(uint64_t time) {
    if (vcd) vcd->dump(time);
  }

  std::unique_ptr<VerilatedContext> context;
  std::unique_ptr<Vspsimd> top;
  Vspsimd___024root* root = nullptr;
  std::array<const uint32_t*, contexts> srf{};
  std::array<const uint8_t*, contexts> stack{};
  watched_file vcd_file;
  std::string vcd_name;
  std::unique_ptr<VerilatedVcdC> vcd;  // behind its file, which it closes
  uint64_t period_ps = 0, cycle = 0;
  bool pending = false;           // inputs are set
  unsigned scalar_in_flight = 0;  // cycles until the scalar queue is empty
};

spsimd_rtl::spsimd_rtl() : p_(std::make_unique<implementation>()) {}
spsimd_rtl::~spsimd_rtl() = default;

spsimd_rtl::scalar_answer spsimd_rtl::issue_scalar(unsigned c, uint64_t instr, uint64_t pc, uint64_t free_spsimds) {
  Vspsimd& t = *p_->top;
  t.salu_issue_i = 1;
  t.salu_ctx_i = static_cast<uint8_t>(c);
  t.salu_instr_i = instr;
  t.salu_pc_i = pc;
  t.spsimd_free_i = free_spsimds & ((uint64_t{1} << spsimds) - 1);
  t.eval();
  scalar_answer a;
  a.supported = t.salu_unsupported_o == 0;
  a.next_pc = t.salu_next_pc_o;
  a.child = t.split_child_o;
  a.child_spm = t.split_child_spm_o;
  if (a.supported) {
    p_->pending = true;
    p_->scalar_in_flight = scalar_latency;
  } else {
    t.salu_issue_i = 0;
  }
  return a;
}

bool spsimd_rtl::issue_vector(unsigned c, uint64_t instr, uint64_t pc, vrf_port& vrf) {
  Vspsimd& t = *p_->top;
  t.valu_issue_i = 1;
  t.valu_ctx_i = static_cast<uint8_t>(c);
  t.valu_instr_i = instr;
  t.valu_pc_i = pc;
  t.eval();
  if (t.valu_unsupported_o != 0) {
    t.valu_issue_i = 0;
    return false;
  }
  p_->serve_reads(vrf);
  p_->pending = true;
  return true;
}

void spsimd_rtl::load(unsigned c, const uint32_t* scalar, const std::array<uint64_t, 2>& words,
                      const status_registers& s) {
  Vspsimd& t = *p_->top;
  for (unsigned half = 0; half < 2; ++half) {
    t.load_we_i[4 * c + 2 * half] |= static_cast<uint32_t>(words[half]);
    t.load_we_i[4 * c + 2 * half + 1] |= static_cast<uint32_t>(words[half] >> 32);
    for (uint64_t w = words[half]; w != 0; w &= w - 1) {
      const unsigned k = 64 * half + static_cast<unsigned>(__builtin_ctzll(w));
      t.load_words_i[scalars * c + k] = scalar[k];
    }
  }
  const auto bit = static_cast<uint16_t>(1u << c);
  t.load_status_i |= bit;
  t.load_scc_i = static_cast<uint16_t>((t.load_scc_i & ~bit) | (s.scc ? bit : 0));
  t.load_mode_i[c] = s.mode;
  t.load_trapsts_i[c] = s.trapsts;
  p_->pending = true;
}

void spsimd_rtl::begin(unsigned c, const start& s) {
  p_->set_start(c, s);
  p_->top->begin_i |= static_cast<uint16_t>(1u << c);
}
void spsimd_rtl::take_over(unsigned c, const start& s) {
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
  set_field(p_->top->drop_id_i, id_bits * c, id_bits, spsimd_id);
  p_->top->drop_i |= static_cast<uint16_t>(1u << c);
  p_->pending = true;
}
void spsimd_rtl::leave(unsigned c) {
  p_->top->leave_i |= static_cast<uint16_t>(1u << c);
  p_->pending = true;
}

spsimd_rtl::retired spsimd_rtl::clock(vrf_port* vrf) {
  Vspsimd& t = *p_->top;
  const bool vector = t.valu_issue_i != 0 || t.valu_busy_o != 0;
  if (vector && vrf != nullptr && t.valu_issue_i == 0) p_->serve_reads(*vrf);
  t.clk_i = 0;
  t.eval();
  // The machine's model changes its state at the beginning of a cycle's slot of time: so does the edge here.
  if (p_->cycle != 0) p_->dump(p_->cycle * p_->period_ps - p_->period_ps / 2);
  if (vector && vrf != nullptr && t.vrf_we_o != 0)
    vrf->write(t.vrf_waddr_o, t.vrf_wide_o != 0, t.vrf_pass_o, t.vrf_we_o, &t.vrf_wdata_o[0]);
  t.clk_i = 1;
  t.eval();
  p_->clear_inputs();
  if (p_->scalar_in_flight != 0) --p_->scalar_in_flight;
  p_->dump(p_->cycle * p_->period_ps);
  ++p_->cycle;
  retired r;
  if (t.salu_retire_o != 0) r.scalar = t.salu_retire_ctx_o;
  if (t.valu_retire_o != 0) r.vector = t.valu_retire_ctx_o;
  return r;
}

bool spsimd_rtl::busy() const {
  const Vspsimd& t = *p_->top;
  return p_->pending || p_->scalar_in_flight != 0 || t.valu_busy_o != 0;
}

const uint32_t* spsimd_rtl::scalar(unsigned c) const {
  return p_->srf[c];
}
spsimd_rtl::status_registers spsimd_rtl::status(unsigned c) const {
  const Vspsimd& t = *p_->top;
  return {(t.scc_o >> c & 1) != 0, t.mode_o[c], t.trapsts_o[c]};
}
uint64_t spsimd_rtl::pc(unsigned c) const {
  return qword(p_->top->pc_o, c);
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
  return p_->stack[c][entry];
}
unsigned spsimd_rtl::state(unsigned c) const {
  return p_->top->status_o >> (2 * c) & 3;
}

void spsimd_rtl::open_vcd(const std::string& file, uint64_t period_ps) {
  p_->vcd = std::make_unique<VerilatedVcdC>(&p_->vcd_file);
  p_->vcd_name = file;
  p_->period_ps = period_ps;
  p_->top->trace(p_->vcd.get(), 99);
  p_->vcd->set_time_unit("1ps");
  p_->vcd->set_time_resolution("1ps");
  p_->vcd->open(file.c_str());
  if (!p_->vcd->isOpen()) throw std::runtime_error("cannot write " + file);
}
// The object stays: at the end of a HIP program Verilator's own lists, from which its destructor takes it, are gone.
void spsimd_rtl::close_vcd() {
  if (!p_->vcd || !p_->vcd->isOpen()) return;
  p_->vcd->close();
  if (const int error = p_->vcd_file.error(); error != 0)
    throw std::runtime_error(p_->vcd_name + ": cannot be written: " + std::strerror(error));
}
void spsimd_rtl::set_cycle(uint64_t cycle) {
  p_->cycle = cycle;
}

}  // namespace pws::rtl
