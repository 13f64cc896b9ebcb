// SPDX-License-Identifier: Apache-2.0
#include "platform/run/session/session.h"

#include <chrono>
#include <cstdio>

namespace pws::platform {

session::session(const models::machine_config& machine, session_options options,
                 const std::vector<instrument_maker>& makers, const building_listener& while_building)
    : board("board", machine, while_building), options_(std::move(options)) {
  for (const instrument_maker make : makers)
    if (std::unique_ptr<instrument> i = make(board, options_)) instruments_.push_back(std::move(i));
  if (options_.one_more) instruments_.push_back(options_.one_more(board));
  sc_core::sc_start(sc_core::SC_ZERO_TIME);  // elaborates: sockets are bound from here on
  runtime_.emplace(board);
  host_calls_.emplace(
      gpu, *runtime_,
      options_.callable_host ? hostcall_server::host_functions::callable : hostcall_server::host_functions::none);
  host_calls_->print_unless(options_.is_repeating);
  for (const auto& i : instruments_) i->attach(*runtime_);
  listening_.emplace(gpu, options_.observer);
}

launch_report session::announce(const kernel_launch& l, uint64_t number, models::fidelity fidelity) const {
  launch_report r;
  r.number = number;
  r.kernel = l.kernel.kernel->demangled;
  r.fidelity = fidelity;
  r.grid = l.grid;
  r.workgroup = l.workgroup;
  r.lds_bytes = l.dynamic_lds;
  r.occupancy = models::occupancy_of(gpu.config, resources_of(*l.kernel.kernel, l.work_items(), r.lds_bytes));
  return r;
}

void session::prepare(kernel_launch& l, uint32_t queue) {
  host_calls_->provide_for(l.kernel.kernel->metadata);
  l = runtime_->prepare(std::move(l), queue);
}

void session::launch_begins(const kernel_launch& l, launch_report& r) {
  for (const auto& i : instruments_) i->launch_begins(l, r);
  if (!l.traced || traced_++ != 0) return;
  for (const auto& i : instruments_) i->tracing_begins();
}

bool session::launch_ended(const kernel_launch& l, launch_report& r) {
  bool goes_on = true;
  for (const auto& i : instruments_) goes_on = i->launch_ended(l, r) && goes_on;
  if (l.traced && --traced_ == 0)
    for (const auto& i : instruments_) i->tracing_ends();
  std::fflush(stdout);  // what the kernel printed, before what the host does next
  return goes_on;
}

bool session::run(const kernel_launch& l, launch_report& r) {
  return run(l, r, read_counters(gpu), false);
}

bool session::resume(const kernel_launch& l, launch_report& r, const machine_counters& before) {
  return run(l, r, before, true);
}

bool session::run(const kernel_launch& l, launch_report& r, const machine_counters& before, bool resumes) {
  const auto began = std::chrono::steady_clock::now();
  launch_begins(l, r);
  const launch_result result = resumes ? runtime_->resume() : runtime_->submit(l);
  r.completed = result.completed;
  r.error = result.error;
  if (r.fidelity == models::fidelity::timing) r.cycles = result.cycles;
  const bool goes_on = launch_ended(l, r);
  r.host_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  r.counters = read_counters(gpu) - before;
  return goes_on;
}

void session::note_code() {
  for (const auto& i : instruments_) i->note_code();
}

void session::report(findings& f) {
  for (const auto& i : instruments_) i->report(f);
}

void session::close(output_problems& problems) {
  for (auto i = instruments_.rbegin(); i != instruments_.rend(); ++i) problems.noting([&] { (*i)->close(); });
}

}  // namespace pws::platform
