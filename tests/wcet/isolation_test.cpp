// SPDX-License-Identifier: Apache-2.0
// On the predictable machine a wavefront's time does not depend on other wavefronts: alone, or among others that do
// whatever they do, every instruction issues in the same cycle.
#include <gtest/gtest.h>

#include <map>

#include "tests/integration/child_process.h"
#include "tests/splitting/split_program.h"
#include "tests/wcet/random_bounds.h"

namespace pws::test::isolation_test {
namespace {

// Cycles at which the first workgroup's contexts issue, from the machine's start on.
class issue_log : public models::execution_observer {
 public:
  void wave_started(uint32_t, const models::wf_context&, models::cycle_t) override {}
  void issued(uint32_t, const models::wf_context& c, const isa::inst&, models::cycle_t at) override {
    if (c.group->launch.id[0] == 0) cycles.push_back(at);
  }
  void wave_ended(uint32_t, const models::wf_context&, models::cycle_t) override {}
  std::vector<models::cycle_t> cycles;
};

// The log of workgroup 0 of a launch of `workgroups`.
std::vector<models::cycle_t> run(const models::machine_config& machine, const loader::program_image& program,
                                 uint32_t workgroups) {
  constexpr uint32_t workgroup = 64;
  const child_result child = in_child(
      [&](const message_sink& send) {
        platform::virtual_platform board("board", machine);
        models::gpu& gpu = board.gpu;
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        platform::device_runtime runtime(board);
        runtime.load(program);
        issue_log log;
        for (const auto& cu : gpu.cus) cu->attach(log);
        // As large for one workgroup as for all, so that addresses are the same.
        const uint64_t out = runtime.allocate(uint64_t{64} * workgroup * bytes_per_work_item, "out");
        batch_launch l;
        l.kernel = "k0";
        l.work_items = workgroups * workgroup;
        l.workgroup = workgroup;
        l.add = 7;
        const platform::kernel_launch request = launch_of(l, runtime, out);
        const platform::launch_result result = runtime.launch(request);
        if (!result.completed) throw std::runtime_error(result.error);
        send(log.cycles.data(), log.cycles.size() * sizeof log.cycles[0]);
        return 0;
      },
      600);
  if (child.status != 0) throw std::runtime_error(describe_status(child.status) + "\n" + child.log);
  std::vector<models::cycle_t> cycles(child.message.size() / sizeof(models::cycle_t));
  std::copy_n(reinterpret_cast<const models::cycle_t*>(child.message.data()), cycles.size(), cycles.begin());
  return cycles;
}

void expect_same(const machine_shape& shape, unsigned split_percent = 70) {
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    assembly_file file;
    program_options options;
    options.depth = 3;
    options.split_percent = split_percent;
    file.add_program(seed, options);
    const loader::program_image program = assemble(file.text());
    const models::machine_config machine = predictable(shape);
    const std::vector<models::cycle_t> alone = run(machine, program, 1);
    ASSERT_GT(alone.size(), 30u);
    for (const uint32_t others : {1u, 3u, 7u, 40u})
      EXPECT_EQ(run(machine, program, 1 + others), alone) << "seed " << seed << ", " << others << " others";
  }
}

TEST(isolation, others_do_not_move_a_wavefront) {
  expect_same({1, 2, 4, 16, models::divergence_kind::none, 0});
}
TEST(isolation, others_do_not_move_a_split_wavefront) {
  expect_same({2, 2, 4, 16, models::divergence_kind::pws, 3});
}
// Every if/else is split, so that siblings meet in the wavefront's queues.
TEST(isolation, others_do_not_move_siblings_that_share_slots) {
  for (const uint32_t s : {1u, 7u}) expect_same({1, 2, 4, 16, models::divergence_kind::pws, s}, 100);
}
TEST(isolation, nor_with_one_context_and_64_lanes) {
  expect_same({1, 4, 1, 64, models::divergence_kind::pws, 2});
}

// Both sides ask for lines and passes without end, in every wavefront.
TEST(isolation, nor_where_memory_is_never_idle) {
  assembly_file file;
  std::string stores, loads;
  for (int k = 0; k < 12; ++k) stores += "  flat_store_dword v[8:9], v5\n  ds_write_b32 v10, v5\n";
  for (int k = 0; k < 6; ++k)
    loads += "  flat_load_dword v4, v[8:9]\n  s_load_dword s18, s[4:5], 0x0\n  ds_read_b32 v6, v10\n" +
             std::string(k % 2 == 0 ? "  s_waitcnt vmcnt(0) & lgkmcnt(0)\n" : "");
  file.add_kernel(
      "  v_and_b32 v3, 1, v2\n  v_cmp_ne_u32 vcc, 0, v3\n  s_and_saveexec_b64 s[20:21], vcc\n"
      "  s_xor_b64 s[20:21], exec, s[20:21]\n" +
      split_exec + "  s_cbranch_execz .Lelse\n" + stores +
      ".Lelse:\n  s_or_saveexec_b64 s[20:21], s[20:21]\n  s_xor_b64 exec, exec, s[20:21]\n"
      "  s_cbranch_execz .Lend\n" +
      loads + ".Lend:\n  s_or_b64 exec, exec, s[20:21]\n" + merge);
  const loader::program_image program = assemble(file.text());
  const models::machine_config machine = predictable({2, 2, 4, 16, models::divergence_kind::pws, 1});
  const std::vector<models::cycle_t> alone = run(machine, program, 1);
  ASSERT_GT(alone.size(), 80u);
  for (const uint32_t others : {1u, 7u, 15u, 40u}) EXPECT_EQ(run(machine, program, 1 + others), alone) << others;
}

// The average-case machine has no such property, or this test could not see it.
TEST(isolation, the_average_case_machine_has_none) {
  assembly_file file;
  file.add_program(3, {});
  const loader::program_image program = assemble(file.text());
  models::machine_config machine = predictable({1, 2, 4, 16, models::divergence_kind::none, 0});
  machine.schedule = models::schedule_policy::round_robin;
  machine.memory.arbitration = models::memory_arbitration::work_conserving;
  EXPECT_NE(run(machine, program, 8), run(machine, program, 1));
}

}  // namespace
}  // namespace pws::test::isolation_test
