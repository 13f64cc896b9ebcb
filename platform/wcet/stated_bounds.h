// SPDX-License-Identifier: Apache-2.0
// Bounds of loops that the configuration states (`wcet.loops`), and where they belong in a kernel's code.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "platform/config/files/run_config.h"
#include "platform/wcet/launch_analysis.h"
#include "platform/wcet/source_lines.h"
#include "sw/cfg/inlined_calls.h"
#include "sw/wcet/loops/loop_bounds.h"

namespace pws::platform {

// A launch's code, as it was loaded.
struct launched_code {
  std::shared_ptr<const source_lines> lines;
  cfg::function_code own;     // the kernel's
  cfg::inlined_code inlined;  // with a copy of each function for each call
};

// Throws input_error for code that is no kernel's, and for calls whose target is not known.
launched_code read_code(const device_layout& layout, const kernel_launch& launch);

// Collects the loops that have a bound: those of the source with anchors in this code, and each that is added of the
// machine code.
class stated_bounds {
 public:
  // Both are to outlive it.
  stated_bounds(const launched_code& code, const kernel_launch& launch);

  // What is wrong with it; empty: nothing.
  std::string add(const loop_bound_config& l);
  std::vector<wcet::marked_loop> take() { return std::move(loops_); }

 private:
  std::string by_line(const loop_bound_config& l);

  const source_lines& lines_;
  const cfg::function_code& code_;
  const loader::program_image& program_;
  const loader::kernel& kernel_;
  std::vector<wcet::marked_loop> loops_;
};

// By bound of the configuration: why it is no bound of this code, with its place; empty: it is one.
std::vector<std::string> add_all(const std::vector<loop_bound_config>& bounds, stated_bounds& to);

}  // namespace pws::platform
