// SPDX-License-Identifier: Apache-2.0
// An observer on every compute unit of a machine, for as long as this lives.
#pragma once

#include "platform/machine/virtual_platform.h"

namespace pws::platform {

class attached_observer {
 public:
  // nullptr: none.
  attached_observer(const virtual_platform& gpu, models::execution_observer* observer)
      : gpu_(gpu), observer_(observer) {
    if (observer_ == nullptr) return;
    for (const auto& cu : gpu_.cus) cu->attach(*observer_);
  }
  ~attached_observer() {
    if (observer_ == nullptr) return;
    for (const auto& cu : gpu_.cus) cu->detach(*observer_);
  }
  attached_observer(const attached_observer&) = delete;
  attached_observer& operator=(const attached_observer&) = delete;

 private:
  const virtual_platform& gpu_;
  models::execution_observer* observer_;
};

}  // namespace pws::platform
