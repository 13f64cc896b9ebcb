// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/soc_timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "models/registers/gpu_register_map.h"

namespace pws::platform {

namespace {

constexpr int cpu_process = 0;
constexpr uint32_t task_row = 2, run_row = 0, trap_row = 1, kernel_row = 0;
constexpr uint32_t first_queue_row = 1;

// "12.000345": microseconds, to the picosecond.
std::string microseconds(const sc_core::sc_time& t) {
  constexpr uint64_t ps = 1'000'000;
  const uint64_t all = models::picoseconds(t);
  return fmt::format("{}.{:06}", all / ps, all % ps);
}

std::string trap_name(uint64_t cause) {
  if ((cause & models::interrupt_flag) == 0) return fmt::format("exception {}", cause);
  switch (cause & ~models::interrupt_flag) {
    case models::interrupt_bit::external:
      return "external interrupt";
    case models::interrupt_bit::timer:
      return "timer interrupt";
    default:
      return "software interrupt";
  }
}

}  // namespace

// Kernels of a GPU that are in execution.
struct soc_timeline::kernel_log : models::execution_observer {
  kernel_log(soc_timeline& to, const models::gpu& gpu, int process) : to_(to), gpu_(gpu), process_(process) {}

  interests wants() const override { return {false, false, false}; }
  void workgroup_started(uint32_t, const models::resident_workgroup& g, models::cycle_t at) override {
    running_.try_emplace(g.launch.of->number(), kernel{at, 0});
  }
  void workgroup_ended(uint32_t, const models::resident_workgroup& g, models::cycle_t at) override {
    const models::dispatch& d = *g.launch.of;
    const auto k = running_.find(d.number());
    if (k == running_.end()) return;
    const uint64_t all = uint64_t{d.workgroups[0]} * d.workgroups[1] * d.workgroups[2];
    if (++k->second.ended < all) return;
    to_.slice(process_, kernel_row, fmt::format("launch {}: kernel {}", d.number(), d.kernel),
              gpu_.clock.time_of(k->second.begun), gpu_.clock.time_of(at));
    running_.erase(k);
  }
  void wave_started(uint32_t, const models::wf_context&, models::cycle_t) override {}
  void issued(uint32_t, const models::wf_context&, const isa::inst&, models::cycle_t) override {}
  void wave_ended(uint32_t, const models::wf_context&, models::cycle_t) override {}

 private:
  struct kernel {
    models::cycle_t begun;
    uint64_t ended;  // workgroups
  };
  soc_timeline& to_;
  const models::gpu& gpu_;
  const int process_;
  std::map<uint64_t, kernel> running_;  // by launch
};

soc_timeline::soc_timeline(const sc_core::sc_module_name& name, soc_system& system, task_log& tasks,
                           const soc_config& c, const std::string& path, const loader::firmware_image& firmware)
    : sc_module(name), out_("--timeline", path), firmware_(firmware) {
  out_.name_process(cpu_process, "cpu");
  out_.name_row(cpu_process, run_row, "runs, waits");
  out_.name_row(cpu_process, trap_row, "interrupts, traps");
  out_.name_row(cpu_process, task_row, "tasks");
  system.cpu.attach(*this);
  tasks.on_end = [this](const std::string& task, const sc_core::sc_time& begin, const sc_core::sc_time& end) {
    slice(cpu_process, task_row, task, begin, end);
  };
  SC_HAS_PROCESS(soc_timeline);
  SC_METHOD(packets_completed);
  dont_initialize();
  for (size_t k = 0; k < system.gpus.size(); ++k) {
    models::gpu& g = *system.gpus[k];
    const int process = static_cast<int>(k) + 1;
    out_.name_process(process, "gpu" + std::to_string(k));
    out_.name_row(process, kernel_row, "kernels");
    gpus_.push_back(std::make_unique<gpu_rows>(
        gpu_rows{g, c.gpus[k].base, process, {}, std::make_unique<kernel_log>(*this, g, process)}));
    for (const auto& cu : g.cus) cu->attach(*gpus_.back()->kernels);
    sensitive << g.dispatcher.interrupt();
  }
}

soc_timeline::~soc_timeline() = default;

void soc_timeline::close() {
  for (auto t = traps_.rbegin(); t != traps_.rend(); ++t)
    slice(cpu_process, trap_row, t->name, t->begin, sc_core::sc_time_stamp());
  if (run_since_ < sc_core::sc_time_stamp()) slice(cpu_process, run_row, "runs", run_since_, sc_core::sc_time_stamp());
  out_.close();
}

void soc_timeline::slice(int process, uint32_t row, const std::string& name, const sc_core::sc_time& begin,
                         const sc_core::sc_time& end) {
  out_.event(fmt::format(R"({{"ph":"X","name":{},"pid":{},"tid":{},"ts":{},"dur":{}}})", nlohmann::json(name).dump(),
                         process, row, microseconds(begin), microseconds(end - begin)));
}

void soc_timeline::waits(bool begins, const sc_core::sc_time& at) {
  if (run_since_ < at) slice(cpu_process, run_row, begins ? "runs" : "waits", run_since_, at);
  run_since_ = at;
}

void soc_timeline::trapped(uint64_t cause, uint64_t pc, const sc_core::sc_time& at) {
  traps_.push_back({trap_name(cause) + " at " + firmware_.name_of(pc), at});
}

void soc_timeline::returned(const sc_core::sc_time& at) {
  if (traps_.empty()) return;  // mret without a trap
  slice(cpu_process, trap_row, traps_.back().name, traps_.back().begin, at);
  traps_.pop_back();
}

// A doorbell of one of the GPUs.
void soc_timeline::accessed(const models::rv64_bus_access& a, const sc_core::sc_time& at) {
  if (!a.is_write || !a.is_good) return;
  const models::register_block& block = models::gpu_registers.blocks[models::gpu_register_block::queue];
  for (const auto& g : gpus_) {
    const uint64_t offset = a.address - g->base - models::gpu_registers.address(models::gpu_register::queue_doorbell);
    if (offset % block.stride != 0 || offset / block.stride >= block.count) continue;
    const auto queue = static_cast<uint32_t>(offset / block.stride);
    const auto [q, is_new] = g->queues.try_emplace(queue);
    if (is_new) out_.name_row(g->process, first_queue_row + queue, fmt::format("packets of queue {}", queue));
    q->second.complete = std::max(q->second.complete, g->gpu.dispatcher.first_incomplete(queue));
    for (uint64_t k = q->second.complete; k <= a.value; ++k) q->second.begun.try_emplace(k, at);
  }
}

// Those before the first that is not complete have a slice.
void soc_timeline::packets_completed() {
  for (const auto& g : gpus_)
    for (auto& [number, q] : g->queues) {
      const uint64_t first = g->gpu.dispatcher.first_incomplete(number);
      while (!q.begun.empty() && q.begun.begin()->first < first) {
        const auto& [index, begin] = *q.begun.begin();
        slice(g->process, first_queue_row + number, fmt::format("packet {}", index), begin, sc_core::sc_time_stamp());
        q.begun.erase(q.begun.begin());
      }
      if (first < q.complete) q.begun.clear();  // a reset has begun the queue again
      q.complete = first;
    }
}

}  // namespace pws::platform
