// SPDX-License-Identifier: Apache-2.0
#include "models/soc/machine_csrs.h"

namespace pws::models {

namespace {

// Numbers of the registers.
constexpr unsigned cycle = 0xc00, instret = 0xc02;
constexpr unsigned mvendorid = 0xf11, marchid = 0xf12, mimpid = 0xf13, mhartid = 0xf14, mconfigptr = 0xf15;
constexpr unsigned mstatus = 0x300, misa = 0x301, mie = 0x304, mtvec = 0x305, mcountinhibit = 0x320;
constexpr unsigned mscratch = 0x340, mepc = 0x341, mcause = 0x342, mtval = 0x343, mip = 0x344;
constexpr unsigned mcycle = 0xb00, minstret = 0xb02;
constexpr unsigned first_event = 0x323, last_event = 0x33f, first_counter = 0xb03, last_counter = 0xb1f;

constexpr uint64_t misa_value =
    uint64_t{2} << 62 | 1 << ('i' - 'a') | 1 << ('m' - 'a') | 1 << ('a' - 'a') | 1 << ('c' - 'a');
constexpr unsigned mie_bit = 3, mpie_bit = 7, mpp_bit = 11;
constexpr uint64_t machine_mode = 3;
constexpr uint64_t known_interrupts =
    1 << interrupt_bit::software | 1 << interrupt_bit::timer | 1 << interrupt_bit::external;
constexpr uint64_t cause_mask = interrupt_flag | 0x3f;

bool is_read_only(unsigned number) {
  return number >> 10 == 3;
}

// Registers that have to be there, and count nothing here: they read as 0, and what is written is dropped.
bool is_hardwired(unsigned number) {
  return number == misa || number == mcountinhibit || number == mip ||
         (number >= first_event && number <= last_event) || (number >= first_counter && number <= last_counter);
}

}  // namespace

const std::vector<machine_csrs::name_row>& machine_csrs::names() {
  static const std::vector<name_row> all = {
      {"mstatus", mstatus},   {"misa", misa},     {"mie", mie},           {"mtvec", mtvec},
      {"mscratch", mscratch}, {"mepc", mepc},     {"mcause", mcause},     {"mtval", mtval},
      {"mip", mip},           {"mcycle", mcycle}, {"minstret", minstret}, {"mvendorid", mvendorid},
      {"marchid", marchid},   {"mimpid", mimpid}, {"mhartid", mhartid},
  };
  return all;
}

std::optional<unsigned> machine_csrs::interrupt() const {
  const uint64_t wanted = mip_ & mie_;
  if (!enabled_ || wanted == 0) return std::nullopt;
  for (const unsigned bit : {interrupt_bit::external, interrupt_bit::software, interrupt_bit::timer})
    if ((wanted >> bit & 1) != 0) return bit;
  return std::nullopt;
}

uint64_t* machine_csrs::plain(unsigned number) {
  switch (number) {
    case mie:
      return &mie_;
    case mtvec:
      return &mtvec_;
    case mscratch:
      return &mscratch_;
    case mepc:
      return &mepc_;
    case mcause:
      return &mcause_;
    case mtval:
      return &mtval_;
    default:
      return nullptr;
  }
}

std::optional<uint64_t> machine_csrs::read(unsigned number, const counters& now) const {
  if (const uint64_t* r = const_cast<machine_csrs*>(this)->plain(number)) return *r;
  switch (number) {
    case mstatus:
      return uint64_t{enabled_} << mie_bit | uint64_t{enabled_before_} << mpie_bit | machine_mode << mpp_bit;
    case misa:
      return misa_value;
    case mip:
      return mip_;
    case mcycle:
    case cycle:
      return now.cycles + cycles_ahead_;
    case minstret:
    case instret:
      return now.retired + retired_ahead_;
    case mhartid:
      return hart_;
    case mvendorid:
    case marchid:
    case mimpid:
    case mconfigptr:
      return 0;
    default:
      if (is_hardwired(number)) return 0;
      return std::nullopt;
  }
}

bool machine_csrs::write(unsigned number, uint64_t value, const counters& now) {
  if (is_read_only(number)) return false;
  switch (number) {
    case mstatus:
      enabled_ = (value >> mie_bit & 1) != 0;
      enabled_before_ = (value >> mpie_bit & 1) != 0;
      return true;
    case mie:
      mie_ = value & known_interrupts;
      return true;
    case mtvec:  // direct or vectored; other modes are reserved, and read as the one that is nearest
      mtvec_ = value & ~uint64_t{2};
      return true;
    case mepc:
      mepc_ = value & ~uint64_t{1};
      return true;
    case mcause:
      mcause_ = value & cause_mask;
      return true;
    case mcycle:
      cycles_ahead_ = value - now.cycles;
      return true;
    case minstret:  // this instruction itself is not counted
      retired_ahead_ = value - (now.retired + 1);
      return true;
    default:
      if (uint64_t* r = plain(number)) {
        *r = value;
        return true;
      }
      return is_hardwired(number);
  }
}

uint64_t machine_csrs::enter(uint64_t cause, uint64_t value, uint64_t pc) {
  mepc_ = pc;
  mcause_ = cause;
  mtval_ = value;
  enabled_before_ = enabled_;
  enabled_ = false;
  return mtvec_ & ~uint64_t{3};
}

uint64_t machine_csrs::trap(uint64_t cause, uint64_t value, uint64_t pc) {
  return enter(cause, value, pc);
}

uint64_t machine_csrs::take_interrupt(unsigned cause, uint64_t pc) {
  const uint64_t base = enter(interrupt_flag | cause, 0, pc);
  const bool vectored = (mtvec_ & 1) != 0;
  return vectored ? base + 4 * uint64_t{cause} : base;
}

uint64_t machine_csrs::mret() {
  enabled_ = enabled_before_;
  enabled_before_ = true;
  return mepc_;
}

}  // namespace pws::models
