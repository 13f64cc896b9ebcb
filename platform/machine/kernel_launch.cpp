// SPDX-License-Identifier: Apache-2.0
#include "platform/machine/kernel_launch.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/machine/occupancy.h"

namespace pws::platform {

std::optional<launch_problem> problem_with_kernel(const kernel_launch& l) {
  using of = launch_problem::of;
  const loader::kernel& kernel = *l.kernel.kernel;
  const loader::kernel_metadata& k = kernel.metadata;
  const std::string name = "kernel " + kernel.demangled;
  const size_t wanted = k.explicit_arguments();
  if (l.arguments.size() != wanted)
    return launch_problem{of::all_arguments, 0,
                          fmt::format("{} takes {} arguments, {} are given", name, wanted, l.arguments.size())};
  for (size_t i = 0; i < wanted; ++i)
    if (l.arguments[i].size() != k.arguments[i].size)
      return launch_problem{of::argument, i,
                            fmt::format("{}, argument {}{}: the kernel takes {} bytes, {} are given", name, i,
                                        k.arguments[i].name.empty() ? "" : " (" + k.arguments[i].name + ")",
                                        k.arguments[i].size, l.arguments[i].size())};
  const uint64_t work_items = l.work_items();
  const uint32_t limit = k.max_flat_workgroup_size == 0 ? models::most_work_items
                                                        : std::min(models::most_work_items, k.max_flat_workgroup_size);
  if (work_items == 0 || work_items > limit)
    return launch_problem{of::workgroup, 0,
                          fmt::format("{}: a workgroup of {}x{}x{} work-items; the kernel was compiled for 1 to {}",
                                      name, l.workgroup[0], l.workgroup[1], l.workgroup[2], limit)};
  return std::nullopt;
}

std::optional<launch_problem> problem_with_machine(const kernel_launch& l, const models::machine_config& machine) {
  const loader::kernel& kernel = *l.kernel.kernel;
  const std::string shortage = models::shortage_of(machine, resources_of(kernel, l.work_items(), l.dynamic_lds));
  if (shortage.empty()) return std::nullopt;
  return launch_problem{launch_problem::of::workgroup, 0, fmt::format("kernel {}: {}", kernel.demangled, shortage)};
}

}  // namespace pws::platform
