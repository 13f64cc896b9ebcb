// SPDX-License-Identifier: Apache-2.0
// Control and status registers of a hart that has machine mode alone, and what traps do to them. (The RISC-V
// Instruction Set Manual, volume II: Privileged Architecture, chapters 2 and 3)
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace pws::models {

// Bits of mip and mie, which are also the causes of interrupts.
namespace interrupt_bit {
constexpr unsigned software = 3, timer = 7, external = 11;
}

// The top bit of mcause: the trap is an interrupt.
constexpr uint64_t interrupt_flag = uint64_t{1} << 63;

class machine_csrs {
 public:
  // What the hart has counted when an instruction begins.
  struct counters {
    uint64_t cycles = 0;
    uint64_t retired = 0;  // instructions
  };

  explicit machine_csrs(uint64_t hart) : hart_(hart) {}

  // Registers to be shown, by number.
  struct name_row {
    const char* name;
    unsigned number;
  };
  static const std::vector<name_row>& names();

  // The interrupt lines as they are now, as bits of mip.
  void set_lines(uint64_t lines) { mip_ = lines; }
  // What wfi waits for, whether interrupts are enabled or not.
  bool has_pending() const { return (mip_ & mie_) != 0; }
  // The cause of the interrupt to be taken now, without the top bit.
  std::optional<unsigned> interrupt() const;

  // nullopt: there is no such register, or it may not be written.
  std::optional<uint64_t> read(unsigned number, const counters& now) const;
  bool write(unsigned number, uint64_t value, const counters& now);  // false: likewise

  // A trap at `pc`: what becomes of the registers. Returns where the hart goes on.
  uint64_t trap(uint64_t cause, uint64_t value, uint64_t pc);
  uint64_t take_interrupt(unsigned cause, uint64_t pc);
  uint64_t mret();
  // The trap or interrupt that was taken last, as mepc, mcause and mtval have it.
  struct taken_trap {
    uint64_t pc = 0, cause = 0, value = 0;
  };
  taken_trap last_trap() const { return {mepc_, mcause_, mtval_}; }

 private:
  uint64_t* plain(unsigned number);
  uint64_t enter(uint64_t cause, uint64_t value, uint64_t pc);

  uint64_t hart_;
  uint64_t mip_ = 0, mie_ = 0, mtvec_ = 0, mscratch_ = 0, mepc_ = 0, mcause_ = 0, mtval_ = 0;
  bool enabled_ = false, enabled_before_ = false;  // mstatus.MIE, MPIE
  uint64_t cycles_ahead_ = 0, retired_ahead_ = 0;  // mcycle and minstret minus the hart's counters
};

}  // namespace pws::models
