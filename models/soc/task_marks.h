// SPDX-License-Identifier: Apache-2.0
// A device by which firmware says what it is at, for timelines and reports; it does nothing else. Tasks may begin
// within others. All accesses are writes of 8 bytes:
//
//   0x00  name      address of the name of a task that begins, a text with a zero byte behind it; 0 ends the task that
//                   has begun last
//   0x08  deadline  of the task that has begun last, in ns from its beginning
//   0x10  bound     the longest time that it can take, in ns, as an analysis says
//
// A deadline and a bound without a task are refused.
#pragma once

#include <functional>

#include "models/soc/device.h"

namespace pws::models {

class task_marks : public device {
 public:
  static constexpr uint64_t window = 0x1000;  // bytes

  explicit task_marks(const sc_core::sc_module_name& name) : device(name) {}

  // Hear of each mark: the name's address, 0 for an end; ns.
  std::function<void(uint64_t name)> on_mark;
  std::function<void(uint64_t ns)> on_deadline, on_bound;

 protected:
  tlm::tlm_response_status read(uint64_t, unsigned, uint64_t&) override { return tlm::TLM_COMMAND_ERROR_RESPONSE; }
  tlm::tlm_response_status write(uint64_t offset, unsigned bytes, uint64_t value) override;

 private:
  uint64_t open_ = 0;  // tasks that have not ended
};

}  // namespace pws::models
