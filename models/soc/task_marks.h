// SPDX-License-Identifier: Apache-2.0
// A device by which firmware says what it is at, for timelines; it does nothing else. A write of 8 bytes at 0 is the
// address of the name of a task that begins, a text with a zero byte behind it; a write of 0 ends the task that has
// begun last. Tasks may begin within others.
#pragma once

#include <functional>

#include "models/soc/device.h"

namespace pws::models {

class task_marks : public device {
 public:
  static constexpr uint64_t window = 0x1000;  // bytes

  explicit task_marks(const sc_core::sc_module_name& name) : device(name) {}
  // Hears of each mark: the name's address, 0 for an end.
  std::function<void(uint64_t name)> on_mark;

 protected:
  tlm::tlm_response_status read(uint64_t, unsigned, uint64_t&) override { return tlm::TLM_COMMAND_ERROR_RESPONSE; }
  tlm::tlm_response_status write(uint64_t offset, unsigned bytes, uint64_t value) override {
    if (offset >= sizeof value) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    if (bytes != sizeof value) return tlm::TLM_BURST_ERROR_RESPONSE;
    if (on_mark) on_mark(value);
    return tlm::TLM_OK_RESPONSE;
  }
};

}  // namespace pws::models
