// SPDX-License-Identifier: Apache-2.0
// Core-local interruptor: the timer and software interrupts of harts, at the places that SiFive's CLINT has them.
// (SiFive FU540-C000 Manual, chapter 9)
//
//   0x0000 + 4 h  msip      of hart h; bit 0 is its software interrupt
//   0x4000 + 8 h  mtimecmp  of hart h; its timer interrupt is high while mtime >= mtimecmp; ~0 at reset
//   0xbff8        mtime     counts the time base; may be written
//
// msip takes 4 bytes, the others 8 or either half.
#pragma once

#include <memory>
#include <vector>

#include "models/soc/device.h"

namespace pws::models {

class clint : public device {
 public:
  static constexpr uint64_t window = 0x10000;  // bytes

  std::vector<std::unique_ptr<sc_core::sc_out<bool>>> timer, software;  // one per hart

  // `tick`: of mtime.
  clint(const sc_core::sc_module_name& name, uint32_t harts, const sc_core::sc_time& tick);

  uint64_t mtime() const { return ticks() + ahead_; }

 protected:
  tlm::tlm_response_status read(uint64_t offset, unsigned bytes, uint64_t& value) override;
  tlm::tlm_response_status write(uint64_t offset, unsigned bytes, uint64_t value) override;

 private:
  enum class register_kind : uint8_t { none, msip, mtimecmp, mtime };
  struct place {
    register_kind what = register_kind::none;
    size_t hart = 0;
    uint64_t low = 0;  // byte in the register
  };
  place at(uint64_t offset) const;
  uint64_t ticks() const { return sc_core::sc_time_stamp().value() / tick_.value(); }
  void update();

  const sc_core::sc_time tick_;
  uint64_t ahead_ = 0;  // mtime minus the ticks since time 0
  std::vector<uint64_t> mtimecmp_;
  std::vector<uint8_t> msip_;
  sc_core::sc_event due_;  // a timer's time has come, or a register has changed
};

}  // namespace pws::models
