// SPDX-License-Identifier: Apache-2.0
#include "platform/instruments/trace/machine_waveform.h"

#include <fmt/format.h>

#include "base/error.h"

namespace pws::platform {

namespace {

// A name that may hold anything, without what would end a comment.
std::string comment_text(const std::string& name) {
  std::string out;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte >= ' ' && byte != 0x7f && c != '$';
    out += plain ? std::string(1, c) : fmt::format("\\x{:02x}", byte);
  }
  return out;
}

// Whether anything says when a waveform begins or ends.
bool has_window(const models::trace_config& c) {
  return c.from_cycle || c.from_launch || c.from_pc || c.until_cycle || c.until_launch || c.until_pc;
}

}  // namespace

bool needs_waveform(const models::trace_config& c, const std::string& own, const std::string& of_rtl) {
  return !own.empty() || (!of_rtl.empty() && has_window(c));
}

machine_waveform::machine_waveform(const sc_core::sc_module_name& name, virtual_platform& board,
                                   const std::string& path)
    : sc_module(name),
      board_(board),
      gpu_(board.gpu),
      signals_(board.gpu.config.trace.depth),
      window_(board.gpu.config.trace),
      l1_misses_(board.gpu.config.n_cu),
      l2_misses_(board.gpu.memory.l2.size()) {
  for (const uint32_t cu : gpu_.config.trace.cus) {
    const std::string scope = "gpu.cu" + std::to_string(cu);
    cus_.push_back(std::make_unique<cu_trace>(*gpu_.cus[cu]));
    cus_.back()->declare(signals_, scope);
    if (!gpu_.memory.predictable) signals_.add(l1_misses_[cu], scope + ".l1_misses");
    if (window_.hears_of_instructions()) gpu_.cus[cu]->attach(window_);
  }
  for (size_t b = 0; b < l2_misses_.size(); ++b)
    signals_.add(l2_misses_[b], "gpu.l2.bank" + std::to_string(b) + ".misses");
  for (const auto& e : board_.cosim.executors()) trace_rtl(*e);
  signals_.add(dram_queued_, "gpu.dram.queued");
  signals_.add(kernel_, "gpu.dispatcher.kernel");
  signals_.add(launch_, "gpu.dispatcher.launch");
  signals_.add(workgroups_done_, "gpu.dispatcher.workgroups_done");
  if (gpu_.config.hardware_queues > 1) signals_.add(in_service_, "gpu.dispatcher.in_service");
  if (!path.empty()) writer_ = make_wave_writer(path, signals_);
  for (const auto& cu : gpu_.cus) cu->set_lockstep();
  if (has_window(gpu_.config.trace)) board_.cosim.record(false, 0);
  SC_HAS_PROCESS(machine_waveform);
  SC_METHOD(sample);
}

void machine_waveform::close() {
  if (writer_ == nullptr) return;
  const std::unique_ptr<wave_writer> ending = std::move(writer_);
  ending->close(models::picoseconds(sc_core::sc_time_stamp() + gpu_.clock.period()));  // after the last change
}

machine_waveform::~machine_waveform() {
  if (window_.hears_of_instructions())
    for (const uint32_t cu : gpu_.config.trace.cus) gpu_.cus[cu]->detach(window_);
  try {
    close();
  } catch (const input_error&) {  // an error is on its way already
  }
}

// Beside the model's contexts: cu0.simd0.spsimd2.rtl.swf3, cu0.simd0.rtl.wf3.
void machine_waveform::trace_rtl(const cosim::rtl_executor& unit) {
  for (uint32_t slot = 0; slot < gpu_.config.n_wfc; ++slot) {
    const cosim::context_registers& v = unit.views[slot];
    const std::string swf = "gpu." + unit.name() + ".rtl." + unit.context_scope() + std::to_string(slot);
    signals_.add(v.pc, swf + ".pc");
    signals_.add(v.em, swf + ".em");
    signals_.add(v.spm, swf + ".spm");
    signals_.add(v.state, swf + ".status");
    signals_.add(v.parent, swf + ".parent");
    signals_.add(v.depth, swf + ".depth");
  }
}

void machine_waveform::stop() {
  recording_ = false;
}

void machine_waveform::resume() {
  recording_ = true;
  resumed_.notify(sc_core::SC_ZERO_TIME);
}

// The kernel's number; at the launch's first cycle its name is said too.
unsigned machine_waveform::show(const models::kernel_in_service& k) {
  const models::dispatch& d = k.launch;
  for (const launch_shown& l : before_)
    if (l.launch == d.number()) return l.kernel;
  const unsigned kernel = kernels_.try_emplace({d.setup.entry, d.kernel}, kernels_.size() + 1).first->second;
  const isa::kernel_dispatch_packet& p = d.packet;
  writer_->note(fmt::format("launch {}: kernel {}, {}: {} x {} x {} workgroups of {} x {} x {} work-items", d.number(),
                            kernel, comment_text(d.kernel), d.workgroups[0], d.workgroups[1], d.workgroups[2],
                            p.workgroup_size_x, p.workgroup_size_y, p.workgroup_size_z));
  return kernel;
}

void machine_waveform::sample_launches() {
  std::swap(launches_, before_);
  launches_.clear();
  for (const auto& k : gpu_.dispatcher.in_service()) launches_.push_back({k->launch.number(), show(*k)});
  in_service_ = static_cast<unsigned>(launches_.size());
  const launch_shown first = launches_.empty() ? launch_shown{} : launches_.front();
  launch_ = first.launch;
  kernel_ = first.kernel;
}

launch_range machine_waveform::launches_in_service() const {
  launch_range r;
  for (const auto& k : gpu_.dispatcher.in_service()) r.add(k->launch.number());
  return r;
}

// Once per cycle, one delta cycle after the machine's own processes so that it sees what they left.
void machine_waveform::sample() {
  if (!recording_) {
    settled_ = false;
    next_trigger(resumed_);
    return;
  }
  settled_ = !settled_;
  if (settled_) {
    next_trigger(sc_core::SC_ZERO_TIME);
    return;
  }
  const models::cycle_t now = gpu_.clock.now();
  if (now < window_.begins()) {
    next_trigger(gpu_.clock.time_of(window_.begins()) - sc_core::sc_time_stamp());
    return;
  }
  const bool open = window_.open_in(now, launches_in_service());
  try {
    board_.cosim.record(open, now);
    if (open && writer_ != nullptr) board_.cosim.show(now);
  } catch (const program_error& e) {
    models::machine_fault f;
    f.message = e.what();
    f.cause = models::fault_cause::program;
    gpu_.dispatcher.fault(f);
  }
  if (open && writer_ != nullptr) copy(now);
  if (window_.over())
    next_trigger(resumed_);  // nothing more comes
  else
    next_trigger(gpu_.clock.period());
}

void machine_waveform::copy(models::cycle_t now) {
  sample_launches();
  for (const auto& cu : cus_) cu->update(now, launches_);
  if (!gpu_.memory.predictable)
    for (const uint32_t cu : gpu_.config.trace.cus)
      l1_misses_[cu] = static_cast<unsigned>(gpu_.memory.vector_l1[cu]->misses_outstanding());
  for (size_t b = 0; b < l2_misses_.size(); ++b)
    l2_misses_[b] = static_cast<unsigned>(gpu_.memory.l2[b]->misses_outstanding());
  dram_queued_ = static_cast<unsigned>(gpu_.memory.dram.queued());
  workgroups_done_ = gpu_.dispatcher.workgroups_done();
  writer_->sample(models::picoseconds(sc_core::sc_time_stamp()));
}

}  // namespace pws::platform
