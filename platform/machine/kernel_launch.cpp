// SPDX-License-Identifier: Apache-2.0
#include "platform/machine/kernel_launch.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "models/machine/occupancy.h"

namespace pws::platform {

uint32_t largest_workgroup(const loader::kernel& k) {
  const uint32_t compiled_for = k.metadata.max_flat_workgroup_size;
  return compiled_for == 0 ? models::most_work_items : std::min(models::most_work_items, compiled_for);
}

std::optional<std::string> wants_other_workgroups(const kernel_launch& l) {
  const loader::kernel& k = *l.kernel.kernel;
  // Its code has the size as a constant, so the shape matters too.
  if (const auto& required = k.metadata.required_workgroup_size; required && l.workgroup != *required)
    return fmt::format("{} alone (reqd_work_group_size)", fmt::join(*required, "x"));
  const uint64_t work_items = l.work_items();
  if (work_items == 0 || work_items > largest_workgroup(k)) return fmt::format("1 to {}", largest_workgroup(k));
  return std::nullopt;
}

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
  if (const auto others = wants_other_workgroups(l))
    return launch_problem{of::workgroup, 0,
                          fmt::format("{}: a workgroup of {} work-items; the kernel was compiled for {}", name,
                                      fmt::join(l.workgroup, "x"), *others)};
  return std::nullopt;
}

std::optional<launch_problem> problem_with_machine(const kernel_launch& l, const models::machine_config& machine) {
  const loader::kernel& kernel = *l.kernel.kernel;
  const std::string shortage = models::shortage_of(machine, resources_of(kernel, l.work_items(), l.dynamic_lds));
  if (shortage.empty()) return std::nullopt;
  return launch_problem{launch_problem::of::workgroup, 0, fmt::format("kernel {}: {}", kernel.demangled, shortage)};
}

}  // namespace pws::platform
