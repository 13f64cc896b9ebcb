// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/soc_waveform.h"

#include <algorithm>

namespace pws::platform {

soc_waveform::soc_waveform(const sc_core::sc_module_name& name, soc_system& system, const std::string& path)
    : sc_module(name), system_(system) {
  signals_.add(pc_, "cpu.pc");
  signals_.add(waiting_, "cpu.waiting");
  signals_.add(external_, "cpu.external");
  signals_.add(timer_, "cpu.timer");
  signals_.add(software_, "cpu.software");
  signals_.add(address_, "bus.address");
  signals_.add(value_, "bus.value");
  signals_.add(bytes_, "bus.bytes");
  signals_.add(write_, "bus.write");
  signals_.add(error_, "bus.error");
  for (size_t k = 0; k < system.gpus.size(); ++k) {
    gpus_.push_back(std::make_unique<gpu_view>(gpu_view{*system.gpus[k], false, false, 0, 0, {}}));
    gpu_view& v = *gpus_.back();
    const std::string scope = "gpu" + std::to_string(k);
    signals_.add(v.interrupt, scope + ".interrupt");
    signals_.add(v.busy, scope + ".busy");
    signals_.add(v.launch, scope + ".launch");
    signals_.add(v.workgroups_done, scope + ".workgroups_done");
    for (const uint32_t cu : v.gpu.config.trace.cus) {
      v.cus.push_back(std::make_unique<cu_trace>(*v.gpu.cus[cu]));
      v.cus.back()->declare(signals_, scope + ".cu" + std::to_string(cu));
    }
    for (const auto& cu : v.gpu.cus) cu->set_lockstep();
  }
  writer_ = make_wave_writer(path, signals_);
  system.cpu.attach(*this);
  SC_HAS_PROCESS(soc_waveform);
  SC_METHOD(sample);
  SC_METHOD(note_change);
  sensitive << system.cpu.external_interrupt << system.cpu.timer_interrupt << system.cpu.software_interrupt;
}

void soc_waveform::close() {
  if (writer_ == nullptr) return;
  const std::unique_ptr<wave_writer> ending = std::move(writer_);
  ending->close(models::picoseconds(sc_core::sc_time_stamp()) + 1);  // after the last change
}

void soc_waveform::note_change() {
  changed_.notify(sc_core::SC_ZERO_TIME);
}

void soc_waveform::synchronised(uint64_t pc) {
  if (pc_ == pc) return;
  pc_ = pc;
  note_change();
}

void soc_waveform::accessed(const models::rv64_bus_access& a, const sc_core::sc_time&) {
  access_ = a;
  note_change();
}

void soc_waveform::waits(bool begins, const sc_core::sc_time&) {
  waiting_ = begins;
  note_change();
}

// One delta cycle after a change, so that it sees what all processes have left.
void soc_waveform::sample() {
  settled_ = !settled_;
  if (settled_) return next_trigger(sc_core::SC_ZERO_TIME);
  if (writer_ == nullptr) return;
  copy();
  writer_->sample(models::picoseconds(sc_core::sc_time_stamp()));
  wait_for_change();
}

void soc_waveform::copy() {
  external_ = system_.cpu.external_interrupt.read();
  timer_ = system_.cpu.timer_interrupt.read();
  software_ = system_.cpu.software_interrupt.read();
  address_ = access_.address;
  value_ = access_.value;
  bytes_ = access_.bytes;
  write_ = access_.is_write;
  error_ = access_.bytes != 0 && !access_.is_good;
  for (size_t k = 0; k < gpus_.size(); ++k) {
    gpu_view& v = *gpus_[k];
    std::vector<launch_shown> launches;
    for (const auto& s : v.gpu.dispatcher.in_service()) launches.push_back({s->launch.number(), 1});
    v.interrupt = system_.gpu_interrupt(k);
    v.busy = v.gpu.dispatcher.busy();
    v.launch = launches.empty() ? 0 : launches.front().launch;
    v.workgroups_done = v.gpu.dispatcher.workgroups_ended();
    for (const auto& cu : v.cus) cu->update(v.gpu.clock.now(), launches);
  }
}

// While a GPU is busy, its next cycle; else what the processor, or an interrupt line, does next.
void soc_waveform::wait_for_change() {
  sc_core::sc_time next = sc_core::sc_max_time();
  for (const auto& v : gpus_)
    if (v->busy) next = std::min(next, v->gpu.clock.time_of(v->gpu.clock.now() + 1) - sc_core::sc_time_stamp());
  if (next == sc_core::sc_max_time())
    next_trigger(changed_);
  else
    next_trigger(next, changed_);
}

}  // namespace pws::platform
