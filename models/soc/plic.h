// SPDX-License-Identifier: Apache-2.0
// Platform-level interrupt controller, with level-triggered sources, at the places that SiFive's PLIC has its
// registers. (RISC-V Platform-Level Interrupt Controller Specification 1.0.0)
//
//   0x000000 + 4 s          priority of source s, 0 (never) to 7; source 0 does not exist
//   0x001000 + 4 w          pending, bit s % 32 of word s / 32
//   0x002000 + 0x80 c + 4 w enabled sources of context c
//   0x200000 + 0x1000 c     threshold of context c: interrupts of higher priority alone raise its line
//   0x200004 + 0x1000 c     claim (read) and complete (write)
//
// All accesses have 4 bytes.
#pragma once

#include <memory>
#include <vector>

#include "models/soc/device.h"

namespace pws::models {

class plic : public device {
 public:
  static constexpr uint64_t window = 0x400'0000;  // bytes
  static constexpr uint32_t most_sources = 1023, most_contexts = 15872;

  std::vector<std::unique_ptr<sc_core::sc_in<bool>>> sources;    // source s is sources[s - 1]
  std::vector<std::unique_ptr<sc_core::sc_out<bool>>> contexts;  // external interrupt of each

  plic(const sc_core::sc_module_name& name, uint32_t n_sources, uint32_t n_contexts);

 protected:
  tlm::tlm_response_status read(uint64_t offset, unsigned bytes, uint64_t& value) override;
  tlm::tlm_response_status write(uint64_t offset, unsigned bytes, uint64_t value) override;

 private:
  struct context_state {
    std::vector<uint32_t> enabled;
    uint32_t threshold = 0;
  };
  // What is at an offset: a register, or nothing.
  uint32_t* stored(uint64_t offset);
  bool is_claim(uint64_t offset, size_t& context) const;
  uint32_t best(const context_state& c, uint32_t above) const;
  uint32_t claim(context_state& c);
  void complete(const context_state& c, uint32_t source);
  bool is_source(uint64_t s) const { return s >= 1 && s < priority_.size(); }
  void sample();  // the sources
  void update();  // the contexts' lines

  std::vector<uint32_t> priority_;      // by source
  std::vector<uint32_t> pending_;       // bits
  std::vector<uint32_t> real_sources_;  // bits that there are
  std::vector<uint8_t> in_service_;     // by source: claimed, and not completed yet
  std::vector<context_state> states_;
  sc_core::sc_event changed_;
};

}  // namespace pws::models
