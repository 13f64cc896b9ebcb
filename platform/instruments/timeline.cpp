// SPDX-License-Identifier: Apache-2.0
// --timeline: a slice per basic block.
#include "platform/observers/trace/timeline.h"

#include "platform/session/instrument.h"

namespace pws::platform {

namespace {

class block_timeline : public instrument {
 public:
  block_timeline(virtual_platform& gpu, const std::string& file) : gpu_(gpu), slices_(file, gpu.config) {}
  void attach(device_runtime& runtime) override {
    slices_.set_source_lines([&runtime](uint64_t pc) { return loader::text(runtime.source_at(pc)); });
  }
  // What runs beside a traced launch is seen too.
  void launch_begins(const kernel_launch& l, launch_report&) override {
    if (!l.traced || traced_++ != 0) return;
    for (const uint32_t cu : gpu_.config.trace.cus) gpu_.cus[cu]->attach(slices_);
  }
  bool launch_ended(const kernel_launch& l, launch_report&) override {
    if (!l.traced || --traced_ != 0) return true;
    for (const uint32_t cu : gpu_.config.trace.cus) gpu_.cus[cu]->detach(slices_);
    slices_.pause();
    return true;
  }
  void close() override { slices_.close(); }

 private:
  virtual_platform& gpu_;
  timeline slices_;
  uint64_t traced_ = 0;  // launches that run
};

}  // namespace

std::unique_ptr<instrument> make_timeline(virtual_platform& gpu, const session_options& o) {
  const std::string& file = o.files.of("timeline");
  return file.empty() ? nullptr : std::make_unique<block_timeline>(gpu, file);
}

}  // namespace pws::platform
