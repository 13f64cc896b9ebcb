// SPDX-License-Identifier: Apache-2.0
// Who counts the marked loops of the kernels that a machine launches, by the marks that their code objects carry.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "platform/machine/device_runtime.h"
#include "platform/wcet/loop_bound_checker.h"

namespace pws::platform {

class loop_checks {
 public:
  loop_checks(const models::gpu& gpu, device_runtime& runtime) : gpu_(gpu), runtime_(runtime) {}

  // The checker of that launch's kernel; nullptr: it has no marks. Valid until the next call. Throws input_error for
  // marks that are damaged, or not of this code.
  loop_bound_checker* of(const kernel_launch& l);

 private:
  struct known_kernel {
    std::string name, assembly;
    std::vector<uint32_t> words;
    std::unique_ptr<loop_bound_checker> checker;
  };
  void read(known_kernel& k, const kernel_launch& l) const;

  const models::gpu& gpu_;
  device_runtime& runtime_;
  std::map<uint64_t, known_kernel> kernels_;  // by entry; another program may come to lie there
};

}  // namespace pws::platform
