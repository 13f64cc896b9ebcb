// SPDX-License-Identifier: Apache-2.0
// A launch's bound holds with others in the queue: the dispatcher takes a packet when the one before it is complete, so
// launches are on the machine one after the other, and each takes no longer than alone.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "platform/run/program/machine_timing.h"
#include "tests/integration/child_process.h"
#include "tests/wcet/random_bounds.h"

namespace pws::test::queued_launches_test {
namespace {

struct span {
  uint64_t packet = 0;
  models::cycle_t first_start = 0, last_end = 0;
};

// From the first wavefront's start to the last one's end, by packet.
class span_log : public models::execution_observer {
 public:
  void wave_started(uint32_t, const models::wf_context& c, models::cycle_t at) override {
    const uint64_t packet = c.group->launch.of->setup.dispatch_id;
    const auto [s, first] = spans.try_emplace(packet, span{packet, at, 0});
    s->second.first_start = std::min(s->second.first_start, at);
    packet_of[&c] = packet;
  }
  void issued(uint32_t, const models::wf_context&, const isa::inst&, models::cycle_t) override {}
  void wave_ended(uint32_t, const models::wf_context& c, models::cycle_t at) override {
    const auto packet = packet_of.find(&c);
    if (packet == packet_of.end()) return;  // an SWF
    span& s = spans[packet->second];
    s.last_end = std::max(s.last_end, at);
  }
  std::map<uint64_t, span> spans;
  std::map<const models::wf_context*, uint64_t> packet_of;
};

// All launches handed to the machine before it begins with the first: as two streams would leave them in its queue.
std::vector<span> run_queued(const models::machine_config& machine, const loader::program_image& program,
                             const std::vector<batch_launch>& launches) {
  const child_result child = in_child(
      [&](const message_sink& send) {
        platform::virtual_platform board("board", machine);
        models::gpu& gpu = board.gpu;
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        platform::device_runtime runtime(board);
        runtime.load(program);
        span_log log;
        for (const auto& cu : gpu.cus) cu->attach(log);
        for (const batch_launch& l : launches) {
          const uint64_t out = runtime.allocate(uint64_t{l.work_items} * bytes_per_work_item, "out");
          const platform::kernel_launch request = launch_of(l, runtime, out);
          // Arguments of its own, which the next launch's do not replace; nobody waits for its signal.
          platform::kernel_launch prepared = runtime.prepare(request);
          prepared.packet.kernarg_address = runtime.allocate(prepared.kernarg.size(), "queued arguments");
          runtime.write(prepared.packet.kernarg_address, prepared.kernarg.data(), prepared.kernarg.size());
          prepared.packet.completion_signal = 0;
          board.host.submit(prepared.packet);
        }
        sc_core::sc_start();
        if (!board.host.done()) throw std::runtime_error(gpu.dispatcher.fault_message());
        std::vector<span> spans;
        for (const auto& [packet, s] : log.spans) spans.push_back(s);
        send(spans.data(), spans.size() * sizeof spans[0]);
        return 0;
      },
      300);
  if (child.status != 0) throw std::runtime_error(describe_status(child.status) + "\n" + child.log);
  std::vector<span> spans(child.message.size() / sizeof(span));
  std::copy_n(reinterpret_cast<const span*>(child.message.data()), spans.size(), spans.begin());
  return spans;
}

TEST(queued_launches, are_served_one_after_the_other_and_each_keeps_its_bound) {
  constexpr unsigned queued = 6;
  const auto machines = soundness_machines();
  for (unsigned seed = 1; seed <= 3; ++seed) {
    assembly_file file;
    std::vector<batch_launch> launches;
    for (unsigned k = 0; k < queued; ++k) {
      std::mt19937_64 random(100 * seed + k);
      program_options options;
      options.depth = 2;
      options.split_percent = 80;
      options.memory = true;
      options.lds = k % 2 == 0;
      file.add_program(100 * seed + k, options);
      batch_launch l;
      l.kernel = fmt::format("k{}", k);
      l.workgroup = 64u << (random() % 2);
      l.work_items = l.workgroup * (k % 3 == 0 ? 1 : 1 + static_cast<uint32_t>(random() % 12));
      launches.push_back(l);
    }
    const loader::program_image program = assemble(file.text());
    for (const auto& [name, machine] : machines) {
      const std::vector<span> spans = run_queued(machine, program, launches);
      ASSERT_EQ(spans.size(), queued) << name;
      models::cycle_t before = 0;
      for (unsigned k = 0; k < queued; ++k) {
        EXPECT_EQ(spans[k].packet, k);
        EXPECT_GE(spans[k].first_start, before) << name << ": " << k << " begins beside the launch before it";
        const uint64_t bound =
            bound_of(program, launches[k].kernel, machine, platform::timing_of(machine), launches[k]).e_kernel;
        EXPECT_LE(spans[k].last_end - before, bound + (k == 0 ? 0 : 1)) << name << ", " << k;  // a cycle to take it
        before = spans[k].last_end;
      }
    }
  }
}

}  // namespace
}  // namespace pws::test::queued_launches_test
