// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/debug/gpu_debugger.h"

#include <fmt/format.h>

#include <optional>
#include <sstream>
#include <utility>

#include "base/error.h"
#include "platform/debug/debugger.h"
#include "platform/debug/words/console.h"
#include "platform/soc/debug/firmware_code.h"

namespace pws::platform {

using debug::resumption;

// One of them, with what the selected path and the points are.
class gpu_debugger::watched_gpu : public debug::stop_listener {
 public:
  watched_gpu(gpu_debugger& all, soc_system& system, size_t number)
      : number_(number), all_(all), gpu_(*system.gpus[number]), code_(system, number, all.known_) {
    core.attach(gpu_, code_);
  }

  resumption stopped(const debug::stop& s) override {
    if (!all_.face_.wants(s.why)) return {};
    if (const auto at_once = words_.stopped(s)) return *at_once;
    said_.str("");
    words_.say_stop();
    all_.selected_ = number_;
    all_.stand_beside(this);
    all_.face_.gpu_stopped(fmt::format("gpu{}: {}", number_, said_.str()));
    all_.go_on_beside(this);
    return take_next();
  }

  void stand() { words_.stopped(core.stop_between()); }
  void go_on() { core.go_on_from(words_.at(), take_next()); }

  answer execute(const std::string& line) {
    said_.str("");
    const debug::console::answer how = words_.execute(line);
    if (how && how->what == resumption::how::end) all_.face_.quit();
    next_ = how && how->what != resumption::how::end ? how : std::nullopt;
    return {said_.str(), how.has_value()};
  }

  std::string text() const {
    const models::dispatcher& d = gpu_.dispatcher;
    return fmt::format("gpu{}: {} kernels and {} workgroups have ended, {}\n", number_, d.kernels_completed(),
                       d.workgroups_ended(), d.fault_message().empty() ? "no fault" : d.fault_message());
  }
  const debug::console& words() const { return words_; }

 private:
  resumption take_next() { return std::exchange(next_, std::nullopt).value_or(resumption{}); }
  debug::debugged_run about() {
    debug::debugged_run run;
    run.launches = 0;
    run.program = "firmware";
    run.found_launch = [this](const models::dispatch& d) { return code_.note_launch(d); };
    return run;
  }

  const size_t number_;
  gpu_debugger& all_;
  models::gpu& gpu_;
  firmware_code code_;
  std::ostringstream said_;
  std::optional<resumption> next_;  // how it goes on, if a line has said that

 public:
  debug::debugger core{*this, about()};

 private:
  debug::console words_{core, said_};
};

gpu_debugger::gpu_debugger(soc_system& system, const std::vector<std::string>& kernels, gpu_debugger_face& face)
    : known_(system.firmware, kernels), face_(face) {
  for (size_t k = 0; k < system.gpus.size(); ++k) gpus_.push_back(std::make_unique<watched_gpu>(*this, system, k));
}

gpu_debugger::~gpu_debugger() = default;

std::vector<debug::debugger*> gpu_debugger::cores() const {
  std::vector<debug::debugger*> all;
  for (const auto& g : gpus_) all.push_back(&g->core);
  return all;
}

void gpu_debugger::stand_beside(const watched_gpu* one) {
  for (const auto& g : gpus_)
    if (g.get() != one) g->stand();
}

void gpu_debugger::go_on_beside(const watched_gpu* one) {
  for (const auto& g : gpus_)
    if (g.get() != one) g->go_on();
}

void gpu_debugger::stand() {
  stand_beside(nullptr);
}
void gpu_debugger::go_on() {
  go_on_beside(nullptr);
}

gpu_debugger::watched_gpu& gpu_debugger::selected() const {
  if (gpus_.empty()) throw input_error("the system has no GPU");
  return *gpus_[selected_];
}

gpu_debugger::answer gpu_debugger::execute(const std::string& line) {
  return selected().execute(line);
}

gpu_debugger::answer gpu_debugger::execute_of(const std::string& line) {
  selected();
  debug::words w(line);
  if (!w.empty() && w.rest()[0] >= '0' && w.rest()[0] <= '9') {
    const uint64_t number = w.take_number("the number of a GPU");
    if (number >= gpus_.size())
      throw input_error(fmt::format("there is no GPU {}: the system has {}", number,
                                    gpus_.size() == 1 ? "GPU 0" : fmt::format("GPUs 0 to {}", gpus_.size() - 1)));
    selected_ = number;
  }
  if (w.empty()) return {selected().text()};
  return execute(w.rest());
}

const std::string& gpu_debugger::latest() const {
  static const std::string none;
  return gpus_.empty() ? none : selected().words().latest();
}

std::vector<std::string> gpu_debugger::offers(const std::string& before) const {
  return gpus_.empty() ? std::vector<std::string>{} : selected().words().offers(before);
}

void gpu_debugger::forget_points() {
  for (const auto& g : gpus_) g->core.points.clear();
}

}  // namespace pws::platform
