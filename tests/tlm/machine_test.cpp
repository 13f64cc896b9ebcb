// SPDX-License-Identifier: Apache-2.0
// The machine's run files with a protocol checker on every connection: nothing breaks the base protocol, and nothing of
// what a run reports changes.
#include <gmock/gmock.h>

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>

#include "platform/config/files/run_config.h"
#include "platform/machine/virtual_platform.h"
#include "platform/run/run_session.h"
#include "tests/integration/child_process.h"
#include "tests/models/simulation.h"
#include "tests/tlm/checked_sockets.h"

namespace pws::test::machine_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> run_files() {
  std::vector<std::string> names;
  for (const auto& f : std::filesystem::directory_iterator(PWS_SOURCE_DIR "/configs/runs"))
    names.push_back(f.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

// A run with checkers or without, in a process of its own. Gives its report, without what is of the host.
std::string report_of(const std::string& name, const std::vector<std::string>& overrides, bool checked,
                      const std::function<void(checked_sockets&)>& inspect = {}) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  const auto body = [&](const message_sink& sink) {
    std::optional<checked_sockets> sockets;
    if (checked) sockets.emplace();
    const platform::run_report r =
        platform::run(platform::load_run(PWS_SOURCE_DIR "/configs/runs/" + name + ".yaml", overrides), {});
    EXPECT_TRUE(r.completed) << r.error;
    if (inspect) inspect(*sockets);
    nlohmann::ordered_json json = platform::run_part().json(r);
    json.erase("host");
    const std::string text = json.dump();
    sink(text.data(), text.size());
    return testing::Test::HasFailure() ? 1 : 0;
  };
  const child_result child = in_child(body, 120);
  EXPECT_EQ(child.status, 0) << describe_status(child.status) << "\n" << child.log;
  return {child.message.begin(), child.message.end()};
}

class base_protocol : public testing::TestWithParam<std::string> {};

TEST_P(base_protocol, is_kept_on_every_connection) {
  for (const std::string fidelity : {"functional", "timing"}) {
    if (GetParam() == "lockstep" && fidelity == "functional") continue;  // RTL in the loop is of cycles
    SCOPED_TRACE(fidelity);
    const std::vector<std::string> overrides{"machine.fidelity=" + fidelity};
    const std::string with = report_of(GetParam(), overrides, true, [&](checked_sockets& sockets) {
      EXPECT_EQ(sockets.log.text(), "");
      const protocol_log::calls calls = sockets.calls();
      EXPECT_GT(calls.blocking, 10u);
      EXPECT_EQ(calls.forward > 0, fidelity == "timing");
    });
    EXPECT_EQ(with, report_of(GetParam(), overrides, false));
  }
}

INSTANTIATE_TEST_SUITE_P(run_files, base_protocol, testing::ValuesIn(run_files()),
                         [](const auto& i) { return i.param; });

// Where lines leave caches all the time, requests wait for miss registers, and answers come late.
TEST(base_protocol, is_kept_by_small_caches) {
  const std::vector<std::string> overrides{"machine.fidelity=timing",
                                           "machine.memory.vector_l1.size_kib=1",
                                           "machine.memory.vector_l1.ways=1",
                                           "machine.memory.vector_l1.mshrs=1",
                                           "machine.memory.l2.banks=2",
                                           "machine.memory.l2.bank.size_kib=1",
                                           "machine.memory.l2.bank.mshrs=1",
                                           "machine.memory.scalar_cache.mshrs=1",
                                           "machine.memory.l2.bank.ways=2",
                                           "machine.memory.dram.channels=1",
                                           "machine.memory.dram.queue=1",
                                           "machine.memory.interconnect.latency=1",
                                           "machine.memory.scalar_cache.size_kib=1",
                                           "machine.n_cu=1"};
  for (const char* name : {"histogram", "matrix_multiply", "pointer_chase"}) {
    SCOPED_TRACE(name);
    report_of(name, overrides, true, [](checked_sockets& sockets) {
      EXPECT_EQ(sockets.log.text(), "");
      EXPECT_GT(sockets.calls().backward, 100u);
      EXPECT_THAT(sockets.silent(), ElementsAre());
    });
  }
}

TEST(base_protocol, is_kept_by_time_divided_memory) {
  for (const char* name : {"vector_add", "histogram", "pointer_chase_scalar"}) {
    SCOPED_TRACE(name);
    report_of(name, {"machine=" PWS_SOURCE_DIR "/configs/gpu/predictable.yaml"}, true, [](checked_sockets& sockets) {
      EXPECT_EQ(sockets.log.text(), "");
      EXPECT_GT(sockets.calls().forward, 100u);
    });
  }
}

TEST(base_protocol, is_kept_by_every_scheme) {
  for (const char* scheme : {"dwf", "pdom", "naive", "dpe", "mimd"}) {
    SCOPED_TRACE(scheme);
    report_of("divergent_break", {"machine.fidelity=timing", std::string("machine.divergence=") + scheme}, true,
              [](checked_sockets& sockets) { EXPECT_EQ(sockets.log.text(), ""); });
  }
}

// Debug accesses to everything on the bus, across ends of regions too, change nothing and take no time. DMI is granted
// where memory is.
SIMULATION(base_protocol, is_kept_by_debug_accesses_and_dmi) {
  checked_sockets sockets;
  models::machine_config config;
  config.n_cu = 1;
  config.memory.dram.size_mib = 1;
  platform::virtual_platform board("board", config);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  const models::gpu& gpu = board.gpu;
  const models::dram& dram = gpu.memory.dram;
  const auto state = [&] {
    const models::dram_statistics& n = dram.statistics();
    return std::hash<std::string_view>{}({reinterpret_cast<const char*>(dram.storage()), dram.size()}) + n.reads +
           n.writes + n.busy_cycles + gpu.cus.front()->statistics().total_instructions();
  };
  for (protocol_checker& c : sockets.checkers()) c.state_of_target = state;
  const uint64_t memory = dram.base(), memory_end = memory + dram.size();
  const uint64_t window = board.window_base, window_end = window + gpu.window.size();
  const uint64_t contexts = window + models::device_window::debug_offset;
  std::array<unsigned char, 64> bytes{};
  for (const uint64_t region : {memory, memory_end, window, contexts, window_end})
    for (const int64_t offset : {-64, -5, -1, 0, 1, 64}) {
      tlm::tlm_generic_payload t;
      t.set_read();
      t.set_address(region + static_cast<uint64_t>(offset));
      t.set_data_ptr(bytes.data());
      t.set_data_length(bytes.size());
      t.set_streaming_width(bytes.size());
      const unsigned n = board.host.bus->transport_dbg(t);
      const bool at_an_end = (region == memory_end || region == window_end) && offset < 0;
      const bool inside = (region == memory || region == window || region == contexts) && offset >= 0;
      EXPECT_EQ(n, inside ? 64u : at_an_end ? static_cast<unsigned>(-offset) : 0u) << region << " " << offset;
      tlm::tlm_dmi dmi;
      t.set_address(region + static_cast<uint64_t>(offset));
      const bool in_memory = t.get_address() >= memory && t.get_address() < memory_end;
      EXPECT_EQ(board.host.bus->get_direct_mem_ptr(t, dmi), in_memory) << region << " " << offset;
      EXPECT_TRUE(!in_memory || dmi.get_dmi_ptr() == dram.storage());
    }
  EXPECT_EQ(sockets.log.text(), "");
  EXPECT_GT(sockets.calls().debug, 40u);
  EXPECT_GT(sockets.calls().dmi, 40u);
}

}  // namespace
}  // namespace pws::test::machine_test
