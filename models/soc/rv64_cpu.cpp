// SPDX-License-Identifier: Apache-2.0
#include "models/soc/rv64_cpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/bus/bus_access.h"

namespace pws::models {

namespace {

constexpr size_t stack_bytes = size_t{1} << 20;  // Unicorn translates on it

constexpr uint32_t ecall = 0x0000'0073, ebreak = 0x0010'0073, mret = 0x3020'0073, wfi = 0x1050'0073;
constexpr uint32_t compressed_ebreak = 0x9002;
constexpr uint32_t misc_mem = 0x0f;  // of which fence.i alone comes here

const char* trap_text(uint64_t cause) {
  switch (cause) {
    case trap_cause::instruction_access_fault:
      return "instruction access fault";
    case trap_cause::illegal_instruction:
      return "illegal instruction";
    case trap_cause::breakpoint:
      return "breakpoint";
    case trap_cause::load_misaligned:
      return "misaligned load";
    case trap_cause::load_access_fault:
      return "load access fault";
    case trap_cause::store_misaligned:
      return "misaligned store or atomic";
    case trap_cause::store_access_fault:
      return "store access fault";
    default:
      return "ecall";
  }
}

}  // namespace

rv64_cpu::rv64_cpu(const sc_core::sc_module_name& name, const rv64_cpu_config& c)
    : sc_module(name),
      bus("bus"),
      external_interrupt("external_interrupt"),
      timer_interrupt("timer_interrupt"),
      software_interrupt("software_interrupt"),
      config_(c),
      clock_(c.clock_mhz),
      instruction_time_(sc_core::sc_time::from_value(clock_.period().value() * c.cycles_per_instruction)),
      csrs_(c.hart),
      name_of_([](uint64_t address) { return fmt::format("{:#x}", address); }) {
  SC_HAS_PROCESS(rv64_cpu);
  SC_THREAD(run);
  set_stack_size(stack_bytes);
  bus.register_invalidate_direct_mem_ptr(this, &rv64_cpu::invalidate);
}

void rv64_cpu::run() {
  keeper_.reset();
  for (;;) {
    read_lines();
    if (const auto cause = csrs_.interrupt()) {
      tell([&](rv64_observer& o) { o.trapped(interrupt_flag | *cause, pc_, keeper_.get_current_time()); });
      pc_ = csrs_.take_interrupt(*cause, pc_);
      ++interrupts_;
      entering_trap_ = true;
      keeper_.inc(instruction_time_);
    }
    if (control_ != nullptr) stop_if_wanted();
    step();
    if (keeper_.need_sync()) sync();
  }
}

void rv64_cpu::stop_if_wanted() {
  if (watched_) {
    const auto [address, is_write] = *std::exchange(watched_, std::nullopt);
    stand(hart_stop::watchpoint, address, is_write);
  } else if (stepped_ && stood_after_ != done()) {
    stand(hart_stop::step);
  } else if (control_->is_stop_wanted()) {
    stand(hart_stop::asked);
  }
  stepped_ = control_ != nullptr && control_->wants_step();
}

void rv64_cpu::stand(hart_stop why, uint64_t address, bool is_write) {
  if (control_ == nullptr) return;
  control_->stopped(why, address, is_write);
  stood_after_ = done();
}

// Instructions up to the quantum's end, or up to one that Unicorn leaves to the hart, and that one too.
void rv64_cpu::step() {
  if (retired_ >= config_.most_instructions)
    stop_for_good(fmt::format("limits.instructions: {} instructions were executed, and the next would be at {}",
                              retired_, name_of_(pc_)));
  // The breakpoint at which it stood does not stop it once more.
  const rv64_core::stop s = core_.run(pc_, budget(), stood_after_ == done());
  pc_ = s.pc;
  if (s.retired != 0) retire_many(s.retired);
  if (s.watched) watched_ = {s.accessed, s.is_write};
  using reason = rv64_core::stop_reason;
  switch (s.why) {
    case reason::budget:
      return;
    case reason::breakpoint:
      stepped_ = false;
      return stand(hart_stop::breakpoint);
    case reason::watchpoint:
      return;
    case reason::system:
      return system(s.instruction);
    case reason::access:
      return access(s);
    case reason::misaligned:
      if (const auto a = decode_access(s.instruction))
        return trap(
            a->what == rv64_access::kind::load_reserved ? trap_cause::load_misaligned : trap_cause::store_misaligned,
            core_.x(a->base));
      break;
    case reason::illegal:
      if (s.instruction == compressed_ebreak) return trap(trap_cause::breakpoint, pc_);
      break;
    case reason::fetch:
      if (!map_direct(s.address, tlm::TLM_READ_COMMAND)) trap(trap_cause::instruction_access_fault, s.address);
      return;
  }
  trap(trap_cause::illegal_instruction, s.instruction);
}

uint64_t rv64_cpu::budget() const {
  const sc_core::sc_time quantum = tlm::tlm_global_quantum::instance().compute_local_quantum();
  const sc_core::sc_time local = keeper_.get_local_time();
  const uint64_t left = quantum > local ? (quantum - local).value() / instruction_time_.value() : 0;
  if (stepped_) return 1;
  return std::min(std::max<uint64_t>(left, 1), config_.most_instructions - retired_);
}

void rv64_cpu::system(uint32_t instruction) {
  const uint64_t next = pc_ + 4;
  if ((instruction & 0x7f) == misc_mem) {
    core_.forget_code();
    return retire(next);
  }
  switch (instruction) {
    case ecall:
      return trap(trap_cause::ecall_from_machine, 0);
    case ebreak:
      return trap(trap_cause::breakpoint, pc_);
    case mret:
      retire(csrs_.mret());
      return tell([this](rv64_observer& o) { o.returned(keeper_.get_current_time()); });
    case wfi:
      retire(next);
      return wait_for_interrupt();
    default:
      break;
  }
  const bool is_csr = (instruction >> 12 & 3) != 0;
  if (!is_csr) return trap(trap_cause::illegal_instruction, instruction);
  csr_instruction(instruction);
}

void rv64_cpu::csr_instruction(uint32_t i) {
  const unsigned number = i >> 20, rd = i >> 7 & 31, rs1 = i >> 15 & 31, operation = i >> 12 & 3;
  const bool is_immediate = (i >> 14 & 1) != 0, swaps = operation == 1;
  const uint64_t operand = is_immediate ? rs1 : core_.x(rs1);
  const machine_csrs::counters now = counters();
  const auto old = csrs_.read(number, now);
  if (!old) return trap(trap_cause::illegal_instruction, i);
  if (swaps || rs1 != 0) {  // csrrs and csrrc of x0 only read
    const uint64_t value = swaps ? operand : operation == 2 ? *old | operand : *old & ~operand;
    if (!csrs_.write(number, value, now)) return trap(trap_cause::illegal_instruction, i);
  }
  core_.set_x(rd, *old);
  retire(pc_ + 4);
}

void rv64_cpu::wait_for_interrupt() {
  sync();
  read_lines();
  const auto since = sc_core::sc_time::from_value(sc_core::sc_time_stamp().value());
  const bool sleeps = !csrs_.has_pending();
  waiting_ = sleeps;
  if (sleeps) tell([&](rv64_observer& o) { o.waits(true, since); });
  while (!csrs_.has_pending()) {
    wait(external_interrupt.value_changed_event() | timer_interrupt.value_changed_event() |
         software_interrupt.value_changed_event());
    read_lines();
  }
  waiting_ = false;
  time_waited_ += sc_core::sc_time_stamp() - since;
  if (sleeps) tell([](rv64_observer& o) { o.waits(false, sc_core::sc_time_stamp()); });
  keeper_.reset();
}

void rv64_cpu::access(const rv64_core::stop& s) {
  const auto a = decode_access(s.instruction);
  if (!a) return trap(trap_cause::illegal_instruction, s.instruction);
  using kind = rv64_access::kind;
  const bool loads = a->what == kind::load || a->what == kind::load_reserved;
  const uint64_t address = core_.x(a->base) + static_cast<uint64_t>(a->offset);
  if (!core_.is_mapped(address) && map_direct(address, loads ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND))
    return;  // again, and without the bus
  if (address % a->bytes != 0) return trap(loads ? trap_cause::load_misaligned : trap_cause::store_misaligned, address);
  // Atomics are for memory alone.
  uint64_t value = a->what == kind::store ? core_.x(a->data) : 0;
  const bool is_plain = a->what == kind::load || a->what == kind::store;
  if (!is_plain || !transport(*a, address, value))
    return trap(loads ? trap_cause::load_access_fault : trap_cause::store_access_fault, address);
  if (a->what == kind::load) core_.set_x(a->data, a->extended(value));
  retire(pc_ + a->length);
  sync();
}

bool rv64_cpu::transport(const rv64_access& a, uint64_t address, uint64_t& value) {
  sync();
  const tlm::tlm_command command = a.what == rv64_access::kind::load ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND;
  const transfer_result r = try_transfer(bus, command, address, &value, a.bytes);  // little-endian, as the host
  tell([&](rv64_observer& o) {
    o.accessed({address, value, a.bytes, command == tlm::TLM_WRITE_COMMAND, r.is_ok()}, sc_core::sc_time_stamp());
  });
  for (const rv64_core::watch& w : core_.watches())
    if (w.sees(address, a.bytes, command == tlm::TLM_WRITE_COMMAND))
      watched_ = {std::max(address, w.begin), command == tlm::TLM_WRITE_COMMAND};
  keeper_.inc(r.delay);
  return r.is_ok();
}

uint64_t rv64_cpu::look_through_bus(tlm::tlm_command command, uint64_t address, unsigned char* data, uint64_t bytes) {
  uint64_t done = 0, there = 0;
  do {  // a part of the bus after the other
    tlm::tlm_generic_payload t;
    set_up(t, command, address + done, data + done, bytes - done);
    there = bus->transport_dbg(t);
    done += there;
  } while (there != 0 && done < bytes);
  return done;
}

uint64_t rv64_cpu::peek(uint64_t address, unsigned char* to, uint64_t bytes) {
  return look_through_bus(tlm::TLM_READ_COMMAND, address, to, bytes);
}

uint64_t rv64_cpu::poke(uint64_t address, const unsigned char* from, uint64_t bytes) {
  std::vector<unsigned char> data(from, from + bytes);
  const uint64_t done = look_through_bus(tlm::TLM_WRITE_COMMAND, address, data.data(), bytes);
  core_.forget_code();
  return done;
}

bool rv64_cpu::map_direct(uint64_t address, tlm::tlm_command command) {
  tlm::tlm_generic_payload t;
  t.set_command(command);
  t.set_address(address);
  t.set_data_length(1);
  tlm::tlm_dmi dmi;
  if (!bus->get_direct_mem_ptr(t, dmi) || !dmi.is_read_allowed()) return false;
  constexpr uint64_t in_page = rv64_core::page - 1;
  const uint64_t begin = (dmi.get_start_address() + in_page) & ~in_page;
  const uint64_t end = (dmi.get_end_address() + 1) & ~in_page;  // 0: the end of all addresses
  if (address - begin >= end - begin) return false;             // there is no whole page at the address
  core_.unmap(begin, end - 1);                                  // an earlier grant may have been for a part of it
  core_.map(begin, end - begin, dmi.get_dmi_ptr() + (begin - dmi.get_start_address()), dmi.is_write_allowed());
  return true;
}

void rv64_cpu::retire_many(uint64_t n) {
  retired_ += n;
  entering_trap_ = false;
  keeper_.inc(sc_core::sc_time::from_value(instruction_time_.value() * n));
}

void rv64_cpu::trap(uint64_t cause, uint64_t value) {
  if (entering_trap_) {
    const machine_csrs::taken_trap first = csrs_.last_trap();
    const bool was_interrupt = (first.cause & interrupt_flag) != 0;
    stop_for_good(fmt::format("{} at the trap handler's first instruction, {}; it was called for {} at {}, mtval {:#x}",
                              trap_text(cause), name_of_(pc_), was_interrupt ? "an interrupt" : trap_text(first.cause),
                              name_of_(first.pc), first.value));
  }
  tell([&](rv64_observer& o) { o.trapped(cause, pc_, keeper_.get_current_time()); });
  pc_ = csrs_.trap(cause, value, pc_);
  ++traps_;
  entering_trap_ = true;
  keeper_.inc(instruction_time_);
}

void rv64_cpu::sync() {
  tell([this](rv64_observer& o) { o.synchronised(pc_); });
  keeper_.sync();
}

void rv64_cpu::read_lines() {
  csrs_.set_lines(uint64_t{external_interrupt.read()} << interrupt_bit::external |
                  uint64_t{timer_interrupt.read()} << interrupt_bit::timer |
                  uint64_t{software_interrupt.read()} << interrupt_bit::software);
}

machine_csrs::counters rv64_cpu::counters() const {
  return {keeper_.get_current_time().value() / clock_.period().value(), retired_};
}

void rv64_cpu::stop_for_good(std::string why) {
  failure_ = std::move(why);
  sync();
  stand(hart_stop::failed);
  sc_core::sc_pause();
  for (;;) wait();  // without a sensitivity: for ever
}

}  // namespace pws::models
