// SPDX-License-Identifier: Apache-2.0
#include "platform/wcet/stated_bounds.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "sw/loader/names.h"

namespace pws::platform {

stated_bounds::stated_bounds(const launched_code& code, const kernel_launch& launch)
    : lines_(*code.lines),
      code_(code.inlined.code),
      program_(*launch.kernel.program),
      kernel_(*launch.kernel.kernel),
      loops_(lines_.marked(code.inlined)) {}

std::string stated_bounds::add(const loop_bound_config& l) {
  const auto is_meant = [&](const loader::kernel& k) {
    return l.kernel.empty() || loader::is_name_of(l.kernel, k.metadata.name, k.demangled);
  };
  if (!is_meant(kernel_)) {
    for (const loader::code_object& o : program_.code_objects())
      if (std::any_of(o.kernels().begin(), o.kernels().end(), is_meant)) return "";
    return fmt::format("no kernel is called {}", l.kernel);
  }
  if (l.line != 0) return by_line(l);
  std::optional<size_t> at;
  if (l.offset) {
    at = code_.at(code_.begin() + *l.offset);
    if (*at == code_.instructions.size())
      return fmt::format("no instruction of {} begins at offset 0x{:x}", code_.name, *l.offset);
  } else {
    at = lines_.instruction_at(l.label);
    if (!at) return fmt::format("{} has no label {}", code_.name, l.label);
  }
  try {
    loops_.push_back(wcet::bound_around(code_, *at, l.bound, "wcet.loops"));
  } catch (const input_error& e) {
    return e.what();
  }
  return "";
}

std::string stated_bounds::by_line(const loop_bound_config& l) {
  bool found = false;
  for (wcet::marked_loop& m : loops_) {
    if (m.place.line != l.line || !m.in_loop.empty() || !path_ends_with(m.place.file, l.file)) continue;
    m.bound = l.bound;
    m.from = "wcet.loops";
    found = true;
  }
  if (found || lines_.any_kernel_has(l.file, l.line)) return "";
  return fmt::format("no loop with a bound begins in line {}", l.line);
}

std::vector<std::string> add_all(const std::vector<loop_bound_config>& bounds, stated_bounds& to) {
  std::vector<std::string> misplaced;
  for (const loop_bound_config& l : bounds) {
    const std::string problem = to.add(l);
    misplaced.push_back(problem.empty() ? "" : fmt::format("{}: wcet.loops: {}", l.where.text(), problem));
  }
  return misplaced;
}

}  // namespace pws::platform
