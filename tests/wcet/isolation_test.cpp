// On the predictable machine a wavefront's time does not depend on other wavefronts: alone, or among others that do
// whatever they do, every instruction issues in the same cycle.
#include <gtest/gtest.h>

#include <map>

#include "platform/runtime/device_runtime.h"
#include "tests/integration/bytes_of.h"
#include "tests/integration/child_process.h"
#include "tests/wcet/random_bounds.h"

namespace pws::test {
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
        platform::virtual_platform gpu("gpu", machine);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        platform::device_runtime runtime(gpu);
        runtime.load(program);
        issue_log log;
        for (const auto& cu : gpu.cus) cu->attach(log);
        // As large for one workgroup as for all, so that addresses are the same.
        const uint64_t out = runtime.allocate(uint64_t{64} * workgroup * bytes_per_work_item, "out");
        platform::launch_request request;
        request.kernel = runtime.find_kernel("k0");
        request.grid = {workgroups * workgroup, 1, 1};
        request.workgroup = {workgroup, 1, 1};
        request.arguments = {bytes_of(out),         bytes_of(uint32_t{0}), bytes_of(uint32_t{0}),
                             bytes_of(0x9e3779b1u), bytes_of(uint32_t{7}), bytes_of(workgroup)};
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

void expect_same(const machine_shape& shape) {
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    assembly_file file;
    program_options options;
    options.depth = 3;
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
TEST(isolation, nor_with_one_context_and_64_lanes) {
  expect_same({1, 4, 1, 64, models::divergence_kind::pws, 2});
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
}  // namespace pws::test
