// SPDX-License-Identifier: Apache-2.0
// The debugger's view of a machine and the debug window of its bus, which host software reads, are two ways to the same
// state: before every instruction of a run, in every path of every wavefront, under every scheme.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <sstream>
#include <tuple>

#include "models/bus/bus_access.h"
#include "models/dispatch/debug_window.h"
#include "models/gpu/device_window.h"
#include "platform/debug/run/watched_run.h"
#include "platform/machine/virtual_platform.h"
#include "tests/models/simulation.h"

namespace pws::test::window_test {
namespace {

using models::wf_status;
using platform::debug::path;
using platform::debug::resumption;
namespace r = models::debug_register;

using record = std::vector<unsigned char>;

template <class T = uint64_t>
T value_at(const record& bytes, uint64_t offset, size_t size = sizeof(T)) {
  T value{};
  std::memcpy(&value, &bytes[offset], size);
  return value;
}

// Steps through the run by single instructions, and compares before each.
class comparing_listener : public platform::debug::stop_listener {
 public:
  void look_through(const platform::debug::debugger& d) { debugger_ = &d; }
  uint64_t compared() const { return compared_; }
  size_t most_paths() const { return most_paths_; }

  resumption stopped(const platform::debug::stop& s) override {
    if (s.at) compare(s);
    resumption step;
    step.what =
        s.why == platform::debug::stop_reason::run_ended ? resumption::how::go_on : resumption::how::instruction;
    step.scope = platform::debug::step_scope::all;
    return step;
  }

 private:
  // By the board's bus, as host software reads it.
  void read(uint64_t offset, void* to, size_t bytes) {
    auto& board = dynamic_cast<platform::virtual_platform&>(*debugger_->machine().gpu.get_parent_object());
    const uint64_t at = platform::virtual_platform::window_base + models::device_window::debug_offset + offset;
    ASSERT_TRUE(models::debug_transfer(board.host.bus, tlm::TLM_READ_COMMAND, at, to, bytes));
  }

  record record_of(uint32_t cu, uint32_t unit, uint32_t slot) {
    uint32_t units = 0, contexts = 0;
    read(r::units, &units, sizeof units);
    read(r::contexts, &contexts, sizeof contexts);
    const uint64_t number = (uint64_t{cu} * units + unit) * contexts + slot;
    record bytes(r::record_bytes);
    read(r::first_record + number * r::record_bytes, bytes.data(), bytes.size());
    return bytes;
  }

  void compare(const platform::debug::stop& s) {
    const platform::debug::machine_view& view = debugger_->machine();
    size_t there = 0, at_most = 0;
    for (const auto& cu : view.gpu.cus)
      for (uint32_t u = 0; u < cu->layout().count(); ++u)
        for (uint32_t k = 0; k < cu->unit(models::unit_id(u)).contexts.size(); ++k) {
          const path p = view.in_context(cu->index(), models::unit_id(u), models::slot_id(k));
          there += p ? 1 : 0;
          // Contexts behind those keep paths of which the records have the scheme's registers alone.
          if (k >= cu->unit(models::unit_id(u)).shown()) continue;
          const record bytes = record_of(cu->index(), u, k);
          const auto status = static_cast<wf_status>(value_at<uint32_t>(bytes, r::state));
          const bool is_there = status != wf_status::idle && status != wf_status::ended;
          ASSERT_EQ(static_cast<bool>(p), is_there) << "cu " << cu->index() << " unit " << u << " context " << k;
          if (!p) continue;
          compare(s, p, bytes);
        }
    for (const path& w : view.wavefronts()) at_most += view.paths_of(w).size();
    EXPECT_EQ(at_most, there) << "wavefronts and paths in all";
    most_paths_ = std::max(most_paths_, there);
  }

