// SPDX-License-Identifier: Apache-2.0
// Who a run of firmware is under, if somebody is: a debugger.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "platform/machine/interruption.h"

namespace pws::platform {

class soc_system;

class soc_control {
 public:
  virtual ~soc_control() = default;

  // From time to time while the simulation stands: whether the processor is to stop, where it stops. So it can be
  // stopped where it sleeps.
  virtual void look() = 0;
  // The run is to end.
  virtual bool is_killed() const = 0;
  // It has, with the firmware's code or for that reason.
  virtual void ended(std::optional<uint32_t> code, const std::string& why) = 0;
};

// Makes one for a system that stands at its first instruction. Signals end what it waits for.
using soc_control_maker = std::function<std::unique_ptr<soc_control>(soc_system& system, const interruption& signals)>;

}  // namespace pws::platform
