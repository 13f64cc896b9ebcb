// SPDX-License-Identifier: Apache-2.0
// What temporal decoupling costs in accuracy: times of loosely timed initiators beside those of approximately timed
// ones, by quantum. docs/embedding.md has the table that comes out.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <list>
#include <sstream>

#include "models/bus/socket_binding.h"
#include "tests/integration/child_process.h"
#include "tests/tlm/bus_machine.h"
#include "tests/tlm/test_initiator.h"

namespace pws::test::quantum_test {
namespace {

using sc_core::sc_time;

enum class way { by_phases, blocking, direct };
constexpr unsigned reads = 1000, readers = 4, messages = 100;
const sc_time between(10, sc_core::SC_NS);  // two accesses

class timed_initiator : public test_initiator {
 public:
  timed_initiator(const sc_core::sc_module_name& name, const bus_machine& m, way w, uint32_t number, bool talks)
      : test_initiator(name, number), m_(m), way_(w), number_(number) {
    SC_HAS_PROCESS(timed_initiator);
    if (talks) {
      SC_THREAD(talk);
    } else {
      SC_THREAD(read);
    }
  }
  sc_time ended;

 private:
  void access(test_access& a) {
    switch (way_) {
      case way::by_phases:
        at_once(a);
        break;
      case way::blocking:
        blocking(a);
        break;
      case way::direct:
        EXPECT_TRUE(direct(a));
        break;
    }
    EXPECT_EQ(a.response, tlm::TLM_OK_RESPONSE);
    compute(between);
  }
  void end() {
    synchronise();
    ended = sc_core::sc_time_stamp();
  }
  // Lines of memory in an order of its own.
  void read() {
    std::mt19937_64 random(number_);
    for (unsigned n = 0; n < reads; ++n) {
      test_access a;
      a.address = m_.memory_begin() + random() % 4096 * 64;
      a.data.resize(64);
      access(a);
    }
    end();
  }
  // Two count in turn in one word: each polls until the other has.
  void talk() {
    for (unsigned n = number_; n < messages; n += 2) {
      uint32_t seen = 0;
      do {
        test_access a;
        a.address = m_.memory_begin();
        a.data.resize(sizeof seen);
        access(a);
        std::memcpy(&seen, a.data.data(), sizeof seen);
      } while (seen != n);
      test_access a;
      a.command = tlm::TLM_WRITE_COMMAND;
      a.address = m_.memory_begin();
      a.data.resize(sizeof seen);
      ++seen;
      std::memcpy(a.data.data(), &seen, sizeof seen);
      access(a);
    }
    end();
  }
  const bus_machine& m_;
  const way way_;
  const uint32_t number_;
};

// When the last of them ends.
double microseconds(way w, const sc_time& quantum, bool talk) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  const auto body = [&](const message_sink& sink) {
    tlm::tlm_global_quantum::instance().set(quantum);
    const uint32_t n = talk ? 2 : readers;
    bus_machine machine("machine", n);
    std::list<timed_initiator> all;
    for (uint32_t k = 0; k < n; ++k) {
      all.emplace_back(sc_core::sc_gen_unique_name("initiator"), machine, w, k, talk);
      models::bind_sockets(all.back().socket, *machine.bus.from[k]);
    }
    sc_core::sc_start();
    sc_time last;
    for (const timed_initiator& i : all) {
      EXPECT_GT(i.ended, sc_core::SC_ZERO_TIME);
      last = std::max(last, i.ended);
    }
    const double us = last.to_seconds() * 1e6;
    sink(&us, sizeof us);
    return testing::Test::HasFailure() ? 1 : 0;
  };
  const child_result child = in_child(body, 60);
  EXPECT_EQ(child.status, 0) << describe_status(child.status) << "\n" << child.log;
  double us = 0;
  if (child.message.size() == sizeof us) std::memcpy(&us, child.message.data(), sizeof us);
  return us;
}

std::string table() {
  struct row {
    const char* name;
    way w;
    unsigned quantum_us;
  };
  std::string lines;
  double exact_reads = 0, exact_messages = 0;
  for (const row& r : {row{"non-blocking, by phases", way::by_phases, 0}, row{"blocking", way::blocking, 0},
                       row{"blocking", way::blocking, 1}, row{"blocking", way::blocking, 100},
                       row{"DMI", way::direct, 0}, row{"DMI", way::direct, 1}, row{"DMI", way::direct, 100}}) {
    const sc_time quantum(r.quantum_us, sc_core::SC_US);
    const double of_reads = microseconds(r.w, quantum, false);
    const double of_messages = microseconds(r.w, quantum, true) / messages;
    if (r.w == way::by_phases) {
      exact_reads = of_reads;
      exact_messages = of_messages;
      lines += fmt::format("| {} | | {:.1f} us | | {:.3f} us | |\n", r.name, of_reads, of_messages);
      continue;
    }
    lines += fmt::format("| {} | {} | {:.1f} us | {:+.1f} % | {:.3f} us | {:.1f} |\n", r.name,
                         r.quantum_us == 0 ? "0" : fmt::format("{} us", r.quantum_us), of_reads,
                         (of_reads / exact_reads - 1) * 100, of_messages, of_messages / exact_messages);
  }
  return lines;
}

TEST(quantum, the_table_of_timing_errors_is_that_of_the_document) {
  std::ifstream in(PWS_SOURCE_DIR "/docs/embedding.md");
  std::ostringstream document;
  document << in.rdbuf();
  EXPECT_THAT(document.str(), testing::HasSubstr(table()));
}

}  // namespace
}  // namespace pws::test::quantum_test
