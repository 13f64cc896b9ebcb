// SPDX-License-Identifier: Apache-2.0
// Other modules of the simulation end it, or let it pause, while a kernel runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/machine/device_runtime.h"
#include "platform/machine/virtual_platform.h"
#include "tests/integration/bytes_of.h"
#include "tests/integration/child_process.h"
#include "tests/splitting/batch_run.h"

namespace pws::test::stopped_simulation_test {
namespace {

using ::testing::HasSubstr;

// Calls `what` at that time.
class caller : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(caller);
  caller(const sc_core::sc_module_name& name, sc_core::sc_time at, void (*what)())
      : sc_module(name), at_(at), what_(what) {
    SC_THREAD(run);
  }

 private:
  void run() {
    wait(at_);
    what_();
  }
  const sc_core::sc_time at_;
  void (*const what_)();
};

void stop() {
  sc_core::sc_stop();
}

// What the launches of a kernel of so many rounds say, one after the other, of which each takes a line; "ok": it is
// done.
std::string said_by_launches(
    unsigned launches, models::fidelity fidelity, void (*what)(), void (*first)() = [] {}) {
  assembly_file file;
  file.add_bare_kernel(R"(  s_movk_i32 s4, 500
round:
  s_sub_u32 s4, s4, 1
  s_cmp_lg_u32 s4, 0
  s_cbranch_scc1 round
  s_endpgm
)");
  const loader::program_image program = assemble(file.text());
  const child_result child = in_child(
      [&](const message_sink& send) {
        platform::quiet_systemc();
        models::machine_config machine;
        machine.n_cu = 1;
        machine.fidelity = fidelity;
        platform::virtual_platform board("board", machine);
        const caller other("other", sc_core::sc_time(400, sc_core::SC_NS), what);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        platform::device_runtime runtime(board);
        runtime.load(program);
        const uint64_t out = runtime.allocate(4096, "out");
        first();
        for (unsigned k = 0; k < launches; ++k) {
          std::string text;
          try {
            const platform::launch_result r = runtime.launch(launch_of({"k0"}, runtime, out));
            text = (r.completed ? std::string("ok") : r.error) + "\n";
          } catch (const std::exception& e) {
            text = std::string("exception: ") + e.what() + "\n";
          }
          send(text.data(), text.size());
        }
        return 0;
      },
      60);
  EXPECT_EQ(child.status, 0) << describe_status(child.status) << child.log;
  return {child.message.begin(), child.message.end()};
}

TEST(stopped_simulation, the_launch_says_so_and_every_later_one) {
  const std::string said = said_by_launches(3, models::fidelity::timing, stop);
  const std::string one =
      "the simulation was stopped at 400 ns from outside the GPU (sc_stop), with 0 of 1 workgroups done; SystemC "
      "cannot go on after that, and nothing can be launched any more\n";
  EXPECT_EQ(said, one + one + one);
}

// Nobody but the program itself can have done that.
TEST(stopped_simulation, before_the_first_launch) {
  EXPECT_EQ(said_by_launches(
                1, models::fidelity::timing, [] {}, stop),
            "the simulation was stopped at 0 s from outside the GPU (sc_stop), before anything was launched; SystemC "
            "cannot go on after that, and nothing can be launched any more\n");
}

// An error is an exception that the program can catch, a warning is a line; the actions that are set for them hold.
TEST(stopped_simulation, errors_and_warnings_of_other_modules) {
  const auto said = [](void (*what)()) { return said_by_launches(1, models::fidelity::timing, what); };
  EXPECT_THAT(said([] { SC_REPORT_ERROR("board", "no power"); }), HasSubstr("exception: Error: board: no power"));
  EXPECT_THAT(said([] { SC_REPORT_FATAL("board", "no power"); }), HasSubstr("exception: Fatal: board: no power"));
  EXPECT_THAT(said([] { throw std::runtime_error("boom"); }), HasSubstr("uncaught exception: boom"));
  EXPECT_EQ(said([] { SC_REPORT_WARNING("board", "low power"); }), "ok\n");
  EXPECT_EQ(said([] {
              sc_core::sc_report_handler::set_actions("board", sc_core::SC_ERROR, sc_core::SC_DISPLAY);
              SC_REPORT_ERROR("board", "no power");
            }),
            "ok\n");
  EXPECT_THAT(said([] {
                sc_core::sc_report_handler::set_actions("board", sc_core::SC_WARNING, sc_core::SC_STOP);
                SC_REPORT_WARNING("board", "low power");
              }),
              HasSubstr("stopped at 400 ns"));
}

TEST(stopped_simulation, a_pause_of_another_module_ends_no_launch) {
  EXPECT_EQ(said_by_launches(2, models::fidelity::timing, [] { sc_core::sc_pause(); }), "ok\nok\n");
}

}  // namespace
}  // namespace pws::test::stopped_simulation_test
