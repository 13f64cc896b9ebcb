// The worst-case execution time of a run's kernel on its machine: what `pwsvp wcet` does.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "platform/compiled_program.h"
#include "platform/config/run_config.h"
#include "platform/wcet/launch_bound.h"

namespace pws::platform {

struct observation {
  bool made = false;
  bool completed = false;
  std::string error;
  uint64_t cycles = 0;  // of the kernel, under the configuration's scheme
};

struct wcet_result {
  std::string file, source, kernel;
  models::machine_config machine;  // as provisioned
  launch_config launch;
  block_time_source block_times = block_time_source::machine;
  uint64_t workgroups = 0;  // G
  uint64_t wavefronts_per_group = 0;
  size_t swf_contexts = 0;  // S
  wcet::machine_timing timing;
  cfg::function_code code;
  std::unique_ptr<wcet::kernel_code> analysed;
  std::vector<scheme_bound> schemes;  // none, pws, dws
  std::vector<std::string> warnings;
  observation observed;
  // Measured: the thesis's forms with the delays of each wavefront and SWF of the first batch, and the longest path of
  // each (Eq. 5.4: splits in parallel; 5.5: one after the other).
  uint64_t l_kernel = 0, l_kernel_serialised = 0;

  const scheme_bound& of(wcet::scheme s) const { return schemes[static_cast<size_t>(s)]; }
};

// Lays out the launch on the machine and analyses it; `program` is compile_program(config, assembly_text::wanted).
// `observe`: then runs it too, once. One call per process, because SystemC is. Throws input_error for what cannot be
// analysed, naming loops without bounds by source line.
std::unique_ptr<wcet_result> analyse_wcet(const run_config& config, const compiled_program& program, bool observe);

}  // namespace pws::platform
