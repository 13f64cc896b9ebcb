// SPDX-License-Identifier: Apache-2.0
// --timeline: a slice per basic block.
#include "platform/instruments/trace/timeline.h"

#include "platform/run/session/instrument.h"

namespace pws::platform {

namespace {

class block_timeline : public instrument {
 public:
  block_timeline(models::gpu& gpu, const std::string& file) : gpu_(gpu), slices_(file, gpu.config) {}
  void attach(device_runtime& runtime) override {
    slices_.set_source_lines([&runtime](uint64_t pc) { return loader::text(runtime.source_at(pc)); });
  }
  void tracing_begins() override {
    for (const uint32_t cu : gpu_.config.trace.cus) gpu_.cus[cu]->attach(slices_);
  }
  void tracing_ends() override {
    for (const uint32_t cu : gpu_.config.trace.cus) gpu_.cus[cu]->detach(slices_);
    slices_.pause();
  }
  void close() override { slices_.close(); }

 private:
  models::gpu& gpu_;
  timeline slices_;
};

}  // namespace

std::unique_ptr<instrument> make_timeline(virtual_platform& board, const session_options& o) {
  const std::string& file = o.files.of("timeline");
  return file.empty() ? nullptr : std::make_unique<block_timeline>(board.gpu, file);
}

}  // namespace pws::platform
