// SPDX-License-Identifier: Apache-2.0
// The systems of configs/soc with their firmware, and a protocol checker on every connection: processor, memories,
// devices, and all sockets of the GPUs. Nothing breaks the base protocol, whatever the quantum is, and nothing of what
// the firmware sends changes.
#include <gtest/gtest.h>
#include <unistd.h>

#include <optional>

#include "platform/soc/soc_run.h"
#include "tests/integration/child_process.h"
#include "tests/tlm/checked_sockets.h"

namespace pws::test::protocol_test {
namespace {

struct system_case {
  const char *name, *config, *firmware;
  std::vector<std::string> overrides;
  bool has_system_memory;
};
std::ostream& operator<<(std::ostream& out, const system_case& c) {
  return out << c.name;
}

// What the firmware sends.
std::string sent_by(const system_case& c, const std::string& elf, unsigned quantum, bool checked) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  const auto body = [&](const message_sink& sink) {
    std::optional<checked_sockets> sockets;
    if (checked) sockets.emplace();
    std::vector<std::string> overrides = c.overrides;
    overrides.push_back("quantum_ns=" + std::to_string(quantum));
    const platform::soc_config config =
        platform::load_soc(std::string(PWS_SOURCE_DIR "/configs/soc/") + c.config, overrides);
    std::string sent;
    const platform::soc_result r = platform::run_soc(config, elf, {}, {[&](char byte) { sent += byte; }, {}, false});
    EXPECT_TRUE(r.pass()) << r.error << sent;
    if (checked) {
      EXPECT_EQ(sockets->log.text(), "");
      EXPECT_GT(sockets->calls().blocking, 100u);
      size_t at_system = 0;
      for (const protocol_checker& k : sockets->checkers()) {
        const bool is_system = k.where().find("memory.system.socket") != std::string::npos;
        at_system += is_system && k.calls().blocking != 0 && k.calls().dmi + k.calls().debug != 0;
      }
      EXPECT_EQ(at_system != 0, c.has_system_memory);
    }
    sink(sent.data(), sent.size());
    return testing::Test::HasFailure() ? 1 : 0;
  };
  const child_result child = in_child(body, 120);
  EXPECT_EQ(child.status, 0) << describe_status(child.status) << "\n" << child.log;
  return {child.message.begin(), child.message.end()};
}

class soc_protocol : public testing::TestWithParam<system_case> {};

TEST_P(soc_protocol, is_kept_on_every_connection) {
  const std::string elf = std::string(FIRMWARE "/") + GetParam().firmware;
  if (access(elf.c_str(), R_OK) != 0) GTEST_SKIP() << "no firmware: its compiler is not installed";
  const std::string unchecked = sent_by(GetParam(), elf, 1000, false);
  EXPECT_NE(unchecked, "");
  for (const unsigned quantum : {0u, 1000u, 100000u}) {
    SCOPED_TRACE(quantum);
    EXPECT_EQ(sent_by(GetParam(), elf, quantum, true), unchecked);
  }
}

INSTANTIATE_TEST_SUITE_P(
    systems, soc_protocol,
    testing::Values(system_case{"hello", "virt.yaml", "hello.elf", {}, false},
                    system_case{"gpu", "control.yaml", "gpu_check.elf", {}, false},
                    system_case{"gpu_and_system_memory",
                                "control.yaml",
                                "gpu_check_ram.elf",
                                {"gpus.0.machine={n_cu: 2, memory: {system: {size_mib: 16}, dram: {size_mib: 64}}}"},
                                true},
                    system_case{"two_gpus", "two_gpus.yaml", "two_gpus.elf", {}, false}),
    [](const auto& i) { return std::string(i.param.name); });

}  // namespace
}  // namespace pws::test::protocol_test
