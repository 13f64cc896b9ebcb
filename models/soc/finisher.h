// SPDX-License-Identifier: Apache-2.0
// The device by which firmware ends the simulation: SiFive's test finisher. A write of 4 bytes at 0 with the low half
// 0x5555 says that all is well, with 0x3333 that it has failed with the code in the high half.
#pragma once

#include <optional>

#include "models/soc/device.h"

namespace pws::models {

class finisher : public device {
 public:
  static constexpr uint64_t window = 0x1000;  // bytes
  static constexpr uint32_t pass = 0x5555, fail = 0x3333;

  explicit finisher(const sc_core::sc_module_name& name) : device(name) {}

  // What firmware has ended with: 0, or its code, at least 1. nullopt: it has not.
  std::optional<uint32_t> code() const { return code_; }

 protected:
  tlm::tlm_response_status read(uint64_t offset, unsigned bytes, uint64_t& value) override;
  tlm::tlm_response_status write(uint64_t offset, unsigned bytes, uint64_t value) override;

 private:
  std::optional<uint32_t> code_;
};

}  // namespace pws::models
