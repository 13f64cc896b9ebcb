// SPDX-License-Identifier: Apache-2.0
#include "tests/dispatch/queue_bench.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>

#include "tests/integration/child_process.h"
#include "tests/splitting/batch_run.h"

namespace pws::test {

namespace {

using nlohmann::json;

// k0: rounds are its parameter `value`. k1: an instruction that there is not.
const loader::program_image& kernels() {
  static const loader::program_image program = [] {
    assembly_file file;
    file.add_bare_kernel(R"(  s_load_dword s4, s[0:1], 0xc
  s_waitcnt lgkmcnt(0)
k0_round:
  s_sub_u32 s4, s4, 1
  s_cmp_lg_u32 s4, 0
  s_cbranch_scc1 k0_round
  s_endpgm
)");
    file.add_bare_kernel("  .long 0xffffffff\n  s_endpgm\n");
    return assemble(file.text());
  }();
  return program;
}

}  // namespace

// ---- reports

models::cycle_t queue_report::start_of(uint64_t kernel) const {
  for (const placed_workgroup& w : workgroups)
    if (w.kernel == kernel) return w.start;
  throw std::runtime_error(fmt::format("kernel {} has not begun", kernel));
}

models::cycle_t queue_report::end_of(uint64_t kernel) const {
  models::cycle_t end = 0;
  for (const placed_workgroup& w : workgroups)
    if (w.kernel == kernel) end = std::max(end, w.end);
  if (end == 0) throw std::runtime_error(fmt::format("kernel {} has not ended", kernel));
  return end;
}

std::string queue_report::order() const {
  std::string text;
  for (const placed_workgroup& w : workgroups) text += fmt::format("{}{}", text.empty() ? "" : " ", w.kernel);
  return text;
}

void queue_bench::start_log::workgroup_started(uint32_t cu, const models::resident_workgroup& g, models::cycle_t at) {
  report_.workgroups.push_back({g.launch.of->number(), g.launch.number(), cu, at, 0});
}

void queue_bench::start_log::workgroup_ended(uint32_t, const models::resident_workgroup& g, models::cycle_t at) {
  for (placed_workgroup& w : report_.workgroups)
    if (w.kernel == g.launch.of->number() && w.workgroup == g.launch.number()) w.end = at;
}

// ---- the bench

queue_bench::queue_bench(const models::machine_config& machine, queue_report& report)
    : report_(report), log_(report), board_("board", machine) {
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  runtime_ = std::make_unique<platform::device_runtime>(board_);
  runtime_->load(kernels());
  for (const auto& cu : board_.gpu.cus) cu->attach(log_);
}

uint32_t queue_bench::add_queue(uint64_t priority, uint64_t packets, const models::cu_mask& cus) {
  constexpr uint32_t scratch = 1 << 20;
  const uint32_t number = ++queues_;
  isa::amd_queue object;
  object.scratch_backing_memory_location = runtime_->allocate(scratch, "scratch");
  object.scratch_backing_memory_byte_size = scratch;
  models::queue_registers q;
  q.ring = runtime_->allocate(packets * sizeof(isa::kernel_dispatch_packet), "ring");
  q.packets = packets;
  q.object = runtime_->allocate(sizeof object, "queue");
  q.priority = priority;
  q.cus = cus;
  runtime_->write(q.object, &object, sizeof object);
  board_.host.set_queue(number, q);
  return number;
}

uint64_t queue_bench::add_signal(int64_t value) {
  const uint64_t address = runtime_->allocate(sizeof(isa::amd_signal), "signal");
  isa::amd_signal s;
  s.value = value;
  runtime_->write(address, &s, sizeof s);
  return address;
}

int64_t queue_bench::value_of(uint64_t signal) {
  isa::amd_signal s;
  runtime_->read(signal, &s, sizeof s);
  return s.value;
}

void queue_bench::set(uint64_t signal, int64_t value) {
  runtime_->write(signal + offsetof(isa::amd_signal, value), &value, sizeof value);
}

std::pair<models::cycle_t, models::cycle_t> queue_bench::span_of(uint64_t signal) {
  isa::amd_signal s;
  runtime_->read(signal, &s, sizeof s);
  return {s.start_ts, s.end_ts};
}

isa::kernel_dispatch_packet queue_bench::packet_of(const queued_kernel& k, uint64_t signal) {
  batch_launch l;
  l.kernel = k.faults ? "k1" : "k0";
  l.work_items = 64 * k.workgroups;
  l.value = k.rounds;
  platform::kernel_launch request = launch_of(l, *runtime_, 0);
  request.dynamic_lds = k.lds;
  platform::kernel_launch prepared = runtime_->prepare(request);
  isa::kernel_dispatch_packet& p = prepared.packet;
  p.kernarg_address = runtime_->allocate(prepared.kernarg.size(), "arguments");
  runtime_->write(p.kernarg_address, prepared.kernarg.data(), prepared.kernarg.size());
  p.completion_signal = signal;
  p.launch_number = k.number;
  p.private_segment_size = k.scratch_per_lane;
  p.header = isa::packet_header(isa::packet_type::kernel_dispatch, k.waits, isa::fence_scope::system,
                                isa::fence_scope::system);
  return p;
}

void queue_bench::put(uint32_t queue, const queued_kernel& kernel, uint64_t signal) {
  board_.host.submit(packet_of(kernel, signal), queue);
}

void queue_bench::put_barrier(uint32_t queue, isa::packet_type type, const std::vector<uint64_t>& signals,
                              uint64_t completes, bool waits) {
  isa::barrier_packet p;
  p.header = isa::packet_header(type, waits, isa::fence_scope::none, isa::fence_scope::none);
  std::copy(signals.begin(), signals.end(), p.dep_signal);
  p.completion_signal = completes;
  board_.host.submit(p, queue);
}

void queue_bench::run() {
  sc_core::sc_start();
  report_.done = board_.host.done();
  report_.fault = board_.gpu.dispatcher.fault_message();
  report_.waiting = board_.gpu.dispatcher.describe_queues();
}

models::machine_config small_machine(uint32_t hardware_queues) {
  models::machine_config c;
  c.n_cu = 1;
  c.n_simd = 1;
  c.n_wfc = 4;
  c.hardware_queues = hardware_queues;
  c.memory.dram.size_mib = 64;
  return c;
}

queue_report with_queues(const models::machine_config& machine, const std::function<void(queue_bench&)>& body) {
  kernels();
  const child_result child = in_child(
      [&](const message_sink& send) {
        queue_report r;
        queue_bench bench(machine, r);
        body(bench);
        json j = {{"done", r.done}, {"fault", r.fault}, {"waiting", r.waiting}, {"times", r.times}};
        for (const placed_workgroup& w : r.workgroups)
          j["workgroups"].push_back({w.kernel, w.workgroup, w.cu, w.start, w.end});
        const std::string text = j.dump();
        send(text.data(), text.size());
        return ::testing::Test::HasFailure() ? 1 : 0;
      },
      60);
  if (child.status != 0) throw std::runtime_error(describe_status(child.status) + "\n" + child.log);
  const json j = json::parse(child.message);
  queue_report r;
  r.done = j.at("done");
  r.fault = j.at("fault");
  r.waiting = j.at("waiting");
  r.times = j.at("times").get<std::vector<models::cycle_t>>();
  if (j.contains("workgroups"))
    for (const json& w : j.at("workgroups")) r.workgroups.push_back({w.at(0), w.at(1), w.at(2), w.at(3), w.at(4)});
  return r;
}

}  // namespace pws::test
