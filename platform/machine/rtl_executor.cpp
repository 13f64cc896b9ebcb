// SPDX-License-Identifier: Apache-2.0
#include "platform/machine/rtl_executor.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "models/compute_unit/instruction_step.h"
#include "models/compute_unit/issue_time.h"
#include "models/context/context_map.h"
#include "models/isa/code/decode.h"
#include "models/isa/hardware_register.h"
#include "models/isa/predicates.h"
#include "models/isa/scalar/scalar_semantics.h"
#include "models/isa/vector/lane_reach.h"
#include "platform/machine/rtl_inputs.h"
#include "rtl/wrapper/assertion_error.h"

namespace pws::platform::cosim {

using models::cycle_t;
using models::wf_context;
using rtl::spsimd_rtl;

uint64_t executor_statistics::n_unsupported() const {
  uint64_t n = 0;
  for (const auto& [name, count] : unsupported) n += count;
  return n;
}

void executor_statistics::add(const executor_statistics& o) {
  scalar += o.scalar;
  vector += o.vector;
  splits_and_merges += o.splits_and_merges;
  memory += o.memory;
  compared += o.compared;
  evaluations += o.evaluations;
  lanes += o.lanes;
  for (const auto& [name, count] : o.unsupported) unsupported[name] += count;
}

rtl_executor::rtl_executor(const models::compute_unit& cu, models::simd_id simd, models::swf_number number,
                           const models::machine_config& config, checker* compare)
    : cu_(cu),
      simd_(simd),
      number_(number),
      config_(config),
      checker_(compare),
      rtl_(rtl::spsimd_rtl::make(number.is_simd_unit())) {}

executor_statistics rtl_executor::statistics() const {
  executor_statistics s = statistics_;
  s.evaluations = rtl_->work().evaluations;
  s.lanes = rtl_->work().lanes;
  return s;
}

std::string rtl_executor::name() const {
  const std::string simd = fmt::format("cu{}.simd{}", cu_.index(), simd_.value);
  return number_.is_simd_unit() ? simd : fmt::format("{}.spsimd{}", simd, number_.value());
}

std::string rtl_executor::context_scope() const {
  return number_.is_simd_unit() ? "wf" : "swf";
}

// ---- Time

void rtl_executor::advance(cycle_t now) {
  if (!launched_.empty()) begin_launched(now);
  clock_until(now);
}

// Up to cycle `now`, in the order of time.
void rtl_executor::begin_launched(cycle_t now) {
  for (;;) {
    const auto first = std::min_element(launched_.begin(), launched_.end(),
                                        [](const launched& a, const launched& b) { return a.begins < b.begins; });
    if (first == launched_.end() || first->begins > now) return;
    const launched l = *first;
    launched_.erase(first);
    begins(*l.wave, std::max(l.begins, cycle_));
  }
}

void rtl_executor::clock_until(cycle_t now) {
  while (cycle_ < now) {
    if (!rtl_->busy()) {
      cycle_ = now;
      break;
    }
    clock();
  }
}

void rtl_executor::show(cycle_t now) {
  advance(now + 1);
  for (unsigned k = 0; k < views.size(); ++k) {
    context_registers& v = views[k] = rtl_registers(k);
    const bool in_use = v.state != context_registers::idle;
    if (!in_use) v.pc = 0;
    if (!in_use || (rtl_->ready() >> k & 1) == 0) v.em = 0;
  }
}

void rtl_executor::drain() {
  while (rtl_->busy()) clock();
}

void rtl_executor::clock() {
  rtl_->set_cycle(cycle_);
  if (arriving_ != 0) receive_rows();
  spsimd_rtl::retired done;
  try {
    done = rtl_->clock(this);
  } catch (const rtl::assertion_error& e) {
    wrong(nullptr, e.what());
  }
  ++cycle_;
  if (checker_ != nullptr) record();
  check_ports(done);
  check_handovers();
  check_cycle();
  if (done.scalar != spsimd_rtl::none) {
    flight& f = scalar_[scalar_first_];
    scalar_first_ = (scalar_first_ + 1) % scalar_slots;
    --scalar_count_;
    retire(f, cycle_ - f.issued.at);
  }
  if (done.vector != spsimd_rtl::none) {
    flight& f = oldest_vector();
    vector_first_ = (vector_first_ + 1) % vector_slots;
    --vector_count_;
    retire(f, cycle_ - f.issued.at);
  }
}

// What says when an instruction is under way and when its result is there.
void rtl_executor::check_ports(const spsimd_rtl::retired& done) {
  const flight* s = scalar_count_ == 0 ? nullptr : &scalar_[scalar_first_];
  if (done.scalar != spsimd_rtl::none) {
    if (s == nullptr) {
      wrong(nullptr, "a scalar instruction retires in the RTL, and none is under way");
    } else if (done.scalar != s->issued.context->slot.value) {
      wrong(s, fmt::format("the RTL's scalar instruction retires in context {}", done.scalar));
    }
  } else if (s != nullptr && cycle_ - s->issued.at >= spsimd_rtl::scalar_latency) {
    wrong(s, fmt::format("it has not retired in the RTL after {} cycles", cycle_ - s->issued.at));
  }
  const flight* v = vector_count_ == 0 ? nullptr : &oldest_vector();
  if (done.vector != spsimd_rtl::none) {
    if (v == nullptr) {
      wrong(nullptr, "a vector instruction retires in the RTL, and none is under way");
    } else if (done.vector != v->issued.context->slot.value) {
      wrong(v, fmt::format("the RTL's vector instruction retires in context {}", done.vector));
    }
  } else if (v != nullptr && cycle_ - v->issued.at >= latency_of(*v->issued.inst)) {
    wrong(v, fmt::format("it has not retired in the RTL after {} cycles", cycle_ - v->issued.at));
  }
  if (rtl_->vector_busy() != (cycle_ < vector_reads_until_))
    wrong(v, fmt::format("the RTL's vector ALU is {}", rtl_->vector_busy() ? "busy" : "not busy"));
}

void rtl_executor::wrong(const flight* f, const std::string& what) {
  if (checker_ != nullptr) checker_->protocol(f == nullptr ? nullptr : &f->issued, cycle_, name() + ": " + what);
  throw program_error(
      fmt::format("{}: {}{}", name(), what, f == nullptr ? "" : ": " + isa::disassemble(*f->issued.inst)));
}

// At the end of a cycle: what is written at its end.
void rtl_executor::check_cycle() {
  for (unsigned k = 0; k < contexts_.size(); ++k) {
    context_state& s = contexts_[k];
    if (checker_ == nullptr) {
      if (s.issued && s.model != nullptr) take_results(*s.model, k);
      if (s.split_changed && s.model != nullptr) model_->of(*s.model).set_split_mask(*s.model, rtl_->spm(k));
    } else {
      if (s.expects_pc != nullptr) checker_->next_pc(*s.expects_pc, s.expected_pc, rtl_->pc(k));
      // If the SWF has ended in this cycle too, nothing reads its child stack until another SWF takes over; what is
      // left of it is compared then.
      if (s.split_changed && s.model != nullptr && s.model->status != models::wf_status::ended) {
        const split_state model = model_split(*s.model);
        split_state rtl = rtl_split(k);
        // May be on its way; compared when that retires, or all registers are there.
        if (s.in_flight != 0 || (arriving_ >> k & 1) != 0) rtl.em = model.em;
        checker_->split_registers(s.event, model, rtl);
        ++statistics_.compared;
      }
      if (s.left) {
        split_state rtl = rtl_split(k);
        rtl.em = 0;  // what is in the registers of a context without an SWF does not matter
        checker_->split_registers(s.event, {}, rtl);
        ++statistics_.compared;
        std::copy_n(rtl_->scalar(k), isa::scalar_count, s.left_behind.begin());
        s.left = false;
        s.free = true;
      }
    }
    s.expects_pc = nullptr;
    s.split_changed = s.issued = false;
  }
}

// The RTL drives: the context's registers are as its own.
void rtl_executor::take_results(wf_context& c, unsigned slot) {
  std::copy_n(rtl_->scalar(slot), isa::scalar_count, c.state.scalar);
  const spsimd_rtl::status_registers s = rtl_->status(slot);
  c.state.scc = s.scc;
  c.state.mode = s.mode;
  c.state.trapsts = s.trapsts;
}

void rtl_executor::record() {
  window_sample& w = window_.next(cycle_);
  for (unsigned k = 0; k < contexts_.size(); ++k) {
    const wf_context* c = contexts_[k].model;
    w.model[k] = c == nullptr ? context_registers{} : model_registers(*c);
    w.rtl[k] = rtl_registers(k);
  }
}

void rtl_executor::retire(flight& f, cycle_t latency) {
  const unsigned slot = f.issued.context->slot.value;
  retirement model, rtl;
  if (f.abandoned) {  // vector registers are the wavefront's
    if (checker_ == nullptr) return;
    model.scalar = rtl.scalar = f.issued.context->state.scalar;
    return compare(f, latency, model, rtl, {});
  }
  context_state& s = contexts_[slot];
  --s.in_flight;
  if (checker_ == nullptr) {
    take_results(*s.model, slot);
    return;
  }
  const isa::inst& i = *f.issued.inst;
  const isa::wave_state& state = f.issued.context->state;
  model.scalar = state.scalar;
  model.scc = state.scc;
  model.mode = state.mode;
  model.trapsts = state.trapsts;
  model.spm = state.split_mask;
  rtl.scalar = rtl_->scalar(slot);
  const spsimd_rtl::status_registers status = rtl_->status(slot);
  // SCC while something else that writes it may be under way: only what is compared below.
  rtl.scc = s.in_flight == 0 || i.writes_scc ? status.scc : state.scc;
  rtl.mode = status.mode;
  rtl.trapsts = status.trapsts;
  rtl.spm = rtl_->spm(slot);
  std::array<uint64_t, 2> registers = every_register;
  if (s.in_flight != 0) {
    registers = {};
    for (unsigned k = 0; k < i.n_writes; ++k)
      if (!i.writes[k].is_vgpr)
        for (unsigned n = 0; n < i.writes[k].count; ++n) add_register(registers, i.writes[k].first + n);
  }
  compare(f, latency, model, rtl, registers);
}

cycle_t rtl_executor::latency_of(const isa::inst& i) const {
  if (i.unit != isa::unit::valu && i.unit != isa::unit::valu_f64 && i.unit != isa::unit::valu_trans)
    return config_.latency.salu;
  const auto [passes, latency] = models::vector_alu_time_of(i, config_.latency);
  return std::max<cycle_t>(latency, passes * models::valu_cycles(config_));
}

// Its vector registers, those scalar ones, and the cycle in which it was done.
void rtl_executor::compare(const flight& f, cycle_t latency, retirement& model, retirement& rtl,
                           const std::array<uint64_t, 2>& registers) {
  ++statistics_.compared;
  model.latency = latency_of(*f.issued.inst);
  rtl.latency = latency;
  model.n_results = rtl.n_results = f.n_results;
  for (unsigned k = 0; k < f.n_results; ++k) {
    model.results[k] = &f.model[k];
    rtl.results[k] = &f.rtl[k];
  }
  checker_->retired(f.issued, model, rtl, registers);
}

// ---- Instructions

namespace {
// Whether M0 says which register a v_movrel* reads, or writes.
bool is_relative(const isa::inst& i, bool destination) {
  if (!i.relative_index || i.unit != isa::unit::valu) return false;
  return operation_of(i) !=
         (destination ? isa::operation::move_relative_source : isa::operation::move_relative_destination);
}
// As it is written: with its encoding's suffix, and without operands.
std::string mnemonic_of(const isa::inst& i) {
  const std::string text = isa::disassemble(i);
  return text.substr(0, text.find(' '));
}
}  // namespace

void rtl_executor::describe(issued_instruction& to, wf_context& c, const isa::inst& i, cycle_t now) const {
  to.context = &c;
  to.inst = &i;
  to.at = now;
  to.active = c.state.active();
  to.n_sources = to.n_scalars = 0;
  const auto add_rows = [&](const isa::inst::run& r) {
    for (unsigned k = 0; k < r.count && to.n_sources < issued_instruction::max_rows; ++k) {
      const auto row = static_cast<uint16_t>(r.first + k);
      if (row < c.state.n_vgprs) to.sources[to.n_sources++] = {row, c.state.vgpr[row]};
    }
  };
  for (unsigned k = 0; k < i.n_reads; ++k) {
    const isa::inst::run& r = i.reads[k];
    if (r.is_vgpr) {
      add_rows(r);
      continue;
    }
    for (unsigned n = 0; n < r.count && to.n_scalars < to.scalars.size(); ++n) {
      const auto index = static_cast<uint16_t>(r.first + n);
      to.scalars[to.n_scalars++] = {index, c.state.scalar[index]};
    }
  }
  // What is written may be read: lanes that are kept.
  for (unsigned k = 0; k < i.n_writes; ++k)
    if (i.writes[k].is_vgpr) add_rows(i.writes[k]);
  if (!i.relative_index || to.active == 0) return;
  // v_movrel*: by M0, which may point outside the wavefront's registers; that is the program's error.
  if (i.unit != isa::unit::valu) return;
  for (const isa::operand* o : {&i.src[0], &i.dst}) {
    if (!is_relative(i, o == &i.dst)) continue;
    add_rows({isa::relative_vector_register(c.state, i, *o).index, 1, true});
  }
}

void rtl_executor::execute(wf_context& c, const isa::inst& i, cycle_t now) {
  advance(now);
  contexts_[c.slot.value].model = &c;
  switch (i.unit) {
    case isa::unit::salu:
    case isa::unit::branch:
      execute_scalar(c, i, now);
      break;
    case isa::unit::valu:
    case isa::unit::valu_trans:
    case isa::unit::valu_f64:
      execute_vector(c, i, now);
      break;
    default:
      if (i.is_memory()) ++statistics_.memory;
      execute_in_model(c, i, now);
      break;
  }
}

namespace {
// Whether `i` may switch VGPR indexing on or off.
bool may_change_indexing(const isa::inst& i) {
  const isa::operation does = operation_of(i);
  if (does == isa::operation::set_vector_register_indexing) return true;
  const isa::hardware_register_field f(static_cast<uint32_t>(i.simm));
  return does == isa::operation::set_hardware_register && f.id == isa::hw_mode && (f.mask() & isa::mode_indexing) != 0;
}
// The RTL writes MODE at the end of the cycle. The front end asks at once whether the next instruction has to wait for
// M0, so that it is told what the RTL will have.
void expect_indexing(wf_context& c, const isa::inst& i) {
  isa::wave_state after = c.state;
  i.exec(after, i);
  c.state.mode = (c.state.mode & ~isa::mode_indexing) | (after.mode & isa::mode_indexing);
}
}  // namespace

void rtl_executor::execute_scalar(wf_context& c, const isa::inst& i, cycle_t now) {
  context_state& s = contexts_[c.slot.value];
  // M0 may point outside the wavefront's registers, which is the program's error.
  if (i.relative_index && i.unit == isa::unit::salu)
    isa::relative_register(c.state, operation_of(i) == isa::operation::move_relative_source ? i.src[0] : i.dst);
  const spsimd_rtl::scalar_answer answer = rtl_->issue_scalar(c.slot.value, words_of(i), i.pc, 0);
  if (!answer.supported) {
    ++statistics_.unsupported[mnemonic_of(i)];
    if (coverage_ != nullptr) coverage_->left_to_the_model(i, c.state.mode);
    execute_in_model(c, i, now);
    return;
  }
  ++statistics_.scalar;
  if (coverage_ != nullptr) {
    coverage_->scalar(i, c.slot.value);
    s.m0_by = writes_m0_as(i).value_or(s.m0_by);
  }
  flight& f = scalar_[(scalar_first_ + scalar_count_++) % scalar_slots];
  describe(f.issued, c, i, now);
  f.n_results = 0;
  f.abandoned = false;
  ++s.in_flight;
  s.issued = true;
  if (checker_ == nullptr) {
    c.state.pc = answer.next_pc;
    if (may_change_indexing(i)) expect_indexing(c, i);
    return;
  }
  i.exec(c.state, i);
  checker_->next_pc(f.issued, c.state.pc, answer.next_pc);
  s.expects_pc = &f.issued;
  s.expected_pc = c.state.pc;
}

void rtl_executor::execute_vector(wf_context& c, const isa::inst& i, cycle_t now) {
  models::refuse_unallocated_registers(i, c.state);
  context_state& s = contexts_[c.slot.value];
  if (vector_count_ == vector_slots)
    wrong(&oldest_vector(), "more vector instructions are under way than its pipeline takes");
  flight& f = vector_[(vector_first_ + vector_count_) % vector_slots];
  describe(f.issued, c, i, now);
  f.n_results = 0;
  f.rows = c.state.vgpr;
  f.n_rows = c.state.n_vgprs;
  f.abandoned = false;
  f.root = c.tree.root;
  f.age = c.age;
  ++vector_count_;
  if (!rtl_->issue_vector(c.slot.value, words_of(i), i.pc, *this)) {
    --vector_count_;
    const bool indexing = (c.state.mode & isa::mode_indexing) != 0;
    ++statistics_.unsupported[mnemonic_of(i) + (indexing ? " in VGPR indexing mode" : "")];
    if (coverage_ != nullptr) coverage_->left_to_the_model(i, c.state.mode);
    execute_in_model(c, i, now);
    return;
  }
  ++statistics_.vector;
  if (coverage_ != nullptr) {
    coverage_->vector(i, c.slot.value, f.issued.active, c.state.mode);
    s.m0_by = writes_m0_as(i).value_or(s.m0_by);
  }
  vector_reads_until_ = now + models::vector_alu_time_of(i, config_.latency).passes * models::valu_cycles(config_);
  ++s.in_flight;
  s.issued = true;
  for (unsigned k = 0; k < i.n_writes; ++k) {
    const isa::inst::run& r = i.writes[k];
    for (unsigned n = 0; r.is_vgpr && n < r.count && f.n_results < retirement::max_results; ++n) {
      const auto row = static_cast<uint16_t>(r.first + n);
      f.rtl[f.n_results++] = {row, c.state.vgpr[row]};
    }
  }
  if (is_relative(i, true) && f.issued.active != 0) {
    const uint16_t row = isa::relative_vector_register(c.state, i, i.dst).index;
    if (row != i.dst.index) f.rtl[f.n_results++] = {row, c.state.vgpr[row]};
  }
  if (checker_ == nullptr) return;
  i.exec(c.state, i);
  for (unsigned k = 0; k < f.n_results; ++k) f.model[k] = {f.rtl[k].row, c.state.vgpr[f.rtl[k].row]};
  s.expects_pc = &f.issued;
  s.expected_pc = c.state.pc;
}

// ---- Vector registers. What the newest instruction reads is what was there at its issue, so that data which arrives
// from memory while it is under way does not matter; and over it, as in hardware, what the RTL has written since: in
// this instruction's earlier passes, or for an older one of the same wavefront.

// The register as the RTL has it in this cycle; nullptr: the instruction does not name it.
const isa::vgpr_row* rtl_executor::register_now(unsigned row) const {
  const flight& newest = newest_vector();
  const issued_instruction& i = newest.issued;
  const row_value* read = nullptr;
  for (unsigned k = 0; k < i.n_sources; ++k)
    if (i.sources[k].row == row) read = &i.sources[k];
  if (read == nullptr) return nullptr;
  for (unsigned v = vector_count_; v-- > 0;) {
    const flight& f = vector_[(vector_first_ + v) % vector_slots];
    if (f.rows != newest.rows) continue;
    for (unsigned k = 0; k < f.n_results; ++k)
      if (f.rtl[k].row == row) return &f.rtl[k].value;
  }
  return &read->value;
}

void rtl_executor::read(unsigned, unsigned row, unsigned pass, uint32_t* data) {
  if (vector_count_ == 0) wrong(nullptr, "the RTL reads vector registers, and no vector instruction is under way");
  constexpr uint32_t not_read = 0xdeadbeef;  // of a register that the instruction does not name
  for (unsigned half = 0; half < 2; ++half) {
    const isa::vgpr_row* r = register_now(row + half);
    for (unsigned l = 0; l < spsimd_rtl::lanes; ++l)
      data[2 * l + half] = r == nullptr ? not_read : r->lane[spsimd_rtl::lanes * pass + l];
  }
}

uint32_t rtl_executor::read_edge(unsigned row, unsigned work_item) {
  uint32_t data[2 * spsimd_rtl::lanes];
  read(0, row, work_item / spsimd_rtl::lanes, data);
  return data[2 * (work_item % spsimd_rtl::lanes)];
}

void rtl_executor::write(unsigned row, bool wide, unsigned pass, uint64_t lanes, const uint32_t* data) {
  if (vector_count_ == 0) wrong(nullptr, "the RTL writes vector registers, and no vector instruction is under way");
  flight& f = oldest_vector();
  // Its wavefront has ended: the registers may be another one's.
  if (checker_ == nullptr && f.abandoned &&
      (f.root->age != f.age || f.root->status == models::wf_status::ended || f.root->status == models::wf_status::idle))
    return;
  for (unsigned half = 0; half < (wide ? 2u : 1u); ++half) {
    uint32_t* to = nullptr;
    for (unsigned k = 0; k < f.n_results; ++k)
      if (f.rtl[k].row == row + half) to = f.rtl[k].value.lane;
    if (to == nullptr) wrong(&f, fmt::format("the RTL writes v{}, which the instruction does not name", row + half));
    uint32_t* const drives = checker_ == nullptr && row + half < f.n_rows ? f.rows[row + half].lane : nullptr;
    for (uint64_t m = lanes; m != 0; m &= m - 1) {
      const auto l = static_cast<unsigned>(__builtin_ctzll(m));
      const unsigned item = spsimd_rtl::lanes * pass + l;
      to[item] = data[2 * l + half];
      if (drives != nullptr) drives[item] = data[2 * l + half];
    }
  }
}

}  // namespace pws::platform::cosim
