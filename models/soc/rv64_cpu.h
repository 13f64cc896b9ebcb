// SPDX-License-Identifier: Apache-2.0
// An RV64IMAC hart with machine mode as a SystemC module: loosely timed, with a quantum.
//
// Every instruction takes the same number of cycles, a trap as many as an instruction. Memory that grants DMI is
// accessed without the bus; instructions can be fetched from nowhere else. Each other access is a point of
// synchronisation: the target sees it at its own time, and lines that it changes are seen by the next instruction. So
// the quantum (tlm_global_quantum) says only how late an interrupt is taken that comes in the middle of a computation.
//
// Errors on the bus are traps. A hart that cannot even begin its trap handler stops, and failure() says why.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>

#include <functional>
#include <optional>
#include <string>
#include <systemc>
#include <tlm>
#include <utility>
#include <vector>

#include "models/bus/bus_width.h"
#include "models/bus/gpu_clock.h"
#include "models/soc/machine_csrs.h"
#include "models/soc/rv64_access.h"
#include "models/soc/rv64_control.h"
#include "models/soc/rv64_core.h"
#include "models/soc/rv64_observer.h"

namespace pws::models {

struct rv64_cpu_config {
  uint32_t clock_mhz = 1000;
  uint32_t cycles_per_instruction = 1;
  uint64_t hart = 0;                          // mhartid
  uint64_t most_instructions = ~uint64_t{0};  // the hart stops behind so many, with failure()
};

class rv64_cpu : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<rv64_cpu, bus_width> bus;
  sc_core::sc_in<bool> external_interrupt, timer_interrupt, software_interrupt;

  rv64_cpu(const sc_core::sc_module_name& name, const rv64_cpu_config& c);

  // Where it begins; before the simulation does.
  void set_reset_pc(uint64_t pc) { pc_ = pc; }
  // How messages name an address: 0x80000000 (main+0x12).
  void name_addresses_by(std::function<std::string(uint64_t)> f) { name_of_ = std::move(f); }

  // From now on; it stays as long as the hart.
  void attach(rv64_observer& o) { observers_.push_back(&o); }

  // It may stop the hart from now on; nullptr: nobody does.
  void control_by(rv64_control* c) { control_ = c; }

  // The hart has stopped for good and the simulation pauses: why. Empty: it has not.
  const std::string& failure() const { return failure_; }
  bool is_waiting() const { return waiting_; }  // in wfi
  uint64_t pc() const { return pc_; }           // of the next instruction
  uint64_t retired() const { return retired_; }
  uint64_t cycles() const { return counters().cycles; }  // of its clock, since time 0
  uint64_t traps() const { return traps_; }
  uint64_t interrupts() const { return interrupts_; }
  sc_core::sc_time time_waited() const { return time_waited_; }  // in wfi
  uint64_t x(unsigned number) const { return core_.x(number); }
  std::optional<uint64_t> csr(unsigned number) const { return csrs_.read(number, counters()); }

  // ---- While the hart stands (rv64_control.h)

  void set_x(unsigned number, uint64_t value) { core_.set_x(number, value); }
  void set_pc(uint64_t pc) { pc_ = pc; }
  bool set_csr(unsigned number, uint64_t value) { return csrs_.write(number, value, counters()); }
  // What is at bus addresses, without an access that a device would notice. Returns how many bytes there are.
  uint64_t peek(uint64_t address, unsigned char* to, uint64_t bytes);
  uint64_t poke(uint64_t address, const unsigned char* from, uint64_t bytes);
  void set_breakpoints(std::vector<uint64_t> addresses) { core_.set_breakpoints(std::move(addresses)); }
  // Also of devices.
  void set_watches(std::vector<rv64_core::watch> all) { core_.set_watches(std::move(all)); }

 private:
  void run();
  void step();
  void stop_if_wanted();
  void stand(hart_stop why, uint64_t address = 0, bool is_write = false);
  uint64_t look_through_bus(tlm::tlm_command command, uint64_t address, unsigned char* data, uint64_t bytes);
  void system(uint32_t instruction);
  void csr_instruction(uint32_t instruction);
  void wait_for_interrupt();
  void access(const rv64_core::stop& s);
  bool transport(const rv64_access& a, uint64_t address, uint64_t& value);
  bool map_direct(uint64_t address, tlm::tlm_command command);
  void invalidate(sc_dt::uint64 begin, sc_dt::uint64 last) { core_.unmap(begin, last); }

  void retire(uint64_t next) {
    retire_many(1);
    pc_ = next;
  }
  void retire_many(uint64_t n);
  void trap(uint64_t cause, uint64_t value);
  void sync();
  template <class F>
  void tell(F f) {
    for (rv64_observer* o : observers_) f(*o);
  }
  void read_lines();
  machine_csrs::counters counters() const;
  uint64_t budget() const;
  uint64_t done() const { return retired_ + traps_ + interrupts_; }
  [[noreturn]] void stop_for_good(std::string why);

  const rv64_cpu_config config_;
  const gpu_clock clock_;
  const sc_core::sc_time instruction_time_;
  rv64_core core_;
  machine_csrs csrs_;
  tlm_utils::tlm_quantumkeeper keeper_;
  std::function<std::string(uint64_t)> name_of_;
  std::vector<rv64_observer*> observers_;
  rv64_control* control_ = nullptr;
  // For `control_`: it executes one instruction, and what it had done() when it stood last.
  bool stepped_ = false;
  std::optional<uint64_t> stood_after_;
  std::optional<std::pair<uint64_t, bool>> watched_;  // an access to what is watched, not told yet: address, is_write
  uint64_t pc_ = 0;
  uint64_t retired_ = 0, traps_ = 0, interrupts_ = 0;
  bool entering_trap_ = false;  // no instruction of the handler has been executed yet
  bool waiting_ = false;
  sc_core::sc_time time_waited_;
  std::string failure_;
};

}  // namespace pws::models
