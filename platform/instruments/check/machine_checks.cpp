// SPDX-License-Identifier: Apache-2.0
#include "platform/instruments/check/machine_checks.h"

#include "base/error.h"
#include "platform/instruments/check/coherence_check.h"
#include "platform/instruments/check/init_check.h"
#include "platform/instruments/check/numbers_check.h"
#include "platform/instruments/check/private_variables_check.h"
#include "platform/instruments/check/races_check.h"
#include "platform/instruments/check/sync_check.h"
#include "platform/instruments/check/waits_check.h"

namespace pws::platform {

void machine_checks::launch_names::workgroup_started(uint32_t, const models::resident_workgroup& g, models::cycle_t) {
  const models::dispatch& d = *g.launch.of;
  if (d.number() == named_) return;
  named_ = d.number();
  log_.note_launch(d);
}

machine_checks::machine_checks(models::gpu& gpu, device_runtime& runtime, finding_log::listener hears)
    : gpu_(gpu), runtime_(runtime), log_(gpu, runtime, std::move(hears)) {
  const models::check_config& c = gpu.config.check;
  if (c.init) add(check::family::init, std::make_unique<init_check>(gpu, log_));
  if (c.waits) add(check::family::waits, std::make_unique<waits_check>(gpu, log_));
  if (c.races) add(check::family::races, std::make_unique<races_check>(gpu, log_));
  if (c.coherence) add(check::family::coherence, std::make_unique<coherence_check>(gpu.config.n_cu, log_));
  if (c.sync) add(check::family::sync, std::make_unique<sync_check>(gpu, runtime, log_));
  if (c.memory) {
    auto memory = std::make_unique<memory_check>(log_);
    memory_ = memory.get();
    add(check::family::memory, std::move(memory));
    add(check::family::memory, std::make_unique<private_variables_check>(runtime, log_));
  }
  if (c.streams) {
    auto streams = std::make_unique<streams_check>(log_);
    streams_ = streams.get();
    add(check::family::streams, std::move(streams));
  }
  if (c.numbers) add(check::family::numbers, std::make_unique<numbers_check>(runtime, gpu.config.n_cu, log_));
}

machine_checks::~machine_checks() {
  for (const auto& c : checks_) {
    for (const auto& cu : gpu_.cus) cu->detach(*c);
    runtime_.stop_listening(*c);
  }
  if (!checks_.empty())
    for (const auto& cu : gpu_.cus) cu->detach(names_);
}

void machine_checks::add(check::family f, std::unique_ptr<machine_check> c) {
  for (const auto& cu : gpu_.cus) {
    if (checks_.empty()) cu->attach(names_);
    cu->attach(*c);
  }
  runtime_.listen(*c);
  if (on_.empty() || on_.back() != f) on_.push_back(f);
  checks_.push_back(std::move(c));
}

void machine_checks::launch_begins(uint64_t launch) {
  launches_ = launch == 0 ? launches_ + 1 : launch;
  for (const auto& c : checks_) c->launch_begins(launches_, running_ == 0);
  ++running_;
}

bool machine_checks::launch_ended(bool completed, uint64_t launch) {
  --running_;
  try {
    for (const auto& c : checks_) c->launch_ended(launch == 0 ? launches_ : launch, completed, running_ == 0);
  } catch (const program_error&) {  // there is no instruction to stop at any more, and the log has it
  }
  return gpu_.config.check.stop != models::check_stop::first || log_.count() == 0;
}

check_results machine_checks::results() const {
  check_results r;
  for (const check::family f : on_) r.on.emplace_back(name_of(f));
  r.findings = log_.findings();
  r.not_listed = log_.places_not_listed();
  r.count = log_.count();
  return r;
}

}  // namespace pws::platform