  void compare(const platform::debug::stop& s, const path& p, const record& bytes) {
    const platform::debug::machine_view& view = debugger_->machine();
    const platform::debug::scene here{&view, p, -1, s.cycle};
    const auto value = [&](const char* text) {
      return static_cast<uint64_t>(platform::debug::expression::parse(text).evaluate(here).integer);
    };
    SCOPED_TRACE(view.place_of(p) + " at instruction " + std::to_string(s.position));
    EXPECT_EQ(value_at(bytes, r::em), value("exec"));
    EXPECT_EQ(value_at(bytes, r::spm), value("spm"));
    // The window has the next instruction to be fetched, where the path is at one already or waits at one.
    const uint64_t behind = value_at(bytes, r::pc) - view.pc_of(p);
    const isa::inst* const i = view.runtime.instruction_at(view.pc_of(p));
    ASSERT_NE(i, nullptr);
    const auto status = static_cast<wf_status>(value_at<uint32_t>(bytes, r::state));
    const bool is_behind = p == view.current || status == wf_status::draining || status == wf_status::barrier ||
                           status == wf_status::grid_barrier;
    if (is_behind)
      EXPECT_TRUE(behind == 0 || behind == i->bytes()) << behind;
    else
      EXPECT_EQ(behind, 0u);
    EXPECT_EQ(value("pc"), view.pc_of(p));
    for (size_t k = 0; k < 3; ++k)
      EXPECT_EQ(value_at<uint32_t>(bytes, r::workgroup + 4 * k), p.context->group->launch.id[k]);
    std::map<std::string, uint64_t> shown;
    for (const auto& [name, v] : view.scheme_registers(p)) shown[name] = v;
    for (const models::shown_register& g : view.gpu.cus[p.cu]->scheme().shown())
      EXPECT_EQ(value_at(bytes, g.record_offset, g.record_bytes), shown[g.name]) << g.name;
    ++compared_;
  }

  const platform::debug::debugger* debugger_ = nullptr;
  uint64_t compared_ = 0;
  size_t most_paths_ = 0;
};

struct compared {
  uint64_t records = 0;
  size_t paths = 0;
};

compared compare_run(const std::string& name, std::vector<std::string> sets) {
  const platform::run_config config = platform::load_run(PWS_SOURCE_DIR "/configs/runs/" + name + ".yaml", sets);
  comparing_listener listener;
  platform::debug::debugger core(listener, platform::debug::run_to_debug(config));
  listener.look_through(core);
  std::ostringstream said;
  const platform::debug::run_outcome outcome = platform::debug::watched_run(config, core, said);
  EXPECT_TRUE(outcome.ended) << said.str();
  return {listener.compared(), listener.most_paths()};
}

void compare_scheme(const std::string& scheme, size_t paths) {
  for (const char* fidelity : {"timing", "functional"}) {
    SCOPED_TRACE(scheme + ", " + fidelity);
    std::vector<std::string> sets = {"machine=" PWS_SOURCE_DIR "/configs/gpu/default.yaml",
                                     "machine.divergence=" + scheme, std::string("machine.fidelity=") + fidelity};
    if (scheme.rfind("pws", 0) == 0 || scheme == "dws") sets.emplace_back("machine.spsimd_per_simd=2");
    const compared c = compare_run("two_branches", sets);
    EXPECT_GE(c.records, 25u);
    EXPECT_GE(c.paths, paths);
    platform::new_simulation();
  }
}

SIMULATION(debug_window, without_splits) {
  compare_scheme("none", 1);
}
SIMULATION(debug_window, pws) {
  compare_scheme("pws", 2);
}
SIMULATION(debug_window, pws_mode) {
  compare_scheme("pws-mode", 1);  // the program sets no mode
}
SIMULATION(debug_window, dws) {
  compare_scheme("dws", 2);
}
SIMULATION(debug_window, dws_table) {
  compare_scheme("dws-table", 1);
}
SIMULATION(debug_window, dpe) {
  compare_scheme("dpe", 2);
}
SIMULATION(debug_window, stack) {
  compare_scheme("stack", 1);
}
SIMULATION(debug_window, subwarps) {
  compare_scheme("subwarps", 1);
}
SIMULATION(debug_window, convergence) {
  compare_scheme("convergence", 1);
}

SIMULATION(debug_window, formed_warps) {
  for (const char* scheme : {"pdom", "naive", "dwf", "mimd"}) {
    SCOPED_TRACE(scheme);
    const compared c =
        compare_run("quickstart", {"machine=" PWS_SOURCE_DIR "/configs/gpu/default.yaml", "machine.n_cu=1",
                                   "launch.grid=256", std::string("machine.divergence=") + scheme});
    EXPECT_GE(c.records, 10u);
    platform::new_simulation();
  }
}

// Barriers, LDS, several wavefronts and workgroups; waiting paths among them.
SIMULATION(debug_window, barriers) {
  const compared c = compare_run("reduction", {"machine.n_cu=2", "machine.fidelity=timing"});
  EXPECT_GE(c.records, 1000u);
  EXPECT_GE(c.paths, 8u);
}

}  // namespace
}  // namespace pws::test::window_test
