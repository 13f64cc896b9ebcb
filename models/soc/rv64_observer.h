// SPDX-License-Identifier: Apache-2.0
// Who hears of what a hart does (rv64_cpu.h): waveforms, timelines. Times are the hart's own, which is ahead of the
// simulation's by less than the quantum. All functions may do nothing.
#pragma once

#include <cstdint>
#include <systemc>

namespace pws::models {

// An access over the bus.
struct rv64_bus_access {
  uint64_t address = 0;
  uint64_t value = 0;  // that was read or written
  unsigned bytes = 0;
  bool is_write = false;
  bool is_good = false;  // false: it was answered with an error
};

class rv64_observer {
 public:
  virtual ~rv64_observer() = default;

  // Other parts of the system run now; the hart goes on at `pc`.
  virtual void synchronised(uint64_t /*pc*/) {}
  virtual void accessed(const rv64_bus_access& /*access*/, const sc_core::sc_time& /*at*/) {}
  // It waits in wfi from now on, or goes on.
  virtual void waits(bool /*begins*/, const sc_core::sc_time& /*at*/) {}
  // A trap or an interrupt is taken: mcause, and the instruction that it comes before.
  virtual void trapped(uint64_t /*cause*/, uint64_t /*pc*/, const sc_core::sc_time& /*at*/) {}
  // mret.
  virtual void returned(const sc_core::sc_time& /*at*/) {}
};

}  // namespace pws::models
