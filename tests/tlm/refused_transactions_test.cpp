// SPDX-License-Identifier: Apache-2.0
// Caches, crossbar and time-divided memory have no data and need what the machine's own transactions say beside the
// payload. A transaction of another initiator has an error response there, by phases and blocking.
#include <gmock/gmock.h>

#include "models/bus/socket_binding.h"
#include "models/memory/memory_system.h"
#include "tests/models/simulation.h"
#include "tests/tlm/checked_sockets.h"
#include "tests/tlm/test_initiator.h"

namespace pws::test::refused_transactions_test {
namespace {

class asking : public test_initiator {
 public:
  explicit asking(const sc_core::sc_module_name& name) : test_initiator(name) {
    SC_HAS_PROCESS(asking);
    SC_THREAD(run);
  }
  std::vector<tlm::tlm_response_status> responses;

 private:
  void run() {
    for (const tlm::tlm_command command : {tlm::TLM_READ_COMMAND, tlm::TLM_WRITE_COMMAND}) {
      test_access a;
      a.command = command;
      a.address = models::device_memory_base;
      a.data.resize(64, 0x77);
      at_once(a);
      responses.push_back(a.response);
      blocking(a);
      responses.push_back(a.response);
      EXPECT_THAT(a.data, testing::Each(0x77));
    }
  }
};

struct machine_of_parts {
  explicit machine_of_parts(models::memory_arbitration arbitration) {
    config.n_cu = 1;
    config.memory.dram.size_mib = 1;
    config.memory.arbitration = arbitration;
    memory.emplace("memory", config, clock);
    memory->connect(0, all[0].socket, all[1].socket, all[2].socket);
    models::bind_sockets(host.socket, memory->host_port());
  }
  checked_sockets sockets;
  models::machine_config config;
  models::gpu_clock clock{1000};
  std::optional<models::memory_system> memory;
  test_initiator host{"host"};
  std::array<asking, 3> all{asking("vector"), asking("scalar"), asking("instruction")};
};

void refuses_them(models::memory_arbitration arbitration) {
  machine_of_parts m(arbitration);
  sc_core::sc_start();
  for (const asking& a : m.all)
    EXPECT_THAT(a.responses, testing::AllOf(testing::SizeIs(4), testing::Each(tlm::TLM_GENERIC_ERROR_RESPONSE)))
        << a.name();
  EXPECT_EQ(m.sockets.log.text(), "");
}

SIMULATION(refused_transactions, have_an_error_response_at_caches) {
  refuses_them(models::memory_arbitration::work_conserving);
}

SIMULATION(refused_transactions, have_an_error_response_at_time_divided_memory) {
  refuses_them(models::memory_arbitration::tdm);
}

}  // namespace
}  // namespace pws::test::refused_transactions_test
