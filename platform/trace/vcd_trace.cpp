#include "platform/trace/vcd_trace.h"

#include <fmt/format.h>

#include <cerrno>
#include <fstream>

#include "base/error.h"
#include "platform/output/output_files.h"

namespace pws::platform {

namespace {
const std::string extension = ".vcd";

std::string stem_of(const std::string& path) {
  if (path.size() <= extension.size() || path.compare(path.size() - extension.size(), extension.size(), extension) != 0)
    throw input_error("--vcd " + path + ": the file's name must end in .vcd");
  prepare_outputs({{"--vcd", path}});
  return path.substr(0, path.size() - extension.size());
}

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
}  // namespace

vcd_trace::vcd_trace(const sc_core::sc_module_name& name, virtual_platform& gpu, const std::string& path)
    : sc_module(name),
      gpu_(gpu),
      path_(path),
      file_(sc_core::sc_create_vcd_trace_file(stem_of(path).c_str())),
      l1_misses_(gpu.config.n_cu),
      l2_misses_(gpu.memory.l2.size()) {
  file_->set_time_unit(1, sc_core::SC_PS);
  for (const uint32_t cu : gpu_.config.trace.cus) {
    const std::string scope = "gpu.cu" + std::to_string(cu);
    cus_.push_back(std::make_unique<cu_trace>(*gpu_.cus[cu]));
    cus_.back()->declare(file_, scope);
    if (!gpu_.memory.predictable) sc_core::sc_trace(file_, l1_misses_[cu], scope + ".l1_misses");
  }
  for (size_t b = 0; b < l2_misses_.size(); ++b)
    sc_core::sc_trace(file_, l2_misses_[b], "gpu.l2.bank" + std::to_string(b) + ".misses");
  for (const auto& e : gpu_.cosim.executors()) trace_rtl(*e);
  sc_core::sc_trace(file_, dram_queued_, "gpu.dram.queued");
  sc_core::sc_trace(file_, kernel_, "gpu.dispatcher.kernel");
  sc_core::sc_trace(file_, launch_, "gpu.dispatcher.launch");
  sc_core::sc_trace(file_, workgroups_done_, "gpu.dispatcher.workgroups_done");
  for (const auto& cu : gpu_.cus) cu->set_lockstep();
  SC_HAS_PROCESS(vcd_trace);
  SC_METHOD(sample);
}

// SystemC does not say whether it could write. The time at which the waveform ends comes behind the rest: where that
// was lost, on a full disk, there is no place for this either.
void vcd_trace::close() {
  if (file_ == nullptr) return;
  sc_core::sc_close_vcd_trace_file(file_);
  file_ = nullptr;
  errno = 0;
  std::ofstream out(path_, std::ios::app);
  out << '#' << (sc_core::sc_time_stamp() + gpu_.clock.period()).value() << '\n';  // after the last change
  close_output({"--vcd", path_}, out);
}

vcd_trace::~vcd_trace() {
  try {
    close();
  } catch (const input_error&) {  // an error is on its way already
  }
}

// Beside the model's contexts: cu0.simd0.spsimd2.rtl.swf3.
void vcd_trace::trace_rtl(const cosim::rtl_executor& unit) {
  using sc_core::sc_trace;
  for (uint32_t slot = 0; slot < gpu_.config.n_wfc; ++slot) {
    const cosim::rtl_executor::context_view& v = unit.views[slot];
    const std::string swf = "gpu." + unit.name() + ".rtl.swf" + std::to_string(slot);
    sc_trace(file_, v.pc, swf + ".pc");
    sc_trace(file_, v.em, swf + ".em");
    sc_trace(file_, v.spm, swf + ".spm");
    sc_trace(file_, v.status, swf + ".status");
    sc_trace(file_, v.parent, swf + ".parent");
    sc_trace(file_, v.depth, swf + ".depth");
  }
}

void vcd_trace::resume() {
  recording_ = true;
  resumed_.notify(sc_core::SC_ZERO_TIME);
}

void vcd_trace::sample_launch() {
  const models::dispatch* const d = gpu_.dispatcher.current();
  if (d == nullptr) {
    launch_ = kernel_ = 0;
    return;
  }
  if (d->number() == launch_) return;
  launch_ = d->number();
  kernel_ = kernels_.try_emplace({d->setup.entry, d->kernel}, kernels_.size() + 1).first->second;
  const isa::kernel_dispatch_packet& p = d->packet;
  sc_core::sc_write_comment(
      file_, fmt::format("launch {}: kernel {}, {}: {} x {} x {} workgroups of {} x {} x {} work-items", launch_,
                         kernel_, comment_text(d->kernel), d->workgroups[0], d->workgroups[1], d->workgroups[2],
                         p.workgroup_size_x, p.workgroup_size_y, p.workgroup_size_z));
}

// Once per cycle, one delta cycle after the machine's own processes so that it sees what they left.
void vcd_trace::sample() {
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
  try {
    gpu_.cosim.show(now);
  } catch (const program_error& e) {
    gpu_.dispatcher.fault(e.what());
  }
  sample_launch();
  for (const auto& cu : cus_) cu->update(now, kernel_);
  if (!gpu_.memory.predictable)
    for (const uint32_t cu : gpu_.config.trace.cus)
      l1_misses_[cu] = static_cast<unsigned>(gpu_.memory.vector_l1[cu]->misses_outstanding());
  for (size_t b = 0; b < l2_misses_.size(); ++b)
    l2_misses_[b] = static_cast<unsigned>(gpu_.memory.l2[b]->misses_outstanding());
  dram_queued_ = static_cast<unsigned>(gpu_.memory.dram.queued());
  workgroups_done_ = gpu_.dispatcher.workgroups_done();
  next_trigger(gpu_.clock.period());
}

}  // namespace pws::platform
